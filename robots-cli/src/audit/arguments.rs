//! The command line of the verb `audit`: [`AuditArgs`].

use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgGroup, Args, ValueEnum};
use robots_console::error::Error;
use robots_core::Edition;

use crate::lint::Input;

const EXAMPLES: &str = "\
Examples:
  robots audit access.log --robots robots.txt
  robots audit /var/log/nginx/access.log* --robots-git public/robots.txt --deployed-after 10m
  robots audit access.log --robots robots.txt --ranges ranges --explain GPTBot
  robots audit logs/*.gz --robots robots.txt --anonymise --format html > report.html

A request is disobeyed only if every robots.txt that the crawler may have had at that moment disallows the URL. Not yet \
known: only a newer file disallows it, and the crawler may use its copy for 24 hours. Unknown: the log has no earlier \
request of the crawler for robots.txt. Open: the log does not decide.

The format of a log is detected; --log-format states it: combined, common, vhost-combined, vhost-common, w3c, cloudfront, \
aws-alb, aws-elb, aws-s3, cloud-storage, caddy, cloudflare, fastly, vercel, nginx-json, the format string of Apache or \
nginx, or a mapping such as 'json time=ts url=request.uri status=status agent=ua'.

The exit status is 0, or with --fail-on disobeyed 1 if a crawler disobeyed; 2 if a file cannot be read. A client whose \
address is contradicted is not the crawler.";

/// The arguments of the verb.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
#[command(group(ArgGroup::new("files").required(true).args(["robots", "robots_history", "robots_git"])))]
pub(crate) struct AuditArgs {
    /// Access logs in any order, also compressed by gzip or zstd; `-` for standard input
    #[arg(value_name = "LOG|-", required = true)]
    pub logs: Vec<PathBuf>,
    /// The robots.txt of the whole time of the logs: a file, a URL or a git revision
    #[arg(long, value_name = "FILE|URL")]
    pub robots: Option<Input>,
    /// A folder of robots.txt files by date, such as 2026-01-31.txt, with a folder for each host if they differ; or a WARC
    /// file
    #[arg(long, value_name = "DIR|WARC")]
    pub robots_history: Option<PathBuf>,
    /// A robots.txt in a git repository: each commit is a version from its time on
    #[arg(long, value_name = "PATH")]
    pub robots_git: Option<PathBuf>,
    /// How long after a commit the site serves it, such as 90s, 10m or 2h
    #[arg(long, value_name = "TIME", value_parser = duration, conflicts_with_all = ["robots", "robots_history"])]
    pub deployed_after: Option<Duration>,
    /// The `max-age` that the site sends with robots.txt, if it is longer than 24 hours
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub max_age: Option<Duration>,
    /// A folder of published address ranges, a JSON file TOKEN.json for each crawler
    #[arg(long, value_name = "DIR")]
    pub ranges: Option<PathBuf>,
    /// More crawlers to recognise, and the groups that they follow: a YAML file of expectations, as `check` reads it
    #[arg(long, value_name = "FILE")]
    pub agents: Option<PathBuf>,
    /// The edition by which the files are read
    #[arg(long, value_name = "E", default_value_t)]
    pub edition: Edition,
    /// The host of lines that have none, or its origin, such as `https://example.com`
    #[arg(long, value_name = "HOST")]
    pub host: Option<String>,
    /// The format of the logs; by default, the format that reads the first lines
    #[arg(long, value_name = "FORMAT")]
    pub log_format: Option<String>,
    /// Accepts logs of which more than 5 % of the lines are not of the format
    #[arg(long)]
    pub allow_unreadable: bool,
    /// Shows one crawler with all causes and the requests behind them
    #[arg(long, value_name = "CRAWLER")]
    pub explain: Option<String>,
    /// Sets the exit status to 1 if a crawler disobeyed
    #[arg(long, value_name = "KIND")]
    pub fail_on: Option<Kind>,
    /// Leaves out addresses, queries and the folders of the logs, for a report that others may see
    #[arg(long, visible_alias = "anonymize")]
    pub anonymise: bool,
    /// The format of the report
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    pub format: AuditFormat,
}

/// A format of the report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum AuditFormat {
    /// Text for readers
    #[default]
    Text,
    /// One JSON object
    Json,
    /// A table of the crawlers
    Csv,
    /// A page with a picture, which needs no network
    Html,
}

/// A kind of result that makes the exit status 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// A request that the crawler knew to be disallowed
    Disobeyed,
}

/// Reads a time such as `90s`, `10m`, `2h` or `1d`.
fn duration(text: &str) -> Result<Duration, Error> {
    let (number, unit) =
        text.split_at(text.len() - usize::from(text.ends_with(['s', 'm', 'h', 'd'])));
    let seconds = match unit {
        "m" => 60,
        "h" => 3600,
        "d" => 86_400,
        _ => 1,
    };
    let time = number.parse::<u64>().ok().and_then(|number| number.checked_mul(seconds));
    time.map(Duration::from_secs).ok_or_else(|| "a number with s, m, h or d, such as 10m".into())
}
