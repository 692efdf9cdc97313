//! Measures verdicts from memory in four ways: by the client, by the handle of an origin, by the rules alone, and by
//! code that some crawlers use instead of a client.
//!
//! Start at [`measure()`]. In a round, every way answers the same shuffled questions twice. Only the second pass is
//! timed, so that the processor's caches already contain the data that this way reads. Each round checks that the first
//! three ways allow the same number of URLs. Ratios and differences are computed for each round, and their median is
//! reported.

use std::collections::HashMap;
use std::hint::black_box;
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::Instant;

use moka::sync::Cache;
use robots_fetch::Client;
use texting_robots::Robot;
use tokio::task::JoinSet;
use url::Url;

use crate::corpus;
use crate::server::Server;
use crate::table::{Row, median};

const PATHS: [&str; 4] =
    ["/", "/private/x", "/articles/2024/some-title?page=2", "/search?q=robots&lang=en"];

/// The two measured numbers of origins. All origins of a measurement are in memory. The data of 200 origins fits into
/// the caches of a processor, and the data of all origins does not.
const ORIGINS: [u32; 2] = [200, corpus::FILES];

pub(crate) async fn measure(
    server: &Server,
    quick: bool,
) -> Result<Vec<Row>, Box<dyn std::error::Error>> {
    let mut rows = Vec::new();
    for origins in ORIGINS {
        rows.extend(of(origins, server, quick).await?);
        rows.extend(in_python(origins, quick)?);
    }
    Ok(rows)
}

/// Measures the cache of the Python package `fastrobots`. `ROBOTS_PYTHON` must name a Python that has the package.
fn in_python(origins: u32, quick: bool) -> Result<Option<Row>, Box<dyn std::error::Error>> {
    let Ok(python) = std::env::var("ROBOTS_PYTHON") else {
        eprintln!("not run: fastrobots' cache, because ROBOTS_PYTHON names no Python that has it");
        return Ok(None);
    };
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/fastrobots_cache.py");
    let files: HashMap<String, &str> =
        (0..origins).map(|number| (name(number), corpus::of(number))).collect();
    let mut urls: Vec<String> = (0..origins)
        .flat_map(|number| PATHS.map(|path| format!("{}{path}", name(number))))
        .collect();
    fastrand::Rng::with_seed(7).shuffle(&mut urls);
    let task =
        serde_json::json!({ "files": files, "urls": urls, "rounds": if quick { 11 } else { 51 } });
    let mut child =
        Command::new(python).arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let mut input = child.stdin.take().ok_or("the script has no standard input")?;
    writeln!(input, "{task}")?;
    drop(input);
    let output = child.wait_with_output()?;
    let printed = String::from_utf8(output.stdout)?;
    let (version, time) = printed.trim().split_once(' ').ok_or("the script said nothing")?;
    let time: f64 = time.parse()?;
    let what = format!(
        "{origins} origins in memory: PyPI fastrobots {version}, `RobotsCache.allowed`, from Python"
    );
    Ok(Some(Row::new(what, format!("{time:.0} ns"))))
}

async fn of(
    origins: u32,
    server: &Server,
    quick: bool,
) -> Result<Vec<Row>, Box<dyn std::error::Error>> {
    let client = client()?;
    // The records belong to host names, as in real crawls. The client cannot fetch from these hosts, so it reads the
    // records from a store.
    let store = robots_fetch::store::Memory::of_octets(1 << 30);
    let named =
        robots_fetch::Client::builder("examplebot").no_proxy().store(store.clone()).build()?;
    let mut questions = Vec::new();
    let mut handles = Vec::new();
    for number in 0..origins {
        let url = server.origin(number);
        let there = client.origin(&url).await?;
        let name = name(number);
        let mut record = there.record().clone();
        record.key.clone_from(&name);
        robots_fetch::store::Store::put(
            &store,
            &name,
            record.to_octets(),
            std::time::Duration::MAX,
        )
        .await?;
    }
    for number in 0..origins {
        let name = name(number);
        handles.push(named.origin(&name).await?);
        questions.extend(PATHS.map(|path| (number as usize, name.len(), format!("{name}{path}"))));
    }
    // The ways are measured one after the other, because a normal program uses only one of them, and the processor's
    // caches contain only its data.
    let bare: Cache<String, u64> = Cache::builder().max_capacity(1 << 20).build();
    for number in 0..origins {
        bare.insert(name(number), u64::from(number));
    }
    let mut common = HashMap::new();
    for number in 0..origins {
        common.insert(name(number), Robot::new("examplebot", corpus::of(number).as_bytes())?);
    }
    assert_eq!(named.counts().requests, 0, "the store had them all");
    fastrand::Rng::with_seed(7).shuffle(&mut questions);
    let common = Mutex::new(common);
    let rounds = if quick { 11 } else { 51 };
    let mut times: [Vec<f64>; 5] = Default::default();
    let mut counts = [0_u64; 5];
    /// Asks every question twice and times the second pass, so that the processor's caches already contain the data
    /// that this way reads.
    macro_rules! pass {
        ($place:literal, ($number:pat, $length:pat, $url:ident) => $answer:expr) => {
            for is_timed in [false, true] {
                let (began, mut count) = (Instant::now(), 0);
                for ($number, $length, $url) in &questions {
                    count += u64::from($answer);
                }
                if is_timed {
                    times[$place].push(began.elapsed().as_nanos() as f64 / questions.len() as f64);
                    counts[$place] = black_box(count);
                }
            }
        };
    }
    for _ in 0..rounds {
        pass!(0, (_, _, url) => named.verdict(url).await?.is_allowed());
        pass!(1, (number, _, url) => handles[*number].verdict(url)?.is_allowed());
        pass!(2, (number, _, url) => {
            let rules = handles[*number].rules().ok_or("every file has rules")?;
            rules.verdict(url).is_allowed()
        });
        pass!(3, (_, length, url) => bare.get(&url[..*length]).ok_or("not there")?);
        pass!(4, (_, _, url) => {
            let key = Url::parse(url)?.origin().ascii_serialization();
            let common = common.lock().map_err(|_| "poisoned")?;
            common.get(&key).ok_or("not there")?.allowed(url)
        });
        assert_eq!((counts[0], counts[1]), (counts[2], counts[2]));
    }
    let over: Vec<f64> =
        (0..rounds).map(|round| times[0][round] - times[2][round] - times[3][round]).collect();
    let handle: Vec<f64> = (0..rounds).map(|round| times[1][round] / times[2][round]).collect();
    let people: Vec<f64> = (0..rounds).map(|round| times[4][round] / times[0][round]).collect();
    let (over, handle, people) = (median(over), median(handle), median(people));
    let [verdict, by_handle, rules, get, common] = times.map(median);
    let at_once = sixteen(&named, &questions).await?;
    let row =
        |what: &str, found: String| Row::new(format!("{origins} origins in memory: {what}"), found);
    Ok(vec![
        row("`RuleSet::verdict`", format!("{rules:.0} ns")),
        row("moka `get` of the same key", format!("{get:.0} ns")),
        row("`client.verdict(url).await`", format!("{verdict:.0} ns")),
        row(
            "`client.verdict(url).await`, beyond `RuleSet::verdict` and moka",
            format!("{over:.0} ns"),
        )
        .wanted("≤ 150 ns", over <= 150.0),
        row(
            "`origin.verdict(url)` of a handle, against `RuleSet::verdict`",
            format!("{handle:.2} × ({by_handle:.0} ns)"),
        )
        .wanted("≤ 1.2 ×", handle <= 1.2),
        row(
            "`HashMap<String, texting_robots::Robot>` under a mutex, against `client.verdict`",
            format!("{people:.2} × ({common:.0} ns)"),
        ),
        row("16 tasks at once, each verdict", format!("{at_once:.0} ns")),
    ])
}

fn name(number: u32) -> String {
    format!("https://www.host-{number}.example")
}

async fn sixteen(
    client: &robots_fetch::Client,
    questions: &[(usize, usize, String)],
) -> Result<f64, Box<dyn std::error::Error>> {
    let urls: std::sync::Arc<Vec<String>> =
        std::sync::Arc::new(questions.iter().map(|(_, _, url)| url.clone()).collect());
    let began = Instant::now();
    let mut tasks = JoinSet::new();
    for _ in 0..16 {
        let (client, urls) = (client.clone(), std::sync::Arc::clone(&urls));
        tasks.spawn(async move {
            let mut allowed = 0_u32;
            for url in urls.iter() {
                allowed +=
                    u32::from(client.verdict(url).await.is_ok_and(|verdict| verdict.is_allowed()));
            }
            allowed
        });
    }
    while let Some(done) = tasks.join_next().await {
        black_box(done?);
    }
    Ok(began.elapsed().as_nanos() as f64 / (16 * urls.len()) as f64)
}

pub(crate) fn client() -> Result<Client, robots_fetch::Error> {
    Client::builder("examplebot").no_proxy().memory(1 << 30).build()
}
