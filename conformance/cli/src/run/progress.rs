//! A progress bar on a terminal during a run: [`Progress`].
//!
//! The bar is hidden with `--quiet`, or if standard error is not a terminal. A build without the feature `progress`
//! never shows it.

#[cfg(feature = "progress")]
use std::io::IsTerminal as _;

#[cfg(feature = "progress")]
use indicatif::{ProgressBar, ProgressStyle};

/// The progress of a run.
pub(super) struct Progress {
    #[cfg(feature = "progress")]
    bar: ProgressBar,
}

#[cfg(feature = "progress")]
impl Progress {
    pub(super) fn start(trials: usize) -> Self {
        if robots_console::output::is_quiet() || !std::io::stderr().is_terminal() {
            return Self { bar: ProgressBar::hidden() };
        }
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {wide_msg}");
        let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
        let length = u64::try_from(trials).unwrap_or(u64::MAX);
        Self { bar: ProgressBar::new(length).with_style(style) }
    }

    pub(super) fn trial(&self, name: &str) {
        self.bar.set_message(name.to_owned());
        self.bar.inc(1);
    }

    pub(super) fn end(&self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(not(feature = "progress"))]
#[expect(clippy::unused_self, reason = "a real bar uses its value")]
impl Progress {
    pub(super) fn start(_: usize) -> Self {
        Self {}
    }

    pub(super) fn trial(&self, _: &str) {}

    pub(super) fn end(&self) {}
}
