//! What is refused, and what to do then: [`Error`].

use std::fmt;

/// The error of a question that cannot be put to any robots.txt, or of a client that cannot be made.
///
/// That a robots.txt cannot be fetched is no error: it is a [`Verdict`](crate::Verdict) like any other.
#[derive(Clone, Debug)]
pub struct Error {
    kind: ErrorKind,
    about: String,
}

/// What was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The text is no URL with a scheme and an authority.
    NotAUrl,
    /// The URL has user information; a crawler has no credentials to give.
    UserInfo,
    /// By this scheme no robots.txt is fetched.
    Scheme,
    /// The URL is of another origin than the handle.
    OtherOrigin,
    /// The name of the crawler is no product token.
    Agent,
    /// The identification cannot be the value of a `User-Agent` field.
    Identification,
    /// A certificate cannot be read, or the system's cannot be found.
    Certificate,
    /// A proxy's URL cannot be read.
    Proxy,
    /// A store cannot be opened.
    Store,
    /// The client cannot be set up.
    Client,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, about: impl fmt::Display) -> Self {
        Self { kind, about: about.to_string() }
    }

    /// Returns what was refused.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let about = &self.about;
        match self.kind {
            ErrorKind::NotAUrl => {
                write!(f, "`{about}` is no URL of a host: ask with scheme, `://` and host")
            }
            // The text itself may hold a password.
            ErrorKind::UserInfo => f.write_str(
                "the URL has user information (`user@`): remove it, a crawler gives no credentials",
            ),
            ErrorKind::Scheme => {
                write!(f, "the scheme of `{about}` has no robots.txt: ask for http, https or ftp")
            }
            ErrorKind::OtherOrigin => {
                write!(
                    f,
                    "the URL is of another origin: {about}; ask the client for that one's handle"
                )
            }
            ErrorKind::Agent => write!(
                f,
                "`{about}` is no product token: name the crawler with letters, `_` and `-` alone"
            ),
            ErrorKind::Identification => write!(
                f,
                "`{about}` cannot be sent as User-Agent: use visible ASCII characters and spaces"
            ),
            ErrorKind::Certificate => write!(
                f,
                "the certificates cannot be used: {about}; give the authority's certificate in PEM"
            ),
            ErrorKind::Proxy => write!(
                f,
                "the proxy cannot be used: {about}; give it as http://host:port, or ask for no proxy"
            ),
            ErrorKind::Store => write!(f, "the store cannot be opened: {about}"),
            ErrorKind::Client => write!(f, "the client cannot be set up: {about}"),
        }
    }
}

impl std::error::Error for Error {}
