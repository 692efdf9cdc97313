//! A crawler that is a command: its words are filled in for each crawl, and its process group is ended with it.

use std::collections::{HashMap, HashSet};
use std::env;
use std::fs;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use process_wrap::std::{ChildWrapper, CommandWrap};
use robots_test_web::live::{Crawler, Ended, Task};

use super::subject::Subject;
use crate::ending::Ending;

/// What may stand between braces in a template.
const PLACEHOLDERS: [&str; 8] = ["seed", "seeds", "agent", "dir", "ca", "hosts", "edition", "cwd"];

/// Variables by which programs are told of a proxy; the web is on this machine.
const PROXIES: [&str; 7] = [
    "http_proxy",
    "https_proxy",
    "ftp_proxy",
    "all_proxy",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
];

/// Variables by which programs are told which certificate authority to trust.
const AUTHORITIES: [&str; 5] = [
    "SSL_CERT_FILE",
    "REQUESTS_CA_BUNDLE",
    "CURL_CA_BUNDLE",
    "NODE_EXTRA_CA_CERTS",
    "PERL_LWP_SSL_CA_FILE",
];

/// How often a running crawler is looked at.
const GLANCE: Duration = Duration::from_millis(10);

/// The octets of what a crawler said last that are kept.
const LAST_WORDS: i64 = 2_000;

/// A command line with placeholders.
#[derive(Debug)]
pub(super) struct CrawlerCommand {
    words: Vec<String>,
    cwd: PathBuf,
    ending: Ending,
    said: Mutex<HashMap<String, String>>,
    cut: Mutex<HashSet<String>>,
}

impl CrawlerCommand {
    /// Splits a template into words, as a POSIX shell does, without one.
    pub(super) fn new(template: &str, ending: Ending) -> Result<Self, String> {
        let mut words = shlex::split(template)
            .ok_or_else(|| format!("--exec {template:?}: a quote is not closed"))?;
        let cwd = env::current_dir().map_err(|error| format!("the current folder: {error}"))?;
        let program = words.first_mut().ok_or("--exec is blank; name the crawler's command")?;
        // The crawler starts in a folder of its own.
        if program.contains('/') && !program.starts_with(['/', '{']) {
            *program = cwd.join(&program).to_string_lossy().into_owned();
        }
        for word in &words {
            let mut rest = word.as_str();
            while let Some((_, after)) = rest.split_once('{') {
                let Some((name, after)) = after.split_once('}') else { break };
                let like_a_name =
                    !name.is_empty() && name.bytes().all(|octet| octet.is_ascii_lowercase());
                if like_a_name && !PLACEHOLDERS.contains(&name) {
                    let known = PLACEHOLDERS.map(|known| format!("{{{known}}}")).join(", ");
                    return Err(format!("--exec: {{{name}}} is no placeholder; there are {known}"));
                }
                rest = after;
            }
        }
        let (said, cut) = (Mutex::default(), Mutex::default());
        let command = Self { words, cwd, ending, said, cut };
        if !command.takes("seed") && !command.takes("seeds") {
            return Err(
                "--exec names neither {seed} nor {seeds}; where does the crawler begin?".to_owned()
            );
        }
        Ok(command)
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
    fn takes(&self, placeholder: &str) -> bool {
        let placeholder = format!("{{{placeholder}}}");
        self.words.iter().any(|word| word.contains(&placeholder))
    }

    fn said(&self, name: &str) -> Option<String> {
        lock(&self.said).get(name).cloned()
    }

    fn was_cut(&self, name: &str) -> bool {
        lock(&self.cut).contains(name)
    }
}

impl Crawler for CrawlerCommand {
    fn crawl(&self, task: &Task<'_>) -> io::Result<Ended> {
        if self.ending.is_told() {
            lock(&self.cut).insert(task.name.to_owned());
            return Err(io::ErrorKind::Interrupted.into());
        }
        // What is ours lies in a second folder: the crawler's is empty.
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
        if let Some(said) = last_words(&mut stderr) {
            lock(&self.said).insert(task.name.to_owned(), said);
        }
        ended
    }
}

impl CrawlerCommand {
    /// Waits for the crawler, and ends what is left of its group.
    fn wait(&self, child: &mut dyn ChildWrapper, task: &Task<'_>) -> io::Result<Ended> {
        let start = Instant::now();
        let ended = loop {
            if child.try_wait()?.is_some() {
                break Ended::ByItself;
            }
            if self.ending.is_told() {
                lock(&self.cut).insert(task.name.to_owned());
                break Ended::AtTheLimit;
            }
            if start.elapsed() >= task.limit {
                break Ended::AtTheLimit;
            }
            thread::sleep(GLANCE);
        };
        // A group whose leader is gone may have others; one without any is no error.
        let _ = child.start_kill();
        let _ = child.wait();
        Ok(ended)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes a command the leader of a process group, or of what stands for one.
fn grouped(command: Command) -> CommandWrap {
    let mut command = CommandWrap::from(command);
    #[cfg(unix)]
    command.wrap(process_wrap::std::ProcessGroup::leader());
    #[cfg(windows)]
    command.wrap(process_wrap::std::JobObject);
    command
}

fn last_words(stderr: &mut fs::File) -> Option<String> {
    let end = stderr.seek(SeekFrom::End(0)).ok()?;
    let back = LAST_WORDS.min(i64::try_from(end).ok()?);
    stderr.seek(SeekFrom::End(-back)).ok()?;
    let mut octets = Vec::new();
    stderr.read_to_end(&mut octets).ok()?;
    let text = String::from_utf8_lossy(&octets).trim().to_owned();
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::{CrawlerCommand, Subject as _};
    use crate::ending::Ending;

    fn command(template: &str) -> Result<CrawlerCommand, String> {
        CrawlerCommand::new(template, Ending::default())
    }

    #[rstest]
    #[trace]
    #[case("wget '", "a quote is not closed")]
    #[case("", "is blank")]
    #[case("wget {url}", "{url} is no placeholder")]
    #[case("wget", "neither {seed} nor {seeds}")]
    fn mistakes_are_told(#[case] template: &str, #[case] message: &str) {
        let problem = command(template).unwrap_err();
        assert!(problem.contains(message), "{problem}");
    }

    #[test]
    fn other_braces_are_the_crawlers_own() {
        let command = command("curl -w '%{http_code}{}' {seed}").unwrap();
        assert!(command.takes("seed") && !command.takes("edition"));
    }
}
