//! Checks that every test with `#[rstest]` also has `#[trace]`, so that it prints its input when it fails.

use std::fs;

use crate::invocation::workspace;
use crate::sources::rust_files;

#[test]
fn every_table_of_tests_prints_its_input_when_it_fails() {
    let mut count = 0;
    for path in rust_files(&workspace()).unwrap() {
        let text = fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        for (index, _) in lines.iter().enumerate().filter(|(_, line)| **line == "#[rstest]") {
            let attributes = lines[index + 1..].iter().take_while(|line| line.starts_with("#["));
            let at = format!("{}:{}", path.display(), index + 1);
            assert!(attributes.clone().any(|line| *line == "#[trace]"), "{at}: no #[trace]");
            count += 1;
        }
    }
    assert!(count > 50, "{count}");
}
