//! Checks that the tests in the table of limits in SECURITY.md exist. A row of the table names a file and tests of this
//! file.

use std::fs;

use crate::invocation::workspace;

#[test]
fn the_tests_that_the_page_names_are_there() {
    let page = fs::read_to_string(workspace().join("SECURITY.md")).unwrap();
    let (_, table) = page.split_once("## The tests of the limits").unwrap();
    let mut count = 0;
    for row in table.lines().filter(|line| line.starts_with("| ") && line.contains(".rs`")) {
        let names: Vec<&str> = row.split('`').skip(1).step_by(2).collect();
        let at = names.iter().position(|name| name.rsplit('.').next() == Some("rs")).unwrap();
        let text = fs::read_to_string(workspace().join(names[at])).unwrap();
        for test in &names[at + 1..] {
            assert!(text.contains(&format!("fn {test}(")), "{} has no test {test}", names[at]);
            count += 1;
        }
    }
    assert!(count > 15, "{count}");
}
