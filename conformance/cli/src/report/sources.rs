//! Where the cases can be read, so that a report links to the places that it names.

use std::str::FromStr;

use robots_conformance::problem::Place;

/// The address of a folder `spec-cases`, as a code host shows it.
///
/// ```
/// use robots_conformance::problem::Place;
/// use robots_conformance_cli::report::Sources;
///
/// let sources: Sources = "https://example.com/tree/main/spec-cases/".parse().unwrap();
/// let place = Place { file: "sitemap.yaml".to_owned(), line: 12 };
/// assert_eq!(sources.link(&place), "https://example.com/tree/main/spec-cases/sitemap.yaml#L12");
/// assert!("javascript:alert(1)".parse::<Sources>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sources(String);

impl Sources {
    /// Returns the address of a place: its file, and its line as code hosts name it (`#L12`).
    #[must_use]
    pub fn link(&self, place: &Place) -> String {
        format!("{}/{}#L{}", self.0, place.file, place.line)
    }

    /// Returns the address, without a slash at its end.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Sources {
    type Err = String;

    /// Reads an http or https address.
    fn from_str(text: &str) -> Result<Self, String> {
        let is_plain = text
            .bytes()
            .all(|octet| octet.is_ascii_graphic() && !b"\"<>\\^`{|}()".contains(&octet));
        let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
        if !is_plain || rest.is_none_or(str::is_empty) || text.contains(['#', '?']) {
            return Err("an address of the folder spec-cases is wanted, as \
                        https://example.com/tree/main/spec-cases"
                .to_owned());
        }
        Ok(Self(text.trim_end_matches('/').to_owned()))
    }
}
