//! `robots-conformance`: the suite as a command.

use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use clap::{CommandFactory as _, Parser, Subcommand};
use clap_complete::Shell;
use robots_conformance::case::{Case, Expect, Suite};
use robots_conformance::{copy, failure, load, question, render, serve};
use robots_conformance_cli::bulk;
use robots_conformance_cli::live::{self, LiveArgs, ServeArgs};
use robots_conformance_cli::run::{self, ConformanceArgs};
use robots_core::engine::{Engine, Interpreted};
use robots_core::{Crawler, Edition, Options, Profile, RobotsTxt};
use robots_nom_parser::NomParser;

/// Checks robots.txt implementations against four editions of the specification.
#[derive(Parser)]
#[command(version, about)]
struct Command {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Runs the suite against a subject, or against the embedded nom parser
    Run(Box<ConformanceArgs>),
    /// Lets a crawler loose on a small web on this machine, and judges it by what it fetches
    Live(Box<LiveArgs>),
    /// Serves the sites of a case on the wire until standard input ends, then prints what was asked of them
    ServeWeb(ServeArgs),
    /// Lists the cases with their requirements, editions and sources
    List {
        /// Lists the cases of this edition only; repeatable
        #[arg(long = "edition", value_name = "E", value_parser = run::edition)]
        editions: Vec<Edition>,
        /// Lists the cases of this area only; repeatable
        #[arg(long = "area", value_name = "A")]
        areas: Vec<String>,
        /// Lists the cases of `live`
        #[arg(long, conflicts_with = "areas")]
        live: bool,
    },
    /// Shows a case in full: the file, the questions, what each edition expects
    Show {
        /// The case's id
        case: String,
    },
    /// Says whether an agent may fetch a URL, by which rule, and why
    #[command(
        after_help = "Example: robots-conformance explain --agent examplebot robots.txt /page"
    )]
    Explain {
        /// The edition to answer by, or google-cpp
        #[arg(long, value_name = "E", value_parser = run::profile, default_value_t)]
        edition: Profile,
        /// A product token; repeatable, most specific first
        #[arg(long = "agent", value_name = "A", required = true)]
        agents: Vec<String>,
        /// A robots.txt file
        file: PathBuf,
        /// A URL, or its path and query
        url: String,
    },
    /// Answers JSON lines of files, crawlers and URLs with verdicts: a filter for bulk
    #[command(
        after_help = "Example: robots-conformance verdicts < questions.jsonl > verdicts.jsonl\n\n\
                            A line: {\"robots_txt\": \"…\", \"crawler\": \"examplebot\", \"url\": [\"/a\", \"/b\"]}"
    )]
    Verdicts,
    /// Writes the suite as files: YAML, schemas, grammars, and each question with its answer as JSON lines
    Copy {
        /// A folder that is new or empty
        dir: PathBuf,
    },
    /// Answers the protocol's questions with the nom parser: the reference adapter
    Serve {
        /// How many questions may be open at a time
        #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u16).range(1..))]
        pipeline: u16,
    },
    /// Writes completions for a shell
    #[command(after_help = "Example: robots-conformance completions bash > \
                            ~/.local/share/bash-completion/completions/robots-conformance")]
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Writes a manual page
    #[command(after_help = "Example: robots-conformance man | man -l -")]
    Man,
}

fn main() -> ExitCode {
    let done = match Command::parse().verb {
        Verb::Run(arguments) => {
            let engines: [Arc<dyn Engine>; 1] = [Arc::new(Interpreted(NomParser))];
            return run::run(&arguments, &engines, "robots-conformance run");
        }
        Verb::Live(arguments) => return live::run(&arguments),
        Verb::ServeWeb(arguments) => return live::serve(&arguments),
        Verb::List { editions, live: true, .. } => {
            live::list(&editions).and_then(|text| print(&text))
        }
        Verb::List { editions, areas, .. } => list(&editions, &areas),
        Verb::Show { case } => match live::show(&case) {
            Ok(text) => print(&text),
            Err(_) => show(&case),
        },
        Verb::Explain { edition, agents, file, url } => explain(edition, &agents, &file, &url),
        Verb::Verdicts => verdicts(),
        Verb::Copy { dir } => suite().and_then(|suite| {
            let files = copy::copy(&suite, &dir)?;
            print(&format!("{files} files in {}\n", dir.display()))
        }),
        Verb::Serve { pipeline } => answer(pipeline.into()),
        Verb::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Command::command(), NAME, &mut script);
            print(&String::from_utf8_lossy(&script))
        }
        Verb::Man => manual(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => run::usage(&message),
    }
}

const NAME: &str = "robots-conformance";

fn answer(pipeline: usize) -> Result<(), String> {
    let version = Some(env!("CARGO_PKG_VERSION"));
    let engine = Interpreted(NomParser);
    serve::serve(&engine, version, pipeline, io::stdin().lock(), io::stdout()).or_else(|error| {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Ok(()),
            _ => Err(format!("cannot answer: {error}")),
        }
    })
}

fn verdicts() -> Result<(), String> {
    let start = Instant::now();
    let input = io::BufReader::with_capacity(1 << 16, io::stdin());
    let output = io::BufWriter::with_capacity(1 << 16, io::stdout());
    let counts = match bulk::run(&NomParser, input, output) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
        counts => counts.map_err(|error| format!("cannot go on: {error}"))?,
    };
    let seconds = start.elapsed().as_secs_f64().max(1e-9);
    #[expect(clippy::cast_precision_loss, reason = "rates for people")]
    let rate = |count: u64| count as f64 / seconds;
    anstream::eprintln!(
        "{} lines, {} errors, {} verdicts in {seconds:.2} s: {:.0} verdicts/s, {:.1} MB/s of robots.txt",
        counts.lines,
        counts.errors,
        counts.verdicts,
        rate(counts.verdicts),
        rate(counts.octets) / 1e6,
    );
    Ok(())
}

/// Writes the page of the command, then those of its verbs.
fn manual() -> Result<(), String> {
    let mut out = Vec::new();
    let mut command = Command::command().name(NAME);
    command.build();
    let verbs = command.get_subcommands().cloned();
    let pages: Vec<clap::Command> = std::iter::once(command.clone()).chain(verbs).collect();
    for page in pages {
        clap_mangen::Man::new(page).render(&mut out).map_err(|error| error.to_string())?;
    }
    print(&String::from_utf8_lossy(&out))
}

/// Prints text; a reader that has seen enough is no error.
fn print(text: &str) -> Result<(), String> {
    let mut stdout = anstream::stdout();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(format!("cannot write to standard output: {error}"))
        }
        _ => Ok(()),
    }
}

fn suite() -> Result<Suite, String> {
    load::embedded().map_err(|problems| problems.to_string())
}

fn list(editions: &[Edition], areas: &[String]) -> Result<(), String> {
    let suite = suite()?;
    run::known_areas(&suite, areas)?;
    let asks = |case: &Case| {
        (areas.is_empty() || areas.contains(&case.area))
            && (editions.is_empty()
                || editions.iter().any(|edition| case.expect.contains_key(edition)))
    };
    let mut text = String::new();
    for case in suite.cases.iter().filter(|case| asks(case)) {
        let source =
            |(edition, expect): (&Edition, &Expect)| format!("{edition} ({})", expect.source);
        let sources: Vec<String> = case.expect.iter().map(source).collect();
        let (area, id, requirement) = (&case.area, &case.id, &case.requirement);
        let _ = writeln!(
            text,
            "{area}::{id}  {requirement}  {}  {}",
            case.about.trim(),
            sources.join(", ")
        );
    }
    print(&text)
}

fn show(id: &str) -> Result<(), String> {
    let suite = suite()?;
    let id = id.rsplit("::").next().unwrap_or(id);
    let case = suite.case(id).ok_or_else(|| {
        format!("no case has the id {id:?}; `robots-conformance list` prints them")
    })?;
    let mut text = String::new();
    let _ = writeln!(text, "{}::{}  (spec-cases/{})", case.area, case.id, case.place);
    let _ = writeln!(text, "  {}", case.about.trim());
    if let Some(requirement) = suite.requirement(&case.requirement) {
        let _ = writeln!(text, "  {}: {}", requirement.id, requirement.says.trim());
    }
    for trial in question::of_case(case) {
        let expect = trial.expect();
        let row = expect.row.as_ref().map_or_else(String::new, |row| format!(", row {row:?}"));
        let _ = writeln!(text, "\n{}  ({}, {}{row})", trial.name(), expect.level, expect.source);
        if let Some(octets) = trial.member().subject.robots_txt() {
            let _ = write!(text, "{}", render::octets(octets));
        }
        let _ = writeln!(text, "  {}", render::question(&trial.member().subject));
        let conforming = render::conforming(trial.conforming());
        let _ = writeln!(text, "  → {}", conforming.replace('\n', "\n    "));
        if let Some(why) = &expect.why {
            let _ = writeln!(text, "  for {}", why.trim());
        }
    }
    let filter = failure::quoted(&format!("::{id}::"));
    let _ = writeln!(text, "\nrun: robots-conformance run --filter {filter}");
    print(&text)
}

fn explain(profile: Profile, agents: &[String], file: &PathBuf, url: &str) -> Result<(), String> {
    let body =
        fs::read(file).map_err(|error| format!("cannot read {}: {error}", file.display()))?;
    let robots = RobotsTxt::parse(&NomParser, body.as_slice(), Options::default().profile(profile));
    if agents.iter().any(String::is_empty) {
        return Err("--agent is empty; name the crawler by its product token".to_owned());
    }
    let verdict = match profile.edition() {
        Some(_) => {
            let crawler = Crawler::new(agents)
                .map_err(|error| format!("--agent {}: {error}", agents.join(", ")))?;
            robots.try_verdict(&crawler, url)
        }
        None => robots.try_verdict(&Crawler::as_given(agents), url),
    };
    let verdict = verdict.map_err(|error| format!("{url:?}: {error}"))?;
    print(&format!("{verdict}\n"))
}
