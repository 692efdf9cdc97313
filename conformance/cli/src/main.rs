//! `robots-conformance`: the suite as a command.

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use clap::{CommandFactory as _, Parser, Subcommand};
use clap_complete::Shell;
use robots_conformance::case::{Case, Suite};
use robots_conformance::kind;
use robots_conformance::{copy, load, render, serve, vectors};
use robots_conformance_cli::explain::{self, Explained};
use robots_conformance_cli::fetch::{self, FetchArgs, Fetcher};
use robots_conformance_cli::lint::{self, Input, LintArgs};
use robots_conformance_cli::live::{self, LiveArgs, ServeArgs};
use robots_conformance_cli::lookup::{self, Found};
use robots_conformance_cli::run::{self, ConformanceArgs, print};
use robots_conformance_cli::{bulk, pages};
use robots_core::engine::{Engine, Interpreted};
use robots_core::{Edition, Profile};
use robots_google_cpp::WithGoogleCpp;
use robots_nom_parser::NomParser;

/// Checks robots.txt implementations against four editions of the specification.
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
        /// Lists the cases of this requirement only; repeatable
        #[arg(long = "requirement", value_name = "ID")]
        requirements: Vec<String>,
        /// Lists the cases of `live`
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
    /// Shows every case whose answer differs between two editions, by requirement
    Diff {
        /// An edition
        #[arg(value_parser = run::edition)]
        one: Edition,
        /// Another
        #[arg(value_parser = run::edition)]
        other: Edition,
    },
    /// Fetches robots.txt and shows what was asked, each hop, what came, what it means, the rules and the verdict
    #[command(
        after_help = "Example: robots-conformance fetch --agent examplebot https://example.com/page"
    )]
    Fetch(FetchArgs),
    /// Says what is amiss in a robots.txt: where, why, and how to mend it
    Lint(LintArgs),
    /// Says whether an agent may fetch a URL, by which rule, and why; or what the nom parser answers to a trial
    #[command(
        after_help = "Examples:\n  robots-conformance explain --agent examplebot robots.txt /page\n  \
                      robots-conformance explain --agent examplebot https://example.com /page\n  \
                      curl -s https://example.com/robots.txt | robots-conformance explain --user-agent \
                      'Mozilla/5.0 (compatible; examplebot/1.0)' - /page\n  \
                      robots-conformance explain path-matching::path-fish-prefix::rfc9309::/catfish\n\n\
                      With a URL the status is 0 where it may be fetched, 1 where not. Findings that bear on the \
                      answer follow it.",
        group(clap::ArgGroup::new("crawler").args(["agents", "user_agent"]))
    )]
    Explain {
        /// The edition to answer by, or google-cpp
        #[arg(long, value_name = "E", value_parser = run::profile, default_value_t)]
        edition: Profile,
        /// A product token; repeatable, most specific first
        #[arg(long = "agent", value_name = "A", requires = "url")]
        agents: Vec<String>,
        /// A whole User-Agent header instead, from which the product tokens are taken
        #[arg(long, value_name = "HEADER", requires = "url", conflicts_with = "agents")]
        user_agent: Option<String>,
        /// A robots.txt file, `-` for standard input, or an origin whose file is fetched; without a URL the name of a
        /// case or a trial, as any report prints it
        #[arg(value_name = "FILE|-|ORIGIN|TRIAL")]
        file: Input,
        /// A URL, or its path and query
        #[arg(requires = "crawler")]
        url: Option<String>,
    },
    /// Answers JSON lines of files, crawlers and URLs with verdicts: a filter for bulk
    #[command(
        after_help = "Example: robots-conformance verdicts < questions.jsonl > verdicts.jsonl\n\n\
                            A line: {\"robots_txt\": \"…\", \"crawler\": \"examplebot\", \"url\": [\"/a\", \"/b\"]}"
    )]
    Verdicts {
        /// Lets a line name a `file`: a regular one below this folder, the current one where none is named
        #[arg(long, value_name = "ROOT", num_args = 0..=1, default_missing_value = ".")]
        files: Option<PathBuf>,
        /// Fetches robots.txt of the URLs of a line that brings no file; from public addresses alone
        #[arg(long)]
        fetch: bool,
        /// Lets `--fetch` connect to private addresses too
        #[arg(long, requires = "fetch")]
        allow_private: bool,
    },
    /// Writes the suite as files: YAML, schemas, grammars, and each question with its answer as JSON lines
    Copy {
        /// A folder that is new or empty
        dir: PathBuf,
    },
    /// Writes the closed questions to a parser as one flat file of JSON, for any test framework
    #[command(after_help = "Examples:\n  robots-conformance vectors > tests/vectors.json\n  \
                            robots-conformance vectors --schema > tests/vectors.schema.json")]
    Vectors {
        /// Writes the JSON Schema of the file instead
        #[arg(long)]
        schema: bool,
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
        Verb::Diff { one, other } => {
            suite().and_then(|suite| print(&pages::diff(&suite, one, other)))
        }
        Verb::Lint(arguments) => return lint::run(&NomParser, &arguments),
        Verb::Explain { file, url: None, .. } => explain_trials(match &file {
            Input::File(name) | Input::Url(name) => name,
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
        Verb::Vectors { schema: true } => print(vectors::schema()),
        Verb::Vectors { schema: false } => {
            suite().and_then(|suite| print(&vectors::vectors(&suite)))
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
        Err(message) => run::usage(&message),
    }
}

const NAME: &str = "robots-conformance";

/// The engine that is built in.
fn engine() -> WithGoogleCpp<Interpreted<NomParser>> {
    WithGoogleCpp::new(Interpreted(NomParser))
}

fn answer(pipeline: usize) -> Result<(), String> {
    let version = Some(env!("CARGO_PKG_VERSION"));
    serve::serve(&engine(), version, pipeline, io::stdin().lock(), io::stdout()).or_else(|error| {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Ok(()),
            _ => Err(format!("cannot answer: {error}")),
        }
    })
}

fn verdicts(files: Option<&Path>, fetcher: Option<Fetcher>) -> Result<(), String> {
    let start = Instant::now();
    let files = match files {
        None => bulk::Files::none(),
        Some(root) => bulk::Files::below(root)
            .map_err(|error| format!("--files {}: {error}", root.display()))?,
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
        // A reader that went away is no error.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
        Err(error) => return Err(format!("verdicts: {error}")),
    };
    let seconds = start.elapsed().as_secs_f64().max(1e-9);
    #[expect(clippy::cast_precision_loss, reason = "rates for people")]
    let rate = |count: u64| count as f64 / seconds;
    run::tell(&format!(
        "{} lines, {} errors, {} verdicts in {seconds:.2} s: {:.0} verdicts/s, {:.1} MB/s of robots.txt",
        counts.lines,
        counts.errors,
        counts.verdicts,
        rate(counts.verdicts),
        rate(counts.octets) / 1e6,
    ));
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

fn suite() -> Result<Suite, String> {
    load::embedded().map_err(|problems| problems.to_string())
}

fn list(editions: &[Edition], areas: &[String], requirements: &[String]) -> Result<(), String> {
    let suite = suite()?;
    run::known_areas(&suite, areas)?;
    if let Some(id) = requirements.iter().find(|id| suite.requirement(id).is_none()) {
        let known: Vec<&str> = suite.requirements.iter().map(|known| known.id.as_str()).collect();
        return Err(format!(
            "unknown requirement {id:?}; the requirements are {}",
            known.join(", ")
        ));
    }
    let asks = |case: &&Arc<Case>| {
        (areas.is_empty() || areas.contains(&case.area))
            && (requirements.is_empty() || requirements.contains(&case.requirement))
            && (editions.is_empty()
                || editions.iter().any(|edition| case.expect.contains_key(edition)))
    };
    print(&pages::list(suite.cases.iter().filter(asks)))
}

fn show(name: &str) -> Result<(), String> {
    let suite = suite()?;
    let page = match lookup::find(&suite, name)? {
        Found::Case(case, trials) => pages::case(&suite, case, &trials),
        Found::Requirement(requirement) => pages::requirement(&suite, requirement),
        _ => return Err(format!("{name:?} cannot be shown")),
    };
    print(&page)
}

/// Says what the nom parser answers to the trials that a name names, and why.
fn explain_trials(name: &str) -> Result<(), String> {
    let suite = suite()?;
    let Found::Case(_, trials) = lookup::find(&suite, name)? else {
        return Err(format!("{name:?} is a requirement; name a case or a trial, or FILE and URL"));
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
            format!("--edition {profile}: what is fetched is read by an edition; name one")
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
    told().unwrap_or_else(|message: String| run::usage(&message))
}
