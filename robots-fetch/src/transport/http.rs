//! Sends one HTTP/1.1 request on a new connection, and makes the tunnel through a proxy.
//!
//! Start at [`exchange`]. The library hyper reads the header and the framing. It reports an error if a body ends too
//! early for its framing, or if a TLS connection is closed without `close_notify`.

use std::error::Error;
use std::future::{Future, poll_fn};
use std::io;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::task::Poll;

use hyper::body::Body;
use hyper::client::conn::http1::Builder;
use hyper::ext::on_informational;
use hyper::http::header::{HOST, HeaderName, HeaderValue, PROXY_AUTHORIZATION};
use hyper::http::{StatusCode, request};
use hyper_util::rt::TokioIo;
use robots_core::fetch::Failure;
use tokio::io::{AsyncRead, AsyncWrite};
use url::{Position, Url};

use super::failed::{Failed, Timeouts, is_local, within};
use super::proxy::Proxy;
use crate::machine::response::HEAD;
use crate::machine::retrieval::{BodyError, Progress, Reading, Request, Response};

/// The maximum number of interim answers (1xx) to one request. A server may send some, for example to show that it still
/// works on the answer.
const INTERIM: u64 = 32;

/// A connection that carries a request.
pub(super) trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<S: AsyncRead + AsyncWrite + Send + Unpin> Stream for S {}

/// A connection on which a request can be sent.
pub(super) struct Connected<'p> {
    pub(super) stream: Box<dyn Stream>,
    /// The proxy that forwards the request, if there is one. Such a proxy receives the request in absolute form. If the
    /// request goes through a tunnel, this is `None`.
    pub(super) forwarder: Option<&'p Proxy>,
}

/// The progress of an answer while it arrives.
#[derive(Clone, Copy)]
pub(super) struct Seen<'s> {
    /// Whether the head of the site's answer has arrived.
    pub(super) has_head: &'s AtomicBool,
    /// The number of octets of bodies that have arrived.
    pub(super) received: &'s AtomicU64,
}

/// Sends a request, and returns the relevant parts of its answer.
pub(super) async fn exchange(
    connected: Connected<'_>,
    request: &Request,
    limit: usize,
    timeouts: Timeouts,
    seen: Seen<'_>,
) -> Result<Response, Failed> {
    let forwarder = connected.forwarder;
    let (message, interim) = message(request, forwarder)?;
    let (mut sender, connection) = builder()
        .handshake::<_, String>(TokioIo::new(connected.stream))
        .await
        .map_err(|error| failed(&error))?;
    let answer = async move {
        let answer = within(timeouts.header, "no answer arrived", sender.send_request(message));
        let (head, mut body) = answer.await?.map_err(|error| failed(&error))?.into_parts();
        if let Some(proxy) = forwarder
            && head.status == StatusCode::PROXY_AUTHENTICATION_REQUIRED
        {
            // The proxy requires credentials from this client, and has not sent the request to the site.
            return Err(refused(proxy, head.status, ""));
        }
        seen.has_head.store(true, Ordering::Relaxed);
        let fields = head.headers.iter().map(|(name, value)| (name.as_str(), value.as_bytes()));
        let mut reading = Reading::new(head.status.as_u16(), fields, limit)?;
        while reading.wants_body() {
            let next = poll_fn(|cx| Pin::new(&mut body).poll_frame(cx));
            let next = within(timeouts.body_idle, "the body stopped", next).await?;
            let Some(frame) = next else { break };
            let frame = frame.map_err(|error| failed_body(&error))?;
            // Trailers are ignored.
            let Ok(chunk) = frame.into_data() else { continue };
            seen.received.fetch_add(chunk.len() as u64, Ordering::Relaxed);
            if reading.push(&chunk)? == Progress::Full {
                break;
            }
        }
        Ok(reading.finish()?)
    };
    driven(connection, &interim, answer).await
}

fn builder() -> Builder {
    let mut builder = Builder::new();
    builder.max_buf_size(HEAD).max_header_size(HEAD);
    builder
}

/// Builds a request: in absolute form for a proxy, otherwise with only path and query.
fn message(request: &Request, forwarder: Option<&Proxy>) -> Result<Message, Failed> {
    let url = request.url();
    let mut message = hyper::Request::get(match forwarder {
        Some(_) => &url[..Position::AfterQuery],
        None => &url[Position::BeforePath..Position::AfterQuery],
    });
    message = message.header(HOST, host(url));
    if let Some(authorization) = forwarder.and_then(|proxy| proxy.authorization.clone()) {
        message = message.header(PROXY_AUTHORIZATION, authorization);
    }
    for (name, value) in request.fields() {
        // A validator comes from a server or a store. If it is not a valid field value, it is not sent.
        if let Ok(value) = HeaderValue::from_bytes(value.as_bytes()) {
            message = message.header(HeaderName::from_static(name), value);
        }
    }
    finished(message)
}

/// A message to send, and the number of interim answers to it.
type Message = (hyper::Request<String>, Arc<AtomicU64>);

fn finished(message: request::Builder) -> Result<Message, Failed> {
    // hyper sends no field for an empty body.
    let mut message = message.body(String::new()).map_err(|error| {
        Failed::new(Failure::InvalidResponse, format!("its URL cannot be sent: {error}"))
    })?;
    let interim = Arc::<AtomicU64>::default();
    let count = Arc::clone(&interim);
    on_informational(&mut message, move |_| {
        count.fetch_add(1, Ordering::Relaxed);
    });
    Ok((message, interim))
}

/// Returns the host, and the port if it is not the scheme's default.
fn host(url: &Url) -> &str {
    &url[Position::BeforeHost..Position::AfterPort]
}

/// Asks a proxy for a connection to the host of a URL (RFC 9110, 9.3.6).
pub(super) async fn tunnel(
    stream: Box<dyn Stream>,
    url: &Url,
    proxy: &Proxy,
) -> Result<Box<dyn Stream>, Failed> {
    let port = url.port_or_known_default().unwrap_or_default();
    let authority = format!("{}:{port}", url.host_str().unwrap_or_default());
    let mut message = hyper::Request::connect(&authority).header(HOST, &authority);
    if let Some(authorization) = proxy.authorization.clone() {
        message = message.header(PROXY_AUTHORIZATION, authorization);
    }
    let (message, interim) = finished(message)?;
    let broken = |error: &hyper::Error| {
        let why = format!("the proxy {proxy} gave no answer: {}", reason(error));
        Failed::of_client(Failure::Connection, why)
    };
    let (mut sender, connection) = builder()
        .handshake::<_, String>(TokioIo::new(stream))
        .await
        .map_err(|error| broken(&error))?;
    let upgraded = async move {
        let answer = sender.send_request(message).await.map_err(|error| broken(&error))?;
        let status = answer.status();
        if !status.is_success() {
            // The status does not show whether the site or the proxy is the cause.
            return Err(refused(proxy, status, " to CONNECT"));
        }
        hyper::upgrade::on(answer).await.map_err(|error| broken(&error))
    };
    let upgraded = driven(connection.with_upgrades(), &interim, upgraded).await?;
    Ok(Box::new(TokioIo::new(upgraded)))
}

/// Makes the failure for a proxy that refuses to send the request to the site.
fn refused(proxy: &Proxy, status: StatusCode, to: &str) -> Failed {
    Failed::of_client(Failure::Connection, format!("the proxy {proxy} answered {status}{to}"))
}

/// Drives a connection in the task that waits for its answer, because one request needs no separate task. Fails if the
/// server sends too many interim answers.
async fn driven<T>(
    connection: impl Future,
    interim: &AtomicU64,
    answer: impl Future<Output = Result<T, Failed>>,
) -> Result<T, Failed> {
    let (mut connection, mut answer) = (pin!(Some(connection)), pin!(answer));
    poll_fn(|cx| {
        // The connection is polled first, because the answer needs what the connection reads. When the connection ends,
        // it is dropped, which wakes the future of the answer.
        if connection.as_mut().as_pin_mut().is_some_and(|driven| driven.poll(cx).is_ready()) {
            connection.set(None);
        }
        if interim.load(Ordering::Relaxed) > INTERIM {
            let why = format!("the server sent more than {INTERIM} interim answers (1xx)");
            return Poll::Ready(Err(Failed::new(Failure::InvalidResponse, why)));
        }
        answer.as_mut().poll(cx)
    })
    .await
}

impl From<BodyError> for Failed {
    fn from(why: BodyError) -> Self {
        Self::new(Failure::InvalidResponse, why.to_string())
    }
}

/// Makes a failure from an error of hyper that occurs before the body.
fn failed(error: &hyper::Error) -> Failed {
    if let Some(cause) = cause_of(error) {
        return Failed::connection(cause);
    }
    let failure = match error {
        _ if error.is_parse() => Failure::InvalidResponse,
        _ => Failure::Connection,
    };
    Failed::new(failure, reason(error))
}

/// Makes a failure from an error of hyper that occurs in the body. If hyper reports an `io::Error` for a body, only its
/// kind shows what is wrong.
fn failed_body(error: &hyper::Error) -> Failed {
    let failure = match cause_of(error) {
        None if error.is_incomplete_message() => Failure::Incomplete,
        None => Failure::Connection,
        Some(cause) if is_of_tls(cause) => Failure::Connection,
        Some(cause) if is_local(cause) => return Failed::connection(cause),
        Some(cause) => match cause.kind() {
            io::ErrorKind::UnexpectedEof => Failure::Incomplete,
            io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData => Failure::Chunking,
            io::ErrorKind::TimedOut => Failure::Timeout,
            _ => Failure::Connection,
        },
    };
    Failed::new(failure, reason(error))
}

fn cause_of(error: &hyper::Error) -> Option<&io::Error> {
    let mut source = error.source();
    while let Some(cause) = source {
        if let Some(io) = cause.downcast_ref() {
            return Some(io);
        }
        source = cause.source();
    }
    None
}

fn is_of_tls(error: &io::Error) -> bool {
    matches!(error.get_ref(), Some(inner) if inner.is::<rustls::Error>())
}

/// Returns the last error in the chain, which describes the cause.
fn reason(error: &hyper::Error) -> String {
    let mut cause: &dyn Error = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    cause.to_string()
}

#[cfg(test)]
mod tests {
    use std::future::pending;
    use std::sync::atomic::AtomicU64;
    use std::time::Duration;

    use robots_core::fetch::Failure;
    use tokio::task::coop::consume_budget;
    use tokio::time::timeout;

    use super::driven;
    use crate::transport::failed::within;

    /// A connection on which octets arrive without end uses up the budget of the task before the limit is polled.
    #[tokio::test]
    async fn a_limit_holds_beside_a_busy_connection() {
        let busy = async {
            loop {
                consume_budget().await;
            }
        };
        let limited = within(Duration::from_millis(50), "no answer arrived", pending::<()>());
        let interim = AtomicU64::new(0);
        let driven = driven::<()>(busy, &interim, limited);
        let late = timeout(Duration::from_secs(10), driven).await.expect("the limit holds");
        assert_eq!(late.unwrap_err().failure, Failure::Timeout);
    }
}
