//! The names of findings, as an option or the config file states them.

use robots_console::error::Error;
use robots_console::render::{self, hint};
use robots_lint::{Construct, FindingKind};

/// Returns whether a kind of finding or a construct has the name.
pub(super) fn is_known(name: &str) -> bool {
    name.parse::<FindingKind>().is_ok() || name.parse::<Construct>().is_ok()
}

/// Returns the error about a name that no kind of finding and no construct has.
pub(super) fn unknown(place: &str, name: &str) -> Error {
    Error::new(format!("{place}: {}", no_finding(name)))
}

/// Returns the sentence about a name that no kind of finding and no construct has.
pub(super) fn no_finding(name: &str) -> String {
    let kinds = FindingKind::ALL.iter().map(|kind| kind.name());
    let names = kinds.chain(Construct::ALL.iter().map(|construct| construct.name()));
    let shown = render::name(name);
    format!("there is no finding {shown:?}; {}", hint(name, "findings", names))
}
