//! What every store has to do, as a test for authors of stores: [`check`].

use std::time::Duration;

use super::{Lease, Store};

/// Checks that a store does what [`Store`] says. `open` opens it: each call returns a store of its own on the same
/// records, as two processes have, if more than one may use them at a time, or otherwise a clone.
///
/// `shared` says whether processes share the records, so that a lease of one keeps the others away.
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
/// If the store does not keep the contract; the message says what it did.
pub async fn check<S: Store>(open: impl Fn() -> S, shared: bool) {
    let (one, two) = (open(), open());
    records(&one, &two).await;
    if shared {
        leases(&one, &two).await;
    } else {
        let lease = asked(&one, "http://alone.example", DAY).await;
        assert!(lease.is_some(), "a store of one process refuses it a lease");
    }
}

const DAY: Duration = Duration::from_secs(86_400);
const KEY: &str = "http://contract.example";

async fn records(one: &impl Store, two: &impl Store) {
    assert_eq!(got(one, "http://nobody.example").await, None, "there was nothing under the key");
    // Any octets, no octets, and as many as the longest record has.
    let records = [vec![0, b'\n', 0xff, b'"'], Vec::new(), vec![b'#'; 600_000], b"last".to_vec()];
    for record in records {
        let length = record.len();
        put(one, KEY, record.clone(), DAY).await;
        let found = [got(one, KEY).await, got(two, KEY).await];
        let [one_reads, two_reads] = found.map(|found| found.as_ref() == Some(&record));
        assert!(one_reads, "the writer does not read the {length} octets put last");
        assert!(two_reads, "another does not read the {length} octets put last");
    }
    // Keys are kept apart octet by octet; any text may be one, of any length that a URL has.
    let long = format!("http://{}.example#agent/1.0 (+http://x/?a=b \u{e4})", "a".repeat(2000));
    let keys =
        ["HTTP://contract.example", "http://contract.example ", "http://contract.exampl", &long];
    for key in keys {
        assert_eq!(got(one, key).await, None, "`{key}` has the record of another key");
        put(one, key, key.as_bytes().to_vec(), DAY).await;
    }
    for key in keys {
        assert!(got(two, key).await == Some(key.as_bytes().to_vec()), "`{key}` lost its record");
    }
    assert_eq!(
        got(one, KEY).await.as_deref(),
        Some(&b"last"[..]),
        "another key's record took its place"
    );
    // Times are those that a client reckons with: never too long to hold.
    for keep in [2 * DAY, Duration::MAX] {
        put(one, KEY, b"kept".to_vec(), keep).await;
        assert_eq!(got(two, KEY).await.as_deref(), Some(&b"kept"[..]), "kept for {keep:?}");
    }
}

async fn leases(one: &impl Store, two: &impl Store) {
    let held = asked(one, KEY, DAY).await.expect("nobody has the lease, and it is refused");
    assert_eq!(asked(two, KEY, DAY).await, None, "two have one lease");
    assert!(asked(two, "http://other.example", DAY).await.is_some(), "a lease is one key's alone");
    renewed(one, held, true, "a lease that is held").await;
    released(two, Lease(held.0.wrapping_add(1))).await;
    assert_eq!(asked(two, KEY, DAY).await, None, "another's lease was given back");
    released(one, held).await;
    let second = asked(two, KEY, SHORT).await.expect("it was given back, and is refused");
    renewed(one, held, false, "a lease that another has now").await;
    // It ends by itself, and lasts as long as it is renewed.
    for _ in 0..4 {
        tokio::time::sleep(SHORT / 2).await;
        renewed(two, second, true, "a lease that is renewed in time").await;
    }
    assert_eq!(asked(one, KEY, DAY).await, None, "a lease that is renewed has ended");
    tokio::time::sleep(SHORT + SHORT / 2).await;
    renewed(two, second, false, "a lease that has ended").await;
    let third = asked(one, KEY, Duration::MAX).await.expect("it has ended, and is refused");
    released(two, second).await;
    assert_eq!(asked(two, KEY, DAY).await, None, "a lease that has ended took another with it");
    released(one, third).await;
}

const SHORT: Duration = Duration::from_millis(400);

async fn asked(store: &impl Store, key: &str, time: Duration) -> Option<Lease> {
    store.lease(key, time).await.unwrap_or_else(|error| panic!("it gives no lease: {error}"))
}

async fn renewed(store: &impl Store, lease: Lease, expected: bool, what: &str) {
    let renewed = store.renew(KEY, lease, SHORT).await;
    let renewed = renewed.unwrap_or_else(|error| panic!("it renews no lease: {error}"));
    assert_eq!(renewed, expected, "renewing {what}");
}

async fn released(store: &impl Store, lease: Lease) {
    let released = store.release(KEY, lease).await;
    released.unwrap_or_else(|error| panic!("it takes no lease back: {error}"));
}

async fn put(store: &impl Store, key: &str, record: Vec<u8>, keep: Duration) {
    let put = store.put(key, record, keep).await;
    put.unwrap_or_else(|error| panic!("it does not keep a record: {error}"));
}

async fn got(store: &impl Store, key: &str) -> Option<Vec<u8>> {
    store.get(key).await.unwrap_or_else(|error| panic!("it cannot be read: {error}"))
}
