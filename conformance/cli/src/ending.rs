//! Ends a run early on SIGINT, SIGTERM or SIGHUP.
//!
//! The first signal stops the open questions or crawls, and no more begin. Every process that was started is killed,
//! temporary files are removed, and the reports are written and marked as partial. A second signal ends the program at
//! once. On systems without these signals, an interruption at the console ends the program and its jobs.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

/// Whether a run must end, and the signal that requested it.
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
        // Without the watcher, the signals have their default effect.
        if let Ok(mut signals) = Signals::new([SIGHUP, SIGINT, SIGTERM]) {
            thread::spawn(move || {
                for signal in signals.forever() {
                    let status = u8::try_from(128 + signal).unwrap_or(u8::MAX);
                    // The signal is stored first, so that a reader of the flag always finds it.
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

    /// Returns whether a signal came.
    #[cfg(feature = "live")]
    pub(crate) fn is_requested(&self) -> bool {
        self.is_ending.load(Ordering::SeqCst)
    }

    /// Forgets a SIGINT, if that signal came, and returns whether it came. It is used if SIGINT means "continue".
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

    /// Returns the exit status for the signal, if one came.
    pub(crate) fn status(&self) -> Option<u8> {
        Some(self.status.load(Ordering::SeqCst)).filter(|status| *status != 0)
    }
}
