//! Tests the loader's messages: every fault of a file is reported with its line and a way to fix it.

use robots_conformance::kind::Role;
use robots_conformance::run::trial::observed_of;
use robots_conformance::suite::case::Case;
use robots_conformance::suite::load;

const REQUIREMENTS: &str = include_str!("fixtures/requirements.yaml");

fn problems(files: &[(&str, &str)]) -> String {
    load::suite(files.iter().copied()).expect_err("the files are broken").to_string()
}

#[test]
fn the_catalogue() {
    let broken = include_str!("fixtures/broken/requirements.yaml");
    insta::assert_snapshot!(problems(&[("requirements.yaml", broken)]));
}

#[test]
fn the_cases() {
    let good = "requirements:
  - id: GOOD
    area: bad
    says: It is good.
    editions: { rfc9309: { level: must, source: '1' } }
tables:
  - { id: rows, edition: rfc9309, source: '1', rows: [/a, /b] }
";
    let broken = include_str!("fixtures/broken/bad.yaml");
    insta::assert_snapshot!(problems(&[("bad.yaml", broken), ("requirements.yaml", good)]));
}

/// A row that a case names must be in the table of the edition, and a table that it names must exist. Only an edition
/// that follows another edition can be `not-asked`.
#[test]
fn the_tables() {
    let requirements = "requirements:
  - { id: GOOD, area: a, says: It is good., editions: { rfc9309: { level: must, source: '1' } } }
tables:
  - { id: rows, edition: rfc9309, source: '1', rows: [/a, /b] }
";
    let case = |id: &str, expect: &str| {
        format!(
            "  - {{ id: {id}, requirement: GOOD, about: A row., pattern: /a, url: /a, expect: {{ {expect} }} }}\n"
        )
    };
    let row = |row: &str| format!("answer: disallow, level: must, source: '1', row: {row}");
    let with_table = "area: a\ntable: rows\ncases:\n".to_owned()
        + &case("known", &format!("rfc9309: {{ {} }}", row("/a")))
        + &case("unknown", &format!("rfc9309: {{ {} }}", row("/c")))
        + &case("another-edition", &format!("google-2022: {{ {} }}", row("/a")))
        + &case("not-asked", "rfc9309: not-asked");
    let without = "area: b\ncases:\n".to_owned()
        + &case("no-table", &format!("rfc9309: {{ {} }}", row("/a")));
    // If a file names an unknown table, this is one mistake, not one for each case and row of the file.
    let unknown_table = "area: c\ntable: rowz\ncases:\n".to_owned()
        + &case("first", &format!("rfc9309: {{ {} }}", row("/a")))
        + &case("second", &format!("rfc9309: {{ {} }}", row("/b")));
    let files = [
        ("requirements.yaml", requirements),
        ("a.yaml", &with_table),
        ("b.yaml", &without),
        ("c.yaml", &unknown_table),
    ];
    insta::assert_snapshot!(problems(&files));
}

#[test]
fn a_raw_cr() {
    let crlf = "area: paths\r\ncases: []\r\n";
    insta::assert_snapshot!(
        problems(&[("requirements.yaml", REQUIREMENTS), ("paths.yaml", crlf)]),
        @"paths.yaml:1: a raw CR, which an editor or a checkout may change; end lines in LF alone, and write a CR in octets as `\\r` in `robots-escaped`"
    );
}

#[test]
fn no_yaml() {
    let files = [
        ("requirements.yaml", REQUIREMENTS),
        ("a.yaml", "area: a\ncases: [\n"),
        ("b.yaml", "just text"),
        ("c.yaml", "area: c\narea: c\n"),
        ("d.yaml", ""),
    ];
    insta::assert_snapshot!(problems(&files));
}

/// The keys of a case that is not a question, as another crate might define them.
#[derive(Debug, Default, serde::Deserialize)]
#[serde(default)]
struct Painted {
    colour: String,
}

#[derive(Default, serde::Deserialize)]
#[serde(default)]
struct Shade {
    shade: Option<u8>,
}

impl load::Form for Painted {
    type Keys = Shade;
    type Conforming = String;

    fn conforming(&self, keys: Option<Shade>, report: &mut dyn FnMut(String)) -> Option<String> {
        match keys.and_then(|keys| keys.shade) {
            Some(0) => {
                report("no colour has the shade 0".to_owned());
                None
            }
            Some(shade) => Some(format!("{} {shade}", self.colour)),
            None => Some(self.colour.clone()),
        }
    }
}

/// Reports find a case by its id, so a case of another form, for example a crawl, must not have the id of a question.
#[test]
fn an_id_of_a_question_is_used() {
    let catalogue = "requirements:
  - { id: GOOD, area: x, says: x, editions: { rfc9309: { level: must, source: '1' } } }
";
    let case = "  - { id: a, requirement: GOOD, about: x, url: /, robots: '', expect: { rfc9309: allow } }\n";
    let question = format!("area: x\ncases:\n{}", case.replace("url", "crawler: a, url"));
    let suite = load::suite([("requirements.yaml", catalogue), ("x.yaml", &question)]).unwrap();
    let other = "area: y
cases:
  - { id: a, requirement: GOOD, about: x, colour: blue, expect: { rfc9309: as-listed } }
";
    let check = |_: &Case<Painted, String>, _: &mut dyn FnMut(&str, String)| Some(());
    let problems = load::cases(&suite, "live/y.yaml", other, check).unwrap_err();
    insta::assert_snapshot!(problems, @"live/y.yaml:3: case a: the id is already used at x.yaml:3; give it another");
}

/// Other crates read their cases with the loader. Every mistake in such a case is reported with its line too.
#[test]
fn cases_of_another_form() {
    let catalogue = "withdrawn: { gone: It asked nothing. }
same-as: { google-2022: rfc9309 }
requirements:
  - { id: GOOD, area: x, says: x, editions: { rfc9309: { level: must, source: '1' } } }
tables:
  - { id: rows, edition: rfc9309, source: '2', rows: [a] }
";
    let suite = load::suite([("requirements.yaml", catalogue)]).unwrap();
    assert_eq!(suite.withdrawn["gone"], "It asked nothing.");
    let read = |text: &str| {
        let check = |case: &Case<Painted, String>, report: &mut dyn FnMut(&str, String)| {
            let is_taken = case.form.colour == "red";
            if is_taken {
                report("colour", "red is taken".to_owned());
            }
            (!is_taken).then_some(case.form.colour.len())
        };
        load::cases(&suite, "live/x.yaml", text, check).map_err(|problems| problems.to_string())
    };
    let line = |case: &Case<usize, String>| {
        let expect = case.expect.iter().map(|(edition, expect)| {
            let row = expect.row.as_deref().unwrap_or("no row");
            format!("{edition} {} {} {} {row}", expect.conforming, expect.level, expect.source)
        });
        let head =
            [case.id.clone(), case.area.clone(), case.place.to_string(), case.form.to_string()];
        [head.to_vec(), expect.collect()].concat().join(", ")
    };
    let right = "area: x
table: rows
cases:
  - id: a
    requirement: GOOD
    about: x
    colour: blue
    expect: { rfc9309: { shade: 3, row: a }, google-2018: { level: may, source: '7' } }
  - { id: b, requirement: GOOD, about: x, colour: green, expect: { rfc9309: as-listed } }
";
    let lines: Vec<String> = read(right).unwrap().iter().map(line).collect();
    insta::assert_snapshot!(lines.join("\n"), @r"
    a, x, live/x.yaml:4, 4, google-2018 blue may 7 no row, google-2022 blue 3 must 1 a, rfc9309 blue 3 must 1 a
    b, x, live/x.yaml:9, 5, google-2022 green must 1 no row, rfc9309 green must 1 no row
    ");
    let wrong = "area: y
cases:
  - id: gone
    requirement: GOOD
    colour: red
    shape: round
    expect:
      rfc9309: { shade: 0 }
      google-2018: as-listed
      google-2019: { shade: deep, hue: 1, level: must, source: '1', row: a }
      google-2022: listed
  - { id: b, requirement: BAD, about: It is, colour: red, expect: {} }
  - { id: b, requirement: GOOD, about: x, expect: { rfc9309: not-asked } }
  - { requirement: GOOD }
  - none
";
    insta::assert_snapshot!("mistakes_in_another_form", read(wrong).unwrap_err());
    insta::assert_snapshot!(
        read("area: x\ncases:\n  - id: a\n    about: It is # cut.\n").unwrap_err().lines().next().unwrap(),
        @"live/x.yaml:4: ` #` begins a comment here and cuts the text short; quote the text"
    );
    let cut = "requirements:\n  - id: GOOD\n    area: a\n    says: It is # cut.\n    editions: { rfc9309: { level: must, source: '1' } }\n";
    insta::assert_snapshot!(load::suite([("requirements.yaml", cut)]).unwrap_err(), @"requirements.yaml:4: ` #` begins a comment here and cuts the text short; quote the text");
}

#[test]
fn an_empty_suite() {
    insta::assert_snapshot!(
        problems(&[]),
        @"requirements.yaml:1: the file is missing; it lists the requirements and tables"
    );
}

#[test]
fn the_fixtures_load() {
    let files = [
        ("requirements.yaml", REQUIREMENTS),
        ("paths.yaml", include_str!("fixtures/paths.yaml")),
        ("shapes.yaml", include_str!("fixtures/shapes.yaml")),
        ("grammar/ignored.yaml", "\r"),
    ];
    let suite = load::suite(files).unwrap();
    let places: Vec<String> =
        suite.cases.iter().map(|case| format!("{} {}", case.id, case.place)).collect();
    assert_eq!(
        places,
        [
            "fish-prefix paths.yaml:4",
            "fowl-line paths.yaml:13",
            "empty-pattern paths.yaml:23",
            "two-agents shapes.yaml:3",
            "missing-file shapes.yaml:14",
            "broken-connection shapes.yaml:25",
            "moved-file shapes.yaml:32",
        ]
    );
}

#[test]
fn the_embedded_suite_loads() {
    let suite = load::embedded().unwrap_or_else(|problems| panic!("{problems}"));
    assert!(suite.cases.len() > 100, "only {} cases", suite.cases.len());
}

/// An edition that follows another edition has the requirements, tables and sentences of that edition, unless it
/// defines them itself.
#[test]
fn an_edition_that_follows_another() {
    let requirements = "same-as: { google-2018: google-2019 }
requirements:
  - { id: GOOD, area: a, says: It is good., editions: { google-2019: { level: must, source: A }, rfc9309: { level: may, source: '1' } } }
tables:
  - { id: rows, edition: google-2019, source: A, rows: [/a] }
  - { id: changed, edition: google-2019, source: A, rows: [/a] }
  - { id: changed, edition: google-2018, source: A, rows: [/b] }
  - { id: other, edition: rfc9309, source: '1', rows: [/c] }
";
    let documents = "sentences:
  - { edition: google-2019, section: A, says: [{ It is good.: GOOD }] }
  - { edition: rfc9309, section: '1', says: [{ It may be good.: [GOOD] }, { It is long.: { because: It is prose. } }] }
";
    let suite =
        load::suite([("requirements.yaml", requirements), ("documents.yaml", documents)]).unwrap();
    let tables = suite.tables.iter().map(|it| format!("{} {} {:?}", it.edition, it.id, it.rows));
    assert_eq!(
        tables.collect::<Vec<_>>(),
        [
            r#"google-2019 rows ["/a"]"#,
            r#"google-2019 changed ["/a"]"#,
            r#"google-2018 changed ["/b"]"#,
            r#"rfc9309 other ["/c"]"#,
            r#"google-2018 rows ["/a"]"#,
        ]
    );
    let sentences = suite.sentences.iter().map(|it| format!("{}: {}", it.edition, it.gloss));
    assert_eq!(
        sentences.collect::<Vec<_>>(),
        [
            "google-2019: It is good.",
            "rfc9309: It may be good.",
            "rfc9309: It is long.",
            "google-2018: It is good.",
        ]
    );
    let broken = |same_as: &str| {
        problems(&[("requirements.yaml", &format!("same-as: {same_as}\nrequirements: []\n"))])
    };
    insta::assert_snapshot!(
        broken("{ google-2018: google-2018 }"),
        @"requirements.yaml:1: same-as: google-2018 follows google-2018, but google-2018 must not be in the list itself"
    );
    insta::assert_snapshot!(
        broken("{ google-2019: google-2022, google-2018: google-2019 }"),
        @"requirements.yaml:1: same-as: google-2018 follows google-2019, but google-2019 must not be in the list itself"
    );
}

/// A mapping with a misspelt key is reported as an expectation with a mistake, not as an answer with a mistake.
#[test]
fn a_misspelt_key_of_an_expectation() {
    let cases = "area: paths
cases:
  - { id: a, requirement: MATCH-PREFIX, about: A path., pattern: /a, url: /a, expect: { google-2022: { anwser: disallow }, rfc9309: { verdict: disallow } } }
";
    let files = [("requirements.yaml", REQUIREMENTS), ("paths.yaml", cases)];
    insta::assert_snapshot!(problems(&files), @r"
    paths.yaml:3: case a: google-2022: unknown key `anwser`; known here: `answer`, `any-of`, `readings`, `level`, `source`, `row`, `why`
    paths.yaml:3: case a: google-2022: nothing is expected; give `answer`, `any-of` or `readings`
    ");
}

/// The loader reads the observed answers. It reports a trial without an answer, and an answer without a trial.
#[test]
fn the_observed_answers() {
    let cases = "area: paths
cases:
  - { id: a, requirement: MATCH-PREFIX, about: A path., pattern: /a, url: /a, expect: { google-2022: disallow, rfc9309: disallow } }
  - { id: b, requirement: MATCH-PREFIX, about: A path., pattern: /a, url: /b, expect: { google-2022: allow, rfc9309: allow } }
";
    let observed = "profile: google-cpp
oracle: library
version: '1'
verdicts:
  'paths::a::google-cpp': { verdict: disallow, line: 2 }
  'paths::gone::google-cpp': { verdict: allow }
";
    let files = [
        ("requirements.yaml", REQUIREMENTS),
        ("paths.yaml", cases),
        ("observed/google-cpp.yaml", observed),
    ];
    let suite = load::suite(files).unwrap();
    let has = |id: &str| !observed_of(suite.case(id).unwrap()).is_empty();
    assert!(has("a") && !has("b"));
    let unobserved = suite.unobserved.iter().map(ToString::to_string).collect::<Vec<_>>();
    insta::assert_snapshot!(unobserved.join("\n"), @r#"
    observed/google-cpp.yaml:4: "paths::b::google-cpp" is missing; run `cargo xtask observe` and commit the result
    observed/google-cpp.yaml:4: "paths::gone::google-cpp" is not a verdict trial of the suite; run `cargo xtask observe` and commit the result
    "#);
}

/// Only retrievers answer timelines. Questions of other kinds are for the role to which the requirement is addressed.
#[test]
fn a_case_is_for_one_role() {
    let suite = load::embedded().unwrap();
    for (id, role) in [
        ("case-of-path", Role::Parser),
        ("scope-http-host", Role::Crawler),
        ("timeline-status-200", Role::Retriever),
    ] {
        let case = suite.cases.iter().find(|case| case.id == id).unwrap();
        assert_eq!(case.form.role, role, "{id}");
    }
}

/// A deviations file must be a regular file, and must not be too long or nested too deeply.
#[cfg(unix)]
#[test]
fn a_deviations_file_that_would_not_end_is_refused() {
    use robots_conformance::run::deviations::Deviations;

    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    assert!(std::process::Command::new("mkfifo").arg(path("fifo")).status().unwrap().success());
    std::fs::write(path("deep.yaml"), format!("a: {}", "[".repeat(100_000))).unwrap();
    std::fs::File::create(path("long.yaml")).unwrap().set_len(1 << 40).unwrap();
    let message = |path: &std::path::Path| Deviations::read(path).unwrap_err().to_string();
    assert!(message(&path("fifo")).ends_with("it is not a regular file"));
    assert!(message(std::path::Path::new("/dev/zero")).ends_with("it is not a regular file"));
    assert!(message(&path("long.yaml")).ends_with("it has more than 16777216 octets"));
    assert!(
        message(&path("deep.yaml"))
            .contains("deep.yaml:1: lists and mappings nest more than 64 deep")
    );
}
