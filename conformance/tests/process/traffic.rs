//! Checks messages against their schema: all questions of the suite, all answers of the nom engine, and the examples in
//! `PROTOCOL.md`.

use std::collections::HashSet;
use std::io::{self, BufRead, Read, Write};
use std::sync::atomic::{AtomicUsize, Ordering};

use robots_conformance::engine::Profile;
use robots_conformance::engine::{Interpreted, Question};
use robots_conformance::kind::{Answer, Ask, QuestionKind};
use robots_conformance::run::trial;
use robots_conformance::suite::load;
use robots_conformance::{protocol, serve};
use robots_core::Edition;
use robots_nom_parser::NomParser;
use serde::Serialize;
use serde_json::{Value, json};

use crate::common::Fake;

pub(crate) const TESTS: &[(&str, fn())] = &[
    ("traffic::the_whole_suite_is_valid", the_whole_suite_is_valid),
    ("traffic::the_description_is_valid_and_true", the_description_is_valid_and_true),
    ("traffic::broken_messages_are_not_valid", broken_messages_are_not_valid),
    ("traffic::broken_questions_get_errors", broken_questions_get_errors),
    ("traffic::a_panic_is_its_questions_error", a_panic_is_its_questions_error),
    ("traffic::questions_wait_outside", questions_wait_outside),
    ("traffic::a_line_too_long_is_answered_in_place", a_line_too_long_is_answered_in_place),
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

/// Returns the nom engine's answers to the messages in `lines`, in the order of the lines.
fn answers(lines: &str) -> Vec<Value> {
    let mut out = Vec::new();
    let engine = Interpreted(NomParser);
    serve::serve(&engine, Some("1"), 1, lines.as_bytes(), &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The length in octets above which a file counts as long.
const LONG: usize = 64 * 1024;

fn the_whole_suite_is_valid() {
    let (asks, tells) = (schema("to-subject"), schema("from-subject"));
    let suite = load::embedded().unwrap();
    let trials = trial::trials(&suite);
    let mut long = HashSet::new();
    let asked = trials.iter().map(|trial| trial.question());
    // A long file needs much time to encode, so only the first question about it is checked.
    let asked = asked.filter(|question| match question.ask.robots_txt() {
        Some(robots_txt) if robots_txt.len() > LONG => long.insert(robots_txt.to_vec()),
        _ => true,
    });
    let questions: Vec<Value> =
        asked.zip(1..).map(|(question, id)| value(&protocol::question(id, &question))).collect();
    assert!(questions.len() > 5000, "{}", questions.len());
    let mut lines = protocol::line(&protocol::greeting()) + "\n";
    check(&asks, &value(&protocol::greeting()));
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
        // The question that was read from its message equals the question that was asked.
        let read = protocol::read_question(&message(question)).unwrap();
        let id = question["id"].as_u64().unwrap();
        assert_eq!(value(&protocol::question(id, &read)), *question);
        let ask = question["ask"].as_str().unwrap().parse::<QuestionKind>().unwrap();
        let read = protocol::answer(ask, &message(answer)).unwrap();
        assert_eq!(value(&protocol::reply(id, &read)), *answer);
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
    let (mut questions, mut expected) = (shown("→ "), shown("← "));
    for question in &questions {
        check(&asks, question);
    }
    for answer in &expected {
        check(&tells, answer);
    }
    // The requests and replies between the question and the answer of a timeline are removed.
    questions.retain(|line| line.get("reply").is_none());
    expected.retain(|line| line.get("request").is_none());
    // The remaining messages to the subject are the hello, a question of each kind, and a timeline that also asks about
    // usage.
    assert_eq!(questions.len(), 2 + QuestionKind::ALL.len());
    assert_eq!(expected.len(), questions.len() + 2, "and the two that stand for any answer");
    let lines: String = questions[1..].iter().map(|q| protocol::line(q) + "\n").collect();
    for (mut answer, expected) in answers(&lines).into_iter().zip(&expected[1..]) {
        if expected.get("timeline").is_some() {
            // This engine does not fetch.
            assert!(answer.get("unsupported").is_some(), "{answer}");
            continue;
        }
        let keys = answer.as_object_mut().unwrap();
        keys.remove("evidence");
        if let Some(group) = keys.get_mut("group") {
            group.as_object_mut().unwrap().remove("agents");
        }
        assert_eq!(answer, *expected);
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
        // The reader refuses the same answers as the schema, except answers with a wrong id, because `exchange` reads
        // ids.
        if answer["id"] == 1 {
            let asks = QuestionKind::ALL.iter().filter(|ask| answer.get(ask.id()).is_some());
            asks.for_each(|ask| {
                assert!(protocol::answer(*ask, &message(answer)).is_err(), "{answer}");
            });
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
    let none = protocol::answer(
        QuestionKind::Verdict,
        &message(&json!({ "id": 1, "unsupported": "why" })),
    );
    assert_eq!(none, Ok(Answer::unsupported("why")));
}

fn a_panic_is_its_questions_error() {
    let engine =
        Fake(&[Profile::Edition(Edition::Rfc9309)], |question: &Question| match &question.ask {
            Ask::Sitemaps(_) => panic!("no maps"),
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

fn value(message: &impl Serialize) -> Value {
    serde_json::to_value(message).unwrap()
}

fn message(answer: &Value) -> protocol::Message {
    protocol::Message::read(protocol::line(answer).as_bytes()).unwrap()
}

/// `serve` does not read all questions at once. It stops reading when too many questions wait for an answer. The limit
/// is the length of the pipeline, plus one question for each thread, plus one for the reader.
fn questions_wait_outside() {
    struct Questions<'q> {
        read: &'q AtomicUsize,
        answered: &'q AtomicUsize,
        most_waiting: usize,
        left: usize,
    }
    impl BufRead for &mut Questions<'_> {
        fn fill_buf(&mut self) -> io::Result<&[u8]> {
            Ok(if self.left == 0 { b"" } else { b"{\"id\":1}\n" })
        }
        fn consume(&mut self, octets: usize) {
            // A call with octets consumes one line. The call at the end of the input consumes no octets.
            if octets > 0 {
                self.left -= 1;
                let read = self.read.fetch_add(1, Ordering::SeqCst) + 1;
                let waiting = read - self.answered.load(Ordering::SeqCst);
                self.most_waiting = self.most_waiting.max(waiting);
            }
        }
    }
    impl Read for &mut Questions<'_> {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            unreachable!("lines are read by their buffer")
        }
    }
    struct Answers<'q>(&'q AtomicUsize);
    impl Write for Answers<'_> {
        fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
            self.0.fetch_add(1, Ordering::SeqCst);
            Ok(octets.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    let (read, answered) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let mut questions =
        Questions { read: &read, answered: &answered, most_waiting: 0, left: 50_000 };
    let engine = Fake(Profile::ALL, |_: &Question| Answer::verdict(true));
    serve::serve(&engine, None, 8, &mut questions, Answers(&answered)).unwrap();
    assert_eq!(answered.load(Ordering::SeqCst), 50_000);
    let threads = std::thread::available_parallelism().map_or(1, Into::into).min(8);
    // The reader itself holds one more question.
    assert!(questions.most_waiting <= 8 + threads + 1, "{} waited", questions.most_waiting);
}

fn a_line_too_long_is_answered_in_place() {
    let mut input = b"{\"id\":1}\n".to_vec();
    input.resize(input.len() + serve::LONGEST_LINE + 1, b'x');
    input.extend_from_slice(b"\n{\"id\":2}\n");
    let engine = Fake(Profile::ALL, |_: &Question| Answer::verdict(true));
    let mut out = Vec::new();
    serve::serve(&engine, None, 1, &input[..], &mut out).unwrap();
    let lines: Vec<Value> = out
        .split(|octet| *octet == b'\n')
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_slice(line).unwrap())
        .collect();
    let ids: Vec<&Value> = lines.iter().map(|line| &line["id"]).collect();
    assert_eq!(ids, [&json!(1), &Value::Null, &json!(2)]);
    assert!(
        lines[1]["error"].as_str().unwrap().starts_with("a line of more than "),
        "{}",
        lines[1]
    );
}
