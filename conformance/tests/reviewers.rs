//! For reviewers: what the nom engine answers to every case, and why, one small snapshot an area.
//!
//! A line is a case, the editions that share an answer, the member, the answer and the evidence.
//! Editions and members with the same answer and evidence stand together.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use robots_conformance::case::Case;
use robots_conformance::{load, question, render};
use robots_core::Edition;
use robots_core::engine::{Answer, Engine as _, Interpreted};
use robots_nom_parser::NomParser;

#[test]
fn every_area() {
    let suite = load::embedded().unwrap_or_else(|problems| panic!("{problems}"));
    assert!(suite.areas().len() > 5, "areas are missing: {:?}", suite.areas());
    for area in suite.areas() {
        let cases = suite.cases.iter().filter(|case| case.area == area);
        let lines: String = cases.map(|case| lines(case, &question::of_case(case))).collect();
        insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
            insta::assert_snapshot!(area, lines);
        });
    }
}

fn lines(case: &Case, trials: &[std::sync::Arc<question::Trial>]) -> String {
    let engine = Interpreted(NomParser);
    // First the editions of each answer to each member, then the members of each such set.
    let mut by_answer: BTreeMap<(usize, String), Vec<Edition>> = BTreeMap::new();
    for trial in trials {
        let index = case.members.iter().position(|member| member.name == trial.member().name);
        let answer = engine.answer(&trial.question());
        by_answer
            .entry((index.unwrap(), told(&answer)))
            .or_default()
            .extend(trial.profile().edition());
    }
    let mut lines: Vec<(String, String, Vec<&str>)> = Vec::new();
    for ((index, answer), editions) in &by_answer {
        let editions = editions_told(editions, case.expect.len());
        let member = case.members[*index].name.as_deref().unwrap_or("");
        match lines.iter_mut().find(|line| line.0 == editions && line.1 == *answer) {
            Some(line) => line.2.push(member),
            None => lines.push((editions, answer.clone(), vec![member])),
        }
    }
    let mut out = String::new();
    for (editions, answer, members) in lines {
        let members = members.join(" · ");
        let gap = if members.is_empty() { "" } else { "  " };
        let _ = writeln!(out, "{}  {editions}{gap}{members} → {answer}", case.id);
    }
    out
}

/// The years of the editions, `all` where they are all the case asks about.
fn editions_told(editions: &[Edition], asked: usize) -> String {
    if editions.len() == asked {
        return "all".to_owned();
    }
    let short = |edition: &Edition| edition.id().trim_start_matches("google-").to_owned();
    editions.iter().map(short).collect::<Vec<_>>().join("+")
}

fn told(answer: &Answer) -> String {
    match answer {
        Answer::Verdict { evidence: Some(evidence), .. } => render::text(evidence),
        other => elided(&render::answer(other).replace('\n', "; ")),
    }
}

/// Ten thousand groups need no review one by one.
fn elided(text: &str) -> String {
    const LONG: usize = 240;
    let count = text.chars().count();
    if count <= LONG {
        return text.to_owned();
    }
    let head: String = text.chars().take(LONG * 3 / 4).collect();
    let tail: String = text.chars().skip(count - LONG / 4).collect();
    format!("{head} … {} characters … {tail}", count - LONG)
}
