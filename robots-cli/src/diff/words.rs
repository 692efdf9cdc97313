//! The texts that the formats share: the words for a change, the example, the answers about it, the totals, and the note
//! about samples.

use std::borrow::Cow;

use robots_console::render::{self, counted};
use robots_core::usage::{Preference, Usage};
use robots_lint::effect::{Change, Effect};

use super::compared::Compared;
use crate::lint::Input;

/// The sentence about a comparison that was not exact.
pub(super) const SAMPLED: &str = "The files are too large to compare exactly, so this is a sample: \
    each listed change is real, but there may be more changes.";

/// Returns the words for the effect of a change on URLs.
pub(super) fn verb(effect: Effect) -> Cow<'static, str> {
    match effect {
        Effect::Opened => "opens".into(),
        Effect::Closed => "closes".into(),
        Effect::Preference(category) => format!("changes the preference for {category}").into(),
    }
}

/// Returns the pattern of the rule or the statement of a change, for readers. A statement without a path is about the
/// same URLs as the pattern `/`.
pub(super) fn pattern(change: &Change<'_>) -> String {
    if change.pattern().is_empty() {
        return "/".to_owned();
    }
    render::message(&String::from_utf8_lossy(change.pattern())).replace('\n', "\\n")
}

/// Returns the example of a change: a URL if one of the files has an origin, otherwise a path with its query.
pub(super) fn example(compared: &Compared<'_>, change: &Change<'_>) -> String {
    let origin =
        [compared.new, compared.old].into_iter().find_map(Input::origin).unwrap_or_default();
    format!("{origin}{}", change.example())
}

/// Returns the answers of the two files about the example: the preferences if the change is about a preference,
/// otherwise the verdicts. Each answer names the lines that decide.
pub(super) fn answers(change: &Change<'_>) -> [String; 2] {
    let Effect::Preference(category) = change.effect() else {
        return [change.before().to_string(), change.after().to_string()];
    };
    // A statement names only the categories that it states.
    let words = |usage: Option<Usage<'_>>| match usage.map(|it| (it.preference(category), it)) {
        Some((Some(Preference::Unknown), usage)) => format!("{category} unknown; {usage}"),
        Some((_, usage)) => usage.to_string(),
        None => String::new(),
    };
    [words(change.usage_before()), words(change.usage_after())]
}

/// Returns the sentence that summarises the changes.
pub(super) fn totals(compared: &Compared<'_>) -> String {
    let of = |(id, done): (&str, &str)| {
        let count = compared.count(id);
        (count > 0).then(|| format!("{} {done}", counted(count, "pattern")))
    };
    let effects =
        [("opened", "opened"), ("closed", "closed"), ("preference", "with another preference")];
    let parts: Vec<String> = effects.into_iter().filter_map(of).collect();
    match (&parts[..], compared.difference.is_sampled()) {
        ([], false) if compared.edition.is_draft() => {
            "no URL changes its verdict or its preferences".to_owned()
        }
        ([], false) => "no URL changes its verdict".to_owned(),
        ([], true) => "no change in the sample".to_owned(),
        (parts, _) => parts.join(", "),
    }
}

/// Returns sentences about changes of sitemaps and of `Crawl-delay`, as many as are shown. They change no verdict.
pub(super) fn beside(compared: &Compared<'_>) -> Vec<String> {
    let mut sentences = all_beside(compared);
    sentences.truncate(compared.most);
    sentences
}

fn all_beside(compared: &Compared<'_>) -> Vec<String> {
    let shown = |url: &String| render::message(url);
    let [removed, added] = &compared.sitemaps;
    let removed =
        removed.iter().map(|url| format!("sitemap {} is not listed any more", shown(url)));
    let added = added.iter().map(|url| format!("sitemap {} is new", shown(url)));
    let delays = compared.difference.crawl_delays().map(|(agents, delays)| {
        let [before, after] = delays.map(|delay| match delay {
            Some(delay) => format!("{} s", delay.as_secs_f64()),
            None => "none".to_owned(),
        });
        format!("Crawl-delay for {}: {before} -> {after}", compared.difference.affected(agents))
    });
    removed.chain(added).chain(delays).collect()
}

/// Returns the sentence about changes that are not shown, if there are any.
pub(super) fn left_out(compared: &Compared<'_>) -> Option<String> {
    let count = compared.left_out() + all_beside(compared).len().saturating_sub(compared.most);
    (count > 0).then(|| format!("and {}; --all shows every change", counted(count, "more change")))
}
