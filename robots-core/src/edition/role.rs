//! What the lines of a field do to groups: [`Role`], decided by [`Semantics::role`] from field and edition.
//!
//! This is the only decision: the builder of the index asks for the role of each record, however a parser reported
//! it, and everything behind it reads the groups that the builder noted. So two parsers cannot find other groups.

use super::Semantics;
use crate::line::Field;

/// What the lines of a field do to groups, with or without effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Role {
    pub(crate) run: Run,
    /// Whether the lines belong to the group in which they stand.
    pub(crate) is_of_group: bool,
}

/// What a line does to the run of user-agent lines before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Run {
    /// It continues the run, or begins a group with a run of its own.
    Continues,
    /// It ends the run, so that the next user-agent line begins a group.
    Ends,
    /// It leaves the run open.
    Leaves,
}

/// The roles of all fields, by their places in the enumeration.
pub(crate) type Roles = [Role; Field::ALL.len()];

impl Semantics {
    /// Returns the role of a field.
    #[inline]
    pub(crate) const fn role(&self, field: Field) -> Role {
        self.roles[field as usize]
    }
}

/// The roles in all editions so far: rules are of a group, and any other field stands outside of groups.
pub(super) const ROLES: Roles = {
    let (mut roles, mut at) =
        ([Role { run: Run::Leaves, is_of_group: false }; Field::ALL.len()], 0);
    while at < roles.len() {
        let field = Field::ALL[at];
        if field.rule().is_some() {
            roles[field as usize] = Role { run: Run::Ends, is_of_group: true };
        }
        at += 1;
    }
    roles[Field::UserAgent as usize] = Role { run: Run::Continues, is_of_group: true };
    roles
};
