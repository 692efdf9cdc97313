//! Writes the nom engine's answers to every case except timelines, for reviewers: one small snapshot for each area.
//!
//! A line contains a case, its editions, its members (the questions of its lists), and the evidence of the answer. If
//! the answer has no evidence, the line contains the answer. Editions in which a member has the same answer share a
//! line, and so do members with the same answer in the same editions.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::panic;
use std::sync::Arc;

use robots_conformance::engine::{Engine as _, Interpreted};
use robots_conformance::kind::{self, Member};
use robots_conformance::kind::{Answer, Ask, Role, ScopeQuestion, VerdictQuestion};
use robots_conformance::run::trial;
use robots_conformance::suite::case::Case;
use robots_conformance::suite::load;
use robots_console::render;
use robots_core::Edition;
use robots_nom_parser::NomParser;

#[test]
fn every_area() {
    let suite = load::embedded().unwrap_or_else(|problems| panic!("{problems}"));
    assert!(suite.areas().len() > 5, "areas are missing: {:?}", suite.areas());
    let mut differing = Vec::new();
    for area in suite.areas() {
        // A parser is not asked timelines.
        let is_asked = |case: &&Arc<Case>| case.area == area && case.form.role != Role::Retriever;
        let cases: Vec<_> = suite.cases.iter().filter(is_asked).collect();
        if cases.is_empty() {
            continue;
        }
        let cases = cases.into_iter();
        let lines: String = cases.map(|case| lines(case, &trial::of_case(case))).collect();
        let long = lines.lines().find(|line| line.chars().count() > WIDTH);
        assert_eq!(long, None, "a line of {area} is longer than {WIDTH} characters");
        // Every area is compared before the test fails.
        let compared = panic::catch_unwind(|| {
            insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
                insta::assert_snapshot!(area, lines);
            });
        });
        if compared.is_err() {
            differing.push(area);
        }
    }
    assert!(
        differing.is_empty(),
        "the answers of {} differ from their snapshots: review what is printed above, then run \
         `cargo xtask bless`",
        differing.join(", ")
    );
}

/// The maximum length of a line in characters. The maximum lengths of the parts of a line are fractions of this number.
const WIDTH: usize = 400;

fn lines(case: &Case, trials: &[std::sync::Arc<trial::Trial>]) -> String {
    let engine = Interpreted(NomParser);
    // Groups the editions by member and answer, and then the members by answer and set of editions.
    let mut by_answer: BTreeMap<(usize, String), Vec<Edition>> = BTreeMap::new();
    for trial in trials.iter().filter(|trial| !trial.is_repeated()) {
        let index = case.form.members.iter().position(|member| member.name == trial.member().name);
        let answer = engine.answer(&trial.question());
        by_answer
            .entry((index.unwrap(), text_of(&answer)))
            .or_default()
            .extend(trial.profile().edition());
    }
    let mut lines: Vec<(String, String, Vec<String>)> = Vec::new();
    for ((index, answer), editions) in &by_answer {
        let editions = editions_told(editions, case.shown().count());
        let member = elided(&shown(&case.form.members[*index]), WIDTH / 4);
        match lines.iter_mut().find(|line| line.0 == editions && line.1 == *answer) {
            Some(line) => line.2.push(member),
            None => lines.push((editions, answer.clone(), vec![member])),
        }
    }
    let mut out = String::new();
    for (editions, answer, members) in lines {
        let mut line = format!("{}  {editions}", case.id);
        for (index, member) in members.iter().filter(|member| !member.is_empty()).enumerate() {
            let gap = if index == 0 { "  " } else { " · " };
            let length =
                line.chars().count() - line.rfind('\n').map_or(0, |at| line[..at].chars().count());
            if length + member.chars().count() > WIDTH / 2 {
                line.push_str("\n ");
            }
            line.push_str(gap);
            line.push_str(member);
        }
        let _ = writeln!(out, "{line} → {answer}");
    }
    out
}

/// Returns the name of a member in a line: its name in the case, or the URL of its question.
fn shown(member: &Member) -> String {
    match (&member.name, &member.ask) {
        (Some(name), _) => render::text(name),
        (
            None,
            Ask::Verdict(VerdictQuestion { url, .. }) | Ask::Scope(ScopeQuestion { url, .. }),
        ) => {
            format!("<{}>", render::text(url))
        }
        (None, _) => String::new(),
    }
}

/// Returns the ids of the editions, each without its prefix `google-`, or `all` if the case has no other edition.
fn editions_told(editions: &[Edition], asked: usize) -> String {
    if editions.len() == asked {
        return "all".to_owned();
    }
    let short = |edition: &Edition| edition.id().trim_start_matches("google-").to_owned();
    editions.iter().map(short).collect::<Vec<_>>().join("+")
}

fn text_of(answer: &Answer) -> String {
    match kind::evidence(answer) {
        Some(evidence) => elided(&render::text(evidence), WIDTH / 3),
        None => elided(&kind::answer_text(answer).replace('\n', "; "), WIDTH / 3),
    }
}

/// Shortens a long text, because nobody reviews an answer of ten thousand groups completely.
fn elided(text: &str, most: usize) -> String {
    let count = text.chars().count();
    if count <= most {
        return text.to_owned();
    }
    let head: String = text.chars().take(most * 3 / 4).collect();
    let tail: String = text.chars().skip(count - most / 4).collect();
    format!("{head} … {} characters … {tail}", count - most)
}
