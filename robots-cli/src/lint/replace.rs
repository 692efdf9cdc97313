//! Replaces the octets of a file in one step, and keeps everything else about it: [`replace`].
//!
//! The new octets are written to a temporary file in the same folder and synced. Then the temporary file gets the name
//! of the old file. So whenever the command is killed, the name has either the old octets or the new ones. If something
//! about the old file cannot be kept, the file is not replaced, because for example another owner could mean that the
//! web server cannot read it any more.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;

use tempfile::NamedTempFile;

/// Replaces the octets of a regular file. If the path is a symbolic link, the file that it leads to is replaced.
///
/// # Errors
/// Returns an error if the file cannot be written, or if its owner, group, mode, extended attributes or hard links
/// cannot be kept. The file is then unchanged.
pub(super) fn replace(path: &Path, octets: &[u8]) -> io::Result<()> {
    let path = fs::canonicalize(path)?;
    if !fs::metadata(&path)?.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut new = NamedTempFile::new_in(folder)?;
    new.write_all(octets)?;
    keep(&File::open(&path)?, new.as_file())?;
    new.as_file().sync_all()?;
    new.persist(&path)?;
    // The new name is synced too. On Windows, a folder cannot be opened as a file.
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

/// Gives a new file the owner, group, extended attributes and mode of an old file.
#[cfg(unix)]
fn keep(old: &File, new: &File) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt as _, fchown};

    let [is, made] = [old.metadata()?, new.metadata()?];
    if is.nlink() > 1 {
        return Err(io::Error::other(format!(
            "it has {} hard links, and the others would keep the old text; lint --fix --dry-run shows the fixes",
            is.nlink()
        )));
    }
    let lost = |what: &str| {
        let what = what.to_owned();
        move |error: io::Error| {
            io::Error::new(
                error.kind(),
                format!("its {what} would be lost ({error}); run the command as its owner"),
            )
        }
    };
    if (is.uid(), is.gid()) != (made.uid(), made.gid()) {
        fchown(new, Some(is.uid()), Some(is.gid())).map_err(lost("owner or group"))?;
    }
    #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
    keep_attributes(old, new).map_err(lost("extended attributes"))?;
    // A change of the owner or of an access control list can change the mode, so the mode is set last.
    new.set_permissions(is.permissions())
}

#[cfg(not(unix))]
fn keep(old: &File, new: &File) -> io::Result<()> {
    new.set_permissions(old.metadata()?.permissions())
}

/// Gives a new file the extended attributes of an old file, and no others: the folder may give new files an access
/// control list.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn keep_attributes(old: &File, new: &File) -> io::Result<()> {
    use rustix::fs::{XattrFlags, fgetxattr, flistxattr, fremovexattr, fsetxattr};
    use rustix::io::Errno;

    /// The maximum length of the list of names, and of a value, on Linux.
    const LONGEST: usize = 64 * 1024;
    let names = |file: &File| {
        let mut names = vec![0; LONGEST];
        match flistxattr(file, &mut names[..]) {
            Ok(length) => names.truncate(length),
            Err(Errno::NOTSUP) => names.clear(),
            Err(error) => return Err(io::Error::from(error)),
        }
        let names = names.split(|octet| *octet == 0).filter(|name| !name.is_empty());
        Ok(names.map(<[u8]>::to_vec).collect::<Vec<_>>())
    };
    let value = |file: &File, name: &[u8]| {
        let mut value = vec![0; LONGEST];
        let length = fgetxattr(file, name, &mut value[..])?;
        value.truncate(length);
        Ok::<_, Errno>(value)
    };
    let (kept, made) = (names(old)?, names(new)?);
    for name in made.iter().filter(|name| !kept.contains(name)) {
        fremovexattr(new, &name[..])?;
    }
    for name in kept {
        let wanted = value(old, &name)?;
        if value(new, &name).as_ref() != Ok(&wanted) {
            fsetxattr(new, &name[..], &wanted, XattrFlags::empty())?;
        }
    }
    Ok(())
}
