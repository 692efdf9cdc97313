//! [`Redis`], the store that many machines share, over the protocol of Redis and Valkey. Records and leases are
//! separate keys, and expire on the server. Scripts renew and release a lease, so that only its holder can do this.
//! [`Bounded`] limits what a server can make this process keep: it reads a connection, and ends it at a reply that is
//! too long.

use std::hash::{BuildHasher, RandomState};
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use redis::aio::{AsyncStream, MultiplexedConnection};
use redis::{
    AsyncConnectionConfig, Client, Cmd, ConnectionAddr, FromRedisValue, ProtocolVersion, RedisError,
};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::Mutex;
use tokio::task::AbortHandle;
use tokio::time::timeout;

use super::{LIMIT, Lease, Store, StoreError};
use crate::error::{Error, ErrorKind};

/// The script that deletes a lease if this process still has it.
const RELEASE: &str = "if redis.call('get', KEYS[1]) == ARGV[1] then \
                       return redis.call('del', KEYS[1]) else return 0 end";

/// The script that extends a lease if this process still has it.
const RENEW: &str = "if redis.call('get', KEYS[1]) == ARGV[1] then \
                     return redis.call('pexpire', KEYS[1], ARGV[2]) else return 0 end";

/// The script that returns a record, unless the value is longer than a record. Redis stores values of up to 512 MiB.
const GET: &str = "if redis.call('strlen', KEYS[1]) > tonumber(ARGV[1]) then \
                   return redis.error_reply('the value is too long for a record') end \
                   return redis.call('get', KEYS[1])";

/// The maximum length of a record, in octets. With the default limit of a robots.txt, a record is shorter than 1 MiB.
const MAX_RECORD: usize = 16 << 20;

/// The maximum length of a line of a reply, for example of an error message, in octets.
const MAX_LINE: usize = 64 * 1024;

/// Keeps records on a server that many processes and machines share.
///
/// Records expire when they are no longer needed. A record that is longer than 16 MiB is neither stored nor read.
/// Usually only one process at a time fetches a robots.txt: it has a lease, which expires if the process dies. If the
/// server is unavailable, clients work without it, and use it again when it is back.
///
/// ```no_run
/// # async fn example() -> Result<(), robots_fetch::Error> {
/// use robots_fetch::{Client, store::Redis};
/// let store = Redis::open("redis://127.0.0.1/")?;
/// let client = Client::builder("examplebot").store(store).build()?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Redis {
    client: Client,
    connection: Arc<Mutex<Option<Connection>>>,
    prefix: String,
}

/// A connection to the server, and the task that reads and writes it.
#[derive(Clone)]
struct Connection {
    commands: MultiplexedConnection,
    task: AbortHandle,
}

impl Redis {
    /// Makes a store from the URL of a server, such as `redis://user:password@host:6379/0`. The store connects when it
    /// is first used.
    ///
    /// # Errors
    /// Returns an error if the URL cannot be read.
    pub fn open(url: &str) -> Result<Self, Error> {
        // The message does not contain the URL, because the URL may contain a password.
        let refused = |error: RedisError| Error::new(ErrorKind::Store, format!("redis: {error}"));
        let client = Client::open(url).map_err(refused)?;
        let (connection, prefix) = (Arc::default(), "robots.txt ".to_owned());
        Ok(Self { client, connection, prefix })
    }

    /// Sets the prefix of every key, for crawlers that share a server but not records. The default is `robots.txt `.
    #[must_use]
    pub fn prefix(self, prefix: impl Into<String>) -> Self {
        Self { prefix: prefix.into(), ..self }
    }

    /// Sends a command over the connection that all clones share, and returns the reply.
    async fn ask<T: FromRedisValue>(&self, command: &Cmd) -> Result<T, RedisError> {
        let mut connection = self.connection().await?;
        let reply = command.query_async(&mut connection.commands).await;
        if reply.as_ref().is_err_and(RedisError::is_io_error) {
            // The next command connects again, also if the server is away and this connection does not show it.
            connection.task.abort();
        }
        reply
    }

    /// Returns the connection, and connects first if there is none or it has ended. The task of the connection runs in
    /// the runtime of the caller, so the connection ends with this runtime.
    async fn connection(&self) -> Result<Connection, RedisError> {
        let mut kept = self.connection.lock().await;
        if let Some(connection) = kept.as_ref().filter(|kept| !kept.task.is_finished()) {
            return Ok(connection.clone());
        }
        let connection = timeout(LIMIT, self.connect()).await.map_err(io::Error::from)??;
        Ok(kept.insert(connection).clone())
    }

    async fn connect(&self) -> Result<Connection, RedisError> {
        let server = self.client.get_connection_info();
        let stream: Pin<Box<dyn AsyncStream + Send + Sync>> = match server.addr() {
            ConnectionAddr::Tcp(host, port) => {
                let stream = TcpStream::connect((&**host, *port)).await?;
                stream.set_nodelay(true)?;
                Box::pin(stream)
            }
            #[cfg(unix)]
            ConnectionAddr::Unix(path) => Box::pin(tokio::net::UnixStream::connect(path).await?),
            _ => return Err(io::Error::other("the connection cannot be encrypted").into()),
        };
        // `Bounded` reads the replies of this version.
        let settings = server.redis_settings().clone().set_protocol(ProtocolVersion::RESP2);
        let config = AsyncConnectionConfig::new().set_response_timeout(Some(LIMIT));
        let stream = Bounded { stream, line: Vec::new(), value: 0 };
        let (commands, task) =
            MultiplexedConnection::new_with_config(&settings, stream, config).await?;
        Ok(Connection { commands, task: tokio::spawn(task).abort_handle() })
    }

    fn key(&self, key: &str) -> String {
        format!("{}{key}", self.prefix)
    }

    fn lease_key(&self, key: &str) -> String {
        format!("{}lease {key}", self.prefix)
    }
}

impl std::fmt::Debug for Redis {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Redis").field("prefix", &self.prefix).finish_non_exhaustive()
    }
}

/// A stream that fails at a reply that is too long, as soon as the server announces its length. Otherwise the connection
/// would keep what arrives until the command's time is over. The replies to the commands of this module are lines and
/// values.
struct Bounded<S> {
    stream: S,
    /// The part of a line that has arrived.
    line: Vec<u8>,
    /// The number of octets of a value, with the line ending after it, that have not arrived yet.
    value: usize,
}

impl<S> Bounded<S> {
    /// Checks the next octets of the replies.
    fn check(&mut self, mut octets: &[u8]) -> io::Result<()> {
        while !octets.is_empty() {
            let length = match self.value {
                0 => octets
                    .iter()
                    .position(|octet| *octet == b'\n')
                    .map_or(octets.len(), |end| end + 1),
                value => value.min(octets.len()),
            };
            let (part, rest) = octets.split_at(length);
            octets = rest;
            if self.value > 0 {
                self.value -= part.len();
                continue;
            }
            self.line.extend_from_slice(part);
            if let Some(line) = self.line.strip_suffix(b"\r\n") {
                self.value = value_after(line)?;
                self.line.clear();
            } else if self.line.len() > MAX_LINE {
                return Err(io::Error::other("a line of a reply is too long"));
            }
        }
        Ok(())
    }
}

/// Returns the number of octets of the value that a line announces, and of the line ending after it.
fn value_after(line: &[u8]) -> io::Result<usize> {
    let length = match line.split_first() {
        Some((b'+' | b'-' | b':', _)) => return Ok(0),
        Some((b'$', length)) => str::from_utf8(length).ok().and_then(|it| it.trim().parse().ok()),
        _ => None,
    };
    let length: i64 = length.ok_or_else(|| io::Error::other("the reply is of an unknown kind"))?;
    match usize::try_from(length) {
        Ok(length) if length > MAX_RECORD => {
            Err(io::Error::other("the value is too long for a record"))
        }
        Ok(length) => Ok(length + 2),
        // A negative length means that there is no value.
        Err(_) => Ok(0),
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Bounded<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, buffer))?;
        Poll::Ready(self.check(&buffer.filled()[before..]))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Bounded<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        octets: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, octets)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

/// The longest time that is sent to a server: ten years. The server adds the time to its clock, so the time must not be
/// too large.
const MAX_TIME: Duration = Duration::from_secs(10 * 365 * 86_400);

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.min(MAX_TIME).as_millis()).unwrap_or(u64::MAX).max(1)
}

/// Makes the command that runs a script with a key.
fn script(script: &str, key: String) -> Cmd {
    let mut command = redis::cmd("EVAL");
    command.arg(script).arg(1).arg(key);
    command
}

impl Store for Redis {
    async fn get(&self, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let mut get = script(GET, self.key(key));
        get.arg(MAX_RECORD);
        let mut reply = self.ask(&get).await;
        // The server may have closed the connection since the last command.
        if reply.as_ref().is_err_and(RedisError::is_connection_dropped) {
            reply = self.ask(&get).await;
        }
        reply.map_err(StoreError::new)
    }

    async fn put(&self, key: &str, record: Vec<u8>, keep: Duration) -> Result<(), StoreError> {
        if record.len() > MAX_RECORD {
            return Err(StoreError::new("the record is longer than 16 MiB"));
        }
        let mut put = redis::cmd("SET");
        put.arg(self.key(key)).arg(record).arg("PX").arg(milliseconds(keep));
        self.ask(&put).await.map_err(StoreError::new)
    }

    async fn lease(&self, key: &str, time: Duration) -> Result<Option<Lease>, StoreError> {
        let lease = Lease(RandomState::new().hash_one(key));
        let mut set = redis::cmd("SET");
        set.arg(self.lease_key(key)).arg(lease.0).arg("NX").arg("PX").arg(milliseconds(time));
        let set: Option<String> = self.ask(&set).await.map_err(StoreError::new)?;
        Ok(set.map(|_| lease))
    }

    async fn renew(&self, key: &str, lease: Lease, time: Duration) -> Result<bool, StoreError> {
        let mut renew = script(RENEW, self.lease_key(key));
        renew.arg(lease.0).arg(milliseconds(time));
        self.ask(&renew).await.map_err(StoreError::new)
    }

    async fn release(&self, key: &str, lease: Lease) -> Result<(), StoreError> {
        let mut release = script(RELEASE, self.lease_key(key));
        release.arg(lease.0);
        self.ask(&release).await.map_err(StoreError::new)
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::{Bounded, MAX_LINE};

    /// Checks replies that arrive in pieces of each length.
    #[rstest]
    #[trace]
    #[case::nothing("$-1\r\n", true)]
    #[case::values("$3\r\n$9\r\r\n$0\r\n\r\n+OK\r\n:1\r\n-ERR x\r\n", true)]
    #[case::the_longest("$16777216\r\n", true)]
    #[case::longer("+OK\r\n$16777217\r\n", false)]
    #[case::endless("$99999999999999999999\r\n", false)]
    #[case::a_line_feed_in_a_line("+a\n$3\r\n$16777217\r\n", false)]
    #[case::a_list("*100000000\r\n", false)]
    #[case::a_long_line(&"+x".repeat(MAX_LINE), false)]
    fn replies_are_bounded(#[case] replies: &str, #[case] accepted: bool) {
        for length in [1, 2, 3, replies.len()] {
            let mut bounded = Bounded { stream: (), line: Vec::new(), value: 0 };
            let mut pieces = replies.as_bytes().chunks(length);
            assert_eq!(pieces.all(|piece| bounded.check(piece).is_ok()), accepted, "{length}");
        }
    }
}
