//! The sources of a robots.txt: a file, standard input, a URL, or a git revision.
//!
//! Several verbs have arguments of the type [`Input`]. Only the text of an argument decides its kind, so parsing an
//! argument does not look for a file. A name with a colon therefore becomes a revision. But if a file has this name,
//! [`Input::read`] and [`Input::place`] use the file. `revision.rs` reads files from git, and the module `fetch`
//! fetches URLs.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::str::FromStr;

use robots_core::Options;

use super::revision;
use robots_console::error::Error;

/// The source of a robots.txt, as an argument names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    /// `-`
    Stdin,
    /// A file by its path.
    File(String),
    /// A URL: text that begins with `http://` or `https://`.
    Url(String),
    /// A file in a revision of git: other text with a colon, for example `HEAD~1:robots.txt`. If a file has the whole
    /// text as its name, this file is used instead.
    Revision(String),
}

impl FromStr for Input {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let is_url = |scheme: &str| {
            text.get(..scheme.len()).is_some_and(|begins| begins.eq_ignore_ascii_case(scheme))
        };
        Ok(match text {
            "-" => Self::Stdin,
            _ if is_url("http://") || is_url("https://") => Self::Url(text.to_owned()),
            _ if text.contains(':') => Self::Revision(text.to_owned()),
            _ => Self::File(text.to_owned()),
        })
    }
}

impl Input {
    /// Returns the path or URL of the file, without the revision. For standard input, this is `robots.txt`.
    #[must_use]
    pub(crate) fn place(&self) -> &str {
        match self {
            Self::Revision(name) if !Path::new(name).is_file() => {
                let path = name.split_once(':').map_or(name.as_str(), |(_, path)| path);
                path.strip_prefix("./").unwrap_or(path)
            }
            _ => self.name(),
        }
    }

    /// Returns the name of the file in reports: the path or URL, or `robots.txt` for standard input.
    #[must_use]
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Stdin => "robots.txt",
            Self::File(name) | Self::Url(name) | Self::Revision(name) => name,
        }
    }

    /// Returns the name of the input for a sentence. Standard input has no file name, so it is called `standard input`.
    #[must_use]
    pub(crate) fn spoken(&self) -> &str {
        if *self == Self::Stdin { "standard input" } else { self.name() }
    }

    /// Returns the origin of a URL: scheme, host and port.
    #[must_use]
    pub(crate) fn origin(&self) -> Option<&str> {
        let Self::Url(url) = self else { return None };
        let host = url.find("://")? + 3;
        let end = url[host..].find(['/', '?', '#']).map_or(url.len(), |at| host + at);
        Some(&url[..end])
    }

    /// Reads the file: at most 512 MiB, or at most 64 MiB if it is fetched. Both limits are larger than the limit of
    /// every edition, so that the lines beyond an edition's limit can be counted.
    ///
    /// # Errors
    /// Returns a message if the file cannot be read. The message explains how to fix the problem.
    pub(crate) fn read(&self) -> Result<Vec<u8>, Error> {
        match self {
            Self::Stdin => all(io::stdin().lock())
                .map_err(|error| Error::new(format!("cannot read standard input: {error}"))),
            Self::File(path) => file(path),
            Self::Revision(name) if Path::new(name).is_file() => file(name),
            Self::Revision(name) => revision::read(name, Options::MAX as u64),
            Self::Url(url) if !is_of_robots_txt(url) => Err(format!(
                "{url} is not the URL of a robots.txt, which is at the root of an origin; name the origin, or \
                 https://example.com/robots.txt"
            )
            .into()),
                        Self::Url(url) => crate::fetch::body(url),
        }
    }
}

/// Returns whether a URL names an origin or its robots.txt.
fn is_of_robots_txt(url: &str) -> bool {
    let behind = url.split_once("://").map_or(url, |(_, behind)| behind);
    let path = behind.find(['/', '?', '#']).map_or("", |at| &behind[at..]);
    matches!(path, "" | "/" | "/robots.txt")
}

fn file(path: &str) -> Result<Vec<u8>, Error> {
    let read = File::open(Path::new(path)).and_then(all);
    read.map_err(|error| Error::new(format!("cannot read {path}: {error}")))
}

/// Reads the input to its end, but at most the maximum number of octets.
fn all(from: impl Read) -> io::Result<Vec<u8>> {
    let mut octets = Vec::new();
    from.take(Options::MAX as u64).read_to_end(&mut octets)?;
    Ok(octets)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::{Input, is_of_robots_txt};

    #[rstest]
    #[trace]
    #[case("-", Input::Stdin)]
    #[case("robots.txt", Input::File("robots.txt".to_owned()))]
    #[case("https:/x", Input::Revision("https:/x".to_owned()))]
    #[case("HEAD~1:robots.txt", Input::Revision("HEAD~1:robots.txt".to_owned()))]
    #[case("HTTPS://example.com/robots.txt", Input::Url("HTTPS://example.com/robots.txt".to_owned()))]
    fn an_argument_names_an_input(#[case] text: &str, #[case] input: Input) {
        assert_eq!(text.parse(), Ok(input));
    }

    #[rstest]
    #[trace]
    #[case("https://example.com", true)]
    #[case("http://example.com:8080/", true)]
    #[case("https://example.com/robots.txt", true)]
    #[case("https://example.com/index.html", false)]
    #[case("https://example.com/a/robots.txt", false)]
    #[case("https://example.com?x", false)]
    fn a_url_is_that_of_a_robots_txt(#[case] url: &str, #[case] is: bool) {
        assert_eq!(is_of_robots_txt(url), is);
        // `read` would fetch the URL of a robots.txt, so the test calls `read` only for other URLs.
        if !is {
            let error = Input::Url(url.to_owned()).read().unwrap_err().to_string();
            assert!(error.contains("is not the URL of a robots.txt"), "{error}");
        }
    }
}
