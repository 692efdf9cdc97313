//! Verdicts of what is in memory: of the client, of a handle, of the rules alone, and as people write it.

use std::collections::HashMap;
use std::hint::black_box;
use std::sync::Mutex;
use std::time::Instant;

use moka::sync::Cache;
use texting_robots::Robot;
use tokio::task::JoinSet;
use url::Url;

use crate::server::Server;
use crate::{Row, client, corpus, median};

const PATHS: [&str; 4] = ["/", "/private/x", "/articles/2024/some-title?page=2", "/search?q=robots&lang=en"];

pub(crate) async fn measure(server: &Server, quick: bool) -> Result<Vec<Row>, Box<dyn std::error::Error>> {
    let client = client()?;
    // Names, as crawlers have them; they are put into memory by way of a store.
    let store = robots_fetch::store::Memory::of_octets(1 << 30);
    let named = robots_fetch::Client::builder("examplebot").no_proxy().store(store.clone()).build()?;
    let mut questions = Vec::new();
    let mut handles = Vec::new();
    let bare: Cache<String, u64> = Cache::builder().max_capacity(1 << 20).build();
    let mut common = HashMap::new();
    for number in 0..corpus::FILES {
        let url = server.origin(number);
        let there = client.origin(&url).await?;
        let name = format!("https://www.host-{number}.example");
        let mut record = there.record().clone();
        record.key.clone_from(&name);
        robots_fetch::store::Store::put(&store, &name, record.to_octets(), std::time::Duration::MAX)
            .await?;
        handles.push(named.origin(&name).await?);
        bare.insert(name.clone(), u64::from(number));
        common.insert(name.clone(), Robot::new("examplebot", corpus::of(number).as_bytes())?);
        questions.extend(PATHS.map(|path| (number as usize, name.len(), format!("{name}{path}"))));
    }
    assert_eq!(named.counts().requests, 0, "the store had them all");
    fastrand::Rng::with_seed(7).shuffle(&mut questions);
    let common = Mutex::new(common);
    let rounds = if quick { 11 } else { 51 };
    let mut times: [Vec<f64>; 5] = Default::default();
    for _ in 0..rounds {
        let each = questions.len() as f64;
        let mut allowed = [0_u32; 5];
        let mut note = |place: usize, began: Instant, count: u32| {
            times[place].push(began.elapsed().as_nanos() as f64 / each);
            allowed[place] = count;
        };
        let began = Instant::now();
        let mut count = 0;
        for (_, _, url) in &questions {
            count += u32::from(named.verdict(url).await?.is_allowed());
        }
        note(0, began, count);
        let (began, mut count) = (Instant::now(), 0);
        for (number, _, url) in &questions {
            count += u32::from(handles[*number].verdict(url)?.is_allowed());
        }
        note(1, began, count);
        let (began, mut count) = (Instant::now(), 0);
        for (number, _, url) in &questions {
            let rules = handles[*number].rules().ok_or("every file has rules")?;
            count += u32::from(rules.verdict(url).is_allowed());
        }
        note(2, began, count);
        let (began, mut sum) = (Instant::now(), 0);
        for (_, length, url) in &questions {
            sum += black_box(bare.get(&url[..*length])).unwrap_or_default();
        }
        black_box(sum);
        note(3, began, 0);
        let (began, mut count) = (Instant::now(), 0);
        for (_, _, url) in &questions {
            let parsed = Url::parse(url)?;
            let key = parsed.origin().ascii_serialization();
            let common = common.lock().map_err(|_| "poisoned")?;
            count += u32::from(common.get(&key).ok_or("not there")?.allowed(url));
        }
        note(4, began, count);
        assert_eq!((allowed[0], allowed[1]), (allowed[2], allowed[2]));
    }
    let over: Vec<f64> =
        (0..rounds).map(|round| times[0][round] - times[2][round] - times[3][round]).collect();
    let handle: Vec<f64> = (0..rounds).map(|round| times[1][round] / times[2][round]).collect();
    let people: Vec<f64> = (0..rounds).map(|round| times[4][round] / times[0][round]).collect();
    let (over, handle, people) = (median(over), median(handle), median(people));
    let [verdict, by_handle, rules, get, common] = times.map(median);
    let at_once = sixteen(&named, &questions).await?;
    Ok(vec![
        Row::told("`RuleSet::verdict`", format!("{rules:.0} ns")),
        Row::told("moka `get` of the same key", format!("{get:.0} ns")),
        Row::told("`client.verdict(url).await` of what is in memory", format!("{verdict:.0} ns")),
        Row::told("… beyond the two above", format!("{over:.0} ns"))
            .wanted("≤ 150 ns", over <= 150.0),
        Row::told(
            "`origin.verdict(url)` of a handle, against `RuleSet::verdict`",
            format!("{handle:.2} × ({by_handle:.0} ns)"),
        )
        .wanted("≤ 1.2 ×", handle <= 1.2),
        Row::told(
            "`HashMap<String, texting_robots::Robot>` under a mutex, against `client.verdict`",
            format!("{people:.2} × ({common:.0} ns)"),
        ),
        Row::told("16 tasks at once, each verdict", format!("{at_once:.0} ns")),
    ])
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
                allowed += u32::from(client.verdict(url).await.is_ok_and(|verdict| verdict.is_allowed()));
            }
            allowed
        });
    }
    while let Some(done) = tasks.join_next().await {
        black_box(done?);
    }
    Ok(began.elapsed().as_nanos() as f64 / (16 * urls.len()) as f64)
}
