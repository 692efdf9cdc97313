//! Questions: written by the runner, read by a subject.

use std::borrow::Cow;
use std::sync::Arc;

use robots_core::engine::{
    AccessQuestion, Ask, DerivesQuestion, FreshnessQuestion, GroupQuestion, GroupsQuestion,
    Question, QuestionKind, RetryQuestion, ScopeQuestion, SitemapsQuestion, VerdictQuestion,
};
use robots_core::fetch::{CachedCopy, FetchResult};
use robots_core::{Crawler, ProductToken, Profile};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::message::Message;
use super::octets::Octets;
use super::situation::{CopyMessage, FetchMessage};

/// A question as a message: its keys in their order, each where its kind has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct QuestionMessage<'q> {
    /// The question's number, from 1 in what is sent.
    pub id: u64,
    ask: &'static str,
    edition: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    robots_txt: Option<Octets<'q>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    crawler: Option<Vec<&'q str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    identification: Option<&'q str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    robots_url: Option<&'q str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'q str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    came_from: Option<&'q str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fetch: Option<FetchMessage>,
    #[serde(skip_serializing_if = "Option::is_none")]
    copy: Option<CopyMessage>,
}

/// Writes a question; `None` where the protocol has no such question.
///
/// ```
/// use robots_core::Edition;
/// use robots_core::engine::{Ask, Question};
/// use robots_conformance::protocol::{line, question};
///
/// let ask = Ask::Sitemaps(SitemapsQuestion { robots_txt: (*b"\xFF").into() });
/// let asked = Question { profile: Edition::Rfc9309.into(), ask };
/// let message = question(7, &asked).unwrap();
/// assert_eq!(
///     line(&message),
///     r#"{"id":7,"ask":"sitemaps","edition":"rfc9309","robots_txt":"/w=="}"#
/// );
/// ```
#[must_use]
pub fn question(id: u64, question: &Question) -> Option<QuestionMessage<'_>> {
    let mut message = QuestionMessage {
        id,
        ask: question.ask.kind().id(),
        edition: question.profile.id(),
        robots_txt: None,
        crawler: None,
        identification: None,
        robots_url: None,
        url: None,
        came_from: None,
        fetch: None,
        copy: None,
    };
    match &question.ask {
        Ask::Verdict(VerdictQuestion { robots_txt, crawler, url }) => {
            message.robots_txt(robots_txt).crawler(crawler).url = Some(url);
        }
        Ask::Groups(GroupsQuestion { robots_txt })
        | Ask::Sitemaps(SitemapsQuestion { robots_txt })
        | Ask::Derives(DerivesQuestion { robots_txt }) => {
            message.robots_txt(robots_txt);
        }
        Ask::Group(GroupQuestion { robots_txt, crawler }) => {
            message.robots_txt(robots_txt).crawler(crawler);
        }
        Ask::Scope(ScopeQuestion { robots_url, came_from, url }) => {
            message.robots_url = Some(robots_url);
            message.came_from = came_from.as_deref();
            message.url = Some(url);
        }
        Ask::Access(AccessQuestion { fetch }) | Ask::Retry(RetryQuestion { fetch }) => {
            message.fetch = Some(FetchMessage::from(fetch));
        }
        Ask::Freshness(FreshnessQuestion { copy }) => message.copy = Some(CopyMessage::from(copy)),
        _ => return None,
    }
    Some(message)
}

/// Reads a question; keys beside its own are left alone.
///
/// # Errors
/// A sentence that says which key is wrong, and whether it is a question that is merely not known here.
///
/// ```
/// use robots_conformance::protocol::{Message, NotAsked, asked};
/// let line = br#"{"id":1,"ask":"sitemaps","edition":"rfc9309"}"#;
/// let missing = asked(&Message::read(line).unwrap());
/// assert_eq!(missing, Err(NotAsked::Wrong("`robots_txt` is missing".to_owned())));
/// ```
pub fn asked(message: &Message) -> Result<Question, NotAsked> {
    let word: String = key(message, "ask")?;
    let Ok(kind) = word.parse() else {
        return Err(NotAsked::Unknown(format!("questions of kind {word:?} are not known here")));
    };
    let edition: String = key(message, "edition")?;
    let profile: Profile =
        edition.parse().map_err(|error: robots_core::error::UnknownProfile| {
            NotAsked::Unknown(format!("{edition:?}: {error}"))
        })?;
    if profile == Profile::GoogleCpp && kind != QuestionKind::Verdict {
        return Err(NotAsked::Unknown(format!("{profile} answers verdicts only, not {kind}")));
    }
    let ask = match kind {
        QuestionKind::Verdict => Ask::Verdict(VerdictQuestion {
            robots_txt: robots_txt(message)?,
            crawler: crawler(message)?,
            url: key(message, "url")?,
        }),
        QuestionKind::Groups => Ask::Groups(GroupsQuestion { robots_txt: robots_txt(message)? }),
        QuestionKind::Group => Ask::Group(GroupQuestion {
            robots_txt: robots_txt(message)?,
            crawler: crawler(message)?,
        }),
        QuestionKind::Sitemaps => {
            Ask::Sitemaps(SitemapsQuestion { robots_txt: robots_txt(message)? })
        }
        QuestionKind::Scope => Ask::Scope(ScopeQuestion {
            robots_url: key(message, "robots_url")?,
            came_from: optional(message, "came_from")?,
            url: key(message, "url")?,
        }),
        QuestionKind::Access => Ask::Access(AccessQuestion { fetch: fetch(message)? }),
        QuestionKind::Retry => Ask::Retry(RetryQuestion { fetch: fetch(message)? }),
        QuestionKind::Freshness => Ask::Freshness(FreshnessQuestion {
            copy: CachedCopy::from(key::<CopyMessage>(message, "copy")?),
        }),
        QuestionKind::Derives => Ask::Derives(DerivesQuestion { robots_txt: robots_txt(message)? }),
    };
    Ok(Question { profile, ask })
}

/// Why a message is no question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotAsked {
    /// It is well-formed, but its kind or its edition is not known here.
    Unknown(String),
    /// It is broken.
    Wrong(String),
}

impl<'q> QuestionMessage<'q> {
    fn robots_txt(&mut self, octets: &'q [u8]) -> &mut Self {
        self.robots_txt = Some(Octets(Cow::Borrowed(octets)));
        self
    }

    fn crawler(&mut self, crawler: &'q Crawler) -> &mut Self {
        self.crawler = Some(crawler.tokens().iter().map(ProductToken::as_str).collect());
        self.identification = crawler.identification();
        self
    }
}

/// Reads a key that the question must have.
fn key<T: DeserializeOwned>(message: &Message, key: &str) -> Result<T, NotAsked> {
    optional(message, key)?.ok_or_else(|| NotAsked::Wrong(format!("`{key}` is missing")))
}

/// Reads a key that may be missing.
fn optional<T: DeserializeOwned>(message: &Message, key: &str) -> Result<Option<T>, NotAsked> {
    message.read_key(key).map_err(|error| NotAsked::Wrong(format!("`{key}` is wrong: {error}")))
}

fn robots_txt(message: &Message) -> Result<Arc<[u8]>, NotAsked> {
    let Octets(octets) = key(message, "robots_txt")?;
    Ok(Arc::from(octets))
}

fn fetch(message: &Message) -> Result<FetchResult, NotAsked> {
    FetchResult::try_from(key::<FetchMessage>(message, "fetch")?).map_err(NotAsked::Wrong)
}

fn crawler(message: &Message) -> Result<Crawler, NotAsked> {
    let tokens: Vec<String> = key(message, "crawler")?;
    if tokens.is_empty() {
        return Err(NotAsked::Wrong("`crawler` has no product token".to_owned()));
    }
    let tokens: Vec<&str> = tokens.iter().map(String::as_str).collect();
    // The observed profile takes any text; an edition wants product tokens.
    let crawler = Crawler::new(tokens.clone()).unwrap_or_else(|_| Crawler::as_given(tokens));
    Ok(match optional::<String>(message, "identification")? {
        None => crawler,
        Some(identification) => crawler.identified_as(&*identification),
    })
}
