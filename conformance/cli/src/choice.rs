//! An option of the command line whose values are the variants of a library's enum: [`choice`].
//!
//! The libraries do not know clap, so a table in the command names the variants and describes them for `--help`.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// Makes the parser of an option from its values. Each value has a name, a variant and a help text.
pub(crate) fn choice<T: Copy + Send + Sync + 'static>(
    values: &'static [(&'static str, T, &'static str)],
) -> impl TypedValueParser<Value = T> {
    let named = values.iter().map(|(name, _, help)| PossibleValue::new(*name).help(*help));
    let read = move |text: String| {
        let found = values.iter().find(|(name, ..)| *name == text);
        found.map(|(_, value, _)| *value).ok_or("unknown value")
    };
    PossibleValuesParser::new(named).try_map(read)
}
