//! Tests [`WithGoogleCpp`], which combines an engine with the observed library.

#[path = "../../tests/common/mod.rs"]
mod common;

use common::Clockless;
use robots_conformance::engine::{Engine, Profile, Question};
use robots_conformance::kind::{Answer, Role};
use robots_core::Edition;
use robots_google_cpp::WithGoogleCpp;

/// The test engine returns a value that differs from the trait's default in each method.
#[test]
fn an_engine_with_the_library_keeps_its_name_its_roles_and_its_clock() {
    let editions = &[Profile::Edition(Edition::Google2018)];
    let engine =
        WithGoogleCpp::new(Clockless(editions, |_: &Question| Answer::unsupported("nothing")));
    assert_eq!(engine.name(), "clockless");
    assert_eq!(engine.profiles(), [Profile::Edition(Edition::Google2018), Profile::GoogleCpp]);
    assert_eq!(engine.roles(), [Role::Retriever]);
    assert!(!engine.takes_clock());
}
