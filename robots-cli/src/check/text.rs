//! Writes the result for readers: each expectation that is not met, with the line of the file and the reason, and then
//! a line with the counts.

use std::io::{self, Write};

use anstyle::AnsiColor;
use robots_console::render;

use super::checked::CheckedFile;
use robots_console::output;

pub(super) fn write(files: &[CheckedFile<'_>], out: &mut dyn Write) -> io::Result<()> {
    let red = AnsiColor::Red.on_default().bold();
    for file in files {
        let (name, expectations) = (render::name(file.name), file.expectations.display());
        for one in file.failed() {
            let place = one.place();
            writeln!(out, "{red}not met{red:#}: {}", render::message(&one.expected()))?;
            writeln!(out, "  expected in {expectations}:{}:{}", place.line, place.column)?;
            let line = one.line().map_or(String::new(), |line| format!(":{line}"));
            writeln!(out, "  {name}{line}: {}", render::message(one.reason().unwrap_or_default()))?;
        }
        if output::is_quiet() {
            continue;
        }
        let all = file.checked.len();
        let met = all - file.failed().count();
        let all = render::counted(all, "expectation");
        writeln!(out, "{name}: {met} of {all} met")?;
    }
    Ok(())
}
