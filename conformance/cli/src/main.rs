//! The command `robots-conformance`.

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use clap::{CommandFactory as _, Parser, Subcommand};
use clap_complete::Shell;
use robots_conformance::kind;
use robots_conformance::run::selection::Selection;
use robots_conformance::suite::Suite;
use robots_conformance::suite::case::Case;
use robots_conformance::suite::load;
use robots_conformance::{render, serve};
use robots_conformance_cli::check::{self, CheckArgs};
use robots_conformance_cli::console::{self, print};
use robots_conformance_cli::diff::{self, DiffArgs};
use robots_conformance_cli::error::Error;
use robots_conformance_cli::explain::{self, Explained};
use robots_conformance_cli::fetch::{self, FetchArgs, Fetcher};
use robots_conformance_cli::lint::{self, Input, LintArgs};
use robots_conformance_cli::live::{self, LiveArgs, ServeArgs};
use robots_conformance_cli::lookup::{self, Found};
use robots_conformance_cli::run::{self, ConformanceArgs};
use robots_conformance_cli::served::{self, ServedArgs};
use robots_conformance_cli::{bulk, copy, pages, vectors};
use robots_core::engine::{Engine, Interpreted};
use robots_core::{Edition, Profile};
use robots_google_cpp::WithGoogleCpp;
use robots_nom_parser::NomParser;

/// Checks robots.txt implementations against four editions of the specification, and a draft if it is named.
#[derive(Parser)]
#[command(
    version,
    about,
    after_help = concat!(
        "Documentation: ",
        env!("CARGO_PKG_REPOSITORY")
    )
)]
struct Command {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Runs the suite against a subject, or against the embedded nom parser
    Run(Box<ConformanceArgs>),
    /// Runs a crawler against a local test server and checks what it fetched
    Live(Box<LiveArgs>),
    /// Serves the sites of a live case until standard input ends, then prints the requests
    ServeWeb(ServeArgs),
    /// Lists the cases with their requirements, editions and sources
    List {
        /// Lists the cases of this edition only, or of the draft aipref-2026-08; repeatable
        #[arg(long = "edition", value_name = "E")]
        editions: Vec<Edition>,
        /// Lists only the cases of this area; repeatable
        #[arg(long = "area", value_name = "A")]
        areas: Vec<String>,
        /// Lists only the cases of this requirement; repeatable
        #[arg(long = "requirement", value_name = "ID")]
        requirements: Vec<String>,
        /// Lists the cases of `live` instead
        #[arg(long, conflicts_with_all = ["areas", "requirements"])]
        live: bool,
    },
    /// Shows a case in full, a trial of it, or a requirement with its cases
    #[command(after_help = "Examples:\n  \
                            robots-conformance show path-fish-prefix\n  \
                            robots-conformance show nom::path-matching::path-fish-prefix::rfc9309::/catfish\n  \
                            robots-conformance show path-matching.yaml:12\n  \
                            robots-conformance show MATCH-STAR")]
    Show {
        /// A case's id, a trial's name as any report prints it, file.yaml:line, or a requirement's id
        name: String,
    },
    /// Reports which URLs a change of a robots.txt opens or closes, and for which crawlers
    Diff(DiffArgs),
    /// Checks that a robots.txt does what it is meant to do: agents, URLs, sitemaps
    Check(CheckArgs),
    /// Checks that a site serves the robots.txt that was committed
    Served(ServedArgs),
    /// Shows the cases that two editions answer differently, by requirement
    Editions {
        /// An edition
        one: Edition,
        /// Another edition
        other: Edition,
    },
    /// Fetches robots.txt and shows the request, each redirect, the answer, its meaning, the rules and the verdict
    #[command(
        after_help = "Example: robots-conformance fetch --agent examplebot https://example.com/page"
    )]
    Fetch(FetchArgs),
    /// Reports problems in a robots.txt and how to fix them
    Lint(LintArgs),
    /// Reports whether an agent may fetch a URL, by which rule, and why; or the nom parser's answer to a trial
    #[command(
        after_help = "Examples:\n  robots-conformance explain --agent examplebot robots.txt /page\n  \
                      robots-conformance explain --agent examplebot https://example.com /page\n  \
                      curl -s https://example.com/robots.txt | robots-conformance explain --user-agent \
                      'Mozilla/5.0 (compatible; examplebot/1.0)' - /page\n  \
                      robots-conformance explain path-matching::path-fish-prefix::rfc9309::/catfish\n\n\
                      With a URL, the status is 0 if it may be fetched, and 1 if not. Findings that bear on the \
                      answer follow it.",
        group(clap::ArgGroup::new("crawler").args(["agents", "user_agent"]))
    )]
    Explain {
        /// The edition to answer by, the draft aipref-2026-08, or google-cpp
        #[arg(long, value_name = "E", default_value_t)]
        edition: Profile,
        /// A product token; repeatable, most specific first
        #[arg(long = "agent", value_name = "A", requires = "url")]
        agents: Vec<String>,
        /// A whole User-Agent header instead; the product tokens are taken from it
        #[arg(long, value_name = "HEADER", requires = "url", conflicts_with = "agents")]
        user_agent: Option<String>,
        /// A robots.txt file, `-` for standard input, or an origin whose file is fetched; without a URL, the name of a
        /// case or a trial as any report prints it
        #[arg(value_name = "FILE|-|ORIGIN|TRIAL")]
        file: Input,
        /// A URL, or its path and query
        #[arg(requires = "crawler")]
        url: Option<String>,
    },
    /// Answers JSON lines of files, crawlers and URLs with verdicts: a filter for many questions
    #[command(
        after_help = "Example: robots-conformance verdicts < questions.jsonl > verdicts.jsonl\n\n\
                            A line: {\"robots_txt\": \"…\", \"crawler\": \"examplebot\", \"url\": [\"/a\", \"/b\"]}"
    )]
    Verdicts {
        /// Lets a line name a `file`: a regular file below this folder; the default is the current folder
        #[arg(long, value_name = "ROOT", num_args = 0..=1, default_missing_value = ".")]
        files: Option<PathBuf>,
        /// Fetches robots.txt for lines without a file, only from public addresses
        #[arg(long)]
        fetch: bool,
        /// Also lets `--fetch` connect to private addresses
        #[arg(long, requires = "fetch")]
        allow_private: bool,
    },
    /// Writes the suite as files: YAML, schemas, grammars, and each question with its answer as JSON lines
    Copy {
        /// A new or empty folder
        dir: PathBuf,
    },
    /// Writes the closed questions for parsers as one flat JSON file, for any test framework
    #[command(after_help = "Examples:\n  robots-conformance vectors > tests/vectors.json\n  \
                            robots-conformance vectors --schema > tests/vectors.schema.json\n  \
                            robots-conformance vectors --timelines > tests/fetch-vectors.json")]
    Vectors {
        /// Writes the timelines for programs that fetch instead
        #[arg(long)]
        timelines: bool,
        /// Writes the file's JSON Schema instead
        #[arg(long)]
        schema: bool,
    },
    /// Answers the protocol's questions with the nom parser: the reference adapter
    Serve {
        /// The number of questions that may be open at a time
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
            let engines: [Arc<dyn Engine>; 1] = [Arc::new(engine())];
            return run::run(&arguments, &engines, "robots-conformance run");
        }
        Verb::Live(arguments) => return live::run(&arguments),
        Verb::ServeWeb(arguments) => return live::serve(&arguments),
        Verb::List { editions, live: true, .. } => {
            live::list(&editions).and_then(|text| print(&text))
        }
        Verb::List { editions, areas, requirements, live: false } => {
            list(&editions, &areas, &requirements)
        }
        Verb::Show { name } => match live::show(&name) {
            Ok(text) => print(&text),
            Err(_) => show(&name),
        },
        Verb::Diff(arguments) => return diff::run(&NomParser, &arguments),
        Verb::Check(arguments) => return check::run(&NomParser, &arguments),
        Verb::Served(arguments) => return served::run(&NomParser, &arguments),
        Verb::Editions { one, other } => {
            suite().and_then(|suite| print(&pages::editions(&suite, one, other)))
        }
        Verb::Lint(arguments) => return lint::run(&NomParser, &arguments),
        Verb::Explain { file, url: None, .. } => explain_trials(match &file {
            Input::File(name) | Input::Url(name) | Input::Revision(name) => name,
            Input::Stdin => "-",
        }),
        Verb::Explain { edition, agents, user_agent, file: Input::Url(origin), url: Some(url) } => {
            return explain_live(edition, &agents, user_agent.as_deref(), &origin, &url);
        }
        Verb::Explain { edition, agents, user_agent, file, url: Some(url) } => {
            let user_agent = user_agent.as_deref();
            let question =
                Explained { profile: edition, agents: &agents, user_agent, file: &file, url: &url };
            return explain::explain(&NomParser, &question);
        }
        Verb::Fetch(arguments) => fetch::fetch(&arguments).and_then(|text| print(&text)),
        Verb::Verdicts { files, fetch, allow_private } => {
            verdicts(files.as_deref(), fetch.then(|| Fetcher::new(allow_private)))
        }
        Verb::Copy { dir } => suite().and_then(|suite| {
            let files = copy::copy(&suite, &dir)?;
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
        Verb::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Command::command(), NAME, &mut script);
            print(&String::from_utf8_lossy(&script))
        }
        Verb::Man => manual(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => console::usage(&message),
    }
}

const NAME: &str = "robots-conformance";

/// The built-in engine.
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

fn verdicts(files: Option<&Path>, fetcher: Option<Fetcher>) -> Result<(), Error> {
    let start = Instant::now();
    let files = match files {
        None => bulk::Files::none(),
        Some(root) => bulk::Files::below(root)
            .map_err(|error| Error::new(format!("--files {}: {error}", root.display())))?,
    };
    let output = io::BufWriter::with_capacity(1 << 16, io::stdout());
    let ran = match fetcher {
        None => bulk::run(&NomParser, &files, io::stdin(), output),
        Some(fetcher) => {
            let fetch: Arc<dyn bulk::Fetch> = Arc::new(fetcher);
            bulk::run_fetching(&NomParser, &files, &fetch, io::stdin(), output)
        }
    };
    let counts = match ran {
        Ok(counts) => counts,
        // A closed pipe is not an error.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
        Err(error) => return Err(format!("verdicts: {error}").into()),
    };
    let seconds = start.elapsed().as_secs_f64().max(1e-9);
    #[expect(clippy::cast_precision_loss, reason = "the rates are only shown to readers")]
    let rate = |count: u64| count as f64 / seconds;
    console::tell(&format!(
        "{} lines, {} errors, {} verdicts in {seconds:.2} s: {:.0} verdicts/s, {:.1} MB/s of robots.txt",
        counts.lines,
        counts.errors,
        counts.verdicts,
        rate(counts.verdicts),
        rate(counts.octets) / 1e6,
    ));
    Ok(())
}

/// Writes the manual page of the command, followed by those of its verbs.
fn manual() -> Result<(), Error> {
    let mut out = Vec::new();
    let mut command = Command::command().name(NAME);
    command.build();
    let verbs = command.get_subcommands().cloned();
    let pages: Vec<clap::Command> = std::iter::once(command.clone()).chain(verbs).collect();
    for page in pages {
        clap_mangen::Man::new(page)
            .render(&mut out)
            .map_err(|error| Error::new(error.to_string()))?;
    }
    print(&String::from_utf8_lossy(&out))
}

fn suite() -> Result<Suite, Error> {
    load::embedded().map_err(|problems| Error::new(problems.to_string()))
}

fn list(editions: &[Edition], areas: &[String], requirements: &[String]) -> Result<(), Error> {
    let suite = suite()?;
    run::known_areas(&suite, areas)?;
    if let Some(id) = requirements.iter().find(|id| suite.requirement(id).is_none()) {
        let known: Vec<&str> = suite.requirements.iter().map(|known| known.id.as_str()).collect();
        return Err(format!(
            "unknown requirement {id:?}; the requirements are {}",
            known.join(", ")
        )
        .into());
    }
    let mut selection = Selection::default();
    selection.profiles = editions.iter().copied().map(Profile::from).collect();
    selection.areas = areas.to_vec();
    let asks = |case: &&Arc<Case>| {
        let mut asked = case.expect.keys().copied().map(Profile::from);
        selection.has_area(&case.area)
            && (requirements.is_empty() || requirements.contains(&case.requirement))
            && asked.any(|profile| selection.has_profile(profile))
    };
    print(&pages::list(suite.cases.iter().filter(asks)))
}

fn show(name: &str) -> Result<(), Error> {
    let suite = suite()?;
    let page = match lookup::find(&suite, name)? {
        Found::Case(case, trials) => pages::case(&suite, case, &trials),
        Found::Requirement(requirement) => pages::requirement(&suite, requirement),
        _ => return Err(format!("{name:?} cannot be shown").into()),
    };
    print(&page)
}

/// Shows the nom parser's answers to the named trials, and why.
fn explain_trials(name: &str) -> Result<(), Error> {
    let suite = suite()?;
    let Found::Case(_, trials) = lookup::find(&suite, name)? else {
        return Err(
            format!("{name:?} is a requirement; name a case or a trial, or FILE and URL").into()
        );
    };
    let mut text = String::new();
    for trial in trials {
        let answer = engine().answer(&trial.question());
        let _ = writeln!(text, "{}", trial.name());
        let _ = writeln!(text, "  {}", kind::question_text(&trial.member().ask));
        let conforming = trial.conforming().text();
        let _ = writeln!(text, "  expected  {}", conforming.replace('\n', "\n            "));
        let told = kind::evidence(&answer).map_or_else(|| kind::answer_text(&answer), render::text);
        let _ = writeln!(text, "  answered  {}", told.replace('\n', "\n            "));
    }
    print(&text)
}

fn explain_live(
    profile: Profile,
    agents: &[String],
    user_agent: Option<&str>,
    origin: &str,
    url: &str,
) -> ExitCode {
    let told = || {
        let edition = profile.edition().ok_or_else(|| {
            format!("--edition {profile}: a fetched file needs an edition; name one")
        })?;
        let tokens = match user_agent {
            None => agents.to_vec(),
            Some(header) => {
                explain::named_by(header)?.tokens().iter().map(ToString::to_string).collect()
            }
        };
        let (text, allowed) = fetch::explain(edition, &tokens, origin, url)?;
        print(&text).map(|()| ExitCode::from(u8::from(!allowed)))
    };
    told().unwrap_or_else(|error: Error| console::usage(&error))
}
