//! Writes answers that violate HTTP or end incorrectly, as raw octets.
//!
//! Start at [`answer()`]. `http.rs` reads the request and then passes the connection to this module, because hyper
//! writes only correct HTTP. [`faulty()`] writes the answer of each [`Fault`] except the gzip bomb, which hyper can
//! send. Some faults are well-formed but rare, for example interim responses or HTTP/1.0. The connection serves no
//! further request: it is closed or reset at the end.

use std::fmt::Write as _;
use std::io;
use std::time::Duration;

use hyper::StatusCode;
use socket2::SockRef;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_rustls::server::TlsStream;

use super::answer::Prepared;
use crate::response::Fault;

/// The time that a client has to read the octets before a reset.
const BEFORE_A_RESET: Duration = Duration::from_millis(100);

/// A connection to which an answer is written.
pub(super) trait Connection: AsyncRead + AsyncWrite + Send + Unpin + 'static {
    /// Sets an option so that the connection ends with a reset.
    fn reset_at_end(&self);
}

impl Connection for TcpStream {
    fn reset_at_end(&self) {
        // If the option cannot be set, the connection is closed instead of reset. The answer still ends too early.
        let _ = SockRef::from(self).set_linger(Some(Duration::ZERO));
    }
}

impl Connection for TlsStream<TcpStream> {
    fn reset_at_end(&self) {
        self.get_ref().0.reset_at_end();
    }
}

/// Answers with a fault. An error here means that the crawler has disconnected.
pub(super) async fn answer<C: Connection>(mut connection: C, prepared: &Prepared, accepted: &str) {
    if let Some(fault) = prepared.fault {
        let _ = faulty(&mut connection, fault, prepared, accepted).await;
    }
}

async fn faulty<C: Connection>(
    connection: &mut C,
    fault: Fault,
    prepared: &Prepared,
    accepted: &str,
) -> io::Result<()> {
    let (body, coding) = prepared.body(accepted);
    let (first, second) = body.split_at(body.len() / 2);
    let head = |version: &str, framing: &str| head(prepared, version, framing, coding);
    let length = |length: usize| format!("content-length: {length}\r\nconnection: close\r\n");
    let chunked = "transfer-encoding: chunked\r\nconnection: close\r\n";
    match fault {
        Fault::Reset => connection.reset_at_end(),
        Fault::Close => connection.shutdown().await?,
        Fault::Hang => linger(connection).await,
        Fault::ResetInBody | Fault::CloseInBody | Fault::HangInBody => {
            connection.write_all(head("1.1", &length(body.len())).as_bytes()).await?;
            connection.write_all(first).await?;
            connection.flush().await?;
            match fault {
                Fault::ResetInBody => connection.reset_at_end(),
                Fault::CloseInBody => connection.shutdown().await?,
                _ => linger(connection).await,
            }
        }
        Fault::ResetWithoutLength | Fault::CutWithoutLength => {
            connection.write_all(head("1.1", "connection: close\r\n").as_bytes()).await?;
            connection.write_all(first).await?;
            connection.flush().await?;
            if fault == Fault::ResetWithoutLength {
                // A reset discards octets that the client has not read, so the client first has time to read them.
                tokio::time::sleep(BEFORE_A_RESET).await;
                connection.reset_at_end();
            }
        }
        Fault::UnknownTransferCoding => {
            let framing = "transfer-encoding: gzip, chunked\r\nconnection: close\r\n";
            connection.write_all(head("1.1", framing).as_bytes()).await?;
            connection.write_all(format!("{:x}\r\n", body.len()).as_bytes()).await?;
            connection.write_all(&body).await?;
            connection.write_all(b"\r\n0\r\n\r\n").await?;
            connection.shutdown().await?;
        }
        Fault::EmptyCoding => {
            let framing = "content-encoding: gzip\r\nconnection: close\r\n";
            connection.write_all(head("1.1", framing).as_bytes()).await?;
            connection.shutdown().await?;
        }
        Fault::Drip => {
            connection.write_all(head("1.1", &length(body.len())).as_bytes()).await?;
            for octet in &body {
                connection.write_all(&[*octet]).await?;
                connection.flush().await?;
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
            connection.shutdown().await?;
        }
        Fault::ShortContentLength => {
            connection.write_all(head("1.1", &length(first.len())).as_bytes()).await?;
            connection.write_all(&body).await?;
            connection.shutdown().await?;
        }
        Fault::BrokenChunk | Fault::CloseInChunks => {
            connection.write_all(head("1.1", chunked).as_bytes()).await?;
            connection.write_all(format!("{:x}\r\n", first.len()).as_bytes()).await?;
            connection.write_all(first).await?;
            connection.write_all(b"\r\n").await?;
            if fault == Fault::BrokenChunk {
                connection.write_all(b"no length\r\n").await?;
                connection.write_all(second).await?;
                connection.write_all(b"\r\n0\r\n\r\n").await?;
            }
            connection.shutdown().await?;
        }
        Fault::EndlessBody => {
            connection.write_all(head("1.1", "connection: close\r\n").as_bytes()).await?;
            connection.write_all(&body).await?;
            let comments = "# There is no end to this file.\n".repeat(512);
            endless(connection, comments.as_bytes()).await?;
        }
        Fault::EndlessHeaders => {
            connection.write_all(b"HTTP/1.1 200 OK\r\n").await?;
            let headers = "x-more: There is no end to these headers.\r\n".repeat(64);
            endless(connection, headers.as_bytes()).await?;
        }
        Fault::NoHttp => {
            // The text begins like a status line, so that no crawler reads it as HTTP/0.9. But it has no status.
            connection.write_all(b"HTTP/1.1 nonsense\r\n\r\n").await?;
            connection.shutdown().await?;
        }
        Fault::InformationalFirst => {
            connection.write_all(b"HTTP/1.1 100 Continue\r\n\r\n").await?;
            connection.write_all(b"HTTP/1.1 103 Early Hints\r\nx-hint: none\r\n\r\n").await?;
            connection.write_all(head("1.1", &length(body.len())).as_bytes()).await?;
            connection.write_all(&body).await?;
            connection.shutdown().await?;
        }
        Fault::Http10 => {
            connection.write_all(head("1.0", "").as_bytes()).await?;
            connection.write_all(&body).await?;
            connection.shutdown().await?;
        }
        // `http.rs` sends the gzip bomb, because this answer is well-formed.
        Fault::GzipBomb => {}
    }
    Ok(())
}

/// Sends the same text again and again: the first 4 MiB at once, and the rest slowly. 4 MiB are enough to test a limit.
/// The rest is sent slowly, because a crawler without a limit could fill the memory of the machine.
async fn endless(connection: &mut (impl AsyncWrite + Unpin), octets: &[u8]) -> io::Result<()> {
    let mut sent = 0;
    loop {
        connection.write_all(octets).await?;
        sent += octets.len();
        if sent > 4 << 20 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

fn head(prepared: &Prepared, version: &str, framing: &str, coding: Option<&str>) -> String {
    let status = prepared.status;
    let reason = StatusCode::from_u16(status).ok().and_then(|status| status.canonical_reason());
    let mut head = format!("HTTP/{version} {status} {}\r\n", reason.unwrap_or("Unknown"));
    for (name, value) in &prepared.headers {
        write!(head, "{name}: {value}\r\n").expect("writing to a string cannot fail");
    }
    if let Some(coding) = coding {
        write!(head, "content-encoding: {coding}\r\n").expect("writing to a string cannot fail");
    }
    head + framing + "\r\n"
}

/// Waits until the crawler disconnects.
async fn linger<C: Connection>(connection: &mut C) {
    let mut rest = [0; 512];
    while connection.read(&mut rest).await.is_ok_and(|length| length > 0) {}
}
