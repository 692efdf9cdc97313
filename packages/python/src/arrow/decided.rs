//! Answers as Arrow arrays: the reasons of verdicts ([`details`]) and [`preferences`].

use std::sync::Arc;

use arrow_array::builder::{BooleanBuilder, Int64Builder, StringBuilder};
use arrow_array::{ArrayRef, StringArray, StructArray};
use arrow_buffer::NullBuffer;
use arrow_schema::{DataType, Field};
use robots_core::syntax::Span;
use robots_core::usage::{Preferences, Vocabulary};
use robots_core::{Reason, RuleKind, Verdict};

use super::questions::{Questions, Unanswered};
use super::structs;

/// A verdict with its reason. It has no reference to the file, and is small, because there is one for each question.
#[derive(Clone, Copy)]
pub(super) struct Decided {
    allowed: bool,
    reason: &'static str,
    /// The rule: its kind, its line, and the place of its path in the file.
    rule: Option<(RuleKind, u32, Span)>,
    user_agent_line: Option<u32>,
}

impl Decided {
    pub(super) fn of(verdict: &Verdict<'_>) -> Self {
        Self {
            allowed: verdict.is_allowed(),
            reason: verdict.reason().id(),
            rule: verdict.rule().map(|rule| {
                let line = rule.line();
                (rule.kind(), line.number.get(), line.value.unwrap_or_default())
            }),
            user_agent_line: verdict.user_agent().map(|line| line.line().number.get()),
        }
    }
}

/// Returns the verdict, unless its reason is that there was no question.
pub(super) fn answered<'v, 'r>(verdict: &'v Verdict<'r>) -> Result<&'v Verdict<'r>, Unanswered> {
    match verdict.reason() {
        Reason::NotAUrl(_) => Err(Unanswered::NotAUrl),
        Reason::NotAProductToken(_) => Err(Unanswered::NotAnAgent),
        _ => Ok(verdict),
    }
}

/// Makes an array of structs from verdicts with their reasons.
pub(super) fn details(
    answers: &[Result<Decided, Unanswered>],
    questions: &Questions<'_>,
) -> ArrayRef {
    let mut allowed = BooleanBuilder::with_capacity(answers.len());
    let mut lines = Int64Builder::with_capacity(answers.len());
    let mut agents = Int64Builder::with_capacity(answers.len());
    let (mut rules, mut reasons) = (StringBuilder::new(), StringBuilder::new());
    for (question, answer) in answers.iter().enumerate() {
        let decided = answer.as_ref().ok();
        allowed.append_option(decided.map(|decided| decided.allowed));
        reasons.append_value(match answer {
            Ok(decided) => decided.reason,
            Err(reason) => reason.id(),
        });
        agents.append_option(decided.and_then(|decided| decided.user_agent_line).map(i64::from));
        let rule = decided.and_then(|decided| decided.rule);
        lines.append_option(rule.map(|(_, line, _)| i64::from(line)));
        rules.append_option(rule.map(|(kind, _, path)| {
            let path = String::from_utf8_lossy(&questions.body(question)[path.range()]);
            format!("{kind}: {path}")
        }));
    }
    structs([
        ("allowed", Arc::new(allowed.finish())),
        ("line", Arc::new(lines.finish())),
        ("rule", Arc::new(rules.finish())),
        ("reason", Arc::new(reasons.finish())),
        ("user_agent_line", Arc::new(agents.finish())),
    ])
}

/// Makes an array of structs from preferences, with a field for each category of the vocabulary. The struct is null for
/// a URL that may not be fetched, and for a question without an answer.
pub(super) fn preferences(
    answers: &[Result<Option<Preferences>, Unanswered>],
    vocabulary: Vocabulary,
) -> ArrayRef {
    let stated = || answers.iter().map(|answer| answer.as_ref().ok().copied().flatten());
    let nulls: NullBuffer = stated().map(|stated| stated.is_some()).collect();
    let (fields, columns): (Vec<_>, Vec<ArrayRef>) = vocabulary
        .categories()
        .iter()
        .map(|category| {
            let column: StringArray =
                stated().map(|stated| Some(stated?.get(*category).id())).collect();
            let field = Field::new(category.label(), DataType::Utf8, true);
            (field, Arc::new(column) as ArrayRef)
        })
        .unzip();
    Arc::new(StructArray::new(fields.into(), columns, Some(nulls)))
}
