//! A polite crawler without an async runtime: robots.txt before every page, one page at a time, redirects checked hop
//! by hop.
//!
//! `cargo run --example crawl_blocking --features blocking,ftp,redb -- --store robots.redb https://example.com/`

mod flags;

use std::collections::{HashSet, VecDeque};
use std::error::Error;
use std::io::Read;
use std::process::ExitCode;
use std::thread::sleep;

use html5gum::{Token, Tokenizer};
use robots_fetch::blocking::Client;
use robots_fetch::guard::PublicOnly;
use robots_fetch::store::Redb;
use ureq::Agent;
use ureq::tls::{Certificate, RootCerts, TlsConfig};
use url::Url;

pub use flags::{Flags, Kept};

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

/// The octets of a page that are read, the hops to one, and the pages of a crawl.
const PAGE: u64 = 1 << 20;
const HOPS: usize = 5;
const PAGES: usize = 10_000;

fn main() -> ExitCode {
    match Flags::of_process().and_then(|flags| crawl(&flags)) {
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
pub fn crawl(flags: &Flags) -> Outcome<usize> {
    let (robots, pages) = (robots(flags)?, pages(flags)?);
    let mut frontier = VecDeque::from([flags.seed.clone()]);
    let mut known = HashSet::from([flags.seed.clone()]);
    let mut fetched = 0;
    while let Some(url) = frontier.pop_front().filter(|_| fetched < PAGES) {
        if let Some((page, links)) = visit(flags, &robots, &pages, url) {
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
        Kept::Server(_) => return Err("without a runtime there is no store on a server".into()),
        Kept::Memory(memory) => builder.store(memory.clone()),
    };
    if flags.public {
        builder = builder.guard(PublicOnly::default());
    }
    Ok(builder.build()?)
}

/// Makes the client for pages: redirects are not followed unseen.
fn pages(flags: &Flags) -> Outcome<Agent> {
    let mut builder = Agent::config_builder()
        .user_agent(flags.identification())
        .http_status_as_error(false)
        .max_redirects(0)
        .timeout_connect(Some(flags.patience))
        .timeout_recv_response(Some(flags.patience))
        .timeout_per_read(Some(flags.patience));
    if let Some(authority) = &flags.authority {
        let roots = RootCerts::new_with_certs(&[Certificate::from_pem(authority)?]);
        builder = builder.tls_config(TlsConfig::builder().root_certs(roots).build());
    }
    Ok(builder.build().new_agent())
}

/// Fetches a page by way of its redirects, each of them allowed; returns where it was, and its links.
fn visit(flags: &Flags, robots: &Client, pages: &Agent, mut url: Url) -> Option<(Url, Vec<Url>)> {
    for _ in 0..=HOPS {
        let verdict = robots.verdict(&url).ok()?;
        if !verdict.is_allowed() {
            eprintln!("{url}: {verdict}; it may be asked about again at {:?}", verdict.until());
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
        let media_type = answer.headers().get("content-type");
        let is_html = media_type.is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
        let mut page = Vec::new();
        // What came of a page that breaks off is read all the same.
        let _ = answer.into_body().into_reader().take(PAGE).read_to_end(&mut page);
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
