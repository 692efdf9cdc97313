//! The claims of crawlers about themselves, and the requirements that the named documents do not contain.
//!
//! If the named document lacks a requirement of RFC 9309 or contradicts it, the requirement is outside the crawler's
//! claims. The tables show failures of such requirements separately.

use serde::{Deserialize, Serialize};

/// A crawler's claim about itself.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Claim {
    /// The statement of its manual or README about robots.txt, quoted or shortened.
    pub(super) says: String,
    /// The source: an address in angle brackets, or the page of an installed manual.
    pub(super) source: String,
    /// The named document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) document: Option<Named>,
}

/// A document that crawlers name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Named {
    /// "A Standard for Robot Exclusion" of 1994: user-agent and disallow, matched from the start of the path.
    #[serde(rename = "standard-1994")]
    Standard1994,
    /// The internet draft "A Method for Web Robots Control" of 1996: also allow, and the first match decides.
    #[serde(rename = "draft-1996")]
    Draft1996,
    /// That draft with the extensions that Google, Yahoo and Microsoft announced in 2008: also wildcards.
    #[serde(rename = "extensions-2008")]
    Extensions2008,
    /// Google's specification.
    Google,
    /// RFC 9309.
    Rfc9309,
}

/// Requirements that neither the standard of 1994 nor the draft of 1996 contains, or that both contradict: wildcards,
/// merged groups, the meaning of other answers and failures, the size and the coding of the file. In both documents,
/// blank lines separate records, a record has at least one rule, and a user-agent value is matched as a part of the
/// crawler's name.
const IN_NEITHER: [&str; 18] = [
    "AGENT-ONE",
    "FETCH-3XX-CONTEXT",
    "FETCH-5XX-CACHED",
    "FETCH-NETWORK",
    "FORMAT-SIZE",
    "FORMAT-UTF8",
    "FORMAT-WHITE-SPACE",
    "GROUP-BLANK",
    "GROUP-EMPTY-SPECIFIC",
    "GROUP-MERGE",
    "GROUP-SHAPE",
    "MATCH-END",
    "MATCH-LIMITED",
    "MATCH-LITERAL",
    "MATCH-STAR",
    "PREC-LENGTH",
    "PREC-ORDER",
    "PREC-TIE",
];

/// The requirements that the extensions of 2008 add.
const SINCE_2008: [&str; 3] = ["MATCH-END", "MATCH-LIMITED", "MATCH-STAR"];

/// The requirements that the draft of 1996 contains and the standard of 1994 does not.
const SINCE_1996: [&str; 4] = ["FETCH-3XX", "FETCH-5XX", "MATCH-ENCODING", "RULE-ROBOTS-TXT"];

impl Named {
    /// Returns the name of the document for a table.
    pub(super) const fn title(self) -> &'static str {
        match self {
            Self::Standard1994 => "standard of 1994",
            Self::Draft1996 => "draft of 1996",
            Self::Extensions2008 => "draft of 1996, extensions of 2008",
            Self::Google => "Google",
            Self::Rfc9309 => "RFC 9309",
        }
    }

    /// Returns whether a requirement of RFC 9309 is outside the document.
    fn lacks(self, requirement: &str) -> bool {
        match self {
            Self::Standard1994 => {
                IN_NEITHER.contains(&requirement) || SINCE_1996.contains(&requirement)
            }
            Self::Draft1996 => IN_NEITHER.contains(&requirement),
            Self::Extensions2008 => {
                IN_NEITHER.contains(&requirement) && !SINCE_2008.contains(&requirement)
            }
            Self::Google | Self::Rfc9309 => false,
        }
    }
}

impl Claim {
    /// Returns whether a requirement is outside the crawler's claims. A claim without a document excludes nothing.
    pub(super) fn excludes(&self, requirement: &str) -> bool {
        self.document.is_some_and(|document| document.lacks(requirement))
    }

    /// Returns the claim as a sentence with its source.
    pub(super) fn sentence(&self) -> String {
        let Self { says, source, .. } = self;
        format!("It says of itself: {says} (Source: {source}.)")
    }
}

#[cfg(test)]
mod tests {
    use robots_conformance::suite::load;

    use super::{Claim, IN_NEITHER, Named, SINCE_1996, SINCE_2008};

    #[test]
    fn every_requirement_that_a_document_lacks_exists() {
        let suite = load::embedded().unwrap();
        for id in IN_NEITHER.iter().chain(&SINCE_1996).chain(&SINCE_2008) {
            assert!(suite.requirement(id).is_some(), "{id}");
        }
    }

    #[test]
    fn a_failure_is_outside_of_a_claim_where_its_document_has_no_word_of_it() {
        let claim = |document| Claim { says: String::new(), source: String::new(), document };
        let excludes = |document, requirement| claim(document).excludes(requirement);
        assert!(excludes(Some(Named::Standard1994), "MATCH-STAR"));
        assert!(excludes(Some(Named::Standard1994), "FETCH-5XX"));
        assert!(!excludes(Some(Named::Draft1996), "FETCH-5XX"));
        assert!(!excludes(Some(Named::Extensions2008), "MATCH-STAR"));
        assert!(!excludes(Some(Named::Standard1994), "MATCH-PREFIX"));
        assert!(!excludes(Some(Named::Rfc9309), "MATCH-STAR"));
        assert!(!excludes(None, "MATCH-STAR"));
    }
}
