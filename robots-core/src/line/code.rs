//! The kind of a line, stored in one octet.
//!
//! The core tests the kind of every line. So the octet of a record (a line with a known field) has three parts that a
//! bit mask can test: a mark for records, the position of the field in [`Field`], and whether the value has effect, or
//! why it has none.

use super::field::{Field, RuleKind};
use super::kind::{LineKind, Malformed, NoEffect};

/// A [`LineKind`] in one octet.
///
/// For a record, the octet contains [`RECORD`](Self::RECORD), the position of the field in [`Field`], and whether the
/// value has effect, or why it has none.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct KindCode(u8);

impl KindCode {
    /// The bit that marks a line which is stored in a separate list, because it does not fit into a compact line.
    const LONG: u8 = 0x80;
    const RECORD: u8 = 0x40;
    const FIELD: u8 = 0x78;
    const EFFECT: u8 = 0x07;

    pub(crate) const BLANK: Self = Self(0);
    pub(crate) const COMMENT: Self = Self(1);
    pub(crate) const UNKNOWN: Self = Self(2);
    pub(crate) const NO_COLON: Self = Self(3);
    pub(crate) const NO_FIELD: Self = Self(4);
    pub(crate) const CONTROL_IN_FIELD: Self = Self(5);

    const ALLOW: u8 = Self::record(Field::Allow, Ok(())).0;
    /// The bit in which the codes of allow and disallow differ.
    const KIND: u8 = Self::ALLOW ^ Self::record(Field::Disallow, Ok(())).0;

    #[inline]
    pub(crate) const fn record(field: Field, effect: Result<(), NoEffect>) -> Self {
        let effect = match effect {
            Ok(()) => 0,
            Err(NoEffect::Empty) => 1,
            Err(NoEffect::Control) => 2,
            Err(NoEffect::NoSlash) => 3,
            Err(NoEffect::NotAbsolute) => 4,
        };
        Self(Self::RECORD | (field as u8) << 3 | effect)
    }

    #[inline]
    pub(crate) const fn kind(self) -> LineKind {
        // The function uses a table, because it runs for every line that is read.
        KINDS[(self.0 & !Self::LONG) as usize]
    }

    /// Returns whether the line is a user-agent line, with or without effect.
    #[inline]
    pub(crate) const fn is_agent(self) -> bool {
        self.0 & Self::FIELD == Self::record(Field::UserAgent, Ok(())).0
    }

    /// Returns whether the line is an allow or disallow line, with or without effect.
    #[inline]
    pub(crate) const fn is_rule(self) -> bool {
        self.0 & Self::FIELD & !Self::KIND == Self::ALLOW & !Self::KIND
    }

    /// Returns the kind of rule that the line is, if it is a rule with effect.
    #[inline]
    pub(crate) const fn rule(self) -> Option<RuleKind> {
        // No branch distinguishes allow and disallow here, because the processor cannot predict such a branch in most
        // files.
        let differs = (self.0 ^ Self::ALLOW) & Self::KIND;
        let kind = if differs == 0 { RuleKind::Allow } else { RuleKind::Disallow };
        let base = self.0 & !(Self::LONG | Self::KIND);
        if base == Self::ALLOW & !Self::KIND { Some(kind) } else { None }
    }

    /// Returns whether the line has this field and has effect.
    #[inline]
    pub(crate) const fn is(self, field: Field) -> bool {
        self.0 & !Self::LONG == Self::record(field, Ok(())).0
    }

    /// Returns the field of a record, and whether its value has effect.
    #[inline]
    pub(crate) const fn field(self) -> Option<(Field, bool)> {
        let at = ((self.0 & Self::FIELD & !Self::RECORD) >> 3) as usize;
        if self.0 & Self::RECORD != 0 && at < Field::ALL.len() {
            Some((Field::ALL[at], self.0 & Self::EFFECT == 0))
        } else {
            None
        }
    }

    /// Returns the code with the mark of a line that is stored in a separate list.
    #[inline]
    pub(crate) const fn long(self) -> Self {
        Self(self.0 | Self::LONG)
    }

    #[inline]
    pub(crate) const fn is_long(self) -> bool {
        self.0 & Self::LONG != 0
    }

    #[inline]
    pub(crate) const fn octet(self) -> u8 {
        self.0
    }

    #[inline]
    pub(crate) const fn of_octet(octet: u8) -> Self {
        Self(octet)
    }

    const fn decoded(self) -> LineKind {
        if self.0 & Self::RECORD != 0 {
            let at = (self.0 & Self::FIELD & !Self::RECORD) >> 3;
            if (at as usize) < Field::ALL.len() {
                let effect = match self.0 & Self::EFFECT {
                    0 => Ok(()),
                    1 => Err(NoEffect::Empty),
                    2 => Err(NoEffect::Control),
                    3 => Err(NoEffect::NoSlash),
                    _ => Err(NoEffect::NotAbsolute),
                };
                return LineKind::Record { field: Field::ALL[at as usize], effect };
            }
        }
        match self.0 {
            0 => LineKind::Blank,
            1 => LineKind::Comment,
            2 => LineKind::Unknown,
            3 => LineKind::Malformed(Malformed::NoColon),
            4 => LineKind::Malformed(Malformed::NoField),
            _ => LineKind::Malformed(Malformed::ControlInField),
        }
    }
}

const _: () = assert!(Field::ALL.len() <= 8, "the position of a field has three bits");
const _: () =
    assert!(KindCode::KIND.is_power_of_two(), "the codes of allow and disallow differ in one bit");

/// The kind of a line for each code. Codes that are not used have entries too.
const KINDS: [LineKind; KindCode::LONG as usize] = {
    let mut kinds = [LineKind::Blank; KindCode::LONG as usize];
    let mut octet = 0;
    while octet < KindCode::LONG {
        kinds[octet as usize] = KindCode(octet).decoded();
        octet += 1;
    }
    kinds
};

#[cfg(test)]
mod tests {
    use super::{Field, KindCode, LineKind, Malformed, NoEffect};

    #[test]
    fn a_code_keeps_its_kind() {
        let effects = [
            Ok(()),
            Err(NoEffect::Empty),
            Err(NoEffect::Control),
            Err(NoEffect::NoSlash),
            Err(NoEffect::NotAbsolute),
        ];
        let records = Field::ALL.iter().flat_map(|&field| {
            effects
                .map(|effect| (KindCode::record(field, effect), LineKind::Record { field, effect }))
        });
        let others = [
            (KindCode::BLANK, LineKind::Blank),
            (KindCode::COMMENT, LineKind::Comment),
            (KindCode::UNKNOWN, LineKind::Unknown),
            (KindCode::NO_COLON, LineKind::Malformed(Malformed::NoColon)),
            (KindCode::NO_FIELD, LineKind::Malformed(Malformed::NoField)),
            (KindCode::CONTROL_IN_FIELD, LineKind::Malformed(Malformed::ControlInField)),
        ];
        for (code, kind) in records.chain(others) {
            let (field, effect) = match kind {
                LineKind::Record { field, effect } => (Some(field), effect),
                _ => (None, Ok(())),
            };
            for code in [code, code.long()] {
                assert_eq!(code.kind(), kind);
                assert_eq!(code.is_agent(), field == Some(Field::UserAgent));
                assert_eq!(code.is_rule(), field.is_some_and(|field| field.rule().is_some()));
                assert_eq!(code.rule(), field.filter(|_| effect.is_ok()).and_then(Field::rule));
                for &other in Field::ALL {
                    assert_eq!(code.is(other), field == Some(other) && effect.is_ok());
                }
            }
        }
    }
}
