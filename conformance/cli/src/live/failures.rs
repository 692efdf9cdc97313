//! What failed, told in full on standard error.

use std::collections::BTreeMap;

use anstyle::AnsiColor;
use robots_conformance::failure::quoted;
use robots_conformance::judge::Outcome;
use robots_conformance_live::{self as live, Report};
use robots_core::Edition;

use super::attached::ATTACHED;
use super::{LiveArgs, Place};
use crate::run::tell as line;

/// Tells the failures, a crawl once, however many editions it fails under; then what was undecided, in short.
pub(super) fn tell(arguments: &LiveArgs, report: &Report) {
    let failed = AnsiColor::Red.on_default().bold();
    let mut told: Vec<(&str, Option<Edition>)> = Vec::new();
    for trial in report.trials.iter().filter(|trial| trial.outcome.is_failure()) {
        let crawl = &report.crawls[trial.crawl];
        let same = (crawl.case.id.as_str(), crawl.edition);
        if told.contains(&same) {
            continue;
        }
        told.push(same);
        let others = report.trials.iter().filter(|other| {
            other.crawl == trial.crawl
                && other.edition != trial.edition
                && other.outcome.is_failure()
        });
        let others: Vec<&str> = others.map(|other| other.edition.id()).collect();
        let text = match &crawl.record {
            Ok(record) => live::failure(&crawl.case, trial.edition, record, &trial.judgement),
            Err(not_run) => format!("{}: {not_run}\n", crawl.case.id),
        };
        let (heading, rest) = text.split_once('\n').unwrap_or((&text, ""));
        line(&format!("\n{failed}{heading}{failed:#}\n{}", rest.trim_end()));
        if let Outcome::Failed { note: Some(note) } = &trial.outcome {
            line(&format!("  {note}"));
        }
        if !others.is_empty() {
            line(&format!("It fails too under {}.", others.join(", ")));
        }
        if let Some(said) = &crawl.last_words {
            line(&format!("The crawler said last: {said}"));
        }
        let net = if arguments.net == Place::Namespace { " --net namespace" } else { "" };
        let who = match &*report.crawler {
            ATTACHED => "--attach".to_owned(),
            exec => format!("--exec {}", quoted(exec)),
        };
        line(&format!(
            "again: robots-conformance live{net} --agent {} {who} --filter {}",
            quoted(&report.agent),
            quoted(&format!("{}::", crawl.case.id))
        ));
    }
    for problem in &report.stale {
        line(&format!("\n{failed}STALE{failed:#} {problem}"));
    }
    undecided(report);
}

/// Says how many crawls the crawler did not come by, or did not end, and what it said in the first of them.
fn undecided(report: &Report) {
    let mut crawls: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for trial in &report.trials {
        if matches!(trial.outcome, Outcome::Inconclusive | Outcome::Waited) {
            let crawls = crawls.entry(trial.outcome.name()).or_default();
            if crawls.last() != Some(&trial.crawl) {
                crawls.push(trial.crawl);
            }
        }
    }
    let note = AnsiColor::Yellow.on_default().bold();
    for (outcome, crawls) in crawls {
        let meaning = match outcome {
            "waited" => "the crawler was still at work at the limit",
            _ => "the crawler did not come by the control pages",
        };
        let shown: Vec<&str> =
            crawls.iter().take(5).map(|crawl| report.crawls[*crawl].case.id.as_str()).collect();
        let more = if crawls.len() > shown.len() { ", …" } else { "" };
        line(&format!(
            "\n{note}note{note:#}: {} {outcome}, for {meaning}: {}{more}",
            crawls.len(),
            shown.join(", ")
        ));
        if let Some(said) =
            crawls.iter().find_map(|crawl| report.crawls[*crawl].last_words.as_ref())
        {
            line(&format!("The crawler said last: {said}"));
        }
    }
}
