//! The command `robots-conformance`.
//!
//! [`main()`] parses the command line and calls the library for each verb. Only this program names the parser; the
//! library works with any parser. `run` and `live` return an exit status for their result. If another verb fails, the
//! exit status is that of a usage error. `command.rs` defines the verbs and options.

// The command line and its verbs.
mod command;

use std::collections::BTreeMap;
use std::io;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{CommandFactory as _, Parser as _};
use robots_conformance::kind;
use robots_conformance::report::{CaseRecord, Cases};
use robots_conformance::run::selection::Selection;
use robots_conformance::run::trial;
use robots_conformance::suite::Suite;
use robots_conformance::suite::load;
use robots_conformance::{render, serve};
use robots_conformance_cli::lookup::{self, Found};
use robots_conformance_cli::{copy, live, pages, run, vectors};
use robots_console::error::Error;
use robots_console::output::{self, print};
use robots_console::render::hint;
use robots_console::render::quoted;
use robots_console::shell;
use robots_core::engine::{Engine, Interpreted};
use robots_core::{Edition, Profile};
use robots_google_cpp::WithGoogleCpp;
use robots_nom_parser::NomParser;

use self::command::{Command, Verb};

fn main() -> ExitCode {
    let Command { output, verb } = Command::parse();
    output.apply();
    let done = match verb {
        Verb::Run(arguments) => {
            let engines: [Arc<dyn Engine>; 1] = [Arc::new(engine())];
            return run::run(&arguments, &engines, "robots-conformance run");
        }
        Verb::Live(arguments) => return live::run(&arguments),
        Verb::ServeWeb(arguments) => return live::serve(&arguments),
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
        Verb::Copy { dir } => suite().and_then(|suite| {
            let files = copy::copy(&suite, &dir)?;
            if output::is_quiet() {
                return Ok(());
            }
            print(&format!("{files} files in {}\n", dir.display()))
        }),
        Verb::Vectors { timelines, schema } => {
            let flat = if timelines { vectors::TIMELINES } else { vectors::VECTORS };
            if schema {
                print(flat.schema())
            } else {
                suite().and_then(|suite| print(&flat.text(&suite)))
            }
        }
        Verb::Serve { pipeline } => answer(pipeline.into()),
        Verb::Completions(arguments) => shell::completions(Command::command(), arguments),
        Verb::Man(arguments) => shell::man(Command::command(), &arguments),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => output::usage(&message),
    }
}

/// Returns the built-in engine.
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
    let cases = if are_live { live::records(&suite)?.collect() } else { Cases::of(&suite) };
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
    let cases: Cases = questions.chain(live::records(&suite)?).collect();
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
        _ => return Err(format!("{name:?} cannot be shown").into()),
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
