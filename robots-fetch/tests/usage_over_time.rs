//! Tests that the timelines about the use of content find retrievers with a fault. Each fault makes a different set of
//! cases fail.
//!
//! A fault changes the correct answer of this crate's retrieval, or the header that the retrieval receives.

use std::collections::BTreeSet;

use robots_conformance::engine::Profile;
use robots_conformance::kind::{
    Answer, Ask, Delivered, Retrieve, RetrievedVerdict, SentRequest, TimelineStep, UsageAnswer,
};
use robots_conformance::run::outcome::judge;
use robots_conformance::run::trial::trials;
use robots_conformance::suite::load;
use robots_core::Edition;
use robots_core::usage::Preferences;
use robots_fetch::{Settings, robots_core};
use robots_retriever::Retriever;
use rstest::rstest;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    HeaderIgnored,
    /// With this fault, the header (`Content-Usage`) of the first page is used for later pages.
    HeaderKept,
    /// With this fault, only the first of several field lines in a header is used.
    FirstLineCounts,
    /// With this fault, the header replaces the preferences of the file.
    HeaderReplacesFile,
    /// With this fault, the preferences of the first copy are used although a newer copy exists.
    FirstPreferencesKept,
    /// With this fault, the header's preferences apply even to a page that may not be fetched.
    AppliesToWhatIsForbidden,
    /// With this fault, the header in the answer with robots.txt applies to pages.
    HeaderOfRobotsTxtCounts,
}

struct Bent<R> {
    fault: Option<Fault>,
    right: R,
    header: Option<Vec<Vec<u8>>>,
    first: Option<Vec<RetrievedVerdict>>,
}

impl<R: Retrieve> Retrieve for Bent<R> {
    fn restart(&mut self) {
        self.right.restart();
    }

    fn ask(
        &mut self,
        step: &TimelineStep,
        send: &mut dyn FnMut(SentRequest) -> Delivered,
    ) -> Result<Vec<RetrievedVerdict>, Answer> {
        let mut bent = step.clone();
        let header = bent.usage.as_mut().expect("every step asks it");
        let mut of_file = Vec::new();
        match self.fault {
            Some(Fault::HeaderIgnored) => header.clear(),
            Some(Fault::HeaderKept) => {
                header.clone_from(self.header.get_or_insert_with(|| header.clone()));
            }
            Some(Fault::FirstLineCounts) => header.truncate(1),
            _ => {}
        }
        let header = header.clone();
        let mut verdicts = self.right.ask(&bent, &mut |request| {
            let delivered = send(request);
            let fields = delivered.end.iter().flat_map(|response| &response.fields);
            let stated = fields.filter(|(name, _)| name == "content-usage");
            of_file.extend(stated.map(|(_, value)| Preferences::read(value.as_bytes())));
            delivered
        })?;
        let of_header: Vec<&[u8]> = header.iter().map(Vec::as_slice).collect();
        let of_header = Preferences::read_header(&of_header);
        for verdict in &mut verdicts {
            let Some(UsageAnswer { preferences, .. }) = &mut verdict.usage else { continue };
            match (self.fault, &mut *preferences) {
                (Some(Fault::HeaderReplacesFile), Some(stated)) if !header.is_empty() => {
                    *stated = of_header;
                }
                (Some(Fault::HeaderOfRobotsTxtCounts), Some(stated)) => {
                    *stated = of_file.iter().fold(*stated, |all, line| all.and(*line));
                }
                (Some(Fault::AppliesToWhatIsForbidden), None) => *preferences = Some(of_header),
                _ => {}
            }
        }
        if self.fault == Some(Fault::FirstPreferencesKept) {
            let first = self.first.get_or_insert_with(|| verdicts.clone());
            for (verdict, first) in verdicts.iter_mut().zip(first) {
                verdict.usage.clone_from(&first.usage);
            }
        }
        Ok(verdicts)
    }
}

/// Returns the cases that fail, without the common part of their names.
fn failing(fault: Option<Fault>) -> BTreeSet<String> {
    let suite = load::embedded().unwrap();
    let mut trials = trials(&suite);
    let draft = Profile::Edition(Edition::Aipref2026_08);
    trials.retain(|trial| trial.case().area == "timeline-usage" && trial.profile() == draft);
    assert!(trials.len() >= 15, "{} timelines", trials.len());
    let fails = trials.iter().filter(|trial| {
        let Ask::Timeline(timeline) = &trial.member().ask else { panic!("not a timeline") };
        let settings = Settings::default().edition(Edition::Aipref2026_08);
        let right = Retriever::begin(&timeline.agents, settings).unwrap();
        let mut bent = Bent { fault, right, header: None, first: None };
        let answer = timeline.run(&mut bent).map_or_else(Answer::from, Answer::Timeline);
        judge(trial.kind(), trial.conforming(), &answer).is_failure()
    });
    fails.map(|trial| trial.case().id.replacen("timeline-usage-", "", 1)).collect()
}

#[rstest]
#[trace]
#[case::header_ignored(
    Fault::HeaderIgnored,
    "header-without-file header-beside-silent-file header-of-two-lines header-of-one-message header-of-robots-txt header-and-file of-two-origins after-the-file-is-gone after-a-file-appears of-a-confirmed-copy not-applicable"
)]
#[case::header_kept(
    Fault::HeaderKept,
    "header-of-one-message header-of-robots-txt header-and-file"
)]
#[case::first_line_counts(Fault::FirstLineCounts, "header-of-two-lines")]
#[case::header_replaces_file(
    Fault::HeaderReplacesFile,
    "header-and-file of-two-origins after-the-file-is-gone after-a-file-appears of-a-confirmed-copy not-applicable while-the-site-fails"
)]
#[case::first_preferences_kept(
    Fault::FirstPreferencesKept,
    "header-of-one-message header-of-robots-txt header-and-file after-a-change after-the-file-is-gone after-a-file-appears while-the-site-fails"
)]
#[case::applies_to_what_is_forbidden(
    Fault::AppliesToWhatIsForbidden,
    "not-applicable of-an-unreachable-site while-the-site-fails"
)]
#[case::header_of_robots_txt_counts(Fault::HeaderOfRobotsTxtCounts, "header-of-robots-txt")]
fn the_timelines_catch_a_fault(#[case] fault: Fault, #[case] cases: &str) {
    let expected: BTreeSet<String> = cases.split(' ').map(str::to_owned).collect();
    assert_eq!(failing(Some(fault)), expected);
}

#[test]
fn without_a_fault_all_timelines_pass() {
    assert_eq!(failing(None), BTreeSet::new());
}

/// If a step asks about the use of content and a verdict does not answer this, the outcome is an error and not a failed
/// case.
#[test]
fn a_verdict_without_a_usage_is_no_answer() {
    let step = TimelineStep { usage: Some(Vec::new()), ..TimelineStep::default() };
    let verdict = RetrievedVerdict::default();
    let urls = vec!["https://example.com/".to_owned()];
    let step = TimelineStep { urls, ..step };
    let why = step.check(2, &[verdict]).unwrap_err();
    assert_eq!(why.to_string(), "a verdict of step 3 has no usage");
    let why = step.check(0, &[]).unwrap_err();
    assert_eq!(why.to_string(), "step 1 has 1 URLs, but the number of verdicts is 0");
}
