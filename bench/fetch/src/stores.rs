//! Measures the speed and the size of stores.
//!
//! [`redb()`] fills a file with the records of many origins, opens it again, and times random look-ups. [`redis()`]
//! starts a separate server ([`RedisServer`]). [`redis()`] times each look-up of the store and a plain `GET` command on
//! a socket, so that the difference is the cost of the store's Redis client. Every record is the result of a retrieval
//! with a file of the corpus, so it has a realistic size.

use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use robots_fetch::record::Record;
use robots_fetch::retrieval::{Body, Response, Retrieval};
use robots_fetch::store::{BlockingStore, Redb, Redis, Store};
use robots_fetch::{CacheKey, Settings};

use crate::corpus;
use crate::table::{Row, percentile};

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

fn key(number: u64) -> String {
    format!("https://www.host-{number}.example")
}

fn record(number: u64) -> Outcome<Record> {
    let (key, settings) = (CacheKey::of(&key(number))?, Settings::default());
    let mut retrieval = Retrieval::new(&key, &settings, "examplebot/1.0", None);
    let body = corpus::of(u32::try_from(number % u64::from(corpus::FILES))?);
    let fields = [("etag", &b"\"5f3b-62a1c\""[..]), ("content-type", b"text/plain; charset=utf-8")];
    let response = Response::new(200, fields).with_body(Body::of(body));
    retrieval.answered(response, Duration::from_secs(1_700_000_000));
    Ok(retrieval.into_record().ok_or("it was answered")?)
}

/// For each number of origins, fills a store, opens it again, and measures look-ups.
pub(crate) fn redb(sizes: &[u64]) -> Outcome<Vec<Row>> {
    let mut rows = Vec::new();
    for origins in sizes.iter().copied() {
        let dir = tempfile::tempdir()?;
        let path = dir.path().join("robots.redb");
        let store = Redb::open(&path)?;
        let (mut payload, began) = (0, Instant::now());
        for batch in 0..origins.div_ceil(10_000) {
            let numbers = batch * 10_000..((batch + 1) * 10_000).min(origins);
            let records: Vec<(String, Vec<u8>)> =
                numbers.map(|n| Ok((key(n), record(n)?.to_octets()))).collect::<Outcome<_>>()?;
            payload +=
                records.iter().map(|(key, record)| (key.len() + record.len()) as u64).sum::<u64>();
            store.put_all(records)?;
        }
        let filled = began.elapsed();
        drop(store);
        let size = std::fs::metadata(&path)?.len();
        let began = Instant::now();
        let store = Redb::open(&path)?;
        let opened = began.elapsed();
        let mut random = fastrand::Rng::with_seed(1);
        let mut times = Vec::new();
        for _ in 0..20_000 {
            let key = key(random.u64(0..origins));
            let began = Instant::now();
            let found = BlockingStore::get(&store, &key)?;
            times.push(began.elapsed());
            assert!(found.is_some());
        }
        times.sort_unstable();
        rows.push(
            Row::new(
                format!("redb, {origins} origins: opens in"),
                format!("{:.3} s", opened.as_secs_f64()),
            )
            .wanted("≤ 1 s", opened <= Duration::from_secs(1)),
        );
        rows.push(Row::new(
            format!("redb, {origins} origins: by origin; filled in"),
            format!(
                "{} octets for {}; {:.0} s",
                size / origins,
                payload / origins,
                filled.as_secs_f64()
            ),
        ));
        rows.push(Row::new(
            format!("redb, {origins} origins: a look-up, p50 and p99"),
            format!("{:?} and {:?}", percentile(&times, 0.5), percentile(&times, 0.99)),
        ));
    }
    Ok(rows)
}

/// A separate Redis server. The server ends when this value is dropped.
pub(crate) struct RedisServer {
    child: Child,
    port: u16,
    _dir: tempfile::TempDir,
}

impl Drop for RedisServer {
    fn drop(&mut self) {
        let _ = self.stop();
    }
}

impl RedisServer {
    pub(crate) async fn start() -> Outcome<Self> {
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let dir = tempfile::tempdir()?;
        let child = Command::new("redis-server")
            .args(["--bind", "127.0.0.1", "--save", "", "--port", &port.to_string(), "--dir"])
            .arg(dir.path())
            .stdout(Stdio::null())
            .spawn()
            .map_err(|error| format!("redis-server: {error}"))?;
        let server = Self { child, port, _dir: dir };
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        Ok(server)
    }

    pub(crate) fn url(&self) -> String {
        format!("redis://127.0.0.1:{}/", self.port)
    }

    /// Suspends the server: it accepts connections, but does not answer.
    pub(crate) fn suspend(&mut self) -> Outcome<()> {
        let sent = Command::new("kill").args(["-STOP", &self.child.id().to_string()]).status()?;
        if sent.success() { Ok(()) } else { Err("the server was not suspended".into()) }
    }

    /// Ends the server, so that connections are refused.
    pub(crate) fn stop(&mut self) -> Outcome<()> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }
}

/// Measures look-ups in a Redis server, or reports that no server can be started.
pub(crate) async fn redis() -> Outcome<Vec<Row>> {
    let server = match RedisServer::start().await {
        Ok(server) => server,
        Err(error) => return Ok(vec![Row::new("redis", format!("not run: {error}"))]),
    };
    let store = Redis::open(&server.url())?.prefix("");
    for number in 0..1000 {
        store.put(&key(number), record(number)?.to_octets(), Duration::from_secs(3600)).await?;
    }
    let mut times = (Vec::new(), Vec::new());
    let mut stream = tokio::net::TcpStream::connect(("127.0.0.1", server.port)).await?;
    stream.set_nodelay(true)?;
    for round in 0..10_000_u64 {
        let key = key(round % 1000);
        let began = Instant::now();
        let found = store.get(&key).await?;
        times.0.push(began.elapsed());
        let length = found.ok_or("it was put there")?.len();
        let began = Instant::now();
        get(&mut stream, &key, length).await?;
        times.1.push(began.elapsed());
    }
    times.0.sort_unstable();
    times.1.sort_unstable();
    let shown = |times: &[Duration]| {
        format!("{:?} and {:?}", percentile(times, 0.5), percentile(times, 0.99))
    };
    Ok(vec![
        Row::new("redis: a look-up, p50 and p99", shown(&times.0)),
        Row::new("redis: a bare GET on a socket, p50 and p99", shown(&times.1)),
    ])
}

/// Sends a `GET` command of Redis on a socket, without a Redis client. The time of this command is the cost of the
/// server and the socket.
async fn get(stream: &mut tokio::net::TcpStream, key: &str, length: usize) -> Outcome<()> {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    let command = format!("*2\r\n$3\r\nGET\r\n${}\r\n{key}\r\n", key.len());
    stream.write_all(command.as_bytes()).await?;
    let mut answer = vec![0; format!("${length}\r\n").len() + length + 2];
    stream.read_exact(&mut answer).await?;
    Ok(())
}
