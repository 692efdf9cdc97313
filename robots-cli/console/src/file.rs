//! Reads a file that a user names, for example a deviations file. The user may name any file. So the length is limited,
//! and the octets of a YAML file are checked before they are parsed.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::Path;

/// The maximum length of a file in octets.
const LONGEST: u64 = 16 * 1024 * 1024;

/// Reads the text of a YAML file: deviations, expectations, or the settings of a tool.
///
/// # Errors
/// Returns a message if the file cannot be read: it does not exist, is a pipe or another file that may never end, has
/// more than 16 MiB, is not UTF-8, or has a NUL octet, at which some YAML parsers stop.
///
/// ```
/// use robots_console::file;
/// let folder = std::env::temp_dir();
/// assert_eq!(file::text(&folder).unwrap_err().to_string(), "it is not a regular file");
/// ```
pub fn text(path: &Path) -> io::Result<String> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    let octets = octets(path, LONGEST)?;
    let line = |at: usize| octets[..at].split(|octet| *octet == b'\n').count();
    let mistake = |what: &str, at: usize| {
        io::Error::other(format!("line {} has {what}; save the file as UTF-8", line(at)))
    };
    if let Some(at) = octets.iter().position(|octet| *octet == 0) {
        return Err(mistake("a NUL octet", at));
    }
    if let Err(error) = str::from_utf8(&octets) {
        return Err(mistake("an octet that is not UTF-8", error.valid_up_to()));
    }
    String::from_utf8(octets).map_err(io::Error::other)
}

/// Reads a whole file of at most `most` octets. It may be a pipe.
///
/// # Errors
/// Returns an error if the file cannot be read, or if it is longer than `most`.
///
/// ```
/// use robots_console::file;
/// let program = std::env::current_exe()?;
/// assert_eq!(file::octets(&program, 100).unwrap_err().to_string(), "it has more than 100 octets");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn octets(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut octets = Vec::new();
    let length = File::open(path)?.take(most.saturating_add(1)).read_to_end(&mut octets)?;
    if length as u64 > most {
        return Err(io::Error::other(format!("it has more than {most} octets")));
    }
    Ok(octets)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::{LONGEST, octets, text};

    #[test]
    fn a_file_may_be_as_long_as_the_limit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("long.yaml");
        for (length, is_read) in [(LONGEST, true), (LONGEST + 1, false)] {
            std::fs::write(&path, "#".repeat(usize::try_from(length).unwrap())).unwrap();
            assert_eq!(text(&path).is_ok(), is_read, "{length}");
        }
    }

    #[test]
    fn a_longer_file_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report.json");
        std::fs::write(&path, "1234").unwrap();
        assert_eq!(octets(&path, 4).unwrap(), b"1234");
        assert_eq!(octets(&path, 3).unwrap_err().to_string(), "it has more than 3 octets");
    }

    #[rstest]
    #[trace]
    #[case(b"a: \xC3\xA4\n", None)]
    #[case(b"\0", Some("line 1 has a NUL octet"))]
    #[case(b"a\n\nb\0\n\xFF", Some("line 3 has a NUL octet"))]
    #[case(b"a\nb\xFF\nc", Some("line 2 has an octet that is not UTF-8"))]
    fn a_file_is_text(#[case] octets: &[u8], #[case] mistake: Option<&str>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.yaml");
        std::fs::write(&path, octets).unwrap();
        let message = text(&path).err().map(|error| error.to_string());
        let wanted = mistake.map(|mistake| format!("{mistake}; save the file as UTF-8"));
        assert_eq!(message, wanted);
    }
}
