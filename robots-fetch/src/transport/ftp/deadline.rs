//! The end of an exchange, whatever waits in it: [`Deadline`].

use std::io;
use std::net::{Shutdown, TcpStream};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Shuts connections down at a time. A time limit on each read is none on a server that sends an octet now and then.
pub(super) struct Deadline {
    at: Instant,
    /// `None` once they are shut down.
    streams: Arc<Mutex<Option<Vec<TcpStream>>>>,
    /// With it the watch ends.
    _watched: Sender<()>,
}

impl Deadline {
    pub(super) fn after(time: Duration) -> Arc<Self> {
        let now = Instant::now();
        // A limit that cannot be held as a time is none; a day is long enough.
        let at = now.checked_add(time).unwrap_or(now + Duration::from_secs(86_400));
        let streams = Arc::new(Mutex::new(Some(Vec::new())));
        let (watched, watch) = channel();
        let shut = Arc::clone(&streams);
        let watching = thread::Builder::new().name("robots-ftp".to_owned()).spawn(move || {
            let left = at.saturating_duration_since(Instant::now());
            if watch.recv_timeout(left) == Err(RecvTimeoutError::Timeout) {
                shut_down(&shut);
            }
        });
        if watching.is_err() {
            // Without a watch nothing is begun.
            shut_down(&streams);
        }
        Arc::new(Self { at, streams, _watched: watched })
    }

    /// Returns the time that is left; `None` where it is over.
    pub(super) fn left(&self) -> Option<Duration> {
        let left = self.at.saturating_duration_since(Instant::now());
        (!left.is_zero() && !self.is_over()).then_some(left)
    }

    /// Takes a connection in.
    pub(super) fn holds_for(&self, stream: &TcpStream) -> io::Result<()> {
        let stream = stream.try_clone()?;
        let mut streams = self.streams.lock().unwrap_or_else(PoisonError::into_inner);
        let streams = streams.as_mut().ok_or(io::ErrorKind::TimedOut)?;
        streams.push(stream);
        Ok(())
    }

    /// Whether the connections are shut down.
    pub(super) fn is_over(&self) -> bool {
        self.streams.lock().unwrap_or_else(PoisonError::into_inner).is_none()
    }

    /// Shuts the connections down now.
    pub(super) fn end(&self) {
        shut_down(&self.streams);
    }
}

fn shut_down(streams: &Mutex<Option<Vec<TcpStream>>>) {
    let streams = streams.lock().unwrap_or_else(PoisonError::into_inner).take();
    for stream in streams.into_iter().flatten() {
        // One that is closed already is what is wanted.
        let _ = stream.shutdown(Shutdown::Both);
    }
}
