//! Lists the data files for `src/lib.rs` to embed, so that no list is kept by hand.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let mut files = Vec::new();
    for folder in ["", "audit", "grammar", "live", "observed", "schema", "vectors"] {
        let path = root.join(folder);
        // Cargo also watches each folder, so that it notices an added or removed file.
        println!("cargo::rerun-if-changed={}", path.display());
        if path.is_dir() {
            files.extend(data_files(&path, folder)?);
        }
    }
    files.sort();

    let mut list = String::from("&[\n");
    for file in &files {
        let path = root.join(file);
        println!("cargo::rerun-if-changed={}", path.display());
        let path = path.display().to_string();
        writeln!(list, "    ({file:?}, include_str!({path:?})),")
            .expect("writing to a string cannot fail");
    }
    list.push_str("]\n");
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it"));
    fs::write(out.join("files.rs"), list)
}

/// Returns the paths of the data files of a folder, relative to the root. In the root, the data files are the YAML
/// files and the README. In a subfolder, every file is a data file.
fn data_files(path: &Path, folder: &str) -> io::Result<Vec<String>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        let name = entry.file_name().into_string().map_err(|name| {
            io::Error::other(format!("{} is not UTF-8; rename it", name.to_string_lossy()))
        })?;
        let is_data = Path::new(&name).extension().is_some_and(|extension| extension == "yaml")
            || name == "README.md"
            || !folder.is_empty();
        if is_data && !name.starts_with('.') && entry.file_type()?.is_file() {
            files.push(if folder.is_empty() { name } else { format!("{folder}/{name}") });
        }
    }
    Ok(files)
}
