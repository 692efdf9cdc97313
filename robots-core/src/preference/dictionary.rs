//! Reads a dictionary of structured fields with the crate `sfv`. The reader follows RFC 9651 exactly: if the octets are
//! not a dictionary, the reader ignores all of them. Start at [`Preferences::read`].

use core::convert::Infallible;

use sfv::visitor::{DictionaryVisitor, EntryVisitor, Ignored, InnerListVisitor, ItemVisitor};
use sfv::{BareItemFromInput, KeyRef, Parser};

use super::{Category, Preference, Preferences};

impl Preferences {
    /// Reads the octets of a preference: a dictionary of structured fields. The keys of the dictionary are labels of
    /// categories, and the values are the tokens `y` and `n`.
    ///
    /// If a key occurs twice, the last value is used. Keys that are not labels of categories are ignored, and so are
    /// all parameters. Any value other than `y` and `n` means unknown. If the octets are not a dictionary, every
    /// category is unknown. (vocab-07, 6; RFC 9651, 4.2.)
    ///
    /// ```
    /// use robots_core::usage::{Category, Preference, Preferences};
    /// let read = Preferences::read(b"train-ai=n;why=money, search=y, other=(1 2)");
    /// assert_eq!(read.get(Category::TrainAi), Preference::Disallowed);
    /// assert_eq!(read.get(Category::Search), Preference::Allowed);
    /// assert_eq!(Preferences::read(b"train-ai=n,"), Preferences::UNKNOWN);
    /// ```
    #[must_use]
    pub fn read(octets: &[u8]) -> Self {
        let read = Parser::new(octets).parse_dictionary_with_visitor(Reader(Self::UNKNOWN));
        read.unwrap_or(Self::UNKNOWN)
    }

    /// Reads the field lines of a header. The function joins the lines with commas, because together they are one
    /// dictionary.
    ///
    /// ```
    /// use robots_core::usage::{Category, Preference, Preferences};
    /// let read = Preferences::read_header(&[b"train-ai=n", b"train-ai=y"]);
    /// assert_eq!(read.get(Category::TrainAi), Preference::Allowed);
    /// ```
    #[must_use]
    pub fn read_header(lines: &[&[u8]]) -> Self {
        Self::read(&lines.join(&b", "[..]))
    }
}

/// The preferences from the keys that were read so far.
struct Reader(Preferences);

impl<'de> DictionaryVisitor<'de> for Reader {
    type Out = Preferences;
    type Error = Infallible;

    fn entry(&mut self, key: &'de KeyRef) -> Result<impl EntryVisitor<'de>, Infallible> {
        let category = Category::ALL.iter().find(|category| category.label() == key.as_str());
        Ok(category.map(|category| {
            // If a key occurs twice, the last value is used, even if it is neither `y` nor `n`.
            let preference = &mut self.0.0[*category as usize];
            *preference = Preference::Unknown;
            Entry(preference)
        }))
    }

    fn finish(self) -> Result<Preferences, Infallible> {
        Ok(self.0)
    }
}

/// Reads the value of a key, and stores it as the preference for the key's category.
struct Entry<'p>(&'p mut Preference);

impl<'de> EntryVisitor<'de> for Entry<'_> {
    type Error = Infallible;

    fn item(self) -> Result<impl ItemVisitor<'de>, Infallible> {
        Ok(|item: BareItemFromInput<'de>| {
            if let BareItemFromInput::Token(token) = item {
                *self.0 = match token.as_str() {
                    "y" => Preference::Allowed,
                    "n" => Preference::Disallowed,
                    _ => Preference::Unknown,
                };
            }
            Ok::<_, Infallible>(Ignored)
        })
    }

    fn inner_list(self) -> Result<impl InnerListVisitor<'de>, Infallible> {
        Ok(Ignored)
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString as _;

    use rstest::rstest;

    use super::Preferences;

    #[rstest]
    #[trace]
    #[case("", "unknown")]
    #[case("train-ai=n", "train-ai disallowed")]
    #[case(
        "  train-ai=n, search=y\t,ai-use=n ",
        "train-ai disallowed, search allowed, ai-use disallowed"
    )]
    #[case("train-ai=y, train-ai, search=n, search=\"n\"", "unknown")]
    #[case("train-ai;allow=n, train-ai=y", "train-ai allowed")]
    #[case("train-ai=(n), search=n", "search disallowed")]
    #[case("train-ai=n;", "unknown")]
    #[case("train-ai=n,", "unknown")]
    #[case("train-ai = n", "unknown")]
    #[case("train-ai=n search=n", "unknown")]
    #[case("Train-ai=n, search=n", "unknown")]
    #[case("\ttrain-ai=n", "unknown")]
    #[case("train-ai=N, search=no", "unknown")]
    fn dictionaries(#[case] octets: &str, #[case] read: &str) {
        assert_eq!(Preferences::read(octets.as_bytes()).to_string(), read);
    }
}
