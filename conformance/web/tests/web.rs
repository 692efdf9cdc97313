//! Tests the server itself: its answers, its faults, and its access log.
//!
//! An HTTP client reads correct answers, and [`raw`] reads the octets of faulty answers. `namespace.rs` tests the
//! server in a network namespace.

use std::fs;
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use robots_test_web::{Net, Sites, StartError, Web};
use rstest::rstest;
use ureq::tls::{Certificate, RootCerts, TlsConfig};

fn start(sites: &str) -> Web {
    Web::start(&Sites::from_yaml(sites).unwrap()).unwrap()
}

fn agent(web: &Web) -> ureq::Agent {
    let pem = fs::read(web.authority_file()).unwrap();
    let trusted = RootCerts::new_with_certs(&[Certificate::from_pem(&pem).unwrap()]);
    let config = ureq::Agent::config_builder()
        .max_redirects(0)
        .http_status_as_error(false)
        .tls_config(TlsConfig::builder().root_certs(trusted).build());
    config.build().new_agent()
}

/// Returns the octets that a connection receives, up to about 1 MiB, and the error with which it ends, if any.
fn raw(web: &Web, request: &str) -> (Vec<u8>, Result<(), ErrorKind>) {
    let address = web.url("main").unwrap().split_once("//").unwrap().1;
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut octets = Vec::new();
    let mut piece = [0; 4096];
    let end = loop {
        match stream.read(&mut piece) {
            Ok(0) => break Ok(()),
            Ok(length) => octets.extend_from_slice(&piece[..length]),
            Err(error) => break Err(error.kind()),
        }
        if octets.len() > 1 << 20 {
            break Ok(());
        }
    };
    (octets, end)
}

const REQUEST: &str = "GET /robots.txt HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";

#[test]
fn pages_headers_and_the_log() {
    let web = start(
        "main: { robots: { text: 'user-agent: *', headers: { cache-control: max-age=60 } }, \
                 pages: { '/a?b=%7e': { links: ['{other}/x'] }, /gone: { location: '{other}/y' } } }\n\
         other: { otherwise: found }",
    );
    let agent = agent(&web);
    let mut robots = agent.get(web.expand("{main}/robots.txt")).call().unwrap();
    assert_eq!(robots.headers()["cache-control"], "max-age=60");
    assert_eq!(robots.headers()["content-type"], "text/plain; charset=utf-8");
    assert_eq!(robots.body_mut().read_to_string().unwrap(), "user-agent: *");
    let mut page = agent.get(web.expand("{main}/a?b=~")).header("x-y", "z").call().unwrap();
    let page = page.body_mut().read_to_string().unwrap();
    assert!(page.contains(&format!("href=\"{}/x\"", web.url("other").unwrap())), "{page}");
    let gone = agent.get(web.expand("{main}/gone")).call().unwrap();
    assert_eq!(gone.status(), 301);
    assert_eq!(gone.headers()["location"], web.expand("{other}/y"));
    assert_eq!(agent.get(web.expand("{main}/nowhere")).call().unwrap().status(), 404);
    assert_eq!(agent.get(web.expand("{other}/any")).call().unwrap().status(), 200);

    let log = web.log();
    let lines: Vec<_> = log.iter().map(|entry| (&*entry.origin, &*entry.target)).collect();
    let expected = [
        ("main", "/robots.txt"),
        ("main", "/a?b=~"),
        ("main", "/gone"),
        ("main", "/nowhere"),
        ("other", "/any"),
    ];
    assert_eq!(lines, expected);
    assert_eq!(log[1].header("x-y"), Some("z"));
    assert_eq!(log[1].method, "GET");
    assert!(log.iter().is_sorted_by_key(|entry| entry.at));
    assert!(
        log.iter().all(|entry| entry.answer.as_ref().is_some_and(|answer| answer.at >= entry.at))
    );
    let written = serde_json::to_string(&log).unwrap();
    assert_eq!(serde_json::from_str::<Vec<robots_test_web::LogEntry>>(&written).unwrap(), log);
}

#[test]
fn each_host_has_an_address_and_each_origin_a_port() {
    let web = start(
        "a: {}\nb: {}\nport: { host: a }\nsame-port: { port: a }\nsecure: { scheme: https, host: a, port: a }\n\
         name: { name: localhost }",
    );
    let authority = |name| web.url(name).unwrap().split_once("//").unwrap().1;
    let host = |name| authority(name).rsplit_once(':').unwrap().0;
    let port = |name| authority(name).rsplit_once(':').unwrap().1;
    assert_ne!(host("a"), host("b"));
    assert_eq!(host("a"), host("port"));
    assert_ne!(port("a"), port("port"));
    assert_ne!(host("a"), host("same-port"));
    assert_eq!(port("a"), port("same-port"));
    assert_eq!(authority("a"), authority("secure"));
    assert!(web.url("secure").unwrap().starts_with("https://"));
    assert_eq!(host("name"), "localhost");
    for origin in ["a", "secure", "name"] {
        let url = web.expand(&format!("{{{origin}}}/"));
        assert_eq!(agent(&web).get(url).call().unwrap().status(), 404, "{origin}");
    }
    let origins: Vec<_> = web.log().into_iter().map(|entry| entry.origin).collect();
    assert_eq!(origins, ["a", "secure", "name"]);
}

#[test]
fn what_is_not_possible_is_said() {
    let start = |sites, net| Web::start_in(&Sites::from_yaml(sites).unwrap(), net).err();
    let two_hosts = "a: {}\nb: { port: a }";
    assert!(matches!(start(two_hosts, Net::Ports), Some(StartError::NotHere(_))));
    assert!(start("a: {}\nb: {}\nc: { host: a }", Net::Ports).is_none());
    let named = "a: { name: www.example.com }";
    assert!(matches!(start(named, Net::Loopback), Some(StartError::NotHere(_))));
    assert!(matches!(start("a: { host: b }", Net::Loopback), Some(StartError::Sites(_))));
    assert!(matches!(
        start("a: { host: b }\nb: { host: a }", Net::Loopback),
        Some(StartError::Sites(_))
    ));
}

#[rstest]
#[trace]
#[case("a: { pages: { /: { text: x, links: [y] } } }", "keep one")]
#[case("a: { robots: 99 }", "from 200 to 999")]
#[case("a: { robots: [] }", "at least one")]
#[case("a: { robot: x }", "unknown field `robot`")]
#[case("a: { robots: { fault: explode } }", "unknown variant `explode`")]
fn mistakes_are_reported(#[case] sites: &str, #[case] message: &str) {
    let error = Sites::from_yaml(sites).unwrap_err().to_string();
    assert!(error.contains(message), "{error}");
}

#[test]
fn sites_are_written_as_they_are_read() {
    let text =
        "main:\n  robots:\n  - status: 503\n  - text: x\n    coding: gzip\n    coded: when-asked\n";
    let sites = Sites::from_yaml(text).unwrap();
    let written = serde_json::to_string(&sites).unwrap();
    assert_eq!(Sites::from_yaml(&written).unwrap(), sites);
}

#[rstest]
#[trace]
#[case("close", "", Ok(()))]
#[case("close-in-body", "content-length: 10\r\n|01234", Ok(()))]
#[case("reset", "", Err(ErrorKind::ConnectionReset))]
#[case("reset-in-body", "content-length: 10\r\n|01234", Err(ErrorKind::ConnectionReset))]
#[case("drip", "content-length: 10\r\n|0123456789", Ok(()))]
#[case("short-content-length", "content-length: 5\r\n|0123456789", Ok(()))]
#[case("broken-chunk", "transfer-encoding: chunked\r\n|5\r\n01234\r\nno length\r\n", Ok(()))]
#[case("close-in-chunks", "transfer-encoding: chunked\r\n|5\r\n01234\r\n", Ok(()))]
#[case("no-http", "HTTP/1.1 nonsense", Ok(()))]
#[case("informational-first", "100 Continue\r\n\r\nHTTP/1.1 103 |HTTP/1.1 200 OK\r\n|0123456789", Ok(()))]
#[case("reset-without-length", "close\r\n\r\n01234", Err(ErrorKind::ConnectionReset))]
#[case("cut-without-length", "close\r\n\r\n01234", Ok(()))]
#[case("unknown-transfer-coding", "transfer-encoding: gzip, chunked\r\n|a\r\n0123456789\r\n0\r\n", Ok(()))]
#[case("empty-coding", "content-encoding: gzip\r\nconnection: close\r\n\r\n", Ok(()))]
#[case("http-1.0", "HTTP/1.0 200 OK\r\n|0123456789", Ok(()))]
#[case("endless-body", "0123456789# There is no end", Ok(()))]
#[case("endless-headers", "HTTP/1.1 200 OK\r\nx-more: There is no end", Ok(()))]
fn faults(#[case] fault: &str, #[case] shown: &str, #[case] end: Result<(), ErrorKind>) {
    let web = start(&format!("main: {{ robots: {{ text: '0123456789', fault: {fault} }} }}"));
    let (octets, ended) = raw(&web, REQUEST);
    let text = String::from_utf8(octets).unwrap();
    for part in shown.split('|') {
        assert!(text.contains(part), "{part:?} is not in {:?}", text.get(..300).unwrap_or(&text));
    }
    if shown.is_empty() {
        assert_eq!(text, "");
    }
    assert_eq!(ended, end);
    let log = web.log();
    assert_eq!(log.len(), 1);
    assert!(!log[0].answer.as_ref().unwrap().what.starts_with("answered 2"));
}

/// A server must not send interim responses to a client of HTTP/1.0 (RFC 9110, 15.2).
#[test]
fn a_client_of_http_1_0_gets_no_interim_response() {
    let web = start("main: { robots: { text: '0123456789', fault: informational-first } }");
    let (octets, ended) = raw(&web, "GET /robots.txt HTTP/1.0\r\nhost: x\r\n\r\n");
    let text = String::from_utf8(octets).unwrap();
    assert!(text.starts_with("HTTP/1.0 200 OK\r\n") && text.ends_with("0123456789"), "{text}");
    assert_eq!(ended, Ok(()));
    assert_eq!(web.log()[0].answer.as_ref().unwrap().what, "answered 200");
}

#[rstest]
#[trace]
#[case("hang", "")]
#[case("hang-in-body", "01234")]
fn hangs_last(#[case] fault: &str, #[case] shown: &str) {
    let web = start(&format!("main: {{ robots: {{ text: '0123456789', fault: {fault} }} }}"));
    let address = web.url("main").unwrap().split_once("//").unwrap().1;
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_millis(300))).unwrap();
    stream.write_all(REQUEST.as_bytes()).unwrap();
    let mut octets = Vec::new();
    let error = stream.read_to_end(&mut octets).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut), "{error}");
    assert!(String::from_utf8(octets).unwrap().ends_with(shown));
    // A server stops even if a connection is open.
    drop(web);
    assert!(matches!(stream.read(&mut [0]), Ok(0) | Err(_)));
}

#[test]
fn refused_connections() {
    let web = start("main: { refuses: true }");
    let address = web.url("main").unwrap().split_once("//").unwrap().1;
    assert_eq!(TcpStream::connect(address).unwrap_err().kind(), ErrorKind::ConnectionRefused);
}

#[test]
fn codings_when_asked_and_always() {
    let web = start(
        "main: { pages: { /asked: { text: plain, coding: br, coded: when-asked }, \
                          /always: { text: plain, coding: gzip }, \
                          /bomb: { text: 'user-agent: *', fault: gzip-bomb } } }",
    );
    let get = |path: &str, accept: &str| {
        let (octets, _) = raw(
            &web,
            &format!(
                "GET {path} HTTP/1.1\r\nhost: x\r\naccept-encoding: {accept}\r\nconnection: close\r\n\r\n"
            ),
        );
        String::from_utf8_lossy(&octets).into_owned()
    };
    assert!(get("/asked", "gzip").ends_with("\r\n\r\nplain"));
    assert!(get("/asked", "gzip, br").contains("content-encoding: br\r\n"));
    assert!(get("/always", "identity").contains("content-encoding: gzip\r\n"));
    assert!(get("/bomb", "gzip").len() < 1 << 19);
}

#[rstest]
#[trace]
#[case("trusted", true)]
#[case("wrong-name", false)]
#[case("unknown-issuer", false)]
fn certificates(#[case] certificate: &str, #[case] trusted: bool) {
    let web =
        start(&format!("main: {{ scheme: https, certificate: {certificate}, otherwise: yes }}"));
    let answer = agent(&web).get(web.url("main").unwrap()).call();
    assert_eq!(answer.is_ok(), trusted, "{answer:?}");
    assert_eq!(web.log().len(), usize::from(trusted));
}

#[test]
fn ftp_serves_files_to_anonymous() {
    let web = start("main: { scheme: ftp, robots: 'user-agent: *' }");
    let address = web.url("main").unwrap().strip_prefix("ftp://").unwrap();
    let mut control = TcpStream::connect(address).unwrap();
    let mut say = |command: &str| {
        control.write_all(command.as_bytes()).unwrap();
        let mut reply = Vec::new();
        let mut octet = [0];
        while !reply.ends_with(b"\r\n") && control.read(&mut octet).unwrap() > 0 {
            reply.push(octet[0]);
        }
        String::from_utf8(reply).unwrap()
    };
    assert!(say("").starts_with("220"));
    assert!(say("USER anonymous\r\n").starts_with("331"));
    assert!(say("PASS x\r\n").starts_with("230"));
    assert!(say("RETR /robots.txt\r\n").starts_with("425"));
    let passive = say("EPSV\r\n");
    let port = passive.split('|').nth(3).unwrap();
    let host = address.rsplit_once(':').unwrap().0;
    let mut data = TcpStream::connect(format!("{host}:{port}")).unwrap();
    assert!(say("RETR robots.txt\r\n").starts_with("150"));
    let mut file = String::new();
    data.read_to_string(&mut file).unwrap();
    assert_eq!(file, "user-agent: *");
    assert!(say("").starts_with("226"));
    assert!(say("RETR /no\r\n").starts_with("550"));
    assert!(say("QUIT\r\n").starts_with("221"));
    let log = web.log();
    assert_eq!((&*log[1].method, &*log[1].target), ("RETR", "/robots.txt"));
}
