//! A crawler that is a service: it is told where to begin, and judged when someone says so.

use std::io::{self, BufRead as _, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use robots_test_web::live::{Crawler, Ended, Task};

use super::subject::Subject;
use crate::ending::Ending;

/// How often is looked whether someone said so.
const GLANCE: Duration = Duration::from_millis(20);

/// What a report has in place of the command of such a crawler.
pub(super) const ATTACHED: &str = "a crawler that was told where to begin";

/// A crawler that somebody else starts.
#[derive(Debug)]
pub(super) struct Attached {
    pub(super) ending: Ending,
}

impl Subject for Attached {
    fn takes(&self, _: &str) -> bool {
        false
    }

    fn said(&self, _: &str) -> Option<String> {
        None
    }

    fn was_cut(&self, _: &str) -> bool {
        self.ending.is_told()
    }
}

impl Crawler for Attached {
    /// Says where to begin, and returns at a line of standard input or at SIGINT.
    ///
    /// Standard input that ends says nothing: that of a service is closed.
    fn crawl(&self, task: &Task<'_>) -> io::Result<Ended> {
        let seeds = task.dir.join("seeds.txt");
        std::fs::write(&seeds, task.seeds.join("\n") + "\n")?;
        let text = format!(
            "begin at     {}\nas           {}\nauthority    {}\nall links    {}\n\nEnter, or SIGINT, judges what \
             was fetched until then.\n",
            task.seed,
            task.agent,
            task.authority_file.display(),
            seeds.display(),
        );
        // Where nobody reads it, the address is in the report too.
        let _ = io::stderr().write_all(text.as_bytes());
        let is_said = Arc::new(AtomicBool::new(false));
        let saying = Arc::clone(&is_said);
        // It ends with a line or with the program: a read cannot be taken back.
        thread::spawn(move || {
            let mut line = String::new();
            let read = io::stdin().lock().read_line(&mut line);
            saying.store(read.is_ok_and(|octets| octets > 0), Ordering::SeqCst);
        });
        while !is_said.load(Ordering::SeqCst) {
            if self.ending.is_told() {
                // SIGTERM and SIGHUP end the run.
                self.ending.take_interruption();
                break;
            }
            thread::sleep(GLANCE);
        }
        Ok(Ended::ByItself)
    }
}
