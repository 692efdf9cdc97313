//! Describes the claims of parsers and crawlers about themselves. For the documents of 1994, 1996 and 2008 that a claim
//! can name, this module lists the requirements and cases that these documents do not cover.
//!
//! If the document that a claim names does not demand a requirement of RFC 9309, or contradicts it, the requirement is
//! outside the claim. The tables show failures of such requirements separately. Start at [`Claim::excludes`].

use serde::Deserialize;

use crate::suite::SHOWN;

/// A claim of a parser or crawler about itself.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Claim {
    /// What its manual or README states about robots.txt, quoted or shortened.
    pub(crate) says: String,
    /// The source: an address in angle brackets, or the page of an installed manual.
    pub(crate) source: String,
    /// The document that the statement names.
    #[serde(default)]
    pub(crate) document: Option<Named>,
    /// The requirements of the document that the software does not claim to fulfil. For a port, these include the
    /// requirements that the ported version did not fulfil.
    #[serde(default)]
    pub(crate) except: Vec<String>,
    /// The beginnings of the errors with which the software refuses a file on purpose, instead of an answer.
    #[serde(default)]
    refusals: Vec<String>,
}

/// A document that software names. The tables have a group for each of them, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Named {
    /// RFC 9309.
    Rfc9309,
    /// Google's specification.
    Google,
    /// Google's published library. A port of the library claims to give the library's answers, so a failure with such
    /// an answer is outside the claim.
    GoogleLibrary,
    /// The draft of 1996 with the extensions that Google, Yahoo and Microsoft announced in 2008, for example wildcards.
    #[serde(rename = "extensions-2008")]
    Extensions2008,
    /// The internet draft "A Method for Web Robots Control" of 1996. This draft also defines allow lines, and the first
    /// match decides.
    #[serde(rename = "draft-1996")]
    Draft1996,
    /// "A Standard for Robot Exclusion" of 1994. This document defines user-agent and disallow lines, whose paths are
    /// prefixes.
    #[serde(rename = "standard-1994")]
    Standard1994,
}

/// Requirements that neither the standard of 1994 nor the draft of 1996 demands, or that the two documents contradict.
/// These requirements are about wildcards, merged groups, the meaning of other HTTP answers, the size and the encoding
/// of the file, and the byte order mark. In both documents, blank lines separate records, and a record has at least one
/// rule. Neither document defines how to handle text outside the grammar, with rules before the first user-agent line,
/// or with a last line without a line ending. The draft of 1996 recommends following redirects, and deferring visits
/// after a temporary failure (3.1). It does not demand them.
const IN_NEITHER: [&str; 24] = [
    "FETCH-3XX",
    "FETCH-3XX-CONTEXT",
    "FETCH-5XX",
    "FETCH-5XX-CACHED",
    "FETCH-NETWORK",
    "FORMAT-BOM",
    "FORMAT-GARBAGE",
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
/// For names, the draft of 1996 defines the direction: the user-agent value contains the crawler's token. So a group for a
/// part of the token does not apply. (In the draft, a group for a longer token also applies. No measured software that
/// names the draft does this.)
const SINCE_1996: [&str; 2] = ["MATCH-ENCODING", "RULE-ROBOTS-TXT"];

/// The requirements that the draft of 1996 decides differently. In its grammar, a line with another field ends a run of
/// user-agent lines, and no path is empty. The draft compares the path of the URL, not its query (3.2.2).
const OTHERWISE_IN_1996: [&str; 3] = ["GROUP-OTHER-FIELDS", "MATCH-QUERY", "RULE-EMPTY"];

/// The cases with white space before a field or before a colon. In the two old documents, white space may occur only
/// after the colon.
const SPACE_ELSEWHERE: [&str; 4] =
    ["leading-spaces", "space-before-colon", "tabs", "wire-white-space"];

/// The cases whose lines have characters outside US-ASCII. The draft of 1996 permits only US-ASCII (3.3), and the
/// standard of 1994 does not mention other characters.
const NO_ASCII: [&str; 21] = [
    "bom-and-standard",
    "case-outside-ascii",
    "encoding-both-raw",
    "encoding-four-octets",
    "encoding-in-query",
    "encoding-in-query-of-a-raw-url",
    "encoding-mixed-forms",
    "encoding-mixed-forms-of-a-raw-url",
    "encoding-raw-pattern",
    "encoding-raw-pattern-lower-hex-url",
    "encoding-two-octets",
    "no-break-space-is-value",
    "no-line-end-line-separator",
    "no-line-end-next-line",
    "no-line-end-paragraph-separator",
    "sitemap-example-group-verdict",
    "token-with-invalid-utf-8",
    "utf8-four-octets",
    "utf8-in-comment-and-pattern",
    "wire-bom",
    "wire-utf-8-rule",
];

/// Verdict cases in which the group of the crawler has no rules, and the group of `*` has some. Failures of these cases
/// are outside the claims, whatever requirement they count under. In the two old documents, a record has at least one
/// rule, so a crawler that is named only in a group without rules follows `*`.
const NO_RULES: [&str; 3] =
    ["empty-last-group", "empty-last-group-of-two", "simple-example-quxbot"];

/// Cases in which only the group of `*` forbids pages. By the draft of 1996, 3.2.1, a crawler that no record names only
/// *should* obey this group.
const ONLY_STAR: [&str; 4] = [
    "token-empty-value-beside-star",
    "token-hyphen-is-part-of-it",
    "token-inside-the-crawler",
    "token-prefix-of-the-crawler",
];

/// The case of a `#` without white space before it. By the standard of 1994, the white space is optional, and comments
/// follow the conventions of the Bourne shell, in which such a `#` begins no comment.
const SHELL_COMMENT: [&str; 1] = ["comment-right-after-value"];

/// The cases about interim responses, which neither old document mentions.
const INTERIM: [&str; 1] = ["wire-informational-first"];

/// The cases in which CR alone ends a line. The standard of 1994 permits this line ending only for the blank lines between
/// records. In the draft of 1996, CR LF ends a line.
const BARE_CR: [&str; 7] = [
    "line-end-cr",
    "line-end-cr-counts-once",
    "line-end-cr-ends-comment",
    "line-end-lf-cr-is-two",
    "line-ends-mixed",
    "wire-cr-alone",
    "wire-mixed-line-ends",
];

impl Named {
    /// Returns the name of the document, as the heading of a group.
    pub(crate) const fn title(self) -> &'static str {
        match self {
            Self::Standard1994 => "Standard of 1994",
            Self::Draft1996 => "Draft of 1996",
            Self::Extensions2008 => "Draft of 1996 with the extensions of 2008",
            Self::Google => "Google's page",
            Self::GoogleLibrary => "Google's library",
            Self::Rfc9309 => "RFC 9309",
        }
    }

    /// Returns whether the document is older than RFC 9309, and has only some of its requirements.
    pub(crate) const fn is_old(self) -> bool {
        matches!(self, Self::Standard1994 | Self::Draft1996 | Self::Extensions2008)
    }

    /// Returns the edition by which software that names the document is judged. For the three old documents, this is
    /// RFC 9309, and only the requirements that the document has in common with it count.
    pub(crate) const fn edition(self) -> &'static str {
        match self {
            Self::Rfc9309 | Self::Standard1994 | Self::Draft1996 | Self::Extensions2008 => SHOWN,
            Self::Google | Self::GoogleLibrary => "google-2022",
        }
    }

    /// Returns true if the document does not contain a requirement of RFC 9309, decides it differently, or does not
    /// cover this case of it. If a crawl's case repeats a verdict case, its name is `verdict-` and the name of that
    /// case.
    fn lacks(self, requirement: &str, case: &str) -> bool {
        let case = case.strip_prefix("verdict-").unwrap_or(case);
        let cases_in_neither = [&SPACE_ELSEWHERE[..], &NO_ASCII, &NO_RULES, &INTERIM, &BARE_CR];
        let is_in_neither = IN_NEITHER.contains(&requirement)
            || cases_in_neither.iter().any(|cases| cases.contains(&case));
        match self {
            // The standard of 1994 only recommends how to compare names: as a substring, without regard to case.
            Self::Standard1994 => {
                is_in_neither
                    || SINCE_1996.contains(&requirement)
                    || requirement.starts_with("AGENT-")
                    || SHELL_COMMENT.contains(&case)
            }
            Self::Draft1996 => {
                is_in_neither
                    || OTHERWISE_IN_1996.contains(&requirement)
                    || ONLY_STAR.contains(&case)
            }
            Self::Extensions2008 => {
                Self::Draft1996.lacks(requirement, case) && !SINCE_2008.contains(&requirement)
            }
            Self::Google | Self::GoogleLibrary | Self::Rfc9309 => false,
        }
    }
}

impl Claim {
    /// Returns the edition by which the software is judged. Software that names no document is compared with RFC 9309.
    pub(crate) fn edition(&self) -> &'static str {
        self.document.map_or(SHOWN, Named::edition)
    }

    /// Returns whether the software is a port of Google's library.
    pub(crate) fn is_library(&self) -> bool {
        self.document == Some(Named::GoogleLibrary)
    }

    /// Returns whether an error is a refusal of the file, which the software makes on purpose.
    pub(crate) fn is_refusal(&self, error: &str) -> bool {
        self.refusals.iter().any(|start| error.starts_with(start))
    }

    /// Returns whether a case of a requirement is outside the claims. A claim without a document excludes only the
    /// requirements in `except`.
    pub(crate) fn excludes(&self, requirement: &str, case: &str) -> bool {
        self.document.is_some_and(|document| document.lacks(requirement, case))
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
    use std::collections::BTreeSet;

    use super::{
        BARE_CR, Claim, IN_NEITHER, INTERIM, NO_ASCII, NO_RULES, Named, ONLY_STAR,
        OTHERWISE_IN_1996, SHELL_COMMENT, SINCE_1996, SINCE_2008, SPACE_ELSEWHERE,
    };
    use crate::suite::{SHOWN, Suite};

    #[test]
    fn every_requirement_and_case_that_a_document_lacks_exists() {
        let suite = Suite::of_the_checkout();
        let later = SINCE_1996.iter().chain(&SINCE_2008);
        for id in IN_NEITHER.iter().chain(&OTHERWISE_IN_1996).chain(later) {
            assert!(suite.requirements.iter().any(|it| it.id == *id), "{id}");
        }
        let cases: BTreeSet<&str> =
            suite.questions.values().flat_map(|it| it.values()).map(|it| &*it.case).collect();
        let in_one = [&BARE_CR[..], &ONLY_STAR, &SHELL_COMMENT].concat();
        for id in [&SPACE_ELSEWHERE[..], &NO_ASCII, &NO_RULES, &INTERIM, &in_one].concat() {
            assert!(cases.contains(id) || suite.crawls.contains_key(id), "{id}");
        }
    }

    /// A case with characters outside US-ASCII is outside the old documents, even if its failure counts under another
    /// requirement, which these documents contain.
    #[test]
    fn every_case_with_other_characters_than_us_ascii_is_listed() {
        let suite = Suite::of_the_checkout();
        let shown = suite.questions.values().filter_map(|editions| editions.get(SHOWN));
        for question in shown.filter(|question| question.ask.ends_with(" verdict")) {
            let lines = question.file.split(|octet| *octet == b'\n');
            let records = lines.filter_map(|line| line.split(|octet| *octet == b'#').next());
            let is_listed =
                IN_NEITHER.contains(&&*question.requirement) || NO_ASCII.contains(&&*question.case);
            assert!(is_listed || records.flatten().all(u8::is_ascii), "{}", question.case);
        }
    }

    #[test]
    fn a_failure_is_outside_of_a_claim_where_its_document_has_no_word_of_it() {
        let claim = |document| Claim {
            says: String::new(),
            source: String::new(),
            document,
            except: vec!["RULE-CASE".to_owned()],
            refusals: vec!["Parse error".to_owned()],
        };
        let excludes = |document, requirement| claim(document).excludes(requirement, "a-case");
        assert!(excludes(Some(Named::Standard1994), "MATCH-STAR"));
        assert!(excludes(Some(Named::Standard1994), "FETCH-5XX"));
        assert!(excludes(Some(Named::Draft1996), "FETCH-5XX"));
        assert!(excludes(Some(Named::Standard1994), "AGENT-ONE"));
        assert!(!excludes(Some(Named::Draft1996), "AGENT-ONE"));
        assert!(!excludes(Some(Named::Extensions2008), "MATCH-STAR"));
        assert!(excludes(Some(Named::Extensions2008), "GROUP-OTHER-FIELDS"));
        assert!(!excludes(Some(Named::Standard1994), "GROUP-OTHER-FIELDS"));
        assert!(!excludes(Some(Named::Standard1994), "MATCH-PREFIX"));
        assert!(!excludes(Some(Named::Rfc9309), "MATCH-STAR"));
        assert!(!excludes(None, "MATCH-STAR"));
        assert!(!excludes(Some(Named::GoogleLibrary), "MATCH-STAR"));
        assert!(excludes(None, "RULE-CASE") && excludes(Some(Named::Rfc9309), "RULE-CASE"));
        let claim = claim(Some(Named::GoogleLibrary));
        assert_eq!(claim.edition(), "google-2022");
        assert!(claim.is_refusal("Parse error(s)") && !claim.is_refusal("TypeError"));
    }

    #[test]
    fn a_document_may_lack_some_cases_of_a_requirement() {
        let claim = |document| Claim {
            says: String::new(),
            source: String::new(),
            document: Some(document),
            except: Vec::new(),
            refusals: Vec::new(),
        };
        let excludes = |document, case| claim(document).excludes("FORMAT-LINE", case);
        assert!(excludes(Named::Standard1994, "tabs") && excludes(Named::Draft1996, "tabs"));
        assert!(excludes(Named::Extensions2008, "verdict-tabs"));
        assert!(!excludes(Named::Rfc9309, "tabs") && !excludes(Named::Draft1996, "spaces"));
        assert!(
            excludes(Named::Standard1994, "line-end-cr")
                && !excludes(Named::Rfc9309, "line-end-cr")
        );
        assert!(excludes(Named::Draft1996, "verdict-token-prefix-of-the-crawler"));
        assert!(!excludes(Named::Draft1996, "comment-right-after-value"));
        assert!(excludes(Named::Standard1994, "comment-right-after-value"));
    }
}
