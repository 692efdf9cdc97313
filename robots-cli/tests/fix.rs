//! Tests how `lint --fix` replaces a file: what it keeps, what it refuses, and what a kill leaves.
#![cfg(unix)]

use std::fs::{self, Metadata};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown, symlink};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Instant;

use rustix::fs::XattrFlags;
use tempfile::TempDir;

const OLD: &str = "user-agent: *\ndisallow: /a*\n";
const NEW: &str = "user-agent: *\ndisallow: /a\n";

/// The user and the group of the file, if root runs the test.
const OWNER: u32 = 33;

/// Makes a folder with a robots.txt that has a mode, an extended attribute and, if possible, an owner of its own.
fn site() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("robots.txt");
    fs::write(&path, OLD).unwrap();
    if fs::metadata(&path).unwrap().uid() == 0 {
        chown(&path, Some(OWNER), Some(OWNER)).unwrap();
    }
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    rustix::fs::setxattr(&path, "user.note", b"kept", XattrFlags::empty()).unwrap();
    (folder, path)
}

fn command(path: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_robots"));
    command.args(["lint", "--fix"]).arg(path);
    command
}

fn refused(output: &Output, why: &str, path: &Path) {
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains(why), "{message}");
    assert_eq!(fs::read_to_string(path).unwrap(), OLD);
    alone(path);
}

/// Checks that no temporary file is left beside a file.
fn alone(path: &Path) {
    assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
}

/// Returns owner, group, mode and extended attribute of a file.
fn about(path: &Path) -> (u32, u32, u32, Vec<u8>) {
    let about: Metadata = fs::metadata(path).unwrap();
    let mut note = vec![0; 100];
    let length = rustix::fs::getxattr(path, "user.note", &mut note[..]).unwrap();
    note.truncate(length);
    (about.uid(), about.gid(), about.mode(), note)
}

#[test]
fn only_the_octets_of_a_file_change() {
    let (_folder, path) = site();
    let before = about(&path);
    assert!(command(&path).output().unwrap().status.success());
    assert_eq!(fs::read_to_string(&path).unwrap(), NEW);
    assert_eq!(about(&path), before);
    alone(&path);
}

#[test]
fn a_link_still_leads_to_the_file() {
    let (_folder, path) = site();
    let other = tempfile::tempdir().unwrap();
    let link = other.path().join("link.txt");
    symlink(&path, &link).unwrap();
    assert!(command(&link).output().unwrap().status.success());
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(&path).unwrap(), NEW);
    alone(&link);
}

/// A replaced file would have one name, and the other name would keep the old text.
#[test]
fn hard_links_are_not_broken() {
    let (_folder, path) = site();
    let other = tempfile::tempdir_in(path.parent().unwrap().parent().unwrap()).unwrap();
    fs::hard_link(&path, other.path().join("robots.txt")).unwrap();
    refused(&command(&path).output().unwrap(), "it has 2 hard links", &path);
}

/// If the user may write to the folder, but is not the owner of the file, a replaced file would get another owner.
#[test]
fn an_owner_is_not_changed() {
    let (folder, path) = site();
    if fs::metadata(&path).unwrap().uid() != OWNER {
        println!("only root can run the command as another user");
        return;
    }
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o666)).unwrap();
    let output = command(&path).uid(OWNER + 1).gid(OWNER + 1).output().unwrap();
    refused(&output, "its owner or group would be lost", &path);
}

/// With this limit, the system kills the command when it writes the first octet to a file.
#[test]
fn a_kill_while_writing_leaves_the_old_file() {
    let (_folder, path) = site();
    let before = about(&path);
    let mut limited = Command::new("sh");
    limited.args([
        "-c",
        "ulimit -f 0; exec \"$0\" \"$@\"",
        env!("CARGO_BIN_EXE_robots"),
        "lint",
        "--fix",
    ]);
    let output = limited.arg(&path).output().unwrap();
    assert_eq!(output.status.code(), None, "{output:?}");
    assert_eq!(fs::read_to_string(&path).unwrap(), OLD);
    assert_eq!(about(&path), before);
}

#[test]
fn a_kill_at_any_time_leaves_the_old_or_the_new_file() {
    let (_folder, path) = site();
    let start = Instant::now();
    assert!(command(&path).output().unwrap().status.success());
    let whole = start.elapsed();
    let before = about(&path);
    for part in 0..40 {
        fs::write(&path, OLD).unwrap();
        let mut child = command(&path).stdout(Stdio::null()).spawn().unwrap();
        thread::sleep(whole * part / 40);
        child.kill().unwrap();
        child.wait().unwrap();
        let text = fs::read_to_string(&path).unwrap();
        assert!(text == OLD || text == NEW, "{text:?}");
        assert_eq!(about(&path), before);
    }
}
