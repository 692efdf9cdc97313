//! Tests answers that end or change at every octet.
//!
//! Each of 27 answers is sent many times. The connection ends after each octet, by a reset or by a clean close, and
//! each octet that the protocol protects is changed. The verdict must be the verdict of the whole answer, or a verdict
//! that the site cannot be reached. No other verdict is permitted. Faults that no client can notice are omitted, for
//! example a clean close in a plain body without a length, or a changed octet of a plain body.
//!
//! For every fault, a client that waits until its time limit would give a permitted verdict too. So a cut must never
//! lead to a time-out, and at most half of the changes to an answer may lead to a time-out.

use std::io::{self, BufRead as _, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::ops::Range;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use robots_fetch::robots_core::fetch::Failure;
use robots_fetch::{Basis, Verdict};
use rstest::rstest;
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use socket2::SockRef;

use crate::answers::{End, tls};
use crate::proxies::tunnels;
use crate::{Clock, DAY, blocking_builder, builder};

/// The fault that the server applies to its octets.
#[derive(Clone, Copy, Debug)]
enum Fault {
    Nothing,
    /// The connection ends after this number of octets.
    Cut(usize, End),
    /// In the octet at this offset, these bits are changed.
    Changed(usize, u8),
}

/// The connection that has the fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum On {
    /// The connection of the request: with FTP, the control connection.
    Control,
    /// The data connection of FTP. After a cut, the control connection ends too.
    Data,
    /// The data connection of FTP. After a cut, the server still reports that it sent the file.
    DataOnly,
}

impl On {
    fn is_control(self) -> bool {
        self == Self::Control
    }
}

/// The way of a request from a client to the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Direct,
    /// The server is a proxy that forwards requests for another origin, so each fault is between client and proxy.
    Forwarded,
    /// A proxy makes a tunnel to the server. When one of its two connections ends, the proxy closes the other one.
    Tunnel,
}

/// The octets that a server sends.
#[derive(Clone)]
enum Answer {
    Http(Vec<u8>),
    Tls(Vec<u8>, Arc<ServerConfig>),
    /// The replies to RETR, separated by `|`. If the first reply announces the file, the server sends the file between
    /// the two replies.
    Ftp(&'static str),
}

const FILE: &str = "user-agent: *\ndisallow: /x\n";

/// Sends octets until the fault occurs.
struct Wire {
    stream: TcpStream,
    fault: Fault,
    sent: usize,
}

impl Wire {
    fn new(stream: &TcpStream, fault: Fault) -> io::Result<Self> {
        Ok(Self { stream: stream.try_clone()?, fault, sent: 0 })
    }
}

impl Write for Wire {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        let mut octets = octets.to_vec();
        match self.fault {
            Fault::Changed(at, bits) if (self.sent..self.sent + octets.len()).contains(&at) => {
                octets[at - self.sent] ^= bits;
            }
            Fault::Cut(at, end) if at < self.sent + octets.len() => {
                self.stream.write_all(&octets[..at - self.sent])?;
                if let End::Reset = end {
                    // Wait until the octets were read, because on some systems a reset discards unread octets. Linux
                    // still delivers unread octets: see the test `octets_arrive_before_the_reset`.
                    thread::sleep(Duration::from_millis(2));
                    SockRef::from(&self.stream).set_linger(Some(Duration::ZERO))?;
                }
                return Err(io::ErrorKind::BrokenPipe.into());
            }
            _ => {}
        }
        self.stream.write_all(&octets)?;
        self.sent += octets.len();
        Ok(octets.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

impl Read for Wire {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.stream.read(buffer)
    }
}

/// A server with a fault that the test can change.
struct Server {
    origin: String,
    fault: Arc<Mutex<(Fault, On)>>,
    /// The size in octets of the last answer that was sent without an error. The first number is for the main
    /// connection, and the second one for the data connection of FTP.
    sent: Arc<Mutex<(usize, usize)>>,
}

impl Server {
    fn start(answer: Answer) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let scheme = match &answer {
            Answer::Http(_) => "http",
            Answer::Tls(..) => "https",
            Answer::Ftp(_) => "ftp",
        };
        let origin = format!("{scheme}://{}", listener.local_addr().unwrap());
        let (fault, sent) = (Arc::new(Mutex::new((Fault::Nothing, On::Control))), Arc::default());
        let server = Self { origin, fault: Arc::clone(&fault), sent: Arc::clone(&sent) };
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let faults = *fault.lock().unwrap();
                // The client or the fault may end the connection at any time.
                if let Ok(octets) = send(&stream, &answer, faults) {
                    *sent.lock().unwrap() = octets;
                }
            }
        });
        server
    }
}

/// Answers on a connection. Returns the number of octets that were sent on this connection, and on the data connection
/// of FTP.
fn send(stream: &TcpStream, answer: &Answer, faults: (Fault, On)) -> io::Result<(usize, usize)> {
    let (fault, on) = faults;
    let mut wire = Wire::new(stream, if on.is_control() { fault } else { Fault::Nothing })?;
    match answer {
        Answer::Http(octets) => {
            read_head(&mut wire);
            // Writing each octet alone would be too slow.
            wire.write_all(octets)?;
            if matches!(fault, Fault::Cut(_, End::Reset)) {
                SockRef::from(stream).set_linger(Some(Duration::ZERO))?;
            }
            Ok((wire.sent, 0))
        }
        Answer::Tls(octets, config) => {
            let connection = ServerConnection::new(Arc::clone(config)).map_err(io::Error::other)?;
            let mut tls = StreamOwned::new(connection, wire);
            read_head(&mut tls);
            tls.write_all(octets)?;
            tls.conn.send_close_notify();
            tls.flush()?;
            Ok((tls.sock.sent, 0))
        }
        Answer::Ftp(replies) => {
            let of_data = if on.is_control() { Fault::Nothing } else { fault };
            dialogue(wire, replies, of_data, on == On::DataOnly)
        }
    }
}

fn read_head(stream: &mut impl Read) {
    let lines = BufReader::new(stream).lines().map_while(Result::ok);
    lines.take_while(|line| !line.is_empty()).for_each(drop);
}

fn dialogue(
    mut control: Wire,
    replies: &str,
    of_data: Fault,
    ignores_cuts: bool,
) -> io::Result<(usize, usize)> {
    let commands = BufReader::new(control.stream.try_clone()?);
    let (mut data, mut sent) = (None, 0);
    control.write_all(b"220 ready\r\n")?;
    for command in commands.lines() {
        match command?.split(' ').next().unwrap_or_default() {
            "USER" => control.write_all(b"331 password\r\n")?,
            "PASS" => control.write_all(b"230 in\r\n")?,
            "TYPE" => control.write_all(b"200 done\r\n")?,
            "PASV" => {
                let listener = TcpListener::bind("127.0.0.1:0")?;
                let port = listener.local_addr()?.port();
                data = Some(listener);
                let reply = format!("227 there (127,0,0,1,{},{})\r\n", port / 256, port % 256);
                control.write_all(reply.as_bytes())?;
            }
            "RETR" => {
                let (first, last) = replies.split_once('|').unwrap_or((replies, ""));
                control.write_all(format!("{first}\r\n").as_bytes())?;
                if let Some(listener) = data.take().filter(|_| first.starts_with('1')) {
                    let (stream, _) = listener.accept()?;
                    let mut wire = Wire::new(&stream, of_data)?;
                    let written = wire.write_all(FILE.as_bytes());
                    if !ignores_cuts {
                        // If the connection was cut, the server sends nothing more.
                        written?;
                    }
                    sent = wire.sent;
                    drop((wire, stream));
                    control.write_all(format!("{last}\r\n").as_bytes())?;
                }
            }
            _ => break,
        }
    }
    Ok((control.sent, sent))
}

/// The result of a verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Seen {
    allowed: bool,
    basis: Basis,
    body: Option<Vec<u8>>,
}

impl Seen {
    fn of(verdict: &Verdict<'_>) -> Self {
        let basis = verdict.basis();
        let body = match basis {
            Basis::Rules => verdict.record().copy.as_ref().map(|copy| copy.body.clone()),
            _ => None,
        };
        Self { allowed: verdict.is_allowed(), basis, body }
    }
}

/// A function that returns the verdict on a URL, and whether the request timed out.
type Verdicts = Box<dyn Fn(&str) -> (Seen, bool)>;

/// Asks a client about one origin many times. The clock is set forward before each question, so that each question
/// needs a request.
struct Asker {
    verdict: Verdicts,
    clock: Clock,
}

impl Asker {
    fn new(blocks: bool, authority: Option<&str>, proxy: Option<&str>, limit: Duration) -> Self {
        let clock = Clock::new();
        let trust = authority.unwrap_or_default().to_owned();
        let seen = |verdict: &Verdict<'_>| {
            let failure = verdict.record().last.end.failure.as_deref();
            (Seen::of(verdict), failure == Some(Failure::Timeout.id()))
        };
        let verdict: Verdicts = if blocks {
            let client = blocking_builder().clock(clock.read()).total_timeout(limit);
            let client =
                if trust.is_empty() { client } else { client.trust(trust).trust_no_others() };
            let client = if let Some(proxy) = proxy { client.proxy(proxy) } else { client };
            let client = client.build().unwrap();
            Box::new(move |url| seen(&client.verdict(url).unwrap()))
        } else {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            let runtime = runtime.unwrap();
            let client = builder().clock(clock.read()).total_timeout(limit);
            let client =
                if trust.is_empty() { client } else { client.trust(trust).trust_no_others() };
            let client = if let Some(proxy) = proxy { client.proxy(proxy) } else { client };
            let client = client.build().unwrap();
            Box::new(move |url| seen(&runtime.block_on(client.verdict(url)).unwrap()))
        };
        Self { verdict, clock }
    }

    fn ask(&self, origin: &str) -> (Seen, bool) {
        // The clock moves by more than any lifetime, and by more than the longest time between two failures of one
        // outage.
        self.clock.advance(40 * DAY);
        (self.verdict)(&format!("{origin}/x"))
    }
}

/// The parts of an answer to which faults can be applied.
struct Places {
    /// If a clean close comes after a number of octets in this range, a client can notice that octets are missing.
    closes: Range<usize>,
    /// The octets that the protocol protects.
    changes: Vec<usize>,
}

/// The number of servers for each client; each server applies a part of the faults of an answer.
const PARTS: usize = 4;

/// Sends an answer with every fault to the async and to the blocking client, and checks the verdicts.
fn with_every_fault(
    answer: &Answer,
    authority: Option<&str>,
    way: Way,
    expected: &Seen,
    places: impl Fn(usize) -> Places + Sync,
) {
    thread::scope(|scope| {
        for (blocks, part) in
            [false, true].iter().flat_map(|blocks| (0..PARTS).map(|part| (*blocks, part)))
        {
            let places = &places;
            scope.spawn(move || {
                let server = Server::start(answer.clone());
                let proxy = match way {
                    Way::Direct => None,
                    Way::Forwarded => Some(server.origin.clone()),
                    Way::Tunnel => Some(format!("http://{}", tunnels("200 OK").0)),
                };
                let origin = match way {
                    Way::Forwarded => "http://example.com",
                    Way::Direct | Way::Tunnel => &server.origin,
                };
                let asker = |limit| Asker::new(blocks, authority, proxy.as_deref(), limit);
                let patient = asker(Duration::from_secs(20));
                let whole = patient.ask(origin);
                assert_eq!(whole, (expected.clone(), false), "the whole answer");
                // After a changed octet, server and client may wait for each other, so the time limit is short.
                let hasty = asker(Duration::from_millis(200));
                thread::sleep(Duration::from_millis(20));
                let (sent, data) = *server.sent.lock().unwrap();
                assert!(sent > 0);
                let Places { closes, changes } = places(sent);
                let cuts = |range: Range<usize>, end| range.map(move |at| Fault::Cut(at, end));
                let changes = changes
                    .into_iter()
                    .flat_map(|at| [0x01, 0x04, 0x10, 0x80].map(|bits| Fault::Changed(at, bits)));
                let of_data = cuts(0..data, End::Reset).chain(cuts(0..data, End::Close));
                let faults = cuts(0..sent + 1, End::Reset).chain(cuts(closes, End::Close));
                let faults = faults.chain(changes).map(|fault| (fault, On::Control));
                let faults = faults.chain(of_data.map(|fault| (fault, On::Data)));
                // If the data connection is closed and the server reports success, a client cannot notice that the file
                // is incomplete. So with a report of success, only resets are tried.
                let reported = cuts(0..data, End::Reset).map(|fault| (fault, On::DataOnly));
                let (mut tried, mut late) = (0, 0);
                for (fault, on) in faults.chain(reported).skip(part).step_by(PARTS) {
                    *server.fault.lock().unwrap() = (fault, on);
                    let is_change = matches!(fault, Fault::Changed(..));
                    let asker = if is_change { &hasty } else { &patient };
                    let (seen, is_late) = asker.ask(origin);
                    let is_failure = (seen.allowed, seen.basis) == (false, Basis::Unreachable);
                    assert!(is_failure || seen == *expected, "{fault:?}, {on:?}: {seen:?}");
                    assert!(is_change || !is_late, "{fault:?}, {on:?}: timed out");
                    tried += u32::from(is_change);
                    late += u32::from(is_late);
                }
                assert!(late <= tried / 2, "{late} of {tried} changes timed out");
            });
        }
    });
}

fn rules() -> Seen {
    Seen { allowed: false, basis: Basis::Rules, body: Some(FILE.into()) }
}

fn no_rules(body: &str) -> Seen {
    Seen { allowed: true, basis: Basis::Rules, body: Some(body.into()) }
}

fn no_file() -> Seen {
    Seen { allowed: true, basis: Basis::NoFile, body: None }
}

fn failing() -> Seen {
    Seen { allowed: false, basis: Basis::Unreachable, body: None }
}

fn chunked(body: &[u8], size: usize) -> Vec<u8> {
    let mut octets = Vec::new();
    for chunk in body.chunks(size) {
        octets.extend(format!("{:x}\r\n", chunk.len()).bytes());
        octets.extend(chunk);
        octets.extend(b"\r\n");
    }
    octets.extend(b"0\r\n\r\n");
    octets
}

fn coded(coding: &str, body: &[u8]) -> Vec<u8> {
    match coding {
        "gzip" => {
            let mut encoder =
                flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(6));
            encoder.write_all(body).unwrap();
            encoder.finish().unwrap()
        }
        "deflate" => {
            let mut encoder =
                flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::new(6));
            encoder.write_all(body).unwrap();
            encoder.finish().unwrap()
        }
        "zstd" => {
            let mut encoder = zstd::Encoder::new(Vec::new(), 3).unwrap();
            encoder.include_checksum(true).unwrap();
            encoder.write_all(body).unwrap();
            encoder.finish().unwrap()
        }
        _ => {
            let mut out = Vec::new();
            brotli::CompressorWriter::new(&mut out, 4096, 5, 22).write_all(body).unwrap();
            out
        }
    }
}

/// The way in which a body marks its end.
#[derive(Clone, Copy, Debug)]
enum Framing {
    Length,
    Chunks(usize),
    Close,
}

fn message(status: &str, fields: &str, body: &[u8], framing: Framing) -> Vec<u8> {
    let (field, body) = match framing {
        Framing::Length => (format!("content-length: {}\r\n", body.len()), body.to_vec()),
        Framing::Chunks(size) => ("transfer-encoding: chunked\r\n".to_owned(), chunked(body, size)),
        Framing::Close => (String::new(), body.to_vec()),
    };
    let head = format!("{status}\r\n{fields}{field}\r\n");
    [head.as_bytes(), &body].concat()
}

fn head_of(octets: &[u8]) -> usize {
    octets.windows(4).position(|octets| octets == b"\r\n\r\n").unwrap() + 4
}

const OK: &str = "HTTP/1.1 200 OK";

/// Tests plain bodies. A close before the end of a length or of the chunks is not a valid end. Only the framing of
/// chunks is protected against changes.
#[rstest]
#[trace]
#[case::length(OK, Framing::Length, FILE, rules())]
#[case::one_chunk(OK, Framing::Chunks(100), FILE, rules())]
#[case::chunks(OK, Framing::Chunks(3), FILE, rules())]
#[case::close(OK, Framing::Close, FILE, rules())]
#[case::http_1_0("HTTP/1.0 200 OK", Framing::Close, FILE, rules())]
#[case::no_rules(OK, Framing::Length, "# none\n", no_rules("# none\n"))]
#[case::empty(OK, Framing::Length, "", no_rules(""))]
#[case::missing("HTTP/1.1 404 Not Found", Framing::Length, "no such page\n", no_file())]
#[case::failing("HTTP/1.1 503 Later", Framing::Length, "later\n", failing())]
fn plain(
    #[case] status: &str,
    #[case] framing: Framing,
    #[case] body: &str,
    #[case]
    #[notrace]
    expected: Seen,
) {
    let octets = message(status, "", body.as_bytes(), framing);
    let head = head_of(&octets);
    let places = |sent| Places {
        closes: 0..if let Framing::Close = framing { head } else { sent },
        changes: framing_of(framing, body, head),
    };
    with_every_fault(&Answer::Http(octets), None, Way::Direct, &expected, places);
}

/// Returns the positions of the octets that frame chunks: their sizes and their ends. Chunk data is not protected.
fn framing_of(framing: Framing, body: &str, mut at: usize) -> Vec<usize> {
    let Framing::Chunks(size) = framing else { return Vec::new() };
    let mut places = Vec::new();
    for chunk in body.as_bytes().chunks(size) {
        let data = at + format!("{:x}\r\n", chunk.len()).len();
        places.extend(at..data);
        at = data + chunk.len() + 2;
        places.extend(at - 2..at);
    }
    places.extend(at..at + "0\r\n\r\n".len());
    places
}

/// Tests coded bodies, which mark their own end. gzip, deflate and zstd have a checksum, but brotli does not.
#[rstest]
#[trace]
#[case::gzip("gzip", Framing::Length, true)]
#[case::gzip_in_chunks("gzip", Framing::Chunks(7), false)]
#[case::gzip_to_the_close("gzip", Framing::Close, true)]
#[case::zstd("zstd", Framing::Length, true)]
#[case::zstd_to_the_close("zstd", Framing::Close, true)]
#[cfg_attr(feature = "deflate", case::deflate("deflate", Framing::Length, true))]
#[case::brotli("br", Framing::Length, false)]
#[case::brotli_to_the_close("br", Framing::Close, false)]
fn coded_bodies(#[case] coding: &str, #[case] framing: Framing, #[case] is_protected: bool) {
    let field = format!("content-encoding: {coding}\r\n");
    let octets = message(OK, &field, &coded(coding, FILE.as_bytes()), framing);
    let head = head_of(&octets);
    let places = |sent| Places {
        closes: 0..sent,
        changes: if is_protected { (head..sent).collect() } else { Vec::new() },
    };
    with_every_fault(&Answer::Http(octets), None, Way::Direct, &rules(), places);
}

/// Tests TLS, which protects all octets and the end of the connection.
#[rstest]
#[trace]
fn over_tls(#[values(Framing::Length, Framing::Chunks(7), Framing::Close)] framing: Framing) {
    let (config, authority) = tls();
    let octets = message(OK, "", FILE.as_bytes(), framing);
    let places = |sent| Places { closes: 0..sent, changes: (0..sent).collect() };
    with_every_fault(&Answer::Tls(octets, config), Some(&authority), Way::Direct, &rules(), places);
}

/// A proxy between client and server does not change the result: a client never takes a cut as the end of an answer. A
/// proxy may close a tunnel cleanly although the server reset its connection.
#[rstest]
#[trace]
fn behind_a_proxy(#[values(Way::Forwarded, Way::Tunnel)] way: Way) {
    let octets = message(OK, "", FILE.as_bytes(), Framing::Length);
    let places = |sent| Places { closes: 0..sent, changes: Vec::new() };
    if way == Way::Forwarded {
        return with_every_fault(&Answer::Http(octets), None, way, &rules(), places);
    }
    let (config, authority) = tls();
    with_every_fault(&Answer::Tls(octets, config), Some(&authority), way, &rules(), places);
}

/// Tests FTP. A file is complete when the server reports this, and a refusal is complete when its line is complete.
#[rstest]
#[trace]
#[case::a_file("150 here it comes|226 that was it", rules())]
#[case::no_file("550 no such file", no_file())]
#[case::busy("450 later", failing())]
#[case::file_busy("550 robots.txt: Device or resource busy", failing())]
#[case::full("530 Sorry, the maximum number of clients is reached", failing())]
fn by_ftp(
    #[case] replies: &'static str,
    #[case]
    #[notrace]
    expected: Seen,
) {
    let places = |sent| Places { closes: 0..sent, changes: Vec::new() };
    with_every_fault(&Answer::Ftp(replies), None, Way::Direct, &expected, places);
}

/// Checks that on Linux, octets that were sent before a reset can be read. If they could not be read, every reset would
/// look like a connection that ends before the answer.
#[cfg(target_os = "linux")]
#[test]
fn octets_arrive_before_the_reset() {
    let octets = message(OK, "", FILE.as_bytes(), Framing::Length);
    let server = Server::start(Answer::Http(octets.clone()));
    for at in 0..=octets.len() {
        *server.fault.lock().unwrap() = (Fault::Cut(at, End::Reset), On::Control);
        let mut stream = TcpStream::connect(server.origin.trim_start_matches("http://")).unwrap();
        stream.write_all(b"GET /robots.txt HTTP/1.1\r\n\r\n").unwrap();
        // The client reads only after the reset.
        thread::sleep(Duration::from_millis(5));
        let mut read = Vec::new();
        let end = stream.read_to_end(&mut read).map_err(|error| error.kind());
        assert_eq!(end, Err(io::ErrorKind::ConnectionReset), "{at}");
        assert_eq!(read, octets[..at], "{at}");
    }
}
