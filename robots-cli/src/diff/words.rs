//! The texts that the formats share: the words for a change, the example, the totals, and the note about samples.

use robots_console::render::{self, counted};
use robots_lint::effect::{Change, Effect};

use super::compared::Compared;
use crate::lint::Input;

/// The sentence about a comparison that was not exact.
pub(super) const SAMPLED: &str = "The files are too large to compare exactly, so this is a sample: \
    each listed change is real, but there may be more changes.";

/// Returns the verb for the effect of a change on URLs.
pub(super) const fn verb(effect: Effect) -> &'static str {
    match effect {
        Effect::Opened => "opens",
        Effect::Closed => "closes",
    }
}

/// Returns the pattern of the rule of a change, for readers.
pub(super) fn pattern(change: &Change<'_>) -> String {
    render::message(&String::from_utf8_lossy(change.pattern())).replace('\n', "\\n")
}

/// Returns the example of a change: a URL if one of the files has an origin, otherwise a path with its query.
pub(super) fn example(compared: &Compared<'_>, change: &Change<'_>) -> String {
    let origin =
        [compared.new, compared.old].into_iter().find_map(Input::origin).unwrap_or_default();
    format!("{origin}{}", change.path())
}

/// Returns the sentence that summarises the changes.
pub(super) fn totals(compared: &Compared<'_>) -> String {
    let of = |effect: Effect| {
        let count = compared.count(effect);
        (count > 0).then(|| format!("{} {effect}", counted(count, "pattern")))
    };
    let parts: Vec<String> = [Effect::Opened, Effect::Closed].into_iter().filter_map(of).collect();
    match (&parts[..], compared.difference.is_sampled()) {
        ([], false) => "no URL changes its verdict".to_owned(),
        ([], true) => "no change in the sample".to_owned(),
        (parts, _) => parts.join(", "),
    }
}

/// Returns the sentence about changes that are not shown, if there are any.
pub(super) fn left_out(compared: &Compared<'_>) -> Option<String> {
    let count = compared.left_out();
    (count > 0).then(|| format!("and {count} more changes; --all shows them"))
}
