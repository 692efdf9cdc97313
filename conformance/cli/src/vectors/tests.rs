//! Compares the flat files with the suite: they match the cases, contain each question of their kinds with exactly one
//! right answer once, and match their schemas.
//!
//! The functions at the end read a vector as the README describes it for other languages. So the tests also check this
//! description.

use std::collections::BTreeMap;
use std::sync::Arc;

use robots_conformance::report::TrialRecord;
use robots_conformance::run::outcome::OutcomeKind;

use super::{Changes, Content, FOLDER, Flat, Ids, OTHER, TIMELINES, check, copy, stamped, sum};
use base64::Engine as _;
use robots_conformance::kind;
use robots_conformance::kind::{
    Agents, Ask, Delivered, GroupQuestion, NetworkFailure, PreferenceQuestion, ScriptedReply,
    ScriptedResponse, TimelineQuestion, TimelineStep, UsageQuestion, VerdictQuestion,
};
use robots_conformance::protocol;
use robots_conformance::run::trial;
use robots_conformance::run::trial::Trial;
use robots_conformance::suite::case::Conforming;
use robots_conformance::suite::load;
use robots_core::path::PathAndQuery;
use robots_core::usage::Vocabulary;
use robots_core::{Crawler, Edition};
use serde_json::{Value, json};

/// Returns the objects of a file.
fn objects(flat: Flat) -> Vec<Value> {
    let items: Vec<Value> = serde_json::from_str(text(flat)).expect("the file is JSON");
    items.into_iter().filter(Value::is_object).collect()
}

fn text(flat: Flat) -> &'static str {
    robots_spec_cases::file(&format!("{FOLDER}/{}", flat.file())).expect("the file is embedded")
}

fn schema(flat: Flat) -> jsonschema::Validator {
    jsonschema::validator_for(&serde_json::from_str(flat.schema()).unwrap()).unwrap()
}

#[test]
fn the_files_are_what_the_cases_make() {
    let (suite, changes) = (load::embedded().unwrap(), Changes::embedded().unwrap());
    for flat in Flat::all() {
        let (file, made) = (flat.file(), flat.text(&suite, &changes));
        assert!(text(flat) == made, "run `cargo xtask bless` and commit {file}");
        assert!(made.is_ascii(), "a reader's locale must not matter");
        assert!(made.len() <= 400_000, "{file}: {} octets", made.len());
        let (_, sum_of_rest, rest) = stamped(&made).unwrap();
        assert_eq!(sum(rest), sum_of_rest, "{file}");
        let ids: Vec<String> = objects(flat).iter().map(|it| it["id"].to_string()).collect();
        assert!(ids.is_sorted(), "{file}");
    }
}

#[test]
fn the_files_are_valid_by_their_schemas() {
    for flat in Flat::all() {
        let file: Value = serde_json::from_str(text(flat)).unwrap();
        let errors: Vec<String> = schema(flat)
            .iter_errors(&file)
            .map(|error| format!("{} at {}: {error}", flat.file(), error.instance_path()))
            .collect();
        assert!(errors.is_empty(), "{}", errors.join("\n"));
    }
}

/// Checks that a file whose only vector is this one is valid, and that it is not with another value of one key.
fn is_refused(flat: Flat, vector: &Value, place: &str, key: &str, value: Value) {
    let items: Vec<Value> = serde_json::from_str(text(flat)).unwrap();
    let mut file = json!([items[0], items[1], vector]);
    assert!(schema(flat).is_valid(&file));
    file.pointer_mut(place).unwrap()[key] = value;
    assert!(!schema(flat).is_valid(&file));
}

#[rstest::rstest]
#[case::unknown_key("/2", "colour", json!("blue"))]
#[case::two_files("/2", "robots_txt_base64", json!("eA=="))]
#[case::no_text("/2", "robots_txt", json!(1))]
#[case::no_answer("/2", "allowed", json!("maybe"))]
#[case::no_level("/2", "level", json!("observed"))]
#[case::no_url("/2", "url", json!("/x"))]
#[case::no_user_agent("/2", "user_agent", json!(""))]
#[case::a_space_in_an_id("/2", "id", json!("one two"))]
fn a_verdict_that_is_wrong_is_not_valid(
    #[case] place: &str,
    #[case] key: &str,
    #[case] value: Value,
) {
    let flat = Flat::of(Edition::Rfc9309);
    is_refused(flat, &objects(flat)[0], place, key, value);
}

#[rstest::rstest]
#[case::unknown_key("/2", "colour", json!("blue"))]
#[case::two_files("/2", "robots_txt_base64", json!("eA=="))]
#[case::no_question("/2", "ask", json!("scope"))]
#[case::an_answer_of_another_kind("/2", "expected", json!({ "sitemaps": [] }))]
#[case::no_verdict("/2", "expected", json!({ "verdict": "maybe" }))]
#[case::no_edition("/2", "editions", json!({}))]
#[case::no_section("/2/editions", "rfc9309", json!("must"))]
#[case::no_tokens("/2", "tokens", json!([]))]
#[case::no_path("/2", "path_and_query", json!("x"))]
fn another_question_that_is_wrong_is_not_valid(
    #[case] place: &str,
    #[case] key: &str,
    #[case] value: Value,
) {
    let mut verdicts = objects(OTHER).into_iter();
    let is_one = |it: &Value| it["ask"] == "verdict" && it["editions"]["rfc9309"].is_string();
    is_refused(OTHER, &verdicts.find(is_one).unwrap(), place, key, value);
}

#[rstest::rstest]
#[case::no_network("/2", "network", json!(null))]
#[case::no_time("/2/steps/0", "at", json!(-1))]
#[case::no_failure("/2/network/0", "failure", json!("bored"))]
#[case::a_failure_with_a_status("/2/network/0", "failure", json!("dns"))]
#[case::two_bodies("/2/network/0", "body_base64", json!("eA=="))]
#[case::no_verdict("/2/expected/timeline/0", "verdicts", json!(["maybe"]))]
#[case::no_reason("/2/expected/timeline/0", "because", json!(["luck"]))]
#[case::no_request("/2/expected/timeline/0", "requests", json!(["/robots.txt"]))]
fn a_timeline_that_is_wrong_is_not_valid(
    #[case] place: &str,
    #[case] key: &str,
    #[case] value: Value,
) {
    let mut timelines = objects(TIMELINES).into_iter();
    let timeline = timelines.find(|it| it["id"] == "timeline-status-200").unwrap();
    is_refused(TIMELINES, &timeline, place, key, value);
}

/// Returns the vectors of all files by id and edition, each in the form of `other.json`.
fn all() -> BTreeMap<(String, Edition), Value> {
    let mut vectors = BTreeMap::new();
    for flat in Flat::all() {
        for mut vector in objects(flat) {
            if let Content::Verdicts(edition) = flat.0 {
                let stated = format!(
                    "{} {}",
                    vector["level"].as_str().unwrap(),
                    vector["section"].as_str().unwrap()
                );
                vector["editions"] = json!({ edition.id(): stated });
                vector["ask"] = "verdict".into();
                vector["tokens"] = json!([vector["user_agent"]]);
                let word = if vector["allowed"] == true { "allow" } else { "disallow" };
                vector["expected"] = json!({ "verdict": word });
                let lines = vector["lines"].as_str().map(|lines| {
                    lines.split(' ').map(|line| line.parse().unwrap()).collect::<Vec<u64>>()
                });
                if let Some(lines) = lines {
                    vector["expected"]["lines"] = json!(lines);
                }
            }
            let id = vector["id"].as_str().unwrap().to_owned();
            for edition in vector["editions"].as_object().unwrap().keys() {
                let key = (id.clone(), edition.parse().unwrap());
                let twice = format!("twice: {key:?}");
                assert!(vectors.insert(key, vector.clone()).is_none(), "{twice}");
            }
        }
    }
    vectors
}

#[test]
fn every_closed_question_stands_there_once_and_as_it_is_asked() {
    let suite = load::embedded().unwrap();
    let is_closed = |trial: &Trial| {
        let is_one = matches!(trial.conforming(), Conforming::One(_)) && !trial.is_open();
        kind::has_vectors(trial.kind()) && !trial.is_repeated() && is_one
    };
    let mut vectors = all();
    for trial in trial::trials(&suite).iter().filter(|trial| is_closed(trial)) {
        let (name, edition) = (trial.name(), trial.profile().edition().unwrap());
        let member = trial.member().name.as_ref();
        let member = member.map_or_else(String::new, |member| format!("::{member}"));
        let id = format!("{}{member}", trial.case().id);
        let vector = &vectors.remove(&(id, edition)).unwrap_or_else(|| panic!("missing: {name}"));
        let ask = &trial.member().ask;
        if let Some(robots_txt) = ask.robots_txt() {
            assert!(octets(vector, "robots_txt") == robots_txt, "the octets of {name}");
        }
        let Conforming::One(answer) = trial.conforming() else { unreachable!() };
        assert_eq!(vector["expected"], json!(protocol::expected(answer)), "{name}");
        assert_eq!(vector["ask"], ask.kind().id(), "{name}");
        let role = trial.case().form.role.id();
        assert_eq!(vector["role"].as_str().unwrap_or("parser"), role, "{name}");
        assert_eq!(vector["requirement"], trial.case().requirement, "{name}");
        let stated = format!("{} {}", trial.level_id(), trial.expect().source);
        assert_eq!(vector["editions"][edition.id()], stated, "{name}");
        let asks = |agents: &Agents| {
            assert_eq!(vector["tokens"], json!(agents.texts()), "{name}");
            assert_eq!(vector["identification"].as_str(), agents.identification(), "{name}");
        };
        match ask {
            Ask::Verdict(VerdictQuestion { agents, url, .. }) => {
                asks(agents);
                assert_eq!(vector["url"], **url, "{name}");
                let Some(path) = vector["path_and_query"].as_str() else { continue };
                let [cut, whole] =
                    [path, url.as_str()].map(|text| PathAndQuery::parse(text).unwrap());
                assert_eq!(cut.as_octets(), whole.as_octets(), "{name}");
                assert!(url.contains(path.strip_prefix('/').unwrap()), "{name}: {path} is altered");
            }
            Ask::Group(GroupQuestion { agents, .. }) => asks(agents),
            Ask::Usage(UsageQuestion { agents, url, header, vocabulary, .. }) => {
                asks(agents);
                assert_eq!(vector["url"], **url, "{name}");
                assert_eq!(content_usage(vector), *header, "{name}");
                assert_eq!(vocabulary_of(vector), *vocabulary, "{name}");
            }
            Ask::Preference(PreferenceQuestion { octets: asked, vocabulary }) => {
                assert_eq!(octets(vector, "preference"), **asked, "{name}");
                assert_eq!(vocabulary_of(vector), *vocabulary, "{name}");
            }
            Ask::Timeline(question) => {
                asks(&question.agents);
                assert_eq!(timeline(vector), (question.steps.clone(), script(question)), "{name}");
                assert_eq!(vector["passes_time"] == true, question.passes_time(), "{name}");
            }
            _ => {}
        }
    }
    let left: Vec<_> = vectors.keys().collect();
    assert!(left.is_empty(), "no closed questions: {left:?}");
}

/// A run does not check the deciding line of a vector, because a subject need not name it. So this test checks it.
#[test]
fn a_line_that_decides_is_one_that_the_parser_finds() {
    let mut named = 0;
    for ((id, edition), vector) in all() {
        // All lines of a usage vector decide, and a run checks them.
        let Some(lines) = vector["expected"]["lines"].as_array() else { continue };
        if vector["ask"] == "usage" {
            continue;
        }
        let tokens = vector["tokens"].as_array().unwrap().iter().map(|one| one.as_str().unwrap());
        let crawler = Crawler::new(tokens).unwrap();
        let robots = robots_nom_parser::parse_with(octets(&vector, "robots_txt"), edition);
        let verdict = robots.verdict(&crawler, vector["url"].as_str().unwrap());
        let line = verdict.rule().map(|rule| u64::from(rule.line().number.get()));
        assert!(
            lines.iter().any(|one| one.as_u64() == line),
            "{id} of {edition}: {lines:?} decide by the case, and {line:?} by the parser; a pair of rules whose URL \
             neither matches has no such line: write it as `robots`",
        );
        named += 1;
    }
    assert!(named > 100, "{named} lines were compared");
}

/// A vector of a published edition asks nothing that only a draft defines, and a draft has no verdicts of its own.
#[test]
fn drafts_are_alone() {
    let mut asked = BTreeMap::new();
    for ((id, edition), vector) in all() {
        let ask = vector["ask"].as_str().unwrap().to_owned();
        let is_new = matches!(&*ask, "usage" | "preference");
        if ask != "timeline" {
            assert_eq!(edition.is_draft(), is_new, "{id}");
        }
        *asked.entry(ask).or_insert(0) += usize::from(is_new);
    }
    assert!(asked["usage"] > 50 && asked["preference"] > 30, "{asked:?}");
}

/// Three changes that an update could have.
const CHANGES: &str = r#"[
"A comment.",
{"version":"0.1.0","date":"2026-01-01","change":"first"},
{"version":"0.2.0","date":"2026-02-02","change":"added","id":"new-case::/x","reason":"It was not tested."},
{"version":"0.2.0","date":"2026-02-02","change":"answered-anew","edition":"rfc9309","id":"fish::/x~2","replaces":"fish::/x","reason":"An erratum.","passage":"2.2.2"},
{"version":"0.3.0","date":"2026-03-03","change":"withdrawn","id":"fish::/y","reason":"It tested two things."}
]"#;

/// A question of the suite that an update could answer anew.
const ANEW: &str = r#"[
{"version":"0.1.0","date":"2026-01-01","change":"answered-anew","edition":"rfc9309","id":"path-fish-prefix::/fish~2","replaces":"path-fish-prefix::/fish","reason":"An erratum.","passage":"2.2.2"}
]"#;

#[test]
fn an_update_lists_its_changes() {
    let changes = Changes::parse(CHANGES).unwrap();
    let since = |version| changes.since(version).map(Iterator::collect::<Vec<_>>);
    let listed: Vec<String> =
        since("0.1.0").unwrap().into_iter().map(ToString::to_string).collect();
    assert_eq!(listed.len(), 3);
    assert_eq!(
        listed[1],
        "0.2.0 answered anew: fish::/x~2 (rfc9309), replaces fish::/x\n  An erratum. (2.2.2)"
    );
    assert!(changes.stamp("0").contains(", 2026-03-03, "));
    let marked = |name: &str, outcome| {
        let mut trial = TrialRecord::new(String::new(), outcome);
        (trial.case, trial.member) = (name.to_owned(), Some("/x".to_owned()));
        changes.mark(&mut trial);
        trial.since
    };
    assert_eq!(marked("new-case", OutcomeKind::Failed).as_deref(), Some("0.2.0"));
    assert_eq!(marked("fish", OutcomeKind::Failed), None);
    assert_eq!(marked("new-case", OutcomeKind::Passed), None);
    // A question that was answered anew has another id, in the edition that changed.
    let id = |edition| changes.id(edition, "fish::/x");
    assert_eq!(id(Edition::Rfc9309), ("fish::/x~2".to_owned(), Some("fish::/x")));
    assert_eq!(id(Edition::Google2022), ("fish::/x".to_owned(), None));
    let ends = [("rfc9309", "fish::/x"), ("google-2022", "fish::/x"), ("rfc9309", "fish::/y")];
    assert_eq!(ends.map(|(edition, id)| changes.lists_the_end(edition, id)), [true, false, true]);
    let starts =
        [("rfc9309", "fish::/x~2"), ("google-2022", "fish::/x~2"), ("rfc9309", "fish::/y")];
    assert_eq!(starts.map(|(of, id)| changes.lists_the_start(of, id)), [true, false, false]);
    let concerned = since("0.1.0").unwrap();
    let ids = ["fish::/x".to_owned()];
    assert_eq!(concerned.iter().filter(|change| change.concerns(&ids)).count(), 1);
    for wrong in ["one", "0.9.0", "0.1"] {
        assert!(since(wrong).is_err(), "{wrong}");
    }
}

/// The file and the list of known failures have the new id.
#[test]
fn a_question_that_is_answered_anew_has_its_new_id_everywhere() {
    let (suite, changes) = (load::embedded().unwrap(), Changes::parse(ANEW).unwrap());
    let flat = Flat::of(Edition::Rfc9309).text(&suite, &changes);
    let items: Vec<Value> = serde_json::from_str(&flat).unwrap();
    let vectors = items.iter().filter(|it| it.is_object());
    let names: Vec<String> = vectors.map(|it| it["id"].to_string()).collect();
    assert!(names.is_sorted() && names.contains(&"\"path-fish-prefix::/fish~2\"".to_owned()));
    let known = Ids::of(&suite, &changes);
    let trials = trial::trials(&suite);
    let id = |edition: &str| {
        let is_it = |trial: &&Arc<Trial>| {
            trial.name() == format!("path-matching::path-fish-prefix::{edition}::/fish")
        };
        known.of_trial(trials.iter().find(is_it).unwrap())
    };
    assert_eq!(id("rfc9309"), Some("path-fish-prefix::/fish~2"));
    assert_eq!(id("google-2022"), Some("path-fish-prefix::/fish"));
}

#[rstest::rstest]
#[case::no_reason(r#"[{"version":"0.1.0","date":"d","change":"added","id":"x"}]"#, "needs `id`")]
#[case::no_passage(
    r#"[{"version":"0.1.0","date":"d","change":"answered-anew","id":"x~2","replaces":"x","reason":"y"}]"#,
    "`passage`"
)]
#[case::another_word(r#"["x",{"version":"0.1.0","date":"d","change":"gone"}]"#, "line 3")]
#[case::out_of_order(
    r#"[{"version":"0.2.0","date":"d","change":"none"},{"version":"0.1.0","date":"d","change":"first"}]"#,
    "order"
)]
#[case::nothing("[]", "order")]
fn changes_that_are_wrong_are_refused(#[case] text: &str, #[case] message: &str) {
    let error = Changes::parse(text).unwrap_err().to_string();
    assert!(error.contains(message), "{error}");
}

#[rstest::rstest]
#[case::as_written("", "")]
#[case::edited("\"allowed\":true", "\"allowed\":false")]
#[case::old("robots-conformance 0.1.0", "robots-conformance 0.0.9")]
fn a_copy_is_checked(#[case] from: &str, #[case] to: &str) {
    let (suite, folder) = (load::embedded().unwrap(), tempfile::tempdir().unwrap());
    copy(&suite, &[], folder.path()).unwrap();
    let path = folder.path().join("rfc9309.json");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replacen(from, to, 1)).unwrap();
    let expected: &[&str] = match from {
        "" => &[],
        _ if to.ends_with("0.0.9") => {
            &["rfc9309.json is of version 0.0.9; `copy --vectors --edition rfc9309` replaces it"]
        }
        _ => &["rfc9309.json was edited; `copy --vectors --edition rfc9309` replaces it"],
    };
    assert_eq!(check(&suite, folder.path()).unwrap(), expected);
}

/// A copy of some editions is whole, as long as it has its licence.
#[test]
fn a_copy_may_have_only_some_editions() {
    let (suite, folder) = (load::embedded().unwrap(), tempfile::tempdir().unwrap());
    let checked = || check(&suite, folder.path()).map_err(|error| error.to_string());
    assert!(checked().unwrap_err().contains("has no vectors; `copy --vectors "));
    copy(&suite, &[Edition::Rfc9309, Edition::Google2018], folder.path()).unwrap();
    let copied = std::fs::read_dir(folder.path()).unwrap();
    let mut names: Vec<_> =
        copied.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names, ["LICENSE", "README.md", "changes.json", "google-2018.json", "rfc9309.json"]);
    std::fs::remove_file(folder.path().join("changes.json")).unwrap();
    assert_eq!(checked().unwrap(), Vec::<String>::new());
    std::fs::remove_file(folder.path().join("LICENSE")).unwrap();
    assert_eq!(checked().unwrap(), ["LICENSE is missing; `copy --vectors` writes it"]);
}

fn vocabulary_of(vector: &Value) -> Vocabulary {
    vector["vocabulary"].as_str().map_or_else(Vocabulary::default, |id| id.parse().unwrap())
}

fn base64(value: &Value) -> Vec<u8> {
    base64::engine::general_purpose::STANDARD.decode(value.as_str().unwrap_or_default()).unwrap()
}

fn script(question: &TimelineQuestion) -> Vec<ScriptedReply> {
    question.network.script().to_vec()
}

/// Reads the `Content-Usage` field lines of a vector or a step.
fn content_usage(value: &Value) -> Vec<Vec<u8>> {
    value["content_usage_base64"].as_array().into_iter().flatten().map(base64).collect()
}

/// Reads the steps and the script of a vector as the README describes them.
fn timeline(vector: &Value) -> (Vec<TimelineStep>, Vec<ScriptedReply>) {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let step = |step: &Value| TimelineStep {
        at: step["at"].as_u64().unwrap(),
        urls: list(&step["urls"]).iter().map(text).collect(),
        restart: step["restart"] == true,
        usage: (step["ask"] == "usage").then(|| content_usage(step)),
    };
    let response = |line: &Value| ScriptedResponse {
        status: line["status"].as_u64().unwrap().try_into().unwrap(),
        fields: list(&line["fields"]).iter().map(|it| (text(&it[0]), text(&it[1]))).collect(),
        body: octets(line, "body").into(),
        is_cut: line["cut"] == true,
    };
    let reply = |line: &Value| {
        let failure = NetworkFailure::ALL.iter().find(|failure| line["failure"] == failure.id());
        ScriptedReply {
            url: text(&line["url"]),
            from: line["from"].as_u64().unwrap_or(0),
            when: line.get("when").map(|when| (text(&when["field"]), text(&when["contains"]))),
            reply: Delivered {
                delay: line["delay"].as_u64().unwrap_or(0),
                end: failure.map_or_else(|| Ok(response(line)), |failure| Err(*failure)),
            },
        }
    };
    let steps = list(&vector["steps"]);
    (steps.iter().map(step).collect(), list(&vector["network"]).iter().map(reply).collect())
}

/// Reads octets of a vector as the README describes them.
fn octets(vector: &Value, key: &str) -> Vec<u8> {
    if let Some(text) = vector[key].as_str() {
        return text.as_bytes().to_vec();
    }
    let Some(parts) = vector[format!("{key}_parts")].as_array() else {
        return base64(&vector[format!("{key}_base64")]);
    };
    let mut octets = Vec::new();
    let length = vector[format!("{key}_length")].as_u64();
    for part in parts {
        for number in 1..=part["times"].as_u64().unwrap_or(1) {
            match (part["text"].as_str(), part["counter"].as_str()) {
                (Some(text), Some(counter)) => {
                    octets.extend(text.replace(counter, &number.to_string()).into_bytes());
                }
                (Some(text), None) => octets.extend(text.bytes()),
                (None, _) => octets.extend(base64(&part["base64"])),
            }
        }
    }
    assert_eq!(length, u64::try_from(octets.len()).ok(), "{}", vector["id"]);
    octets
}
