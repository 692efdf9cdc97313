//! Answers as Arrow arrays: [`booleans`], verdicts with their reasons ([`details`]), and [`preferences`].

use std::fmt::Write as _;
use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::{ArrayRef, BooleanArray, Int64Array, StringArray, StructArray};
use arrow_buffer::{BooleanBuffer, NullBuffer};
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
    reason: Reason,
    /// The rule: its kind, its line, and the place of its path in the file.
    rule: Option<(RuleKind, u32, Span)>,
    user_agent_line: Option<u32>,
}

impl Decided {
    pub(super) fn of(verdict: &Verdict<'_>) -> Self {
        Self {
            allowed: verdict.is_allowed(),
            reason: verdict.reason(),
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

/// Makes an array of booleans. A question without an answer is a null.
pub(super) fn booleans<T>(
    answers: &[Result<T, Unanswered>],
    is_true: impl Fn(&T) -> bool,
) -> ArrayRef {
    let len = answers.len();
    let nulls = NullBuffer::new(BooleanBuffer::collect_bool(len, |row| answers[row].is_ok()));
    let values = BooleanBuffer::collect_bool(len, |row| answers[row].as_ref().is_ok_and(&is_true));
    Arc::new(BooleanArray::new(values, Some(nulls).filter(|nulls| nulls.null_count() > 0)))
}

/// Makes an array of structs from verdicts with their reasons.
pub(super) fn details(
    answers: &[Result<Decided, Unanswered>],
    questions: &Questions<'_>,
) -> ArrayRef {
    let decided = || answers.iter().map(|answer| answer.as_ref().ok());
    let lines = decided().map(|decided| decided?.rule.map(|(_, line, _)| i64::from(line)));
    let agents = decided().map(|decided| decided?.user_agent_line.map(i64::from));
    let reasons = answers.iter().map(|answer| match answer {
        Ok(decided) => decided.reason.id(),
        Err(reason) => reason.id(),
    });
    let mut rules = StringBuilder::with_capacity(answers.len(), 0);
    for (question, decided) in decided().enumerate() {
        match decided.and_then(|decided| decided.rule) {
            None => rules.append_null(),
            Some((kind, _, path)) => {
                // What is written becomes the beginning of the value.
                let written = rules.write_str(kind.name()).and_then(|()| rules.write_str(": "));
                written.expect("a builder never fails");
                rules
                    .append_value(String::from_utf8_lossy(&questions.body(question)[path.range()]));
            }
        }
    }
    structs([
        ("allowed", booleans(answers, |decided| decided.allowed)),
        ("line", Arc::new(lines.collect::<Int64Array>())),
        ("rule", Arc::new(rules.finish())),
        ("reason", Arc::new(StringArray::from_iter_values(reasons))),
        ("user_agent_line", Arc::new(agents.collect::<Int64Array>())),
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
