//! Writes the changes as text for readers.
//!
//! Each change has a pattern, the affected crawlers, and an example URL with the answers of both files. Changes of
//! sitemaps and of `Crawl-delay`, notes about omitted changes and about samples come next, and the totals come last.

use std::io::{self, Write};

use anstyle::AnsiColor;
use robots_console::render;
use robots_lint::effect::Effect;

use super::compared::Compared;
use super::words;
use robots_console::output;

/// Writes four lines for each change, then the notes, and last a line with the number of changes, which is omitted with
/// `--quiet`.
pub(super) fn write(compared: &Compared<'_>, out: &mut dyn Write) -> io::Result<()> {
    for change in compared.shown() {
        let color = match change.effect() {
            Effect::Opened => AnsiColor::Green,
            Effect::Closed => AnsiColor::Red,
            Effect::Preference(_) => AnsiColor::Yellow,
        };
        let (verb, style) = (words::verb(change.effect()), color.on_default().bold());
        let (pattern, agents) =
            (words::pattern(change), compared.difference.affected(change.agents()));
        writeln!(out, "`{pattern}` {style}{verb}{style:#} for {agents}")?;
        writeln!(out, "  example  {}", words::example(compared, change))?;
        let [before, after] = words::answers(change);
        writeln!(out, "  before   {}", render::message(&before))?;
        writeln!(out, "  after    {}", render::message(&after))?;
    }
    for sentence in words::beside(compared) {
        writeln!(out, "{sentence}")?;
    }
    if let Some(left_out) = words::left_out(compared) {
        writeln!(out, "{left_out}")?;
    }
    if compared.difference.is_sampled() {
        writeln!(out, "{}", words::SAMPLED)?;
    }
    if output::is_quiet() {
        return Ok(());
    }
    let names = [compared.old, compared.new].map(|input| render::name(input.spoken()));
    writeln!(out, "{} -> {}: {}", names[0], names[1], words::totals(compared))
}
