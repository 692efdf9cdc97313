//! The command `robots-conformance`: for people who implement robots.txt.
//!
//! [`main()`] parses the command line and calls the module of each verb. `run` and `live` return an exit status for their
//! result. If another verb fails, the exit status is that of a usage error. `command.rs` defines the verbs and options.
//! The library `robots-conformance` asks the questions and judges the answers. Only this file names the engines.

// The search for a case or requirement by name.
mod lookup;
// Signals.
mod ending;
// Options with named values.
#[cfg(feature = "live")]
mod choice;
// The destinations of reports.
mod target;
// The JSON reports of earlier runs.
mod stored;
// The pages of `list` and `show`.
mod pages;
// The suite as flat files.
mod vectors;
// The suite as a copy for others.
mod copy;
// The verb that asks subjects.
mod run;
// The differences between two reports.
mod compare;
// The verb that runs a crawler.
#[cfg(feature = "live")]
mod live;
// The command line and its verbs.
mod command;

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use robots_conformance::engine::Profile;
use robots_conformance::engine::{Engine, Interpreted};
use robots_conformance::report::{CaseRecord, Cases, TrialRecord};
use robots_conformance::run::selection::Selection;
use robots_conformance::run::trial;
use robots_conformance::suite::{Suite, load};
use robots_conformance::{kind, serve};
use robots_console::error::Error;
use robots_console::output::{self, print};
use robots_console::render::{self, hint, quoted};
use robots_core::Edition;
use robots_google_cpp::WithGoogleCpp;
use robots_nom_parser::{NomParser, ScanParser};

use self::command::{Command, Verb};
use self::compare::Comparison;
use self::lookup::Found;
use self::vectors::{Change, Changes, Flat};

fn main() -> ExitCode {
    let Command { output, verb } = Command::read();
    output.apply();
    let done = match verb {
        Verb::Run(arguments) => {
            let embedded: [Arc<dyn Engine>; 2] =
                [Arc::new(engine()), Arc::new(Interpreted(ScanParser))];
            return run::run(&arguments, &embedded);
        }
        #[cfg(feature = "live")]
        Verb::Live(arguments) => return live::run(&arguments),
        #[cfg(feature = "live")]
        Verb::ServeWeb(arguments) => return live::serve(&arguments),
        #[cfg(feature = "live")]
        Verb::List { json: true, .. } => {
            suite().and_then(|suite| print(&live::json_lines(&suite)?))
        }
        Verb::List { editions, areas, requirements, live, .. } => {
            list(&editions, &areas, &requirements, live)
        }
        Verb::Show { name } => show(&name),
        Verb::Editions { one, other } => {
            suite().and_then(|suite| print(&pages::editions(&suite, one, other)))
        }
        Verb::Copy { dir, check: true, .. } => {
            match suite().and_then(|suite| vectors::check(&suite, &dir)) {
                Ok(problems) if problems.is_empty() => Ok(()),
                Ok(problems) => {
                    output::to_stderr(&problems.join("\n"));
                    return ExitCode::FAILURE;
                }
                Err(error) => Err(error),
            }
        }
        Verb::Copy { dir, vectors, editions, .. } => suite().and_then(|suite| {
            let files = if vectors {
                vectors::copy(&suite, &editions, &dir)
            } else {
                copy::copy(&suite, &dir)
            }?;
            if output::is_quiet() {
                return Ok(());
            }
            print(&format!("{files} files in {}\n", dir.display()))
        }),
        Verb::Vectors { edition, other, timelines, schema } => {
            let flat = match (other, timelines) {
                (true, _) => vectors::OTHER,
                (_, true) => vectors::TIMELINES,
                _ => Flat::of(edition),
            };
            if schema {
                print(flat.schema())
            } else {
                suite().and_then(|suite| print(&flat.text(&suite, &Changes::embedded()?)))
            }
        }
        Verb::Compare { old, new } => {
            let reports = stored::read(&old).and_then(|old| Ok((old, stored::read(&new)?)));
            match reports.and_then(|(old, new)| Comparison::of(&old, &new)) {
                Ok(differences) if differences.is_broken() => {
                    return print(&differences.text())
                        .map_or_else(|error| output::usage(&error), |()| ExitCode::FAILURE);
                }
                differences => differences.and_then(|differences| print(&differences.text())),
            }
        }
        Verb::Changes { against: Some(folder), .. } => {
            let problems =
                suite().and_then(|suite| vectors::unlisted(&suite, &Changes::embedded()?, &folder));
            match problems.as_deref() {
                Ok([]) => print("no unlisted change\n"),
                Ok(problems) => {
                    return print(&(problems.join("\n") + "\n"))
                        .map_or_else(|error| output::usage(&error), |()| ExitCode::FAILURE);
                }
                Err(_) => problems.map(drop),
            }
        }
        Verb::Changes { since, report, .. } => {
            changes(&since.unwrap_or_default(), report.as_deref())
        }
        Verb::Serve { pipeline } => answer(pipeline.into()),
        #[cfg(feature = "shell")]
        Verb::Completions(arguments) => {
            robots_console::shell::completions(command::definition(), arguments)
        }
        #[cfg(feature = "shell")]
        Verb::Man(arguments) => robots_console::shell::man(command::definition(), &arguments),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => output::usage(&message),
    }
}

/// Returns the engine of `serve`, which is the default of `run`.
fn engine() -> WithGoogleCpp<Interpreted<NomParser>> {
    WithGoogleCpp::new(Interpreted(NomParser))
}

fn answer(pipeline: usize) -> Result<(), Error> {
    let version = Some(env!("CARGO_PKG_VERSION"));
    serve::serve(&engine(), version, pipeline, io::stdin().lock(), io::stdout()).or_else(|error| {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Ok(()),
            _ => Err(format!("cannot answer: {error}").into()),
        }
    })
}

fn suite() -> Result<Suite, Error> {
    Ok(load::embedded()?)
}

/// Returns the live cases.
#[cfg(feature = "live")]
fn live_cases(suite: &Suite) -> Result<Vec<CaseRecord>, Error> {
    Ok(live::records(suite)?.collect())
}

/// Returns no case: a build without the feature has no live cases.
#[cfg(not(feature = "live"))]
#[allow(clippy::unnecessary_wraps, reason = "with the feature, the cases may have problems")]
fn live_cases(_: &Suite) -> Result<Vec<CaseRecord>, Error> {
    Ok(Vec::new())
}

/// Lists the changes after a version. With a report, lists only those of questions that failed in it.
fn changes(since: &str, report: Option<&Path>) -> Result<(), Error> {
    let failed: Option<Vec<String>> = report
        .map(|path| {
            let records = stored::read(path)?;
            let trials = records.iter().flat_map(|record| &record.trials);
            let failed = trials.filter(|trial| trial.outcome.is_wrong());
            Ok::<_, Error>(failed.map(TrialRecord::question).collect())
        })
        .transpose()?;
    let changes = Changes::embedded()?;
    let is_asked = |change: &&Change| failed.as_ref().is_none_or(|ids| change.concerns(ids));
    let lines: String =
        changes.since(since)?.filter(is_asked).map(|change| format!("{change}\n")).collect();
    print(if lines.is_empty() { "no changes\n" } else { &lines })
}

/// Lists the cases of the suite, or the live cases.
fn list(
    editions: &[Edition],
    areas: &[String],
    requirements: &[String],
    are_live: bool,
) -> Result<(), Error> {
    let suite = suite()?;
    run::known_areas(&suite.areas(), areas)?;
    if let Some(id) = requirements.iter().find(|id| suite.requirement(id).is_none()) {
        let known = suite.requirements.iter().map(|known| known.id.as_str());
        let hint = hint(id, "requirements", known);
        return Err(format!("unknown requirement {id:?}; {hint}").into());
    }
    let mut selection = Selection::default();
    selection.profiles = editions.iter().copied().map(Profile::from).collect();
    selection.areas = areas.to_vec();
    let cases =
        if are_live { live_cases(&suite)?.into_iter().collect() } else { Cases::of(&suite) };
    let asks = |case: &&CaseRecord| {
        let mut asked = case.expect.iter().map(|expect| expect.profile);
        selection.has_area(&case.area)
            && (requirements.is_empty() || requirements.contains(&case.requirement))
            && asked.any(|profile| selection.has_profile(profile))
    };
    print(&pages::list(cases.iter().filter(asks)))
}

/// Shows a case, a live case, a trial or a requirement. A trial is shown with the answer of the nom parser.
fn show(name: &str) -> Result<(), Error> {
    let suite = suite()?;
    let questions = suite.cases.iter().map(|case| CaseRecord::of(case, &suite));
    let cases: Cases = questions.chain(live_cases(&suite)?).collect();
    let page = match lookup::find(&suite, &cases, name)? {
        Found::Case(case, trials) => {
            let filter = match &trials[..] {
                [trial] => format!("::{}", trial.name),
                _ => format!("::{}::", case.id),
            };
            let next = match suite.case(&case.id) {
                Some(_) => format!("run: robots-conformance run --filter {}", quoted(&filter)),
                None => format!("serve: robots-conformance serve-web {}", case.id),
            };
            pages::case(case, &trials, &answers(&suite, &case.id), &next)
        }
        Found::Requirement(requirement) => pages::requirement(&suite, requirement),
    };
    print(&page)
}

/// Returns the nom parser's answers to the trials of a case, with the reasons, by the name of the trial. A live case has
/// no answers.
fn answers(suite: &Suite, id: &str) -> BTreeMap<String, String> {
    let Some(case) = suite.case(id) else { return BTreeMap::new() };
    let trials = trial::of_case(case).into_iter().chain(trial::observed_of(case));
    let answered = trials.map(|trial| {
        let answer = engine().answer(&trial.question());
        let text = kind::evidence(&answer).map_or_else(|| kind::answer_text(&answer), render::text);
        (trial.name().to_owned(), text)
    });
    answered.collect()
}
