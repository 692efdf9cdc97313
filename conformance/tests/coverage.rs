//! Tests that each gap in the coverage of a suite is reported on one line.

mod common;

use common::suite;
use robots_conformance::coverage::coverage;

#[test]
fn what_the_fixtures_do_not_cover() {
    let coverage = coverage(&suite());
    let problems: Vec<String> = coverage.problems.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(format!("{}\n{}", coverage.size, problems.join("\n")));
}
