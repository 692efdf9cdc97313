//! The files as YAML has them: structs whose keys are the format's keys, and no others.
//!
//! Every key is optional here; [`super::case`] and [`super::requirements`] say which must be there.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_yaml::{Mapping, Value};

/// A text or a list of texts.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "expected a text or a list of texts")]
pub(super) enum OneOrMany<T> {
    One(T),
    Many(Vec<T>),
}

impl<T> OneOrMany<T> {
    pub(super) fn into_vec(self) -> Vec<T> {
        match self {
            Self::One(one) => vec![one],
            Self::Many(many) => many,
        }
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct CaseFile {
    pub(super) area: Option<String>,
    pub(super) table: Option<String>,
    pub(super) cases: Option<Vec<Value>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Case {
    pub(super) id: Option<String>,
    pub(super) requirement: Option<String>,
    pub(super) about: Option<String>,
    pub(super) ask: Option<String>,
    pub(super) table: Option<String>,
    pub(super) expect: Option<Mapping>,

    pub(super) robots: Option<String>,
    pub(super) robots_escaped: Option<String>,
    pub(super) robots_parts: Option<Vec<Part>>,
    pub(super) pattern: Option<String>,
    pub(super) allow: Option<String>,
    pub(super) disallow: Option<String>,

    pub(super) crawler: Option<OneOrMany<String>>,
    pub(super) identification: Option<String>,
    pub(super) url: Option<String>,
    pub(super) url_parts: Option<Vec<Part>>,
    pub(super) allowed: Option<Vec<String>>,
    pub(super) disallowed: Option<Vec<String>>,
    pub(super) matches: Option<Vec<String>>,
    pub(super) does_not_match: Option<Vec<String>>,

    pub(super) robots_url: Option<String>,
    pub(super) came_from: Option<String>,
    pub(super) governs: Option<Vec<String>>,
    pub(super) does_not_govern: Option<Vec<String>>,
    pub(super) not_a_robots_url: Option<Vec<String>>,

    pub(super) fetch: Option<Fetch>,
    pub(super) copy: Option<Copy>,

    pub(super) derivable: Option<Vec<String>>,
    pub(super) not_derivable: Option<Vec<String>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Part {
    pub(super) text: Option<String>,
    pub(super) escaped: Option<String>,
    pub(super) times: Option<usize>,
    pub(super) counter: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Fetch {
    pub(super) status: Option<u16>,
    pub(super) failure: Option<String>,
    pub(super) redirects: Option<u32>,
    pub(super) location: Option<String>,
    pub(super) logical_redirect: Option<bool>,
    pub(super) cached_copy_age: Option<u64>,
    pub(super) unreachable_for: Option<u64>,
    pub(super) server_errors_for_missing_pages: Option<bool>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Copy {
    pub(super) age: Option<u64>,
    pub(super) max_age: Option<u64>,
    pub(super) refresh: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Expect {
    pub(super) answer: Option<Value>,
    pub(super) any_of: Option<Vec<Value>>,
    pub(super) readings: Option<Vec<Reading>>,
    pub(super) level: Option<String>,
    pub(super) source: Option<String>,
    pub(super) row: Option<String>,
    pub(super) why: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Reading {
    pub(super) answer: Value,
    pub(super) passage: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Verdict {
    pub(super) verdict: String,
    pub(super) line: Option<OneOrMany<u32>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Group {
    pub(super) agents: Option<Vec<String>>,
    #[serde(default)]
    pub(super) rules: Vec<BTreeMap<String, String>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Derives {
    pub(super) file: Option<bool>,
    pub(super) lines: Option<Vec<bool>>,
}
