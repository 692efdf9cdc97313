//! A [`Deadline`] ends an exchange whose calls block. A thread waits for the deadline and then shuts the connections
//! down, so that the blocked calls return.

use std::io;
use std::net::{Shutdown, TcpStream};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Shuts connections down at a set time. A time limit for each read is not enough, because a server may send a single
/// octet now and then.
pub(super) struct Deadline {
    at: Instant,
    /// The connections, or `None` after they were shut down.
    streams: Arc<Mutex<Option<Vec<TcpStream>>>>,
    /// The watching thread ends when this sender is dropped.
    _watched: Sender<()>,
}

impl Deadline {
    /// Starts the watching thread. Returns an error if no thread can be started; without this thread, the exchange must
    /// not begin.
    pub(super) fn after(time: Duration) -> io::Result<Arc<Self>> {
        let now = Instant::now();
        // If the time is too long for the clock, one day is used.
        let at = now.checked_add(time).unwrap_or(now + Duration::from_secs(86_400));
        let streams = Arc::new(Mutex::new(Some(Vec::new())));
        let (watched, watch) = channel();
        let shut = Arc::clone(&streams);
        thread::Builder::new().name("robots-ftp".to_owned()).spawn(move || {
            let left = at.saturating_duration_since(Instant::now());
            if watch.recv_timeout(left) == Err(RecvTimeoutError::Timeout) {
                shut_down(&shut);
            }
        })?;
        Ok(Arc::new(Self { at, streams, _watched: watched }))
    }

    /// Returns the remaining time, or `None` if no time remains or the connections were shut down.
    pub(super) fn left(&self) -> Option<Duration> {
        let left = self.at.saturating_duration_since(Instant::now());
        (!left.is_zero() && !self.is_over()).then_some(left)
    }

    /// Adds a connection, which is then shut down with the others.
    pub(super) fn holds_for(&self, stream: &TcpStream) -> io::Result<()> {
        let stream = stream.try_clone()?;
        let mut streams = self.streams.lock().unwrap_or_else(PoisonError::into_inner);
        let streams = streams.as_mut().ok_or(io::ErrorKind::TimedOut)?;
        streams.push(stream);
        Ok(())
    }

    /// Returns whether the connections were shut down.
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
        // An error means that the connection is already closed.
        let _ = stream.shutdown(Shutdown::Both);
    }
}
