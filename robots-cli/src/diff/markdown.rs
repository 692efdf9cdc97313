//! Writes the changes as Markdown, for a comment on a pull request or the summary of a job.
//!
//! Patterns, examples and verdicts are shown as code, because the text of a file could otherwise be read as Markdown.

use std::io::{self, Write};

use super::compared::Compared;
use super::words;
use robots_console::markdown::inline;

/// Writes a heading, and a table with a row for each change.
pub(super) fn write(compared: &Compared<'_>, out: &mut dyn Write) -> io::Result<()> {
    let names = [compared.old, compared.new].map(|input| inline(input.spoken()));
    writeln!(out, "### What changes in robots.txt\n")?;
    writeln!(out, "From {} to {}: {}.\n", names[0], names[1], words::totals(compared))?;
    if compared.difference.is_sampled() {
        writeln!(out, "**{}**\n", words::SAMPLED)?;
    }
    for sentence in words::beside(compared) {
        writeln!(out, "{}\n", inline(&sentence))?;
    }
    if !compared.shown().is_empty() {
        let heading = "| URLs | change | for | example | before | after |";
        writeln!(out, "{heading}\n|---|---|---|---|---|---|")?;
    }
    for change in compared.shown() {
        let [before, after] = words::answers(change);
        writeln!(
            out,
            "| {} | {} | {} | {} | {} | {} |",
            cell(&words::pattern(change)),
            words::verb(change.effect()),
            compared.difference.affected(change.agents()),
            cell(&words::example(compared, change)),
            cell(&before),
            cell(&after),
        )?;
    }
    match words::left_out(compared) {
        Some(left_out) => writeln!(out, "\n{left_out}"),
        None => Ok(()),
    }
}

/// Renders text as code in a cell of a table.
fn cell(text: &str) -> String {
    inline(&robots_console::render::message(text)).replace('|', "\\|")
}
