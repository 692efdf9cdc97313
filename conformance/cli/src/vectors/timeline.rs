//! Writes the steps and the script of a timeline.

use std::iter;

use robots_conformance::octets::Part;
use robots_core::engine::{QuestionKind, ScriptedReply, TimelineQuestion, TimelineStep};
use serde_json::{Map, Value, json};

use super::octets::written;
use super::usage::write_header;

pub(super) fn write(question: &TimelineQuestion, put: &mut impl FnMut(&str, Value)) {
    if question.passes_time() {
        put("passes_time", true.into());
    }
    put("network", question.network.script().iter().map(reply).collect());
    put("steps", question.steps.iter().map(step).collect());
}

fn step(TimelineStep { at, urls, restart, usage }: &TimelineStep) -> Value {
    let mut step = json!({ "at": at, "urls": urls });
    if *restart {
        step["restart"] = true.into();
    }
    if let Some(header) = usage {
        step["ask"] = QuestionKind::Usage.id().into();
        write_header(header, &mut |key, lines| step[key] = lines);
    }
    step
}

fn reply(line: &ScriptedReply) -> Value {
    let mut keys = Map::new();
    let mut put = |key: &str, value: Value| drop(keys.insert(key.to_owned(), value));
    put("url", line.url.as_str().into());
    if line.from > 0 {
        put("from", line.from.into());
    }
    if let Some((name, text)) = &line.when {
        put("when", json!({ "field": name, "contains": text }));
    }
    if line.reply.delay > 0 {
        put("delay", line.reply.delay.into());
    }
    match &line.reply.end {
        Ok(response) => {
            put("status", response.status.into());
            if !response.fields.is_empty() {
                put("fields", json!(response.fields));
            }
            if !response.body.is_empty() {
                written("body", &response.body, &parts(&response.body), &mut put);
            }
            if response.is_cut {
                put("cut", true.into());
            }
        }
        Err(failure) => put("failure", failure.id().into()),
    }
    Value::Object(keys)
}

/// Returns a body as parts: its lines, with equal neighbouring lines in one part.
fn parts(body: &[u8]) -> Vec<Part> {
    let mut lines = body.split_inclusive(|octet| *octet == b'\n').peekable();
    let next = iter::from_fn(|| {
        let line = lines.next()?;
        let mut times = 1;
        while lines.next_if_eq(&line).is_some() {
            times += 1;
        }
        Some(Part::new(line, times))
    });
    next.collect()
}
