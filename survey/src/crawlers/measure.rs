//! Runs the crawlers and judges their access logs.
//!
//! Start at [`run()`]. For each crawler, [`measure()`] crawls the cases and stores the whole report with its access
//! logs. With `--judge`, the function starts no crawl and judges the stored logs again. A crawler that needs host names
//! crawls in a network namespace. If no case passes, the measurement of the crawler fails, because its command is
//! probably wrong. [`known()`] collects the facts about the current cases that are needed to revise old entries.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::constructs::Shown;
use robots_conformance::report::CaseRecord;
use robots_conformance::run::deviations::Deviations;
use robots_conformance::run::outcome::Outcome;
use robots_conformance::suite::{Suite, load};
use robots_conformance_cli::live::{Kept, record};
use robots_conformance_live::verdicts::{OnTheWire, on_the_wire};
use robots_conformance_live::{self as live, Case, CrawlReport, CrawlerCommand, Options, Run};
use robots_nom_parser::ScanParser;

use super::cases::crawled;
use super::entry::{Entry, Known};
use super::manifest::Crawler;
use crate::arguments::Crawlers as Arguments;
use crate::files::{cargo, workspace};
use crate::manifests::Folders;
use crate::measured::{self, SHOWN};
use crate::offences::Faults;

/// The time limit for the crawl of a case. The manifest sets the crawlers' time-outs far below this limit.
const LIMIT: Duration = Duration::from_secs(60);

/// The time limit for a crawl of many cases.
const LIMIT_TOGETHER: Duration = Duration::from_secs(600);

/// Measures and writes the documents. Returns whether the documents are up to date.
///
/// # Errors
/// Returns a message about the file or the crawler that cannot be read, run or written.
pub(crate) fn run(arguments: &Arguments) -> Result<bool, String> {
    let folders = super::folders();
    let suite = load::embedded()?;
    let cases = live::load(&suite)?;
    let shown = Shown::of(&ScanParser, &suite);
    let wire = on_the_wire(&suite);
    let all = || cases.iter().chain(wire.cases.values().flatten());
    let record = |case| crawled(live::case_record(case, None));
    let crawled: Vec<CaseRecord> = all().filter_map(record).collect();
    let known = known(&suite, &cases, &wire)?;
    measured::run::<Entry>(
        &arguments.measuring,
        &folders,
        &known,
        |manifest, crawler| {
            let version = manifest.version(crawler, &folders)?;
            let exec = folders.fill::<Crawler>(&crawler.exec);
            let report = measure(crawler, &exec, &folders, arguments, &suite)?;
            if report.run.trials.iter().all(|trial| trial.outcome != Outcome::Passed) {
                return Err(format!("no case passed; check its command: {exec}"));
            }
            Ok(Entry::of(crawler, &exec, version, &report, &folders, &shown, &wire))
        },
        |document| document.pages(&crawled),
    )
}

/// Collects the facts about the current cases.
fn known(suite: &Suite, cases: &[Case], wire: &OnTheWire) -> Result<Known, String> {
    let mut known = Known { faults: Faults::read()?, ..Known::default() };
    for requirement in &suite.requirements {
        let editions = requirement.editions.keys().map(|edition| edition.id().to_owned());
        known.required.insert(requirement.id.clone(), editions.collect());
    }
    for case in cases.iter().chain(wire.cases.values().flatten()) {
        let id = || case.id.clone();
        known.on_own_host.insert(id(), case.form.is_on_own_host());
        if case.expect.keys().any(|edition| edition.id() == SHOWN) {
            known.about.insert(id(), case.requirement.clone());
        }
        let asked = case
            .expect
            .iter()
            .map(|(edition, it)| (edition.id().to_owned(), it.conforming.binds()));
        known.asked.insert(id(), asked.collect());
    }
    let of_token = |(token, cases): (&String, &Vec<Case>)| {
        cases.iter().map(|case| (case.id.clone(), token.clone())).collect::<Vec<_>>()
    };
    let tokens: BTreeMap<String, String> = wire.cases.iter().flat_map(of_token).collect();
    let suited = wire.suited.clone();
    known.suits = Some(Box::new(move |case, agent, takes_agent| {
        tokens.get(case).is_some_and(|token| suited.suits(case, token, agent, takes_agent))
    }));
    Ok(known)
}

/// Measures a crawler, and stores the whole report with its access logs, so that a judgement can be checked.
fn measure(
    crawler: &Crawler,
    exec: &str,
    folders: &Folders,
    arguments: &Arguments,
    suite: &Suite,
) -> Result<CrawlReport, String> {
    let folder = folders.install.join("records");
    let file = folder.join(format!("{}.json", crawler.file_name()));
    let mut options = Options::default();
    options.settings.agent.clone_from(&crawler.token);
    options.together = crawler.together;
    options.own_host = crawler.own_host;
    options.settings.jobs = arguments.jobs.into();
    (options.settings.limit, options.limit_together) = (LIMIT, LIMIT_TOGETHER);
    options.again = true;
    let deviations = Deviations::default();
    let run = Run::new(&options, &deviations, suite)?;
    if crawler.names && !arguments.judge {
        crawl_in_namespace(crawler, exec, &file, arguments)?;
    }
    let report = if arguments.judge || crawler.names {
        let kept = Kept::read(&file)?;
        run.judge(exec.to_owned(), kept.subject, kept.crawls)
    } else {
        let command = CrawlerCommand::new(exec).map_err(|error| error.to_string())?;
        run.crawl(&command)
    };
    if !arguments.judge && !crawler.names {
        let text = serde_json::to_string(&record(&report)).map_err(|error| error.to_string())?;
        fs::create_dir_all(&folder)
            .and_then(|()| fs::write(&file, text))
            .map_err(|error| format!("{}: {error}", file.display()))?;
    }
    Ok(report)
}

/// Crawls in a network namespace and stores the report. This function starts the command `robots-conformance`, because
/// the measuring process itself cannot enter a namespace.
fn crawl_in_namespace(
    crawler: &Crawler,
    exec: &str,
    file: &Path,
    arguments: &Arguments,
) -> Result<(), String> {
    let folder = file.parent().unwrap_or(file);
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut command = Command::new(cargo());
    command.args([
        "run",
        "--quiet",
        "--package",
        "robots-conformance-cli",
        "--",
        "live",
        "--again",
    ]);
    command.args(["--net", "namespace", "--exec", exec, "--agent", &crawler.token]);
    command.args(["--limit", &LIMIT.as_secs().to_string()]);
    command.args(["--limit-together", &LIMIT_TOGETHER.as_secs().to_string()]);
    command.args(["--jobs", &arguments.jobs.to_string()]);
    command.args(["--report", &format!("json={}", file.display())]);
    command.args(crawler.own_host.then_some("--own-host"));
    command.args(crawler.together.then_some("--together"));
    let status = command.current_dir(workspace()).stdout(Stdio::null()).status();
    match status.map_err(|error| format!("cargo: {error}"))?.code() {
        Some(0 | 1) => Ok(()),
        _ => Err("`robots-conformance live` failed; its message is above".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use robots_conformance::suite::load;
    use robots_conformance_live as live;
    use robots_conformance_live::verdicts::on_the_wire;

    use super::known;
    use crate::crawlers::Document;
    use crate::measured::Entry as _;

    #[test]
    fn the_document_names_only_cases_of_today_and_charges_them_by_the_faults_of_today() {
        let suite = load::embedded().unwrap();
        let known = known(&suite, &live::load(&suite).unwrap(), &on_the_wire(&suite)).unwrap();
        for entry in Document::read().unwrap().measured {
            let mut revised = entry.clone();
            revised.revise(&known);
            let [written, revised] = [entry, revised].map(|it| serde_json::to_string(&it).unwrap());
            assert!(
                written == revised,
                "survey/crawlers.json is stale; run `cargo survey crawlers --rewrite`"
            );
        }
    }
}
