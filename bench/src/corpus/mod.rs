//! The measured files, and the paths of the questions about them.
//!
//! A run always measures generated files ([`generated`]). If `ROBOTS_CORPUS` names a folder of real files, the run
//! measures these files too ([`folder`]). The texts live as long as the process, so that parsed files can borrow them.

mod generate;
mod paths;

use std::path::Path;
use std::{fs, io};

pub use self::paths::LARGE;
use crate::slow;

/// The crawler in all questions about these files. Many files name this crawler. In the other files, the groups of `*`
/// apply to it.
pub const CRAWLER: &str = "googlebot";

/// The maximum length of a file. Longer files are cut at the end of a line before any timing.
const LIMIT: usize = 500 * 1024;

/// A file. Every subject gets the same text.
#[derive(Debug)]
pub struct File {
    /// The file as text. Octets that are not UTF-8 were replaced, because some peers accept only `&str`.
    pub text: &'static str,
    /// Whether the file is an HTML page.
    pub html: bool,
    /// The number of its rules.
    pub rules: usize,
    /// Path and query of the URLs in the questions, in printable ASCII.
    pub paths: Vec<String>,
}

impl File {
    /// Returns the path for measurements with a single question.
    #[must_use]
    pub fn one_path(&self) -> &str {
        &self.paths[self.text.len() % self.paths.len()]
    }
}

/// A set of files.
#[derive(Debug)]
pub struct Corpus {
    /// The name in the report.
    pub name: &'static str,
    /// The files.
    pub files: Vec<File>,
}

impl Corpus {
    /// Returns the number of octets of all files.
    #[must_use]
    pub fn octets(&self) -> usize {
        self.files.iter().map(|file| file.text.len()).sum()
    }

    /// Describes the corpus as text: the number and the sizes of its files, its HTML pages, its large files, and the
    /// number of paths.
    #[must_use]
    pub fn describe(&self) -> String {
        let mut sizes: Vec<usize> = self.files.iter().map(|file| file.text.len()).collect();
        sizes.sort_unstable();
        let count = |holds: fn(&&File) -> bool| self.files.iter().filter(holds).count();
        let mut lines: Vec<usize> =
            self.files.iter().flat_map(|file| file.text.lines().map(str::len)).collect();
        lines.sort_unstable();
        format!(
            "{}: {} files, {} octets, median file {} octets, longest {}, median line {}; \
             {} HTML pages of {} octets, {} files with more than {LARGE} rules; {} paths asked",
            self.name,
            sizes.len(),
            self.octets(),
            sizes[sizes.len() / 2],
            sizes[sizes.len() - 1],
            lines[lines.len() / 2],
            count(|file| file.html),
            self.files.iter().filter(|file| file.html).map(|file| file.text.len()).sum::<usize>(),
            count(|file| file.rules > LARGE),
            self.files.iter().map(|file| file.paths.len()).sum::<usize>(),
        )
    }
}

/// Generates `count` files with the shape of real files. Every call with the same count returns the same files.
#[must_use]
pub fn generated(count: usize) -> Corpus {
    Corpus { name: "generated", files: generate::texts(count).into_iter().map(file).collect() }
}

/// Reads every file of a folder, in the order of the file names.
///
/// # Errors
/// Returns an error if the folder or a file cannot be read, or the folder is empty.
pub fn folder(path: &Path) -> io::Result<Corpus> {
    let mut names = fs::read_dir(path)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<io::Result<Vec<_>>>()?;
    names.retain(|path| path.is_file());
    names.sort();
    let mut files = Vec::with_capacity(names.len());
    for name in names {
        files.push(file(String::from_utf8_lossy(&fs::read(name)?).into_owned()));
    }
    if files.is_empty() {
        return Err(io::Error::other("the folder contains no file"));
    }
    Ok(Corpus { name: "folder", files })
}

/// Loads the files of this run.
///
/// # Errors
/// Returns a message if `ROBOTS_CORPUS` is not a readable folder of files.
pub fn load(quick: bool) -> Result<Vec<Corpus>, String> {
    let mut corpora = vec![generated(if quick { 250 } else { 1000 })];
    if let Some(path) = std::env::var_os("ROBOTS_CORPUS") {
        corpora.push(folder(Path::new(&path)).map_err(|error| {
            format!("ROBOTS_CORPUS={}: {error}; name a folder of files", path.display())
        })?);
    }
    Ok(corpora)
}

fn file(mut text: String) -> File {
    if text.len() > LIMIT {
        let end = text.as_bytes()[..LIMIT].iter().rposition(|octet| matches!(octet, b'\r' | b'\n'));
        text.truncate(end.map_or(0, |end| end + 1));
    }
    let items = slow::items(text.as_bytes());
    let rules: Vec<&[u8]> = items.rules().collect();
    File {
        html: is_html(&text),
        rules: rules.len(),
        paths: paths::of(&rules),
        text: Box::leak(text.into_boxed_str()),
    }
}

fn is_html(text: &str) -> bool {
    let start = text.trim_start_matches('\u{feff}').trim_ascii_start().as_bytes();
    let begins = |tag: &[u8]| start.get(..tag.len()).is_some_and(|s| s.eq_ignore_ascii_case(tag));
    [&b"<!doctype"[..], b"<html", b"<head", b"<?xml", b"<!--"].into_iter().any(begins)
}
