//! The picture of a table: a bar for each row, with the requirements that are kept, open and broken.
//!
//! The picture is an SVG file without a script. README.md and the page of the table show it, and the site has it in its
//! pages. Its colours follow the light or dark theme of the reader. Each bar also has its numbers, so no information is
//! in a colour alone.

use std::fmt::Write as _;

use crate::files::Text;
use crate::row::{Counts, Group, Row, Table};
use crate::table::groups;

/// The width of the picture, and the place of the bars, in pixels.
const WIDTH: usize = 880;
const LEFT: usize = 350;
const BARS: usize = 330;
/// The height of a row and of a heading.
const ROW: usize = 24;
const HEADING: usize = 34;

const STYLE: &str = "\
text{font:13px system-ui,-apple-system,'Segoe UI',sans-serif;fill:#1f2328}\
.h{font-weight:600}.n{fill:#59636e}.w{fill:#fff}\
.kept{fill:#1a7f5a}.open{fill:#d5dae0}.broken{fill:#b3361e}.different{fill:#9a6700}\
@media (prefers-color-scheme:dark){text{fill:#e6edf3}.n{fill:#9198a1}.w{fill:#fff}\
.kept{fill:#238a63}.open{fill:#3d444d}.broken{fill:#d1452c}.different{fill:#a8760c}}";

/// Makes the picture of a table.
pub(crate) fn chart<T: Table>(rows: &[Row<'_, T>]) -> Text {
    let kind = T::KIND;
    (format!("survey/{kind}s.svg"), svg(rows))
}

/// Returns the picture.
pub(crate) fn svg<T: Table>(rows: &[Row<'_, T>]) -> String {
    let total = |counts: Counts| counts.kept + counts.open + counts.broken;
    let most = rows.iter().map(|row| total(row.counts)).max().unwrap_or_default().max(1);
    let (mut body, mut y) = (String::new(), 30);
    legend(&mut body);
    for (group, rows) in groups(rows) {
        y += HEADING;
        let _ = write!(body, r#"<text class="h" x="8" y="{}">{}</text>"#, y - 9, group.title());
        for (_, row) in rows {
            bar(&mut body, y, &row.head.full_name(), row.counts, group, most);
            y += ROW;
        }
    }
    let (height, kind) = (y + 8, T::KIND);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" \
         height=\"{height}\" role=\"img\" aria-label=\"The {kind}s: requirements kept, open and broken\">\
         <style>{STYLE}</style>\n{body}</svg>\n"
    )
}

/// Writes a row: the name, the bar, and the numbers.
fn bar(body: &mut String, y: usize, name: &str, counts: Counts, group: Group, most: usize) {
    // A font of unknown width must leave the name in its column.
    let name = match name.char_indices().nth(50) {
        Some((at, _)) => format!("{}…", &name[..at]),
        None => name.to_owned(),
    };
    let name = name.replace('&', "&amp;").replace('<', "&lt;");
    let _ = write!(body, r#"<text x="20" y="{}">{name}</text>"#, y + 16);
    let Counts { kept, broken, open, .. } = counts;
    let mut x = LEFT;
    for (class, count) in [("kept", kept), ("open", open), (group.broken(), broken)] {
        let width = count * BARS / most;
        if count > 0 {
            let width = width.max(2);
            let _ = write!(
                body,
                r#"<rect class="{class}" x="{x}" y="{}" width="{width}" height="{}"/>"#,
                y + 3,
                ROW - 6
            );
            x += width;
        }
    }
    let words = format!("{kept} kept, {open} open, {broken} {}", group.broken());
    let _ = writeln!(body, r#"<text class="n" x="{}" y="{}">{words}</text>"#, x + 8, y + 16);
}

/// Writes the legend.
fn legend(body: &mut String) {
    let words = [
        ("kept", "kept"),
        ("open", "open"),
        ("broken", "broken"),
        ("different", "different, not charged"),
    ];
    let mut x = LEFT;
    for (class, words) in words {
        let _ = write!(
            body,
            r#"<rect class="{class}" x="{x}" y="9" width="14" height="14"/><text x="{}" y="21">{words}</text>"#,
            x + 20
        );
        x += 85;
    }
    body.push('\n');
}
