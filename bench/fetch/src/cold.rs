//! Measures questions about origins that are new to the client, and compares them with plain GET requests for the same
//! files.
//!
//! Start at [`measure()`]. In a round, four measurements fetch the same files from the same server. The four
//! measurements are the client; a bare GET of reqwest; a bare GET of hyper, the library that the client uses; and the
//! minimum that a crawler does with a file. Ratios are computed within a round; the result is their median.

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use http_body_util::{BodyExt as _, Empty};
use hyper::Request;
use hyper::body::Bytes;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use robots_fetch::Client;
use robots_fetch::robots_core::RuleSet;
use tokio::net::TcpStream;

use crate::corpus;
use crate::lanes::each;
use crate::server::Server;
use crate::table::{Row, median};
use crate::warm::client;

/// The number of questions that run at the same time.
const AT_ONCE: usize = 64;

/// For each of the four measurements: the number of origins per second in each round.
#[derive(Default)]
struct Rates {
    client: Vec<f64>,
    reqwest: Vec<f64>,
    hyper: Vec<f64>,
    rules: Vec<f64>,
}

impl Rates {
    /// Divides the rate of the client by the rate of another measurement in each round, and returns the median.
    fn beside(&self, others: &[f64]) -> f64 {
        median(self.client.iter().zip(others).map(|(ours, other)| ours / other).collect())
    }
}

pub(crate) async fn measure(
    server: &Server,
    origins: u32,
) -> Result<Vec<Row>, Box<dyn std::error::Error>> {
    let urls: Arc<Vec<String>> = Arc::new(
        (0..origins).map(|number| format!("{}/private/x", server.origin(number))).collect(),
    );
    let bare = reqwest::Client::builder().no_proxy().pool_max_idle_per_host(0).build()?;
    let mut rates = Rates::default();
    let mut memory = 0;
    let mut kept = None;
    for round in 0..5 {
        let client = client()?;
        let before = resident();
        rates.client.push(rate(&urls, ask(&client)).await?);
        if round == 0 {
            // The second question about an origin compiles its rules.
            rate(&urls, ask(&client)).await?;
            memory = resident().saturating_sub(before);
            kept = Some(client);
        }
        rates.reqwest.push(rate(&urls, get_by_reqwest(bare.clone())).await?);
        rates.hyper.push(rate(&urls, get_by_hyper).await?);
        rates.rules.push(rate(&urls, with_rules(bare.clone())).await?);
    }
    let kept = kept.ok_or("no round was run")?;
    let rules = mean_rules(&kept, server, corpus::FILES.min(origins)).await?;
    drop(kept);
    let each_origin = memory / u64::from(origins);
    let body = corpus::mean_octets(origins);
    let most = (body + rules) as u64 * 3 / 2 + 1024;
    let ratio = rates.beside(&rates.reqwest);
    let row = |other: &str, others: &[f64]| {
        let rate = median(others.to_vec());
        Row::new(
            format!("… beside {other}"),
            format!("{:.2} × ({rate:.0} origins/s)", rates.beside(others)),
        )
    };
    Ok(vec![
        Row::new(
            format!("{origins} cold origins over loopback, a question each, {AT_ONCE} at once, beside a bare reqwest GET"),
            format!(
                "{ratio:.2} × ({:.0} and {:.0} origins/s)",
                median(rates.client.clone()),
                median(rates.reqwest.clone())
            ),
        )
        .wanted("≥ 0.9 ×", ratio >= 0.9),
        row("a bare GET of hyper, without time limits", &rates.hyper),
        row("a bare reqwest GET whose rules are compiled and kept in a `HashMap`", &rates.rules),
        Row::new(
            format!(
                "memory by origin, by the growth of the process (generated files, in the mean {body} octets and {rules} \
                 of rules)"
            ),
            format!("{each_origin} octets"),
        )
        .wanted(&format!("≤ 1.5 × both + 1 KiB: {most}"), each_origin <= most),
    ])
}

/// Does an action for each URL, and returns the number of URLs per second.
async fn rate<F, A>(urls: &Arc<Vec<String>>, action: F) -> Result<f64, String>
where
    F: Fn(String) -> A + Clone + Send + 'static,
    A: Future<Output = bool> + Send + 'static,
{
    let began = Instant::now();
    each(urls, AT_ONCE, action).await?;
    Ok(urls.len() as f64 / began.elapsed().as_secs_f64())
}

/// An action for a URL. The action returns true if it had the expected result.
type Action = Pin<Box<dyn Future<Output = bool> + Send>>;

/// Asks the client about a URL that is disallowed.
fn ask(client: &Client) -> impl Fn(String) -> Action + Clone + Send + 'static + use<> {
    let client = client.clone();
    move |url: String| {
        let client = client.clone();
        Box::pin(
            async move { client.verdict(&url).await.is_ok_and(|verdict| !verdict.is_allowed()) },
        )
    }
}

/// Gets the robots.txt of a URL's origin with reqwest.
fn get_by_reqwest(bare: reqwest::Client) -> impl Fn(String) -> Action + Clone + Send + 'static {
    move |url: String| {
        let answer = by_reqwest(bare.clone(), url);
        Box::pin(async move { answer.await.is_some_and(|text| !text.is_empty()) })
    }
}

/// Gets the robots.txt of a URL's origin with hyper.
async fn get_by_hyper(url: String) -> bool {
    by_hyper(&url).await.is_some_and(|text| !text.is_empty())
}

/// Does the minimum that a crawler does with a file: it parses the rules and stores them by origin.
fn with_rules(bare: reqwest::Client) -> impl Fn(String) -> Action + Clone + Send + 'static {
    let kept: Arc<Mutex<HashMap<String, RuleSet>>> = Arc::default();
    move |url: String| {
        let (answer, kept) = (by_reqwest(bare.clone(), url.clone()), Arc::clone(&kept));
        Box::pin(async move {
            let Some(text) = answer.await else { return false };
            let rules = robots_nom_parser::parse(&text).rules_for("examplebot");
            let is_allowed = rules.verdict(&url).is_allowed();
            kept.lock().is_ok_and(|mut kept| kept.insert(url, rules).is_none()) && !is_allowed
        })
    }
}

async fn by_reqwest(client: reqwest::Client, url: String) -> Option<String> {
    let url = url.replace("/private/x", "/robots.txt");
    client.get(url).send().await.ok()?.text().await.ok()
}

async fn by_hyper(url: &str) -> Option<String> {
    let authority = url.strip_prefix("http://")?.strip_suffix("/private/x")?;
    let stream = TcpStream::connect(authority).await.ok()?;
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.ok()?;
    tokio::spawn(connection);
    let request = Request::get("/robots.txt").header("host", authority).body(Empty::<Bytes>::new());
    let answer = sender.send_request(request.ok()?).await.ok()?;
    let octets = answer.into_body().collect().await.ok()?.to_bytes();
    String::from_utf8(octets.into()).ok()
}

/// Returns the mean size, in octets, of the compiled rules of the first origins.
async fn mean_rules(
    client: &Client,
    server: &Server,
    origins: u32,
) -> Result<usize, Box<dyn std::error::Error>> {
    let mut rules = 0;
    for number in 0..origins {
        let origin = client.origin(&server.origin(number)).await?;
        rules += origin.rules().ok_or("every file has rules")?.size();
    }
    Ok(rules / origins.max(1) as usize)
}

/// Returns the resident memory of the process in octets.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilo = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kilo.unwrap_or(0) * 1024
}
