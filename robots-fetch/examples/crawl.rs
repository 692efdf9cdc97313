//! A polite crawler: robots.txt before every page, one page at a time, redirects checked hop by hop.
//!
//! `cargo run --example crawl --features ftp,redb,redis -- --store robots.redb https://example.com/`

mod flags;

use std::collections::{HashSet, VecDeque};
use std::error::Error;
use std::process::ExitCode;

use html5gum::{Token, Tokenizer};
use reqwest::header::{CONTENT_TYPE, LOCATION};
use robots_fetch::Client;
use robots_fetch::guard::PublicOnly;
use robots_fetch::store::{Redb, Redis};
use url::Url;

pub use flags::{Flags, Kept};

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

/// The octets of a page that are read, the hops to one, and the pages of a crawl.
const PAGE: usize = 1 << 20;
const HOPS: usize = 5;
const PAGES: usize = 10_000;

fn main() -> ExitCode {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let done = runtime
        .map_err(Into::into)
        .and_then(|runtime| runtime.block_on(async { crawl(&Flags::of_process()?).await }));
    match done {
        Ok(pages) => {
            eprintln!("{pages} pages");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

/// Crawls from a seed; returns how many pages were fetched.
///
/// # Errors
/// If a client cannot be made of the flags.
pub async fn crawl(flags: &Flags) -> Outcome<usize> {
    let (robots, pages) = (robots(flags)?, pages(flags)?);
    let mut frontier = VecDeque::from([flags.seed.clone()]);
    let mut known = HashSet::from([flags.seed.clone()]);
    let mut fetched = 0;
    while let Some(url) = frontier.pop_front().filter(|_| fetched < PAGES) {
        if let Some((page, links)) = visit(flags, &robots, &pages, url).await {
            fetched += 1;
            println!("{page}");
            frontier.extend(links.into_iter().filter(|link| known.insert(link.clone())));
        }
    }
    eprintln!("{:?}", robots.counts());
    Ok(fetched)
}

/// Makes the client for robots.txt.
fn robots(flags: &Flags) -> Outcome<Client> {
    let mut builder = Client::builder(&flags.agent)
        .identification(flags.identification())
        .edition(flags.edition)
        .time_limits(flags.patience, flags.patience, flags.patience, 4 * flags.patience);
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

/// Makes the client for pages: redirects are not followed unseen.
fn pages(flags: &Flags) -> Outcome<reqwest::Client> {
    // It says so where another was installed before; that one does as well.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut builder = reqwest::Client::builder()
        .user_agent(flags.identification())
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(flags.patience)
        .read_timeout(flags.patience);
    if let Some(authority) = &flags.authority {
        builder = builder.tls_certs_only(reqwest::Certificate::from_pem_bundle(authority)?);
    }
    Ok(builder.build()?)
}

/// Fetches a page by way of its redirects, each of them allowed; returns where it was, and its links.
async fn visit(
    flags: &Flags,
    robots: &Client,
    pages: &reqwest::Client,
    mut url: Url,
) -> Option<(Url, Vec<Url>)> {
    for _ in 0..=HOPS {
        let verdict = robots.verdict(&url).await.ok()?;
        if !verdict.is_allowed() {
            eprintln!("{url}: {verdict}; it may be asked about again at {:?}", verdict.until());
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
        let media_type = answer.headers().get(CONTENT_TYPE);
        let is_html = media_type.is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
        let mut page = Vec::new();
        // What came of a page that breaks off is read all the same.
        while let (true, Ok(Some(chunk))) = (page.len() < PAGE, answer.chunk().await) {
            page.extend_from_slice(&chunk);
        }
        let links = if is_html { links(&url, &page) } else { Vec::new() };
        return Some((url, links));
    }
    None
}

fn links(page: &Url, html: &[u8]) -> Vec<Url> {
    let mut links = Vec::new();
    for Ok(token) in Tokenizer::new(&*String::from_utf8_lossy(html)) {
        let Token::StartTag(tag) = token else { continue };
        let href = tag.attributes.get(&b"href"[..]).filter(|_| **tag.name == *b"a");
        if let Some(Ok(mut link)) = href.map(|href| page.join(&String::from_utf8_lossy(href))) {
            link.set_fragment(None);
            links.push(link);
        }
    }
    links
}
