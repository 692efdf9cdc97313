//! Checks that `google-2018.abnf` has the productions of `google-2018.bnf`. Only the notation may differ, except in the
//! two productions that the published text writes in prose.

use std::collections::BTreeMap;

use super::published::{GOOGLE_2018, rules};

const PUBLISHED: &str = include_str!("../../../spec-cases/grammar/google-2018.bnf");

/// The productions that cannot be compared, because the published text describes their characters in prose.
const IN_PROSE: [&str; 2] = ["valuechar", "anychar"];

#[test]
fn it_changes_the_notation_alone() {
    let notation = PUBLISHED.replace('|', "/").replace("<1>*", "1*").replace("= ()", "= \"\"");
    let ours: BTreeMap<_, _> =
        rules(GOOGLE_2018).into_iter().map(|rule| (rule.name().to_owned(), rule)).collect();
    let mut in_prose = Vec::new();
    for published in rules(&notation) {
        if published.to_string().contains('<') {
            in_prose.push(published.name().to_owned());
        } else {
            assert_eq!(Some(&published), ours.get(published.name()));
        }
    }
    assert_eq!(in_prose, IN_PROSE);
}
