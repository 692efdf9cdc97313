//! `lint --fix`: shows the fixes that change no verdict and no preference as a unified diff, and writes the fixed file.
//!
//! Start at [`Fixing::fix`]. `robots_lint::fix` computes the fixes. Only a local file can be fixed. With `--dry-run`,
//! the fixes of any input can be shown.

use std::io::{self, Write};
use std::path::Path;

use robots_console::render;
use robots_core::{Options, Parser};
use robots_lint::{FindingKind, Fixed};
use similar::TextDiff;

use super::input::Input;
use super::replace::replace;
use robots_console::error::Error;

/// The maximum number of findings without a fix that the output lists.
const NAMED: usize = 5;

/// A file that is fixed.
pub(super) struct Fixing<'a> {
    pub(super) input: &'a Input,
    pub(super) options: Options,
    /// The origin that serves the file.
    pub(super) origin: Option<&'a str>,
    /// Whether the fixes are only shown.
    pub(super) is_dry: bool,
}

impl Fixing<'_> {
    /// Shows the fixes of the file, and writes the fixed file unless `is_dry` is true. Returns the octets of the file
    /// after the run.
    ///
    /// # Errors
    /// Returns a message if the input is not a local file and `is_dry` is false, or if the fixes or the file cannot be
    /// written.
    pub(super) fn fix<P: Parser + ?Sized>(
        &self,
        parser: &P,
        body: Vec<u8>,
        wanted: impl Fn(&robots_lint::Finding<'_>) -> bool,
        out: &mut dyn Write,
    ) -> Result<Vec<u8>, Error> {
        let Self { input, options, origin, is_dry } = *self;
        let path = match input {
            Input::File(path) => Some(Path::new(path)),
            Input::Revision(name) if Path::new(name).is_file() => Some(Path::new(name)),
            _ if is_dry => None,
            _ => {
                return Err(Error::new(format!(
                    "{}: --fix writes files only; add --dry-run to see the fixes",
                    input.name()
                )));
            }
        };
        let fixed = robots_lint::fix(parser, &body, options, origin, wanted);
        show(input.name(), &body, &fixed, is_dry, out)
            .map_err(|error| Error::new(format!("cannot write the fixes: {error}")))?;
        if is_dry || fixed.body == body {
            return Ok(body);
        }
        if let Some(path) = path {
            replace(path, &fixed.body)
                .map_err(|error| Error::new(format!("cannot write {}: {error}", path.display())))?;
        }
        Ok(fixed.body)
    }
}

fn show(
    name: &str,
    body: &[u8],
    fixed: &Fixed,
    is_dry: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    let [old, new] = [body, &fixed.body[..]].map(String::from_utf8_lossy);
    let diff = TextDiff::from_lines(&*old, &*new);
    let shown = render::name(name);
    let text = diff.unified_diff().header(&shown, &shown).to_string();
    out.write_all(render::visible(&text).as_bytes())?;
    let verb = if is_dry { "can be fixed" } else { "fixed" };
    let applied = render::counted(fixed.applied.len(), "finding");
    writeln!(out, "{shown}: {applied} {verb}")?;
    if !fixed.left.is_empty() {
        let listed = fixed
            .left
            .iter()
            .take(NAMED)
            .map(|(line, kind): &(_, FindingKind)| format!("{kind} in line {line}"));
        let mut listed: Vec<String> = listed.collect();
        if fixed.left.len() > NAMED {
            listed.push(format!("{} more", fixed.left.len() - NAMED));
        }
        let left = render::counted(fixed.left.len(), "finding");
        let listed = listed.join(", ");
        writeln!(
            out,
            "{shown}: {left} left for you, because the fix may change a verdict or a preference: {listed}"
        )?;
    }
    Ok(())
}
