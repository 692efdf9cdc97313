//! The fetch result of a question: its keys in a case and in a message, and its text.
//!
//! The kinds `access` and `retry` share this module. Start at [`Reading::fetch`], which reads the key of a case, and
//! [`fetch_text()`], which renders the result. `wire` writes and reads the messages of every kind that implements
//! `OfFetch`. A result has either a status or a failure; the readers of cases and of messages reject any other result.

use std::time::Duration;

use robots_core::fetch::{Failure, FetchEnd, FetchResult, Location};
use serde::Deserialize;

use super::keys::{KeyGroup, KeyProblem, Reading};
use super::word::Word;

/// The key that gives a fetch result.
pub(super) const KEYS: KeyGroup = KeyGroup::of::<Keys>();

#[derive(Debug, Default, Deserialize)]
struct Keys {
    fetch: Option<Fetch>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Fetch {
    status: Option<u16>,
    failure: Option<String>,
    redirects: Option<u32>,
    location: Option<String>,
    logical_redirect: Option<bool>,
    cached_copy_age: Option<u64>,
    unreachable_for: Option<u64>,
    server_errors_for_missing_pages: Option<bool>,
}

impl Reading<'_> {
    /// Reads the fetch result.
    pub(super) fn fetch(&mut self) -> Option<FetchResult> {
        let Some(fetch) = self.keys::<Keys>().fetch else {
            self.wrong("id", "nothing is asked; give `fetch`");
            return None;
        };
        self.checked(fetch.result())
    }
}

impl Fetch {
    fn result(self) -> Result<FetchResult, KeyProblem> {
        let location = known_word("location", self.location.as_deref())?;
        if location.is_some() && !matches!(self.status, Some(300..=399)) {
            let message = "`location` belongs to a 3xx status; leave it out".to_owned();
            return Err(KeyProblem { key: "location", message });
        }
        let location: Location = location.unwrap_or_default();
        let end = match (self.status, self.failure.as_deref()) {
            (Some(status), None) => FetchEnd::Status { status, location },
            (None, failure @ Some(_)) => match known_word::<Failure>("failure", failure)? {
                Some(failure) => FetchEnd::Failure(failure),
                None => return Err(exactly_one()),
            },
            _ => return Err(exactly_one()),
        };
        let mut fetch = FetchResult::new(end);
        fetch.redirects = self.redirects.unwrap_or_default();
        fetch.logical_redirect = self.logical_redirect.unwrap_or_default();
        fetch.cached_copy_age = self.cached_copy_age.map(Duration::from_secs);
        fetch.unreachable_for = Duration::from_secs(self.unreachable_for.unwrap_or_default());
        fetch.server_errors_for_missing_pages =
            self.server_errors_for_missing_pages.unwrap_or_default();
        Ok(fetch)
    }
}

fn exactly_one() -> KeyProblem {
    let message = "`fetch` has exactly one of `status` and `failure`".to_owned();
    KeyProblem { key: "fetch", message }
}

/// Reads one of the words that a key can have.
pub(super) fn known_word<T: Word>(
    key: &'static str,
    word: Option<&str>,
) -> Result<Option<T>, KeyProblem> {
    let Some(word) = word else { return Ok(None) };
    let message = || format!("unknown `{key}: {word}`; known here: {}", T::known());
    T::find(word).map(Some).ok_or_else(|| KeyProblem { key, message: message() })
}

/// Renders a fetch result.
pub(super) fn fetch_text(fetch: &FetchResult) -> String {
    let mut facts = vec![match fetch.end {
        FetchEnd::Status { status, location } => match location {
            Location::Present => format!("status {status}"),
            Location::Missing => format!("status {status} without a location"),
            Location::Loop => format!("status {status} to a URL fetched before"),
            Location::Disallowed => format!("status {status} to a disallowed URL"),
        },
        FetchEnd::Failure(failure) => format!("failure {}", failure.id()),
    }];
    if fetch.redirects > 0 {
        facts.push(format!("after {} redirects", fetch.redirects));
    }
    if fetch.logical_redirect {
        facts.push("the body redirects".to_owned());
    }
    if let Some(age) = fetch.cached_copy_age {
        facts.push(format!("a cached copy {} s old", age.as_secs()));
    }
    if !fetch.unreachable_for.is_zero() {
        facts.push(format!("unreachable for {} s", fetch.unreachable_for.as_secs()));
    }
    if fetch.server_errors_for_missing_pages {
        facts.push("the site answers 5xx for missing pages".to_owned());
    }
    facts.join(", ")
}

#[cfg(feature = "process")]
pub(super) mod wire {
    //! The key `fetch` of a message.

    use std::time::Duration;

    use robots_core::fetch::{Failure, FetchEnd, FetchResult, Location};
    use serde::ser::SerializeMap;
    use serde::{Deserialize, Serialize};

    use crate::kind::contract::{Kind, Wire};
    use crate::kind::fields::{Fields, NotAQuestion, WrongKey};
    use crate::kind::word::Word;
    use crate::kind::word::wire::{As, answer};

    /// The name of the key.
    const KEY: &str = "fetch";

    /// A kind that asks about one result of fetching robots.txt, and whose answer is a word.
    pub(in crate::kind) trait OfFetch: Kind {
        /// The key of the answer.
        const ANSWER: &'static str;

        /// Makes the question about a result.
        fn of(fetch: FetchResult) -> Self;

        /// Returns the fetch result that the question is about.
        fn fetch(&self) -> &FetchResult;
    }

    impl<Q, A> Wire for Q
    where
        Q: OfFetch + Kind<Answer = A, Expected = A>,
        A: Word + Copy + PartialEq,
    {
        const QUESTION_KEYS: &'static [&'static str] = &[KEY];

        fn write<M: SerializeMap>(&self, message: &mut M) -> Result<(), M::Error> {
            message.serialize_entry(KEY, &Fetch::from(self.fetch()))
        }

        fn read(message: &Fields) -> Result<Self, NotAQuestion> {
            Ok(Self::of(message.key::<Fetch>(KEY)?.result()?))
        }

        fn write_expected<M: SerializeMap>(expected: &A, message: &mut M) -> Result<(), M::Error> {
            message.serialize_entry(Q::ANSWER, &As(*expected))
        }

        fn read_answer(message: &Fields) -> Result<A, WrongKey> {
            answer(message, Q::ANSWER)
        }
    }

    /// The value of `fetch`. If a key is missing, its default applies. Times are in seconds.
    #[derive(Serialize, Deserialize)]
    struct Fetch {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        status: Option<u16>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        location: Option<As<Location>>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        failure: Option<As<Failure>>,
        #[serde(default, skip_serializing_if = "is_default")]
        redirects: u32,
        #[serde(default, skip_serializing_if = "is_default")]
        logical_redirect: bool,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cached_copy_age: Option<u64>,
        #[serde(default, skip_serializing_if = "is_default")]
        unreachable_for: u64,
        #[serde(default, skip_serializing_if = "is_default")]
        server_errors_for_missing_pages: bool,
    }

    impl From<&FetchResult> for Fetch {
        fn from(fetch: &FetchResult) -> Self {
            let (status, location, failure) = match fetch.end {
                FetchEnd::Status { status, location } => {
                    let says = location != Location::Present || (300..400).contains(&status);
                    (Some(status), says.then_some(As(location)), None)
                }
                FetchEnd::Failure(failure) => (None, None, Some(As(failure))),
            };
            Self {
                status,
                location,
                failure,
                redirects: fetch.redirects,
                logical_redirect: fetch.logical_redirect,
                cached_copy_age: fetch.cached_copy_age.map(|age| age.as_secs()),
                unreachable_for: fetch.unreachable_for.as_secs(),
                server_errors_for_missing_pages: fetch.server_errors_for_missing_pages,
            }
        }
    }

    impl Fetch {
        fn result(self) -> Result<FetchResult, NotAQuestion> {
            let end = match (self.status, self.failure) {
                (Some(status), None) => FetchEnd::Status {
                    status,
                    location: self.location.map(|As(location)| location).unwrap_or_default(),
                },
                (None, Some(As(failure))) => FetchEnd::Failure(failure),
                _ => {
                    let wrong = "`fetch` has exactly one of `status` and `failure`";
                    return Err(NotAQuestion::Wrong(wrong.to_owned()));
                }
            };
            let mut fetch = FetchResult::new(end);
            fetch.redirects = self.redirects;
            fetch.logical_redirect = self.logical_redirect;
            fetch.cached_copy_age = self.cached_copy_age.map(Duration::from_secs);
            fetch.unreachable_for = Duration::from_secs(self.unreachable_for);
            fetch.server_errors_for_missing_pages = self.server_errors_for_missing_pages;
            Ok(fetch)
        }
    }

    /// Returns whether a value is the default of its key.
    fn is_default<T: Default + PartialEq>(value: &T) -> bool {
        *value == T::default()
    }
}
