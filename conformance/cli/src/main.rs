//! `robots-conformance`: the suite as a command.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use clap::{CommandFactory as _, Parser, Subcommand};
use clap_complete::Shell;
use robots_conformance::case::{Case, Suite};
use robots_conformance::{copy, load, render, serve};
use robots_conformance_cli::fetch::{self, FetchArgs, Fetcher};
use robots_conformance_cli::live::{self, LiveArgs, ServeArgs};
use robots_conformance_cli::lookup::{self, Found};
use robots_conformance_cli::run::{self, ConformanceArgs};
use robots_conformance_cli::{bulk, pages};
use robots_core::engine::{Answer, Engine, Interpreted};
use robots_core::{Crawler, Edition, Options, Profile, RobotsTxt};
use robots_nom_parser::NomParser;

/// Checks robots.txt implementations against four editions of the specification.
#[derive(Parser)]
#[command(
    version,
    about,
    after_help = "Install it without a checkout:\n  \
    cargo install robots-conformance-cli\n  \
    cargo install --git https://github.com/robots-txt/robots-conformance robots-conformance-cli\n\
    The first needs the crate to be published; the second takes the repository as it is."
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
    /// Says whether an agent may fetch a URL, by which rule, and why; or what the nom parser answers to a trial
    #[command(
        after_help = "Examples:\n  robots-conformance explain --agent examplebot robots.txt /page\n  \
                      robots-conformance explain --agent examplebot https://example.com /page\n  \
                      robots-conformance explain path-matching::path-fish-prefix::rfc9309::/catfish"
    )]
    Explain {
        /// The edition to answer by, or google-cpp
        #[arg(long, value_name = "E", value_parser = run::profile, default_value_t)]
        edition: Profile,
        /// A product token; repeatable, most specific first
        #[arg(long = "agent", value_name = "A", requires = "url")]
        agents: Vec<String>,
        /// A robots.txt file, or an origin whose file is fetched; without a URL the name of a case or a trial, as any
        /// report prints it
        #[arg(value_name = "FILE|ORIGIN|TRIAL")]
        file: PathBuf,
        /// A URL, or its path and query
        #[arg(requires = "agents")]
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
        Verb::Explain { file, url: None, .. } => explain_trials(&file.to_string_lossy()),
        Verb::Explain { edition, agents, file, url: Some(url) } => match origin(&file) {
            Some(origin) => explain_live(edition, &agents, origin, &url),
            None => explain(edition, &agents, &file, &url),
        },
        Verb::Fetch(arguments) => fetch::fetch(&arguments).and_then(|text| print(&text)),
        Verb::Verdicts { files, fetch, allow_private } => {
            verdicts(files.as_deref(), fetch.then(|| Fetcher::new(allow_private)).as_ref())
        }
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

/// How many lines are answered at once where each may have to wait for a server.
const FETCHING: usize = 64;

fn verdicts(files: Option<&Path>, fetcher: Option<&Fetcher>) -> Result<(), String> {
    if fetcher.is_some() {
        // It is said once, at the beginning; no other pool was made before.
        let pool = rayon::ThreadPoolBuilder::new().num_threads(FETCHING);
        pool.build_global().map_err(|error| format!("--fetch: {error}"))?;
    }
    let start = Instant::now();
    let files = match files {
        None => bulk::Files::none(),
        Some(root) => bulk::Files::below(root)
            .map_err(|error| format!("--files {}: {error}", root.display()))?,
    };
    let output = io::BufWriter::with_capacity(1 << 16, io::stdout());
    let fetch = fetcher.map(|fetcher| fetcher as &dyn bulk::Fetch);
    let sources = bulk::Sources { files: &files, fetch };
    let counts = match bulk::run(&NomParser, sources, io::stdin(), output) {
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
        let answer = Interpreted(NomParser).answer(&trial.question());
        let _ = writeln!(text, "{}", trial.name());
        let _ = writeln!(text, "  {}", render::question(&trial.member().subject));
        let conforming = render::conforming(trial.conforming());
        let _ = writeln!(text, "  expected  {}", conforming.replace('\n', "\n            "));
        let told = match &answer {
            Answer::Verdict { evidence: Some(evidence), .. } => render::text(evidence),
            other => render::answer(other),
        };
        let _ = writeln!(text, "  answered  {}", told.replace('\n', "\n            "));
    }
    print(&text)
}

/// Returns the URL that stands in the place of a file.
fn origin(file: &Path) -> Option<&str> {
    let text = file.to_str()?;
    let (scheme, _) = text.split_once("://")?;
    ["http", "https", "ftp"].iter().any(|known| scheme.eq_ignore_ascii_case(known)).then_some(text)
}

fn explain_live(
    profile: Profile,
    agents: &[String],
    origin: &str,
    url: &str,
) -> Result<(), String> {
    let edition = profile.edition().ok_or_else(|| {
        format!("--edition {profile}: what is fetched is read by an edition; name one")
    })?;
    fetch::explain(edition, agents, origin, url).and_then(|text| print(&text))
}

fn explain(profile: Profile, agents: &[String], file: &Path, url: &str) -> Result<(), String> {
    let options = Options::default().profile(profile);
    let body = bulk::read_to_the_limit(file, options)
        .map_err(|error| format!("cannot read {}: {error}", file.display()))?;
    let robots = RobotsTxt::parse(&NomParser, body.as_slice(), options);
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
