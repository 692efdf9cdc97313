//! What ends a run early: SIGINT, SIGTERM and SIGHUP.
//!
//! The first one ends the questions that are open and begins no more: every process that was started is
//! killed, temporary files go, and the reports are written as partial ones. A second one ends the program at
//! once. Where there are no such signals, a console's interruption ends the program, and its jobs with it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

/// Whether a run is to end, and by which signal.
#[derive(Clone, Default)]
pub(super) struct Ending {
    pub(super) is_ending: Arc<AtomicBool>,
    status: Arc<AtomicU8>,
}

impl Ending {
    /// Watches for signals from now on.
    #[cfg(unix)]
    pub(super) fn watch() -> Self {
        use std::thread;

        use robots_conformance::process;
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
        use signal_hook::iterator::Signals;

        let ending = Self::default();
        let watching = ending.clone();
        // Without the watch the signals do what they always did.
        if let Ok(mut signals) = Signals::new([SIGHUP, SIGINT, SIGTERM]) {
            thread::spawn(move || {
                for signal in signals.forever() {
                    let status = u8::try_from(128 + signal).unwrap_or(u8::MAX);
                    let is_second = watching.is_ending.swap(true, Ordering::SeqCst);
                    if !is_second {
                        watching.status.store(status, Ordering::SeqCst);
                    }
                    process::end_all();
                    if is_second {
                        std::process::exit(status.into());
                    }
                }
            });
        }
        ending
    }

    #[cfg(not(unix))]
    pub(super) fn watch() -> Self {
        Self::default()
    }

    /// Returns the exit status that tells of the signal, where one came.
    pub(super) fn status(&self) -> Option<u8> {
        Some(self.status.load(Ordering::SeqCst)).filter(|status| *status != 0)
    }
}
