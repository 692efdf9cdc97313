//! The messages against their schema: all that the suite sends, all that the nom engine answers, and what
//! the description shows.

use robots_conformance::{load, protocol, question, serve};
use robots_core::engine::{Answer, Ask, Interpreted, Question, QuestionKind};
use robots_core::{Edition, Profile};
use robots_nom_parser::NomParser;
use serde_json::{Value, json};

use crate::common::Fake;

pub(crate) const TESTS: &[(&str, fn())] = &[
    ("traffic::the_whole_suite_is_valid", the_whole_suite_is_valid),
    ("traffic::the_description_is_valid_and_true", the_description_is_valid_and_true),
    ("traffic::broken_messages_are_not_valid", broken_messages_are_not_valid),
    ("traffic::broken_questions_get_errors", broken_questions_get_errors),
    ("traffic::a_panic_is_its_questions_error", a_panic_is_its_questions_error),
];

fn schema(side: &str) -> jsonschema::Validator {
    let mut schema: Value = serde_json::from_str(protocol::SCHEMA).unwrap();
    schema.as_object_mut().unwrap().remove("anyOf");
    schema["$ref"] = format!("#/$defs/{side}").into();
    jsonschema::validator_for(&schema).unwrap()
}

fn check(schema: &jsonschema::Validator, message: &Value) {
    let errors: Vec<String> =
        schema.iter_errors(message).map(|e| format!("{}: {e}", e.instance_path())).collect();
    assert!(errors.is_empty(), "{}\n{}", errors.join("\n"), protocol::line(message));
}

/// Returns what the nom engine answers to lines, in their order.
fn answers(lines: &str) -> Vec<Value> {
    let mut out = Vec::new();
    let engine = Interpreted(NomParser);
    serve::serve(&engine, Some("1"), 1, lines.as_bytes(), &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn the_whole_suite_is_valid() {
    let (asks, tells) = (schema("to-subject"), schema("from-subject"));
    let suite = load::embedded().unwrap();
    let trials = question::trials(&suite);
    let asked = trials.iter().zip(1..);
    let questions: Vec<Value> =
        asked.map(|(trial, id)| protocol::question(id, &trial.question()).unwrap()).collect();
    assert!(questions.len() > 5000, "{}", questions.len());
    let mut lines = protocol::line(&protocol::greeting()) + "\n";
    check(&asks, &protocol::greeting());
    for question in &questions {
        check(&asks, question);
        assert!(protocol::line(question).is_ascii());
        lines += &(protocol::line(question) + "\n");
    }
    let answers = answers(&lines);
    assert_eq!(answers.len(), questions.len() + 1);
    for answer in &answers {
        check(&tells, answer);
    }
    for (question, answer) in questions.iter().zip(&answers[1..]) {
        assert_eq!(question["id"], answer["id"]);
        // What was read is what was asked.
        let read = protocol::asked(question).unwrap();
        let id = question["id"].as_u64().unwrap();
        assert_eq!(protocol::question(id, &read.question()).as_ref(), Some(question));
        let ask = question["ask"].as_str().unwrap().parse::<QuestionKind>().unwrap();
        let read = protocol::answer(ask, answer).unwrap();
        assert_eq!(protocol::reply(id, &read), *answer);
    }
}

fn the_description_is_valid_and_true() {
    let (asks, tells) = (schema("to-subject"), schema("from-subject"));
    let shown = |arrow: &str| -> Vec<Value> {
        let lines = protocol::DESCRIPTION.lines().filter_map(|line| line.strip_prefix(arrow));
        lines
            .map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{line}: {e}")))
            .collect()
    };
    let (questions, told) = (shown("→ "), shown("← "));
    for question in &questions {
        check(&asks, question);
    }
    for answer in &told {
        check(&tells, answer);
    }
    assert_eq!(questions.len(), 1 + QuestionKind::ALL.len());
    assert_eq!(told.len(), questions.len() + 2, "and the two that stand for any answer");
    let lines: String = questions[1..].iter().map(|q| protocol::line(q) + "\n").collect();
    for (mut answer, told) in answers(&lines).into_iter().zip(&told[1..]) {
        let keys = answer.as_object_mut().unwrap();
        keys.remove("evidence");
        if let Some(group) = keys.get_mut("group") {
            group.as_object_mut().unwrap().remove("agents");
        }
        assert_eq!(answer, *told);
    }
}

fn broken_messages_are_not_valid() {
    let (asks, tells) = (schema("to-subject"), schema("from-subject"));
    let questions = [
        json!({ "id": 1, "ask": "verdict", "edition": "rfc9309", "robots_txt": "", "crawler": ["a"] }),
        json!({ "id": 1, "ask": "colour", "edition": "rfc9309", "robots_txt": "" }),
        json!({ "id": 1, "ask": "sitemaps", "edition": "rfc9309", "robots_txt": "", "url": "/" }),
        json!({ "id": 1, "ask": "access", "edition": "rfc9309", "fetch": {} }),
    ];
    for question in &questions {
        assert!(!asks.is_valid(question), "{question}");
    }
    let answers = [
        json!({ "id": 1, "verdict": true }),
        json!({ "id": "1", "verdict": "allow" }),
        json!({ "verdict": "allow" }),
        json!({ "id": 1, "verdict": "allow", "line": 0 }),
        json!({ "id": 1 }),
        json!({ "id": 1, "groups": [{ "rules": [] }] }),
        json!({ "id": 1, "group": { "rules": [["crawl-delay", "1"]] } }),
    ];
    for answer in &answers {
        assert!(!tells.is_valid(answer), "{answer}");
        // The reader refuses what the schema refuses, but for ids, which the exchange reads.
        if answer["id"] == 1 {
            let asks = QuestionKind::ALL.iter().filter(|ask| answer.get(ask.id()).is_some());
            asks.for_each(|ask| assert!(protocol::answer(*ask, answer).is_err(), "{answer}"));
        }
    }
}

fn broken_questions_get_errors() {
    let lines = r#"no JSON
{"ask":"verdict"}
{"id":1,"ask":"colour","edition":"rfc9309"}
{"id":2,"ask":"sitemaps","edition":"rfc9310","robots_txt":""}
{"id":3,"ask":"sitemaps","edition":"rfc9309","robots_txt":"?"}
{"id":4,"ask":"verdict","edition":"rfc9309","robots_txt":"","crawler":[],"url":"/"}
{"id":5,"ask":"access","edition":"rfc9309","fetch":{"status":200,"failure":"dns"}}
"#;
    let answers: Vec<String> = answers(lines).iter().map(Value::to_string).collect();
    insta::assert_snapshot!("broken_questions_get_errors", answers.join("\n"));
    let none = protocol::answer(QuestionKind::Verdict, &json!({ "id": 1, "unsupported": "why" }));
    assert_eq!(none, Ok(Answer::unsupported("why")));
}

fn a_panic_is_its_questions_error() {
    let engine =
        Fake(&[Profile::Edition(Edition::Rfc9309)], |question: &Question<'_>| match question.ask {
            Ask::Sitemaps { .. } => panic!("no maps"),
            _ => Answer::Groups(vec![]),
        });
    let lines = r#"{"id":1,"ask":"sitemaps","edition":"rfc9309","robots_txt":""}
{"id":2,"ask":"groups","edition":"rfc9309","robots_txt":""}
"#;
    let mut out = Vec::new();
    serve::serve(&engine, None, 1, lines.as_bytes(), &mut out).unwrap();
    let expected = "{\"id\":1,\"error\":\"the engine panicked\"}\n{\"id\":2,\"groups\":[]}\n";
    assert_eq!(String::from_utf8(out).unwrap(), expected);
}
