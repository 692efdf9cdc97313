//! Tests stores under stress: with a process that is killed while it writes, a damaged file, a full disk, a server that
//! disappears or hangs, and many processes.
//!
//! The test binary starts itself as other processes. `ROBOTS_FETCH_ROLE` sets the role of such a process.

mod events;
mod servers;

use std::env;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::sleep;
use std::time::{Duration, Instant};

use robots_fetch::record::Record;
use robots_fetch::retrieval::{Body, Response, Retrieval};
use robots_fetch::store::{BlockingStore, Memory, Redb, Redis, Store, contract};
use robots_fetch::{CacheKey, Client, Settings, blocking};
use robots_test_web::{Sites, Web};

use crate::events::Events;
use crate::servers::Server;

/// Starts this binary again, for one of its tests and with a role for the process.
fn itself(test: &str, role: &str, with: &str) -> Command {
    let mut command = Command::new(env::current_exe().unwrap());
    command.args([test, "--exact", "--nocapture", "--test-threads=1"]);
    command.env("ROBOTS_FETCH_ROLE", role).env("ROBOTS_FETCH_WITH", with);
    command.stdout(Stdio::piped()).stdin(Stdio::null());
    command
}

fn role() -> Option<(String, String)> {
    Some((env::var("ROBOTS_FETCH_ROLE").ok()?, env::var("ROBOTS_FETCH_WITH").ok()?))
}

/// Returns the reports of a child process: the text after `says` of each line.
fn reports(child: &mut Child) -> impl Iterator<Item = String> + use<> {
    let lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    lines.filter_map(|line| Some(line.split_once("says ")?.1.to_owned()))
}

/// Returns the record of a file that forbids everything, with a number in a comment.
fn forbidding(key: &str, number: u64) -> Record {
    let (key, settings) = (CacheKey::of(key).unwrap(), Settings::default());
    let mut retrieval = Retrieval::new(&key, &settings, "examplebot", None);
    let filling = "# filling\n".repeat(usize::try_from(number % 97).unwrap() * 10);
    let body = format!("user-agent: *\n{filling}disallow: /\n# {number}\n");
    retrieval.answered(
        Response::new(200, []).with_body(Body::of(body)),
        Duration::from_secs(1_000_000_000),
    );
    retrieval.into_record().unwrap()
}

fn number(record: &Record) -> u64 {
    let body = String::from_utf8(record.copy.clone().unwrap().body).unwrap();
    assert!(body.contains("\ndisallow: /\n"), "{body}");
    body.rsplit_once("# ").unwrap().1.trim().parse().unwrap()
}

const KEYS: u64 = 7;

fn key(number: u64) -> String {
    format!("http://host{}.example", number % KEYS)
}

fn write_for_ever(path: &Path) -> ! {
    let store = Redb::open(path).unwrap();
    let mut next = (0..KEYS)
        .filter_map(|n| BlockingStore::get(&store, &key(n)).unwrap())
        .map(|record| number(&Record::from_octets(&record).unwrap()))
        .max()
        .map_or(0, |last| last + 1);
    loop {
        let record = forbidding(&key(next), next).to_octets();
        store.put_all([(key(next), record)]).unwrap();
        println!("says {next}");
        next += 1;
    }
}

/// If a process is killed, records that were already written survive. A write that was interrupted is complete, or has
/// no effect. `ROBOTS_KILLS` sets the number of kills; the full tier of ci uses 500.
#[test]
fn a_file_survives_a_kill() {
    const NAME: &str = "a_file_survives_a_kill";
    if let Some((_, path)) = role() {
        write_for_ever(Path::new(&path));
    }
    let kills = env::var("ROBOTS_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(6);
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("robots.redb");
    let mut written = 0;
    for kill in 0..kills {
        let mut child = itself(NAME, "write", path.to_str().unwrap()).spawn().unwrap();
        let mut lines = reports(&mut child);
        let first = lines.next().expect("it writes");
        // Kill the process in the middle of a write, each time at a different point.
        sleep(Duration::from_micros(1_000 + 7_919 * kill % 40_000));
        child.kill().unwrap();
        child.wait().unwrap();
        let last: u64 = lines.last().unwrap_or(first).parse().unwrap();

        let store = Redb::open(&path).unwrap();
        let mut newest = 0;
        for n in 0..KEYS {
            let Some(octets) = BlockingStore::get(&store, &key(n)).unwrap() else {
                assert!(n > last, "host{n} is lost");
                continue;
            };
            let record = Record::from_octets(&octets).unwrap();
            assert_eq!(record.key, key(n));
            let found = number(&record);
            assert_eq!(found % KEYS, n);
            // For each key, only the last write may be missing, and only if the process did not report it.
            assert!(found + KEYS > last, "kill {kill}: {found} of {last}");
            newest = newest.max(found);
        }
        assert!(newest >= last, "kill {kill}: {newest} of {last}");
        written = newest;
    }
    eprintln!("{kills} kills, {written} writes");
}

#[test]
fn a_file_that_is_none_is_refused_and_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("robots.redb");
    std::fs::write(&path, "this is a letter to a friend\n".repeat(500)).unwrap();
    let error = Redb::open(&path).unwrap_err().to_string();
    assert!(error.contains("robots.redb"), "{error}");
    assert!(std::fs::read_to_string(&path).unwrap().starts_with("this is a letter"));

    let path = dir.path().join("open.redb");
    let _open = Redb::open(&path).unwrap();
    let error = Redb::open(&path).unwrap_err().to_string();
    assert!(error.contains("share that store"), "{error}");
}

/// Makes a file of records that forbid everything, closes it, and returns its octets.
fn closed_file(path: &Path) -> Vec<u8> {
    let store = Redb::open(path).unwrap();
    store
        .put_all((0..40).map(|n| {
            (
                format!("http://host{n}.example"),
                forbidding(&format!("http://host{n}.example"), n).to_octets(),
            )
        }))
        .unwrap();
    drop(store);
    std::fs::read(path).unwrap()
}

/// Opens a damaged file. If opening shows the damage, the store moves the file aside and begins a new file.
fn opened(path: &Path, octets: &[u8], what: &str) -> Redb {
    std::fs::write(path, octets).unwrap();
    loop {
        match Redb::open(path).map_err(|error| error.to_string()) {
            Ok(store) => return store,
            // A process that another test starts may have the lock for a moment.
            Err(error) if error.contains("another process") => sleep(Duration::from_millis(1)),
            Err(error) => panic!("{what}: {error}"),
        }
    }
}

/// Opens a damaged file and reads all of it. For each record, the result must be an error, no record, or the record
/// that was written. After an error, the file must have been moved aside, and the store must work. Returns whether the
/// file opens.
fn opens(path: &Path, octets: &[u8], what: &str) -> bool {
    let store = opened(path, octets, what);
    let opens = store.moved_aside().is_none();
    for n in 0..40 {
        let key = format!("http://host{n}.example");
        match BlockingStore::get(&store, &key) {
            Ok(None) => {}
            Ok(Some(octets)) => {
                // Each record has a checksum.
                let Ok(record) = Record::from_octets(&octets) else { continue };
                assert_eq!((&record.key, number(&record)), (&key, n), "{what}");
            }
            Err(error) => assert!(store.moved_aside().is_some(), "{what}: {error}"),
        }
    }
    let put = || store.put_all([("http://new.example".to_owned(), b"new".to_vec())]);
    // The write may find damage that no read found.
    put().or_else(|_| put()).unwrap_or_else(|error| panic!("{what}: {error}"));
    let new = BlockingStore::get(&store, "http://new.example");
    assert_eq!(new.unwrap().as_deref(), Some(&b"new"[..]), "{what}");
    opens
}

/// Wherever a file is cut, the store begins a new file or has fewer records.
#[test]
fn a_file_that_was_cut_is_replaced_or_has_less() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("robots.redb");
    let whole = closed_file(&path);
    let page = 4096;
    // In a shorter file, redb's mark is not complete.
    let lengths = (9..64)
        .step_by(7)
        .chain((64..4 * page).step_by(2003))
        .chain((4 * page..whole.len()).step_by(page * 41 + 1));
    let opened =
        lengths.filter(|length| opens(&path, &whole[..*length], &format!("cut at {length}")));
    assert!(opened.count() < 40);
    assert!(opens(&path, &whole, "whole"));
}

#[test]
fn a_file_with_a_changed_bit_is_replaced_or_has_less() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("robots.redb");
    let mut octets = closed_file(&path);
    let used = octets.iter().rposition(|octet| *octet != 0).unwrap();
    let mut opened = 0;
    // First the octets of the header after redb's mark are changed, and then octets of the pages.
    let places: Vec<usize> = (10..320).step_by(5).chain((320..used).step_by(10_007)).collect();
    for place in &places {
        let bit = 1 << (place % 8);
        octets[*place] ^= bit;
        opened += usize::from(opens(&path, &octets, &format!("octet {place}")));
        octets[*place] ^= bit;
    }
    assert!((1..places.len()).contains(&opened), "{opened} of {}", places.len());
}

/// With a damaged file, the client gives the same verdict as a client without a store. The damage is an event, the
/// damaged file is kept beside the new one, and the next client finds the record in the new file.
#[test]
fn a_damaged_file_costs_a_request_and_no_answer() {
    let sites = "main: { robots: \"user-agent: *\\ndisallow: /private\\n\" }";
    let web = Web::start(&Sites::from_yaml(sites).unwrap()).unwrap();
    let url = web.expand("{main}/private");
    let dir = tempfile::tempdir().unwrap();
    let (path, moved) = (dir.path().join("robots.redb"), dir.path().join("robots.redb.damaged"));
    let ask = |store: &Redb| {
        let client = blocking::Client::builder("examplebot").store(store.clone()).no_proxy();
        let client = client.build().unwrap();
        assert!(!client.verdict(&url).unwrap().is_allowed());
        client.counts().store_errors
    };
    assert_eq!(ask(&Redb::open(&path).unwrap()), 0);
    let whole = std::fs::read(&path).unwrap();
    let events = Arc::new(Mutex::new(Vec::new()));
    let event = Arc::clone(&events);
    let subscriber = Events(move |line: &str| event.lock().unwrap().push(line.to_owned()));
    tracing::subscriber::set_global_default(subscriber).unwrap();
    let (mut at_once, mut later) = (0, 0);
    // The faults are at the start of the first page after the header. redb opens a file with most of these faults, and
    // panics at some of them when it looks for a record.
    for at in (4096..4160).step_by(3) {
        let mut octets = whole.clone();
        octets[at] ^= 0xff;
        let requests = web.log().len();
        events.lock().unwrap().clear();
        let store = opened(&path, &octets, &format!("octet {at}"));
        let opens = store.moved_aside().is_none();
        let errors = ask(&store);
        if store.moved_aside().is_none() {
            continue;
        }
        at_once += usize::from(!opens);
        later += usize::from(opens);
        assert_eq!(errors, u64::from(opens), "octet {at}");
        assert_eq!(web.log().len(), requests + 1, "octet {at}");
        assert_eq!(std::fs::read(&moved).unwrap().len(), octets.len(), "octet {at}");
        let events = events.lock().unwrap();
        let place = moved.to_str().unwrap();
        assert!(events.iter().any(|event| event.contains("moved aside") && event.contains(place)));
        drop(events);
        assert_eq!(ask(&store), 0, "octet {at}");
        assert_eq!(web.log().len(), requests + 1, "octet {at}");
    }
    assert!(at_once > 0 && later > 0, "{at_once} at once, {later} later");
}

#[test]
fn old_records_can_be_removed() {
    let dir = tempfile::tempdir().unwrap();
    let store = Redb::open(dir.path().join("robots.redb")).unwrap();
    let octets = forbidding("http://old.example", 1).to_octets();
    store.put_all([("http://old.example".to_owned(), octets)]).unwrap();
    store.put_all([("http://broken.example".to_owned(), b"broken".to_vec())]).unwrap();
    assert_eq!(store.remove_before(Duration::from_secs(1)).unwrap(), 1);
    assert_eq!(store.remove_before(Duration::from_secs(2_000_000_000)).unwrap(), 1);
    assert_eq!(BlockingStore::get(&store, "http://old.example").unwrap(), None);
}

fn client(redis: &str) -> Client {
    let store = Redis::open(redis).unwrap();
    Client::builder("examplebot").store(store).no_proxy().build().unwrap()
}

#[tokio::test]
async fn many_processes_make_one_request() {
    const NAME: &str = "many_processes_make_one_request";
    if let Some((redis, url)) = role() {
        let allowed = client(&redis).verdict(&url).await.unwrap().is_allowed();
        println!("says {allowed}");
        return;
    }
    let Some(server) = Server::start() else { return };
    let sites =
        "main: { robots: { text: \"user-agent: *\\ndisallow: /private\\n\", delay: 1500 } }";
    let web = Web::start(&Sites::from_yaml(sites).unwrap()).unwrap();
    let url = web.expand("{main}/private");
    let mut children: Vec<_> =
        (0..4).map(|_| itself(NAME, &server.url(), &url).spawn().unwrap()).collect();
    for child in &mut children {
        assert_eq!(reports(child).last().as_deref(), Some("false"));
        assert!(child.wait().unwrap().success());
    }
    assert_eq!(web.log().len(), 1);
}

/// Every store must fulfil the contract of `robots_fetch::store`.
#[tokio::test]
async fn every_store_keeps_the_contract() {
    let memory = Memory::of_octets(1 << 24);
    contract::check(|| memory.clone(), false).await;
    let dir = tempfile::tempdir().unwrap();
    let redb = Redb::open(dir.path().join("robots.redb")).unwrap();
    contract::check(|| redb.clone(), false).await;
    let Some(server) = Server::start() else { return };
    contract::check(|| Redis::open(&server.url()).unwrap(), true).await;
}

#[tokio::test]
async fn a_record_ends_by_itself_on_a_server() {
    let Some(server) = Server::start() else { return };
    let store = Redis::open(&server.url()).unwrap();
    store.put("k", b"v".to_vec(), Duration::from_millis(200)).await.unwrap();
    assert_eq!(store.get("k").await.unwrap().as_deref(), Some(&b"v"[..]));
    // The Redis store limits an endless lifetime to ten years.
    store.put("far", b"v".to_vec(), Duration::MAX).await.unwrap();
    assert!(store.lease("far", Duration::MAX).await.unwrap().is_some());
    let other = Redis::open(&server.url()).unwrap().prefix("other ");
    assert_eq!(other.get("k").await.unwrap(), None);
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(store.get("k").await.unwrap(), None);
}

/// A server stores values of up to 512 MiB. A client does not receive a value that is too long for a record.
#[tokio::test]
async fn a_value_that_is_too_long_is_not_read() {
    let Some(server) = Server::start() else { return };
    let address = server.url().replace("redis://", "").replace('/', "");
    let mut other = TcpStream::connect(address).unwrap();
    // SETRANGE fills the value with zeros up to this place.
    other.write_all(b"SETRANGE \"robots.txt k\" 16777216 x\r\n").unwrap();
    let mut length = [0; 11];
    other.read_exact(&mut length).unwrap();
    assert_eq!(&length, b":16777217\r\n");
    let store = Redis::open(&server.url()).unwrap();
    let length = store.get("k").await.map(|record| record.map(|record| record.len()));
    let error = length.unwrap_err().to_string();
    assert!(error.contains("too long for a record"), "{error}");
    assert!(store.put("k", vec![0; (16 << 20) + 1], Duration::MAX).await.is_err());
    let longest = vec![b'x'; 16 << 20];
    store.put("k", longest.clone(), Duration::MAX).await.unwrap();
    assert!(store.get("k").await.unwrap().is_some_and(|record| record == longest));
}

/// If a server sends a value that is too long all the same, the connection ends at the announcement of its length.
#[tokio::test]
async fn a_value_that_is_too_long_is_not_kept() {
    const ALL: usize = 512 << 20;
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("redis://{}/", listener.local_addr().unwrap());
    let server = std::thread::spawn(move || {
        let (mut stream, mut octets) = (listener.accept().unwrap().0, [0; 4096]);
        loop {
            let length = stream.read(&mut octets).unwrap();
            let commands = String::from_utf8_lossy(&octets[..length]);
            if commands.contains("EVAL") {
                break;
            }
            for _ in commands.matches("SETINFO") {
                stream.write_all(b"+OK\r\n").unwrap();
            }
        }
        stream.write_all(format!("${ALL}\r\n").as_bytes()).unwrap();
        let filling = vec![b'x'; 1 << 16];
        (0..ALL).step_by(filling.len()).take_while(|_| stream.write_all(&filling).is_ok()).count()
    });
    let store = Redis::open(&url).unwrap();
    let error = store.get("k").await.unwrap_err().to_string();
    assert!(error.contains("too long for a record"), "{error}");
    let sent = server.join().unwrap() << 16;
    assert!(sent < 32 << 20, "the store read up to {sent} octets");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_goes_away_costs_requests_and_no_answer() {
    let Some(mut server) = Server::start() else {
        return;
    };
    let sites: String = (0..20)
        .map(|n| format!("s{n}: {{ robots: \"user-agent: *\\ndisallow: /private\\n\" }}\n"))
        .collect();
    let web = Web::start(&Sites::from_yaml(&sites).unwrap()).unwrap();
    let client = client(&server.url());
    let asked = async |site: u32| {
        let url = web.expand(&format!("{{s{site}}}/private"));
        !client.verdict(&url).await.unwrap().is_allowed()
    };
    assert!(asked(0).await);
    assert_eq!(client.counts().store_errors, 0);
    server.stop();
    assert!(asked(1).await);
    assert!(client.counts().store_errors > 0);
    server.restart();
    // The client uses the store again by itself.
    let store = Redis::open(&server.url()).unwrap();
    let mut asked_for = 2;
    for site in 2..20 {
        assert!(asked(site).await);
        asked_for += 1;
        let key = web.url(&format!("s{site}")).unwrap().to_owned();
        if Store::get(&store, &key).await.unwrap().is_some() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    assert!(asked_for < 20, "the client never uses the store again");
    assert_eq!(web.log().len(), asked_for);
}

/// A client that skips a failing store tries it again after pauses of up to thirty seconds. So the try after the server
/// is back must succeed.
#[tokio::test(flavor = "multi_thread")]
async fn the_first_read_after_a_server_is_back_succeeds() {
    let Some(mut server) = Server::start() else { return };
    let store = Redis::open(&server.url()).unwrap();
    assert_eq!(store.get("k").await.unwrap(), None);
    server.stop();
    for _ in 0..3 {
        assert!(store.get("k").await.is_err());
        // In the meantime, the connection that the failed read started fails too.
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    server.restart();
    assert_eq!(store.get("k").await.unwrap(), None);
}

#[tokio::test]
async fn a_server_that_is_not_there_costs_requests_and_no_answer() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let sites = "main: { robots: \"user-agent: *\\ndisallow: /private\\n\" }";
    let web = Web::start(&Sites::from_yaml(sites).unwrap()).unwrap();
    let client = client(&format!("redis://127.0.0.1:{port}/"));
    let url = web.expand("{main}/private");
    assert!(!client.verdict(&url).await.unwrap().is_allowed());
    assert_eq!(web.log().len(), 1);
}

/// If the store's server disappears while a robots.txt is being fetched, the record is not stored, but the caller gets
/// its answer.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_goes_away_in_the_middle_costs_no_answer() {
    let Some(mut server) = Server::start() else { return };
    let sites =
        "main: { robots: { text: \"user-agent: *\\ndisallow: /private\\n\", delay: 1000 } }";
    let web = Web::start(&Sites::from_yaml(sites).unwrap()).unwrap();
    let client = client(&server.url());
    let url = web.expand("{main}/private");
    let (asking, asked) = (client.clone(), url.clone());
    let answer = tokio::spawn(async move { asking.verdict(&asked).await.unwrap().is_allowed() });
    while web.log().is_empty() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(client.counts().store_errors, 0);
    server.stop();
    assert!(!answer.await.unwrap());
    assert!(client.counts().store_errors > 0);
    assert!(!client.verdict(&url).await.unwrap().is_allowed());
    assert_eq!(web.log().len(), 1);
}

/// If a process dies while it asks about many origins, another process waits only seconds for its leases, even if the
/// requests of the dead process could have taken much longer.
#[tokio::test]
async fn a_process_that_dies_with_leases_is_not_waited_for() {
    const NAME: &str = "a_process_that_dies_with_leases_is_not_waited_for";
    const ORIGINS: usize = 20;
    async fn ask(redis: &str, urls: &[String]) -> Vec<bool> {
        let client = client(redis);
        let asked = urls.iter().cloned().map(|url| {
            let client = client.clone();
            tokio::spawn(async move { client.verdict(&url).await.unwrap().evidence().is_some() })
        });
        let mut answers = Vec::new();
        for answer in asked.collect::<Vec<_>>() {
            answers.push(answer.await.unwrap());
        }
        answers
    }
    if let Some((redis, urls)) = role() {
        ask(&redis, &urls.split(' ').map(str::to_owned).collect::<Vec<_>>()).await;
        return;
    }
    let Some(server) = Server::start() else { return };
    let sites: String = (0..ORIGINS)
        .map(|n| {
            format!(
                "s{n}: {{ robots: [ {{ fault: hang }}, \"user-agent: *\\ndisallow: /x\\n\" ] }}\n"
            )
        })
        .collect();
    let web = Web::start(&Sites::from_yaml(&sites).unwrap()).unwrap();
    let urls: Vec<String> = web.origins().map(|(_, url)| format!("{url}/x")).collect();
    let mut child = itself(NAME, &server.url(), &urls.join(" ")).spawn().unwrap();
    while web.log().len() < ORIGINS {
        sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let began = Instant::now();
    assert_eq!(ask(&server.url(), &urls).await, [true; ORIGINS]);
    assert_eq!(web.log().len(), 2 * ORIGINS);
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
}

/// If the store's server hangs, questions about many origins need only little more time than without a store.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_hangs_costs_no_rate() {
    let Some(server) = Server::start() else { return };
    let sites: String = (0..300).map(|n| format!("s{n}: {{ robots: 404 }}\n")).collect();
    let web = Web::start(&Sites::from_yaml(&sites).unwrap()).unwrap();
    let client = client(&server.url());
    let mut sites = 0..300;
    let mut ask = async |count: usize| {
        let began = Instant::now();
        for site in sites.by_ref().take(count) {
            let url = web.expand(&format!("{{s{site}}}/"));
            assert!(client.verdict(&url).await.unwrap().is_allowed());
        }
        began.elapsed()
    };
    ask(10).await;
    assert_eq!(client.counts().store_errors, 0);
    server.suspend();
    // The first question notices that the store hangs. This question waits for the time limit of a store, but later
    // questions do not.
    let first = ask(1).await;
    assert!((1..4).contains(&first.as_secs()), "{first:?}");
    let errors = client.counts().store_errors;
    let rest = ask(250).await;
    assert!(rest < Duration::from_secs(2), "{rest:?}");
    assert_eq!(client.counts().store_errors, errors);
    server.resume();
    tokio::time::sleep(Duration::from_secs(9)).await;
    ask(1).await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    let skips = client.counts().store_skips;
    ask(10).await;
    assert_eq!(client.counts().store_skips, skips, "the client uses the store again");
    assert_eq!(web.log().len(), 10 + 1 + 250 + 1 + 10);
}

/// When the client knows that a store hangs or refuses, its rate of new requests is at least nine tenths of the rate
/// with memory alone. The test compares the best of several rounds, because other work on the machine only makes a
/// round slower. If a rate is lower, the test measures again, up to five times in all.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_is_away_costs_no_rate() {
    const ROUNDS: usize = 8;
    const MEASUREMENTS: usize = 5;
    let (Some(hangs), Some(mut refuses)) = (Server::start(), Server::start()) else { return };
    // Records are stale at once, so each question needs a request.
    let sites: String = (0..60)
        .map(|n| {
            format!(
                "s{n}: {{ robots: {{ status: 404, headers: {{ cache-control: max-age=0 }} }} }}\n"
            )
        })
        .collect();
    let web = Web::start(&Sites::from_yaml(&sites).unwrap()).unwrap();
    let urls: Vec<String> = web.origins().map(|(_, url)| format!("{url}/")).collect();
    let builder = || {
        let settings = Settings::default().shortest_life(Duration::ZERO);
        Client::builder("examplebot").settings(settings).no_proxy()
    };
    let stored = |url: &str| builder().store(Redis::open(url).unwrap()).build().unwrap();
    let clients = [builder().build().unwrap(), stored(&hangs.url()), stored(&refuses.url())];
    let round = async |client: &Client| {
        let began = Instant::now();
        for url in &urls {
            assert!(client.verdict(url).await.unwrap().is_allowed());
        }
        began.elapsed()
    };
    for client in &clients {
        round(client).await;
    }
    hangs.suspend();
    refuses.stop();
    // In this round, the clients notice that their stores fail.
    for client in &clients {
        round(client).await;
    }
    let (mut measurements, mut is_kept) = (0, false);
    while !is_kept && measurements < MEASUREMENTS {
        measurements += 1;
        let mut best = [Duration::MAX; 3];
        for _ in 0..ROUNDS {
            for (best, client) in best.iter_mut().zip(&clients) {
                *best = round(client).await.min(*best);
            }
        }
        let [_, hanging, refusing] = best.map(|time| best[0].as_secs_f64() / time.as_secs_f64());
        eprintln!("rate beside memory alone: hanging {hanging:.2} x, refusing {refusing:.2} x");
        is_kept = hanging.min(refusing) >= 0.9;
    }
    hangs.resume();
    assert_eq!(web.log().len(), 60 * 3 * (2 + measurements * ROUNDS));
    assert!(is_kept, "in {measurements} measurements, the rate was lower by more than a tenth");
    for client in &clients[1..] {
        assert!(client.counts().store_skips > 60, "{:?}", client.counts());
    }
}

/// The number of sites whose files fill the disk.
const LARGE: usize = 12;

fn fill(with: &str) {
    let (path, sites) = with.split_once(' ').unwrap();
    let store = Redb::open(path).unwrap();
    let client = blocking::Client::builder("examplebot").store(store).no_proxy().build().unwrap();
    for site in sites.split(' ') {
        let allowed = client.verdict(&format!("{site}/private")).unwrap().is_allowed();
        println!("says {site} {allowed}");
    }
    println!("says {} errors", client.counts().store_errors);
}

/// A limit on the size of files simulates a full disk. Every verdict arrives, and the records that fit are complete.
#[cfg(unix)]
#[test]
fn a_full_disk_costs_requests_and_no_answer() {
    const NAME: &str = "a_full_disk_costs_requests_and_no_answer";
    if let Some((_, with)) = role() {
        return fill(&with);
    }
    let sites: String = (0..LARGE)
        .map(|n| {
            format!(
                "s{n}: {{ robots: {{ parts: [ {{ text: \"user-agent: *\\ndisallow: /private\\n\" }}, \
                 {{ text: \"#\", times: 400000 }} ] }} }}\n"
            )
        })
        .collect();
    let web = Web::start(&Sites::from_yaml(&sites).unwrap()).unwrap();
    let origins: Vec<&str> = web.origins().map(|(_, url)| url).collect();
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("robots.redb");
    let fills = itself(NAME, "fill", &format!("{} {}", path.display(), origins.join(" ")));
    // Three MiB are not enough for all records. A write beyond the limit causes an error, as on a full disk, and not a
    // signal.
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' XFSZ; ulimit -f 6144; exec \"$0\" \"$@\""]);
    command.arg(fills.get_program()).args(fills.get_args());
    command.envs(fills.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let mut child = command.stdout(Stdio::piped()).stdin(Stdio::null()).spawn().unwrap();
    let lines: Vec<String> = reports(&mut child).collect();
    assert!(child.wait().unwrap().success(), "{lines:?}");
    assert_eq!(lines.iter().filter(|line| line.ends_with(" false")).count(), LARGE, "{lines:?}");
    assert!(lines.last().is_some_and(|line| line != "0 errors"), "{lines:?}");
    assert_eq!(web.log().len(), LARGE);

    let store = Redb::open(&path).unwrap();
    let kept = origins.iter().filter_map(|key| BlockingStore::get(&store, key).unwrap());
    let kept = kept.map(|octets| Record::from_octets(&octets).unwrap().copy.unwrap().body.len());
    let kept: Vec<usize> = kept.collect();
    assert!((1..LARGE).contains(&kept.len()), "{kept:?}");
    assert!(kept.iter().all(|len| *len > 400_000), "{kept:?}");
}
