//! The effect of a field's lines on groups: [`Role`]. If an edition gives a field no role, the edition does not define
//! the field.
//!
//! Only [`role`] decides the role, from the field and the edition. The builder of the index asks for the role of each
//! record (a line with a known field), no matter how a parser reported the record. Later code reads the groups that the
//! builder stored. So the groups depend only on the records, and not on how a parser reports them.

use crate::line::Field;

/// The effect of a field's lines on groups. The role of a line does not depend on whether its value has effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Role {
    pub(crate) run: Run,
    /// Whether a line of the field belongs to the group around it, as a rule does and a sitemap line does not.
    pub(crate) is_of_group: bool,
}

/// The effect of a line on the run of user-agent lines before it. A run is a series of user-agent lines that begin one
/// group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Run {
    /// The line continues the run, or begins a new group with a new run.
    Continues,
    /// The line ends the run, so that the next user-agent line begins a group.
    Ends,
    /// The line does not end the run, so a user-agent line after it still belongs to the run.
    Leaves,
}

/// The roles of all fields in one edition, in the order of [`Field::ALL`]. If a field has no role, the edition does not
/// define the field, and its lines count as lines with an unknown field.
pub(crate) type Roles = [Option<Role>; Field::ALL.len()];

/// Returns the role of a field under the edition with these roles, or `None` if the edition does not define the field.
///
/// Three fields form groups, and their roles are the same in every edition. So the roles are written here as constants,
/// and the compiler knows the role if it knows the field. A version that read the table for each rule line needed 7 %
/// more instructions in the parser (`cargo xtask bench instructions`, "parse").
#[inline]
pub(crate) const fn role(roles: Roles, field: Field) -> Option<Role> {
    match field {
        Field::UserAgent => Some(USER_AGENT),
        Field::Allow | Field::Disallow => Some(RULE),
        _ => roles[field as usize],
    }
}

/// Returns whether a table has the roles that [`role`] assumes without reading the table.
pub(super) const fn has_assumed_roles(roles: &Roles) -> bool {
    let [agent, allow, disallow] = [Field::UserAgent, Field::Allow, Field::Disallow];
    let assumed = [roles[agent as usize], roles[allow as usize], roles[disallow as usize]];
    matches!(assumed, [Some(USER_AGENT), Some(RULE), Some(RULE)])
}

const USER_AGENT: Role = Role { run: Run::Continues, is_of_group: true };

const RULE: Role = Role { run: Run::Ends, is_of_group: true };

const OUTSIDE: Role = Role { run: Run::Leaves, is_of_group: false };

/// The roles in the published editions: rules belong to a group, and sitemaps are outside groups.
pub(super) const ROLES: Roles = {
    let mut roles = [None; Field::ALL.len()];
    roles[Field::UserAgent as usize] = Some(USER_AGENT);
    roles[Field::Allow as usize] = Some(RULE);
    roles[Field::Disallow as usize] = Some(RULE);
    roles[Field::Sitemap as usize] = Some(OUTSIDE);
    roles
};

/// The roles in draft-ietf-aipref-attach, section 3: `content-usage` is a rule of a group too.
pub(super) const AIPREF: Roles = {
    let mut roles = ROLES;
    roles[Field::ContentUsage as usize] = Some(RULE);
    roles
};

#[cfg(test)]
mod tests {
    use crate::edition::Edition;
    use crate::line::Field;

    /// A field without a role in any edition would count as unknown everywhere.
    #[test]
    fn every_field_has_a_role_in_some_edition() {
        for field in Field::ALL {
            let defines = Edition::every().any(|edition| edition.defines(*field));
            assert!(defines, "no edition gives `{field}` a role");
        }
    }
}
