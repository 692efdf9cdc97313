//! The requirements as a page: what each says, who states it, its cases, and what every measured peer answers.
//!
//! Peers are not asked: their answers are those of docs/peers.json.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::process::ExitCode;
use std::sync::Arc;

use robots_conformance::case::{Case, Requirement, Suite};
use robots_conformance::question::{self, Trial};
use robots_conformance::{load, render};

use crate::documents;
use crate::invocation::{usage, workspace};
use crate::peers::{Document, FILES};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Write nothing, and fail where what is checked in is stale
    #[arg(long)]
    check: bool,
}

const FILE: &str = "docs/requirements.md";

pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let page = load::embedded()
        .map_err(|problems| problems.to_string())
        .and_then(|suite| Ok(page(&suite, &FILES.read(&workspace())?)));
    let settled = page.and_then(|page| {
        documents::settle("requirements", &workspace(), &[(FILE.to_owned(), page)], arguments.check)
    });
    match settled {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => usage(message),
    }
}

fn page(suite: &Suite, peers: &Document) -> String {
    let measured = peers.measured().count();
    let mut observed: BTreeMap<String, Vec<Arc<Trial>>> = BTreeMap::new();
    for trial in question::observed(suite) {
        observed.entry(trial.case().id.clone()).or_default().push(trial);
    }
    let mut out = format!(
        "# The requirements\n\nWritten by `cargo xtask requirements`; not to be edited by hand. Each requirement has the \
         sections that state it, its cases and, where peers were asked, what they answer otherwise. {measured} peers \
         were measured: [`peers.md`](peers.md). `google-cpp` is what Google's published C++ library was seen to \
         answer.\n\n"
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
        "\nAsked of a {}.\n\n| edition | level | section |\n|---|---|---|\n",
        requirement.role
    );
    for (edition, statement) in &requirement.editions {
        let _ = writeln!(out, "| {edition} | {} | {} |", statement.level, cell(&statement.source));
    }
    let cases: Vec<&Arc<Case>> =
        suite.cases.iter().filter(|case| case.requirement == requirement.id).collect();
    if cases.is_empty() {
        return;
    }
    out.push_str("\n| case | expected | answered otherwise |\n|---|---|---|\n");
    for case in cases {
        let trials = question::of_case(case);
        let mut expected = grouped(&trials);
        let seen = observed.get(&case.id).map_or(&[][..], Vec::as_slice);
        expected.extend(grouped(seen));
        let _ = writeln!(
            out,
            "| `{}`: {} | {} | {} |",
            case.id,
            cell(&one_line(&case.about)),
            expected.join("<br>"),
            otherwise(&trials, peers),
        );
    }
}

/// Returns what conforms, a line for each answer, with the profiles that expect it.
fn grouped(trials: &[Arc<Trial>]) -> Vec<String> {
    let mut editions: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for trial in trials {
        let told = cell(&trial.conforming().text().replace("\n-- or --\n", " or "));
        editions.entry(trial.profile().id()).or_default().push(told);
    }
    let mut answers: Vec<(Vec<String>, Vec<&str>)> = Vec::new();
    for (edition, told) in editions {
        match answers.iter_mut().find(|(known, _)| *known == told) {
            Some((_, who)) => who.push(edition),
            None => answers.push((told, vec![edition])),
        }
    }
    let line = |(told, who): (Vec<String>, Vec<&str>)| {
        let count = told.len();
        let mut told = told;
        told.sort();
        told.dedup();
        let told = match told.as_slice() {
            [one] if count == 1 => one.clone(),
            [one] => format!("{count} × {one}"),
            several => format!("{count} questions: {}", several.join(", ")),
        };
        format!("{}: {}", who.join(", "), render::message(&told))
    };
    answers.into_iter().map(line).collect()
}

/// Returns what the measured peers answered that does not conform, the most common answer first.
fn otherwise(trials: &[Arc<Trial>], peers: &Document) -> String {
    let mut answers: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for peer in peers.entries.iter().filter(|peer| peer.unmeasured.is_none()) {
        let own: Vec<&String> =
            trials.iter().filter_map(|trial| peer.wrong(trial.name())).collect();
        let Some(first) = own.first() else { continue };
        let told = if own.iter().all(|answer| answer == first) {
            cell(first)
        } else {
            "various".to_owned()
        };
        let who = if trials.len() == own.len() {
            peer.name.clone()
        } else {
            format!("{} ({} of {})", peer.name, own.len(), trials.len())
        };
        answers.entry(told).or_default().push(who);
    }
    let mut answers: Vec<(String, Vec<String>)> = answers.into_iter().collect();
    answers.sort_by_key(|(_, who)| std::cmp::Reverse(who.len()));
    let lines = answers.into_iter().map(|(told, who)| format!("{told}: {}", who.join(", ")));
    lines.collect::<Vec<_>>().join("<br>")
}

/// Puts a text on one line.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Makes a text a cell of a table.
fn cell(text: &str) -> String {
    let text = text.lines().map(str::trim).collect::<Vec<_>>().join("; ");
    text.replace('&', "&amp;").replace('<', "&lt;").replace('|', "\\|").replace('*', "\\*")
}
