//! The kind of a line in one octet, as the index keeps it.

use crate::line::{Field, LineKind, Malformed, NoEffect, RuleKind};

/// A kind in one octet: what a line keeps of its [`LineKind`].
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct KindCode(u8);

impl KindCode {
    const AGENT: u8 = 0x10;
    const ALLOW: u8 = 0x20;
    const DISALLOW: u8 = 0x30;
    const SITEMAP: u8 = 0x40;
    const FIELD: u8 = 0x70;
    const EFFECT: u8 = 0x0F;

    pub(crate) const BLANK: Self = Self(0);
    pub(crate) const COMMENT: Self = Self(1);
    pub(crate) const UNKNOWN: Self = Self(2);
    pub(crate) const NO_COLON: Self = Self(3);
    pub(crate) const NO_FIELD: Self = Self(4);
    pub(crate) const CONTROL_IN_FIELD: Self = Self(5);

    /// A run of empty lines, folded; a kind of lines kept otherwise, not of a line.
    pub(crate) const EMPTY_LINES: Self = Self(WIDE | 0x0F);

    #[inline]
    pub(crate) const fn with(field: Field, effect: Result<(), NoEffect>) -> Self {
        let field = match field {
            Field::UserAgent => Self::AGENT,
            Field::Allow => Self::ALLOW,
            Field::Disallow => Self::DISALLOW,
            Field::Sitemap => Self::SITEMAP,
        };
        Self(field | Self::effect_code(effect))
    }

    #[inline]
    pub(crate) const fn kind(self) -> LineKind {
        // A table: every line read comes by here.
        KINDS[(self.0 & !WIDE) as usize]
    }

    const fn decoded(self) -> LineKind {
        let effect = match self.0 & Self::EFFECT {
            0 => Ok(()),
            1 => Err(NoEffect::Empty),
            2 => Err(NoEffect::Control),
            3 => Err(NoEffect::NoSlash),
            _ => Err(NoEffect::NotAbsolute),
        };
        match (self.0 & Self::FIELD, self.0 & Self::EFFECT) {
            (Self::AGENT, _) => LineKind::UserAgent { effect },
            (Self::ALLOW, _) => LineKind::Rule { kind: RuleKind::Allow, effect },
            (Self::DISALLOW, _) => LineKind::Rule { kind: RuleKind::Disallow, effect },
            (Self::SITEMAP, _) => LineKind::Sitemap { effect },
            (_, 0) => LineKind::Blank,
            (_, 1) => LineKind::Comment,
            (_, 2) => LineKind::Unknown,
            (_, 3) => LineKind::Malformed(Malformed::NoColon),
            (_, 4) => LineKind::Malformed(Malformed::NoField),
            _ => LineKind::Malformed(Malformed::ControlInField),
        }
    }

    #[inline]
    pub(crate) const fn is_agent(self) -> bool {
        self.0 & Self::FIELD == Self::AGENT
    }

    /// Returns whether the line is an allow or disallow line, with or without effect.
    #[inline]
    pub(crate) const fn is_rule(self) -> bool {
        matches!(self.0 & Self::FIELD, Self::ALLOW | Self::DISALLOW)
    }

    /// Returns the kind of rule the line contributes, if it does.
    #[inline]
    pub(crate) const fn rule(self) -> Option<RuleKind> {
        // No branch tells the two apart: in most files nothing predicts it.
        const KIND: u8 = KindCode::ALLOW ^ KindCode::DISALLOW;
        let kind = if self.0 & KIND == 0 { RuleKind::Allow } else { RuleKind::Disallow };
        if self.0 & !(WIDE | KIND) == Self::ALLOW & !KIND { Some(kind) } else { None }
    }

    /// Returns whether the line names a sitemap.
    #[inline]
    pub(crate) const fn is_sitemap(self) -> bool {
        self.0 & !WIDE == Self::SITEMAP
    }

    /// Returns the code with a mark that the line is kept elsewhere.
    #[inline]
    pub(crate) const fn wide(self) -> Self {
        Self(self.0 | WIDE)
    }

    #[inline]
    pub(crate) const fn is_wide(self) -> bool {
        self.0 & WIDE != 0
    }

    #[inline]
    pub(crate) const fn octet(self) -> u8 {
        self.0
    }

    #[inline]
    pub(crate) const fn of_octet(octet: u8) -> Self {
        Self(octet)
    }

    #[inline]
    const fn effect_code(effect: Result<(), NoEffect>) -> u8 {
        match effect {
            Ok(()) => 0,
            Err(NoEffect::Empty) => 1,
            Err(NoEffect::Control) => 2,
            Err(NoEffect::NoSlash) => 3,
            Err(NoEffect::NotAbsolute) => 4,
        }
    }
}

const WIDE: u8 = 0x80;

/// The kinds of all codes, those of none included.
const KINDS: [LineKind; WIDE as usize] = {
    let mut kinds = [LineKind::Blank; WIDE as usize];
    let mut octet = 0;
    while octet < WIDE {
        kinds[octet as usize] = KindCode(octet).decoded();
        octet += 1;
    }
    kinds
};

#[cfg(test)]
mod tests {
    use super::{Field, KindCode, LineKind, Malformed, NoEffect, RuleKind};

    #[test]
    fn a_code_keeps_its_kind() {
        let effects = [
            Ok(()),
            Err(NoEffect::Empty),
            Err(NoEffect::Control),
            Err(NoEffect::NoSlash),
            Err(NoEffect::NotAbsolute),
        ];
        let with_effect = effects.into_iter().flat_map(|effect| {
            [
                (Field::UserAgent, LineKind::UserAgent { effect }),
                (Field::Allow, LineKind::Rule { kind: RuleKind::Allow, effect }),
                (Field::Disallow, LineKind::Rule { kind: RuleKind::Disallow, effect }),
                (Field::Sitemap, LineKind::Sitemap { effect }),
            ]
            .map(|(field, kind)| (KindCode::with(field, effect), kind))
        });
        let without = [
            (KindCode::BLANK, LineKind::Blank),
            (KindCode::COMMENT, LineKind::Comment),
            (KindCode::UNKNOWN, LineKind::Unknown),
            (KindCode::NO_COLON, LineKind::Malformed(Malformed::NoColon)),
            (KindCode::NO_FIELD, LineKind::Malformed(Malformed::NoField)),
            (KindCode::CONTROL_IN_FIELD, LineKind::Malformed(Malformed::ControlInField)),
        ];
        for (code, kind) in with_effect.chain(without) {
            assert_eq!((code.kind(), code.wide().kind()), (kind, kind));
            assert_eq!(code.is_rule(), matches!(kind, LineKind::Rule { .. }));
            assert_eq!(code.is_sitemap(), kind == LineKind::Sitemap { effect: Ok(()) });
            let rule = code.wide().rule().map(|kind| LineKind::Rule { kind, effect: Ok(()) });
            assert!(rule.is_none_or(|rule| rule == kind));
        }
    }
}
