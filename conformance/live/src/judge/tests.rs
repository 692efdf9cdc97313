//! Tests the judge with access logs that are written by hand.
//!
//! A log is written as a text with its requests, and `record` reads this text. [`GOOD`] is the log of a crawler that
//! makes no mistake in the case [`CASE`]. Most tests change one request of this log, and then check the outcome, the
//! findings and the violated requirements.

use rstest::rstest;
use serde_json::json;

use robots_conformance::suite::load;

use super::*;
use crate::load::tests::read;
use robots_test_web::LogEntry;

const CATALOGUE: &str = "requirements:
  - { id: FETCH-5XX, area: crawling, says: x, editions: { rfc9309: { level: must, source: 2.3.1.4 } } }
  - { id: AGENT, area: crawling, says: x, editions: { rfc9309: { level: should, source: 2.2.1 } } }
  - { id: APPLY-CRAWLERS, area: crawling, says: x, editions: { rfc9309: { level: must, source: 2.2.2 } } }
  - { id: LOC-SCOPE, area: crawling, says: x, editions: { rfc9309: { level: must, source: '2.3' } } }
";

const CASE: &str = "area: x
cases:
  - id: one
    requirement: FETCH-5XX
    about: What the judge is tried on.
    sites: { main: { robots: 503 }, other: {} }
    fetched: [ '{other}/page' ]
    not-fetched: [ /private ]
    either: [ /either ]
    log:
      - { check: robots-first, origin: other }
      - { check: get, origin: main }
      - { check: unconditional, origin: main }
      - { check: at-least, origin: main, times: 1 }
      - { check: at-most, origin: main, times: 1, advice: true }
      - { check: names-token, origin: main, requirement: AGENT }
    expect: { rfc9309: as-listed, google-2022: { either: [ /private ], level: must, source: none } }
";

/// The requests of a crawler without mistakes, in the order of their arrival, each written
/// `origin method target [header]`.
const GOOD: &str = "hub GET /control-before; neutral GET /control; main GET /robots.txt; \
                        other GET /robots.txt; other GET /page; hub GET /control-after";

fn record(requests: &str, ended: Ended) -> CrawlRecord {
    let log = requests.split("; ").zip(1..).map(|(request, number)| {
        let mut words = request.split(' ').map(str::to_owned);
        let mut word = || words.next().unwrap_or_default();
        let (origin, method, target) = (word(), word(), word());
        let header = word();
        let mut headers = vec![("user-agent".to_owned(), "ExampleBot/1".to_owned())];
        match header.split_once(':') {
            Some(("user-agent", value)) => headers[0].1 = value.to_owned(),
            Some((name, value)) => headers.push((name.to_owned(), value.to_owned())),
            None => {}
        }
        let at = number * 10_000_u64;
        let (what, location) = match (&*origin, &*target) {
            ("main", "/robots.txt") => ("answered 503".to_owned(), None),
            ("other", "/robots.txt") => ("answered 302".to_owned(), Some("/rules".to_owned())),
            ("other", "/rules") => ("was reset".to_owned(), None),
            _ => ("answered 200".to_owned(), None),
        };
        // An answer takes 4 ms. The request for `/late` is never answered.
        let answer = json!({ "at": at + 4_000, "what": what, "location": location });
        let answer = (target != "/late").then_some(answer);
        let entry = json!({
            "at": at, "origin": origin, "connection": number, "method": method, "target": target,
            "headers": headers, "answer": answer,
        });
        serde_json::from_value::<LogEntry>(entry).unwrap()
    });
    let origins =
        ["hub", "neutral", "main", "other"].map(|name| (name.to_owned(), format!("http://{name}")));
    CrawlRecord {
        case: "one".to_owned(),
        agent: "examplebot".to_owned(),
        ended,
        start: Page { origin: "hub".to_owned(), target: "/".to_owned() },
        is_cut: false,
        origins: origins.into(),
        log: log.collect(),
    }
}

fn case() -> Case {
    read(CATALOGUE, CASE).unwrap().remove(0)
}

/// Returns the requirement that a finding violates, with its level and section.
fn offence(found: &Finding) -> String {
    format!("{} {} {}", found.requirement, found.level.unwrap(), found.source)
}

fn sentences(judgement: &Judgement) -> Vec<&str> {
    judgement.findings.iter().map(|finding| finding.sentence.as_str()).collect()
}

#[rstest]
#[trace]
#[case::nothing_wrong(GOOD, Outcome::Passed, "")]
#[case::normal_form(&GOOD.replace("/page", "/p%61ge"), Outcome::Passed, "")]
#[case::absolute_target(&GOOD.replace("/page", "http://other/page"), Outcome::Passed, "")]
#[case::forbidden(
    &GOOD.replace("; hub GET /control-after", "; main GET /private; hub GET /control-after"),
    Outcome::Failed { note: None },
    "fetched /private of main 26 ms after /robots.txt answered 503"
)]
#[case::forbidden_and_gone(
    "main GET /robots.txt; main GET /private",
    Outcome::Failed { note: None },
    "fetched /private of main 6 ms after /robots.txt answered 503"
)]
#[case::never_asked(
    "main GET /private",
    Outcome::Failed { note: None },
    "fetched /private of main without having asked for /robots.txt there"
)]
#[case::asked_too_late(
    "main GET /private; main GET /robots.txt",
    Outcome::Failed { note: None },
    "fetched /private of main without having asked for /robots.txt there"
)]
#[case::left_out(&GOOD.replace("other GET /page; ", ""), Outcome::Failed { note: None },
    "did not fetch /page of other, which nothing forbids")]
#[case::did_not_come("hub GET /robots.txt", Outcome::Inconclusive, "")]
#[case::left_in_the_middle(&GOOD.replace("; hub GET /control-after", ""), Outcome::Inconclusive, "")]
#[case::stayed_at_the_hub(
    "hub GET /control-before; hub GET /control-after",
    Outcome::Inconclusive,
    ""
)]
#[case::stayed_at_the_hub_and_was_wrong(
    "hub GET /control-before; main GET /private; hub GET /control-after",
    Outcome::Failed { note: None },
    "fetched /private of main without having asked for /robots.txt there"
)]
#[case::page_first(&GOOD.replace("other GET /robots.txt; ", ""), Outcome::Failed { note: None },
    "asked other for /page before asking for /robots.txt")]
#[case::by_head(&GOOD.replace("main GET", "main HEAD"), Outcome::Failed { note: None },
    "asked main for /robots.txt by HEAD")]
#[case::conditional(
    &GOOD.replace("main GET /robots.txt", "main GET /robots.txt if-none-match:x"),
    Outcome::Failed { note: None },
    "asked main for /robots.txt for the first time with if-none-match"
)]
#[case::not_asked(&GOOD.replace("main GET /robots.txt; ", ""), Outcome::Failed { note: None },
    "asked main for /robots.txt 0 times; the minimum is 1")]
#[case::advice(
    &GOOD.replace("main GET /robots.txt", "main GET /robots.txt; main GET /robots.txt"),
    Outcome::Passed,
    "asked main for /robots.txt 2 times, but 1 would be enough"
)]
#[case::nameless(
    &GOOD.replace("main GET /robots.txt", "main GET /robots.txt user-agent:Mozilla"),
    Outcome::Failed { note: None },
    "asked main for /robots.txt as \"Mozilla\", which does not contain \"examplebot\""
)]
fn outcomes(#[case] requests: &str, #[case] outcome: Outcome, #[case] sentence: &str) {
    let judgement = judge(&case(), Edition::Rfc9309, &record(requests, Ended::ByItself));
    assert_eq!(
        (judgement.outcome.clone(), sentences(&judgement).join("; ").as_str()),
        (outcome, sentence)
    );
}

#[test]
fn who_is_still_at_work_has_waited_unless_something_was_wrong() {
    let judged = |requests| judge(&case(), Edition::Rfc9309, &record(requests, Ended::AtTheLimit));
    assert_eq!(judged("hub GET /control-before").outcome, Outcome::Waited);
    assert_eq!(judged(GOOD).outcome, Outcome::Waited);
    assert_eq!(
        judged("main GET /robots.txt; main GET /private").outcome,
        Outcome::Failed { note: None }
    );
}

#[rstest]
#[trace]
#[case::hub("hub", "hub GET /control-before; main GET /robots.txt", true)]
#[case::left_the_hub("hub", "hub GET /control-before; neutral GET /control", false)]
#[case::never_came("main", "hub GET /", true)]
#[case::came("main", "main GET /", false)]
fn who_leaves_the_first_host_is_seen(
    #[case] origin: &str,
    #[case] requests: &str,
    #[case] stayed: bool,
) {
    let mut record = record(requests, Ended::ByItself);
    record.start.origin = origin.to_owned();
    assert_eq!(Log(&record).stayed_on_its_host(), stayed);
}

/// A case on one host.
const ONE_HOST: &str = "area: x
cases:
  - id: one
    requirement: FETCH-5XX
    about: What the judge is tried on.
    sites: { main: { robots: \"user-agent: *\\ndisallow: /private\\n\" } }
    fetched: [ /page ]
    not-fetched: [ /private ]
    log:
      - { check: robots-first, origin: main, requirement: APPLY-CRAWLERS }
    expect: { rfc9309: as-listed }
";

/// Judges a crawl that began on the host under test.
#[rstest]
#[trace]
#[case::nothing_wrong(
    "main GET /robots.txt; main GET /; main GET /control-before; main GET /page; main GET /control-after",
    Outcome::Passed,
    ""
)]
// The user names the start page, so the crawler may fetch it before it requests robots.txt.
#[case::start_page_first(
    "main GET /; main GET /robots.txt; main GET /control-before; main GET /page; main GET /control-after",
    Outcome::Passed,
    ""
)]
#[case::another_page_first(
    "main GET /; main GET /control-before; main GET /robots.txt; main GET /page; main GET /control-after",
    Outcome::Failed { note: None },
    "asked main for /control-before before asking for /robots.txt"
)]
#[case::forbidden(
    "main GET /robots.txt; main GET /; main GET /private",
    Outcome::Failed { note: None },
    "fetched /private of main 16 ms after /robots.txt answered 503"
)]
#[case::left_out(
    "main GET /robots.txt; main GET /; main GET /control-before; main GET /control-after",
    Outcome::Failed { note: None },
    "did not fetch /page of main, which nothing forbids"
)]
#[case::did_not_follow_links("main GET /robots.txt; main GET /", Outcome::Inconclusive, "")]
#[case::took_all_for_forbidden(
    "main GET /robots.txt",
    Outcome::Failed { note: None },
    "did not fetch /page of main, which nothing forbids"
)]
#[case::did_not_come("hub GET /", Outcome::Inconclusive, "")]
fn crawls_on_the_host(#[case] requests: &str, #[case] outcome: Outcome, #[case] sentence: &str) {
    let case = read(CATALOGUE, ONE_HOST).unwrap().remove(0);
    let mut record = record(requests, Ended::ByItself);
    record.start = Page::of_main("/");
    let judgement = judge(&case, Edition::Rfc9309, &record);
    let found = sentences(&judgement).join("; ");
    assert_eq!((judgement.outcome.clone(), found.as_str()), (outcome, sentence));
}

/// If a case forbids the whole host, a crawler that was started there has nothing to fetch after it read the rules. If
/// the case only lists nothing that must be fetched, the crawler was expected to fetch the page where it was started.
#[rstest]
#[trace]
#[case::stopped("503", "main GET /robots.txt", Outcome::Passed)]
#[case::fetched_what_the_user_named("503", "main GET /; main GET /robots.txt", Outcome::Passed)]
#[case::asked_no_rules("503", "main GET /", Outcome::Inconclusive)]
#[case::went_on("503", "main GET /robots.txt; main GET /; main GET /private", Outcome::Failed { note: None })]
#[case::stopped_without_need("''", "main GET /robots.txt", Outcome::Inconclusive)]
fn crawls_on_a_forbidden_host(
    #[case] robots: &str,
    #[case] requests: &str,
    #[case] outcome: Outcome,
) {
    let sites = format!("{{ main: {{ robots: {robots} }} }}");
    let text =
        ONE_HOST.replace("{ main: { robots: \"user-agent: *\\ndisallow: /private\\n\" } }", &sites);
    let text = text.replace("    fetched: [ /page ]\n", "");
    let case = read(CATALOGUE, &text).unwrap().remove(0);
    let mut record = record(requests, Ended::ByItself);
    record.start = Page::of_main("/");
    assert_eq!(judge(&case, Edition::Rfc9309, &record).outcome, outcome);
}

/// A crawler that is still working may fetch the page later, so only forbidden requests are reported.
#[test]
fn what_was_left_out_is_found_only_when_the_crawl_ended() {
    let left_out = GOOD.replace("other GET /page; ", "");
    for (requests, found) in [
        (left_out.clone(), ""),
        (
            left_out
                .replace("; hub GET /control-after", "; main GET /private; hub GET /control-after"),
            "fetched /private of main",
        ),
    ] {
        let judged = |ended| judge(&case(), Edition::Rfc9309, &record(&requests, ended)).findings;
        let at_the_limit = judged(Ended::AtTheLimit);
        let whats: Vec<&str> = at_the_limit.iter().map(|found| &*found.what).collect();
        assert_eq!(whats.join("; "), found);
        let by_itself = judged(Ended::ByItself);
        assert_eq!(by_itself.last().unwrap().what, "did not fetch /page of other");
    }
}

/// If two requests have the same time, their order in the log is the order of arrival.
#[test]
fn what_came_in_the_same_microsecond_came_before() {
    let mut record = record("main GET /robots.txt; main GET /private", Ended::ByItself);
    let page = Page { origin: "main".to_owned(), target: "/private".to_owned() };
    let at = record.log[1].at;
    record.log[0].answer.as_mut().unwrap().at = at;
    let sentence = Log(&record).fetched_against(&page).unwrap();
    assert_eq!(sentence, "fetched /private of main less than 1 ms after /robots.txt answered 503");
    record.log[0].at = at;
    record.log[0].answer.as_mut().unwrap().at = at + 1;
    let sentence = Log(&record).fetched_against(&page).unwrap();
    let asked = "fetched /private of main less than 1 ms after asking for /robots.txt, before it was answered";
    assert_eq!(sentence, asked);
}

#[test]
fn what_no_crawler_can_fail_is_open() {
    let private = "hub GET /control-before; neutral GET /control; main GET /robots.txt; main GET /private; \
                       hub GET /control-after";
    let judged = |edition| judge(&case(), edition, &record(private, Ended::ByItself)).outcome;
    assert_eq!(judged(Edition::Google2022), Outcome::Open { passage: None });
    assert_eq!(judged(Edition::Google2018), Outcome::Open { passage: None });
    assert!(judged(Edition::Rfc9309).is_failure());
}

#[test]
fn levels_are_those_of_what_is_offended() {
    let nameless = GOOD.replace("main GET /robots.txt", "main GET /robots.txt user-agent:x");
    let judgement = judge(&case(), Edition::Rfc9309, &record(&nameless, Ended::ByItself));
    let found = &judgement.findings[0];
    assert_eq!(
        (found.level, &*found.requirement, &*found.source, &*found.what),
        (Some(Level::Should), "AGENT", "2.2.1", "offended names-token of main")
    );
}

/// If a crawler fetches a forbidden page before it asks for the rules, `robots-first` finds this violation too, but it
/// is reported once.
#[rstest]
#[trace]
#[case::the_same("main GET /private; main GET /robots.txt", "fetched /private of main")]
#[case::on_another_origin(
    "main GET /private; main GET /robots.txt; other GET /page; other GET /robots.txt",
    "fetched /private of main; offended robots-first of other"
)]
#[case::by_another_page(
    "main GET /either; main GET /robots.txt; main GET /private",
    "fetched /private of main; offended robots-first of main"
)]
fn one_violation_counts_once(#[case] requests: &str, #[case] whats: &str) {
    let first =
        "- { check: robots-first, origin: main }\n      - { check: robots-first, origin: other }";
    let text = CASE.replace("- { check: robots-first, origin: other }", first);
    let case = read(CATALOGUE, &text).unwrap().remove(0);
    let findings = judge(&case, Edition::Rfc9309, &record(requests, Ended::ByItself)).findings;
    let found: Vec<&str> = findings.iter().map(|found| found.what.as_str()).collect();
    assert_eq!(found.join("; "), whats);
}

/// Advice is not a violation, so a deviations file does not name it.
#[test]
fn a_deviation_names_violations_and_no_advice() {
    let twice = "main GET /robots.txt; main GET /robots.txt; main GET /private";
    let requests = GOOD.replace("main GET /robots.txt", twice);
    let judgement = judge(&case(), Edition::Rfc9309, &record(&requests, Ended::ByItself));
    assert_eq!(judgement.findings.len(), 2);
    assert_eq!(judgement.found(), BTreeSet::from(["fetched /private of main".to_owned()]));
}

/// A requirement applies only in the editions that state it. Under other editions, a check of the requirement reports
/// nothing, not even advice.
#[test]
fn a_check_of_a_requirement_that_an_edition_lacks_finds_nothing() {
    let nameless = GOOD.replace("main GET /robots.txt", "main HEAD /robots.txt user-agent:x");
    let record = record(&nameless, Ended::ByItself);
    assert_eq!(sentences(&judge(&case(), Edition::Google2022, &record)), [""; 0]);
    assert_eq!(judge(&case(), Edition::Rfc9309, &record).findings.len(), 2);
}

/// A crawler that knows only the file of another port of the host applies the rules of that port.
#[rstest]
#[trace]
#[case::knew_the_other_port("port GET /robots.txt; main GET /private", "LOC-SCOPE must 2.3")]
#[case::asked_this_port_too_late(
    "port GET /robots.txt; main GET /private; main GET /robots.txt",
    "APPLY-CRAWLERS must 2.2.2"
)]
#[case::knew_another_host("other GET /robots.txt; main GET /private", "APPLY-CRAWLERS must 2.2.2")]
#[case::asked_the_other_port_too_late(
    "main GET /private; port GET /robots.txt",
    "APPLY-CRAWLERS must 2.2.2"
)]
#[case::only_a_page_of_the_other_port(
    "port GET /page; main GET /private",
    "APPLY-CRAWLERS must 2.2.2"
)]
fn rules_of_another_port_do_not_apply(#[case] requests: &str, #[case] offended: &str) {
    let text = CASE.replace("other: {} }", "other: {}, port: { host: main } }");
    let case = read(CATALOGUE, &text).unwrap().remove(0);
    let judgement = judge(&case, Edition::Rfc9309, &record(requests, Ended::ByItself));
    assert_eq!(offence(&judgement.findings[0]), offended);
}

/// If a crawler applies no rules, its omissions violate the requirement to apply rules. A wrong request still violates
/// the requirement of its check.
#[rstest]
#[trace]
#[case::no_rules_and_by_head(true, &GOOD.replace("main GET", "main HEAD"), "FETCH-5XX")]
#[case::no_rules_and_not_asked(true, &GOOD.replace("main GET /robots.txt; ", ""), ASKED)]
#[case::by_head(false, &GOOD.replace("main GET", "main HEAD"), "FETCH-5XX")]
#[case::not_asked(false, &GOOD.replace("main GET /robots.txt; ", ""), "FETCH-5XX")]
fn a_wrong_request_keeps_its_requirement(
    #[case] has_no_rules: bool,
    #[case] requests: &str,
    #[case] requirement: &str,
) {
    let record = record(requests, Ended::ByItself);
    let judgement = judge_knowing(&case(), Edition::Rfc9309, &record, has_no_rules);
    let offended: Vec<&str> =
        judgement.findings.iter().map(|found| found.requirement.as_str()).collect();
    assert_eq!(offended, [requirement]);
}

/// A case with a redirect: only a crawler that follows it requests `/rules`.
fn redirected() -> Case {
    let catalogue = format!(
        "{CATALOGUE}  - {{ id: FETCH-3XX, area: crawling, says: x, editions: {{ rfc9309: {{ level: should, source: 2.3.1.2 }} }} }}\n"
    );
    let text = "area: x
cases:
  - id: one
    requirement: FETCH-5XX
    about: What is behind a redirect.
    sites: { main: { robots: { status: 302, location: /rules }, pages: { /rules: 503 } } }
    follows: /rules
    not-fetched: [ /private ]
    fetched: [ /a//b, '/c%2Cd', /c/d ]
    expect: { rfc9309: as-listed }
";
    read(&catalogue, text).unwrap().remove(0)
}

#[rstest]
#[trace]
#[case::followed(
    "main GET /robots.txt; main GET /rules; main GET /private",
    "FETCH-5XX must 2.3.1.4"
)]
#[case::not_followed("main GET /robots.txt; main GET /private", "FETCH-3XX should 2.3.1.2")]
#[case::not_asked("main GET /private", "APPLY-CRAWLERS must 2.2.2")]
#[case::asked_behind_it(
    "main GET /private; main GET /robots.txt; main GET /rules",
    "APPLY-CRAWLERS must 2.2.2"
)]
fn what_is_offended_is_what_the_crawler_did(#[case] requests: &str, #[case] offended: &str) {
    let judgement = judge(&redirected(), Edition::Rfc9309, &record(requests, Ended::ByItself));
    assert_eq!(offence(&judgement.findings[0]), offended);
}

/// If a crawler applies no rules, a forbidden request violates the requirement to apply rules in every case. A page
/// that the crawler did not fetch is no violation, because no rule was the reason.
#[rstest]
#[trace]
#[case::followed("main GET /robots.txt; main GET /rules; main GET /private")]
#[case::not_followed("main GET /robots.txt; main GET /private")]
#[case::not_asked("main GET /private")]
fn a_crawler_without_rules_offends_one_requirement(#[case] requests: &str) {
    let requests = format!(
        "hub GET /control-before; neutral GET /control; {requests}; hub GET /control-after"
    );
    let record = record(&requests, Ended::ByItself);
    let judged = |has_no_rules| {
        judge_knowing(&redirected(), Edition::Rfc9309, &record, has_no_rules).findings
    };
    let (without, with) = (judged(true), judged(false));
    assert_eq!(offence(&without[0]), "APPLY-CRAWLERS must 2.2.2");
    let why =
        "; it applies no rules, because it also fetched the page that wire-asks-first forbids";
    assert_eq!(without[0].sentence, format!("{}{why}", with[0].sentence));
    assert_eq!(without[0].what, with[0].what);
    assert_eq!((without.len(), with.len()), (1, 4));
}

#[test]
fn no_rule_keeps_a_crawler_without_rules_from_a_page() {
    let judged = |requests: &str| {
        let record = record(requests, Ended::ByItself);
        judge_knowing(&case(), Edition::Rfc9309, &record, true)
    };
    let omitted = judged(&GOOD.replace("other GET /page; ", ""));
    assert_eq!((omitted.outcome, omitted.findings.len()), (Outcome::Inconclusive, 0));
    assert!(omitted.why.unwrap().contains("applies no rules"));
    assert_eq!(judged(GOOD).outcome, Outcome::Passed);
    // A crawler that never asks for the file applies no rules either.
    let never = judged(&GOOD.replace("main GET /robots.txt; ", ""));
    let requirements: Vec<_> = never.findings.iter().map(|it| &*it.requirement).collect();
    assert_eq!((never.outcome.is_failure(), requirements), (true, vec![ASKED]));
}

#[rstest]
#[trace]
#[case::obeys("wire-asks-first", "main GET /robots.txt; other GET /page", false)]
#[case::fetches("wire-asks-first", "main GET /robots.txt; main GET /private", true)]
#[case::never_asks("wire-asks-first", "main GET /private", true)]
#[case::in_another_case("one", "main GET /private", false)]
fn the_simplest_case_shows_whether_rules_are_applied(
    #[case] id: &str,
    #[case] requests: &str,
    #[case] shows: bool,
) {
    let mut case = case();
    id.clone_into(&mut case.id);
    let record = record(requests, Ended::AtTheLimit);
    assert_eq!(applies_no_rules(&case, Edition::Rfc9309, &record), shows);
    assert!(!applies_no_rules(&case, Edition::Google2018, &record), "it does not ask it");
}

#[test]
fn the_simplest_case_exists_and_is_about_nothing_else() {
    let cases = crate::load(&load::embedded().unwrap()).unwrap();
    let case = cases.iter().find(|case| case.id == SIMPLEST).unwrap();
    assert_eq!(case.requirement, ASKED);
    assert!(case.expect.values().all(|expectation| expectation.conforming.not_fetched.len() == 1));
    let plan = &case.form;
    assert!(!plan.names_the_crawler() && plan.is_on_own_host(), "every crawler is asked it");
}

#[rstest]
#[trace]
#[case::as_written("/a//b /c%2Cd /c/d", "")]
#[case::slashes_together("/a/b /c%2Cd /c/d", "/a//b")]
#[case::decoded("/a//b /c,d /c/d", "/c%2Cd")]
#[case::another_page("/a//b /c,d", "did not fetch /c/d of main")]
#[case::left_out("/c%2Cd /c/d", "did not fetch /a//b of main")]
fn a_link_that_was_respelt_is_not_left_out(#[case] fetched: &str, #[case] found: &str) {
    assert_eq!(respelt(&redirected(), fetched), found);
}

/// Judges a case by a log with requests for the given pages of `main`. Returns the findings, or the pages that make the
/// case inconclusive.
fn respelt(case: &Case, fetched: &str) -> String {
    let pages: String = fetched.split(' ').map(|page| format!("main GET {page}; ")).collect();
    let requests = format!(
        "hub GET /control-before; neutral GET /control; main GET /robots.txt; main GET /rules; {pages}hub GET /control-after"
    );
    let judgement = judge(case, Edition::Rfc9309, &record(&requests, Ended::ByItself));
    let whats: Vec<&str> = judgement.findings.iter().map(|found| found.what.as_str()).collect();
    if let Some(why) = judgement.why {
        assert_eq!((judgement.outcome, whats.len()), (Outcome::Inconclusive, 0));
        let pages = why.strip_prefix("the crawler changed the spelling of the URL of ").unwrap();
        pages.replace(" of main", "")
    } else {
        let passed = judgement.outcome == Outcome::Passed;
        assert_eq!(passed, whats.is_empty(), "{:?}", judgement.outcome);
        whats.join("; ")
    }
}

/// If a crawler changes the spelling of a query, the log does not show which spelling it compared with the rules.
#[rstest]
#[trace]
#[case::as_written("/a?x /a?x&b=1 /d?x", "")]
#[case::equals_sign_added("/a?x= /a?x=&b=1 /d?x", "/a?x, /a?x&b=1")]
#[case::sorted("/a?x /a?b=1&x /d?x", "/a?x&b=1")]
#[case::sorted_and_added("/a?x /a?b=1&x= /d?x", "/a?x&b=1")]
#[case::encoded("/a?x /a?x&%62=%31 /d?x", "")]
#[case::dropped("/a?x /a?x&b=1 /d", "/d?x")]
#[case::dropped_but_linked("/a /d?x", "did not fetch /a?x of main; did not fetch /a?x&b=1 of main")]
#[case::another_value("/a?x /a?x&b=2 /d?x", "did not fetch /a?x&b=1 of main")]
#[case::forbidden("/a?x /a?x&b=1 /d?x /secret?q", "fetched /secret?q of main")]
#[case::forbidden_and_respelt("/a?x /a?x&b=1 /d?x /secret?q=", "/secret?q")]
#[case::respelt_and_left_out("/a?x= /d?x", "did not fetch /a?x&b=1 of main")]
#[case::root_is_no_page_without_query("/ /a?x /a?x&b=1 /d?x", "")]
fn a_query_that_was_respelt_shows_nothing(#[case] fetched: &str, #[case] found: &str) {
    let text = "area: x
cases:
  - id: one
    requirement: FETCH-5XX
    about: Queries.
    sites: { main: {} }
    not-fetched: [ '/secret?q', '/?id' ]
    fetched: [ '/a?x', '/a?x&b=1', '/d?x' ]
    either: [ /a ]
    expect: { rfc9309: as-listed }
";
    let case = read(CATALOGUE, text).unwrap().remove(0);
    assert_eq!(respelt(&case, fetched), found);
}

#[test]
fn what_was_found_is_the_same_however_long_it_took() {
    let judged = |requests: &str| {
        judge(&case(), Edition::Rfc9309, &record(requests, Ended::ByItself)).findings
    };
    let soon = judged("main GET /robots.txt; main GET /private");
    let late = judged("main GET /robots.txt; hub GET /; main GET /private");
    assert_eq!(soon[0].what, "fetched /private of main");
    assert_eq!(soon[0].what, late[0].what);
    assert_ne!(soon[0].sentence, late[0].sentence);
    let left_out = judged(&GOOD.replace("other GET /page; ", ""));
    assert_eq!(left_out[0].what, "did not fetch /page of other");
    let at_least = judged(&GOOD.replace("main GET /robots.txt; ", ""));
    assert_eq!(at_least[0].what, "offended at-least 1 of main");
}

#[rstest]
#[trace]
#[case(
    "other GET /robots.txt; other GET /rules; other GET /page",
    "answered 302 and in the end /rules of other was reset"
)]
#[case("other GET /robots.txt; other GET /page", "answered 302")]
#[case("other GET /robots.txt; other GET /page; other GET /rules", "answered 302")]
fn the_end_of_a_redirect_is_reported(#[case] requests: &str, #[case] answer: &str) {
    let record = record(requests, Ended::ByItself);
    let page = Page { origin: "other".to_owned(), target: "/page".to_owned() };
    let sentence = Log(&record).fetched_against(&page).unwrap();
    assert!(sentence.ends_with(&format!(" ms after /robots.txt {answer}")), "{sentence}");
}

/// The target of a redirect can be a whole URL, a URL without its scheme, a path, or the end of a path.
#[rstest]
#[trace]
#[case::path("/rules", "/rules")]
#[case::with_a_fragment("/rules#top", "/rules")]
#[case::url("http://other/rules", "/rules")]
#[case::host("//other/rules", "/rules")]
#[case::another_host("//main/rules", "")]
#[case::relative("rules", "/rules")]
#[case::relative_upwards("../rules", "/rules")]
#[case::another_url("http://main/rules", "")]
#[case::another_path("/more", "")]
fn a_redirect_is_followed_through_the_log(#[case] location: &str, #[case] end: &str) {
    let requests = "other GET /robots.txt; other GET /rules; other GET /page";
    let mut record = record(requests, Ended::ByItself);
    record.log[0].answer.as_mut().unwrap().location = Some(location.to_owned());
    let page = Page { origin: "other".to_owned(), target: "/page".to_owned() };
    let sentence = Log(&record).fetched_against(&page).unwrap();
    let (_, found) = sentence.split_once(" and in the end ").unwrap_or_default();
    assert_eq!(found.split(' ').next().unwrap(), end, "{sentence}");
}

/// If a page and robots.txt were requested at the same time, but the page is first in the log, the page came first.
#[test]
fn a_request_after_the_page_in_the_same_microsecond_is_not_before_it() {
    let mut record = record("other GET /page; other GET /robots.txt", Ended::ByItself);
    record.log[1].at = record.log[0].at;
    let page = Page { origin: "other".to_owned(), target: "/page".to_owned() };
    let sentence = Log(&record).fetched_against(&page).unwrap();
    assert_eq!(sentence, format!("fetched {page} without having asked for /robots.txt there"));
}

/// A sentence mentions only the answers that came before the request for the page.
#[test]
fn a_redirect_that_was_followed_at_the_time_of_the_page_is_not_reported() {
    let requests = "other GET /robots.txt; other GET /page; other GET /rules";
    let mut record = record(requests, Ended::ByItself);
    record.log[2].at = record.log[1].at;
    let page = Page { origin: "other".to_owned(), target: "/page".to_owned() };
    let sentence = Log(&record).fetched_against(&page).unwrap();
    assert!(sentence.ends_with(" ms after /robots.txt answered 302"), "{sentence}");
}

#[rstest]
#[trace]
#[case("anonymous", "")]
#[case("Anonymous", "")]
#[case("root", "asked main for /robots.txt as the user \"root\", not as anonymous")]
#[case("", "asked main for /robots.txt as the user \"\", not as anonymous")]
fn over_ftp_a_crawler_is_anonymous(#[case] user: &str, #[case] sentence: &str) {
    let text = CASE.replace("{ check: get, origin: main }", "{ check: anonymous, origin: main }");
    let case = read(CATALOGUE, &text).unwrap().remove(0);
    let requests = GOOD.replace("main GET", "main RETR");
    let mut record = record(&requests, Ended::ByItself);
    let robots = record.log.iter_mut().find(|entry| entry.method == "RETR").unwrap();
    robots.headers.push(("user".to_owned(), user.to_owned()));
    let judgement = judge(&case, Edition::Rfc9309, &record);
    assert_eq!(sentences(&judgement).join("; "), sentence);
}

/// In a request to a proxy, the target is the whole URL. A URL in a query is part of the query.
#[rstest]
#[trace]
#[case("/go?to=http://x/page", "/go?to=http://x/page")]
#[case("http://main/page", "/page")]
#[case("http://main", "/")]
fn a_target_may_be_a_whole_url(#[case] target: &str, #[case] path: &str) {
    let record = record(&format!("main GET {target}"), Ended::ByItself);
    let page = |target: &str| Page { origin: "main".to_owned(), target: target.to_owned() };
    assert!(Log(&record).fetch(&page(path)).is_some());
    assert!(Log(&record).fetch(&page("/other")).is_none());
}

/// The requests that a cut log has are evidence, and those that it lacks are not.
#[rstest]
#[trace]
#[case::nothing_wrong(GOOD, Outcome::Inconclusive, 0)]
#[case::left_out(&GOOD.replace("other GET /page; ", ""), Outcome::Inconclusive, 0)]
#[case::forbidden("main GET /robots.txt; main GET /private", Outcome::Failed { note: None }, 1)]
fn a_cut_log_shows_what_it_has(
    #[case] requests: &str,
    #[case] outcome: Outcome,
    #[case] findings: usize,
) {
    let mut record = record(requests, Ended::ByItself);
    record.is_cut = true;
    let judgement = judge(&case(), Edition::Rfc9309, &record);
    assert_eq!((&judgement.outcome, judgement.findings.len()), (&outcome, findings));
    assert_eq!(judgement.why.is_some(), outcome == Outcome::Inconclusive);
}
