//! Fetches the robots.txt that an origin serves, for verbs that also read local files.
//!
//! [`ask`] returns verdicts for `explain`, [`record`] returns the record of a fetch for `served`, and [`body`] returns
//! the octets of the file for every argument that is a URL.

use robots_console::render;
use robots_core::Edition;
use robots_fetch::{Basis, ErrorKind, Settings};

use super::{builder, number, of_the_library};
use crate::crawler::shortened;
use robots_console::error::Error;

/// A verdict on a URL by the robots.txt that an origin serves.
pub(crate) struct Asked {
    pub(crate) is_allowed: bool,
    pub(crate) line: Option<u32>,
    pub(crate) text: String,
    pub(crate) basis: &'static str,
}

/// Fetches the robots.txt of an origin as a crawler. Returns a verdict for each URL. Also returns the octets of the
/// file, if its rules decide about at least one URL.
///
/// # Errors
/// Returns a message if the origin, a URL or a product token cannot be used.
pub(crate) fn ask(
    edition: Edition,
    tokens: &[String],
    origin: &str,
    urls: &[String],
) -> Result<(Option<Vec<u8>>, Vec<Asked>), Error> {
    let client = builder(tokens, edition)?.build().map_err(of_the_library)?;
    let handle = client.origin(origin).map_err(of_the_library)?;
    let asked = urls.iter().map(|url| {
        let verdict = handle.verdict(url).map_err(|error| match error.kind() {
            ErrorKind::OtherOrigin => Error::new(format!(
                "{} is a URL of another site than {origin}; ask about the two in two calls",
                shortened(url)
            )),
            _ => Error::new(format!("{:?}: {error}", shortened(url))),
        })?;
        Ok(Asked {
            is_allowed: verdict.is_allowed(),
            line: number(&verdict),
            text: verdict.to_string(),
            basis: verdict.basis().id(),
        })
    });
    let asked: Vec<Asked> = asked.collect::<Result<_, Error>>()?;
    let decides = asked.iter().any(|asked| asked.basis == Basis::Rules.id());
    let copy = handle.record().copy.as_ref().filter(|_| decides);
    Ok((copy.map(|copy| copy.body.clone()), asked))
}

/// The limit for a fetched file in octets. This limit is larger than the limit of every edition, so that the lines
/// beyond the edition's limit can be counted.
const LARGE_LIMIT: usize = 64 << 20;

/// Fetches the robots.txt of a URL's origin as a crawler, and returns the record of the fetch.
///
/// # Errors
/// Returns a message if the URL or the crawler cannot be used.
pub(crate) fn record(url: &str, tokens: &[String]) -> Result<robots_fetch::Record, Error> {
    let client = builder(tokens, Edition::default())?;
    let client = client
        .settings(Settings::default().with_limit(LARGE_LIMIT))
        .build()
        .map_err(of_the_library)?;
    let origin = client.origin(url).map_err(of_the_library)?;
    Ok(robots_fetch::Record::clone(origin.record()))
}

/// Fetches the robots.txt of a URL's origin, and returns its octets.
///
/// # Errors
/// Returns a message if the URL cannot be used, or if the fetch returns no file.
pub(crate) fn body(url: &str) -> Result<Vec<u8>, Error> {
    let record = record(url, &["robots-cli".to_owned()])?;
    match &record.copy {
        Some(copy) => Ok(copy.body.clone()),
        None => Err(format!(
            "{}/robots.txt cannot be read: {}",
            record.key,
            render::message(&record.last.end.to_string())
        )
        .into()),
    }
}
