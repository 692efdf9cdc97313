//! The judge: [`Timeline::judge`] asks every possible state of a crawler about a request.

use std::time::Duration;

use robots_core::fetch::{Basis, LASTING};
use robots_core::syntax::LineNumber;

use crate::files::VersionId;
use crate::report::{Class, Reason};
use crate::timeline::{Context, Copy, Permitted, SLACK, State, Timeline};

/// A judged request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Judged {
    pub(crate) class: Class,
    pub(crate) reason: Reason,
    pub(crate) rule: Option<Ruling>,
}

/// The rule of a version that disallows a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Ruling {
    pub(crate) version: VersionId,
    pub(crate) line: LineNumber,
}

impl Timeline {
    /// Judges a request for a page. `ruling` returns the line that disallows the URL in a version, or `None` if the
    /// version allows it.
    pub(crate) fn judge(
        &self,
        now: Duration,
        context: Context<'_>,
        ruling: &mut dyn FnMut(VersionId) -> Option<LineNumber>,
    ) -> Judged {
        let Some(read) = self.read else {
            return Judged { class: Class::Unknown, reason: Reason::NotRead, rule: None };
        };
        // Apache writes a line when the answer ends, and the time when the request began.
        if now < read {
            return open(Reason::OutOfOrder, None);
        }
        let mut ruled = |version| Some(Ruling { version, line: ruling(version)? });
        let lifetime = context.permitted.lifetime.saturating_add(SLACK);
        let mut possible = Possible::default();
        for state in self.states.iter().rev() {
            if state.is_latest || now <= state.record.last.at.saturating_add(lifetime) {
                state.add_to(&mut possible, now, context.permitted, &mut ruled);
            }
        }
        let files = context.files;
        let is_newer =
            |version: &VersionId| files.from(*version) > read && !possible.copies.contains(version);
        match possible {
            Possible { nothing: Some(reason), disallowed, .. } => {
                open(reason, disallowed.and_then(|(_, rule)| rule))
            }
            Possible { allowed: Some(reason), disallowed: None, .. } => {
                let newer = files.at(self.list, now).filter(is_newer);
                match newer.and_then(ruled) {
                    None => Judged { class: Class::Obeyed, reason, rule: None },
                    rule if now > read.saturating_add(lifetime) => open(Reason::Expired, rule),
                    rule => Judged { class: Class::NotYetKnown, reason: Reason::Rule, rule },
                }
            }
            Possible { allowed: None, disallowed: Some((reason, rule)), .. } => {
                let from = read.max(now.saturating_sub(lifetime));
                let mut newer = files.during(self.list, from, now).flatten().filter(is_newer);
                if newer.any(|version| ruled(version).is_none()) {
                    return open(Reason::NewerAllows, rule);
                }
                if now.saturating_add(SLACK) >= read.saturating_add(LASTING) {
                    return open(Reason::Outage, rule);
                }
                Judged { class: Class::Disobeyed, reason, rule }
            }
            Possible { mixed, disallowed, .. } => {
                open(mixed.unwrap_or(Reason::MayUseEarlier), disallowed.and_then(|(_, rule)| rule))
            }
        }
    }
}

const fn open(reason: Reason, rule: Option<Ruling>) -> Judged {
    Judged { class: Class::Open, reason, rule }
}

/// What the possible states know about a URL. Those of the last answer were added first.
#[derive(Debug, Default)]
struct Possible {
    allowed: Option<Reason>,
    disallowed: Option<(Reason, Option<Ruling>)>,
    nothing: Option<Reason>,
    /// Why the states may differ, unless two files explain it.
    mixed: Option<Reason>,
    /// The versions that the crawler may have.
    copies: Vec<VersionId>,
}

impl State {
    /// Adds what the crawler knows in this state. If a later answer came, a state of failure counts only for the copy
    /// that it permits to use.
    fn add_to(
        &self,
        possible: &mut Possible,
        now: Duration,
        permitted: &Permitted,
        ruled: &mut dyn FnMut(VersionId) -> Option<Ruling>,
    ) {
        let lenient = self.record.basis(&permitted.lenient, now);
        let is_strict = self.is_latest && self.is_failing;
        let strict = is_strict.then(|| self.record.basis(&permitted.strict, now));
        // The limit of 24 hours does not apply while the file is unreachable (RFC 9309, 2.4).
        let may_use_copy = self.is_failing && self.record.copy.is_some();
        let bases = [Some(lenient), strict, may_use_copy.then_some(Basis::LastCopy)];
        for basis in bases.into_iter().flatten() {
            match (basis.allows(), self.copy) {
                (Some(true), _) => {
                    possible.allowed.get_or_insert(Reason::NoFile);
                }
                (Some(false), _) if !self.is_latest => continue,
                (Some(false), _) => {
                    possible.disallowed.get_or_insert((Reason::Failing, None));
                }
                (None, Copy::Unknown(reason)) => {
                    possible.nothing.get_or_insert(reason);
                }
                (None, Copy::Empty) => {
                    possible.allowed.get_or_insert(Reason::Allowed);
                }
                (None, Copy::Version(version)) => {
                    possible.copies.push(version);
                    // The log shows no read of this copy, so its rules are no evidence.
                    let is_supposed = self.is_failing && self.is_before_log;
                    match (ruled(version), possible.disallowed) {
                        (Some(_), _) if is_supposed => {
                            possible.disallowed.get_or_insert((Reason::Failing, None));
                        }
                        (None, _) => drop(possible.allowed.get_or_insert(Reason::Allowed)),
                        (Some(_), Some((Reason::Rule, _))) => {}
                        (rule, _) => possible.disallowed = Some((Reason::Rule, rule)),
                    }
                }
            }
            if is_strict && self.is_before_log {
                // The log does not show how long the outage has lasted.
                possible.disallowed.get_or_insert((Reason::Failing, None));
            }
            if self.is_failing {
                possible.mixed = Some(Reason::MayUseCopy);
            } else if self.is_before_log {
                possible.mixed.get_or_insert(Reason::BeforeLog);
            }
        }
    }
}
