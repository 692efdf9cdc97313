//! The files that lines of input may name: regular ones below one folder, or none.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use robots_core::Options;

/// Which files a line may name.
///
/// Whoever writes the input reads those files by it: their rules stand in the reasons.
#[derive(Clone, Debug)]
pub struct Files {
    root: Option<PathBuf>,
}

impl Files {
    /// Lets a line name no file.
    #[must_use]
    pub const fn none() -> Self {
        Self { root: None }
    }

    /// Lets a line name regular files below a folder, by paths that are taken from there. What links lead out of
    /// it is not below it.
    ///
    /// # Errors
    /// Where there is no such folder.
    pub fn below(root: &Path) -> io::Result<Self> {
        let root = root.canonicalize()?;
        if !root.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        Ok(Self { root: Some(root) })
    }

    /// Reads a file, to the limit of the options.
    pub(super) fn read(&self, path: &str, options: Options) -> io::Result<Vec<u8>> {
        let Some(root) = &self.root else {
            return Err(io::Error::other("files are read with --files [ROOT] alone"));
        };
        // One message for all: what lies elsewhere is nobody's to find out.
        let refused = || io::Error::other("no regular file below the folder of --files");
        let path = root.join(path).canonicalize().map_err(|_| refused())?;
        let is_file = || fs::metadata(&path).is_ok_and(|file| file.is_file());
        if !path.starts_with(root) || !is_file() {
            return Err(refused());
        }
        read_to_the_limit(&path, options)
    }
}

/// Reads a file as far as the options go, and one octet more where there is one, so that it is known to be cut.
///
/// # Errors
/// Where it cannot be read.
pub fn read_to_the_limit(path: &Path, options: Options) -> io::Result<Vec<u8>> {
    let mut octets = Vec::new();
    let most = options.octets().saturating_add(1);
    File::open(path)?.take(u64::try_from(most).unwrap_or(u64::MAX)).read_to_end(&mut octets)?;
    Ok(octets)
}
