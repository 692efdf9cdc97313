//! For what the content of a URL may be used, beside its verdict. Only draft editions answer that.

use std::collections::BTreeMap;

use robots_core::RuleSet;
use robots_core::usage::{Usage, Vocabulary};
use serde::Serialize;

use super::{Decision, Question, Reasons, decision};

/// The answer about the use of content. A reason names the deciding lines.
#[derive(Serialize)]
pub(super) struct Use {
    usage: Preferences,
    #[serde(skip_serializing_if = "Option::is_none")]
    usage_reason: Option<String>,
}

/// The preference for each category of the default vocabulary, or the word for a URL that may not be fetched.
#[derive(Serialize)]
#[serde(untagged)]
enum Preferences {
    Stated(BTreeMap<&'static str, &'static str>),
    NotApplicable(&'static str),
}

/// Decides about the URLs of a line.
pub(super) fn decisions(rules: &RuleSet, question: &Question, reasons: &Reasons) -> Vec<Decision> {
    let header = question.content_usage.as_ref().map_or(&[][..], |lines| lines.as_slice());
    let header: Vec<&[u8]> = header.iter().map(String::as_bytes).collect();
    let decided = question.url.as_slice().iter().map(|url| {
        let usage = rules.usage(url, &header);
        let decision = decision(url, &usage.verdict(), reasons);
        Decision { usage: Some(Use::of(&usage, reasons)), ..decision }
    });
    decided.collect()
}

impl Use {
    fn of(usage: &Usage<'_>, reasons: &Reasons) -> Self {
        let categories = Vocabulary::default().categories().iter();
        let Some(preferences) = usage.preferences() else {
            let usage = Preferences::NotApplicable("not-applicable");
            return Self { usage, usage_reason: None };
        };
        let stated = categories.map(|own| (own.label(), preferences.get(*own).id()));
        Self { usage: Preferences::Stated(stated.collect()), usage_reason: reasons.tell(usage) }
    }
}
