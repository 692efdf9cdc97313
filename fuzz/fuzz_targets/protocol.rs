//! Reads the octets as lines of the protocol, from a subject and to a subject. Each valid message can be written and
//! read again, error texts are short, and each line gets one answer.

#![no_main]

use libfuzzer_sys::fuzz_target;
use robots_conformance::engine::Interpreted;
use robots_conformance::kind;
use robots_conformance::kind::QuestionKind;
use robots_conformance::protocol::{self, Hello, Message};
use robots_conformance::serve;
use robots_console::render;
use robots_nom_parser::NomParser;

fuzz_target!(|octets: &[u8]| {
    for line in octets.split(|octet| *octet == b'\n') {
        let Ok(message) = Message::read(line) else { continue };
        for &kind in QuestionKind::ALL {
            match protocol::answer(kind, &message) {
                Ok(answer) => {
                    let text = kind::answer_text(&answer);
                    assert!(!text.contains(['\u{1b}', '\u{202e}', '\0']));
                    // An answer that was read stays the same if it is written and read again.
                    let again = protocol::line(&protocol::reply(1, &answer));
                    let again = Message::read(again.as_bytes()).expect("an answer is a message");
                    assert_eq!(protocol::answer(kind, &again).as_ref(), Ok(&answer));
                }
                Err(problem) => assert!(problem.to_string().len() < 4096, "{problem}"),
            }
        }
        if let Ok(hello) = Hello::read(&message) {
            assert_eq!(render::name(&hello.name), hello.name);
            let again = protocol::line(&hello.message());
            let again = Message::read(again.as_bytes()).expect("a hello is a message");
            assert_eq!(Hello::read(&again), Ok(hello));
        }
        if let Ok(question) = protocol::read_question(&message) {
            let again = protocol::line(&protocol::question(1, &question));
            let again = Message::read(again.as_bytes()).expect("a question is a message");
            assert_eq!(protocol::read_question(&again).as_ref(), Ok(&question));
        }
    }
    let mut out = Vec::new();
    serve::serve(&Interpreted(NomParser), None, 1, octets, &mut out).expect("memory takes all");
    assert!(out.is_ascii());
    let asked = octets.split(|octet| *octet == b'\n').count()
        - usize::from(octets.last().is_none_or(|o| *o == b'\n'));
    assert_eq!(out.iter().filter(|octet| **octet == b'\n').count(), asked);
});
