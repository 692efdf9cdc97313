//! A crawler that is a command: [`CrawlerCommand`].
//!
//! The command is split into words once, without a shell. Each crawl fills in the placeholders and starts the command in
//! an empty folder, as the leader of a process group. The group is ended with the crawl, so that nothing stays behind.

use std::collections::{HashMap, HashSet};
use std::env;
use std::fmt;
use std::fs;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use process_wrap::std::{ChildWrapper, CommandWrap};

use crate::run::{Crawler, Ended, Task};
use crate::subject::Subject;

/// The names of the placeholders.
const PLACEHOLDERS: [&str; 8] = ["seed", "seeds", "agent", "dir", "ca", "hosts", "edition", "cwd"];

/// Variables that name a proxy. They are removed, because the test server is on this machine.
const PROXIES: [&str; 7] = [
    "http_proxy",
    "https_proxy",
    "ftp_proxy",
    "all_proxy",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
];

/// Variables that name the certificates to trust.
const AUTHORITIES: [&str; 5] = [
    "SSL_CERT_FILE",
    "REQUESTS_CA_BUNDLE",
    "CURL_CA_BUNDLE",
    "NODE_EXTRA_CA_CERTS",
    "PERL_LWP_SSL_CA_FILE",
];

/// How often the run checks whether a crawler has ended.
const INTERVAL: Duration = Duration::from_millis(10);

/// How many octets of the end of standard error are kept.
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
    template: String,
    words: Vec<String>,
    cwd: PathBuf,
    ending: Arc<AtomicBool>,
    /// The end of standard error by the name of the crawl.
    last_words: Mutex<HashMap<String, String>>,
    /// The names of the crawls that were interrupted by the end of the run.
    cut: Mutex<HashSet<String>>,
}

/// The reason why a text is not a crawler's command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadCommand(String);

impl fmt::Display for BadCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadCommand {}

impl CrawlerCommand {
    /// Splits a template into words, as a POSIX shell does, without a shell.
    ///
    /// `{seed}` is the URL where the crawler begins, `{seeds}` a file with the start URLs, `{agent}` the
    /// product token, `{dir}` the crawler's folder, `{ca}` the certificate to trust, `{hosts}` the hosts file,
    /// `{edition}` the edition, and `{cwd}` the folder where this process was started.
    ///
    /// # Errors
    /// If a quote is not closed, a placeholder is unknown, or both `{seed}` and `{seeds}` are missing.
    pub fn new(template: &str) -> Result<Self, BadCommand> {
        let mut words = shlex::split(template)
            .ok_or_else(|| BadCommand(format!("--exec {template:?}: a quote is not closed")))?;
        let cwd = env::current_dir()
            .map_err(|error| BadCommand(format!("the current folder: {error}")))?;
        let blank = || BadCommand("--exec is blank; name the crawler's command".to_owned());
        let program = words.first_mut().ok_or_else(blank)?;
        // The crawler starts in another folder, so a relative path would not be found.
        if program.contains('/') && !program.starts_with(['/', '{']) {
            *program = cwd.join(&program).to_string_lossy().into_owned();
        }
        if let Some(name) = words.iter().find_map(|word| unknown(word)) {
            let known = PLACEHOLDERS.map(|known| format!("{{{known}}}")).join(", ");
            return Err(BadCommand(format!(
                "--exec: {{{name}}} is no placeholder; the placeholders are {known}"
            )));
        }
        let (last_words, cut) = (Mutex::default(), Mutex::default());
        let (template, ending) = (template.to_owned(), Arc::default());
        let command = Self { template, words, cwd, ending, last_words, cut };
        if !command.takes("seed") && !command.takes("seeds") {
            return Err(BadCommand(
                "--exec has neither {seed} nor {seeds}, so the crawler does not know where to begin"
                    .to_owned(),
            ));
        }
        Ok(command)
    }

    /// Sets what ends a run early: once it is true, the crawler is ended and not started again.
    #[must_use]
    pub fn ending(mut self, ending: Arc<AtomicBool>) -> Self {
        self.ending = ending;
        self
    }

    fn takes(&self, placeholder: &str) -> bool {
        let placeholder = format!("{{{placeholder}}}");
        self.words.iter().any(|word| word.contains(&placeholder))
    }

    fn is_ending(&self) -> bool {
        self.ending.load(Ordering::SeqCst)
    }

    fn filled(&self, task: &Task<'_>, folder: &Path) -> io::Result<Vec<String>> {
        let seeds = folder.join("seeds.txt");
        if self.takes("seeds") {
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
        let fill = |word: &String| {
            values.iter().fold(word.clone(), |word, (name, value)| word.replace(name, value))
        };
        Ok(self.words.iter().map(fill).collect())
    }
}

impl Subject for CrawlerCommand {
    fn name(&self) -> String {
        self.template.clone()
    }

    fn takes_agent(&self) -> bool {
        self.takes("agent")
    }

    fn takes_edition(&self) -> bool {
        self.takes("edition")
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
        let mut child = grouped(command)
            .spawn()
            .map_err(|error| io::Error::new(error.kind(), format!("{:?}: {error}", words[0])))?;
        let ended = self.wait(&mut *child, task);
        if let Some(text) = end_of(&mut stderr) {
            lock(&self.last_words).insert(task.name.to_owned(), text);
        }
        ended
    }

    fn begins_at_seeds(&self) -> bool {
        self.takes("seeds")
    }
}

impl CrawlerCommand {
    /// Waits for the crawler and ends its process group.
    fn wait(&self, child: &mut dyn ChildWrapper, task: &Task<'_>) -> io::Result<Ended> {
        let start = Instant::now();
        let ended = loop {
            if child.try_wait()?.is_some() {
                break Ended::ByItself;
            }
            if self.is_ending() {
                lock(&self.cut).insert(task.name.to_owned());
                break Ended::AtTheLimit;
            }
            if start.elapsed() >= task.limit {
                break Ended::AtTheLimit;
            }
            thread::sleep(INTERVAL);
        };
        // The leader may have left children behind. That the group is empty is no error.
        let _ = child.start_kill();
        let _ = child.wait();
        Ok(ended)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the first name in braces that is no placeholder. Other braces belong to the crawler.
fn unknown(word: &str) -> Option<&str> {
    let mut rest = word;
    while let Some((name, after)) =
        rest.split_once('{').and_then(|(_, after)| after.split_once('}'))
    {
        let is_name = !name.is_empty() && name.bytes().all(|octet| octet.is_ascii_lowercase());
        if is_name && !PLACEHOLDERS.contains(&name) {
            return Some(name);
        }
        rest = after;
    }
    None
}

/// Makes a command the leader of a process group, or of a job on Windows.
fn grouped(command: Command) -> CommandWrap {
    let mut command = CommandWrap::from(command);
    #[cfg(unix)]
    command.wrap(process_wrap::std::ProcessGroup::leader());
    #[cfg(windows)]
    command.wrap(process_wrap::std::JobObject);
    command
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
    #[case("wget '", "a quote is not closed")]
    #[case("", "is blank")]
    #[case("wget {url}", "{url} is no placeholder")]
    #[case("wget", "neither {seed} nor {seeds}")]
    fn mistakes_are_reported(#[case] template: &str, #[case] message: &str) {
        let problem = CrawlerCommand::new(template).unwrap_err().to_string();
        assert!(problem.contains(message), "{problem}");
    }

    #[test]
    fn other_braces_belong_to_the_crawler() {
        let command = CrawlerCommand::new("curl -w '%{http_code}{}' {seed}").unwrap();
        assert!(command.takes("seed") && !command.takes("edition"));
    }
}
