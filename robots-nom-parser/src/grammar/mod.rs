//! The grammars: one function for each ABNF production, with the same name and the production quoted above it.
//!
//! There are three grammars. [`lenient`] accepts any octets, and `NomParser` reads files with it. [`rfc9309`] and
//! [`google_2018`] are published grammars, which the recogniser uses. Start at [`lenient::robotstxt`],
//! [`rfc9309::robotstxt`] and, for the grammar of 2018, [`alternatives::robotstxt`]. `tests/grammar` compares the
//! productions with the files under `spec-cases/grammar`, and the functions with interpreters of the files.
//!
//! Each function takes octets from the start of its input. The function returns the octets that remain, and the octets
//! that it took. Only the `complete` combinators of nom are used, so a function decides on the given octets and never
//! asks for more. These modules do not know the meaning of a group.

pub(crate) mod alternatives;
pub(crate) mod google_2018;
pub(crate) mod lenient;
pub(crate) mod rfc9309;

mod uri;
mod utf8;

#[cfg(test)]
mod tests;

use nom::bytes::complete::tag_no_case;
use nom::{Err, IResult};

/// The result of a production: the remaining octets, and the octets that it took.
pub(crate) type Taken<'a> = Found<'a, &'a [u8]>;

/// The result of a production: the remaining octets, and the value that it found.
pub(crate) type Found<'a, T> = IResult<&'a [u8], T, ()>;

/// A production.
pub(crate) type Production = for<'a> fn(&'a [u8]) -> Taken<'a>;

/// Returns whether the octets, as a whole, derive from the production.
pub(crate) fn derives(production: Production, octets: &[u8]) -> bool {
    matches!(production(octets), Ok(([], _)))
}

/// Makes the production that takes one octet of a class.
fn octet(class: impl Fn(u8) -> bool) -> impl Fn(&[u8]) -> Taken<'_> {
    move |input| match input.split_first() {
        Some((&first, rest)) if class(first) => Ok((rest, &input[..1])),
        _ => Err(Err::Error(())),
    }
}

/// Makes the production that takes a quoted string. The comparison ignores ASCII case (RFC 5234, 2.3).
fn literal(text: &'static str) -> impl Fn(&[u8]) -> Taken<'_> {
    move |input| tag_no_case(text)(input)
}
