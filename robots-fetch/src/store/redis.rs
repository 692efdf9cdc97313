//! [`Redis`], the store that many machines share, over the protocol of Redis and Valkey. Records and leases are
//! separate keys, and expire on the server. Scripts renew and release a lease, so that only its holder can do this.

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::time::Duration;

use redis::aio::{ConnectionManager, ConnectionManagerConfig};
use redis::{Client, RedisError, Script};
use tokio::sync::OnceCell;

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
const LONGEST_RECORD: usize = 16 << 20;

/// Keeps records on a server that many processes and machines share.
///
/// Records expire when they are no longer needed. A record that is longer than 16 MiB is neither stored nor read. Usually only one process at a time fetches a robots.txt: it has a
/// lease, which expires if the process dies. If the server is unavailable, clients work without it, and use it again
/// when it is back.
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
    connection: Arc<OnceCell<ConnectionManager>>,
    prefix: String,
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

    /// Returns the connection that all clones share. The connection starts tasks in the runtime in which it is first
    /// used.
    async fn connection(&self) -> Result<ConnectionManager, StoreError> {
        let connection = self.connection.get_or_try_init(|| async {
            let config = ConnectionManagerConfig::new()
                .set_connection_timeout(Some(LIMIT))
                .set_response_timeout(Some(LIMIT))
                .set_number_of_retries(1);
            ConnectionManager::new_lazy_with_config(self.client.clone(), config)
        });
        connection.await.cloned().map_err(StoreError::new)
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

/// The longest time that is sent to a server: ten years. The server adds the time to its clock, so the time must not be
/// too large.
const LONGEST: Duration = Duration::from_secs(10 * 365 * 86_400);

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.min(LONGEST).as_millis()).unwrap_or(u64::MAX).max(1)
}

impl Store for Redis {
    async fn get(&self, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let mut connection = self.connection().await?;
        let script = Script::new(GET);
        let mut get = script.key(self.key(key));
        get.arg(LONGEST_RECORD);
        let mut answer = get.invoke_async(&mut connection).await;
        // After a failure, the connection manager connects again at once and keeps the result. So the error may be old:
        // from a time when the server was still away. The second command waits for the next connection.
        if answer.as_ref().is_err_and(RedisError::is_io_error) {
            answer = get.invoke_async(&mut connection).await;
        }
        answer.map_err(StoreError::new)
    }

    async fn put(&self, key: &str, record: Vec<u8>, keep: Duration) -> Result<(), StoreError> {
        if record.len() > LONGEST_RECORD {
            return Err(StoreError::new("the record is longer than 16 MiB"));
        }
        let mut connection = self.connection().await?;
        let mut command = redis::cmd("SET");
        command.arg(self.key(key)).arg(record).arg("PX").arg(milliseconds(keep));
        command.query_async(&mut connection).await.map_err(StoreError::new)
    }

    async fn lease(&self, key: &str, time: Duration) -> Result<Option<Lease>, StoreError> {
        let mut connection = self.connection().await?;
        let lease = Lease(RandomState::new().hash_one(key));
        let mut command = redis::cmd("SET");
        command.arg(self.lease_key(key)).arg(lease.0).arg("NX").arg("PX").arg(milliseconds(time));
        let set: Option<String> =
            command.query_async(&mut connection).await.map_err(StoreError::new)?;
        Ok(set.map(|_| lease))
    }

    async fn renew(&self, key: &str, lease: Lease, time: Duration) -> Result<bool, StoreError> {
        let mut connection = self.connection().await?;
        let script = Script::new(RENEW);
        let mut renew = script.key(self.lease_key(key));
        renew.arg(lease.0).arg(milliseconds(time));
        renew.invoke_async(&mut connection).await.map_err(StoreError::new)
    }

    async fn release(&self, key: &str, lease: Lease) -> Result<(), StoreError> {
        let mut connection = self.connection().await?;
        let script = Script::new(RELEASE);
        let mut release = script.key(self.lease_key(key));
        release.arg(lease.0);
        release.invoke_async(&mut connection).await.map_err(StoreError::new)
    }
}
