//! Limits the size of a YAML text after its aliases are expanded.
//!
//! An alias repeats a node, and a repeated node may contain aliases. The parser limits how often it follows an alias,
//! but not the total size: 100 KB can become a list of 400 million texts. This module reads a text once, stores no
//! values, and stops at the limit.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess};
use serde::de::{VariantAccess as _, Visitor};

/// The maximum size of a text's values is this number plus four times the length of the text. A text without aliases
/// never reaches this maximum.
const MOST: usize = 1024 * 1024;

/// Checks the size of a text's values. Each value has the size one, and each octet of a string adds one.
///
/// # Errors
/// Returns the parser's error, or an error if the aliases repeat too much.
pub(super) fn check(text: &str) -> Result<(), serde_yaml::Error> {
    // The node that an alias repeats has an anchor, which begins with `&`. So a text without `&` has no alias.
    if !text.contains('&') {
        return Ok(());
    }
    let mut left = text.len() * 4 + MOST;
    Count(&mut left).deserialize(serde_yaml::Deserializer::from_str(text))
}

/// Subtracts the size of a node's values from the remaining size.
struct Count<'l>(&'l mut usize);

impl Count<'_> {
    fn take<E: Error>(self, size: usize) -> Result<(), E> {
        let left = self.0.checked_sub(size);
        *self.0 = left.ok_or_else(|| E::custom("aliases repeat too much; write fewer of them"))?;
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for Count<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Count<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any YAML value")
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        self.take(1)
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<(), E> {
        self.take(1)
    }

    fn visit_i128<E: Error>(self, _: i128) -> Result<(), E> {
        self.take(1)
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<(), E> {
        self.take(1)
    }

    fn visit_u128<E: Error>(self, _: u128) -> Result<(), E> {
        self.take(1)
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<(), E> {
        self.take(1)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        self.take(1 + text.len())
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.take(1)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        while items.next_element_seed(Count(self.0))?.is_some() {}
        self.take(1)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut pairs: A) -> Result<(), A::Error> {
        while pairs.next_key_seed(Count(self.0))?.is_some() {
            pairs.next_value_seed(Count(self.0))?;
        }
        self.take(1)
    }

    fn visit_enum<A: EnumAccess<'de>>(self, tagged: A) -> Result<(), A::Error> {
        let (tag, value) = tagged.variant::<String>()?;
        value.newtype_variant_seed(Count(self.0))?;
        self.take(1 + tag.len())
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use rstest::rstest;

    use serde::de::DeserializeSeed as _;

    use super::{Count, check};

    /// Each value has the size one, and each octet of a string adds one.
    #[rstest]
    #[trace]
    #[case("true", 1)]
    #[case("7", 1)]
    #[case("-7", 1)]
    #[case("99999999999999999999999999", 1)]
    #[case("-99999999999999999999999999", 1)]
    #[case("1.5", 1)]
    #[case("~", 1)]
    #[case("xyz", 4)]
    #[case("[]", 1)]
    #[case("[~, x]", 4)]
    #[case("{}", 1)]
    #[case("{ a: 1 }", 4)]
    #[case("!ab x", 5)]
    #[case("[&a xyz, *a]", 9)]
    fn each_value_has_its_size(#[case] text: &str, #[case] size: usize) {
        let mut left = 100;
        Count(&mut left).deserialize(serde_yaml::Deserializer::from_str(text)).unwrap();
        assert_eq!(100 - left, size);
        let mut left = size - 1;
        let read = Count(&mut left).deserialize(serde_yaml::Deserializer::from_str(text));
        assert!(read.unwrap_err().to_string().contains("aliases repeat too much"));
    }

    /// The limit is one mebioctet plus four times the length of the text.
    #[rstest]
    #[trace]
    #[case::below(1000, true)]
    #[case::above(1100, false)]
    fn the_bound(#[case] times: usize, #[case] is_right: bool) {
        let text = format!("a: &a {}\nb: [{}]\n", "x".repeat(1000), "*a,".repeat(times));
        assert_eq!(check(&text).is_ok(), is_right);
    }

    #[rstest]
    #[trace]
    #[case::no_alias("a: [1, -1, 1.5, true, null, x, !t y, ~]\n".to_owned(), true)]
    #[case::escapes(format!("? &a \"{}\"\n", "\\P".repeat(1_100_000)), true)]
    #[case::an_alias("a: &a [x, y]\nb: *a\nc: {d: *a}\n".to_owned(), true)]
    #[case::wide(format!("a: &a [{}]\nb: [{}]\n", "x,".repeat(5000), "*a,".repeat(5000)), false)]
    #[case::a_long_text(format!("a: &a {}\nb: [{}]\n", "x".repeat(50_000), "*a,".repeat(50)), false)]
    #[case::a_long_tag(format!("a: &a !{} x\nb: [{}]\n", "x".repeat(50_000), "*a,".repeat(50)), false)]
    fn what_aliases_repeat_is_bounded(#[case] text: String, #[case] is_right: bool) {
        assert_eq!(check(&text).is_ok(), is_right);
    }

    /// Each list contains the list before it ten times. The parser also has a limit, which may refuse the text first.
    #[test]
    fn lists_of_lists_are_bounded() {
        let mut text = "l0: &l0 [x]\n".to_owned();
        for level in 1..20 {
            let before = format!("*l{}, ", level - 1).repeat(10);
            let _ = writeln!(text, "l{level}: &l{level} [{before}]");
        }
        assert!(check(&text).is_err());
    }
}
