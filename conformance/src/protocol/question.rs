//! Questions: written by the runner, read by a subject.

use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use robots_core::engine::{Ask, Question, QuestionKind};
use robots_core::fetch::{CachedCopy, Failure, FetchEnd, FetchResult, Location, Refresh};
use robots_core::{Crawler, ProductToken, Profile};
use serde_json::{Map, Value, json};

use crate::case::Subject;

/// Writes a question; `None` where the protocol has no such question.
///
/// ```
/// use robots_core::Edition;
/// use robots_core::engine::{Ask, Question};
/// use robots_conformance::protocol::{line, question};
///
/// let ask = Ask::Sitemaps { robots_txt: b"\xFF" };
/// let asked = Question { profile: Edition::Rfc9309.into(), ask };
/// let message = question(7, &asked).unwrap();
/// assert_eq!(
///     line(&message),
///     r#"{"id":7,"ask":"sitemaps","edition":"rfc9309","robots_txt":"/w=="}"#
/// );
/// ```
#[must_use]
pub fn question(id: u64, question: &Question<'_>) -> Option<Value> {
    let keys = match question.ask {
        Ask::Verdict { robots_txt, crawler, url } => {
            with_crawler(json!({ "robots_txt": base64(robots_txt) }), crawler, Some(url))
        }
        Ask::Groups { robots_txt } | Ask::Sitemaps { robots_txt } | Ask::Derives { robots_txt } => {
            json!({ "robots_txt": base64(robots_txt) })
        }
        Ask::Group { robots_txt, crawler } => {
            with_crawler(json!({ "robots_txt": base64(robots_txt) }), crawler, None)
        }
        Ask::Scope { robots_url, came_from, url } => {
            let mut keys = json!({ "robots_url": robots_url, "url": url });
            if let Some(came_from) = came_from {
                keys["came_from"] = came_from.into();
            }
            keys
        }
        Ask::Access { fetch } => json!({ "fetch": fetched(&fetch) }),
        Ask::Freshness { copy } => json!({ "copy": copied(&copy) }),
        _ => return None,
    };
    let mut message =
        json!({ "id": id, "ask": question.ask.kind().id(), "edition": question.profile.id() });
    if let (Value::Object(message), Value::Object(keys)) = (&mut message, keys) {
        message.extend(keys);
    }
    Some(message)
}

/// A question as a subject reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The edition asked about, or, for a verdict, the observed profile.
    pub profile: Profile,
    /// What is asked.
    pub subject: Subject,
}

impl Asked {
    /// Returns the question, borrowed.
    #[must_use]
    pub fn question(&self) -> Question<'_> {
        Question { profile: self.profile, ask: self.subject.ask() }
    }
}

/// Reads a question.
///
/// # Errors
/// A sentence that says which key is wrong, and whether it is a question that is merely not known here.
pub fn asked(message: &Value) -> Result<Asked, NotAsked> {
    let keys = message.as_object().ok_or_else(|| wrong("the message is no JSON object"))?;
    let word = text(keys, "ask")?;
    let Ok(ask) = word.parse() else {
        return Err(NotAsked::Unknown(format!("questions of kind {word:?} are not known here")));
    };
    let profile: Profile =
        text(keys, "edition")?.parse().map_err(|error: robots_core::error::UnknownProfile| {
            NotAsked::Unknown(format!("{}: {error}", keys["edition"]))
        })?;
    if profile == Profile::GoogleCpp && ask != QuestionKind::Verdict {
        return Err(NotAsked::Unknown(format!("{profile} answers verdicts only, not {ask}")));
    }
    let subject = match ask {
        QuestionKind::Verdict => Subject::Verdict {
            robots_txt: robots_txt(keys)?,
            crawler: crawler(keys)?,
            url: text(keys, "url")?.to_owned(),
        },
        QuestionKind::Groups => Subject::Groups { robots_txt: robots_txt(keys)? },
        QuestionKind::Group => {
            Subject::Group { robots_txt: robots_txt(keys)?, crawler: crawler(keys)? }
        }
        QuestionKind::Sitemaps => Subject::Sitemaps { robots_txt: robots_txt(keys)? },
        QuestionKind::Scope => Subject::Scope {
            robots_url: text(keys, "robots_url")?.to_owned(),
            came_from: keys
                .contains_key("came_from")
                .then(|| text(keys, "came_from").map(str::to_owned))
                .transpose()?,
            url: text(keys, "url")?.to_owned(),
        },
        QuestionKind::Access => Subject::Access(fetch(object(keys, "fetch")?)?),
        QuestionKind::Freshness => Subject::Freshness(copy(object(keys, "copy")?)?),
        QuestionKind::Derives => Subject::Derives { robots_txt: robots_txt(keys)? },
    };
    Ok(Asked { profile, subject })
}

/// Why a message is no question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotAsked {
    /// It is well-formed, but its kind or its edition is not known here.
    Unknown(String),
    /// It is broken.
    Wrong(String),
}

type Keys = Map<String, Value>;

fn base64(octets: &[u8]) -> String {
    BASE64.encode(octets)
}

fn with_crawler(mut keys: Value, crawler: &Crawler, url: Option<&str>) -> Value {
    keys["crawler"] = tokens(crawler).into();
    if let Some(identification) = crawler.identification() {
        keys["identification"] = identification.into();
    }
    if let Some(url) = url {
        keys["url"] = url.into();
    }
    keys
}

fn tokens(crawler: &Crawler) -> Vec<&str> {
    crawler.tokens().iter().map(ProductToken::as_str).collect()
}

/// A fetch result; what is left out has its default.
fn fetched(fetch: &FetchResult) -> Value {
    let mut keys = Map::new();
    match fetch.end {
        FetchEnd::Status { status, location } => {
            keys.insert("status".to_owned(), status.into());
            if location != Location::Present || (300..400).contains(&status) {
                keys.insert("location".to_owned(), location_id(location).into());
            }
        }
        FetchEnd::Failure(failure) => {
            keys.insert("failure".to_owned(), failure.id().into());
        }
    }
    if fetch.redirects > 0 {
        keys.insert("redirects".to_owned(), fetch.redirects.into());
    }
    if fetch.logical_redirect {
        keys.insert("logical_redirect".to_owned(), true.into());
    }
    if let Some(age) = fetch.cached_copy_age {
        keys.insert("cached_copy_age".to_owned(), age.as_secs().into());
    }
    if !fetch.unreachable_for.is_zero() {
        keys.insert("unreachable_for".to_owned(), fetch.unreachable_for.as_secs().into());
    }
    if fetch.server_errors_for_missing_pages {
        keys.insert("server_errors_for_missing_pages".to_owned(), true.into());
    }
    Value::Object(keys)
}

fn copied(copy: &CachedCopy) -> Value {
    let mut keys = json!({ "age": copy.age.as_secs() });
    if let Some(max_age) = copy.max_age {
        keys["max_age"] = max_age.as_secs().into();
    }
    keys["refresh"] = refresh_id(copy.refresh).into();
    keys
}

fn fetch(keys: &Keys) -> Result<FetchResult, NotAsked> {
    let end = match (keys.get("status"), keys.get("failure")) {
        (Some(status), None) => FetchEnd::Status {
            status: status
                .as_u64()
                .and_then(|status| u16::try_from(status).ok())
                .ok_or_else(|| wrong("`status` is no number from 0 to 65535"))?,
            location: word(keys, "location", &LOCATIONS, location_id)?.unwrap_or_default(),
        },
        (None, Some(_)) => {
            let failure = word(keys, "failure", Failure::ALL, Failure::id)?;
            FetchEnd::Failure(failure.ok_or_else(|| wrong("`failure` is missing"))?)
        }
        _ => return Err(wrong("`fetch` has exactly one of `status` and `failure`")),
    };
    let mut fetch = FetchResult::new(end);
    fetch.redirects = u32::try_from(number(keys, "redirects")?.unwrap_or_default())
        .map_err(|_| wrong("`redirects` is too large"))?;
    fetch.logical_redirect = flag(keys, "logical_redirect")?;
    fetch.cached_copy_age = number(keys, "cached_copy_age")?.map(Duration::from_secs);
    fetch.unreachable_for =
        Duration::from_secs(number(keys, "unreachable_for")?.unwrap_or_default());
    fetch.server_errors_for_missing_pages = flag(keys, "server_errors_for_missing_pages")?;
    Ok(fetch)
}

fn copy(keys: &Keys) -> Result<CachedCopy, NotAsked> {
    let age = number(keys, "age")?.ok_or_else(|| wrong("`age` is missing"))?;
    let mut copy = CachedCopy::of_age(Duration::from_secs(age));
    copy.max_age = number(keys, "max_age")?.map(Duration::from_secs);
    copy.refresh = word(keys, "refresh", &[Refresh::Possible, Refresh::Failing], refresh_id)?
        .unwrap_or_default();
    Ok(copy)
}

const LOCATIONS: [Location; 4] =
    [Location::Present, Location::Missing, Location::Loop, Location::Disallowed];

const fn location_id(location: Location) -> &'static str {
    match location {
        Location::Present => "present",
        Location::Missing => "missing",
        Location::Loop => "loop",
        Location::Disallowed => "disallowed",
    }
}

const fn refresh_id(refresh: Refresh) -> &'static str {
    match refresh {
        Refresh::Possible => "possible",
        Refresh::Failing => "failing",
    }
}

fn wrong(message: impl Into<String>) -> NotAsked {
    NotAsked::Wrong(message.into())
}

fn text<'k>(keys: &'k Keys, key: &str) -> Result<&'k str, NotAsked> {
    let text = keys.get(key).and_then(Value::as_str);
    text.ok_or_else(|| wrong(format!("`{key}` is missing or no text")))
}

fn object<'k>(keys: &'k Keys, key: &str) -> Result<&'k Keys, NotAsked> {
    let object = keys.get(key).and_then(Value::as_object);
    object.ok_or_else(|| wrong(format!("`{key}` is missing or no object")))
}

fn number(keys: &Keys, key: &str) -> Result<Option<u64>, NotAsked> {
    let value = keys.get(key).filter(|value| !value.is_null());
    let number = |value: &Value| {
        value.as_u64().ok_or_else(|| wrong(format!("`{key}` is no whole number from 0")))
    };
    value.map(number).transpose()
}

fn flag(keys: &Keys, key: &str) -> Result<bool, NotAsked> {
    match keys.get(key) {
        None => Ok(false),
        Some(value) => value.as_bool().ok_or_else(|| wrong(format!("`{key}` is no truth value"))),
    }
}

fn word<T: Copy>(
    keys: &Keys,
    key: &str,
    all: &[T],
    id: impl Fn(T) -> &'static str,
) -> Result<Option<T>, NotAsked> {
    if !keys.contains_key(key) {
        return Ok(None);
    }
    let text = text(keys, key)?;
    let found = all.iter().copied().find(|one| id(*one) == text);
    found.map(Some).ok_or_else(|| {
        let known: Vec<&str> = all.iter().map(|one| id(*one)).collect();
        wrong(format!("`{key}` is {text:?}; known here: {}", known.join(", ")))
    })
}

fn robots_txt(keys: &Keys) -> Result<Arc<[u8]>, NotAsked> {
    let octets = BASE64.decode(text(keys, "robots_txt")?);
    octets.map(Arc::from).map_err(|error| wrong(format!("`robots_txt` is no base64: {error}")))
}

fn crawler(keys: &Keys) -> Result<Arc<Crawler>, NotAsked> {
    let tokens = keys.get("crawler").and_then(Value::as_array);
    let tokens: Option<Vec<&str>> =
        tokens.and_then(|tokens| tokens.iter().map(Value::as_str).collect());
    match tokens {
        Some(tokens) if !tokens.is_empty() => {
            // The observed profile takes any text; an edition wants product tokens.
            let crawler = Crawler::new(tokens.clone());
            let crawler = crawler.unwrap_or_else(|_| Crawler::as_given(tokens));
            Ok(Arc::new(match keys.get("identification") {
                None => crawler,
                Some(_) => crawler.identified_as(text(keys, "identification")?),
            }))
        }
        _ => Err(wrong("`crawler` is missing or no list of product tokens")),
    }
}
