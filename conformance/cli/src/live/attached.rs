//! A crawler that a person starts, for example a service. [`Attached`] prints the URL where the crawler must begin, and
//! waits until the person reports that the crawler is done.

use std::io::{self, BufRead as _, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use robots_conformance_live::{Crawler, Ended, Subject, Task};

use crate::ending::Ending;

/// The interval at which [`Attached`] checks whether the crawl has ended.
const INTERVAL: Duration = Duration::from_millis(20);

/// A crawler that a person starts.
#[derive(Debug)]
pub(super) struct Attached {
    pub(super) ending: Ending,
}

impl Subject for Attached {
    /// Returns the text that reports show instead of a command.
    fn name(&self) -> String {
        "a crawler that was attached".to_owned()
    }

    fn is_started_once(&self) -> bool {
        true
    }

    fn was_cut(&self, _: &str) -> bool {
        self.ending.is_requested()
    }
}

impl Crawler for Attached {
    /// Prints the URL where the crawler begins, and returns after a line of standard input or a signal.
    ///
    /// The end of standard input does not end the crawl, because standard input may be closed from the start.
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
        // If standard error cannot be written, the file `seeds.txt` still has the start URLs.
        let _ = io::stderr().write_all(text.as_bytes());
        let is_done = Arc::new(AtomicBool::new(false));
        let done = Arc::clone(&is_done);
        // The read cannot be interrupted, so this thread may run until the program ends.
        thread::spawn(move || {
            let mut line = String::new();
            let read = io::stdin().lock().read_line(&mut line);
            done.store(read.is_ok_and(|octets| octets > 0), Ordering::SeqCst);
        });
        while !is_done.load(Ordering::SeqCst) {
            if self.ending.is_requested() {
                // SIGINT ends only the crawl. SIGTERM and SIGHUP end the crawl and the run.
                self.ending.take_interruption();
                break;
            }
            thread::sleep(INTERVAL);
        }
        Ok(Ended::ByItself)
    }
}
