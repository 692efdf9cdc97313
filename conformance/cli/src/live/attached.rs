//! A crawler that is a service: [`Attached`] prints the URL where it begins, and waits until a person reports that it
//! is done.

use std::io::{self, BufRead as _, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use robots_conformance_live::{Crawler, Ended, Subject, Task};

use crate::ending::Ending;

/// How often the wait checks for the end.
const INTERVAL: Duration = Duration::from_millis(20);

/// The name of such a crawler in reports, because it has no command.
pub(super) const ATTACHED: &str = "a crawler that was attached";

/// A crawler that a person starts.
#[derive(Debug)]
pub(super) struct Attached {
    pub(super) ending: Ending,
}

impl Subject for Attached {
    fn name(&self) -> String {
        ATTACHED.to_owned()
    }

    fn is_started_once(&self) -> bool {
        true
    }

    fn was_cut(&self, _: &str) -> bool {
        self.ending.is_requested()
    }
}

impl Crawler for Attached {
    /// Prints the URL where the crawler begins, and returns after a line of standard input or a SIGINT.
    ///
    /// The end of standard input does not end the crawl, because the standard input of a service is closed.
    fn crawl(&self, task: &Task<'_>) -> io::Result<Ended> {
        let seeds = task.dir.join("seeds.txt");
        std::fs::write(&seeds, task.seeds.join("\n") + "\n")?;
        let text = format!(
            "begin at     {}\nas           {}\nauthority    {}\nstart URLs   {}\n\nEnter, or SIGINT, judges what \
             was fetched until then.\n",
            task.seed,
            task.agent,
            task.authority_file.display(),
            seeds.display(),
        );
        // If standard error cannot be read, the report has the URL.
        let _ = io::stderr().write_all(text.as_bytes());
        let is_done = Arc::new(AtomicBool::new(false));
        let done = Arc::clone(&is_done);
        // The thread ends with a line or with the program, because the read cannot be interrupted.
        thread::spawn(move || {
            let mut line = String::new();
            let read = io::stdin().lock().read_line(&mut line);
            done.store(read.is_ok_and(|octets| octets > 0), Ordering::SeqCst);
        });
        while !is_done.load(Ordering::SeqCst) {
            if self.ending.is_requested() {
                // SIGTERM and SIGHUP end the run.
                self.ending.take_interruption();
                break;
            }
            thread::sleep(INTERVAL);
        }
        Ok(Ended::ByItself)
    }
}
