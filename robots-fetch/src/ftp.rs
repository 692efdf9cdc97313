//! robots.txt by FTP: anonymous, passive, one RETR.

use std::io::Read;
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use robots_core::fetch::Failure;
use suppaftp::types::Mode;
use suppaftp::{FtpError, FtpStream, Status};
use url::Url;

use crate::retrieval::{BodyReader, Progress, Response};
use crate::shared::Patience;

/// Retrieves a file from one of these addresses, and no other: also the data connection goes to the host itself.
///
/// FTP has no status codes of HTTP: a file that is there counts as 200, one that is refused for good as 404 ("handling
/// of HTTP result codes" is applied by analogy), and a refusal for the time being (4xx) as 503.
pub(crate) fn retrieve(
    url: &Url,
    addresses: &[SocketAddr],
    patience: Patience,
    limit: usize,
) -> Result<Response, (Failure, String)> {
    let until = Instant::now() + patience.whole;
    match read(url, addresses, patience, limit, until) {
        Ok(response) => Ok(response),
        Err(FtpError::UnexpectedResponse(answer)) => {
            let status = match answer.status {
                Status::FileUnavailable => 404,
                status if (400..500).contains(&status.code()) => 503,
                // Whoever may not log in has no file there, as with 401.
                _ => 404,
            };
            Ok(Response::new(status, []))
        }
        Err(FtpError::ConnectionError(error)) => {
            let is_late = matches!(
                error.kind(),
                std::io::ErrorKind::TimedOut | std::io::ErrorKind::WouldBlock
            );
            let failure = if is_late { Failure::Timeout } else { Failure::Connection };
            Err((failure, error.to_string()))
        }
        Err(error) => Err((Failure::InvalidResponse, error.to_string())),
    }
}

fn read(
    url: &Url,
    addresses: &[SocketAddr],
    patience: Patience,
    limit: usize,
    until: Instant,
) -> Result<Response, FtpError> {
    let stream = connect(addresses, patience)?;
    let mut ftp = FtpStream::connect_with_stream(stream)?.passive_stream_builder(move |address| {
        let stream = TcpStream::connect_timeout(&address, patience.connect);
        let stream = stream.map_err(FtpError::ConnectionError)?;
        set_limits(&stream, patience)?;
        Ok(stream)
    });
    // The address that a server names for the data may be any; the connection goes to the server.
    ftp.set_mode(Mode::Passive);
    ftp.set_passive_nat_workaround(true);
    ftp.login("anonymous", "anonymous@")?;
    ftp.transfer_type(suppaftp::types::FileType::Binary)?;
    let mut reader = BodyReader::new(None, limit).map_err(|_| FtpError::BadResponse)?;
    let mut data = ftp.retr_as_stream(url.path())?;
    let mut buffer = [0; 16 * 1024];
    loop {
        if Instant::now() > until {
            return Err(FtpError::ConnectionError(std::io::ErrorKind::TimedOut.into()));
        }
        let read = data.read(&mut buffer).map_err(FtpError::ConnectionError)?;
        if read == 0 {
            // A transfer that broke off is told from one that ended by the server's word alone.
            data.finish()?;
            break;
        }
        if reader.push(&buffer[..read]) != Ok(Progress::More) {
            break;
        }
    }
    let body = reader.finish().map_err(|_| FtpError::BadResponse)?;
    Ok(Response::new(200, []).with_body(body))
}

fn connect(addresses: &[SocketAddr], patience: Patience) -> Result<TcpStream, FtpError> {
    let mut last = std::io::Error::from(std::io::ErrorKind::AddrNotAvailable);
    for address in addresses {
        match TcpStream::connect_timeout(address, patience.connect) {
            Ok(stream) => {
                set_limits(&stream, patience)?;
                return Ok(stream);
            }
            Err(error) => last = error,
        }
    }
    Err(FtpError::ConnectionError(last))
}

fn set_limits(stream: &TcpStream, patience: Patience) -> Result<(), FtpError> {
    // A limit of nothing is none to the operating system.
    let time = patience.body.max(Duration::from_millis(1));
    stream
        .set_read_timeout(Some(time))
        .and_then(|()| stream.set_write_timeout(Some(time)))
        .map_err(FtpError::ConnectionError)
}
