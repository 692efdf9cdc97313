//! The crawlers that an audit recognises: [`Agents`].
//!
//! A client is recognised by the product tokens in its `User-Agent` field. Addresses of pages and of people in the field
//! are not read, because a crawler may name another one there. The module knows by name only the crawlers whose
//! documents give them other groups than RFC 9309 does: [`DOCUMENTED`].

use std::collections::HashMap;

use robots_core::{Crawler, ProductToken, RobotsTxt};

/// The crawlers that an audit recognises.
///
/// A client is a known crawler if its `User-Agent` field has a token of a robots.txt file or of the user's list. A
/// client that no file names is recognised if its field names it as crawlers do: with an address of a page or of a
/// person, or with `bot`, `crawler` or `spider` in its token. All other clients are not judged. A client whose field names
/// several crawlers is none of them, but a crawler of its own.
///
/// ```
/// use robots_audit::Agents;
/// let mut agents = Agents::default();
/// agents.add_file(b"user-agent: ExampleBot\ndisallow: /private\n");
/// let recognised = |field: &str| Some(agents.recognise(field.as_bytes())?.tokens()[0].as_str().to_owned());
///
/// let field = "Mozilla/5.0 (compatible; examplebot/1.0; +https://www.example.com/otherbot)";
/// assert_eq!(recognised(field).as_deref(), Some("ExampleBot"));
/// assert_eq!(recognised("newspider/0.1").as_deref(), Some("newspider"));
/// assert_eq!(recognised("Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0"), None);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Agents {
    /// The known crawlers, by each first token in lower case.
    known: HashMap<String, Crawler>,
}

/// A crawler of the log.
#[derive(Clone, Debug)]
pub(crate) struct Client {
    /// Its first token, or all of them if its field names several crawlers.
    pub(crate) name: String,
    pub(crate) crawler: Crawler,
    /// The crawlers whose groups it may follow instead.
    pub(crate) others: Vec<Crawler>,
}

/// The groups of a crawler by the documents of its operator.
enum Documented {
    /// Those of the first of these tokens that the file names, or else those of `*`.
    Of(&'static [&'static str]),
    /// Only those that name it.
    Named,
    /// It may ignore every group.
    None,
}

/// Crawlers whose documents give them other groups than RFC 9309 does. If RFC 9309 disallows what the documents allow, the
/// request is open.
const DOCUMENTED: [(&[&str], Documented); 6] = [
    // https://support.apple.com/119829
    (&["Applebot"], Documented::Of(&["Applebot", "Googlebot"])),
    // https://developers.google.com/crawling/docs/crawlers-fetchers/google-common-crawlers
    (&["Googlebot"], Documented::Of(&["Googlebot-News", "Googlebot"])),
    (&["Google-InspectionTool"], Documented::Of(&["Google-InspectionTool", "Googlebot"])),
    // https://developers.google.com/crawling/docs/crawlers-fetchers/google-special-case-crawlers
    (
        &["APIs-Google", "AdsBot-Google", "AdsBot-Google-Mobile", "Mediapartners-Google"],
        Documented::Named,
    ),
    // https://yandex.com/support/webmaster/en/robot-workings/check-yandex-robots
    (
        &[
            "YaDirectFetcher",
            "YandexCalendar",
            "YandexDirect",
            "YandexDirectDyn",
            "YandexMobileBot",
        ],
        Documented::Named,
    ),
    // https://developers.facebook.com/docs/sharing/webmasters/web-crawlers
    (&["facebookexternalhit", "meta-externalfetcher"], Documented::None),
];

impl Agents {
    /// Adds the product tokens that a robots.txt file names. Names that browsers share are left out.
    pub fn add_file(&mut self, file: &[u8]) {
        for token in named(&robots_nom_parser::parse(file)) {
            let name = token.as_str().to_ascii_lowercase();
            self.known.entry(name).or_insert_with(|| token.into());
        }
    }

    /// Adds a crawler. A client is this crawler if its `User-Agent` field has the first token. All tokens decide which
    /// group it follows.
    pub fn add(&mut self, crawler: Crawler) {
        if let Some(token) = crawler.tokens().first() {
            self.known.insert(token.as_str().to_ascii_lowercase(), crawler);
        }
    }

    /// Returns the crawler of a `User-Agent` field, or `None` if the field names none.
    #[must_use]
    pub fn recognise(&self, field: &[u8]) -> Option<Crawler> {
        self.client(field).map(|client| client.crawler)
    }

    /// Returns the client of a `User-Agent` field, or `None` if the field names no crawler.
    pub(crate) fn client(&self, field: &[u8]) -> Option<Client> {
        let mut named = self.named(field).into_iter();
        let Some(first) = named.next() else {
            let contact = parts(field).any(is_contact).then(|| contacted(field)).flatten();
            return contact.map(|token| Client::of(token.into()));
        };
        let is_other = |crawler: &Crawler| {
            !first.tokens().iter().any(|it| it.as_str().eq_ignore_ascii_case(token(crawler)))
        };
        let others: Vec<Crawler> = named.filter(is_other).collect();
        if others.is_empty() {
            return Some(Client::of(first));
        }
        let all: Vec<Crawler> = [first].into_iter().chain(others).take(Crawler::MAX).collect();
        let tokens: Vec<&str> = all.iter().map(token).collect();
        let (name, crawler) = (tokens.join(" "), Crawler::new(tokens).ok()?);
        let documented = all.iter().filter_map(documented).collect::<Vec<_>>();
        let others = all.into_iter().chain(documented).collect();
        Some(Client { name, crawler, others })
    }

    /// Returns the crawlers that a field names, each once: those that are known, and those whose names say it.
    fn named(&self, field: &[u8]) -> Vec<Crawler> {
        let mut named: Vec<Crawler> = Vec::new();
        for (index, part) in names(field) {
            let known = product(part).and_then(|token| self.known_as(token));
            let crawler = known.or_else(|| {
                let part = names_a_crawler(index, part).then(|| of_words(field, part))?;
                let token = ProductToken::new(text(ProductToken::leading(part))).ok()?;
                (!token.is_shared_by_browsers()).then(|| token.into())
            });
            let is_new = |crawler: &Crawler| {
                !named.iter().any(|it| token(it).eq_ignore_ascii_case(token(crawler)))
            };
            named.extend(crawler.filter(is_new));
        }
        named
    }

    /// Returns the crawler with a token, if a file, the user's list or [`DOCUMENTED`] has it.
    fn known_as(&self, token: &str) -> Option<Crawler> {
        let known = self.known.get(&token.to_ascii_lowercase()).cloned();
        let documented = || {
            let mut names = DOCUMENTED.iter().flat_map(|(names, _)| *names);
            let name = names.find(|name| name.eq_ignore_ascii_case(token))?;
            Crawler::new([*name]).ok()
        };
        known.or_else(documented)
    }
}

impl Client {
    /// Returns the client that is one crawler.
    fn of(crawler: Crawler) -> Self {
        let (name, others) =
            (token(&crawler).to_owned(), documented(&crawler).into_iter().collect());
        Self { name, crawler, others }
    }
}

/// Returns the first token of a crawler.
pub(crate) fn token(crawler: &Crawler) -> &str {
    crawler.tokens().first().map_or("", ProductToken::as_str)
}

/// Returns the crawler whose groups a crawler follows by its documents, if they are others.
fn documented(crawler: &Crawler) -> Option<Crawler> {
    let is_it = |names: &[&str]| names.iter().any(|it| it.eq_ignore_ascii_case(token(crawler)));
    let (_, documented) = DOCUMENTED.iter().find(|(names, _)| is_it(names))?;
    Some(match documented {
        Documented::Of(tokens) => Crawler::new(tokens.iter().copied()).ok()?,
        Documented::Named => crawler.clone().without_global(),
        Documented::None => Crawler::unnamed().without_global(),
    })
}

/// Returns the product tokens that a robots.txt file names, without `*` and without names that browsers share.
pub(crate) fn named<B: AsRef<[u8]>>(robots: &RobotsTxt<B>) -> impl Iterator<Item = ProductToken> {
    let lines = robots.groups().flat_map(|group| group.user_agents());
    let tokens = lines.filter_map(|line| ProductToken::new(line.token()?).ok());
    tokens.filter(|token| !token.is_shared_by_browsers())
}

/// Returns whether a crawler with this token fetches pages because a person asked for them. Operators give such
/// crawlers a token that ends with `-User`.
pub(crate) fn fetches_for_a_person(token: &str) -> bool {
    let suffix = token.len().checked_sub("-user".len()).and_then(|at| token.get(at..));
    suffix.is_some_and(|suffix| suffix.eq_ignore_ascii_case("-user"))
}

/// The words that name a crawler.
const CRAWLERS: [&str; 3] = ["bot", "crawler", "spider"];

/// Returns the parts of a field that may name the client, with their indices. A client that is `like Googlebot` is not this
/// crawler.
fn names(field: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut is_like = false;
    let parts = parts(field).enumerate().filter(move |(_, part)| {
        !std::mem::replace(&mut is_like, part.eq_ignore_ascii_case(b"like"))
    });
    parts.filter(|(_, part)| !is_contact(part))
}

fn product(part: &[u8]) -> Option<&str> {
    let token = ProductToken::leading(part);
    let ends = matches!(part.get(token.len()), None | Some(b'/' | b':'));
    (ends && !token.is_empty()).then(|| str::from_utf8(token).ok()).flatten()
}

/// Returns the first word of a name of several words that ends with a part: the `Sogou` of `Sogou web spider`. A part
/// that is more than `spider` is a name by itself.
fn of_words<'f>(field: &'f [u8], part: &'f [u8]) -> &'f [u8] {
    if !CRAWLERS
        .iter()
        .any(|word| ProductToken::leading(part).eq_ignore_ascii_case(word.as_bytes()))
    {
        return part;
    }
    let mut names = field.split(|octet| matches!(octet, b';' | b',' | b'(' | b')'));
    let words = names.find_map(|name| parts(name).any(|it| it == part).then(|| parts(name).next()));
    words.flatten().unwrap_or(part)
}

/// Returns the token of a crawler that gives a contact: that of the header, or else the last one before the contact, if
/// the field does not begin as those of browsers do.
fn contacted(field: &[u8]) -> Option<ProductToken> {
    let named = |token: ProductToken| (!token.is_shared_by_browsers()).then_some(token);
    if let Some(token) = ProductToken::from_header(&text(field)).ok().and_then(named) {
        return Some(token);
    }
    if field.starts_with(b"Mozilla/") && !parts(field).any(|part| part == b"compatible") {
        return None;
    }
    let before = parts(field).take_while(|part| !is_contact(part)).filter_map(product);
    before.filter_map(|token| named(ProductToken::new(token).ok()?)).last()
}

fn parts(field: &[u8]) -> impl Iterator<Item = &[u8]> {
    let is_between = |octet: &u8| matches!(octet, b' ' | b'\t' | b';' | b',' | b'(' | b')');
    field.split(is_between).filter(|part| !part.is_empty())
}

/// Returns whether a part of a field is the address of a page or of a person.
fn is_contact(part: &[u8]) -> bool {
    let contains = |text: &[u8]| part.windows(text.len()).any(|here| here == text);
    part.contains(&b'@') || part[0] == b'+' || contains(b"://") || contains(b"www.")
}

/// Returns whether a part of a field is a product whose name says that it is a crawler. Some models of phones are named
/// so too, but without a version and not at the start.
fn names_a_crawler(index: usize, part: &[u8]) -> bool {
    let token = ProductToken::leading(part);
    let is_product = part.get(token.len()) == Some(&b'/') || (index == 0 && part == token);
    let name = text(token).to_ascii_lowercase();
    is_product && CRAWLERS.iter().any(|word| name.contains(word))
}

fn text(octets: &[u8]) -> String {
    String::from_utf8_lossy(octets).into_owned()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::Agents;

    /// The crawlers of a `User-Agent` that no list names.
    #[rstest]
    #[trace]
    #[case("FeedFetcher-Google; (+http://www.google.com/feedfetcher.html)", "FeedFetcher-Google")]
    #[case(
        "Mozilla/5.0 (compatible; Yahoo! Slurp; http://help.yahoo.com/help/us/ysearch/slurp)",
        "Slurp"
    )]
    #[case("Sogou web spider/4.0(+http://www.sogou.com/docs/help/webmasters.htm#07)", "Sogou")]
    #[case("Mozilla/5.0 (compatible; Example Crawler/1.0)", "Example")]
    #[case("spider", "spider")]
    #[case("Mozilla/5.0 (X11; Linux x86_64; +http://www.example.com/)", "")]
    #[case("Mozilla/5.0 (Windows NT 10.0) Chrome/120.0 Safari/537.36 (a@example.com)", "")]
    fn a_crawler_is_recognised_by_its_field(#[case] field: &str, #[case] expected: &str) {
        let crawler = Agents::default().recognise(field.as_bytes());
        let token = crawler.as_ref().map_or("", |crawler| crawler.tokens()[0].as_str());
        assert_eq!(token, expected);
    }
}
