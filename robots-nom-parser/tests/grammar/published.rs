//! Checks that the productions in the doc comments of the parser's functions equal those of the grammar files. Also
//! checks that each function has the name of its production.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use abnf::types::Rule;

pub(crate) const RFC9309: &str = include_str!("../../../spec-cases/grammar/rfc9309.abnf");
pub(crate) const GOOGLE_2018: &str = include_str!("../../../spec-cases/grammar/google-2018.abnf");
pub(crate) const LENIENT: &str = include_str!("../../../spec-cases/grammar/lenient.abnf");

const RFC9309_SOURCES: [&str; 2] =
    [include_str!("../../src/grammar/rfc9309.rs"), include_str!("../../src/grammar/utf8.rs")];
const GOOGLE_2018_SOURCES: [&str; 4] = [
    include_str!("../../src/grammar/alternatives.rs"),
    include_str!("../../src/grammar/google_2018.rs"),
    include_str!("../../src/grammar/uri.rs"),
    include_str!("../../src/grammar/utf8.rs"),
];

#[test]
fn rfc9309_is_as_published() {
    assert_eq!(differences(RFC9309, &RFC9309_SOURCES), "");
}

#[test]
fn google_2018_is_as_transliterated() {
    assert_eq!(differences(GOOGLE_2018, &GOOGLE_2018_SOURCES), "");
}

#[test]
fn lenient_is_as_written() {
    assert_eq!(differences(LENIENT, &[include_str!("../../src/grammar/lenient.rs")]), "");
}

/// Returns the rules of a grammar in order.
pub(crate) fn rules(abnf: &str) -> Vec<Rule> {
    abnf::rulelist(abnf).unwrap_or_else(|error| panic!("not ABNF: {error}\n{abnf}"))
}

/// Returns the differences between the productions in sources and the productions of a grammar file, one per line.
fn differences(published: &str, sources: &[&str]) -> String {
    let mut differences = String::new();
    let mut documented: BTreeMap<String, Rule> = BTreeMap::new();
    for (production, function) in sources.iter().flat_map(|source| productions(source)) {
        let [rule] = &rules(&production)[..] else {
            writeln!(differences, "fn {function}: not one production").unwrap();
            continue;
        };
        if function != function_name(rule.name()) {
            writeln!(differences, "{}: its function is called {function}", rule.name()).unwrap();
        }
        if documented.insert(rule.name().to_owned(), rule.clone()).is_some() {
            writeln!(differences, "{}: is twice in the source", rule.name()).unwrap();
        }
    }
    let mut in_file = BTreeSet::new();
    for rule in rules(published) {
        if !in_file.insert(rule.name().to_owned()) {
            writeln!(differences, "{}: is twice in the file", rule.name()).unwrap();
        }
        match documented.get(rule.name()) {
            None => writeln!(differences, "{}: missing in the source", rule.name()).unwrap(),
            Some(found) if *found != rule => {
                writeln!(differences, "published  {rule}\ndocumented {found}").unwrap();
            }
            Some(_) => {}
        }
    }
    for name in documented.keys().filter(|name| !in_file.contains(*name)) {
        writeln!(differences, "{name}: not in the file").unwrap();
    }
    differences
}

/// Returns the text in each `abnf` fence of a source, and the name of the function below it.
fn productions(source: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut lines = source.lines();
    while let Some(line) = lines.next() {
        if line.trim() != "/// ```abnf" {
            continue;
        }
        let mut production = String::new();
        for line in lines.by_ref().take_while(|line| line.trim() != "/// ```") {
            let line =
                line.trim_start().strip_prefix("///").expect("the fence ends in the comment");
            production.push_str(line.strip_prefix(' ').unwrap_or(line));
            production.push('\n');
        }
        let function = lines
            .by_ref()
            .find_map(|line| line.split_once("fn "))
            .and_then(|(_, rest)| rest.split_once('('))
            .map(|(name, _)| name.to_owned())
            .expect("a function is below the fence");
        found.push((production, function));
    }
    found
}

/// Returns the name of a production's function, for example `utf8_tail` for `UTF8-tail`, and `absolute_uri` for
/// `absoluteURI`.
fn function_name(production: &str) -> String {
    let mut name = String::new();
    let mut after_lower = false;
    for letter in production.chars() {
        if letter.is_ascii_uppercase() && after_lower {
            name.push('_');
        }
        after_lower = letter.is_ascii_lowercase();
        name.push(if letter == '-' { '_' } else { letter.to_ascii_lowercase() });
    }
    name
}

mod the_check_fails {
    use super::differences;

    const FILE: &str = "a-b = \"x\" / c\nc = %x20\n";
    const A_B: &str = "/// Why.\n///\n/// ```abnf\n/// a-b = \"x\" / c\n/// ```\nfn a_b(input\n";
    const C: &str = "/// ```abnf\n/// c = %x20\n/// ```\npub(crate) fn c(input\n";

    #[test]
    fn on_nothing_else() {
        assert_eq!(differences(FILE, &[A_B, C]), "");
        let spaced_otherwise = A_B.replace("= \"x\" / c", "=   \"x\"\n///   /   c ; why");
        assert_eq!(differences(FILE, &[C, &spaced_otherwise]), "");
    }

    #[test]
    fn on_a_missing_production() {
        assert_eq!(differences(FILE, &[A_B]), "c: missing in the source\n");
    }

    #[test]
    fn on_a_production_that_differs() {
        let other = A_B.replace("\"x\" / c", "c / \"x\"");
        assert_eq!(
            differences(FILE, &[&other, C]),
            "published  a-b = \"x\" / c\ndocumented a-b = c / \"x\"\n"
        );
    }

    #[test]
    fn on_a_production_that_stands_twice() {
        assert_eq!(differences(FILE, &[A_B, C, C]), "c: is twice in the source\n");
        let twice = FILE.to_owned() + "c = %x20\n";
        assert_eq!(differences(&twice, &[A_B, C]), "c: is twice in the file\n");
    }

    #[test]
    fn on_a_production_the_file_has_not() {
        assert_eq!(differences("c = %x20\n", &[A_B, C]), "a-b: not in the file\n");
    }

    #[test]
    fn on_a_function_of_another_name() {
        let other = C.replace("fn c", "fn d");
        assert_eq!(differences(FILE, &[A_B, &other]), "c: its function is called d\n");
    }
}
