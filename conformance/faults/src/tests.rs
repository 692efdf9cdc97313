//! Checks that the reader without a fault fails no case, that constant answers fail in every area, and what a failure
//! shows.

use std::collections::BTreeSet;
use std::sync::Arc;

use robots_conformance::kind::QuestionKind;
use robots_conformance::report::failure;
use robots_conformance::run::Runner;
use robots_conformance::run::trial::{Trial, trials};
use robots_conformance::suite::{Suite, load};
use robots_console::render::quoted;

use super::fault::Fault;
use super::matrix::failing;
use super::reader::Reader;

fn suite() -> Suite {
    load::embedded().unwrap_or_else(|problems| panic!("{problems}"))
}

#[test]
fn without_a_fault_the_interpreter_passes() {
    let suite = suite();
    let runner = Runner::new(Arc::new(Reader::new(None))).jobs(2);
    let trials = runner.trials(&suite);
    let failed: Vec<String> = runner
        .run(&trials, |_| {})
        .iter()
        .filter(|finished| finished.outcome.is_failure())
        .map(|finished| failure::of(finished, "no fault", &suite, ""))
        .collect();
    assert!(failed.is_empty(), "{} trials fail:\n{}", failed.len(), failed.join("\n"));
}

#[test]
fn a_constant_answer_is_caught_in_every_area_that_asks_for_verdicts() {
    let trials = trials(&suite());
    let areas = |trials: &mut dyn Iterator<Item = &Trial>| -> BTreeSet<String> {
        trials.map(|trial| trial.case().area.clone()).collect()
    };
    let mut verdicts =
        trials.iter().map(AsRef::as_ref).filter(|trial| trial.kind() == QuestionKind::Verdict);
    let asked = areas(&mut verdicts);
    assert!(asked.len() > 4, "verdicts are asked in {asked:?} only");
    for fault in [Fault::AlwaysAllows, Fault::AlwaysDisallows] {
        let failing = failing(&Reader::new(Some(fault)), &trials);
        let mut normative = failing.into_iter().filter(|trial| trial.conforming().is_normative());
        assert_eq!(areas(&mut normative), asked, "{}", fault.name());
    }
}

#[test]
fn what_a_failure_shows() {
    let suite = suite();
    let shown = [
        (Fault::DisallowWinsTies, "precedence::sample-equal-paths::google-2022"),
        (Fault::CrNoLineEnd, "file-format::line-end-cr::google-2018::/a"),
        (Fault::PortIgnored, "robots-url::scope-http-host::google-2018::http://example.com:8181/"),
        (Fault::BlankLineEndsGroup, "grouping::blank-between-agents::google-2019"),
    ];
    for (fault, failing) in shown {
        let runner = Runner::new(Arc::new(Reader::new(Some(fault))));
        let mut trials = runner.trials(&suite);
        trials.retain(|trial| trial.name() == failing);
        let finished = runner.run(&trials, |_| {});
        let name = finished[0].trial.full_name(fault.name());
        let rerun = format!("cargo xtask conformance --filter {}", quoted(&name));
        let text = failure::of(&finished[0], fault.name(), &suite, &rerun);
        // The snapshot has no line number, because a case that is added above changes it.
        let place = &finished[0].trial.case().place;
        let text = text.replace(&place.to_string(), &format!("{}:LINE", place.file));
        insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
            insta::assert_snapshot!(fault.name(), text);
        });
    }
}
