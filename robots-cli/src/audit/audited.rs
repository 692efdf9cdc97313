//! The result of an audit, from which each format is written: [`Audited`], and words that the formats share.

use std::net::{IpAddr, SocketAddr};

use robots_audit::{Address, Cause, Class, CrawlerReport, Reason, Report};
use robots_console::error::Error;
use robots_console::render::{self, counted, hint};

use super::arguments::AuditArgs;
use super::logs::Logs;
use crate::utc::time;

/// The result of an audit.
pub(super) struct Audited<'a> {
    pub(super) arguments: &'a AuditArgs,
    pub(super) logs: Logs,
    pub(super) report: Report,
    /// The number of versions of robots.txt, or `None` if one file was used for the whole time.
    pub(super) versions: Option<usize>,
}

impl<'a> Audited<'a> {
    /// Makes the result, as `--explain` and `--anonymise` select it.
    pub(super) fn new(
        arguments: &'a AuditArgs,
        mut logs: Logs,
        mut report: Report,
        versions: Option<usize>,
    ) -> Result<Self, Error> {
        if let Some(wanted) = &arguments.explain {
            let is_wanted = |crawler: &CrawlerReport| crawler.token.eq_ignore_ascii_case(wanted);
            if !report.crawlers.iter().any(is_wanted) {
                let names = report.crawlers.iter().take(20).map(|crawler| &*crawler.token);
                let hint = hint(wanted, "crawlers of the logs", names);
                return Err(Error::new(format!(
                    "--explain {wanted}: the logs have no such crawler; {hint}"
                )));
            }
            report.crawlers.retain(is_wanted);
        }
        if arguments.anonymise {
            logs.forget_folders();
            for cause in report.crawlers.iter_mut().flat_map(|crawler| &mut crawler.causes) {
                if is_address(&cause.origin) {
                    "(an address)".clone_into(&mut cause.origin);
                }
                for example in &mut cause.examples {
                    example.address = None;
                    example.target.truncate(path_length(&example.target));
                }
            }
        }
        Ok(Self { arguments, logs, report, versions })
    }

    /// Returns whether a crawler disobeyed. Who only uses the name of a crawler is not the crawler.
    pub(super) fn is_disobeyed(&self) -> bool {
        let mut crawlers = self.report.crawlers.iter().filter(|crawler| !crawler.is_contradicted);
        crawlers.any(|crawler| crawler.count(Class::Disobeyed) > 0)
    }

    /// Returns sentences about the logs and the files that limit what the report can say.
    pub(super) fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        for log in self.logs.iter() {
            let (name, format, counts) = (log.name(), log.reader().name(), &log.counts);
            let lines = counted(usize::try_from(counts.lines).unwrap_or(usize::MAX), "line");
            let mut parts = vec![format!("{name}: format {format}"), lines];
            if let Some(first) = counts.first_unreadable {
                parts.push(format!("{} unreadable, the first is line {first}", counts.unreadable));
            }
            if counts.no_url > 0 {
                parts.push(format!("{} without a valid request", counts.no_url));
            }
            if counts.is_cut {
                parts.push("the last line is not complete and was not read".to_owned());
            }
            if !log.reader().has_user_agent() {
                parts.push("no User-Agent, so no crawler is recognised".to_owned());
            }
            notes.push(parts.join(", "));
        }
        notes.push(match self.versions {
            Some(versions) => {
                let versions = counted(versions, "version");
                match self.arguments.max_age {
                    None => format!("robots.txt: {versions}; --max-age if crawlers may use one for more than 24 hours"),
                    Some(_) => format!("robots.txt: {versions}"),
                }
            }
            None => "robots.txt: one file for the whole time; if it changed, --robots-history or --robots-git is exact"
                .to_owned(),
        });
        if self.report.late > 0 {
            let late = requests(self.report.late);
            notes.push(format!("not sorted: {late} more than 5 minutes too late; name each log file, so that they are merged"));
        }
        if self.report.not_kept > 0 {
            let not_kept = self.report.not_kept;
            notes.push(format!("{not_kept} requests are in no row, because the log names too many crawlers or hosts"));
        }
        notes
    }
}

/// Returns whether the host of an origin is an address.
fn is_address(origin: &str) -> bool {
    let host = origin.rsplit_once("://").map_or(origin, |(_, host)| host);
    host.parse::<SocketAddr>().is_ok() || host.trim_matches(['[', ']']).parse::<IpAddr>().is_ok()
}

/// Returns the length of a target without its query, fragment and parameters, also if their marks are encoded.
fn path_length(target: &str) -> usize {
    let is_mark = |rest: &str| {
        let encoded = rest.get(..3).unwrap_or_default();
        rest.starts_with(['?', '#', ';'])
            || ["%3F", "%23", "%3B"].iter().any(|mark| encoded.eq_ignore_ascii_case(mark))
    };
    let mut ends = target.char_indices().map(|(at, _)| at);
    ends.find(|at| is_mark(&target[*at..])).unwrap_or(target.len())
}

/// Returns the token of a crawler, with a mark if its address is not one of the crawler's.
pub(super) fn name(crawler: &CrawlerReport) -> String {
    let mark = if crawler.is_contradicted { " (not its address)" } else { "" };
    format!("{}{mark}", render::name(&crawler.token))
}

/// Returns a number of requests as text, such as `1 request`.
pub(super) fn requests(number: u64) -> String {
    counted(usize::try_from(number).unwrap_or(usize::MAX), "request")
}

/// Returns what is known about the addresses of a crawler, as one word: `mixed` if they differ.
pub(super) fn address(crawler: &CrawlerReport) -> &'static str {
    let mut known = crawler.addresses.keys();
    match (known.next(), known.next()) {
        (Some(one), None) => one.id(),
        (Some(_), Some(_)) => "mixed",
        (None, _) => Address::Claimed.id(),
    }
}

/// Returns why requests have their class, as a sentence without a full stop.
pub(super) fn why(cause: &Cause) -> String {
    let rule = cause.rule.as_ref().map(|rule| {
        let version = rule.version;
        let of = if version.is_zero() { String::new() } else { format!(" of {}", time(version)) };
        format!("robots.txt{of}, line {}: {}", rule.line, rule.text)
    });
    let why = match cause.reason {
        Reason::Allowed => "no rule disallows the URLs",
        Reason::NoFile => "there is no robots.txt",
        Reason::Failing => "robots.txt failed, so nothing may be fetched",
        Reason::MayUseCopy => "robots.txt failed; the crawler may use an earlier copy",
        Reason::MayUseEarlier => {
            "the crawler may have one of two files, and only one disallows the URLs"
        }
        Reason::NewerAllows => {
            "a newer file allows the URLs; the log may lack a request for robots.txt"
        }
        Reason::Expired => {
            "only a newer file than the one of more than 24 hours ago disallows the URLs"
        }
        Reason::Outage => "robots.txt may have been unreachable for 30 days, which no log shows",
        Reason::Redirect => "robots.txt redirects, and the log does not show where to",
        Reason::NoHistory => "the history has no file for the time when the crawler read it",
        Reason::BeforeLog => "the crawler may have read another file before the log begins",
        Reason::NotRead => "the log has no earlier request for robots.txt",
        Reason::OutOfOrder => {
            "the request began before the crawler read robots.txt, and comes after it in the log"
        }
        Reason::OtherGroup => {
            "the crawler may follow another group or none, and then may fetch the URLs"
        }
        Reason::SizeLimit => "a part of robots.txt that only some crawlers read allows the URLs",
        Reason::Unsorted => "the log is not sorted, so it does not show what the crawler knew",
        Reason::Decoded => "the log has the path as the server decoded it; log the request line",
        Reason::NotAUrl => "the target is not a URL",
        _ => "a rule disallows the URLs",
    };
    match rule {
        Some(rule) if cause.reason == Reason::Rule => rule,
        Some(rule) => format!("{why}; {rule}"),
        None => why.to_owned(),
    }
}
