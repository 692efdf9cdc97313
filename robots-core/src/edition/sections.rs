//! The lists of sections: one list for each edition.
//!
//! Each row of the table in `edition` names one list. The ids of the requirements are the same as in the suite's
//! catalogue, `spec-cases/requirements.yaml`. The test `robots-lint/tests/sections.rs` compares the lists with the
//! catalogue. The lists contain only the requirements that findings of `robots-lint` cite.

/// Pairs of two texts: the id of a requirement, and the section of an edition that states this requirement.
pub(crate) type Sections = &'static [(&'static str, &'static str)];

/// The sections of google-2018, named by their headings in English.
pub(super) const GOOGLE_2018: Sections = &[
    ("AGENT-ONE", "Order of precedence for user agents"),
    ("AGENT-SUFFIX", "Order of precedence for user agents"),
    ("FORMAT-BOM", "File format"),
    ("FORMAT-COMMENT", "File format"),
    ("FORMAT-FIELDS", "Grouping of records"),
    ("FORMAT-GARBAGE", "File format"),
    ("FORMAT-LINE", "File format"),
    ("FORMAT-SIZE", "File format"),
    ("FORMAT-TYPO", "File format"),
    ("FORMAT-UTF8", "File format"),
    ("GROUP-ORPHAN", "Grouping of records"),
    ("GROUP-SHAPE", "Grouping of records"),
    ("MATCH-ENCODING", "URL matching based on path values"),
    ("MATCH-END", "URL matching based on path values"),
    ("MATCH-STAR", "URL matching based on path values"),
    ("MATCH-TRAILING-STAR", "Example path matches"),
    ("PREC-LENGTH", "Order of precedence for group-member records"),
    ("RULE-EMPTY", "Group-member records"),
    ("RULE-ROOT", "Group-member records"),
    ("SITEMAP-ABSOLUTE", "Supported non-group-member records"),
];

/// The sections of google-2019, named by their headings in English.
pub(super) const GOOGLE_2019: Sections = &[
    ("AGENT-ONE", "Order of precedence for user agents"),
    ("AGENT-SUFFIX", "Order of precedence for user agents"),
    ("FORMAT-BOM", "File format"),
    ("FORMAT-COMMENT", "File format"),
    ("FORMAT-GARBAGE", "File format"),
    ("FORMAT-LINE", "File format"),
    ("FORMAT-SIZE", "File format"),
    ("FORMAT-TYPO", "File format"),
    ("FORMAT-UTF8", "File format"),
    ("GROUP-MERGE", "Order of precedence for user agents, example 2"),
    ("GROUP-SHAPE", "Grouping of lines and rules"),
    ("MATCH-ENCODING", "URL matching based on path values"),
    ("MATCH-END", "URL matching based on path values"),
    ("MATCH-STAR", "URL matching based on path values"),
    ("PREC-LENGTH", "Order of precedence for group-member rules"),
    ("PREC-TIE", "Order of precedence for group-member rules"),
    ("RULE-EMPTY", "Group-member rules"),
    ("RULE-ROOT", "Group-member rules"),
    ("SITEMAP-ABSOLUTE", "Supported non-group-member rules"),
];

/// The sections of google-2022, named by their headings in English.
pub(super) const GOOGLE_2022: Sections = &[
    ("AGENT-ONE", "Order of precedence for user agents"),
    ("AGENT-SUFFIX", "Order of precedence for user agents"),
    ("FORMAT-BOM", "File format"),
    ("FORMAT-COMMENT", "Syntax"),
    ("FORMAT-FIELDS", "Syntax"),
    ("FORMAT-GARBAGE", "File format"),
    ("FORMAT-LINE", "Syntax"),
    ("FORMAT-SIZE", "File format"),
    ("FORMAT-TYPO", "Syntax"),
    ("FORMAT-UTF8", "File format"),
    ("GROUP-MERGE", "Grouping of rules"),
    ("GROUP-SHAPE", "Grouping of lines and rules"),
    ("MATCH-ENCODING", "URL matching based on path values"),
    ("MATCH-END", "URL matching based on path values"),
    ("MATCH-STAR", "URL matching based on path values"),
    ("MATCH-TRAILING-STAR", "Example path matches"),
    ("PREC-LENGTH", "Order of precedence for rules"),
    ("PREC-TIE", "Order of precedence for rules"),
    ("RULE-EMPTY", "Syntax"),
    ("RULE-ROOT", "Syntax"),
    ("SITEMAP-ABSOLUTE", "Syntax, sitemap"),
];

/// The sections of RFC 9309, named by their numbers.
pub(super) const RFC_9309: Sections = &[
    ("AGENT-ONE", "2.2.1"),
    ("AGENT-SUFFIX", "2.2.1"),
    ("AGENT-TOKEN", "2.2.1"),
    ("FORMAT-COMMENT", "2.2.3"),
    ("FORMAT-GARBAGE", "2.3.1.5"),
    ("FORMAT-LINE", "2.2"),
    ("FORMAT-SIZE", "2.5"),
    ("FORMAT-TYPO", "2.2.4"),
    ("FORMAT-UTF8", "2.3"),
    ("GROUP-MERGE", "2.2.1"),
    ("GROUP-ORPHAN", "2.2.2"),
    ("GROUP-SHAPE", "2.1"),
    ("MATCH-ENCODING", "2.2.2"),
    ("MATCH-END", "2.2.3"),
    ("MATCH-STAR", "2.2.3"),
    ("PREC-LENGTH", "2.2.2"),
    ("PREC-TIE", "2.2.2"),
    ("RULE-EMPTY", "2.2"),
    ("RULE-ROBOTS-TXT", "2.2.2"),
    ("RULE-ROOT", "2.2.2"),
];

/// The sections of draft-ietf-aipref-attach-05 and draft-ietf-aipref-vocab-07, named by draft and number.
pub(super) const AIPREF_2026_08: Sections = &[
    ("PREF-CASE", "vocab-07, 6.1"),
    ("PREF-INVALID", "vocab-07, 6.5.1"),
    ("PREF-UNKNOWN", "vocab-07, 6.4"),
    ("PREF-VALUE", "vocab-07, 6.5"),
    ("USAGE-END", "attach-05, 3.2"),
    ("USAGE-GROUP", "attach-05, 3.1"),
    ("USAGE-NOT-CRAWLED", "attach-05, 3"),
    ("USAGE-PATH-END", "attach-05, 3.2"),
    ("USAGE-RULE", "attach-05, 3"),
];
