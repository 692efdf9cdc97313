//! Ends a run early on SIGINT, SIGTERM or SIGHUP.
//!
//! After the first signal, the open questions or crawls are stopped, and no others begin. The run kills every process
//! that it started, removes its temporary files, writes the reports, and marks them as partial. A second signal ends
//! the program at once. On systems without these signals, an interruption at the console ends the program and the
//! processes that it started.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

/// Whether a run must end, and the exit status for the signal that requested the end.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ending {
    pub(crate) is_ending: Arc<AtomicBool>,
    status: Arc<AtomicU8>,
}

impl Ending {
    /// Watches for signals from now on.
    #[cfg(unix)]
    pub(crate) fn watch() -> Self {
        use std::thread;

        use robots_conformance::process;
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
        use signal_hook::iterator::Signals;

        let ending = Self::default();
        let watching = ending.clone();
        // If the signals cannot be watched, they have their default effect.
        if let Ok(mut signals) = Signals::new([SIGHUP, SIGINT, SIGTERM]) {
            thread::spawn(move || {
                for signal in signals.forever() {
                    let status = u8::try_from(128 + signal).unwrap_or(u8::MAX);
                    // The status is stored before the flag is set, so that a thread that sees the flag always finds the
                    // status.
                    let first = watching.status.compare_exchange(
                        0,
                        status,
                        Ordering::SeqCst,
                        Ordering::SeqCst,
                    );
                    let is_second = first.is_err();
                    watching.is_ending.store(true, Ordering::SeqCst);
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
    pub(crate) fn watch() -> Self {
        Self::default()
    }

    /// Returns whether a signal requested the end.
    #[cfg(feature = "live")]
    pub(crate) fn is_requested(&self) -> bool {
        self.is_ending.load(Ordering::SeqCst)
    }

    /// If SIGINT requested the end, withdraws this request and returns true. `live --attach` uses this, because SIGINT
    /// then means that the crawler is done.
    #[cfg(feature = "live")]
    pub(crate) fn take_interruption(&self) -> bool {
        const INTERRUPTED: u8 = 130;
        let taken =
            self.status.compare_exchange(INTERRUPTED, 0, Ordering::SeqCst, Ordering::SeqCst);
        if taken.is_ok() {
            self.is_ending.store(false, Ordering::SeqCst);
        }
        taken.is_ok()
    }

    /// Returns the exit status for the signal, or `None` if no signal came.
    pub(crate) fn status(&self) -> Option<u8> {
        Some(self.status.load(Ordering::SeqCst)).filter(|status| *status != 0)
    }
}
