//! Compares the flat file with the suite: it matches the cases, contains each closed question once, and matches its
//! schema.

use std::collections::BTreeMap;

use base64::Engine as _;
use robots_conformance::run::trial;
use robots_conformance::run::trial::Trial;
use robots_conformance::suite::case::Conforming;
use robots_conformance::suite::load;
use robots_conformance_cli::vectors;
use robots_core::engine::{Agents, Ask, GroupQuestion, VerdictQuestion};
use robots_core::path::PathAndQuery;
use robots_core::{Crawler, Edition};
use serde_json::{Value, json};

fn file() -> Value {
    let text = robots_spec_cases::file(vectors::FILE).expect("the file is embedded");
    serde_json::from_str(text).expect("the file is JSON")
}

fn schema() -> jsonschema::Validator {
    let text = robots_spec_cases::file("schema/vectors.schema.json").expect("it is embedded");
    jsonschema::validator_for(&serde_json::from_str(text).unwrap()).unwrap()
}

#[test]
fn the_file_is_what_the_cases_make() {
    let text = vectors::vectors(&load::embedded().unwrap());
    let embedded = robots_spec_cases::file(vectors::FILE);
    assert!(embedded == Some(&*text), "run `cargo xtask vectors` and commit the file");
    assert!(text.is_ascii(), "a reader's locale must not matter");
    assert!(text.len() <= 2_000_000, "{} octets; write long files in parts", text.len());
}

#[test]
fn the_file_is_valid_by_its_schema() {
    let (schema, file) = (schema(), file());
    let errors: Vec<String> = schema
        .iter_errors(&file)
        .map(|error| format!("at {}: {error}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{}", errors.join("\n"));
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
    let mut file = file();
    file["vectors"].as_array_mut().unwrap().truncate(1);
    assert_eq!(file["vectors"][0]["ask"], "verdict");
    assert!(schema().is_valid(&file));
    file.pointer_mut(place).unwrap()[key] = value;
    assert!(!schema().is_valid(&file));
}

#[test]
fn every_closed_question_stands_there_once_and_as_it_is_asked() {
    let suite = load::embedded().unwrap();
    let is_closed = |trial: &Trial| {
        let is_kind = vectors::KINDS.contains(&trial.kind());
        is_kind && !trial.is_repeated() && matches!(trial.conforming(), Conforming::One(_))
    };
    let file = file();
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
        assert!(octets(vector) == ask.robots_txt().unwrap(), "the octets of {name}");
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
            _ => {}
        }
    }
    let left: Vec<&String> = vectors.keys().collect();
    assert!(left.is_empty(), "no closed questions: {left:?}");
}

/// A subject that names no line passes in a run, so that a run does not show a line that decides nothing.
#[test]
fn a_line_that_decides_is_one_that_the_parser_finds() {
    let file = file();
    let mut named = 0;
    for vector in file["vectors"].as_array().unwrap() {
        let Some(lines) = vector["expected"]["lines"].as_array() else { continue };
        let tokens = vector["tokens"].as_array().unwrap().iter().map(|one| one.as_str().unwrap());
        let crawler = Crawler::new(tokens).unwrap();
        for edition in vector["editions"].as_object().unwrap().keys() {
            let edition: Edition = edition.parse().unwrap();
            let robots = robots_nom_parser::parse_with(octets(vector), edition);
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

/// Reads the file of a vector as the README describes it.
fn octets(vector: &Value) -> Vec<u8> {
    let base64 = |value: &Value| {
        base64::engine::general_purpose::STANDARD.decode(value.as_str().unwrap()).unwrap()
    };
    if let Some(text) = vector["robots_txt"].as_str() {
        return text.as_bytes().to_vec();
    }
    let Some(parts) = vector["robots_txt_parts"].as_array() else {
        return base64(&vector["robots_txt_base64"]);
    };
    let mut octets = Vec::new();
    let length = vector["robots_txt_length"].as_u64();
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
