//! Defines [`CrawlerCommand`], a crawler that is started by a command.
//!
//! The command is a [`Template`]. For each crawl, this module replaces the placeholders of the template and starts the
//! command in an empty folder, as the leader of a process group. At the end of the crawl the whole group is ended, so
//! that the crawler's child processes end too.

use std::collections::{HashMap, HashSet};
use std::env;
use std::fs;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use robots_conformance::process::{ProcessGroup, Template};

use robots_console::error::Error;

use crate::run::{Crawler, Ended, Task, lock};
use crate::subject::Subject;

/// The names of the placeholders.
const PLACEHOLDERS: [&str; 8] =
    ["{seed}", "{seeds}", "{agent}", "{dir}", "{ca}", "{hosts}", "{edition}", "{cwd}"];

/// Environment variables that name a proxy. The crawler does not get them, because the test server is on this machine.
const PROXIES: [&str; 7] = [
    "http_proxy",
    "https_proxy",
    "ftp_proxy",
    "all_proxy",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
];

/// Environment variables from which programs read the path of the trusted certificates.
const AUTHORITIES: [&str; 5] = [
    "SSL_CERT_FILE",
    "REQUESTS_CA_BUNDLE",
    "CURL_CA_BUNDLE",
    "NODE_EXTRA_CA_CERTS",
    "PERL_LWP_SSL_CA_FILE",
];

/// The interval at which the run checks whether a crawler has ended.
const INTERVAL: Duration = Duration::from_millis(10);

/// The number of octets that are kept from the end of standard error.
const KEPT: i64 = 2_000;

/// A crawler's command with placeholders.
///
/// ```
/// use robots_conformance_live::{CrawlerCommand, Subject as _};
///
/// let crawler = CrawlerCommand::new("wget -r --user-agent={agent} {seed}").unwrap();
/// assert!(crawler.takes_agent() && !crawler.takes_edition());
/// ```
#[derive(Debug)]
pub struct CrawlerCommand {
    template: Template,
    cwd: PathBuf,
    ending: Arc<AtomicBool>,
    /// The end of the crawler's standard error in each crawl, by the name of the crawl.
    last_words: Mutex<HashMap<String, String>>,
    /// The names of the crawls that the end of the run interrupted or prevented.
    cut: Mutex<HashSet<String>>,
}

impl CrawlerCommand {
    /// Splits a template into words, as a POSIX shell does, without a shell.
    ///
    /// The placeholder `{seed}` stands for the URL where the crawler begins, `{seeds}` for a file with the start URLs,
    /// `{agent}` for the product token, `{dir}` for the crawler's folder, `{ca}` for the file with the certificate to
    /// trust, `{hosts}` for the hosts file, `{edition}` for the edition, and `{cwd}` for the current folder of this
    /// process.
    ///
    /// # Errors
    /// Returns an error if a quotation is not closed, the template is blank, a placeholder is unknown, both
    /// `{seed}` and `{seeds}` are missing, or the current folder cannot be found.
    pub fn new(template: &str) -> Result<Self, Error> {
        let template = Template::new(template, &PLACEHOLDERS)?;
        if !template.uses("{seeds}") {
            let meaning =
                "the URL where the crawler begins (or write {seeds}: a file with start URLs)";
            template.needs("{seed}", meaning)?;
        }
        let cwd = env::current_dir().map_err(|error| {
            Error::new(format!("cannot find the current folder: {error}; change to another one"))
        })?;
        let (last_words, cut) = (Mutex::default(), Mutex::default());
        Ok(Self { template, cwd, ending: Arc::default(), last_words, cut })
    }

    /// Sets the flag that ends a run early. When the flag is true, a running crawler is stopped, and no further crawl
    /// starts.
    #[must_use]
    pub fn ending(mut self, ending: Arc<AtomicBool>) -> Self {
        self.ending = ending;
        self
    }

    fn is_ending(&self) -> bool {
        self.ending.load(Ordering::SeqCst)
    }

    fn filled(&self, task: &Task<'_>, folder: &Path) -> io::Result<Vec<String>> {
        let seeds = folder.join("seeds.txt");
        if self.template.uses("{seeds}") {
            fs::write(&seeds, task.seeds.join("\n") + "\n")?;
        }
        let text = |path: &Path| path.to_string_lossy().into_owned();
        let values = [
            ("{seed}", task.seed.clone()),
            ("{seeds}", text(&seeds)),
            ("{agent}", task.agent.to_owned()),
            ("{dir}", text(task.dir)),
            ("{ca}", text(task.authority_file)),
            ("{hosts}", text(task.hosts_file.unwrap_or(Path::new("/etc/hosts")))),
            ("{edition}", task.edition.unwrap_or_default().to_string()),
            ("{cwd}", text(&self.cwd)),
        ];
        let mut words =
            self.template.filled(&values.each_ref().map(|(name, value)| (*name, &**value)));
        // The crawler starts in another folder, so a relative path of its program is made absolute.
        let program = &mut words[0];
        if program.contains('/') && !program.starts_with('/') {
            *program = text(&self.cwd.join(&*program));
        }
        Ok(words)
    }
}

impl Subject for CrawlerCommand {
    fn name(&self) -> String {
        self.template.text().to_owned()
    }

    fn takes_agent(&self) -> bool {
        self.template.uses("{agent}")
    }

    fn takes_edition(&self) -> bool {
        self.template.uses("{edition}")
    }

    fn last_words(&self, crawl: &str) -> Option<String> {
        lock(&self.last_words).get(crawl).cloned()
    }

    fn was_cut(&self, crawl: &str) -> bool {
        lock(&self.cut).contains(crawl)
    }
}

impl Crawler for CrawlerCommand {
    fn crawl(&self, task: &Task<'_>) -> io::Result<Ended> {
        if self.is_ending() {
            lock(&self.cut).insert(task.name.to_owned());
            return Err(io::ErrorKind::Interrupted.into());
        }
        // The list of seeds is in a second folder, because the crawler's folder must be empty.
        let folder = tempfile::tempdir()?;
        let words = self.filled(task, folder.path())?;
        let mut stderr = tempfile::tempfile()?;
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).current_dir(task.dir);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(stderr.try_clone()?);
        command.env("HOME", task.dir).env("TMPDIR", task.dir);
        for name in PROXIES {
            command.env_remove(name);
        }
        for name in AUTHORITIES {
            command.env(name, task.authority_file);
        }
        let child = ProcessGroup::start(command).map_err(|error| {
            // After a signal, no process starts. This is not a failure of the crawler.
            if self.is_ending() {
                lock(&self.cut).insert(task.name.to_owned());
                return io::ErrorKind::Interrupted.into();
            }
            io::Error::new(error.kind(), format!("{:?}: {error}", words[0]))
        })?;
        let ended = self.wait(&child, task);
        if let Some(text) = end_of(&mut stderr) {
            lock(&self.last_words).insert(task.name.to_owned(), text);
        }
        Ok(ended)
    }
}

impl CrawlerCommand {
    /// Waits for the crawler and ends its process group.
    fn wait(&self, child: &ProcessGroup, task: &Task<'_>) -> Ended {
        let start = Instant::now();
        let ended = loop {
            let has_ended = child.ended_within(INTERVAL).is_some();
            // The signal that ends the run may also have killed the crawler. So the loop first checks whether the run
            // is ending.
            if self.is_ending() {
                lock(&self.cut).insert(task.name.to_owned());
                break Ended::AtTheLimit;
            }
            if has_ended {
                break Ended::ByItself;
            }
            if start.elapsed() >= task.limit {
                break Ended::AtTheLimit;
            }
        };
        // The crawler has ended, but its child processes may still run.
        child.kill();
        ended
    }
}

fn end_of(stderr: &mut fs::File) -> Option<String> {
    let end = stderr.seek(SeekFrom::End(0)).ok()?;
    let back = KEPT.min(i64::try_from(end).ok()?);
    stderr.seek(SeekFrom::End(-back)).ok()?;
    let mut octets = Vec::new();
    stderr.read_to_end(&mut octets).ok()?;
    let text = String::from_utf8_lossy(&octets).trim().to_owned();
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::CrawlerCommand;

    #[rstest]
    #[trace]
    #[case("wget '", "close the quotation")]
    #[case("", "is blank")]
    #[case("wget {url} {seed}", "has {url}; the placeholders are {seed}, {seeds}")]
    #[case("wget", "does not use {seed}")]
    fn mistakes_are_reported(#[case] template: &str, #[case] message: &str) {
        let problem = CrawlerCommand::new(template).unwrap_err().to_string();
        assert!(problem.contains(message), "{problem}");
    }

    #[test]
    fn other_braces_belong_to_the_crawler() {
        let command = CrawlerCommand::new("curl -w '%{http_code}{}' {seed}").unwrap();
        assert!(command.template.uses("{seed}") && !command.template.uses("{edition}"));
    }
}
