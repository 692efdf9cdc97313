//! The agents for which two files are compared.

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use robots_core::{ProductToken, RobotsTxtRef};

/// Whose verdicts are compared.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Agent {
    /// Every crawler that neither file names.
    Others,
    /// The crawler of a product token, as the first file that names it writes it.
    Named(String),
}

impl Agent {
    /// Returns the product token, that of an example for [`Others`](Self::Others) in a comparison of the files.
    pub(super) fn token<'t>(&'t self, other: &'t str) -> &'t str {
        match self {
            Self::Others => other,
            Self::Named(token) => token,
        }
    }
}

/// Returns the product tokens that the files name, in the order of the alphabet, and one that none of them names.
///
/// An edition in which a token falls back to its prefixes needs no more: every token follows the same groups as the
/// longest prefix of it that is named.
pub(super) fn named(files: &[RobotsTxtRef<'_>]) -> (Vec<String>, String) {
    let mut tokens: BTreeMap<String, String> = BTreeMap::new();
    for file in files {
        for line in file.groups().flat_map(|group| group.user_agents()) {
            let Ok(token) = core::str::from_utf8(ProductToken::leading(line.value())) else {
                continue;
            };
            if ProductToken::new(token).is_ok() && line.names(token) {
                tokens.entry(token.to_ascii_lowercase()).or_insert_with(|| token.to_string());
            }
        }
    }
    let mut other = String::from("examplebot");
    while tokens.contains_key(&other) {
        other.push('x');
    }
    (tokens.into_values().collect(), other)
}
