//! Retrieves robots.txt by FTP, with an anonymous login, a passive data connection and one RETR command.
//!
//! Start at [`retrieve`]. The calls block, so a [`Deadline`] shuts the connections down at the time limit.
//! [`Response::of_ftp_refusal`] decides what a refusal means.

mod deadline;
#[cfg(test)]
mod tests;

use std::io::{self, Read};
use std::net::{SocketAddr, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use robots_core::fetch::Failure;
use suppaftp::types::{FileType, Mode};
use suppaftp::{FtpError, FtpStream};
use url::Url;

use self::deadline::Deadline;
use super::connect::checked;
use super::failed::{Failed, Timeouts, is_local, late};
use crate::guard::Guard;
use crate::machine::retrieval::{BodyReader, Progress, Response};

/// The file to retrieve, and the limits.
pub(crate) struct Wanted {
    pub(crate) url: Url,
    /// The addresses of the host that the guard allowed. The client connects only to these addresses, also for the data
    /// connection.
    pub(crate) addresses: Vec<SocketAddr>,
    pub(crate) guard: Option<Arc<dyn Guard>>,
    pub(crate) timeouts: Timeouts,
    /// The maximum number of octets of the file that are used.
    pub(crate) limit: usize,
}

/// The stage of an exchange. The meaning of a refusal depends on the stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stage {
    #[default]
    Greeting,
    Login,
    /// The client sets the transfer type and opens the data connection.
    Preparation,
    Retrieval,
    Transfer,
}

/// The progress of an exchange, which decides what an error means.
#[derive(Default)]
struct Course {
    stage: Stage,
    refused: Option<Failed>,
}

/// Retrieves a file. The exchange ends at the latest after `timeouts.total`, whatever the server does.
///
/// FTP has no HTTP status codes, so "handling of HTTP result codes" is applied by analogy. A file counts as 200. A
/// permanent refusal of the login or of the file counts as 404 if its text is about absence or permission, because a
/// 401 of a web server counts as 404 too. A temporary refusal (an FTP code 4xx, or a text that describes one) counts as
/// 503. Any other answer counts as a failure.
pub(crate) fn retrieve(wanted: &Wanted) -> Result<Response, Failed> {
    let whole = wanted.timeouts.total;
    let deadline = Deadline::after(whole)
        .map_err(|error| Failed::of_client(Failure::Connection, error.to_string()))?;
    let course = Arc::default();
    let result = read(wanted, &deadline, &course);
    let Course { stage, refused } =
        std::mem::take(&mut *course.lock().unwrap_or_else(PoisonError::into_inner));
    match result {
        Ok(response) => Ok(response),
        Err(_) if refused.is_some() => Err(refused.unwrap_or_else(|| late("no answer", whole))),
        Err(_) if deadline.is_over() => Err(late("the file was incomplete", whole)),
        Err(FtpError::UnexpectedResponse(answer)) => {
            let code = answer.status.code();
            let may_refuse = matches!(stage, Stage::Login | Stage::Retrieval);
            match code {
                // If a reply was cut, its missing rest could change the meaning, as in "550 busy".
                _ if !answer.body.ends_with(b"\n") => {
                    Err(Failed::new(Failure::InvalidResponse, "the reply was cut"))
                }
                400..=499 => Ok(Response::new(503, [])),
                530 | 532 | 550 | 553 if may_refuse => {
                    Response::of_ftp_refusal(&answer.body).ok_or_else(|| unclear(&answer.body))
                }
                _ => Err(unclear(&answer.body)),
            }
        }
        Err(FtpError::ConnectionError(error)) => Err(Failed::connection(&error)),
        Err(error) => Err(Failed::new(Failure::InvalidResponse, error.to_string())),
    }
}

fn unclear(reply: &[u8]) -> Failed {
    let reply: String = String::from_utf8_lossy(reply).trim().chars().take(200).collect();
    let why = format!("the server replied `{reply}`, which does not show whether the file exists");
    Failed::new(Failure::InvalidResponse, why)
}

fn read(
    wanted: &Wanted,
    deadline: &Arc<Deadline>,
    course: &Arc<Mutex<Course>>,
) -> Result<Response, FtpError> {
    let at = |stage| course.lock().unwrap_or_else(PoisonError::into_inner).stage = stage;
    let timeouts = wanted.timeouts;
    let stream = connect(&wanted.addresses, timeouts, deadline)?;
    let is_v6 = stream.peer_addr().map_err(FtpError::ConnectionError)?.is_ipv6();
    let ftp = FtpStream::connect_with_stream(stream)?;
    let mut ftp = ftp.passive_stream_builder(data_connection(wanted, deadline, course));
    // The server may name any address for the data, but the connection always goes to the server itself. PASV cannot
    // express an IPv6 address (RFC 2428).
    ftp.set_mode(if is_v6 { Mode::ExtendedPassive } else { Mode::Passive });
    ftp.set_passive_nat_workaround(true);
    at(Stage::Login);
    ftp.login("anonymous", "anonymous@")?;
    at(Stage::Preparation);
    ftp.transfer_type(FileType::Binary)?;
    let mut reader = BodyReader::new(None, wanted.limit).map_err(|_| FtpError::BadResponse)?;
    let mut data = ftp.retr_as_stream(wanted.url.path())?;
    at(Stage::Transfer);
    let mut buffer = [0; 16 * 1024];
    loop {
        let read = data.read(&mut buffer).map_err(FtpError::ConnectionError)?;
        // A connection that the deadline shut down looks like the end of the file.
        if deadline.is_over() {
            return Err(FtpError::ConnectionError(io::ErrorKind::TimedOut.into()));
        }
        if read == 0 {
            // Only the server's reply shows whether the transfer was complete.
            data.finish()?;
            break;
        }
        if reader.push(&buffer[..read]) != Ok(Progress::More) {
            // The rest of the exchange is not needed.
            deadline.end();
            break;
        }
    }
    let body = reader.finish().map_err(|_| FtpError::BadResponse)?;
    Ok(Response::new(200, []).with_body(body))
}

/// Makes the data connection, if the guard allows it.
fn data_connection(
    wanted: &Wanted,
    deadline: &Arc<Deadline>,
    course: &Arc<Mutex<Course>>,
) -> impl Fn(SocketAddr) -> Result<TcpStream, FtpError> + Send + Sync + 'static {
    let (url, guard, timeouts) = (wanted.url.clone(), wanted.guard.clone(), wanted.timeouts);
    let (deadline, course) = (Arc::clone(deadline), Arc::clone(course));
    move |address| {
        let mut url = url.clone();
        // Setting a port cannot fail for a URL with a host.
        let _ = url.set_port(Some(address.port()));
        if let Some(guard) = guard.as_deref()
            && let Err(refused) = checked(guard, &url, None, vec![address])
        {
            course.lock().unwrap_or_else(PoisonError::into_inner).refused = Some(refused);
            return Err(FtpError::ConnectionError(io::ErrorKind::PermissionDenied.into()));
        }
        let stream = connect(&[address], timeouts, &deadline)?;
        course.lock().unwrap_or_else(PoisonError::into_inner).stage = Stage::Retrieval;
        Ok(stream)
    }
}

fn connect(
    addresses: &[SocketAddr],
    timeouts: Timeouts,
    deadline: &Deadline,
) -> Result<TcpStream, FtpError> {
    let mut last = io::Error::from(io::ErrorKind::AddrNotAvailable);
    for address in addresses {
        let Some(left) = deadline.left() else {
            last = io::ErrorKind::TimedOut.into();
            break;
        };
        match TcpStream::connect_timeout(address, timeouts.connect.min(left)) {
            Ok(stream) => {
                set_limits(&stream, timeouts)?;
                deadline.holds_for(&stream).map_err(FtpError::ConnectionError)?;
                return Ok(stream);
            }
            // An error of the host replaces an error of this machine, because it says more about the host.
            Err(error) if is_local(&last) => last = error,
            Err(_) => {}
        }
    }
    Err(FtpError::ConnectionError(last))
}

fn set_limits(stream: &TcpStream, timeouts: Timeouts) -> Result<(), FtpError> {
    // For the operating system, a limit of zero means no limit.
    let time = timeouts.body_idle.max(Duration::from_millis(1));
    stream
        .set_read_timeout(Some(time))
        .and_then(|()| stream.set_write_timeout(Some(time)))
        .map_err(FtpError::ConnectionError)
}
