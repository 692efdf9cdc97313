//! Writes the requirements as a page: the text of each, its editions, its cases, and the wrong answers of the measured
//! peers.
//!
//! This module does not ask the peers: their answers come from docs/peers.json. Start at [`run()`].

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use robots_conformance::render;
use robots_conformance::report::grouped;
use robots_conformance::run::trial;
use robots_conformance::run::trial::Trial;
use robots_conformance::suite::Suite;
use robots_conformance::suite::case::{Case, on_one_line};
use robots_conformance::suite::load;
use robots_conformance::suite::requirement::Requirement;

use crate::peers::Document;
use xtask::invocation::workspace;
use xtask::written::{Check, settle};

const FILE: &str = "docs/requirements.md";

pub(crate) fn run(arguments: &Check) -> Result<bool, String> {
    let suite = load::embedded()?;
    let page = page(&suite, &Document::read()?);
    settle("requirements", &workspace(), &[(FILE.to_owned(), page)], arguments.check)
}

fn page(suite: &Suite, peers: &Document) -> String {
    let measured = peers.measured.len();
    let mut observed: BTreeMap<String, Vec<Arc<Trial>>> = BTreeMap::new();
    for trial in trial::observed(suite) {
        observed.entry(trial.case().id.clone()).or_default().push(trial);
    }
    let mut out = format!(
        "# The requirements\n\n`cargo xtask requirements` writes this page; do not edit it by hand. For each \
         requirement, the page shows the sections that state it, its cases, and the wrong answers of the {measured} \
         parsers in [`peers.md`](peers.md). `google-cpp` marks the observed answers of Google's published C++ \
         library.\n\n"
    );
    let mut areas: BTreeMap<&str, Vec<&Requirement>> = BTreeMap::new();
    for requirement in &suite.requirements {
        areas.entry(&requirement.area).or_default().push(requirement);
    }
    for area in areas.keys() {
        let _ = writeln!(out, "- [{area}](#{area})");
    }
    for (area, requirements) in areas {
        let _ = write!(out, "\n## {area}\n");
        for requirement in requirements {
            section(&mut out, suite, requirement, peers, &observed);
        }
    }
    out
}

fn section(
    out: &mut String,
    suite: &Suite,
    requirement: &Requirement,
    peers: &Document,
    observed: &BTreeMap<String, Vec<Arc<Trial>>>,
) {
    let _ = write!(out, "\n### {}\n\n{}\n", requirement.id, one_line(&requirement.says));
    if let Some(note) = &requirement.note {
        let _ = write!(out, "\n{}\n", one_line(note));
    }
    if let Some(why) = &requirement.not_testable {
        let _ = write!(out, "\nNot testable: {}\n", one_line(why));
    }
    let _ = write!(
        out,
        "\nAddressed to a {}.\n\n| edition | level | section |\n|---|---|---|\n",
        requirement.role
    );
    for (edition, statement) in requirement.shown() {
        let _ = writeln!(out, "| {edition} | {} | {} |", statement.level, cell(&statement.source));
    }
    let cases: Vec<&Arc<Case>> =
        suite.cases.iter().filter(|case| case.requirement == requirement.id).collect();
    if cases.is_empty() {
        return;
    }
    out.push_str("\n| case | expected | other answers |\n|---|---|---|\n");
    for case in cases {
        let trials = trial::of_case(case);
        let mut lines = expected(&trials);
        let seen = observed.get(&case.id).map_or(&[][..], Vec::as_slice);
        lines.extend(expected(seen));
        let _ = writeln!(
            out,
            "| `{}`: {} | {} | {} |",
            case.id,
            cell(&one_line(&case.about)),
            lines.join("<br>"),
            otherwise(&trials, peers),
        );
    }
}

/// Groups the profiles that expect the same answers. Returns a line for each group: the profiles and the answers.
fn expected(trials: &[Arc<Trial>]) -> Vec<String> {
    let mut editions: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for trial in trials {
        let texts = cell(&on_one_line(&trial.conforming().text()));
        editions.entry(trial.profile().id()).or_default().push(texts);
    }
    let answers = grouped(editions.into_iter().map(|(edition, texts)| (texts, edition)));
    let line = |(mut texts, who): (Vec<String>, Vec<&str>)| {
        let count = texts.len();
        texts.sort();
        texts.dedup();
        let texts = match texts.as_slice() {
            [one] if count == 1 => one.clone(),
            [one] => format!("{count} × {one}"),
            several => format!("{count} questions: {}", several.join(", ")),
        };
        format!("{}: {}", who.join(", "), render::message(&texts))
    };
    answers.into_iter().map(line).collect()
}

/// Returns the wrong answers of the measured peers, each with the peers that give it. The most common answer is first.
fn otherwise(trials: &[Arc<Trial>], peers: &Document) -> String {
    let mut answers: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for peer in &peers.measured {
        let wrong: Vec<&String> =
            trials.iter().filter_map(|trial| peer.wrong(trial.name())).collect();
        let Some(first) = wrong.first() else { continue };
        let texts = if wrong.iter().all(|answer| answer == first) {
            cell(first)
        } else {
            "various".to_owned()
        };
        let who = if trials.len() == wrong.len() {
            peer.subject.name.clone()
        } else {
            format!("{} ({} of {})", peer.subject.name, wrong.len(), trials.len())
        };
        answers.entry(texts).or_default().push(who);
    }
    let mut answers: Vec<(String, Vec<String>)> = answers.into_iter().collect();
    answers.sort_by_key(|(_, who)| std::cmp::Reverse(who.len()));
    let lines = answers.into_iter().map(|(texts, who)| format!("{texts}: {}", who.join(", ")));
    lines.collect::<Vec<_>>().join("<br>")
}

/// Renders a text on one line.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Renders a text as the cell of a table.
fn cell(text: &str) -> String {
    let text = text.lines().map(str::trim).collect::<Vec<_>>().join("; ");
    text.replace('&', "&amp;").replace('<', "&lt;").replace('|', "\\|").replace('*', "\\*")
}
