//! The files that input lines may name: regular files below one folder, or no files.
//!
//! [`Files`] decides whether a line may name a file, and reads the file. A path that leads out of the folder and a path
//! without a file get the same error.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use robots_core::Options;

/// Decides which files a line may name.
///
/// Answers quote rules of these files. So the author of the input can read the rules of every file that [`Files`]
/// permits.
#[derive(Clone, Debug)]
pub(crate) struct Files {
    root: Option<PathBuf>,
}

impl Files {
    /// Lines may not name files.
    #[must_use]
    pub(crate) const fn none() -> Self {
        Self { root: None }
    }

    /// Lines may name regular files below a folder, by relative paths. A link that leads out of the folder is refused.
    ///
    /// # Errors
    /// Returns an error if the path does not exist or is not a folder.
    pub(crate) fn below(root: &Path) -> io::Result<Self> {
        let root = root.canonicalize()?;
        if !root.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        Ok(Self { root: Some(root) })
    }

    /// Reads a file up to the limit of the options.
    pub(super) fn read(&self, path: &str, options: Options) -> io::Result<Vec<u8>> {
        let Some(root) = &self.root else {
            return Err(io::Error::other("files are read only with --files [ROOT]"));
        };
        // All refusals have the same message, so that the message does not show which files exist outside the folder.
        let refused = || io::Error::other("no regular file below the folder of --files");
        let path = root.join(path).canonicalize().map_err(|_| refused())?;
        let is_file = || fs::metadata(&path).is_ok_and(|file| file.is_file());
        if !path.starts_with(root) || !is_file() {
            return Err(refused());
        }
        read_to_the_limit(&path, options)
    }
}

/// Reads a file up to the limit of the options and one octet more. From the additional octet a parser sees that the
/// file is longer than the limit.
///
/// # Errors
/// Returns an error if the file cannot be read.
pub(crate) fn read_to_the_limit(path: &Path, options: Options) -> io::Result<Vec<u8>> {
    let mut octets = Vec::new();
    let most = options.limit().saturating_add(1);
    File::open(path)?.take(u64::try_from(most).unwrap_or(u64::MAX)).read_to_end(&mut octets)?;
    Ok(octets)
}
