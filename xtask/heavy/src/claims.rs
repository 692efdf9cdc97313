//! The claims of parsers and crawlers about themselves, and the requirements that the named documents do not contain.
//!
//! If the named document lacks a requirement of RFC 9309 or contradicts it, the requirement is outside the claims. The
//! tables show failures of such requirements separately.

use serde::{Deserialize, Serialize};

/// A claim of a parser or crawler about itself.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Claim {
    /// The statement of its manual or README about robots.txt, quoted or shortened.
    pub(crate) says: String,
    /// The source: an address in angle brackets, or the page of an installed manual.
    pub(crate) source: String,
    /// The named document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) document: Option<Named>,
    /// The requirements of the document that it says it does not fulfil.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) except: Vec<String>,
}

/// A document that parsers and crawlers name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Named {
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
/// merged groups, the meaning of other answers, the size and the coding of the file. In both documents, blank lines
/// separate records, and a record has at least one rule. Neither says what to do with text outside the grammar, with rules
/// before the first user-agent line, or with a last line without a line ending.
const IN_NEITHER: [&str; 19] = [
    "FETCH-3XX-CONTEXT",
    "FETCH-5XX-CACHED",
    "FORMAT-SIZE",
    "FORMAT-UTF8",
    "FORMAT-WHITE-SPACE",
    "GRAMMAR-EOF",
    "GRAMMAR-LENIENT",
    "GROUP-BLANK",
    "GROUP-EMPTY-SPECIFIC",
    "GROUP-MERGE",
    "GROUP-ORPHAN",
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
///
/// The standard recommends comparing a name as a substring. The draft says which one: the user-agent value contains the
/// crawler's token, so that a group for a part of the token does not apply. (In the draft, a group for a longer token also
/// applies. No measured software that names the draft does this.) The draft recommends following redirects, and deferring
/// visits after a temporary failure (3.1); that an origin cannot be reached is one.
const SINCE_1996: [&str; 6] =
    ["AGENT-ONE", "FETCH-3XX", "FETCH-5XX", "FETCH-NETWORK", "MATCH-ENCODING", "RULE-ROBOTS-TXT"];

/// The requirements that the draft of 1996 decides differently: in its grammar, a line with another field ends a run of
/// user-agent lines, and no path is empty.
const OTHERWISE_IN_1996: [&str; 2] = ["GROUP-OTHER-FIELDS", "RULE-EMPTY"];

impl Named {
    /// Returns the name of the document for a table.
    const fn title(self) -> &'static str {
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
            Self::Draft1996 => {
                IN_NEITHER.contains(&requirement) || OTHERWISE_IN_1996.contains(&requirement)
            }
            Self::Extensions2008 => {
                Self::Draft1996.lacks(requirement) && !SINCE_2008.contains(&requirement)
            }
            Self::Google | Self::Rfc9309 => false,
        }
    }
}

impl Claim {
    /// Returns the name of the document for a table.
    pub(crate) fn title(&self) -> &'static str {
        self.document.map_or("no document", Named::title)
    }

    /// Returns whether a requirement is outside the claims. A claim without a document excludes only the requirements that
    /// it names.
    pub(crate) fn excludes(&self, requirement: &str) -> bool {
        self.document.is_some_and(|document| document.lacks(requirement))
            || self.except.iter().any(|id| id == requirement)
    }

    /// Returns the claim as a sentence with its source.
    pub(crate) fn sentence(&self) -> String {
        let Self { says, source, .. } = self;
        format!("It says of itself: {says} (Source: {source}.)")
    }
}

#[cfg(test)]
mod tests {
    use robots_conformance::suite::load;

    use super::{Claim, IN_NEITHER, Named, OTHERWISE_IN_1996, SINCE_1996, SINCE_2008};

    #[test]
    fn every_requirement_that_a_document_lacks_exists() {
        let suite = load::embedded().unwrap();
        let later = SINCE_1996.iter().chain(&SINCE_2008);
        for id in IN_NEITHER.iter().chain(&OTHERWISE_IN_1996).chain(later) {
            assert!(suite.requirement(id).is_some(), "{id}");
        }
    }

    #[test]
    fn a_failure_is_outside_of_a_claim_where_its_document_has_no_word_of_it() {
        let claim = |document| Claim {
            says: String::new(),
            source: String::new(),
            document,
            except: vec!["RULE-CASE".to_owned()],
        };
        let excludes = |document, requirement| claim(document).excludes(requirement);
        assert!(excludes(Some(Named::Standard1994), "MATCH-STAR"));
        assert!(excludes(Some(Named::Standard1994), "FETCH-5XX"));
        assert!(!excludes(Some(Named::Draft1996), "FETCH-5XX"));
        assert!(excludes(Some(Named::Standard1994), "AGENT-ONE"));
        assert!(!excludes(Some(Named::Draft1996), "AGENT-ONE"));
        assert!(!excludes(Some(Named::Extensions2008), "MATCH-STAR"));
        assert!(excludes(Some(Named::Extensions2008), "GROUP-OTHER-FIELDS"));
        assert!(!excludes(Some(Named::Standard1994), "GROUP-OTHER-FIELDS"));
        assert!(!excludes(Some(Named::Standard1994), "MATCH-PREFIX"));
        assert!(!excludes(Some(Named::Rfc9309), "MATCH-STAR"));
        assert!(!excludes(None, "MATCH-STAR"));
        assert!(excludes(None, "RULE-CASE") && excludes(Some(Named::Rfc9309), "RULE-CASE"));
    }
}
