//! The address of the cases, so that a report can link to them: [`Sources`].
//!
//! The user gives the address of the folder with `--sources`. An address is refused if it contains characters that
//! could end a link in Markdown or HTML.

use robots_console::error::Error;
use std::str::FromStr;

/// The address of a folder `spec-cases`, as a code host shows it.
///
/// ```
/// use robots_conformance::report::Sources;
///
/// let sources: Sources = "https://example.com/tree/main/spec-cases/".parse().unwrap();
/// assert_eq!(sources.link("sitemap.yaml:12"), "https://example.com/tree/main/spec-cases/sitemap.yaml#L12");
/// assert!("javascript:alert(1)".parse::<Sources>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sources(String);

impl Sources {
    /// Returns the address of a place `FILE:LINE`: the address of the file, with the line as code hosts write it
    /// (`#L12`).
    #[must_use]
    pub fn link(&self, place: &str) -> String {
        match place.rsplit_once(':') {
            Some((file, line)) => format!("{}/{file}#L{line}", self.0),
            None => format!("{}/{place}", self.0),
        }
    }

    /// Returns the address, without a slash at its end.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Sources {
    type Err = Error;

    /// Reads an http or https address.
    fn from_str(text: &str) -> Result<Self, Error> {
        let is_plain = text
            .bytes()
            .all(|octet| octet.is_ascii_graphic() && !b"\"<>\\^`{|}()".contains(&octet));
        let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
        if !is_plain || rest.is_none_or(str::is_empty) || text.contains(['#', '?']) {
            return Err("write the address of the folder spec-cases, such as \
                        https://example.com/tree/main/spec-cases"
                .into());
        }
        Ok(Self(text.trim_end_matches('/').to_owned()))
    }
}
