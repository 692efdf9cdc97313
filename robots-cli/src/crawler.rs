//! The crawlers that a command line names: [`Named`].
//!
//! A user names a crawler by its product tokens (`--agent`) or by a whole `User-Agent` header (`--user-agent`). For
//! each of the two options, a function reads the value and refuses text that names no crawler.

use robots_core::Crawler;

use robots_console::error::Error;
use robots_console::render::cut;

/// A crawler as a command line names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Named {
    /// The product tokens, most specific first.
    pub tokens: Vec<String>,
    /// The header from which the product tokens were taken, or `None` if the tokens were given.
    pub header: Option<String>,
}

impl Named {
    /// Reads a value of `--agent`: a product token, or several product tokens with commas between them, most specific
    /// first.
    ///
    /// # Errors
    /// Returns a message if a part is not a product token.
    pub(crate) fn by_agent(text: &str) -> Result<Self, Error> {
        if text.is_empty() {
            return Err("--agent is empty; name the crawler by its product token".into());
        }
        let tokens: Vec<String> = text.split(',').map(|token| token.trim().to_owned()).collect();
        if Crawler::new(&tokens).is_ok() {
            return Ok(Self { tokens, header: None });
        }
        let meant = match Crawler::from_header(text) {
            Ok(crawler) => format!("did you mean --agent {}?", first(&crawler)),
            Err(_) => "write the name that the crawler documents, such as Googlebot".to_owned(),
        };
        let shown = shortened(text);
        Err(Error::new(format!(
            "--agent {shown:?}: a crawler's name has letters, digits, `_` and `-` only, 256 at most; {meant}"
        )))
    }

    /// Reads a value of `--user-agent`: a whole header, from which the product tokens are taken.
    ///
    /// # Errors
    /// Returns a message if the header names no product.
    pub(crate) fn by_header(header: &str) -> Result<Self, Error> {
        let crawler = Crawler::from_header(header).map_err(|_| {
            Error::new(format!(
                "--user-agent {:?} names no product; give the product token by --agent",
                shortened(header)
            ))
        })?;
        let tokens = crawler.tokens().iter().map(ToString::to_string).collect();
        Ok(Self { tokens, header: Some(header.to_owned()) })
    }
}

/// Returns the beginning of an argument for a message, because the argument may be of any length.
pub(crate) fn shortened(text: &str) -> String {
    const LONGEST: usize = 100;
    cut(text, LONGEST)
}

fn first(crawler: &Crawler) -> String {
    crawler.tokens().iter().map(ToString::to_string).next().unwrap_or_default()
}
