//! The keys of a case. This module decides to which kind a key belongs, and each kind reads its keys with [`Reading`].
//!
//! A case is a YAML mapping. The loader reads the keys that every case has. Every other key belongs to a [`KeyGroup`],
//! and each kind of question declares its key groups. Start at [`members`].

use std::collections::BTreeSet;

use crate::kind::{Ask, QuestionKind};
use serde::de::DeserializeOwned;
use serde_yaml::{Mapping, Value};

use super::{Expected, Member, complete, keys, lists, read};
use crate::yaml::{WrongKey, check_key, fields, from_right_keys};
use robots_console::render;

/// A problem with a key of a case.
pub(crate) struct KeyProblem {
    /// The key, or `id` if the problem is not about one key.
    pub(crate) key: &'static str,
    /// The problem, and how to fix it.
    pub(crate) message: String,
}

/// Returns the members of a case, which are its questions: one member, or one for each entry of its lists. `case`
/// contains the well-formed keys.
///
/// # Errors
/// Returns all problems with the keys.
pub(crate) fn members(case: &Mapping, kind: QuestionKind) -> Result<Vec<Member>, Vec<KeyProblem>> {
    let mut reading = Reading { case, problems: Vec::new() };
    reading.foreign_keys(kind);
    let members = read(kind, &mut reading);
    reading.names(&members);
    if reading.problems.is_empty() { Ok(members) } else { Err(reading.problems) }
}

/// Returns whether a case has lists of members.
pub(crate) fn are_listed(case: &Mapping, kind: QuestionKind) -> bool {
    lists(kind).iter().any(|key| case.contains_key(*key))
}

/// Returns every key of every kind, each once, in the order of the kinds.
pub(crate) fn known_keys() -> Vec<&'static str> {
    let all = || QuestionKind::ALL.iter().flat_map(|kind| keys(*kind));
    let mut seen = BTreeSet::new();
    all().flat_map(|group| (group.fields)()).copied().filter(|key| seen.insert(*key)).collect()
}

/// Checks the type of a key that belongs to some kind. Returns `None` if the key belongs to no kind.
pub(crate) fn check(key: &str, value: &Value) -> Option<Result<(), WrongKey>> {
    let mut groups = QuestionKind::ALL.iter().flat_map(|kind| keys(*kind));
    let group = groups.find(|group| (group.fields)().contains(&key))?;
    Some((group.check)(key, value))
}

/// Keys of a case that are read together, into a struct whose fields are optional.
pub(crate) struct KeyGroup {
    fields: fn() -> &'static [&'static str],
    check: fn(&str, &Value) -> Result<(), WrongKey>,
}

impl KeyGroup {
    /// Makes the group of keys from a struct.
    pub(super) const fn of<T: DeserializeOwned>() -> Self {
        Self { fields: fields::<T>, check: check_key::<T> }
    }
}

/// A case while its kind reads it, and the problems that were found so far.
pub(crate) struct Reading<'c> {
    case: &'c Mapping,
    problems: Vec<KeyProblem>,
}

/// A list of a case. The key of the list decides the answer, which is the same for all its members.
pub(super) struct List<'l> {
    pub(super) key: &'static str,
    pub(super) members: &'l Option<Vec<String>>,
    pub(super) answer: Expected,
}

impl Reading<'_> {
    /// Reads the keys of one [`KeyGroup`] into its struct.
    pub(super) fn keys<T: DeserializeOwned + Default>(&self) -> T {
        from_right_keys(self.case)
    }

    /// Returns whether the case has a key.
    pub(super) fn has(&self, key: &str) -> bool {
        self.case.contains_key(key)
    }

    /// Reports a problem with a key.
    pub(super) fn wrong(&mut self, key: &'static str, message: impl Into<String>) {
        self.problems.push(KeyProblem { key, message: message.into() });
    }

    /// Returns the value, or reports the problem and returns `None`.
    pub(super) fn checked<T>(&mut self, value: Result<T, KeyProblem>) -> Option<T> {
        value.map_err(|problem| self.problems.push(problem)).ok()
    }

    /// Returns a member for each entry of the lists. `ask` makes the question of an entry, or reports a problem.
    pub(super) fn listed(
        &mut self,
        lists: &[List<'_>],
        mut ask: impl FnMut(&mut Self, &str) -> Option<Ask>,
    ) -> Vec<Member> {
        let mut members = Vec::new();
        let mut seen: Vec<&str> = Vec::new();
        for list in lists {
            let Some(written) = list.members else { continue };
            if written.is_empty() {
                self.wrong(list.key, format!("`{}` is empty; leave it out", list.key));
            }
            for member in written {
                if seen.contains(&member.as_str()) {
                    let message = format!("{member:?} is twice in the lists; keep one");
                    self.wrong(list.key, message);
                    continue;
                }
                seen.push(member);
                if let Some(ask) = ask(self, member) {
                    let listed = Some(complete(self.case, list.answer.clone()));
                    members.push(Member { name: Some(name(member)), ask, listed });
                }
            }
        }
        members
    }

    /// Reports keys that belong to another kind of question.
    fn foreign_keys(&mut self, kind: QuestionKind) {
        let of_kind: BTreeSet<&str> =
            keys(kind).iter().flat_map(|group| (group.fields)()).copied().collect();
        for key in known_keys() {
            if self.has(key) && !of_kind.contains(key) {
                self.wrong(key, format!("`{key}` does not belong to `ask: {kind}`; leave it out"));
            }
        }
    }

    /// Reports two members with the same printable name.
    fn names(&mut self, members: &[Member]) {
        for (index, member) in members.iter().enumerate() {
            let Some(name) = &member.name else { continue };
            if members[..index].iter().any(|other| other.name.as_ref() == Some(name)) {
                let message = format!("two members are both named {name:?} in trials; shorten one");
                self.wrong("id", message);
            }
        }
    }
}

/// Makes the only member of a case without lists.
pub(super) fn one(ask: Option<impl Into<Ask>>) -> Vec<Member> {
    let member = |ask: Ask| Member { name: None, ask, listed: None };
    ask.map(|ask| member(ask.into())).into_iter().collect()
}

/// Makes a member's name: one printable line. The middle of a long name is omitted, and spaces at its ends are escaped.
fn name(member: &str) -> String {
    const LONG: usize = 100;
    let shown = render::text(member);
    let inner = shown.trim_matches(' ');
    let before = shown.len() - shown.trim_start_matches(' ').len();
    let after = shown.len() - inner.len() - before;
    let shown = format!("{}{inner}{}", "\\x20".repeat(before), "\\x20".repeat(after));
    let count = shown.chars().count();
    if count <= LONG {
        return shown;
    }
    let head: String = shown.chars().take(LONG / 2).collect();
    let tail: String = shown.chars().skip(count - LONG / 4).collect();
    format!("{head}…{} octets…{tail}", member.len())
}
