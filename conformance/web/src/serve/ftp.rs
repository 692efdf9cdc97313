//! Serves the part of FTP that crawlers need: login, passive mode, `RETR` (RFC 959, RFC 2428).
//!
//! Start at [`talk`]. The function reads commands until the crawler ends the connection, or until an answer has a
//! fault. Any login succeeds, and unknown commands are refused.

use std::io;
use std::net::SocketAddr;

use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};

use super::raw::Connection as _;
use super::served::Visit;
use crate::response::Fault;

/// The maximum length of a command line, in octets.
const LINE: u64 = 8192;

pub(super) async fn serve(visit: Visit, stream: TcpStream) {
    // An error means that the crawler has disconnected.
    let _ = talk(&visit, stream).await;
}

async fn talk(visit: &Visit, stream: TcpStream) -> io::Result<()> {
    let here = stream.local_addr()?;
    let mut stream = BufReader::new(stream);
    let mut passive: Option<TcpListener> = None;
    let mut line = Vec::new();
    let mut user = String::new();
    reply(&mut stream, "220 Test web").await?;
    loop {
        line.clear();
        if (&mut stream).take(LINE).read_until(b'\n', &mut line).await? == 0 {
            return Ok(());
        }
        if !line.ends_with(b"\n") && line.len() as u64 == LINE {
            return reply(&mut stream, "500 The line is too long").await;
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.trim_end_matches(['\r', '\n']);
        let (command, argument) = text.split_once(' ').unwrap_or((text, ""));
        match command.to_ascii_uppercase().as_str() {
            "USER" => {
                argument.clone_into(&mut user);
                reply(&mut stream, "331 Any password will do").await?;
            }
            "PASS" => reply(&mut stream, "230 Welcome").await?,
            "SYST" => reply(&mut stream, "215 UNIX Type: L8").await?,
            "PWD" => reply(&mut stream, "257 \"/\"").await?,
            "TYPE" | "CWD" | "MODE" | "STRU" | "OPTS" => reply(&mut stream, "200 Fine").await?,
            "PASV" | "EPSV" => {
                let listener = TcpListener::bind((here.ip(), 0)).await?;
                let answer = passive_reply(&command.to_ascii_uppercase(), listener.local_addr()?);
                passive = Some(listener);
                reply(&mut stream, &answer).await?;
            }
            "RETR" => {
                match retrieve(visit, &mut stream, (&user, argument), passive.take()).await? {
                    Next::Goes => {}
                    Next::Ends => return Ok(()),
                }
            }
            "QUIT" => return reply(&mut stream, "221 Good bye").await,
            _ => reply(&mut stream, "502 Not here").await?,
        }
    }
}

enum Next {
    Goes,
    Ends,
}

async fn retrieve(
    visit: &Visit,
    stream: &mut BufReader<TcpStream>,
    (user, argument): (&str, &str),
    passive: Option<TcpListener>,
) -> io::Result<Next> {
    let Some(origin) = visit.origins.first() else { return Ok(Next::Ends) };
    let path = format!("/{}", argument.trim_start_matches('/'));
    // FTP has no headers. The access log shows the user name as if it were a header `user`.
    let login = vec![("user".to_owned(), user.to_owned())];
    let place = visit.log.request(&origin.name, visit.connection, "RETR", &path, login);
    let prepared = origin.answer(&path, false);
    tokio::time::sleep(prepared.delay).await;
    visit.log.answer(place, prepared.what(), prepared.location());
    if let Some(fault) = prepared.fault {
        if let (Fault::ResetInBody | Fault::CloseInBody, Some(listener)) = (fault, passive) {
            reply(stream, "150 It comes").await?;
            let (mut data, _) = listener.accept().await?;
            let body = prepared.body("").0;
            data.write_all(&body[..body.len() / 2]).await?;
            if fault == Fault::ResetInBody {
                data.reset_at_end();
            }
        } else if fault == Fault::Reset {
            stream.get_ref().reset_at_end();
        }
        return Ok(Next::Ends);
    }
    match passive {
        _ if prepared.status >= 500 => reply(stream, "550 Device or resource busy").await?,
        _ if prepared.status >= 400 => reply(stream, "550 No such file").await?,
        None => reply(stream, "425 Say PASV or EPSV first").await?,
        Some(listener) => {
            reply(stream, "150 It comes").await?;
            let (mut data, _) = listener.accept().await?;
            data.write_all(&prepared.body("").0).await?;
            data.shutdown().await?;
            reply(stream, "226 That is all").await?;
        }
    }
    Ok(Next::Goes)
}

fn passive_reply(command: &str, at: SocketAddr) -> String {
    let port = at.port();
    match at {
        SocketAddr::V4(at) if command == "PASV" => {
            let [a, b, c, d] = at.ip().octets();
            format!("227 Entering passive mode ({a},{b},{c},{d},{},{})", port >> 8, port & 255)
        }
        _ => format!("229 Entering extended passive mode (|||{port}|)"),
    }
}

async fn reply(stream: &mut BufReader<TcpStream>, text: &str) -> io::Result<()> {
    stream.write_all(format!("{text}\r\n").as_bytes()).await
}
