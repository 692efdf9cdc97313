//! The data of the pages: tables with their causes, requirements with their cases, and the differences between
//! editions. This module writes no HTML.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde::Serialize;

use crate::causes::{Cause, Causes};
use crate::chart::svg;
use crate::claims;
use crate::row::{Counts, Judgement, Row, Survey, Table, Why};
use crate::shown::Shown;
use crate::suite::{EDITIONS, Question, Questions, Requirement, Suite, VERDICT};
use crate::table::groups;

/// The maximum length of an answer or a file on a page, in characters.
const MAX: usize = 1500;

/// The maximum length of an answer in a cell, in characters.
const CELL: usize = 160;

/// A table: its rows in groups, and its picture.
#[derive(Clone, Serialize)]
pub(super) struct TableData {
    /// The name of the kind, for example `parsers`.
    pub(super) name: &'static str,
    pub(super) file: &'static str,
    pub(super) title: &'static str,
    kind: &'static str,
    picture: String,
    groups: Vec<GroupData>,
}

#[derive(Clone, Serialize)]
struct GroupData {
    title: &'static str,
    says: &'static str,
    broken: &'static str,
    rows: Vec<RowData>,
}

/// A row, which is also the data of the page of its release.
#[derive(Clone, Serialize)]
pub(super) struct RowData {
    place: Option<usize>,
    pub(super) name: String,
    pub(super) version: String,
    language: String,
    day: String,
    /// The file of its page.
    pub(super) file: String,
    /// The kept, broken and open requirements, the causes, and the failing questions that are not judged.
    counts: [usize; 5],
    usage: String,
    claim: String,
    on: Option<String>,
    setup: Option<String>,
    pub(super) causes: Vec<CauseData>,
    not_judged: Vec<NotJudged>,
}

/// A charged cause.
#[derive(Clone, Serialize)]
pub(super) struct CauseData {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) requirement: String,
    pub(super) document: String,
    /// The named document, if it is an older one.
    older: Option<&'static str>,
    section: String,
    passage: String,
    text: String,
    token: String,
    url: String,
    file: String,
    ask: String,
    prints: String,
    expected: String,
    at: Option<String>,
    words: Option<String>,
    questions: Vec<Failed>,
}

/// The failing questions that are not judged for the same reason.
#[derive(Clone, Serialize)]
struct NotJudged {
    why: String,
    questions: Vec<Failed>,
}

/// A failing question, with the editions by which it is a failure.
#[derive(Clone, Serialize)]
struct Failed {
    name: String,
    case: String,
    editions: String,
    expected: String,
    answer: String,
}

impl TableData {
    pub(super) fn rows(&self) -> impl Iterator<Item = &RowData> {
        self.groups.iter().flat_map(|group| &group.rows)
    }
}

/// Makes the data of a table.
///
/// # Errors
/// Returns a message about a cause that cannot be shown.
pub(super) fn table<T: Table>(
    [name, file, title]: [&'static str; 3],
    rows: &[Row<'_, T>],
    survey: &Survey,
) -> Result<TableData, String> {
    let mut all = Vec::new();
    for (group, rows) in groups(rows) {
        let rows = rows.into_iter().map(|(place, row)| row_data(place, row, survey));
        all.push(GroupData {
            title: group.title(),
            says: group.says(),
            broken: group.broken(),
            rows: rows.collect::<Result<_, _>>()?,
        });
    }
    Ok(TableData { name, file, title, kind: T::KIND, picture: svg(rows), groups: all })
}

fn row_data<T: Table>(
    place: Option<usize>,
    row: &Row<'_, T>,
    survey: &Survey,
) -> Result<RowData, String> {
    let mut charged: BTreeMap<&str, BTreeMap<_, Failed>> = BTreeMap::new();
    let mut not_judged: BTreeMap<Why<'_>, BTreeMap<_, Failed>> = BTreeMap::new();
    for (failure, judgement) in row.judgements() {
        let (tried, failing) = (failure.tried, failure.failing);
        let answer = match (&failing.answer, &failing.error) {
            (_, Some(error)) => format!("error: {error}"),
            (Some(answer), _) => answer.clone(),
            _ if failing.late => "no answer within a minute".to_owned(),
            _ => "failed".to_owned(),
        };
        let questions = match judgement {
            Judgement::Charged(cause) => charged.entry(&cause.id).or_default(),
            Judgement::NotJudged(why) => not_judged.entry(why).or_default(),
        };
        let key = (tried.name, format!("{} {answer}", tried.question.expected));
        let failed = questions.entry(key).or_insert_with(|| Failed {
            name: tried.name.to_owned(),
            case: tried.question.case.clone(),
            editions: String::new(),
            expected: cut(&tried.question.expected, CELL),
            answer: cut(&answer, MAX),
        });
        failed.editions += if failed.editions.is_empty() { "" } else { ", " };
        failed.editions += tried.edition;
    }
    let not_judged = not_judged.into_iter().map(|(why, questions)| NotJudged {
        why: why.says().to_owned(),
        questions: questions.into_values().collect(),
    });
    let reproduce = row.causes.and_then(|causes| causes.reproduce.as_ref());
    let Counts { kept, broken, open, causes, not_judged: differences } = row.counts;
    let mut shown = Vec::new();
    if let Some(of) = row.causes {
        for cause in &of.charged {
            let questions = charged.remove(cause.id.as_str()).unwrap_or_default();
            shown.push(cause_data(row, of, cause, questions.into_values().collect(), survey)?);
        }
    }
    Ok(RowData {
        place,
        name: row.head.software.clone(),
        version: row.head.version.clone(),
        language: row.listed.language().to_owned(),
        day: row.head.day.clone(),
        file: format!("{}-{}.html", T::KIND, anchor(&row.head.full_name().replace('.', "-"))),
        counts: [kept, broken, open, causes, differences],
        usage: row.listed.usage(),
        claim: row.listed.claim().sentence(),
        on: reproduce.map(|it| it.on.clone()),
        setup: reproduce.map(|it| it.setup.trim().to_owned()),
        causes: shown,
        not_judged: not_judged.collect(),
    })
}

fn cause_data<T: Table>(
    row: &Row<'_, T>,
    causes: &Causes,
    cause: &Cause,
    questions: Vec<Failed>,
    survey: &Survey,
) -> Result<CauseData, String> {
    let wrong = |problem| format!("{} {}: {problem}", causes.file, cause.id);
    let shown = Shown::of(row, causes, cause).map_err(wrong)?;
    let mut requirements = survey.suite.requirements.iter();
    let requirement = requirements.find(|it| it.id == cause.requirement);
    let requirement = requirement.ok_or_else(|| wrong("no such requirement".to_owned()))?;
    let statement = requirement.editions.get(row.edition());
    let statement = statement.ok_or_else(|| wrong("not in the edition".to_owned()))?;
    let passage = cause.passage.as_deref().unwrap_or(&requirement.says);
    let question = shown.question;
    Ok(CauseData {
        id: cause.id.clone(),
        title: cause.title.clone(),
        requirement: cause.requirement.clone(),
        document: row.edition().to_owned(),
        older: row.listed.claim().document.filter(|it| it.is_old()).map(claims::Named::title),
        section: statement.source.clone(),
        passage: passage.trim().to_owned(),
        text: visible(&question.file),
        token: question.tokens.join(", "),
        url: question.url.clone(),
        file: shown.file,
        ask: shown.ask,
        prints: shown.prints,
        expected: question.expected.clone(),
        at: cause.at.clone(),
        words: cause.words.clone(),
        questions,
    })
}

/// Writes a file so that a reader sees each octet: line ends other than LF, control characters and octets that are not
/// US-ASCII are escaped.
fn visible(octets: &[u8]) -> String {
    let mut text = String::new();
    for octet in &octets[..octets.len().min(MAX)] {
        match octet {
            b'\n' | b' '..=b'~' => text.push(char::from(*octet)),
            b'\r' => text.push_str("\\r"),
            b'\t' => text.push_str("\\t"),
            _ => {
                let _ = write!(text, "\\x{octet:02X}");
            }
        }
    }
    text
}

/// The requirements of an area.
#[derive(Serialize)]
pub(super) struct Area<'s> {
    pub(super) id: &'s str,
    pub(super) requirements: Vec<Required<'s>>,
}

#[derive(Serialize)]
pub(super) struct Required<'s> {
    pub(super) id: &'s str,
    pub(super) says: &'s str,
    role: &'s str,
    note: Option<&'s str>,
    not_testable: Option<&'s str>,
    editions: Vec<Stated<'s>>,
    pub(super) cases: Vec<Case<'s>>,
}

impl<'s> Required<'s> {
    pub(super) fn of(requirement: &'s Requirement, cases: Vec<Case<'s>>) -> Self {
        let Requirement { id, role, says, note, editions, not_testable, .. } = requirement;
        Self {
            id,
            says: says.trim(),
            role,
            note: note.as_deref().map(str::trim),
            not_testable: not_testable.as_deref().map(str::trim),
            editions: editions
                .iter()
                .map(|(id, it)| Stated { id, level: &it.level, source: &it.source })
                .collect(),
            cases,
        }
    }
}

#[derive(Serialize)]
struct Stated<'s> {
    id: &'s str,
    level: &'s str,
    source: &'s str,
}

/// A case, and the software that is charged with a cause that it shows.
#[derive(Serialize)]
pub(super) struct Case<'s> {
    pub(super) id: &'s str,
    pub(super) about: &'s str,
    file: Option<String>,
    questions: Vec<Asked>,
    failed: Vec<String>,
}

#[derive(Serialize)]
struct Asked {
    name: String,
    expected: String,
}

/// The name of a question, and the question under each edition.
type Named<'s> = (&'s String, &'s BTreeMap<String, Question>);

/// Returns the cases of each requirement: all, or those of one edition with what it expects. `failed` has the software
/// that is charged with a cause that a case shows.
pub(super) fn cases<'s>(
    suite: &'s Suite,
    failed: &BTreeMap<String, BTreeSet<String>>,
    edition: Option<&str>,
) -> BTreeMap<&'s str, Vec<Case<'s>>> {
    let mut cases: BTreeMap<&str, Vec<Case<'s>>> = BTreeMap::new();
    let of_crawls = suite.crawls.iter().filter(|(name, _)| !name.starts_with(VERDICT));
    let mut by_case: BTreeMap<&str, Vec<Named<'_>>> = BTreeMap::new();
    let is_of = |editions: &BTreeMap<_, _>| edition.is_none_or(|it| editions.contains_key(it));
    for (name, editions) in suite.questions.iter().chain(of_crawls).filter(|(_, it)| is_of(it)) {
        if let Some(question) = editions.values().next() {
            by_case.entry(&question.case).or_default().push((name, editions));
        }
    }
    for (id, questions) in by_case {
        let Some(first) = questions[0].1.values().next() else { continue };
        let file = String::from_utf8_lossy(&first.file);
        let asked = |(name, editions): &Named<'_>| match edition {
            Some(edition) => {
                Asked { name: (*name).clone(), expected: cut(&expected(&editions[edition]), MAX) }
            }
            None => asked(name, editions),
        };
        let case = Case {
            id,
            about: &first.about,
            file: (!first.file.is_empty()).then(|| cut(&file, MAX)),
            questions: questions.iter().map(asked).collect(),
            failed: failed.get(id).into_iter().flatten().cloned().collect(),
        };
        cases.entry(&first.requirement).or_default().push(case);
    }
    cases
}

/// Returns every requirement with its cases, by area, in the order of the catalogue. `failed` has the software that
/// is charged with a cause that a case shows.
pub(super) fn areas<'s>(
    suite: &'s Suite,
    failed: &BTreeMap<String, BTreeSet<String>>,
) -> Vec<Area<'s>> {
    let mut cases = cases(suite, failed, None);
    let mut areas: Vec<Area<'s>> = Vec::new();
    for requirement in &suite.requirements {
        let cases = cases.remove(requirement.id.as_str()).unwrap_or_default();
        let (area, required) = (&requirement.area, Required::of(requirement, cases));
        match areas.iter_mut().find(|known| known.id == area) {
            Some(known) => known.requirements.push(required),
            None => areas.push(Area { id: area, requirements: vec![required] }),
        }
    }
    areas
}

/// Returns a question with the answers that the editions expect: editions with the same answer together.
fn asked(name: &str, editions: &BTreeMap<String, Question>) -> Asked {
    let mut answers: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (edition, question) in editions {
        answers.entry(expected(question)).or_default().push(edition);
    }
    let answers = answers
        .into_iter()
        .map(|(answer, editions)| format!("{} ({})", cut(&answer, CELL), editions.join(", ")));
    Asked { name: name.to_owned(), expected: answers.collect::<Vec<_>>().join("; ") }
}

fn expected(question: &Question) -> String {
    match question.is_normative {
        false => format!("the text has several readings: {}", question.expected),
        true if question.open => "every answer conforms".to_owned(),
        true => question.expected.clone(),
    }
}

/// A case for which two editions expect different answers.
#[derive(Clone, Serialize)]
pub(super) struct Difference {
    id: String,
    area: String,
    about: String,
    answers: Vec<Option<String>>,
    /// The pairs of editions that differ, as `a~b`.
    pairs: String,
}

/// The expected answers, by edition and question.
type Answers<'q> = BTreeMap<&'q str, BTreeMap<&'q str, String>>;

/// Returns the cases for which two editions expect different answers.
pub(super) fn differences(questions: &Questions) -> Vec<Difference> {
    let mut cases: BTreeMap<&str, (&Question, Answers<'_>)> = BTreeMap::new();
    for (name, editions) in questions {
        for (edition, question) in editions {
            let case = cases.entry(&question.case).or_insert_with(|| (question, BTreeMap::new()));
            case.1.entry(edition).or_default().insert(name, expected(question));
        }
    }
    let differing = cases.into_iter().filter_map(|(id, (question, answers))| {
        let mut pairs = Vec::new();
        for (index, one) in EDITIONS.iter().enumerate() {
            for other in &EDITIONS[index + 1..] {
                let both = (answers.get(one), answers.get(other));
                if matches!(both, (Some(one), Some(other)) if one != other) {
                    pairs.push(format!("{one}~{other}"));
                }
            }
        }
        let text = |edition: &&str| {
            let texts: BTreeSet<&String> = answers.get(edition)?.values().collect();
            let texts: Vec<&str> = texts.into_iter().map(String::as_str).collect();
            Some(cut(&texts.join("; "), CELL))
        };
        (!pairs.is_empty()).then(|| Difference {
            id: id.to_owned(),
            area: question.area.clone(),
            about: question.about.clone(),
            answers: EDITIONS.iter().map(text).collect(),
            pairs: pairs.join(" "),
        })
    });
    differing.collect()
}

/// One entry of the index of the search.
#[derive(Serialize)]
pub(super) struct Found {
    pub(super) kind: &'static str,
    pub(super) title: String,
    pub(super) id: String,
    pub(super) link: String,
}

/// Returns everything that has a page or a section: software, requirements by area, and cases.
pub(super) fn index(tables: &[TableData], areas: &[Area<'_>]) -> Vec<Found> {
    let found = |kind, title: &str, id: &str, link: String| Found {
        kind,
        title: title.to_owned(),
        id: id.to_owned(),
        link,
    };
    let mut all = Vec::new();
    for table in tables {
        let rows = table.rows();
        all.extend(rows.map(|row| found(table.kind, &row.name, &row.language, row.file.clone())));
    }
    for area in areas {
        let title = area.id.replace('-', " ");
        all.push(found("area", &title, area.id, format!("requirements.html#{}", area.id)));
        for one in &area.requirements {
            let link = format!("requirements.html#{}", one.id);
            all.push(found("requirement", one.says, one.id, link));
            all.extend(one.cases.iter().map(|case| {
                found("case", case.about, case.id, format!("requirements.html#case-{}", case.id))
            }));
        }
    }
    all
}

/// Adds the names of the software that is charged with a cause that a case shows.
pub(super) fn add_failed<T: Table>(
    failed: &mut BTreeMap<String, BTreeSet<String>>,
    rows: &[Row<'_, T>],
) {
    for row in rows {
        for (failure, judgement) in row.judgements() {
            if matches!(judgement, Judgement::Charged(_)) {
                let case = &failure.tried.question.case;
                failed.entry(case.clone()).or_default().insert(row.head.software.clone());
            }
        }
    }
}

/// Returns the anchor of a heading.
pub(super) fn anchor(heading: &str) -> String {
    let part = |c: char| match c {
        ' ' => Some('-'),
        c if c.is_alphanumeric() || matches!(c, '-' | '_') => Some(c),
        _ => None,
    };
    heading.to_lowercase().chars().filter_map(part).collect()
}

fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{} …", &text[..at]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{anchor, cut, visible};

    #[test]
    fn anchors_have_no_punctuation() {
        assert_eq!(anchor("ht://Dig 3.2"), "htdig-32");
        assert_eq!(anchor("robots-txt_guard"), "robots-txt_guard");
    }

    #[test]
    fn each_octet_of_a_file_is_visible() {
        assert_eq!(visible(b"a: \xC2\xA0\r\n\0"), "a: \\xC2\\xA0\\r\n\\x00");
    }

    #[test]
    fn a_long_text_is_cut_between_characters() {
        assert_eq!((cut("äöü", 2), cut("äöü", 3)), ("äö …".to_owned(), "äöü".to_owned()));
    }
}
