//! Tests answers that are broken or misleading. The test servers send exact octets, because an HTTP library could not
//! send such answers.
//!
//! Start at [`serve`]. Each answer is sent to the async and to the blocking client ([`asked`]). No broken answer may
//! allow a URL.

use std::io::{self, BufRead as _, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use robots_fetch::Verdict;
use rstest::rstest;
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use socket2::SockRef;

use crate::{blocking_builder, builder};

/// The way in which the server ends the connection after it has sent its octets.
#[derive(Clone, Copy, Debug)]
pub(crate) enum End {
    Close,
    Reset,
}

/// Starts a server that answers every connection with these octets and then ends the connection. Returns the origin of
/// the server.
fn serve(octets: impl Into<Vec<u8>>, end: End) -> String {
    let octets = octets.into();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let origin = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        for mut stream in listener.incoming().map_while(Result::ok) {
            // The client may disconnect at any time.
            let _ = answer(&mut stream, &octets);
            close(&stream, end);
        }
    });
    origin
}

/// Returns a TLS configuration for 127.0.0.1, and its certificate.
pub(crate) fn tls() -> (Arc<ServerConfig>, String) {
    let key = rcgen::KeyPair::generate().unwrap();
    let params = rcgen::CertificateParams::new(["127.0.0.1".to_owned()]).unwrap();
    let certificate = params.self_signed(&key).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate.der().clone()], key.into())
        .unwrap();
    (Arc::new(config), certificate.pem())
}

/// Starts a server as [`serve`] does, but over TLS, and without the `close_notify` that properly ends a TLS connection.
/// Also returns the certificate.
pub(crate) fn serve_tls(octets: &'static [u8], end: End) -> (String, String) {
    let (config, certificate) = tls();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let origin = format!("https://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let connection = ServerConnection::new(Arc::clone(&config)).unwrap();
            let mut stream = StreamOwned::new(connection, stream);
            let _ = answer(&mut stream, octets);
            close(&stream.sock, end);
        }
    });
    (origin, certificate)
}

fn answer(stream: &mut (impl Read + Write), octets: &[u8]) -> io::Result<()> {
    let lines = BufReader::new(&mut *stream).lines().map_while(Result::ok);
    lines.take_while(|line| !line.is_empty()).for_each(drop);
    stream.write_all(octets)?;
    stream.flush()
}

fn close(stream: &TcpStream, end: End) {
    if matches!(end, End::Reset) {
        // Wait until the octets have arrived, because a reset may overtake them.
        thread::sleep(Duration::from_millis(50));
        SockRef::from(stream).set_linger(Some(Duration::ZERO)).unwrap();
    }
}

/// Asks the async and the blocking client, and checks each verdict.
async fn asked(origin: &str, look: fn(&Verdict<'_>)) {
    asked_trusting(origin, None, look).await;
}

async fn asked_trusting(origin: &str, authority: Option<&str>, look: fn(&Verdict<'_>)) {
    let url = format!("{origin}/x");
    let mut client = builder();
    if let Some(authority) = authority {
        client = client.trust(authority).trust_no_others();
    }
    look(&client.build().unwrap().verdict(&url).await.unwrap());
    let authority = authority.map(str::to_owned);
    let blocked = tokio::task::spawn_blocking(move || {
        let mut client = blocking_builder();
        if let Some(authority) = authority {
            client = client.trust(authority).trust_no_others();
        }
        look(&client.build().unwrap().verdict(&url).unwrap());
    });
    blocked.await.unwrap();
}

/// The first part of an answer. The whole file would forbid `/x`, but this part alone allows everything.
const CUT: &str = "HTTP/1.1 200 OK\r\n\r\nuser-agent: *\n";
const WHOLE: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-length: 27\r\n\r\nuser-agent: *\ndisallow: /x\n";

/// A body without a length ends when the connection is closed. A reset is not a valid end.
#[tokio::test]
async fn a_reset_is_not_the_end_of_a_file() {
    asked(&serve(CUT, End::Reset), is_a_failure).await;
    // A clean close is a valid end, so this is the whole file.
    asked(&serve(CUT, End::Close), |verdict| assert!(verdict.is_allowed(), "{verdict}")).await;
}

/// If `close_notify` is missing, anybody between client and server could have ended the connection.
#[rstest]
#[trace]
#[tokio::test]
async fn a_tls_connection_that_is_cut_is_not_the_end_of_a_file(
    #[values(End::Close, End::Reset)] end: End,
) {
    let (origin, authority) = serve_tls(CUT.as_bytes(), end);
    asked_trusting(&origin, Some(&authority), is_a_failure).await;
    // With a length, the client knows that the file is complete.
    let (origin, authority) = serve_tls(WHOLE, End::Close);
    asked_trusting(&origin, Some(&authority), |verdict| {
        assert!(!verdict.is_allowed() && verdict.evidence().is_some(), "{verdict}");
    })
    .await;
}

#[rstest]
#[trace]
#[case::in_the_head("HTTP/1.1 404 Not Found\r\ncontent-len")]
#[case::in_a_length("HTTP/1.1 200 OK\r\ncontent-length: 27\r\n\r\nuser-agent: *\n")]
#[case::in_a_chunk("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1b\r\nuser-agent: *\n")]
#[case::between_chunks(
    "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\ne\r\nuser-agent: *\n\r\n"
)]
#[tokio::test]
async fn half_an_answer_is_a_failure(
    #[case] octets: &str,
    #[values(End::Close, End::Reset)] end: End,
) {
    asked(&serve(octets, end), is_a_failure).await;
}

fn is_a_failure(verdict: &Verdict<'_>) {
    assert!(!verdict.is_allowed(), "{verdict}");
    assert_eq!(verdict.record().last.end.status, None, "{verdict}");
}

/// A client could read the body of an answer with invalid framing as a file without rules, or the answer as a missing
/// file. But the client does not know where the body ends or what the body means, so it must treat the answer as a
/// failure.
#[rstest]
#[trace]
#[tokio::test]
async fn an_answer_with_an_unknown_transfer_coding_is_a_failure(
    #[values("200 OK", "404 Not Found")] status: &str,
    #[values(
        "Transfer-Encoding: gzip, chunked",
        "Transfer-Encoding: gzip",
        "Transfer-Encoding: xchunked",
        "Transfer-Encoding: chunked, chunked",
        "Transfer-Encoding: identity",
        "Transfer-Encoding:",
        "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: gzip",
        "Transfer-Encoding: chunked\r\nContent-Length: 10",
        "Content-Length: 10\r\nTransfer-Encoding: chunked",
        "Content-Length: 10\r\nContent-Length: 15"
    )]
    fields: &str,
) {
    let octets = format!("HTTP/1.1 {status}\r\n{fields}\r\n\r\n5\r\nabcde\r\n0\r\n\r\n");
    asked(&serve(octets, End::Close), is_a_failure).await;
}

/// HTTP/1.0 has no transfer codings (RFC 9112, 6.1).
#[tokio::test]
async fn a_transfer_coding_of_http_1_0_is_a_failure() {
    let head = "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    let octets = format!("{head}5\r\nabcde\r\n0\r\n\r\n");
    asked(&serve(octets, End::Close), is_a_failure).await;
}

#[tokio::test]
async fn a_single_chunked_is_read() {
    let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n";
    let file = "1b\r\nuser-agent: *\ndisallow: /x\n\r\n0\r\n\r\n";
    asked(&serve(format!("{head}{file}"), End::Close), |verdict| {
        assert!(!verdict.is_allowed() && verdict.evidence().is_some(), "{verdict}");
    })
    .await;
}

/// An empty body is not valid gzip. If the answer does not state that the body is empty, the connection was probably
/// cut, which is a failure.
#[rstest]
#[trace]
#[case::cut("200 OK", "", "", false)]
#[case::a_length("200 OK", "content-length: 0\r\n", "", true)]
#[case::chunks("200 OK", "transfer-encoding: chunked\r\n", "0\r\n\r\n", true)]
#[case::no_content("204 No Content", "", "", true)]
#[tokio::test]
async fn an_empty_coded_body_is_cut(
    #[case] status: &str,
    #[case] fields: &str,
    #[case] body: &str,
    #[case] is_file: bool,
    #[values("gzip", "br", "zstd")] coding: &str,
) {
    let head = format!("HTTP/1.1 {status}\r\ncontent-encoding: {coding}\r\n{fields}\r\n");
    let look = if is_file {
        |verdict: &Verdict<'_>| assert!(verdict.is_allowed(), "{verdict}")
    } else {
        is_a_failure
    };
    asked(&serve(format!("{head}{body}"), End::Close), look).await;
}
