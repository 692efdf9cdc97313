//! A small suite for tests, and engines whose answers a test chooses.

use robots_conformance::engine::Profile;
use robots_conformance::engine::{Engine, Question};
use robots_conformance::kind::{Answer, Role};
use robots_conformance::suite::{Suite, load};

/// Loads the small suite from `fixtures`.
#[allow(dead_code, reason = "not every test needs the suite")]
pub(crate) fn suite() -> Suite {
    let files = [
        ("requirements.yaml", include_str!("../fixtures/requirements.yaml")),
        ("paths.yaml", include_str!("../fixtures/paths.yaml")),
        ("shapes.yaml", include_str!("../fixtures/shapes.yaml")),
    ];
    load::suite(files).unwrap_or_else(|problems| panic!("{problems}"))
}

/// An engine that answers with a closure.
#[allow(dead_code, reason = "not every test needs an engine")]
pub(crate) struct Fake<F>(pub(crate) &'static [Profile], pub(crate) F);

impl<F: Fn(&Question) -> Answer + Send + Sync> Engine for Fake<F> {
    fn name(&self) -> &str {
        "fake"
    }

    fn profiles(&self) -> &[Profile] {
        self.0
    }

    fn roles(&self) -> &[Role] {
        Role::PARSER_AND_CRAWLER
    }

    fn answer(&self, question: &Question) -> Answer {
        self.1(question)
    }
}

/// A retriever that does not take the runner's clock, and answers with a closure.
#[allow(dead_code, reason = "not every test needs a retriever")]
pub(crate) struct Clockless<F>(pub(crate) &'static [Profile], pub(crate) F);

impl<F: Fn(&Question) -> Answer + Send + Sync> Engine for Clockless<F> {
    fn name(&self) -> &str {
        "clockless"
    }

    fn profiles(&self) -> &[Profile] {
        self.0
    }

    fn roles(&self) -> &[Role] {
        &[Role::Retriever]
    }

    fn takes_clock(&self) -> bool {
        false
    }

    fn answer(&self, question: &Question) -> Answer {
        self.1(question)
    }
}
