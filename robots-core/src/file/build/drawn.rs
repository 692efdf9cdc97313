//! Random files for property tests, each with the random roles that are used to read it.
//!
//! The roles include ones that no edition has, for example a sitemap that ends the run of user-agent lines. User-agent,
//! allow and disallow have the same roles as in every edition, because a check at compile time requires them
//! ([`crate::edition::role`]). Start at [`file`].

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use proptest::prelude::*;

use super::Report;
use crate::edition::role::{Role, Roles, Run, role};
use crate::edition::{Edition, Semantics};
use crate::file::Options;
use crate::file::index::Index;
use crate::line::{CompactLine, Field, Line, Span};

/// A file in which each line is a record, and the roles that are used to read it.
#[derive(Clone, Debug)]
pub(crate) struct Drawn {
    lines: Vec<Record>,
    roles: Roles,
}

/// A line: its field (`None` for a field that no edition defines), its value, and the form in which the parser reports
/// the line.
type Record = (Option<Field>, &'static str, By);

#[derive(Clone, Copy, Debug)]
enum By {
    Record,
    Compact,
    Line,
}

/// Draws a file and roles.
pub(crate) fn file() -> impl Strategy<Value = Drawn> {
    let mut fields: Vec<Option<Field>> = Field::ALL.iter().copied().map(Some).collect();
    fields.push(None);
    let values = ["/a", "/ab", "/", "*", "a", "b", "https://a/", "train-ai=n", "/a search=y"];
    let line = (
        prop::sample::select(fields),
        prop::sample::select(Vec::from(values)),
        prop::sample::select(&[By::Record, By::Compact, By::Line][..]),
    );
    (prop::collection::vec(line, 0..12), roles()).prop_map(|(lines, roles)| Drawn { lines, roles })
}

/// Draws the roles of an edition, or random roles.
fn roles() -> impl Strategy<Value = Roles> {
    let editions: Vec<Edition> = Edition::every().collect();
    let run = prop::sample::select(&[Run::Continues, Run::Ends, Run::Leaves][..]);
    let role_of_one = (run, any::<bool>());
    let role_of_one = role_of_one.prop_map(|(run, is_of_group)| Role { run, is_of_group });
    let role_of_one = prop::option::weighted(0.8, role_of_one);
    let all = prop::collection::vec(role_of_one, Field::ALL.len()).prop_map(|drawn| {
        let drawn: Roles = drawn.try_into().unwrap();
        let mut roles = drawn;
        for field in Field::ALL {
            roles[*field as usize] = role(drawn, *field);
        }
        roles
    });
    prop_oneof![
        1 => prop::sample::select(editions).prop_map(|edition| edition.semantics().roles),
        4 => all,
    ]
}

impl Drawn {
    /// Returns the role of each line, or `None` for a line whose field has no role.
    pub(crate) fn roles(&self) -> impl DoubleEndedIterator<Item = Option<Role>> {
        self.lines.iter().map(|(field, ..)| self.roles[(*field)? as usize])
    }

    pub(crate) fn body(&self) -> String {
        let line = |(field, value, _): &Record| alloc::format!("{}:{value}\n", name(*field));
        self.lines.iter().map(line).collect()
    }

    /// Returns the index of the body. The function reports each line in the form that was drawn for this line.
    pub(crate) fn index(&self) -> Index {
        let semantics: &Semantics =
            Box::leak(Box::new(Semantics { roles: self.roles, ..*Edition::default().semantics() }));
        let body = self.body();
        let mut report = Report::new(body.as_bytes(), Options::default());
        report.index.semantics = semantics;
        let mut start = 0;
        for (field, value, by) in &self.lines {
            let name = name(*field).len();
            let content = name + 1 + value.len();
            let short = |len: usize| u8::try_from(len).unwrap();
            let compact = CompactLine::new(short(content)).with_record(
                0..short(name),
                short(name),
                short(name + 1)..short(content),
            );
            match (by, field) {
                (By::Record, Some(field)) => {
                    report.record(*field, short(name + 1), short(content), 1);
                }
                (By::Record, None) | (By::Compact, _) => report.compact(compact, 1),
                (By::Line, _) => {
                    let at = |from: usize, to: usize| Span::new(start + from, start + to);
                    let line = Line::new(at(0, content + 1), at(0, content));
                    let colon = Some(at(name, name + 1));
                    report.line(line.with_record(at(0, name), colon, at(name + 1, content)));
                }
            }
            start += content + 1;
        }
        report.finish()
    }
}

fn name(field: Option<Field>) -> &'static str {
    field.map_or("crawl-delay", Field::name)
}
