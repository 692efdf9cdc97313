//! The functions over Arrow columns, as the module `robots_verdicts.arrow`.
//!
//! Each function reads its columns through the `PyCapsule` interface of any Arrow library and returns one array, an
//! [`Array`], through the same interface. The computation runs without Python's lock and makes no Python objects.

use std::num::NonZero;
use std::sync::Arc;
use std::thread;

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array as _, ArrayRef, ListArray, StringArray, StructArray};
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_cast::cast;
use arrow_schema::{DataType, Field};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyList, PyString, PyTuple};
use pyo3_arrow::ffi::{to_array_pycapsules, to_schema_pycapsule};
use robots_core::fetch::FetchResult;
use robots_core::{Crawler, Options, RobotsTxt, Verdict};

mod column;
mod decided;
mod distinct;
mod parsed;
mod questions;
mod threads;

use self::column::{Column, Content, arrays};
use self::decided::{Decided, answered, booleans, details, preferences};
use self::questions::{Argument, Questions, Unanswered, UrlsOf};
use crate::arguments::{crawler, edition, options, quoted, wrong_type};
use crate::usage::{Header, vocabulary};

/// An Arrow array, which any Arrow library reads through the `PyCapsule` interface.
#[pyclass(frozen, module = "robots_verdicts.arrow")]
pub(crate) struct Array(ArrayRef);

#[pymethods]
impl Array {
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        Ok(to_array_pycapsules(py, self.field().into(), &self.0, requested_schema)?)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        Ok(to_schema_pycapsule(py, self.field())?)
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __repr__(&self) -> String {
        format!("<Array of {} rows, {}>", self.0.len(), self.0.data_type())
    }
}

impl Array {
    fn field(&self) -> Field {
        Field::new("", self.0.data_type().clone(), true)
    }
}

/// Returns whether each crawler may fetch each URL, and with `detail` why.
#[pyfunction]
#[pyo3(
    name = "_arrow_verdicts",
    signature = (robots_txt, agent, url, *, edition = "google-2022", detail = false, errors = "null", threads = None)
)]
#[expect(clippy::too_many_arguments, reason = "a function of Python, with named arguments")]
pub(crate) fn verdicts(
    py: Python<'_>,
    robots_txt: &Bound<'_, PyAny>,
    agent: &Bound<'_, PyAny>,
    url: &Bound<'_, PyAny>,
    edition: &str,
    detail: bool,
    errors: &str,
    threads: Option<usize>,
) -> PyResult<Array> {
    let asked = Asked::of(robots_txt, agent, url)?;
    let (options, raises) = (options(edition, None)?, raises(errors)?);
    let threads = self::threads(threads)?;
    py.detach(|| {
        let questions = asked.questions(threads);
        if detail {
            let answers = questions.answers(options, threads, decided);
            check(&questions, &answers, raises)?;
            return Ok(asked.array(details(&answers, &questions)));
        }
        let answers = questions.answers(options, threads, allowed);
        check(&questions, &answers, raises)?;
        Ok(asked.array(booleans(&answers, |allowed| *allowed)))
    })
}

/// Returns the preferences about the use of each URL's content.
#[pyfunction]
#[pyo3(
    name = "_arrow_usage",
    signature = (
        robots_txt, agent, url, *, header = Header::default(), vocabulary = "vocab-07", edition = "aipref-2026-08",
        errors = "null", threads = None
    )
)]
#[expect(clippy::too_many_arguments, reason = "a function of Python, with named arguments")]
pub(crate) fn usage(
    py: Python<'_>,
    robots_txt: &Bound<'_, PyAny>,
    agent: &Bound<'_, PyAny>,
    url: &Bound<'_, PyAny>,
    header: Header,
    vocabulary: &str,
    edition: &str,
    errors: &str,
    threads: Option<usize>,
) -> PyResult<Array> {
    let asked = Asked::of(robots_txt, agent, url)?;
    let (options, raises) = (options(edition, None)?, raises(errors)?);
    let (vocabulary, threads) = (self::vocabulary(vocabulary)?, self::threads(threads)?);
    py.detach(|| {
        let (questions, header) = (asked.questions(threads), header.lines());
        let answers = questions.answers(options, threads, |robots, crawler, urls, answers| {
            let rules = robots.rules_for(crawler);
            answers.extend(urls.iter().map(|url| {
                let usage = rules.try_usage(url, &header);
                usage
                    .map_err(|_| Unanswered::NotAUrl)
                    .map(|usage| usage.by(vocabulary).preferences())
            }));
        });
        check(&questions, &answers, raises)?;
        Ok(asked.array(preferences(&answers, vocabulary)))
    })
}

/// Returns the sitemaps of each file, as lists.
#[pyfunction]
#[pyo3(name = "_arrow_sitemaps", signature = (robots_txt, *, edition = "google-2022", threads = None))]
pub(crate) fn sitemaps(
    py: Python<'_>,
    robots_txt: &Bound<'_, PyAny>,
    edition: &str,
    threads: Option<usize>,
) -> PyResult<Array> {
    of_files(py, robots_txt, edition, threads, parsed::sitemaps)
}

/// Returns the groups of each file, as lists.
#[pyfunction]
#[pyo3(name = "_arrow_groups", signature = (robots_txt, *, edition = "google-2022", threads = None))]
pub(crate) fn groups(
    py: Python<'_>,
    robots_txt: &Bound<'_, PyAny>,
    edition: &str,
    threads: Option<usize>,
) -> PyResult<Array> {
    of_files(py, robots_txt, edition, threads, parsed::groups)
}

fn of_files(
    py: Python<'_>,
    robots_txt: &Bound<'_, PyAny>,
    edition: &str,
    threads: Option<usize>,
    compute: fn(&Column, Options, usize) -> PyResult<ArrayRef>,
) -> PyResult<Array> {
    let column = column("robots_txt", robots_txt, Content::Octets)?;
    let (options, threads) = (options(edition, None)?, self::threads(threads)?);
    py.detach(|| compute(&column, options, threads)).map(Array)
}

/// Returns what each status of an answer for robots.txt means: `full-allow`, `full-disallow`, `conditional-allow` (the
/// rules in the body decide) or `follow-redirect` (the target decides).
#[pyfunction]
#[pyo3(name = "_arrow_access", signature = (status, *, redirects = 0, edition = "google-2022"))]
pub(crate) fn access(status: &Bound<'_, PyAny>, redirects: u32, edition: &str) -> PyResult<Array> {
    let edition = self::edition(edition)?;
    let (chunks, _) = arrays("status", status)?.into_inner();
    let mut access = Vec::new();
    for chunk in chunks {
        let given = chunk.data_type();
        if !(given.is_integer() || given.is_null()) {
            return Err(PyTypeError::new_err(format!(
                "status must be a column of integers, not of {given}"
            )));
        }
        let statuses = cast(&chunk, &DataType::Int64).map_err(refused)?;
        access.extend(statuses.as_primitive::<Int64Type>().iter().map(|status| {
            let result = FetchResult::status(u16::try_from(status?).ok()?);
            Some(edition.access(&result.after_redirects(redirects)).or_safe().to_string())
        }));
    }
    Ok(Array(Arc::new(StringArray::from(access))))
}

/// The columns of questions, with equal lengths.
struct Asked {
    files: Column,
    agent: Argument<Crawler>,
    url: Argument<String>,
    lists: Option<Lists>,
}

/// The lists in which URLs are given: the lengths, and which of them are null.
struct Lists(Vec<usize>, Option<NullBuffer>);

impl Asked {
    fn of(
        robots_txt: &Bound<'_, PyAny>,
        agent: &Bound<'_, PyAny>,
        url: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let files = column("robots_txt", robots_txt, Content::Octets)?;
        let is_value = |argument: &Bound<'_, PyAny>| {
            argument.is_instance_of::<PyString>()
                || argument.is_instance_of::<PyList>()
                || argument.is_instance_of::<PyTuple>()
        };
        let agent = match agent {
            value if is_value(value) => Argument::One(crawler(value)?),
            given => Argument::Column(column("agent", given, Content::Text)?),
        };
        let (url, lists) = match url.cast::<PyString>() {
            Ok(url) => (Argument::One(url.to_str()?.to_owned()), None),
            Err(_) => urls(url)?,
        };
        let rows = files.len();
        let agents = if let Argument::Column(column) = &agent { column.len() } else { rows };
        let urls = match (&url, &lists) {
            (_, Some(Lists(lengths, _))) => lengths.len(),
            (Argument::Column(column), None) => column.len(),
            (Argument::One(_), None) => rows,
        };
        for (name, len) in [("agent", agents), ("url", urls)] {
            if len != rows {
                return Err(PyValueError::new_err(format!(
                    "{name} has {len} rows, but robots_txt has {rows}"
                )));
            }
        }
        Ok(Self { files, agent, url, lists })
    }

    fn questions(&self, threads: usize) -> Questions<'_> {
        let rows = self.lists.as_ref().map(|Lists(lengths, _)| {
            let rows = (0..).zip(lengths);
            rows.flat_map(|(row, length)| std::iter::repeat_n(row, *length)).collect()
        });
        Questions::new(&self.files, &self.agent, &self.url, rows, threads)
    }

    /// Returns the answers in the form of the URLs: a value for each row, or a list.
    fn array(&self, answers: ArrayRef) -> Array {
        let Some(Lists(lengths, nulls)) = &self.lists else { return Array(answers) };
        Array(list(lengths.iter().copied(), answers, nulls.clone()))
    }
}

/// Reads the column of URLs. If it has lists, returns the URLs of all lists together, and the lists.
fn urls(given: &Bound<'_, PyAny>) -> PyResult<(Argument<String>, Option<Lists>)> {
    let (chunks, field) = arrays("url", given)?.into_inner();
    let lists = match field.data_type() {
        DataType::List(_) => chunks,
        DataType::LargeList(item)
        | DataType::ListView(item)
        | DataType::LargeListView(item)
        | DataType::FixedSizeList(item, _) => {
            let to = DataType::List(item.clone());
            chunks
                .iter()
                .map(|chunk| cast(chunk, &to))
                .collect::<Result<_, _>>()
                .map_err(refused)?
        }
        _ => {
            return Ok((Argument::Column(Column::of("url", &chunks, Content::Text)?), None));
        }
    };
    let (mut lengths, mut items, mut nulls) = (Vec::new(), Vec::new(), Vec::new());
    for chunk in &lists {
        let lists = chunk.as_list::<i32>();
        for row in 0..lists.len() {
            let list = lists.is_valid(row).then(|| lists.value(row));
            nulls.push(list.is_some());
            lengths.push(list.as_ref().map_or(0, arrow_array::Array::len));
            items.extend(list);
        }
    }
    let urls = Column::of("url", &items, Content::Text)?;
    let nulls = nulls.contains(&false).then(|| NullBuffer::from(nulls));
    Ok((Argument::Column(urls), Some(Lists(lengths, nulls))))
}

/// Adds whether the crawler may fetch each URL.
fn allowed(
    robots: &RobotsTxt<&[u8]>,
    crawler: &Crawler,
    urls: UrlsOf<'_>,
    answers: &mut Vec<Result<bool, Unanswered>>,
) {
    robots.verdicts(crawler, urls.iter(), |_, verdict| {
        answers.push(answered(&verdict).map(Verdict::is_allowed));
    });
}

/// Adds whether the crawler may fetch each URL, and why.
fn decided(
    robots: &RobotsTxt<&[u8]>,
    crawler: &Crawler,
    urls: UrlsOf<'_>,
    answers: &mut Vec<Result<Decided, Unanswered>>,
) {
    robots.verdicts(crawler, urls.iter(), |_, verdict| {
        answers.push(answered(&verdict).map(Decided::of));
    });
}

/// Returns the error about the first question that is not valid, if errors are to be raised.
fn check<T>(
    questions: &Questions<'_>,
    answers: &[Result<T, Unanswered>],
    raises: bool,
) -> PyResult<()> {
    let wrong = answers.iter().enumerate().filter(|_| raises);
    wrong
        .filter_map(|(question, answer)| Some((question, *answer.as_ref().err()?)))
        .try_for_each(|(question, reason)| questions.error(question, reason))
}

fn raises(errors: &str) -> PyResult<bool> {
    match errors {
        "null" => Ok(false),
        "raise" => Ok(true),
        other => {
            let message = format!("errors must be 'null' or 'raise', not {}", quoted(other));
            Err(PyValueError::new_err(message))
        }
    }
}

fn threads(given: Option<usize>) -> PyResult<usize> {
    match given {
        Some(0) => Err(PyValueError::new_err("threads must be at least 1")),
        Some(threads) => Ok(threads),
        None => Ok(thread::available_parallelism().map_or(1, NonZero::get)),
    }
}

fn column(name: &str, argument: &Bound<'_, PyAny>, content: Content) -> PyResult<Column> {
    if argument.is_instance_of::<PyString>() {
        return Err(wrong_type(name, "an Arrow array or chunked array", argument));
    }
    Column::of(name, arrays(name, argument)?.chunks(), content)
}

/// Makes a list array from the lengths of the lists and their items.
fn list(
    lengths: impl ExactSizeIterator<Item = usize>,
    items: ArrayRef,
    nulls: Option<NullBuffer>,
) -> ArrayRef {
    let field = Field::new_list_field(items.data_type().clone(), true);
    Arc::new(ListArray::new(field.into(), OffsetBuffer::from_lengths(lengths), items, nulls))
}

/// Makes an array of structs from the columns of their fields.
fn structs<const N: usize>(columns: [(&str, ArrayRef); N]) -> ArrayRef {
    let columns = columns.map(|(name, column)| {
        (Arc::new(Field::new(name, column.data_type().clone(), true)), column)
    });
    Arc::new(StructArray::from(columns.to_vec()))
}

/// Makes the error for an array that Arrow refuses.
fn refused(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}
