//! [`Events`] collects the events that a client logs, for tests.

use std::fmt::{self, Write as _};

use tracing::field::{Field, Visit};
use tracing::span;

/// A subscriber that passes each event of a client to a function, as one line.
pub(crate) struct Events<F>(pub(crate) F);

impl<F: Fn(&str) + Send + Sync + 'static> tracing::Subscriber for Events<F> {
    fn enabled(&self, metadata: &tracing::Metadata<'_>) -> bool {
        *metadata.level() <= tracing::Level::INFO && metadata.target() == "robots.fetch"
    }

    fn event(&self, event: &tracing::Event<'_>) {
        let mut line = Line(String::new());
        event.record(&mut line);
        self.0(&line.0.replace('\n', " "));
    }

    fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
        span::Id::from_u64(1)
    }

    fn record(&self, _: &span::Id, _: &span::Record<'_>) {}

    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}

    fn enter(&self, _: &span::Id) {}

    fn exit(&self, _: &span::Id) {}
}

/// The fields of an event in one line.
struct Line(String);

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        // Writing to a string does not fail.
        let _ = write!(self.0, ", {field}: {value:?}");
    }
}
