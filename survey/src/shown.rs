//! What the page of a release shows about a cause: [`Shown`]. The site prints it, and `check` runs it.

use std::fmt::Write as _;

use crate::causes::{Cause, Causes};
use crate::results::Failing;
use crate::row::{Row, Table};
use crate::suite::Question;

/// The maximum length of a file on a page, in octets. The file of a cause whose example is longer needs a command (`run`).
const MAX: usize = 1000;

/// A cause with its example.
pub(crate) struct Shown<'s> {
    pub(crate) question: &'s Question,
    /// The command that writes robots.txt.
    pub(crate) file: String,
    /// The command that asks.
    pub(crate) ask: String,
    /// What the command prints: the answer given, or the error.
    pub(crate) prints: String,
}

impl<'s> Shown<'s> {
    /// Returns the example of a cause, with the commands that show it.
    ///
    /// # Errors
    /// Returns a message if the software does not fail the example, or if no command can show it.
    pub(crate) fn of<T: Table>(
        row: &'s Row<'_, T>,
        causes: &Causes,
        cause: &Cause,
    ) -> Result<Self, String> {
        let is_it = |name: &str, edition: &str| name == cause.example && edition == row.edition();
        let mut failures = row.failures();
        let failure = failures.find(|it| is_it(it.tried.name, it.tried.edition));
        let failure = failure.ok_or_else(|| format!("{} is not failed", cause.example))?;
        let question = failure.tried.question;
        if let Some(run) = &cause.run {
            let prints = cause.prints.clone().ok_or("`run` needs `prints`")?;
            return Ok(Self { question, file: String::new(), ask: run.trim().to_owned(), prints });
        }
        let reproduce = causes.reproduce.as_ref().ok_or("there is no `reproduce`")?;
        if question.file.len() > MAX || !question.ask.ends_with(" verdict") {
            return Err("the example is no short verdict question; it needs `run`".to_owned());
        }
        let token = question.tokens.first().map_or("", String::as_str);
        let ask = reproduce.ask.replace("{token}", &quoted(token));
        Ok(Self {
            question,
            file: format!("printf '{}' > robots.txt", escaped(&question.file)),
            ask: ask.replace("{url}", &quoted(&question.url)),
            prints: given(failure.failing),
        })
    }
}

/// Returns the verdict, or the error.
fn given(failing: &Failing) -> String {
    let verdict = failing.answer.as_deref().and_then(|answer| answer.lines().next());
    verdict.or(failing.error.as_deref()).unwrap_or_default().to_owned()
}

/// Writes octets as the format of `printf`, in single quotes.
fn escaped(octets: &[u8]) -> String {
    let mut text = String::new();
    for octet in octets {
        match octet {
            b'\n' => text.push_str("\\n"),
            b'\r' => text.push_str("\\r"),
            b'\t' => text.push_str("\\t"),
            b'\\' => text.push_str("\\\\"),
            b'%' => text.push_str("%%"),
            b'\'' => text.push_str("'\\''"),
            b' '..=b'~' => text.push(char::from(*octet)),
            _ => {
                let _ = write!(text, "\\{octet:03o}");
            }
        }
    }
    text
}

/// Returns a word for a shell, in quotes if it needs them.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::{escaped, quoted};

    #[test]
    fn a_shell_reads_the_octets_and_words_as_they_were() {
        let octets: Vec<u8> = (0..=255).collect();
        let script = format!("printf '{}'", escaped(&octets));
        let output = Command::new("sh").arg("-c").arg(script).output().unwrap();
        assert_eq!(output.stdout, octets);
        for word in ["/a", "", "/a b?c&d", "it's $HOME", "/*.php$"] {
            let script = format!("printf %s {}", quoted(word));
            let output = Command::new("sh").arg("-c").arg(script).output().unwrap();
            assert_eq!(String::from_utf8(output.stdout).unwrap(), word);
        }
    }
}
