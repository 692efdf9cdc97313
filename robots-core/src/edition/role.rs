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
    ///
    /// Groups are made of three fields, whose roles are the same in every edition. The compiler therefore knows the role
    /// wherever it knows the field: reading the table for each line of rules cost the parser 7 % of its instructions
    /// (`bench -- instructions`, "parse").
    #[inline]
    pub(crate) const fn role(&self, field: Field) -> Role {
        match field {
            Field::UserAgent => USER_AGENT,
            Field::Allow | Field::Disallow => RULE,
            _ => self.roles[field as usize],
        }
    }
}

const USER_AGENT: Role = Role { run: Run::Continues, is_of_group: true };

const RULE: Role = Role { run: Run::Ends, is_of_group: true };

/// The roles in all editions so far: rules are of a group, and any other field stands outside of groups.
pub(super) const ROLES: Roles = {
    let (mut roles, mut at) =
        ([Role { run: Run::Leaves, is_of_group: false }; Field::ALL.len()], 0);
    while at < roles.len() {
        let field = Field::ALL[at];
        if field.rule().is_some() {
            roles[field as usize] = RULE;
        }
        at += 1;
    }
    roles[Field::UserAgent as usize] = USER_AGENT;
    roles
};
