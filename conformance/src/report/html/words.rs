//! The words for the subjects and the columns of the tables: [`Words`].
//!
//! A page can compare implementations, parsers or crawlers, and each needs other headings. The constants of [`Words`]
//! have the words for these three.

use serde::Serialize;

/// The words for subjects and areas.
#[derive(Clone, Copy, Debug, Serialize)]
#[non_exhaustive]
pub struct Words {
    /// A subject, as a heading.
    pub subject: &'static str,
    /// Subjects, as a heading.
    pub subjects: &'static str,
    /// An area, as a heading.
    pub area: &'static str,
    /// Areas, inside a sentence.
    pub areas: &'static str,
}

impl Words {
    /// The words for implementations that answer questions, and the areas of the suite.
    pub const IMPLEMENTATIONS: Self = Self {
        subject: "Implementation",
        subjects: "Implementations",
        area: "Area",
        areas: "areas",
    };

    /// The words for parsers.
    pub const PARSERS: Self =
        Self { subject: "Parser", subjects: "Parsers", ..Self::IMPLEMENTATIONS };

    /// The words for crawlers, whose tables group the failures by cause.
    pub const CRAWLERS: Self =
        Self { subject: "Crawler", subjects: "Crawlers", area: "Cause", areas: "causes" };
}

impl Default for Words {
    fn default() -> Self {
        Self::IMPLEMENTATIONS
    }
}
