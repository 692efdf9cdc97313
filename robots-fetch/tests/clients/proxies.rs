//! Tests proxies: the requests that they receive, and the verdicts if a proxy is unavailable. [`tunnels`] starts a
//! proxy for HTTPS; for HTTP, the test server is the proxy.

use std::io::{self, BufRead as _, BufReader, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use robots_fetch::store::{Memory, Store};
use robots_fetch::{Basis, Builder, ErrorKind};
use rstest::rstest;

use crate::answers::{End, serve_tls};
use crate::{Clock, DAY, blocking_builder, builder, web};

const FILE: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-length: 27\r\n\r\nuser-agent: *\ndisallow: /x\n";

/// The request heads that a proxy received.
pub(crate) type Heads = Arc<Mutex<Vec<String>>>;

/// Starts a proxy that makes tunnels, or refuses CONNECT. Returns its address, and the heads that it receives.
pub(crate) fn tunnels(answer: &'static str) -> (String, Heads) {
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

/// The ways in which a proxy gives no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mute {
    /// It refuses the connection.
    Dead,
    /// The proxy accepts the connection, and keeps silent.
    Silent,
    /// The proxy accepts the connection, reads the request, and closes the connection.
    Closing,
    /// The proxy sends octets that are not an HTTP answer.
    Babbling,
    /// The proxy makes a tunnel, or sends the beginning of a head, and then keeps silent.
    SilentLater,
    /// The proxy makes a tunnel, or sends the beginning of a head, and then closes the connection.
    ClosingLater,
}

/// Starts a proxy that gives no answer, and returns its address.
fn mute(how: Mute, scheme: &str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    if how == Mute::Dead {
        return address;
    }
    let begun = if scheme == "https" { "200 OK\r\n\r\n" } else { "404 Not Found\r\nserver: x\r\n" };
    thread::spawn(move || {
        let mut held = Vec::new();
        for stream in listener.incoming().map_while(Result::ok) {
            let lines = BufReader::new(&stream).lines().map_while(Result::ok);
            lines.take_while(|line| !line.is_empty()).for_each(drop);
            // The client may disconnect at any time.
            let _ = match how {
                Mute::Dead | Mute::Silent | Mute::Closing => Ok(()),
                Mute::Babbling => (&stream).write_all(b"SSH-2.0-OpenSSH_9.2\r\n"),
                Mute::SilentLater | Mute::ClosingLater => {
                    (&stream).write_all(format!("HTTP/1.1 {begun}").as_bytes())
                }
            };
            if matches!(how, Mute::Silent | Mute::SilentLater) {
                held.push(stream);
            }
        }
    });
    address
}

/// If a proxy is unavailable, the state of the site is unknown. So the failure begins no outage, is not stored for
/// other clients, and never allows a URL.
#[rstest]
#[trace]
#[tokio::test]
async fn a_mute_proxy_is_named_and_is_no_outage(
    #[values("http", "https")] scheme: &str,
    #[values(
        Mute::Dead,
        Mute::Silent,
        Mute::Closing,
        Mute::Babbling,
        Mute::SilentLater,
        Mute::ClosingLater
    )]
    how: Mute,
) {
    let address = mute(how, scheme);
    let (clock, store) = (Clock::new(), Memory::of_octets(1 << 20));
    let client = builder().proxy(&format!("http://user:secret@{address}")).clock(clock.read());
    let client = client.store(store.clone()).total_timeout(Duration::from_millis(50));
    let client = client.build().unwrap();
    let url = format!("{scheme}://example.com/x");
    for _ in 0..40 {
        let verdict = client.verdict(&url).await.unwrap();
        assert_eq!((verdict.is_allowed(), verdict.basis()), (false, Basis::Unreachable));
        let text = verdict.to_string();
        assert!(text.contains(&format!("the proxy http://{address}")), "{text}");
        assert!(!text.contains("secret"), "{text}");
        assert_eq!(verdict.record().last.unreachable_since, None, "{text}");
        clock.advance(DAY);
    }
    let stored = Store::get(&store, &format!("{scheme}://example.com")).await.unwrap();
    assert_eq!(stored, None);
}

/// If a proxy refuses the connection, the text of the verdict says that the proxy cannot be reached.
#[tokio::test]
async fn a_dead_proxy_cannot_be_reached() {
    let address = mute(Mute::Dead, "http");
    let client = builder().proxy(&format!("http://{address}")).build().unwrap();
    let text = client.verdict("http://example.com/x").await.unwrap().to_string();
    assert!(text.contains(&format!("the proxy http://{address} cannot be reached")), "{text}");
}

/// Each limit alone ends the wait for a proxy.
#[rstest]
#[trace]
#[case::connect("https", Builder::connect_timeout)]
#[case::answer("http", Builder::answer_timeout)]
#[case::total("http", Builder::total_timeout)]
#[case::total("https", Builder::total_timeout)]
#[tokio::test]
async fn a_proxy_that_keeps_silent_is_not_waited_for(
    #[case] scheme: &str,
    #[case]
    #[notrace]
    limited: fn(Builder, Duration) -> Builder,
) {
    let proxy = format!("http://{}", mute(Mute::Silent, scheme));
    let client = limited(builder().proxy(&proxy), Duration::from_millis(300)).build().unwrap();
    let url = format!("{scheme}://example.com/x");
    let verdict = client.verdict(&url).await.unwrap();
    let last = &verdict.record().last;
    assert_eq!(last.end.failure.as_deref(), Some("timeout"), "{verdict}");
    assert_eq!(last.unreachable_since, None, "{verdict}");
    assert!(verdict.to_string().contains(&format!("the proxy {proxy}")), "{verdict}");
}

/// A 407 to a forwarded request comes from the proxy, and so does every refusal of CONNECT. The verdict names the
/// proxy.
#[rstest]
#[trace]
#[case::forwarded("http", "407 Proxy Authentication Required")]
#[case::tunnel("https", "407 Proxy Authentication Required")]
#[case::tunnel("https", "403 Forbidden")]
#[case::tunnel("https", "502 Bad Gateway")]
#[tokio::test]
async fn a_proxy_that_refuses_is_named(#[case] scheme: &str, #[case] answer: &'static str) {
    let (address, _) = tunnels(answer);
    let client = builder().proxy(&format!("http://user:secret@{address}")).build().unwrap();
    let url = format!("{scheme}://example.com/x");
    let verdict = client.verdict(&url).await.unwrap();
    assert!(!verdict.is_allowed(), "{verdict}");
    let wanted = format!("the proxy http://{address} answered {answer}");
    assert!(verdict.to_string().contains(&wanted), "{verdict}");
    assert!(!verdict.to_string().contains("secret"), "{verdict}");
    assert_eq!(verdict.record().last.unreachable_since, None, "{verdict}");
}

/// A 407 inside a tunnel, or without a proxy, comes from the site. A 407 of the site has the same effect as any other
/// 4xx.
#[tokio::test]
async fn a_407_of_the_site_is_a_4xx() {
    let web = web("main: { robots: 407 }");
    let client = builder().build().unwrap();
    let url = web.expand("{main}/x");
    let verdict = client.verdict(&url).await.unwrap();
    assert_eq!((verdict.is_allowed(), verdict.basis()), (true, Basis::NoFile), "{verdict}");
    let answer = b"HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n";
    let (origin, authority) = serve_tls(answer, End::Close);
    let (address, _) = tunnels("200 OK");
    let client = builder().proxy(&format!("http://{address}"));
    let client = client.trust(authority).trust_no_others().build().unwrap();
    let url = format!("{origin}/x");
    let verdict = client.verdict(&url).await.unwrap();
    assert_eq!((verdict.is_allowed(), verdict.basis()), (true, Basis::NoFile), "{verdict}");
}

/// The head shows that the site answered. So a body that is cut or late is a failure of the site.
#[rstest]
#[trace]
#[case::cut(End::Close)]
#[case::reset(End::Reset)]
#[tokio::test]
async fn a_body_that_is_cut_behind_a_proxy_is_a_failure_of_the_site(#[case] end: End) {
    const CUT: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-length: 27\r\n\r\nuser-agent: *\n";
    let (proxy, authority) = serve_tls(CUT, end);
    let client = builder().proxy(&proxy).trust(authority).trust_no_others().build().unwrap();
    let verdict = client.verdict("http://example.com/x").await.unwrap();
    assert!(!verdict.is_allowed(), "{verdict}");
    assert!(verdict.record().last.unreachable_since.is_some(), "{verdict}");
}

#[rstest]
#[trace]
#[case("nonsense")]
#[case("proxy:3128")]
#[case("ftp://proxy")]
fn a_proxy_that_is_none_makes_no_client(#[case] proxy: &str) {
    assert_eq!(builder().proxy(proxy).build().unwrap_err().kind(), ErrorKind::Proxy);
}
