//! [`Error`] is the error of an invalid question, or of a client that cannot be made. Messages about a mistake of the
//! caller explain how to fix it. A site that fails is not an error; it gives a verdict.

use std::fmt;

use robots_core::syntax::Shown;

/// An error: the URL of a question is refused, or a client cannot be made.
///
/// A robots.txt that cannot be fetched is not an error: you get a [`Verdict`](crate::Verdict).
#[derive(Clone, Debug)]
pub struct Error {
    kind: ErrorKind,
    about: String,
}

/// The reasons why a URL is refused, or why a client cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The text is not a URL with a scheme and an authority.
    NotAUrl,
    /// The URL has user information, but the client sends no credentials.
    UserInfo,
    /// The scheme of the URL is not http, https or ftp.
    Scheme,
    /// The URL belongs to another origin than the handle.
    OtherOrigin,
    /// The name of the crawler is not a product token.
    Agent,
    /// The identification cannot be the value of a `User-Agent` field.
    Identification,
    /// A certificate cannot be read, or the system's certificates cannot be found.
    Certificate,
    /// A proxy's URL cannot be read.
    Proxy,
    /// A store cannot be opened.
    Store,
    /// The client cannot be set up, for example because no thread can be started.
    Client,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, about: impl fmt::Display) -> Self {
        Self { kind, about: about.to_string() }
    }

    /// Returns the kind of the error.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }
}

/// The message escapes a text of the caller and omits the middle of a long text, because the caller may pass any text.
impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let about = &self.about;
        let given = Shown(about.as_bytes());
        match self.kind {
            ErrorKind::NotAUrl => {
                write!(f, "`{given}` is not a URL with a host: write it whole, for example https://example.com/")
            }
            // The text is not shown, because it may contain a password.
            ErrorKind::UserInfo => f.write_str(
                "the URL has user information (`user@`): remove it, because a crawler sends no credentials",
            ),
            ErrorKind::Scheme => {
                write!(f, "robots.txt is not fetched with the scheme of `{given}`: use http, https or ftp")
            }
            ErrorKind::OtherOrigin => {
                write!(
                    f,
                    "the URL belongs to another origin: {given}; get a handle for that origin"
                )
            }
            ErrorKind::Agent => write!(
                f,
                "`{given}` is not a product token: use only letters, digits, `_` and `-`"
            ),
            ErrorKind::Identification => write!(
                f,
                "`{given}` cannot be sent as User-Agent: use visible ASCII characters and spaces"
            ),
            ErrorKind::Certificate => write!(
                f,
                "the certificates cannot be used: {about}; give the authority's certificate in PEM"
            ),
            ErrorKind::Proxy => write!(
                f,
                "the proxy cannot be used: {about}; write it as http://host:port, or turn proxies off"
            ),
            ErrorKind::Store => write!(f, "the store cannot be opened: {about}"),
            ErrorKind::Client => write!(f, "the client cannot be set up: {about}"),
        }
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::{Error, ErrorKind};

    #[rstest]
    #[trace]
    fn a_text_of_the_caller_is_bounded_and_escaped(
        #[values(
            ErrorKind::NotAUrl,
            ErrorKind::Scheme,
            ErrorKind::OtherOrigin,
            ErrorKind::Agent,
            ErrorKind::Identification
        )]
        kind: ErrorKind,
    ) {
        let message = Error::new(kind, "\u{202e}\x1b ".repeat(1_000_000)).to_string();
        assert!(message.len() < 1500, "{}", message.len());
        assert!(!message.contains(['\u{202e}', '\x1b']), "{message}");
    }
}
