//! The causes of failures: groups of requirements that crawlers violate together, in the order of a crawl.

/// The causes. Each cause has a name and the beginnings of the ids of its requirements. If several causes fit an id,
/// the first one counts.
const CAUSES: [(&str, &[&str]); 12] = [
    ("asking-first", &["APPLY-"]),
    ("hosts-ports-schemes", &["LOC-"]),
    ("redirects", &["FETCH-3XX", "FETCH-LOGICAL"]),
    ("server-errors", &["FETCH-5XX", "FETCH-429", "FETCH-NETWORK", "FETCH-503"]),
    ("other-answers", &["FETCH-", "RETRY-"]),
    ("caching", &["CACHE-"]),
    ("format-and-size", &["FORMAT-", "GRAMMAR-", "FIELD-", "SITEMAP-"]),
    ("user-agent-lines", &["AGENT-"]),
    ("groups", &["GROUP-"]),
    ("rules", &["RULE-"]),
    ("path-matching", &["MATCH-", "PATH-"]),
    ("precedence", &["PREC-"]),
];

/// The name for requirements that fit no cause.
const OTHER: &str = "other";

/// Returns the cause to which a requirement belongs.
pub(super) fn of(requirement: &str) -> &'static str {
    let fits =
        |(_, begins): &&(&str, &[&str])| begins.iter().any(|begin| requirement.starts_with(begin));
    CAUSES.iter().find(fits).map_or(OTHER, |(name, _)| name)
}

/// Returns the names of all causes.
pub(super) fn all() -> impl Iterator<Item = &'static str> {
    CAUSES.iter().map(|(name, _)| *name)
}

/// Returns the position of a cause in the list of causes.
pub(super) fn position(cause: &str) -> usize {
    CAUSES.iter().position(|(name, _)| *name == cause).unwrap_or(CAUSES.len())
}

#[cfg(test)]
mod tests {
    use robots_conformance::robots_core::engine::Role;
    use robots_conformance::suite::load;

    use super::{OTHER, of};

    #[test]
    fn every_requirement_that_a_crawl_can_violate_has_a_cause() {
        let suite = load::embedded().unwrap();
        let published = |it: &&robots_conformance::suite::requirement::Requirement| {
            it.editions.keys().any(|edition| !edition.is_draft()) && it.not_testable.is_none()
        };
        let without: Vec<&str> = suite
            .requirements
            .iter()
            .filter(published)
            .filter(|it| it.role == Role::Crawler || it.area != "grammar")
            .map(|it| it.id.as_str())
            .filter(|id| of(id) == OTHER)
            .collect();
        assert!(without.is_empty(), "{without:?}");
    }
}
