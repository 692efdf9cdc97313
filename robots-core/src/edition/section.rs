//! Where each edition says what a reader of a file is told: requirements and their sections.
//!
//! Start at [`section_of`]. The rows of the table in `edition` hold a list each; a test of the crate
//! `robots-conformance` compares them with the catalogue.

use super::{Edition, Profile};

/// A list of requirements with the section of an edition that states each.
pub(crate) type Sections = &'static [(Requirement, &'static str)];

macro_rules! requirements {
    ($($requirement:ident = $id:literal,)*) => {
        /// A requirement of the catalogue that findings rest on.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Requirement {
            $($requirement,)*
        }

        impl Requirement {
            /// The id in the catalogue.
            pub(crate) const fn id(self) -> &'static str {
                match self {
                    $(Self::$requirement => $id,)*
                }
            }
        }
    };
}

requirements! {
    AgentOne = "AGENT-ONE",
    AgentSuffix = "AGENT-SUFFIX",
    AgentToken = "AGENT-TOKEN",
    FormatBom = "FORMAT-BOM",
    FormatComment = "FORMAT-COMMENT",
    FormatFields = "FORMAT-FIELDS",
    FormatGarbage = "FORMAT-GARBAGE",
    FormatLine = "FORMAT-LINE",
    FormatSize = "FORMAT-SIZE",
    FormatTypo = "FORMAT-TYPO",
    FormatUtf8 = "FORMAT-UTF8",
    GroupMerge = "GROUP-MERGE",
    GroupOrphan = "GROUP-ORPHAN",
    GroupShape = "GROUP-SHAPE",
    MatchEncoding = "MATCH-ENCODING",
    MatchEnd = "MATCH-END",
    MatchStar = "MATCH-STAR",
    MatchTrailingStar = "MATCH-TRAILING-STAR",
    PrecLength = "PREC-LENGTH",
    PrecTie = "PREC-TIE",
    RuleEmpty = "RULE-EMPTY",
    RuleRobotsTxt = "RULE-ROBOTS-TXT",
    RuleRoot = "RULE-ROOT",
    SitemapAbsolute = "SITEMAP-ABSOLUTE",
}

/// Returns the edition and the section that state a requirement: the profile's own edition where it does, else
/// the newest that does.
pub(crate) fn section_of(
    requirement: Requirement,
    profile: Profile,
) -> Option<(Edition, &'static str)> {
    let own = profile.edition().into_iter();
    own.chain(Edition::ALL.iter().rev().copied()).find_map(|edition| {
        let sections = edition.semantics().sections;
        let (_, section) = sections.iter().find(|(stated, _)| *stated == requirement)?;
        Some((edition, *section))
    })
}

use Requirement::{
    AgentOne, AgentSuffix, AgentToken, FormatBom, FormatComment, FormatFields, FormatGarbage,
    FormatLine, FormatSize, FormatTypo, FormatUtf8, GroupMerge, GroupOrphan, GroupShape,
    MatchEncoding, MatchEnd, MatchStar, MatchTrailingStar, PrecLength, PrecTie, RuleEmpty,
    RuleRobotsTxt, RuleRoot, SitemapAbsolute,
};

/// The sections of google-2018, by the headings in English.
pub(super) const GOOGLE_2018: Sections = &[
    (AgentOne, "Order of precedence for user agents"),
    (AgentSuffix, "Order of precedence for user agents"),
    (FormatBom, "File format"),
    (FormatComment, "File format"),
    (FormatFields, "Grouping of records"),
    (FormatGarbage, "File format"),
    (FormatLine, "File format"),
    (FormatSize, "File format"),
    (FormatTypo, "File format"),
    (FormatUtf8, "File format"),
    (GroupOrphan, "Grouping of records"),
    (GroupShape, "Grouping of records"),
    (MatchEncoding, "URL matching based on path values"),
    (MatchEnd, "URL matching based on path values"),
    (MatchStar, "URL matching based on path values"),
    (MatchTrailingStar, "Example path matches"),
    (PrecLength, "Order of precedence for group-member records"),
    (RuleEmpty, "Group-member records"),
    (RuleRoot, "Group-member records"),
    (SitemapAbsolute, "Supported non-group-member records"),
];

/// The sections of google-2019, by the headings in English.
pub(super) const GOOGLE_2019: Sections = &[
    (AgentOne, "Order of precedence for user agents"),
    (AgentSuffix, "Order of precedence for user agents"),
    (FormatBom, "File format"),
    (FormatComment, "File format"),
    (FormatGarbage, "File format"),
    (FormatLine, "File format"),
    (FormatSize, "File format"),
    (FormatTypo, "File format"),
    (FormatUtf8, "File format"),
    (GroupMerge, "Order of precedence for user agents, example 2"),
    (GroupShape, "Grouping of lines and rules"),
    (MatchEncoding, "URL matching based on path values"),
    (MatchEnd, "URL matching based on path values"),
    (MatchStar, "URL matching based on path values"),
    (PrecLength, "Order of precedence for group-member rules"),
    (PrecTie, "Order of precedence for group-member rules"),
    (RuleEmpty, "Group-member rules"),
    (RuleRoot, "Group-member rules"),
    (SitemapAbsolute, "Supported non-group-member rules"),
];

/// The sections of google-2022, by the headings in English.
pub(super) const GOOGLE_2022: Sections = &[
    (AgentOne, "Order of precedence for user agents"),
    (AgentSuffix, "Order of precedence for user agents"),
    (FormatBom, "File format"),
    (FormatComment, "Syntax"),
    (FormatFields, "Syntax"),
    (FormatGarbage, "File format"),
    (FormatLine, "Syntax"),
    (FormatSize, "File format"),
    (FormatTypo, "Syntax"),
    (FormatUtf8, "File format"),
    (GroupMerge, "Grouping of rules"),
    (GroupShape, "Grouping of lines and rules"),
    (MatchEncoding, "URL matching based on path values"),
    (MatchEnd, "URL matching based on path values"),
    (MatchStar, "URL matching based on path values"),
    (MatchTrailingStar, "Example path matches"),
    (PrecLength, "Order of precedence for rules"),
    (PrecTie, "Order of precedence for rules"),
    (RuleEmpty, "Syntax"),
    (RuleRoot, "Syntax"),
    (SitemapAbsolute, "Syntax, sitemap"),
];

/// The sections of RFC 9309, by numbers.
pub(super) const RFC_9309: Sections = &[
    (AgentOne, "2.2.1"),
    (AgentSuffix, "2.2.1"),
    (AgentToken, "2.2.1"),
    (FormatComment, "2.2.3"),
    (FormatGarbage, "2.3.1.5"),
    (FormatLine, "2.2"),
    (FormatSize, "2.5"),
    (FormatTypo, "2.2.4"),
    (FormatUtf8, "2.3"),
    (GroupMerge, "2.2.1"),
    (GroupOrphan, "2.2.2"),
    (GroupShape, "2.1"),
    (MatchEncoding, "2.2.2"),
    (MatchEnd, "2.2.3"),
    (MatchStar, "2.2.3"),
    (PrecLength, "2.2.2"),
    (PrecTie, "2.2.2"),
    (RuleEmpty, "2.2"),
    (RuleRobotsTxt, "2.2.2"),
    (RuleRoot, "2.2.2"),
];
