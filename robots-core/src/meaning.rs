//! Computes the meaning of a line under an edition: its kind, which depends on the octets of its parts.
//!
//! Start at [`Line::kind`]. The builder of the index computes the same kind with [`of_line`] and the functions below
//! it.

use crate::edition::{Edition, Semantics};
use crate::line::code::KindCode;
use crate::line::field::Form;
use crate::line::{Field, Line, LineKind, NoEffect, Remark, Span};

impl Line {
    /// Returns the meaning of the line under an edition, given the octets to which its spans refer.
    ///
    /// ```
    /// use robots_core::Edition;
    /// use robots_core::syntax::{Field, Line, LineKind, Span};
    /// let octets = b"Disallow:/x";
    /// let all = Span::new(0, octets.len());
    /// let line = Line::new(all, all).with_record(Span::new(0, 8), None, Span::new(9, 11));
    /// let kind = line.kind(octets, Edition::Rfc9309);
    /// assert_eq!(kind, LineKind::Record { field: Field::Disallow, effect: Ok(()) });
    /// ```
    #[must_use]
    #[inline]
    pub fn kind(&self, octets: &[u8], edition: Edition) -> LineKind {
        of_line(self, octets, edition.semantics()).kind()
    }

    /// Returns the irregularities of the line that do not change its meaning, given the octets to which its spans
    /// refer.
    ///
    /// ```
    /// use robots_core::syntax::{Line, Remark, Span};
    /// let line = Line::new(Span::new(0, 3), Span::new(0, 2));
    /// assert_eq!(line.remarks(b"#\xFF\n").next(), Some(Remark::InvalidUtf8));
    /// ```
    pub fn remarks(&self, octets: &[u8]) -> impl Iterator<Item = Remark> + use<> {
        let utf8 = core::str::from_utf8(&octets[self.content.range()]).is_ok();
        let comment = self.comment.map_or(&[][..], |comment| &octets[comment.range()]);
        let control = comment.iter().copied().any(is_control);
        let remark = |holds: bool, remark| holds.then_some(remark);
        let remarks =
            [remark(!utf8, Remark::InvalidUtf8), remark(control, Remark::ControlInComment)];
        remarks.into_iter().flatten()
    }
}

/// Returns the kind of a line.
#[inline]
pub(crate) fn of_line(line: &Line, octets: &[u8], semantics: &Semantics) -> KindCode {
    if let (Some(field), Some(value)) = (line.field, line.value) {
        return of_field(&octets[field.range()], &octets[value.range()], semantics);
    }
    let before_comment = line.comment.map_or(line.content.end(), Span::start);
    without_field(&octets[line.content.start()..before_comment], line.comment.is_some())
}

/// Returns the kind of a line with a field, given its name and its value.
#[inline]
pub(crate) fn of_field(name: &[u8], value: &[u8], semantics: &Semantics) -> KindCode {
    match Field::named(name) {
        Some(field) if semantics.role(field).is_none() => KindCode::UNKNOWN,
        Some(field) => {
            KindCode::record(field, plain(value).and_then(|()| effect(field, value, semantics)))
        }
        None if name.is_empty() => KindCode::NO_FIELD,
        None if has_control(name) => KindCode::CONTROL_IN_FIELD,
        None => KindCode::UNKNOWN,
    }
}

/// Returns `Ok` if a value has effect, or the reason why it has no effect. The value must have at least one octet and
/// no control octet.
#[inline]
pub(crate) fn effect(field: Field, value: &[u8], semantics: &Semantics) -> Result<(), NoEffect> {
    match field.form() {
        Form::Text | Form::Preference => Ok(()),
        Form::AbsoluteUrl => absolute(value),
        Form::PathPattern => slash(value.first(), semantics),
    }
}

/// Returns `Ok` if a rule has effect, or the reason why it has no effect, given the first octet of its value.
#[inline]
pub(crate) fn slash(first: Option<&u8>, semantics: &Semantics) -> Result<(), NoEffect> {
    match first {
        Some(b'/' | b'*') => Ok(()),
        _ if semantics.slash_assumed => Ok(()),
        _ => Err(NoEffect::NoSlash),
    }
}

/// Returns the kind of a line without a field, given the text before the comment.
#[inline]
pub(crate) fn without_field(text: &[u8], has_comment: bool) -> KindCode {
    // This check starts at the end of the text, because lines of HTML are indented but rarely end in white space.
    let blank = text.iter().rev().all(|octet| matches!(octet, b' ' | b'\t'));
    match (blank, has_comment) {
        (true, false) => KindCode::BLANK,
        (true, true) => KindCode::COMMENT,
        (false, _) => KindCode::NO_COLON,
    }
}

/// Returns whether the octet is a C0 control other than tab. DEL is not included, because RFC 9309 (2.2) permits it.
pub(crate) const fn is_control(octet: u8) -> bool {
    octet < 0x20 && octet != b'\t'
}

/// Returns whether any octet is a C0 control other than tab. The function checks eight octets at a time.
#[inline]
pub(crate) fn has_control(octets: &[u8]) -> bool {
    const ONES: u64 = 0x0101_0101_0101_0101;
    // The high bit is set for each octet below 0x20. The high bit may also be set for an octet after an octet below
    // 0x20. This does not change the result, because the code asks only whether any high bit is set.
    let below_space = |eight: &[u8; 8]| {
        let eight = u64::from_le_bytes(*eight);
        eight.wrapping_sub(ONES * 0x20) & !eight & (ONES * 0x80)
    };
    let (eights, rest) = octets.as_chunks();
    let low = match (octets.last_chunk(), rest) {
        (_, []) => 0,
        (Some(last), _) => below_space(last),
        (None, few) => u64::from(few.iter().any(|octet| *octet < 0x20)),
    };
    let low = eights.iter().fold(low, |low, eight| low | below_space(eight));
    low != 0 && octets.iter().copied().any(is_control)
}

/// Returns whether the value of a sitemap line is an absolute URL.
fn absolute(value: &[u8]) -> Result<(), NoEffect> {
    match crate::text::split_scheme(value) {
        Some((_, rest)) if !matches!(rest.first(), None | Some(b'/' | b'?' | b'#')) => Ok(()),
        _ => Err(NoEffect::NotAbsolute),
    }
}

#[inline]
fn plain(value: &[u8]) -> Result<(), NoEffect> {
    if value.is_empty() {
        Err(NoEffect::Empty)
    } else if has_control(value) {
        Err(NoEffect::Control)
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;

    use super::{absolute, has_control, is_control};

    proptest! {
        /// Checking eight octets at a time gives the same result as checking each octet.
        #[test]
        fn controls_are_found(
            octets in prop::collection::vec(prop::sample::select(&b"\0\x01\t\n\x1F !az\x7F\x80\xFF"[..]), 0..40),
            plain in "[a-z ]{0,40}",
            at in 0_usize..40,
        ) {
            prop_assert_eq!(has_control(&octets), octets.iter().copied().any(is_control));
            // The second text has no control octet. After one octet is replaced, it has one.
            let mut plain = plain.into_bytes();
            prop_assert!(!has_control(&plain));
            if let Some(octet) = plain.get_mut(at) {
                *octet = 1;
                prop_assert!(has_control(&plain));
            }
        }
    }

    #[rstest]
    #[trace]
    #[case("https://example.com/sitemap.xml", true)]
    #[case("https:///sitemap.xml", false)]
    #[case("https://?x", false)]
    #[case("https://", false)]
    #[case("/sitemap.xml", false)]
    fn absolute_urls(#[case] value: &str, #[case] is_absolute: bool) {
        assert_eq!(absolute(value.as_bytes()).is_ok(), is_absolute);
    }

    /// The function must combine the results of two groups of eight octets with "or". With "exclusive or", it would not
    /// find two controls at the same position of their groups.
    #[test]
    fn controls_at_the_same_place_of_two_eights_are_found() {
        assert!(
            has_control(b"\x01aaaaaaa\x01aaaaaaa")
                && has_control(b"\x01\x01")
                && !has_control(b"\t\ta")
        );
    }
}
