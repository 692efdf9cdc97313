//! Serves correct HTTP/1.1 over TCP or TLS, with hyper.
//!
//! Start at [`serve`]. If the answer to a request has a fault that hyper cannot send, the connection passes to `raw`,
//! which writes the answer.

use std::convert::Infallible;
use std::future::{Future, pending};
use std::pin::Pin;
use std::sync::Arc;

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::header::{CONTENT_ENCODING, HOST, HeaderMap, HeaderName, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode, Version};
use hyper_util::rt::TokioIo;
use tokio::sync::mpsc;

use super::answer::Prepared;
use super::raw::{self, Connection};
use super::served::Visit;
use crate::response::Fault;
use crate::sites::Scheme;

type Answering = Pin<Box<dyn Future<Output = Result<Response<Full<Bytes>>, Infallible>> + Send>>;

/// An answer with a fault that correct HTTP cannot express, and the codings that its request accepts.
struct Faulty {
    prepared: Arc<Prepared>,
    accepted: String,
}

pub(super) async fn serve<C: Connection>(visit: Visit, scheme: Scheme, connection: C) {
    let (faults, mut handed_over) = mpsc::channel(1);
    let service = service_fn(move |request: Request<Incoming>| -> Answering {
        Box::pin(answer(visit.clone(), scheme, request, faults.clone()))
    });
    let mut builder = http1::Builder::new();
    // If a crawler closes its side of the connection, it no longer waits for answers. So the server ends the connection
    // too.
    builder.half_close(false);
    let mut serving = builder.serve_connection(TokioIo::new(connection), service);
    let fault = tokio::select! {
        // An error is caused by the crawler: it disconnected, or did not send HTTP.
        _ = &mut serving => return,
        fault = handed_over.recv() => fault,
    };
    if let Some(Faulty { prepared, accepted }) = fault {
        let connection = serving.into_parts().io.into_inner();
        raw::answer(connection, &prepared, &accepted).await;
    }
}

async fn answer(
    visit: Visit,
    scheme: Scheme,
    request: Request<Incoming>,
    faults: mpsc::Sender<Faulty>,
) -> Result<Response<Full<Bytes>>, Infallible> {
    let headers = request.headers();
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    let Some(origin) = visit.origin(scheme, host) else { pending().await };
    let target = request.uri().to_string();
    let place = visit.log.request(
        &origin.name,
        visit.connection,
        request.method().as_str(),
        &target,
        texts(headers),
    );
    let asked = request.uri().path_and_query().map_or("", |asked| asked.as_str());
    let prepared = origin.answer(asked, request.method() == Method::HEAD);
    let accepted = headers.get("accept-encoding").and_then(|value| value.to_str().ok());
    let accepted = accepted.unwrap_or_default().to_owned();
    if !prepared.delay.is_zero() {
        tokio::time::sleep(prepared.delay).await;
    }
    // A server sends no interim responses to a client of HTTP/1.0 (RFC 9110, 15.2).
    let is_old = request.version() == Version::HTTP_10;
    if is_old && prepared.fault == Some(Fault::InformationalFirst) {
        visit.log.answer(place, format!("answered {}", prepared.status), prepared.location());
        return Ok(response(&prepared, &accepted));
    }
    visit.log.answer(place, prepared.what(), prepared.location());
    match prepared.fault {
        None | Some(Fault::GzipBomb) => Ok(response(&prepared, &accepted)),
        Some(_) => {
            // Sending fails if the connection has already ended.
            let _ = faults.send(Faulty { prepared, accepted }).await;
            pending().await
        }
    }
}

fn response(prepared: &Prepared, accepted: &str) -> Response<Full<Bytes>> {
    let (body, coding) = prepared.body(accepted);
    let mut response = Response::new(Full::new(body));
    *response.status_mut() = StatusCode::from_u16(prepared.status).unwrap_or_default();
    let headers = response.headers_mut();
    for (name, value) in &prepared.headers {
        let name = HeaderName::from_bytes(name.as_bytes());
        let value = HeaderValue::from_bytes(value.as_bytes());
        if let (Ok(name), Ok(value)) = (name, value) {
            headers.append(name, value);
        }
    }
    if let Some(coding) = coding {
        headers.insert(CONTENT_ENCODING, HeaderValue::from_static(coding));
    }
    response
}

fn texts(headers: &HeaderMap) -> Vec<(String, String)> {
    let text = |value: &HeaderValue| value.as_bytes().escape_ascii().to_string();
    headers.iter().map(|(name, value)| (name.to_string(), text(value))).collect()
}
