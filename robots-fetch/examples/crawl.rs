//! A polite crawler. The crawler checks robots.txt before every page and before each redirect, and fetches one page at
//! a time.
//!
//! `cargo run --example crawl --features ftp,redb,redis -- --store robots.redb https://example.com/`

mod flags;

use std::collections::{HashSet, VecDeque};
use std::error::Error;
use std::process::ExitCode;
use std::time::SystemTime;

use reqwest::header::{CONTENT_TYPE, LOCATION};
use robots_fetch::guard::PublicOnly;
use robots_fetch::store::{Redb, Redis};
use robots_fetch::{Basis, Client};
use url::Url;

pub use flags::{Flags, Kept};

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

/// The pages whose robots.txt cannot be reached, each with the time until which its verdict is valid.
type Waiting = Vec<(SystemTime, Url)>;

/// The limits: the octets of a page that are read, the redirects to a page, and the pages of a crawl.
const PAGE: usize = 1 << 20;
const HOPS: usize = 5;
const PAGES: usize = 10_000;

fn main() -> ExitCode {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let done = runtime
        .map_err(Into::into)
        .and_then(|runtime| runtime.block_on(async { crawl(&Flags::of_process()?).await }));
    let (message, status) = match done {
        Ok(pages) => (format!("{pages} pages"), 0),
        Err(error) => (format!("error: {error}"), 2),
    };
    eprintln!("{message}");
    ExitCode::from(status)
}

/// Crawls from a seed, and returns how many pages were fetched.
///
/// # Errors
/// Returns an error if no client can be made from the flags.
pub async fn crawl(flags: &Flags) -> Outcome<usize> {
    let (robots, pages) = (robots(flags)?, pages(flags)?);
    let mut frontier = VecDeque::from([flags.seed.clone()]);
    let mut known = HashSet::from([flags.seed.clone()]);
    let (mut fetched, mut waiting, end) = (0, Vec::new(), SystemTime::now() + flags.wait);
    while let Some(url) = next(&mut frontier, &mut waiting, end).await.filter(|_| fetched < PAGES) {
        if let Some((page, links)) = visit(flags, &robots, &pages, url, &mut waiting).await {
            fetched += 1;
            println!("{page}");
            frontier.extend(links.into_iter().filter(|link| known.insert(link.clone())));
        }
    }
    eprintln!("{:?}", robots.counts());
    Ok(fetched)
}

/// Returns the next URL. If the frontier is empty, waits until the first verdict on a waiting page expires, unless it
/// expires after `end`.
async fn next(frontier: &mut VecDeque<Url>, waiting: &mut Waiting, end: SystemTime) -> Option<Url> {
    let again = waiting.iter().map(|(again, _)| *again).min().filter(|again| *again <= end);
    if let (true, Some(again)) = (frontier.is_empty(), again) {
        tokio::time::sleep(again.duration_since(SystemTime::now()).unwrap_or_default()).await;
        frontier.extend(waiting.drain(..).map(|(_, url)| url));
    }
    frontier.pop_front()
}

/// Makes the client for robots.txt.
fn robots(flags: &Flags) -> Outcome<Client> {
    let mut builder = Client::builder(&flags.agent)
        .identification(flags.identification())
        .settings(flags.settings())
        .connect_timeout(flags.timeout)
        .answer_timeout(flags.timeout)
        .idle_timeout(flags.timeout)
        .total_timeout(4 * flags.timeout);
    if let Some(authority) = &flags.authority {
        builder = builder.trust(&**authority).trust_no_others();
    }
    builder = match &flags.kept {
        Kept::Nowhere => builder,
        Kept::File(path) => builder.store(Redb::open(path)?),
        Kept::Server(url) => builder.store(Redis::open(url)?),
        Kept::Memory(memory) => builder.store(memory.clone()),
    };
    if flags.public {
        builder = builder.guard(PublicOnly::default());
    }
    Ok(builder.build()?)
}

/// Makes the client for pages. The client follows no redirect by itself, because each target needs a verdict.
fn pages(flags: &Flags) -> Outcome<reqwest::Client> {
    // An error means that another cryptography provider is already installed; that provider works too.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut builder = reqwest::Client::builder()
        .user_agent(flags.identification())
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(flags.timeout)
        .read_timeout(flags.timeout);
    if let Some(authority) = &flags.authority {
        builder = builder.tls_certs_only(reqwest::Certificate::from_pem_bundle(authority)?);
    }
    Ok(builder.build()?)
}

/// Fetches a page, and follows each redirect whose target is allowed. Returns the final URL and the links of the page,
/// or `None` if the page cannot be fetched.
async fn visit(
    flags: &Flags,
    robots: &Client,
    pages: &reqwest::Client,
    mut url: Url,
    waiting: &mut Waiting,
) -> Option<(Url, Vec<Url>)> {
    for _ in 0..=HOPS {
        let verdict = robots.verdict(&url).await.ok()?;
        if !verdict.is_allowed() {
            eprintln!("{url}: {verdict}");
            if verdict.basis() == Basis::Unreachable {
                waiting.push((verdict.until(), url.clone()));
            }
            return None;
        }
        drop(verdict);
        tokio::time::sleep(flags.delay).await;
        if url.scheme() == "ftp" {
            let asked = url.clone();
            let page = tokio::task::spawn_blocking(move || flags::ftp::page(&asked)).await;
            return page.ok()?.ok().map(|_| (url, Vec::new()));
        }
        let mut answer = pages.get(url.clone()).send().await.ok()?;
        if answer.status().is_redirection() {
            let location = answer.headers().get(LOCATION)?.to_str().ok()?;
            url = url.join(location).ok()?;
            continue;
        }
        let kind = answer.headers().get(CONTENT_TYPE).map(|kind| kind.as_bytes().to_vec());
        let mut page = Vec::new();
        // If the connection breaks, the crawler still uses the octets that arrived.
        while let (true, Ok(Some(chunk))) = (page.len() < PAGE, answer.chunk().await) {
            page.extend_from_slice(&chunk);
        }
        let links = flags::links(&url, kind.as_deref(), &page);
        return Some((url, links));
    }
    None
}
