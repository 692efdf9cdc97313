//! Converts the arguments that Python passes: a file's octets, its limit, a crawler. The error messages use Python's
//! names of types and functions.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use robots_core::syntax::Shown;
use robots_core::{Crawler, Edition, Options, ProductToken};
use robots_fetch::ErrorKind;

/// The text of a URL: a `str`, or an object that has a scheme, a host and a text, such as a URL of httpx or yarl.
pub(crate) struct UrlText<'py>(pub(crate) Bound<'py, PyString>);

impl<'py> FromPyObject<'_, 'py> for UrlText<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(text) = object.cast::<PyString>() {
            return Ok(Self(text.to_owned()));
        }
        if object.hasattr("scheme")? && object.hasattr("host")? {
            return object.str().map(Self);
        }
        Err(wrong_type("url", "str or a URL of httpx or yarl", &object))
    }
}

impl UrlText<'_> {
    pub(crate) fn to_str(&self) -> PyResult<&str> {
        self.0.to_str()
    }
}

/// Returns the octets of a file that is given as octets or as text.
pub(crate) fn octets(robots_txt: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    if let Ok(octets) = robots_txt.cast::<PyBytes>() {
        return Ok(octets.as_bytes().to_vec());
    }
    match robots_txt.cast::<PyString>() {
        Ok(text) => Ok(text.to_str()?.as_bytes().to_vec()),
        Err(_) => Err(wrong_type("robots_txt", "bytes or str", robots_txt)),
    }
}

/// Reads the name of an edition.
pub(crate) fn edition(name: &str) -> PyResult<Edition> {
    name.parse().map_err(|error| PyValueError::new_err(format!("{}: {error}", quoted(name))))
}

/// Returns the options with this edition and this limit in octets.
pub(crate) fn options(edition: &str, limit: Option<&Bound<'_, PyAny>>) -> PyResult<Options> {
    let options = Options::from(self::edition(edition)?);
    let Some(limit) = limit else { return Ok(options) };
    let wrong = || {
        let most = Options::MAX;
        PyValueError::new_err(format!("limit is a number of octets from 0 to {most}"))
    };
    let octets: usize = match limit.extract() {
        Ok(octets) => octets,
        Err(error) if error.is_instance_of::<PyTypeError>(limit.py()) => {
            return Err(wrong_type("limit", "int or None", limit));
        }
        Err(_) => return Err(wrong()),
    };
    if octets > Options::MAX { Err(wrong()) } else { Ok(options.with_limit(octets)) }
}

/// Reads a product token, or several, most specific first. `*` is a crawler without a token.
///
/// This function iterates over a list, and stops after the maximum number of tokens. The function does not use the
/// length of the list, because a Python object may report any length.
pub(crate) fn crawler(agent: &Bound<'_, PyAny>) -> PyResult<Crawler> {
    let tokens = match agent.cast::<PyString>() {
        Ok(token) => vec![token.to_str()?.to_owned()],
        Err(_) => agent
            .try_iter()
            .map_err(|_| wrong_type("agent", "str or a sequence of str", agent))?
            .take(Crawler::MAX + 1)
            .map(|token| {
                let token = token?;
                let text = token.cast::<PyString>();
                let text = text.map_err(|_| wrong_type("a product token", "str", &token))?;
                Ok(text.to_str()?.to_owned())
            })
            .collect::<PyResult<_>>()?,
    };
    named(tokens)
}

/// Makes a crawler from its product tokens, most specific first, or from `*` alone.
fn named(tokens: Vec<String>) -> PyResult<Crawler> {
    if tokens == ["*"] {
        return Ok(Crawler::unnamed());
    }
    Crawler::new(tokens.iter()).map_err(|_| no_token(&tokens))
}

/// Makes the error for texts that are not product tokens, for too many tokens, or for an empty list of tokens.
fn no_token(tokens: &[String]) -> PyErr {
    let what = match tokens {
        [] => "a crawler needs at least one product token".to_owned(),
        [_, rest @ ..] if rest.len() >= Crawler::MAX => {
            format!("a crawler has at most {} product tokens", Crawler::MAX)
        }
        tokens => {
            let refused = tokens.iter().find(|token| ProductToken::new(token.as_str()).is_err());
            let refused = refused.map_or("", String::as_str);
            format!("{} is not a product token: 1 to 256 letters, digits, _ and -", quoted(refused))
        }
    };
    PyValueError::new_err(format!("{what}; product_tokens() takes them from a User-Agent header"))
}

/// Makes the error for a text that is not a URL.
pub(crate) fn no_url(url: &str, error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(format!("{}: {error}", quoted(url)))
}

/// Makes the error for a URL or a text that `robots_fetch` refuses. The message shows the refused text, unless this
/// text may contain a password.
pub(crate) fn refused_url(url: &str, error: &robots_fetch::Error) -> PyErr {
    match error.kind() {
        ErrorKind::OtherOrigin => PyValueError::new_err(format!(
            "{} belongs to another origin: ask the cache about it",
            quoted(url)
        )),
        _ => PyValueError::new_err(error.to_string()),
    }
}

/// Makes the error for a value of a wrong type.
pub(crate) fn wrong_type(name: &str, expected: &str, given: &Bound<'_, PyAny>) -> PyErr {
    let given = given.get_type();
    let given = given.name().map_or_else(|_| "another type".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!("{name} must be {expected}, not {given}"))
}

/// Returns a value for a message: in quotation marks, with the middle of a long value omitted.
pub(crate) fn quoted(text: &str) -> String {
    format!("'{}'", Shown(text.as_bytes()))
}
