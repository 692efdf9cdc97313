//! The standard error of a process: [`Tail`]. A thread reads standard error continuously, so that the process never
//! blocks, and keeps the last lines for messages.

use std::io::Read as _;
use std::process::ChildStderr;
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use super::pipe::{self, Holder};
use crate::protocol;
use robots_console::render;

/// The number of octets at the end of standard error that are kept.
const KEPT: usize = 8 * 1024;

/// The number of lines that are shown.
const SHOWN: usize = 8;

/// The maximum time to wait until an ended process has closed its standard error. The wait is limited, because a child
/// process may keep the pipe open.
const DRAIN_TIME: Duration = Duration::from_millis(300);

/// The last lines that a process wrote to standard error.
pub(super) struct Tail {
    kept: Arc<Mutex<Vec<u8>>>,
    closed: Mutex<Receiver<()>>,
    /// If the holder is dropped, the thread ends, even if another process has the pipe open.
    _holder: Option<Holder>,
}

impl Tail {
    /// Drains a pipe on a separate thread.
    pub(super) fn drain(pipe: ChildStderr) -> Self {
        let kept = Arc::new(Mutex::new(Vec::new()));
        let (closing, closed) = mpsc::channel();
        let keeper = Arc::clone(&kept);
        // If no descriptor is free, the pipe cannot be read, so no lines are shown.
        let Ok((mut pipe, holder)) = pipe::reader(pipe) else {
            return Self { kept, closed: Mutex::new(closed), _holder: None };
        };
        thread::spawn(move || {
            let _closing = closing;
            let mut chunk = [0; 4096];
            while let Ok(length @ 1..) = pipe.read(&mut chunk) {
                let mut kept = keeper.lock().unwrap_or_else(PoisonError::into_inner);
                kept.extend_from_slice(&chunk[..length]);
                let excess = kept.len().saturating_sub(KEPT);
                kept.drain(..excess);
            }
        });
        Self { kept, closed: Mutex::new(closed), _holder: Some(holder) }
    }

    /// Renders the last lines as the end of a message. Returns an empty text if there are no lines.
    ///
    /// If the process has just ended, the function waits up to [`DRAIN_TIME`] for the pipe to close.
    pub(super) fn text(&self) -> String {
        let closed = self.closed.lock().unwrap_or_else(PoisonError::into_inner);
        // No value is ever sent. The channel closes when the pipe closes.
        let _ = closed.recv_timeout(DRAIN_TIME);
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = String::from_utf8_lossy(&kept);
        let lines: Vec<&str> = kept.lines().filter(|line| !line.trim().is_empty()).collect();
        if lines.is_empty() {
            return String::new();
        }
        let last = &lines[lines.len().saturating_sub(SHOWN)..];
        let shown: Vec<String> =
            last.iter().map(|line| format!("\n  {}", protocol::cut(&render::text(line)))).collect();
        format!("\nits standard error ends:{}", shown.concat())
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::process::{Command, Stdio};

    use super::{KEPT, Tail};

    /// Returns the tail of a script's standard error after the pipe is closed.
    fn tail(script: &str) -> Tail {
        let mut command = Command::new("sh");
        let mut child = command.args(["-c", script]).stderr(Stdio::piped()).spawn().unwrap();
        let tail = Tail::drain(child.stderr.take().unwrap());
        assert!(child.wait().unwrap().success());
        assert!(tail.closed.lock().unwrap().recv().is_err());
        tail
    }

    #[test]
    fn the_last_eight_lines_are_shown() {
        let text = tail("for n in 1 2 3 4 5 6 7 8 9; do echo line $n >&2; done").text();
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        assert_eq!(lines[1..3], ["its standard error ends:", "line 2"]);
        assert_eq!(lines[9..], ["line 9"]);
    }

    #[test]
    fn the_last_eight_kibioctets_are_kept() {
        let tail = tail("head -c 100000 /dev/zero >&2; echo end >&2");
        assert_eq!(tail.kept.lock().unwrap().len(), KEPT);
        assert!(tail.text().lines().count() <= 3 && tail.kept.lock().unwrap().ends_with(b"end\n"));
    }
}
