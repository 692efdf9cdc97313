//! Reads a file of a git revision, such as `HEAD~1:robots.txt`.
//!
//! `git cat-file --batch` names the type of an object before its octets, and applies no filter of the repository. The
//! command reads the name from its standard input, so a name is never read as an option. The command follows symbolic
//! links of a commit, but not of the index, so this module refuses a link of the index.

use std::io::{self, BufRead, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use robots_console::error::Error;

/// The maximum length of the first line of git's answer, which may repeat the name of the object.
const HEADER: u64 = 64 * 1024;

/// Reads `REVISION:PATH` from the repository that contains the current folder, at most `most` octets.
///
/// # Errors
/// Returns a message if git does not start, or if no file has the name.
pub(super) fn read(name: &str, most: u64) -> Result<Vec<u8>, Error> {
    read_in(Path::new("."), name, most)
}

/// Reads `REVISION:PATH` like [`read`], from the repository that contains a folder.
///
/// # Errors
/// Returns a message if git does not start, or if no file has the name.
pub(crate) fn read_in(folder: &Path, name: &str, most: u64) -> Result<Vec<u8>, Error> {
    let failed = |why: String| {
        let name = robots_console::render::message(name);
        Error::new(format!("cannot read {name}: there is no such file, and {why}"))
    };
    // The name is sent to git as one line.
    if name.contains(['\n', '\0']) {
        return Err(failed("the name of a revision has no line break".to_owned()));
    }
    if is_link_of_the_index(name) {
        return Err(failed(
            "git has a symbolic link there; write the path of the file itself".to_owned(),
        ));
    }
    let run = Command::new("git")
        .current_dir(folder)
        .args(["cat-file", "--batch", "--follow-symlinks"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut git = run
        .map_err(|error| failed(format!("git, which reads revisions, does not start: {error}")))?;
    let answer = object(&mut git, name, most);
    // Git may still be writing, because only the first octets of a long object are read.
    let _ = git.kill();
    let words = git.wait_with_output().map(|output| output.stderr).unwrap_or_default();
    match answer {
        Ok(Object::File(octets)) => Ok(octets),
        Ok(Object::Damaged) => {
            let words = robots_console::render::message(String::from_utf8_lossy(&words).trim());
            Err(Error::new(format!(
                "cannot read {}: git gave only a part of it: {words}; try git fsck",
                robots_console::render::message(name)
            )))
        }
        Ok(Object::Other(kind)) => Err(failed(format!(
            "the revision is {kind}; write the path of a file after its colon, for example HEAD~1:robots.txt"
        ))),
        Ok(Object::NoRevision(revision)) => Err(failed(format!(
            "git knows no revision {}; write REVISION:PATH, for example HEAD~1:robots.txt",
            robots_console::render::message(revision)
        ))),
        Ok(Object::Unknown) if words.is_empty() => Err(failed(
            "git finds no file with this path in the revision; the path begins at the root of the repository, or with ./ \
             in the current folder"
                .to_owned(),
        )),
        Ok(Object::Unknown) => {
            let words = robots_console::render::message(String::from_utf8_lossy(&words).trim());
            Err(failed(format!("git reads no revision here: {words}")))
        }
        Err(error) => Err(failed(format!("git gives no answer: {error}"))),
    }
}

/// The object that a revision names.
enum Object<'n> {
    File(Vec<u8>),
    /// Git gave fewer octets of the file than it announced.
    Damaged,
    /// A folder, a commit or a tag.
    Other(&'static str),
    /// Git does not know the revision before the colon.
    NoRevision(&'n str),
    Unknown,
}

/// Asks git for an object. If git finds the object, git's answer is the line `ID TYPE LENGTH` and the octets of the
/// object. Otherwise the answer is a line with the name and the problem, for example `NAME missing`.
///
/// The second line that the function sends to git has only the revision, without the path. Git's answer to this line
/// shows whether the revision or the path is unknown.
fn object<'n>(git: &mut Child, name: &'n str, most: u64) -> io::Result<Object<'n>> {
    // `:robots.txt` has no revision before its colon, because it names a file of the index.
    let revision = name.split_once(':').map(|(revision, _)| revision).filter(|it| !it.is_empty());
    if let Some(mut input) = git.stdin.take() {
        // Outside a repository, git ends at once, and its standard error contains the reason.
        let _ = writeln!(input, "{name}\n{}^{{object}}", revision.unwrap_or("HEAD"));
    }
    let Some(output) = git.stdout.take() else { return Ok(Object::Unknown) };
    let mut output = BufReader::new(output);
    let header = line(&mut output)?;
    // A line with a name and a problem may look similar, but it does not have an id, a type and a length.
    let parts: Vec<&str> = header.trim_end().split(' ').collect();
    let [id, kind, length] = parts[..] else {
        let is_missing = line(&mut output)?.ends_with(" missing\n");
        let revision = revision.filter(|_| is_missing);
        return Ok(revision.map_or(Object::Unknown, Object::NoRevision));
    };
    let is_answer = id.len() >= 40 && id.bytes().all(|octet| octet.is_ascii_hexdigit());
    Ok(match (is_answer, kind, length.parse::<u64>()) {
        (true, "blob", Ok(length)) => {
            let (mut octets, wanted) = (Vec::new(), length.min(most));
            let read = output.take(wanted).read_to_end(&mut octets)?;
            if read as u64 == wanted { Object::File(octets) } else { Object::Damaged }
        }
        (true, "tree", Ok(_)) => Object::Other("a folder"),
        (true, "commit", Ok(_)) => Object::Other("a commit"),
        (true, "tag", Ok(_)) => Object::Other("a tag"),
        _ => Object::Unknown,
    })
}

/// Returns whether a name like `:robots.txt` names a symbolic link of the index, which git does not follow. The content
/// of a link is a path, which would be read as a file without rules.
fn is_link_of_the_index(name: &str) -> bool {
    const LINK: &[u8] = b"120000 ";
    let Some(path) = name.strip_prefix(':') else { return false };
    // The number of a stage may come before the path: `:0:robots.txt`.
    let path = match path.split_once(':') {
        Some(("0" | "1" | "2" | "3", path)) => path,
        _ => path,
    };
    let is_relative = path.starts_with("./") || path.starts_with("../");
    let from = if is_relative { ":(literal)" } else { ":(top,literal)" };
    let list = ["ls-files", "--stage", "--", &format!("{from}{path}")];
    let listed = Command::new("git").args(list).stdin(Stdio::null()).stderr(Stdio::null()).output();
    listed.is_ok_and(|listed| listed.stdout.starts_with(LINK))
}

/// Reads a line of git's answer.
fn line(output: &mut impl BufRead) -> io::Result<String> {
    let mut line = Vec::new();
    output.take(HEADER).read_until(b'\n', &mut line)?;
    Ok(String::from_utf8_lossy(&line).into_owned())
}
