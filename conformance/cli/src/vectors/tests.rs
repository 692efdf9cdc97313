//! Compares the flat files with the suite: they match the cases, contain each question of their kinds with exactly one
//! right answer once, and match their schemas.
//!
//! The functions at the end read a vector as the README describes it for other languages. So the tests also check this
//! description.

use std::collections::BTreeMap;

use super::{ALL, Flat, TIMELINES, VECTORS};
use base64::Engine as _;
use robots_conformance::kind::{
    Agents, Ask, Delivered, GroupQuestion, NetworkFailure, PreferenceQuestion, ScriptedReply,
    ScriptedResponse, TimelineQuestion, TimelineStep, UsageQuestion, VerdictQuestion,
};
use robots_conformance::run::trial;
use robots_conformance::run::trial::Trial;
use robots_conformance::suite::case::Conforming;
use robots_conformance::suite::load;
use robots_core::path::PathAndQuery;
use robots_core::usage::Vocabulary;
use robots_core::{Crawler, Edition};
use serde_json::{Value, json};

fn file(flat: Flat) -> Value {
    let text = robots_spec_cases::file(flat.file).expect("the file is embedded");
    serde_json::from_str(text).expect("the file is JSON")
}

fn schema(flat: Flat) -> jsonschema::Validator {
    jsonschema::validator_for(&serde_json::from_str(flat.schema()).unwrap()).unwrap()
}

#[rstest::rstest]
#[case(VECTORS, 2_000_000)]
#[case(TIMELINES, 500_000)]
fn the_file_is_what_the_cases_make(#[case] flat: Flat, #[case] most: usize) {
    let text = flat.text(&load::embedded().unwrap());
    let embedded = robots_spec_cases::file(flat.file);
    assert!(embedded == Some(&*text), "run `cargo xtask bless` and commit {}", flat.file);
    assert!(text.is_ascii(), "a reader's locale must not matter");
    assert!(text.len() <= most, "{}: {} octets; write long files in parts", flat.file, text.len());
}

#[test]
fn the_files_are_valid_by_their_schemas() {
    for flat in ALL {
        let (schema, file) = (schema(flat), file(flat));
        let errors: Vec<String> = schema
            .iter_errors(&file)
            .map(|error| format!("{} at {}: {error}", flat.file, error.instance_path()))
            .collect();
        assert!(errors.is_empty(), "{}", errors.join("\n"));
    }
}

#[rstest::rstest]
#[case::unknown_key("", "colour", json!("blue"))]
#[case::another_format("", "format", json!(2))]
#[case::no_version("", "version", json!("one"))]
#[case::unknown_key_of_a_vector("/vectors/0", "colour", json!("blue"))]
#[case::two_files("/vectors/0", "robots_txt_base64", json!("eA=="))]
#[case::no_question("/vectors/0", "ask", json!("scope"))]
#[case::an_answer_of_another_kind("/vectors/0", "expected", json!({ "sitemaps": [] }))]
#[case::no_verdict("/vectors/0", "expected", json!({ "verdict": "maybe" }))]
#[case::no_edition("/vectors/0", "editions", json!({}))]
#[case::no_tokens("/vectors/0", "tokens", json!([]))]
#[case::no_path("/vectors/0", "path_and_query", json!("x"))]
fn what_is_wrong_is_not_valid(#[case] place: &str, #[case] key: &str, #[case] value: Value) {
    let mut file = file(VECTORS);
    file["vectors"].as_array_mut().unwrap().truncate(1);
    assert_eq!(file["vectors"][0]["ask"], "verdict");
    assert!(schema(VECTORS).is_valid(&file));
    file.pointer_mut(place).unwrap()[key] = value;
    assert!(!schema(VECTORS).is_valid(&file));
}

#[rstest::rstest]
#[case::no_network("/vectors/0", "network", json!(null))]
#[case::no_time("/vectors/0/steps/0", "at", json!(-1))]
#[case::no_failure("/vectors/0/network/0", "failure", json!("bored"))]
#[case::a_failure_with_a_status("/vectors/0/network/0", "failure", json!("dns"))]
#[case::two_bodies("/vectors/0/network/0", "body_base64", json!("eA=="))]
#[case::no_verdict("/vectors/0/expected/timeline/0", "verdicts", json!(["maybe"]))]
#[case::no_reason("/vectors/0/expected/timeline/0", "because", json!(["luck"]))]
#[case::no_request("/vectors/0/expected/timeline/0", "requests", json!(["/robots.txt"]))]
fn a_timeline_that_is_wrong_is_not_valid(
    #[case] place: &str,
    #[case] key: &str,
    #[case] value: Value,
) {
    let mut file = file(TIMELINES);
    let vectors = file["vectors"].as_array_mut().unwrap();
    vectors.retain(|vector| vector["name"] == "timeline-status::timeline-status-200");
    assert!(schema(TIMELINES).is_valid(&file));
    file.pointer_mut(place).unwrap()[key] = value;
    assert!(!schema(TIMELINES).is_valid(&file));
}

#[rstest::rstest]
#[case(VECTORS)]
#[case(TIMELINES)]
fn every_closed_question_stands_there_once_and_as_it_is_asked(#[case] flat: Flat) {
    let suite = load::embedded().unwrap();
    let is_closed = |trial: &Trial| {
        let is_one = matches!(trial.conforming(), Conforming::One(_)) && !trial.is_open();
        flat.contains(trial.kind()) && !trial.is_repeated() && is_one
    };
    let file = file(flat);
    let mut vectors: BTreeMap<String, (&Value, &str)> = BTreeMap::new();
    for vector in file["vectors"].as_array().unwrap() {
        for edition in vector["editions"].as_object().unwrap().keys() {
            let (area, rest) = vector["name"].as_str().unwrap().split_once("::").unwrap();
            let (case, member) = rest.split_once("::").map_or((rest, None), |(c, m)| (c, Some(m)));
            let member = member.map_or_else(String::new, |member| format!("::{member}"));
            let name = format!("{area}::{case}::{edition}{member}");
            assert!(vectors.insert(name.clone(), (vector, edition)).is_none(), "twice: {name}");
        }
    }
    for trial in trial::trials(&suite).iter().filter(|trial| is_closed(trial)) {
        let name = trial.name();
        let (vector, edition) = vectors.remove(name).unwrap_or_else(|| panic!("missing: {name}"));
        let ask = &trial.member().ask;
        if let Some(robots_txt) = ask.robots_txt() {
            assert!(octets(vector, "robots_txt") == robots_txt, "the octets of {name}");
        }
        assert_eq!(vector["ask"], ask.kind().id(), "{name}");
        assert_eq!(vector["role"].as_str().unwrap_or("parser"), trial.role().id(), "{name}");
        assert_eq!(vector["requirement"], trial.case().requirement, "{name}");
        let stated = &vector["editions"][edition];
        assert_eq!(stated["level"], trial.level_id(), "{name}");
        assert_eq!(stated["section"], trial.expect().source, "{name}");
        assert_eq!(stated["row"].as_str(), trial.expect().row.as_deref(), "{name}");
        let asks = |agents: &Agents| {
            assert_eq!(vector["tokens"], json!(agents.texts()), "{name}");
            assert_eq!(vector["identification"].as_str(), agents.identification(), "{name}");
        };
        match ask {
            Ask::Verdict(VerdictQuestion { agents, url, .. }) => {
                asks(agents);
                assert_eq!(vector["url"], **url, "{name}");
                let path = vector["path_and_query"].as_str().unwrap();
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
    let left: Vec<&String> = vectors.keys().collect();
    assert!(left.is_empty(), "no closed questions: {left:?}");
}

/// A run does not check the deciding line of a vector, because a subject need not name it. So this test checks it.
#[test]
fn a_line_that_decides_is_one_that_the_parser_finds() {
    let file = file(VECTORS);
    let mut named = 0;
    for vector in file["vectors"].as_array().unwrap() {
        // All lines of a usage vector decide, and a run checks them.
        let Some(lines) = vector["expected"]["lines"].as_array() else { continue };
        if vector["ask"] == "usage" {
            continue;
        }
        let tokens = vector["tokens"].as_array().unwrap().iter().map(|one| one.as_str().unwrap());
        let crawler = Crawler::new(tokens).unwrap();
        for edition in vector["editions"].as_object().unwrap().keys() {
            let edition: Edition = edition.parse().unwrap();
            let robots = robots_nom_parser::parse_with(octets(vector, "robots_txt"), edition);
            let verdict = robots.verdict(&crawler, vector["url"].as_str().unwrap());
            let line = verdict.rule().map(|rule| u64::from(rule.line().number.get()));
            assert!(
                lines.iter().any(|one| one.as_u64() == line),
                "{} of {edition}: {lines:?} decide by the case, and {line:?} by the parser; a pair of rules whose URL \
                 neither matches has no such line: write it as `robots`",
                vector["name"]
            );
            named += 1;
        }
    }
    assert!(named > 100, "{named} lines were compared");
}

/// The header names the drafts. A vector of a published edition asks nothing that only a draft defines.
#[test]
fn drafts_are_marked_and_alone() {
    let file: Value = serde_json::from_str(robots_spec_cases::file(VECTORS.file).unwrap()).unwrap();
    let drafts: Vec<&str> = Edition::DRAFTS.iter().map(|draft| draft.id()).collect();
    assert_eq!(file["drafts"], json!(drafts));
    let mut asked = BTreeMap::new();
    for vector in file["vectors"].as_array().unwrap() {
        let ask = vector["ask"].as_str().unwrap();
        let editions = vector["editions"].as_object().unwrap();
        let of_drafts =
            editions.keys().filter(|edition| drafts.contains(&edition.as_str())).count();
        let is_new = matches!(ask, "usage" | "preference");
        assert_eq!(of_drafts, if is_new { editions.len() } else { 0 }, "{}", vector["name"]);
        *asked.entry(ask).or_insert(0) += usize::from(is_new);
    }
    assert!(asked["usage"] > 50 && asked["preference"] > 30, "{asked:?}");
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
    assert_eq!(length, u64::try_from(octets.len()).ok(), "{}", vector["name"]);
    octets
}
