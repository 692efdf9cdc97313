//! Tests proxies: the requests that they receive, and the verdicts if a proxy is unavailable. [`tunnels`] starts a
//! proxy for HTTPS; for HTTP, the test server is the proxy.

use std::io::{self, BufRead as _, BufReader, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use robots_fetch::{Basis, ErrorKind};
use rstest::rstest;

use crate::answers::{End, serve_tls};
use crate::{Clock, DAY, blocking_builder, builder, web};

const FILE: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-length: 27\r\n\r\nuser-agent: *\ndisallow: /x\n";

/// The request heads that a proxy received.
type Heads = Arc<Mutex<Vec<String>>>;

/// Starts a proxy that makes tunnels, or refuses CONNECT. Returns its address.
fn tunnels(answer: &'static str) -> (String, Heads) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let (address, heads) = (listener.local_addr().unwrap().to_string(), Heads::default());
    let noted = Arc::clone(&heads);
    thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let noted = Arc::clone(&noted);
            thread::spawn(move || tunnel(&stream, answer, &noted));
        }
    });
    (address, heads)
}

fn tunnel(stream: &TcpStream, answer: &str, heads: &Heads) -> io::Result<()> {
    let lines = BufReader::new(stream).lines().map_while(Result::ok);
    let head: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
    heads.lock().unwrap().push(head.join("\n"));
    let mut client = stream;
    write!(client, "HTTP/1.1 {answer}\r\n\r\n")?;
    if !answer.starts_with('2') {
        return Ok(());
    }
    let target = head[0].split(' ').nth(1).unwrap_or_default();
    let server = TcpStream::connect(target)?;
    let back = (server.try_clone()?, stream.try_clone()?);
    thread::spawn(move || {
        let (mut from, mut to) = back;
        let _ = io::copy(&mut from, &mut to);
        to.shutdown(Shutdown::Write)
    });
    io::copy(&mut client, &mut &server)?;
    server.shutdown(Shutdown::Write)
}

#[tokio::test]
async fn https_goes_through_a_tunnel() {
    let (origin, authority) = serve_tls(FILE, End::Close);
    let (address, heads) = tunnels("200 Connection established");
    let proxy = format!("http://us%20er:p%40ss@{address}");
    let url = format!("{origin}/x");
    let client = builder().proxy(&proxy).trust(&*authority).trust_no_others().build().unwrap();
    let verdict = client.verdict(&url).await.unwrap();
    assert_eq!((verdict.is_allowed(), verdict.basis()), (false, Basis::Rules), "{verdict}");
    let blocked = tokio::task::spawn_blocking(move || {
        let client = blocking_builder().proxy(&proxy).trust(authority).trust_no_others();
        client.build().unwrap().verdict(&url).unwrap().basis()
    });
    assert_eq!(blocked.await.unwrap(), Basis::Rules);
    let host = origin.strip_prefix("https://").unwrap();
    // The credentials are `us er:p@ss`. The head contains no field of the request to the origin.
    let head = format!(
        "CONNECT {host} HTTP/1.1\nhost: {host}\nproxy-authorization: Basic dXMgZXI6cEBzcw=="
    );
    assert_eq!(*heads.lock().unwrap(), [head.clone(), head]);
}

#[tokio::test]
async fn http_is_forwarded_in_absolute_form() {
    let web = web("main: { otherwise: \"user-agent: *\\ndisallow: /x\\n\" }");
    let address = web.url("main").unwrap().strip_prefix("http://").unwrap();
    let client = builder().proxy(&format!("http://user:secret@{address}")).build().unwrap();
    client.verdict("http://example.com:8080/x").await.unwrap();
    let log = web.log();
    assert_eq!((log.len(), log[0].header("host")), (1, Some("example.com:8080")));
    assert_eq!(log[0].header("proxy-authorization"), Some("Basic dXNlcjpzZWNyZXQ="));
    assert!(log[0].target.ends_with("/robots.txt"), "{:?}", log[0]);
}

#[tokio::test]
async fn a_proxy_may_speak_tls() {
    let (proxy, authority) = serve_tls(FILE, End::Close);
    let client = builder().proxy(&proxy).trust(authority).trust_no_others().build().unwrap();
    let verdict = client.verdict("http://example.com/x").await.unwrap();
    assert_eq!((verdict.is_allowed(), verdict.basis()), (false, Basis::Rules), "{verdict}");
}

/// If a proxy is unavailable, the state of the site is unknown. So this does not begin an outage, and no URL is ever
/// allowed because of it.
#[rstest]
#[trace]
#[tokio::test]
async fn a_dead_proxy_is_named_and_is_no_outage(#[values("http", "https")] scheme: &str) {
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let clock = Clock::new();
    let client = builder().proxy(&format!("http://user:secret@{address}")).clock(clock.read());
    let client = client.build().unwrap();
    let url = format!("{scheme}://example.com/x");
    for _ in 0..40 {
        let verdict = client.verdict(&url).await.unwrap();
        assert_eq!((verdict.is_allowed(), verdict.basis()), (false, Basis::Unreachable));
        let text = verdict.to_string();
        assert!(text.contains(&format!("the proxy http://{address} cannot be reached")), "{text}");
        assert_eq!(verdict.record().last.unreachable_since, None);
        clock.advance(DAY);
    }
}

#[rstest]
#[trace]
#[case("407 Proxy Authentication Required", false)]
#[case("502 Bad Gateway", true)]
#[tokio::test]
async fn a_proxy_that_makes_no_tunnel_is_named(#[case] answer: &'static str, #[case] site: bool) {
    let (address, _) = tunnels(answer);
    let client = builder().proxy(&format!("http://{address}")).build().unwrap();
    let verdict = client.verdict("https://example.com/x").await.unwrap();
    assert!(!verdict.is_allowed());
    let wanted = format!("the proxy http://{address} answered {answer} to CONNECT");
    assert!(verdict.to_string().contains(&wanted), "{verdict}");
    assert_eq!(verdict.record().last.unreachable_since.is_some(), site);
}

/// If a proxy accepts connections but never answers, the request times out, as with any server.
#[tokio::test]
async fn a_proxy_that_keeps_silent_is_not_waited_for() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let proxy = format!("http://{}", listener.local_addr().unwrap());
    let limit = Duration::from_millis(300);
    let client = builder().proxy(&proxy).total_timeout(limit).build().unwrap();
    for url in ["http://example.com/x", "https://example.com/x"] {
        let verdict = client.verdict(url).await.unwrap();
        assert_eq!(verdict.record().last.end.failure.as_deref(), Some("timeout"), "{verdict}");
    }
}

#[rstest]
#[trace]
#[case("nonsense")]
#[case("proxy:3128")]
#[case("ftp://proxy")]
fn a_proxy_that_is_none_makes_no_client(#[case] proxy: &str) {
    assert_eq!(builder().proxy(proxy).build().unwrap_err().kind(), ErrorKind::Proxy);
}
