//! Adds the preferences about the use of a URL's content to its verdict: [`Use`].
//!
//! Only draft editions define such preferences. The answer has a preference for each category of the default
//! vocabulary. If the URL may not be fetched, the answer has the word `not-applicable` instead.

use std::collections::BTreeMap;

use robots_core::usage::{Usage, Vocabulary};
use serde::Serialize;

/// The answer about the use of a URL's content. Its reason names the deciding lines.
#[derive(Serialize)]
pub(super) struct Use {
    usage: Preferences,
    #[serde(skip_serializing_if = "Option::is_none")]
    usage_reason: Option<String>,
}

/// The preference for each category of the default vocabulary, or `not-applicable` for a URL that may not be fetched.
#[derive(Serialize)]
#[serde(untagged)]
enum Preferences {
    Stated(BTreeMap<&'static str, &'static str>),
    NotApplicable(&'static str),
}

impl Use {
    /// Makes the answer. `reason` returns the reason, or `None` if the reasons of the line are too long already.
    pub(super) fn of(usage: &Usage<'_>, reason: impl FnOnce(&Usage<'_>) -> Option<String>) -> Self {
        let categories = Vocabulary::default().categories().iter();
        let Some(preferences) = usage.preferences() else {
            let usage = Preferences::NotApplicable("not-applicable");
            return Self { usage, usage_reason: None };
        };
        let stated = categories.map(|category| (category.label(), preferences.get(*category).id()));
        Self { usage: Preferences::Stated(stated.collect()), usage_reason: reason(usage) }
    }
}
