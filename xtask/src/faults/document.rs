//! Makes the texts of `docs/faults.md`, for people, and of `docs/faults.json`, which the measurements read ([`texts`]).
//! The data is the matrix of failures, the table of faults, and the exceptions. This module writes no file.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use super::exceptions::{self, EXCEPTIONS, UNCAUGHT, UNCAUGHT_OVER_TIME};
use super::fault::Fault;
use super::matrix::{Matrix, caught_by};

/// Makes the two documents: for each, the path from the workspace's folder, and the text.
pub(super) fn texts(matrix: &Matrix) -> [(&'static str, String); 2] {
    [("docs/faults.md", markdown(matrix)), ("docs/faults.json", record(matrix))]
}

const HEAD: &str = "\
# Readers with one fault

`cargo xtask faults` writes this page; do not edit it by hand. A *reader* is a small interpreter of robots.txt with one
deliberate fault. It answers every question of the suite for parsers and crawlers. If the fault can change how a
retriever behaves over time, the reader is also a retriever and answers the timelines. A case is fair if only readers
that violate the requirement of the case fail it. If all cases are fair, a parser with one fault fails only cases about
requirements that this fault violates.

For each reader, the table lists the requirements that the fault violates. The number after a requirement is the number
of its cases that the reader fails. *Others* is the number of cases of other requirements that the reader fails; [each
of them has a reason](#exceptions).

| reader | what it does | violates | others |
|---|---|---|--:|
";

fn markdown(matrix: &Matrix) -> String {
    let mut text = HEAD.to_owned();
    for (fault, failed) in matrix.iter().filter(|(fault, _)| !fault.is_constant()) {
        let violated = fault.requirements().iter().filter_map(|id| {
            let cases = failed.get(*id)?;
            Some(format!("{id} ({})", cases.len()))
        });
        let others = EXCEPTIONS.iter().filter(|exception| exception.fault == *fault).count();
        let violated: Vec<String> = violated.collect();
        let others = if others == 0 { String::new() } else { others.to_string() };
        let _ = writeln!(
            text,
            "| {} |{} | {} | {others} |",
            fault.name(),
            fault.says().replace('|', "\\|"),
            violated.join(", ")
        );
    }
    text.push_str(
        "\n## Requirements whose cases catch no reader\n\nNo reader that violates one of these \
         requirements fails its cases. So we checked these cases only by reading them.\n\n",
    );
    for (id, why) in UNCAUGHT {
        let _ = writeln!(text, "- {id}: {why}");
    }
    text.push_str("\n## Requirements whose timelines no retriever fails\n\n");
    for (id, why) in UNCAUGHT_OVER_TIME {
        let _ = writeln!(text, "- {id}: {why}");
    }
    text.push_str("\n## Exceptions\n\nEach list names cases that a reader fails although its fault \
         does not violate the requirement of the case. The text above the list gives the reason.\n\n");
    let mut last = "";
    for exception in EXCEPTIONS {
        if exception.why != last {
            let _ = writeln!(text, "\n{}\n", exception.why);
            last = exception.why;
        }
        let _ = writeln!(text, "- {}: `{}`", exception.fault.name(), exception.case);
    }
    text.replace("\n\n\n", "\n\n")
}

fn record(matrix: &Matrix) -> String {
    let readers = matrix.iter().map(|(fault, failed)| {
        let failed: Map<String, Value> =
            failed.iter().map(|(id, cases)| (id.clone(), json!(cases))).collect();
        let exceptions: Map<String, Value> = failed
            .values()
            .flat_map(|cases| cases.as_array().into_iter().flatten().filter_map(Value::as_str))
            .filter_map(|case| Some((case.to_owned(), exceptions::why(*fault, case)?.into())))
            .collect();
        json!({
            "reader": fault.name(),
            "does": fault.says().trim(),
            "offends": fault.requirements(),
            "fails": failed,
            "exceptions": exceptions,
        })
    });
    let readers: Vec<Value> = readers.collect();
    let ids: Vec<&str> = matrix.keys().flat_map(|fault| fault.requirements()).copied().collect();
    let caught = ids.into_iter().map(|id| {
        let readers: Vec<&str> = caught_by(matrix, id).map(Fault::name).collect();
        (id.to_owned(), json!(readers))
    });
    let caught: Map<String, Value> = caught.collect();
    let uncaught: Map<String, Value> =
        UNCAUGHT.iter().map(|(id, why)| ((*id).to_owned(), (*why).into())).collect();
    let record = json!({ "format": 1, "readers": readers, "caught": caught, "uncaught": uncaught });
    format!("{record:#}\n")
}
