//! [`check`] tests whether a store fulfils the contract of stores. Authors of stores can call it, and the stores of
//! this crate pass it too. The test uses two handles of one store, and tests records, keys and leases.

use std::time::Duration;

use super::{Lease, Store};

/// Checks that a store, with or without async, does what [`Store`] requires. `open` opens the store. If several
/// processes may use the records at the same time, each call of `open` returns a separate store with the same records.
/// If not, it returns a clone. `shared` is true if processes share the records, so that the lease of one process
/// excludes the other processes.
///
/// ```
/// use robots_fetch::store::{Memory, contract};
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let store = Memory::of_octets(1 << 20);
/// contract::check(|| store.clone(), false).await;
/// # }
/// ```
///
/// # Panics
/// Panics if the store breaks the contract; the message describes how.
pub async fn check<S: Store>(open: impl Fn() -> S, shared: bool) {
    let (one, two) = (open(), open());
    records(&one, &two).await;
    if shared {
        leases(&one, &two).await;
    } else {
        let lease = asked(&one, "http://alone.example", DAY).await;
        assert!(lease.is_some(), "a store for one process refused a lease");
    }
}

const DAY: Duration = Duration::from_secs(86_400);
const KEY: &str = "http://contract.example";

async fn records(one: &impl Store, two: &impl Store) {
    assert_eq!(
        got(one, "http://nobody.example").await,
        None,
        "a key without a record returned one"
    );
    // The records contain special octets, no octets, and more octets than the record of a 500 KiB file has.
    let records = [vec![0, b'\n', 0xff, b'"'], Vec::new(), vec![b'#'; 600_000], b"last".to_vec()];
    for record in records {
        let length = record.len();
        put(one, KEY, record.clone(), DAY).await;
        let found = [got(one, KEY).await, got(two, KEY).await];
        let [one_reads, two_reads] = found.map(|found| found.as_ref() == Some(&record));
        assert!(
            one_reads,
            "the writer does not read back the {length} octets that were stored last"
        );
        assert!(two_reads, "another store does not read the {length} octets that were stored last");
    }
    // Keys are compared octet by octet. Any text may be a key, with any length that a URL can have.
    let long = format!("http://{}.example#agent/1.0 (+http://x/?a=b \u{e4})", "a".repeat(2000));
    let keys =
        ["HTTP://contract.example", "http://contract.example ", "http://contract.exampl", &long];
    for key in keys {
        assert_eq!(got(one, key).await, None, "`{key}` returned the record of another key");
        put(one, key, key.as_bytes().to_vec(), DAY).await;
    }
    for key in keys {
        assert!(got(two, key).await == Some(key.as_bytes().to_vec()), "`{key}` lost its record");
    }
    assert_eq!(
        got(one, KEY).await.as_deref(),
        Some(&b"last"[..]),
        "the record of another key replaced it"
    );
    // A client may pass any duration, even the longest one.
    for keep in [2 * DAY, Duration::MAX] {
        put(one, KEY, b"kept".to_vec(), keep).await;
        assert_eq!(
            got(two, KEY).await.as_deref(),
            Some(&b"kept"[..]),
            "it must be kept for {keep:?}"
        );
    }
}

async fn leases(one: &impl Store, two: &impl Store) {
    let held = asked(one, KEY, DAY).await.expect("the lease is free, but the store refused it");
    assert_eq!(asked(two, KEY, DAY).await, None, "two processes have the same lease");
    assert!(
        asked(two, "http://other.example", DAY).await.is_some(),
        "a lease must cover only one key"
    );
    renewed(one, held, true, "the holder could not renew its lease").await;
    released(two, Lease(held.0.wrapping_add(1))).await;
    assert_eq!(asked(two, KEY, DAY).await, None, "a process released the lease of another");
    released(one, held).await;
    let second =
        asked(two, KEY, SHORT).await.expect("the lease was released, but the store refused it");
    renewed(one, held, false, "a lease was renewed that another process now has").await;
    // A lease expires by itself, unless it is renewed in time.
    for _ in 0..4 {
        tokio::time::sleep(SHORT / 2).await;
        renewed(two, second, true, "a lease was not renewed in time").await;
    }
    assert_eq!(asked(one, KEY, DAY).await, None, "a renewed lease expired");
    tokio::time::sleep(SHORT + SHORT / 2).await;
    renewed(two, second, false, "an expired lease was renewed").await;
    let third =
        asked(one, KEY, Duration::MAX).await.expect("the lease expired, but the store refused it");
    released(two, second).await;
    assert_eq!(
        asked(two, KEY, DAY).await,
        None,
        "the release of an expired lease ended another lease"
    );
    released(one, third).await;
}

const SHORT: Duration = Duration::from_millis(400);

async fn asked(store: &impl Store, key: &str, time: Duration) -> Option<Lease> {
    store
        .lease(key, time)
        .await
        .unwrap_or_else(|error| panic!("the lease could not be requested: {error}"))
}

async fn renewed(store: &impl Store, lease: Lease, expected: bool, what: &str) {
    let renewed = store.renew(KEY, lease, SHORT).await;
    let renewed = renewed.unwrap_or_else(|error| panic!("the lease could not be renewed: {error}"));
    assert_eq!(renewed, expected, "{what}");
}

async fn released(store: &impl Store, lease: Lease) {
    let released = store.release(KEY, lease).await;
    released.unwrap_or_else(|error| panic!("the lease could not be released: {error}"));
}

async fn put(store: &impl Store, key: &str, record: Vec<u8>, keep: Duration) {
    let put = store.put(key, record, keep).await;
    put.unwrap_or_else(|error| panic!("the record could not be stored: {error}"));
}

async fn got(store: &impl Store, key: &str) -> Option<Vec<u8>> {
    store.get(key).await.unwrap_or_else(|error| panic!("the record could not be read: {error}"))
}
