//! The verb `live`: runs a crawler on a local test server and judges what it fetched.
//!
//! The library `robots-conformance-live` crawls and judges. This module reads the arguments. The results
//! are reported like those of [`crate::run`]. Start at [`run()`].

mod attached;
mod inside;
mod web;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anstyle::AnsiColor;
use clap::Args;
use robots_conformance::engine::Profile;
use robots_conformance::report::Cases;
use robots_conformance::run::draft;
use robots_conformance::run::outcome::OutcomeKind;
use robots_conformance_live::{
    self as live, CaseSelection, CrawlReport, CrawlerCommand, Kept, Options, Run, Subject,
};
use robots_console::render::quoted;
use robots_core::Edition;
use robots_test_web::Net;

use self::attached::Attached;
use self::inside::NETS;
pub(crate) use self::web::{ServeArgs, json_lines, records, serve};
use crate::choice::choice;
use crate::ending::Ending;
use crate::run::reports::Reports;
use crate::run::{self, TrialArgs};
use crate::vectors::Changes;
use robots_conformance::report::record::RunRecord;
use robots_console::error::Error;
use robots_console::output;
use robots_console::output::seconds;

const EXAMPLES: &str = "\
Examples:
  A crawler by its command; {seed} is where it begins, and it starts in an empty folder that is removed:
    robots-conformance live --agent wget --exec 'wget -r -l 6 -H -q -T 3 -t 2 {seed}'
  One that takes long to start crawls all cases at once:
    robots-conformance live --together --exec 'python3 {cwd}/crawl.py {agent} {seed}' --report junit=live.xml
  Host names, default ports, https without a port (Linux):
    robots-conformance live --agent wget --net namespace --exec 'wget -r -l 6 -H -q -T 3 -t 2 {seed}'
  A crawler that is a service: the address is printed, and Enter judges what it fetched until then:
    robots-conformance live --attach --agent examplebot
  List the known failures with reasons, so that only other failures fail the run:
    robots-conformance live --exec '…' --write-deviations known.yaml
    robots-conformance live --exec '…' --deviations known.yaml
  The access logs of a run are judged again, by other editions or a later suite:
    robots-conformance live --judge live.json --edition google-2022

The command is split into words without a shell, and then the placeholders are replaced: {seed} is the start URL, \
{seeds} a file with one start URL on each line, {agent} the product token, {dir} the crawler's empty folder, {ca} the \
certificate to trust, {hosts} the hosts file, {edition} the edition, and {cwd} the folder in which \
robots-conformance was called.";

/// The arguments of `live`.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct LiveArgs {
    /// The crawler's command
    #[arg(long, value_name = "TEMPLATE", required_unless_present_any = ["attach", "judge"])]
    pub(crate) exec: Option<String>,
    /// Starts no crawler: prints the URL where one must begin, and judges after Enter or SIGINT
    #[arg(long, conflicts_with_all = ["exec", "together", "jobs", "limit", "limit_together", "again"])]
    pub(crate) attach: bool,
    /// Crawls nothing, and judges the access logs in a JSON report
    #[arg(long, value_name = "REPORT", conflicts_with_all = ["exec", "attach", "again"])]
    pub(crate) judge: Option<PathBuf>,
    /// The crawler's product token, which the robots.txt files name
    #[arg(long, value_name = "TOKEN", default_value = "examplebot")]
    pub(crate) agent: String,
    /// Judges by this edition, or by the draft aipref-2026-08; repeatable
    #[arg(long = "edition", value_name = "E", default_value = "rfc9309")]
    pub(crate) editions: Vec<Edition>,
    /// The kind of network for the test server
    #[arg(long, value_parser = choice(NETS), default_value = NETS[0].0)]
    pub(crate) net: Net,
    /// Selects the cases: those about fetching, redirects and failures, or the suite's verdicts
    #[arg(long, value_parser = choice(CASES), default_value = CASES[0].0)]
    pub(crate) cases: CaseSelection,
    /// The arguments that the verb `run` has too
    #[command(flatten)]
    pub(crate) trials: TrialArgs,
    /// The crawler stays on one host: selects only the cases with one origin; give it {seeds}
    #[arg(long)]
    pub(crate) own_host: bool,
    /// Continues with a crawler that ends within a second and without a request, three times in a row
    #[arg(long)]
    pub(crate) keep_going: bool,
    /// Crawls all cases with one process. Verdict cases are always crawled in this way
    #[arg(long)]
    pub(crate) together: bool,
    /// How many cases are crawled at a time [default: twice the number of processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) jobs: Option<u16>,
    /// The time limit for the crawl of a case
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "30")]
    pub(crate) limit: Duration,
    /// The time limit for a crawl of many cases
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "600")]
    pub(crate) limit_together: Duration,
    /// Crawls a case a second time, alone, if the crawler did not fetch the control pages or was still working at the
    /// limit; the second crawl counts
    #[arg(long)]
    pub(crate) again: bool,
}

/// The values of `--cases`, with their help texts.
const CASES: &[(&str, CaseSelection, &str)] = &[
    ("all", CaseSelection::All, "All cases"),
    ("wire", CaseSelection::Wire, "The cases of `live/crawling.yaml`"),
    (
        "verdicts",
        CaseSelection::Verdicts,
        "The suite's verdict cases that can be tested with a crawler",
    ),
];

/// Runs the cases against the crawler in the arguments.
///
/// The status is 0 if no trial failed. The status is 1 if a trial failed, an entry of the deviations file is no longer
/// valid, no trial was decided, or the run gave up on the crawler. The status is 2 if the arguments select nothing or a
/// report cannot be written. If a signal ended the run, the status depends on the signal.
pub(crate) fn run(arguments: &LiveArgs) -> ExitCode {
    inside::run(arguments.net, || {
        let ending = Ending::watch();
        let results = reported(arguments, &ending);
        let results = results.map(|(record, unwritten)| (vec![record], unwritten));
        run::status(results, &ending, |record| record.clean)
    })
}

/// Crawls and judges, writes the reports, and prints the failures. The second value of the result describes the reports
/// that could not be written.
fn reported(arguments: &LiveArgs, ending: &Ending) -> Result<(RunRecord, Option<String>), Error> {
    let mut outputs = Reports::open(&arguments.trials.reports)?;
    let deviations = arguments.trials.deviations()?;
    let suite = robots_conformance::suite::load::embedded()?;
    let options = arguments.options();
    if options.settings.agent.is_empty() {
        return Err("--agent is empty; name the crawler by its product token".into());
    }
    let crawler: Box<dyn Subject> = match &arguments.exec {
        Some(template) => {
            let command = CrawlerCommand::new(template)
                .map_err(|error| Error::new(format!("--exec: {error}")))?;
            Box::new(command.ending(Arc::clone(&ending.is_ending)))
        }
        None => Box::new(Attached { ending: ending.clone() }),
    };
    let run = Run::new(&options, &deviations, &suite)?;
    run::known_areas(&run.areas(), &arguments.trials.areas)?;
    if run.is_empty() {
        return Err(match &arguments.trials.filter {
            Some(text) => Error::new(format!(
                "no case has a name (crawler::area::case::edition) that contains {text:?}"
            )),
            None => Error::new("no case of these areas has an expectation for these editions"),
        });
    }
    let cases: Cases = run.cases().map(|case| live::case_record(case, Some(&suite))).collect();
    let trials = run.trials();
    let report = match &arguments.judge {
        Some(path) => {
            let Kept { subject, command, crawls, .. } = Kept::read(path)?;
            run.judge(command.unwrap_or_default(), subject, crawls)
        }
        None => run.crawl(&*crawler),
    };
    let mut record = report.record();
    let changes = Changes::embedded()?;
    record.trials.iter_mut().for_each(|trial| changes.mark(trial));
    outputs.begin(&record.subject, record.command.as_deref(), trials);
    record.trials.iter().for_each(|trial| outputs.trial(trial));
    outputs.end(&record);
    let command = arguments.again(&report);
    arguments.trials.print_failures(&record, &cases, &command, &arguments.editions);
    undecided(&report);
    if let Some(why) = &report.gave_up {
        let red = AnsiColor::Red.on_default().bold();
        output::to_stderr(&format!(
            "\n{red}GIVEN UP{red:#}: {why}\nThe other cases were not run. Check the command; --keep-going runs them \
             anyway."
        ));
    }
    let draft = arguments.trials.draft(|why| draft::draft(&report.run, why));
    let (records, sources) = (std::slice::from_ref(&record), arguments.trials.sources.as_ref());
    let unwritten = outputs.finish(records, &cases, sources, draft).err();
    Ok((record, unwritten))
}

/// Prints the number of undecided crawls for each reason, and the last output of the crawler in one of these crawls.
fn undecided(report: &CrawlReport) {
    let kinds = [
        (
            OutcomeKind::Inconclusive,
            "the crawler did not fetch the control pages, or spelt a URL in another way than its link",
        ),
        (OutcomeKind::Waited, "the crawler was still at work at the time limit"),
    ];
    let note = AnsiColor::Yellow.on_default().bold();
    for (kind, meaning) in kinds {
        let trials = report.run.trials.iter().filter(|trial| trial.outcome.kind() == kind);
        let mut crawls: Vec<usize> = trials.map(|trial| trial.crawl).collect();
        crawls.dedup();
        if crawls.is_empty() {
            continue;
        }
        let shown: Vec<&str> =
            crawls.iter().take(5).map(|crawl| report.crawls[*crawl].case.id.as_str()).collect();
        let more = if crawls.len() > shown.len() { ", …" } else { "" };
        let (count, shown) = (crawls.len(), shown.join(", "));
        output::to_stderr(&format!(
            "\n{note}note{note:#}: {count} {kind}, because {meaning}: {shown}{more}"
        ));
        let stayed =
            crawls.iter().filter(|crawl| report.crawls[**crawl].stayed_on_its_host()).count();
        if kind == OutcomeKind::Inconclusive && stayed > 0 && !report.crawler.contains("{seeds}") {
            output::to_stderr(&format!(
                "In {stayed} of them the crawler did not leave the host of its start URL. If it always stays there, \
                 start it with {{seeds}}, a file with the start URLs, and add --own-host."
            ));
        }
        let words = crawls.iter().find_map(|crawl| report.crawls[*crawl].last_words.as_ref());
        if let Some(words) = words {
            output::to_stderr(&format!("The crawler wrote last: {words}"));
        }
    }
}

impl LiveArgs {
    /// Returns a command that repeats the run for the same crawler or report. The command names no edition and no case,
    /// because `print_failures` adds `--edition`, and each block of failures adds `--filter`.
    fn again(&self, report: &CrawlReport) -> String {
        let net = if self.net == Net::Namespace { " --net namespace" } else { "" };
        let who = match &self.judge {
            Some(path) => format!("--judge {}", quoted(&path.to_string_lossy())),
            None if self.attach => "--attach".to_owned(),
            None => format!("--exec {}", quoted(&report.crawler)),
        };
        let net = if self.own_host { format!("{net} --own-host") } else { net.to_owned() };
        let agent = quoted(&report.run.subject);
        format!("robots-conformance live{net} --agent {agent} {who}")
    }

    fn options(&self) -> Options {
        let mut options = Options::default();
        let settings = &mut options.settings;
        settings.agent.clone_from(&self.agent);
        let profiles = self.editions.iter().copied().map(Profile::from);
        options.selection = self.trials.selection(profiles);
        settings.net = self.net;
        settings.jobs = self.jobs.map_or(settings.jobs, usize::from);
        (settings.limit, settings.keep_going) = (self.limit, self.keep_going);
        settings.own_host = self.own_host;
        (options.cases, options.together) = (self.cases, self.together);
        options.limit_together = self.limit_together;
        options.again = self.again;
        options
    }
}
