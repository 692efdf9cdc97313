//! The grammars: one function per ABNF production, of the same name, the production above it.
//!
//! Start at [`rfc9309::robotstxt`]; [`google_2018`] is the other grammar. `tests/grammar.rs` compares
//! the productions with the files under `spec-cases/grammar`, and the functions with an interpreter of
//! those files.
//!
//! Each function returns what is left and what it took. Only `complete` combinators are used, so a
//! function answers for the octets it is given and never asks for more. Nothing here knows what a
//! group means, or of lines that do not derive.

pub(crate) mod google_2018;
pub(crate) mod rfc9309;

mod alternatives;
mod uri;
mod utf8;

#[cfg(test)]
mod tests;

use nom::bytes::complete::tag_no_case;
use nom::{Err, IResult};

/// What a production takes from the front of the octets: (the rest, the part taken).
pub(crate) type Taken<'a> = IResult<&'a [u8], &'a [u8], ()>;

/// A production.
pub(crate) type Production = for<'a> fn(&'a [u8]) -> Taken<'a>;

/// Returns whether the octets, to the last, derive from the production.
pub(crate) fn derives(production: Production, octets: &[u8]) -> bool {
    matches!(production(octets), Ok(([], _)))
}

/// Makes the production of one octet of a class.
fn octet(class: impl Fn(u8) -> bool) -> impl Fn(&[u8]) -> Taken<'_> {
    move |input| match input.split_first() {
        Some((&first, rest)) if class(first) => Ok((rest, &input[..1])),
        _ => Err(Err::Error(())),
    }
}

/// Makes the production of a quoted string, in which ASCII case does not count (RFC 5234, 2.3).
fn literal(text: &'static str) -> impl Fn(&[u8]) -> Taken<'_> {
    move |input| tag_no_case(text)(input)
}
