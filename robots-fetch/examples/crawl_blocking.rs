//! A polite crawler without an async runtime. The crawler checks robots.txt before every page and before each redirect,
//! and fetches one page at a time.
//!
//! `cargo run --example crawl_blocking --features blocking,ftp,redb -- --store robots.redb https://example.com/`

mod flags;

use std::collections::{HashSet, VecDeque};
use std::error::Error;
use std::io::Read;
use std::process::ExitCode;
use std::thread::sleep;
use std::time::SystemTime;

use robots_fetch::Basis;
use robots_fetch::blocking::Client;
use robots_fetch::guard::PublicOnly;
use robots_fetch::store::Redb;
use ureq::Agent;
use ureq::tls::{Certificate, RootCerts, TlsConfig};
use url::Url;

pub use flags::{Flags, Kept};

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

/// The pages whose robots.txt cannot be reached, each with the time until which its verdict is valid.
type Waiting = Vec<(SystemTime, Url)>;

/// The limits: the octets of a page that are read, the redirects to a page, and the pages of a crawl.
const PAGE: u64 = 1 << 20;
const HOPS: usize = 5;
const PAGES: usize = 10_000;

fn main() -> ExitCode {
    let (message, status) = match Flags::of_process().and_then(|flags| crawl(&flags)) {
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
pub fn crawl(flags: &Flags) -> Outcome<usize> {
    let (robots, pages) = (robots(flags)?, pages(flags)?);
    let mut frontier = VecDeque::from([flags.seed.clone()]);
    let mut known = HashSet::from([flags.seed.clone()]);
    let (mut fetched, mut waiting, end) = (0, Vec::new(), SystemTime::now() + flags.wait);
    while let Some(url) = next(&mut frontier, &mut waiting, end).filter(|_| fetched < PAGES) {
        if let Some((page, links)) = visit(flags, &robots, &pages, url, &mut waiting) {
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
fn next(frontier: &mut VecDeque<Url>, waiting: &mut Waiting, end: SystemTime) -> Option<Url> {
    let again = waiting.iter().map(|(again, _)| *again).min().filter(|again| *again <= end);
    if let (true, Some(again)) = (frontier.is_empty(), again) {
        sleep(again.duration_since(SystemTime::now()).unwrap_or_default());
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
        Kept::Server(_) => return Err("a store on a server needs an async runtime".into()),
        Kept::Memory(memory) => builder.store(memory.clone()),
    };
    if flags.public {
        builder = builder.guard(PublicOnly::default());
    }
    Ok(builder.build()?)
}

/// Makes the client for pages. The client follows no redirect by itself, because each target needs a verdict.
fn pages(flags: &Flags) -> Outcome<Agent> {
    let mut builder = Agent::config_builder()
        .user_agent(flags.identification())
        .http_status_as_error(false)
        .max_redirects(0)
        .timeout_connect(Some(flags.timeout))
        .timeout_recv_response(Some(flags.timeout))
        .timeout_per_read(Some(flags.timeout));
    if let Some(authority) = &flags.authority {
        let roots = RootCerts::new_with_certs(&[Certificate::from_pem(authority)?]);
        builder = builder.tls_config(TlsConfig::builder().root_certs(roots).build());
    }
    Ok(builder.build().new_agent())
}

/// Fetches a page, and follows each redirect whose target is allowed. Returns the final URL and the links of the page,
/// or `None` if the page cannot be fetched.
fn visit(
    flags: &Flags,
    robots: &Client,
    pages: &Agent,
    mut url: Url,
    waiting: &mut Waiting,
) -> Option<(Url, Vec<Url>)> {
    for _ in 0..=HOPS {
        let verdict = robots.verdict(&url).ok()?;
        if !verdict.is_allowed() {
            eprintln!("{url}: {verdict}");
            if verdict.basis() == Basis::Unreachable {
                waiting.push((verdict.until(), url.clone()));
            }
            return None;
        }
        drop(verdict);
        sleep(flags.delay);
        if url.scheme() == "ftp" {
            return flags::ftp::page(&url).ok().map(|_| (url, Vec::new()));
        }
        let answer = pages.get(url.as_str()).call().ok()?;
        if answer.status().is_redirection() {
            let location = answer.headers().get("location")?.to_str().ok()?;
            url = url.join(location).ok()?;
            continue;
        }
        let kind = answer.headers().get("content-type").map(|kind| kind.as_bytes().to_vec());
        let mut page = Vec::new();
        // If the connection breaks, the crawler still uses the octets that arrived.
        let _ = answer.into_body().into_reader().take(PAGE).read_to_end(&mut page);
        let links = flags::links(&url, kind.as_deref(), &page);
        return Some((url, links));
    }
    None
}
