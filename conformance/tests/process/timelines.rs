//! Tests timelines over the protocol, with a small retriever as the subject, and with faults of this retriever.
//!
//! The subject allows a URL only if robots.txt is missing (404). It has no cache: it requests robots.txt again for each
//! URL, so timelines about caching fail.

use std::io::{self, BufRead as _, Write as _};
use std::process::ExitCode;
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use robots_conformance::engine::Profile;
use robots_conformance::engine::{Engine, Question};
use robots_conformance::kind::{
    Answer, Ask, Retrieve, RetrievedVerdict, Role, SentRequest, TimelineStep,
};
use robots_conformance::process::{ProcessEngine, Settings};
use robots_conformance::report::record::RunRecord;
use robots_conformance::run::outcome::{Missing, Outcome, OutcomeKind};
use robots_conformance::run::{Finished, Report, Runner};
use robots_conformance::serve::serve;
use robots_conformance::suite::load;
use serde_json::{Value, json};

use crate::fake::this;

pub(crate) const TESTS: &[(&str, fn())] = &[
    ("timelines::requests_are_answered_and_judged", requests_are_answered_and_judged),
    ("timelines::without_the_clock_time_does_not_pass", without_the_clock_time_does_not_pass),
    ("timelines::without_the_clock_no_edition_conforms", without_the_clock_no_edition_conforms),
    ("timelines::a_subject_that_asks_for_ever_is_ended", a_subject_that_asks_for_ever_is_ended),
    ("timelines::requests_beyond_the_limit_are_refused", requests_beyond_the_limit_are_refused),
    ("timelines::steps_and_urls_are_bounded", steps_and_urls_are_bounded),
    ("timelines::wrong_requests_and_answers_are_errors", wrong_requests_and_answers_are_errors),
    ("timelines::an_engine_in_rust_is_served", an_engine_in_rust_is_served),
    ("timelines::more_questions_than_may_be_open_end", more_questions_than_may_be_open_end),
];

/// Runs a retriever that answers timelines. The mode names its fault.
pub(crate) fn subject(mode: &str) -> ExitCode {
    if mode == "served" {
        return match serve(&Careless, None, 4, io::stdin().lock(), io::stdout()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::FAILURE,
        };
    }
    let mut lines = io::stdin().lock().lines();
    let mut next =
        || lines.next().map(|line| serde_json::from_str::<Value>(&line.unwrap()).unwrap());
    while let Some(question) = next() {
        if question["ask"] == "hello" {
            say(&json!({
                "protocol": 1, "name": mode, "editions": ["google-2022"], "roles": ["retriever"],
                "answers": ["timeline"], "clock": mode != "clockless"
            }));
            continue;
        }
        let id = question["id"].clone();
        let mut answer = Vec::new();
        for (step, asked) in question["steps"].as_array().unwrap().iter().enumerate() {
            let mut verdicts = Vec::new();
            for url in asked["urls"].as_array().unwrap() {
                let url = robots_url(url.as_str().unwrap());
                let step = if mode == "wrong-step" { 1000 } else { step };
                let mut request = json!({ "step": step, "at": asked["at"], "url": url });
                match mode {
                    "wrong-request" => request["at"] = "now".into(),
                    "long-request" => request["fields"] = json!({ "x": "x".repeat(70_000) }),
                    _ => {}
                }
                let times = match mode {
                    "for-ever" => usize::MAX,
                    "eager" => 101,
                    _ => 1,
                };
                let mut status = Value::Null;
                for _ in 0..times {
                    say(&json!({ "id": id, "request": request }));
                    let Some(reply) = next() else { return ExitCode::SUCCESS };
                    assert_eq!(reply["id"], id);
                    status = reply["reply"]["status"].clone();
                }
                // The last request of a retriever in the mode `eager` is refused, so the reply has no status.
                let allows = status == 404 || mode == "eager" && status.is_null();
                verdicts.push(json!({ "verdict": if allows { "allow" } else { "disallow" } }));
            }
            answer.push(verdicts);
        }
        if mode == "short" {
            answer.pop();
        }
        say(&json!({ "id": id, "timeline": answer }));
    }
    ExitCode::SUCCESS
}

fn say(message: &Value) {
    let mut out = io::stdout().lock();
    writeln!(out, "{message}").and_then(|()| out.flush()).unwrap();
}

fn robots_url(url: &str) -> String {
    let authority = url.find("://").unwrap() + 3;
    let end = url[authority..].find('/').map_or(url.len(), |end| authority + end);
    format!("{}/robots.txt", &url[..end])
}

/// The retriever of `subject` without its faults, as an engine. The function `serve` speaks the protocol for it.
struct Careless;

impl Engine for Careless {
    fn name(&self) -> &str {
        "careless"
    }

    fn profiles(&self) -> &[Profile] {
        &[Profile::Edition(robots_core::Edition::Google2022)]
    }

    fn roles(&self) -> &[Role] {
        &[Role::Retriever]
    }

    fn answer(&self, question: &Question) -> Answer {
        match &question.ask {
            Ask::Timeline(timeline) => {
                timeline.run(&mut Self).map_or_else(Answer::from, Answer::Timeline)
            }
            _ => Answer::unsupported("timelines only"),
        }
    }
}

impl Retrieve for Careless {
    fn restart(&mut self) {}

    fn ask(
        &mut self,
        step: &TimelineStep,
        send: &mut dyn FnMut(SentRequest) -> robots_conformance::kind::Delivered,
    ) -> Result<Vec<RetrievedVerdict>, Answer> {
        let verdict = |url: &String| {
            let url = robots_url(url);
            let delivered = send(SentRequest { at: step.at, url, ..SentRequest::default() });
            let allowed = delivered.end.is_ok_and(|response| response.status == 404);
            RetrievedVerdict { allowed, ..RetrievedVerdict::default() }
        };
        Ok(step.urls.iter().map(verdict).collect())
    }
}

/// Runs the timelines of an area, or of one case, against the subject in a mode.
fn run(mode: &str, area: &str) -> Vec<Finished> {
    let command = format!("{} fake retriever-{mode}", this());
    let engine = ProcessEngine::start(&command, Settings::default()).unwrap();
    let runner = Runner::new(Arc::new(engine));
    let mut trials = runner.trials(&load::embedded().unwrap());
    trials.retain(|trial| trial.name().starts_with(area));
    runner.run(&trials, |_| {})
}

fn outcome<'f>(finished: &'f [Finished], case: &str) -> &'f Finished {
    finished.iter().find(|done| done.trial.case().id == case).unwrap_or_else(|| panic!("{case}"))
}

fn kind(finished: &[Finished], case: &str) -> OutcomeKind {
    outcome(finished, case).outcome.kind()
}

fn requests_are_answered_and_judged() {
    let finished = run("careful", "timeline-status");
    for case in ["timeline-status-404", "timeline-status-500", "timeline-status-500-a-minute-later"]
    {
        assert_eq!(kind(&finished, case), OutcomeKind::Passed, "{case}");
    }
    assert_eq!(kind(&finished, "timeline-status-403"), OutcomeKind::Failed);
    // The outcome contains the requests that the runner has received, although the subject's answer does not list them.
    let Some(Answer::Timeline(answer)) = &outcome(&finished, "timeline-status-404").answer else {
        panic!("no timeline");
    };
    let sent: Vec<&str> = answer[0].requests.iter().map(|request| request.url.as_str()).collect();
    assert_eq!(sent, ["https://example.com/robots.txt"; 2]);
    let uncached = run("careful", "timeline-caching");
    assert_eq!(kind(&uncached, "timeline-cached-missing-file"), OutcomeKind::Failed);
}

fn without_the_clock_time_does_not_pass() {
    let finished = run("clockless", "timeline-status");
    assert_eq!(kind(&finished, "timeline-status-404"), OutcomeKind::Passed);
    for case in ["timeline-status-500-a-minute-later", "timeline-status-200-slow"] {
        assert_eq!(kind(&finished, case), OutcomeKind::NotAsked, "{case}");
    }
    let not_asked = finished.iter().filter(|done| done.outcome.kind() == OutcomeKind::NotAsked);
    let passing = finished.iter().filter(|done| done.trial.member().ask.passes_time());
    assert_eq!(not_asked.count(), passing.count());
}

/// A subject that was not asked every timeline does not conform, even if it passed all timelines that it was asked.
fn without_the_clock_no_edition_conforms() {
    for (mode, has_clock) in [("careful", true), ("clockless", false)] {
        let mut finished = run(mode, "timeline-status");
        finished.retain(|done| !done.outcome.is_failure());
        let missing = Missing::Clock;
        let of_clock = finished.iter().filter(|done| done.outcome == Outcome::NotAsked { missing });
        let of_clock = of_clock.count();
        let record = RunRecord::of(&Report::new(mode, finished));
        let [line] = record.editions.as_slice() else { panic!("{:?}", record.editions) };
        assert_eq!((line.edition.as_str(), line.role.as_str()), ("google-2022", "retriever"));
        assert_eq!((line.is_right(), line.conforms), (true, has_clock), "{mode}");
        assert_eq!(line.not_asked, of_clock, "{mode}");
        assert_eq!(line.not_asked == 0, has_clock, "{mode}");
        let of_kind = record.trials.iter().filter(|trial| trial.outcome == OutcomeKind::NotAsked);
        let reasons: Vec<Option<&str>> = of_kind.map(|trial| trial.detail.as_deref()).collect();
        assert_eq!(
            reasons,
            vec![Some("the subject does not take the runner's clock"); line.not_asked]
        );
    }
}

fn a_subject_that_asks_for_ever_is_ended() {
    let finished = run("for-ever", "timeline-origins");
    for done in &finished {
        let why = done.outcome.detail().unwrap_or_default();
        assert!(why.contains("more than 200 requests in one timeline"), "{:?}", done.outcome);
    }
}

/// The hundredth request is answered, and the next one is refused.
fn requests_beyond_the_limit_are_refused() {
    let finished = run("eager", "timeline-origins::timeline-port-of-its-own");
    let Some(Answer::Timeline(answer)) = &outcome(&finished, "timeline-port-of-its-own").answer
    else {
        panic!("no timeline");
    };
    assert_eq!(answer[0].requests.len(), 101);
    assert!(answer[0].verdicts[0].allowed);
}

/// The function `serve`, on the subject's side of the protocol, refuses a timeline that is too long.
fn steps_and_urls_are_bounded() {
    let step = |urls: usize| json!({ "at": 0, "urls": vec!["https://example.com/x"; urls] });
    for (steps, fits) in [
        (vec![step(5); 100], true),
        (vec![step(1); 101], false),
        (vec![step(500)], true),
        (vec![step(501)], false),
        (vec![], false),
    ] {
        let question = json!({
            "id": 1, "ask": "timeline", "edition": "google-2022", "crawler": ["examplebot"], "steps": steps
        });
        let mut answers = Vec::new();
        serve(&Careless, None, 1, format!("{question}\n").as_bytes(), &mut answers).unwrap();
        let refusal = "`steps` has 1 to 100 steps and at most 500 URLs";
        let answers = String::from_utf8(answers).unwrap();
        assert_eq!(answers.contains(refusal), !fits, "{answers}");
    }
}

fn wrong_requests_and_answers_are_errors() {
    for (mode, says) in [
        ("long-request", "a request of more than 65536 octets"),
        ("wrong-request", "a request of the wrong type"),
        ("wrong-step", "a request of step 1000, which the timeline does not have"),
        ("short", "an answer of the wrong length"),
    ] {
        let finished = run(mode, "timeline-origins");
        let why = finished[0].outcome.detail().unwrap_or_default();
        assert_eq!(finished[0].outcome.kind(), OutcomeKind::Errored, "{mode}");
        assert!(why.contains(says), "{mode}: {why}");
    }
}

/// An engine gives the same answers in a separate process as in this process.
fn an_engine_in_rust_is_served() {
    for area in ["timeline-status", "timeline-caching", "timeline-refresh"] {
        let runner = Runner::new(Arc::new(Careless));
        let mut trials = runner.trials(&load::embedded().unwrap());
        trials.retain(|trial| trial.case().area == area);
        let here = runner.run(&trials, |_| {});
        let served = run("served", area);
        assert_eq!(here.len(), served.len());
        for (here, served) in here.iter().zip(&served) {
            assert_eq!(here.answer, served.answer, "{}", here.trial.name());
        }
    }
}

/// A client that sends more questions than may be open gets its answers, although no reply to a timeline can be read.
fn more_questions_than_may_be_open_end() {
    let question = |id: usize| {
        let steps = json!([{ "at": 0, "urls": ["https://example.com/x"] }]);
        json!({ "id": id, "ask": "timeline", "edition": "google-2022", "crawler": ["examplebot"], "steps": steps })
    };
    for pipeline in [1, 1000] {
        let lines: String = (0..200).map(|id| format!("{}\n", question(id))).collect();
        let (sender, answered) = mpsc::channel();
        thread::spawn(move || {
            let mut answers = Vec::new();
            serve(&Careless, None, pipeline, lines.as_bytes(), &mut answers).unwrap();
            let _ = sender.send(String::from_utf8(answers).unwrap());
        });
        let answers = answered.recv_timeout(Duration::from_secs(30)).expect("the server waits");
        assert_eq!(answers.matches("\"timeline\":").count(), 200, "{answers}");
    }
}
