//! Reads the rooms of every crate from the tables of ARCHITECTURE.md, the only place that defines their order.

use std::collections::BTreeMap;
use std::fs;

use crate::invocation::workspace;

const PAGE: &str = "ARCHITECTURE.md";
const SECTION: &str = "\n## The rooms\n";

/// Returns the rooms of each crate, topmost first, by the crate's folder.
///
/// # Errors
/// Returns a message if the page cannot be read, has no section about rooms, has a table without rooms, or has two
/// tables for one crate.
pub(super) fn of_the_page() -> Result<BTreeMap<String, Vec<String>>, String> {
    let page =
        fs::read_to_string(workspace().join(PAGE)).map_err(|error| format!("{PAGE}: {error}"))?;
    read(&page)
}

fn read(page: &str) -> Result<BTreeMap<String, Vec<String>>, String> {
    let (_, section) = page
        .split_once(SECTION)
        .ok_or_else(|| format!("{PAGE} lacks the section {:?}", SECTION.trim()))?;
    let section = section.split_once("\n## ").map_or(section, |(section, _)| section);
    let mut rooms = BTreeMap::new();
    for part in section.split("\n### ").skip(1) {
        let (heading, table) = part.split_once('\n').unwrap_or((part, ""));
        let folder = heading.trim_matches('`').to_owned();
        let listed: Vec<String> = table
            .lines()
            .filter_map(|line| line.strip_prefix("| `"))
            .filter_map(|row| row.split_once(" | "))
            .flat_map(|(cell, _)| cell.split(", ").map(|name| name.trim_matches('`').to_owned()))
            .collect();
        if listed.is_empty() {
            return Err(format!("{PAGE} lists no rooms of {folder}"));
        }
        if rooms.insert(folder.clone(), listed).is_some() {
            return Err(format!("{PAGE} has two tables of the rooms of {folder}"));
        }
    }
    Ok(rooms)
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn rooms_are_read_from_the_tables() {
        let page = "# A\n\n## The rooms\n\nText.\n\n### `a/b`\n\n| room | what |\n|---|---|\n\
                    | `c`, `d` | `e`, f |\n| `g` | h |\n\n### `i`\n\n| `j` | k |\n\n## More\n\n| `l` | m |\n";
        let rooms = read(page).unwrap();
        assert_eq!(rooms["a/b"], ["c", "d", "g"]);
        assert_eq!(rooms["i"], ["j"]);
        assert_eq!(rooms.len(), 2);
        assert!(read("# A\n").unwrap_err().contains("lacks the section"));
        let empty = read("\n## The rooms\n\n### `a`\n").unwrap_err();
        assert_eq!(empty, "ARCHITECTURE.md lists no rooms of a");
    }
}
