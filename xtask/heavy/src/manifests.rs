//! A manifest of what is measured, as TOML, and the commands that it names.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde::de::DeserializeOwned;

/// Reads a manifest.
pub(crate) fn read<T: DeserializeOwned>(path: &Path) -> Result<T, String> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    toml::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))
}

/// Refuses names that are not of the manifest; `kind` says what it lists.
pub(crate) fn known<'n>(
    kind: &str,
    asked: &[String],
    names: impl Iterator<Item = &'n str>,
) -> Result<(), String> {
    let names: Vec<&str> = names.collect();
    match asked.iter().find(|name| !names.contains(&name.as_str())) {
        Some(name) => {
            Err(format!("there is no {kind} {name:?}; the {kind}s are {}", names.join(", ")))
        }
        None => Ok(()),
    }
}

/// Runs a command and returns what it wrote; an error ends with the last line of what it said.
pub(crate) fn run(words: &[String], folder: &Path) -> Result<String, String> {
    let failed = |why: &str| format!("`{}` failed: {why}", words.join(" "));
    let (program, arguments) = words.split_first().ok_or("a command of the manifest is empty")?;
    let output = Command::new(program).args(arguments).current_dir(folder).output();
    let output = output.map_err(|error| failed(&error.to_string()))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(failed(said.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{known, run};

    #[test]
    fn a_command_tells_what_it_wrote_or_said_last() {
        let words = |script: &str| ["sh", "-c", script].map(str::to_owned);
        assert_eq!(run(&words("echo a"), Path::new("/")).unwrap(), "a\n");
        let problem = run(&words("echo b >&2; echo; exit 3"), Path::new("/")).unwrap_err();
        assert!(problem.ends_with(" failed: b"), "{problem}");
        assert!(run(&[], Path::new("/")).is_err());
        assert!(run(&["/no/such/program".to_owned()], Path::new("/")).is_err());
    }

    #[test]
    fn names_that_nobody_has_are_refused() {
        let asked = ["wgot".to_owned()];
        let problem = known("crawler", &asked, ["wget", "Scrapy"].into_iter()).unwrap_err();
        assert_eq!(problem, "there is no crawler \"wgot\"; the crawlers are wget, Scrapy");
        assert!(known("crawler", &[], [].into_iter()).is_ok());
    }
}
