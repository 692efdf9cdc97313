//! The responses for robots.txt in a web archive as a stream of Arrow, for the module `robots_verdicts.warc`.

use std::io;
use std::panic::resume_unwind;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use arrow_array::builder::{BinaryBuilder, ListBuilder, StringBuilder, StructBuilder};
use arrow_array::{
    ArrayRef, Int32Array, Int64Array, StringArray, StructArray, TimestampMillisecondArray,
};
use arrow_schema::{ArrowError, DataType, Field, Fields, TimeUnit};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use pyo3_arrow::ffi::{ArrayIterator, ArrayReader, to_schema_pycapsule, to_stream_pycapsule};
use robots_fetch::Settings;
use robots_fetch::warc::{Answer, Archive, Error, Undecided};

use crate::arguments::edition;

/// A batch is full if it has at least this number of responses, or responses with at least this number of octets in all.
const BATCH: (usize, usize) = (8192, 4 << 20);

/// The responses of an archive, which any Arrow library reads once, as record batches.
#[pyclass(frozen, module = "robots_verdicts.warc")]
pub(crate) struct Responses(Mutex<Option<Archive>>);

/// Opens an archive, and returns its responses for robots.txt.
#[pyfunction]
#[pyo3(name = "_warc_responses", signature = (path, *, edition = "google-2022"))]
pub(crate) fn responses(path: PathBuf, edition: &str) -> PyResult<Responses> {
    let settings = Settings::default().edition(self::edition(edition)?);
    let archive = if path.as_os_str() == "-" {
        Archive::new(io::stdin(), &settings)
    } else {
        Archive::open(&path, &settings).map_err(|error| match error.raw_os_error() {
            Some(code) => PyOSError::new_err((code, error.to_string(), path)),
            None => io::Error::new(error.kind(), format!("{}: {error}", path.display())).into(),
        })?
    };
    Ok(Responses(Mutex::new(Some(archive))))
}

#[pymethods]
impl Responses {
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let archive = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        let archive = archive.ok_or_else(|| {
            PyValueError::new_err("these responses have been read; call responses() again")
        })?;
        let batches: Box<dyn ArrayReader + Send> =
            Box::new(ArrayIterator::new(Batches { archive, ahead: None }, Arc::new(rows())));
        Ok(to_stream_pycapsule(py, batches, requested_schema)?)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        Ok(to_schema_pycapsule(py, rows())?)
    }
}

/// One thread decides what the responses of a batch mean, while this one reads the next batch. The thread ends with its
/// batch, because a thread that lives longer would not exist in a forked process.
struct Batches {
    archive: Archive,
    /// The batch that was read while the one before was decided.
    ahead: Option<Result<Vec<Read>, ArrowError>>,
}

type Read = Result<Undecided, Error>;

impl Iterator for Batches {
    type Item = Result<ArrayRef, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let batch = match self.ahead.take().unwrap_or_else(|| read(&mut self.archive)) {
            Ok(batch) if batch.is_empty() => return None,
            Ok(batch) => batch,
            Err(failure) => return Some(Err(failure)),
        };
        let array = thread::scope(|scope| {
            let decided = scope.spawn(|| {
                let answers = batch.into_iter().map(|read| read.map(Undecided::decide));
                array(&answers.collect::<Vec<_>>())
            });
            self.ahead = Some(read(&mut self.archive));
            decided.join()
        });
        Some(Ok(array.unwrap_or_else(|panic| resume_unwind(panic))))
    }
}

/// Reads a batch. At the end of the archive, and after a failure of its source, each batch is empty.
fn read(archive: &mut Archive) -> Result<Vec<Read>, ArrowError> {
    let (mut batch, mut octets) = (Vec::new(), 0);
    while batch.len() < BATCH.0 && octets < BATCH.1 {
        let Some(read) = archive.next_undecided() else { break };
        if let Err(error) = &read
            && let Some(failure) = error.source_failure()
        {
            let failure = io::Error::new(failure.kind(), error.to_string());
            return Err(ArrowError::IoError(failure.to_string(), failure));
        }
        octets += read.as_ref().map_or(0, Undecided::size);
        batch.push(read);
    }
    Ok(batch)
}

fn rows() -> Field {
    let text = |name: &str| Field::new(name, DataType::Utf8, true);
    let date = DataType::Timestamp(TimeUnit::Millisecond, Some("UTC".into()));
    let field = Field::new("item", DataType::Struct(field()), true);
    let columns = vec![
        Field::new("offset", DataType::Int64, false),
        text("url"),
        Field::new("date", date, true),
        Field::new("status", DataType::Int32, true),
        Field::new("fields", DataType::List(Arc::new(field)), true),
        Field::new("robots_txt", DataType::Binary, true),
        text("truncated"),
        text("access"),
        text("reason"),
        text("error"),
    ];
    Field::new("", DataType::Struct(columns.into()), false)
}

fn field() -> Fields {
    ["name", "value"].map(|name| Field::new(name, DataType::Utf8, true)).into_iter().collect()
}

fn array(batch: &[Result<Answer, Error>]) -> ArrayRef {
    let answers = || batch.iter().map(|read| read.as_ref().ok());
    let errors = batch.iter().map(|read| read.as_ref().err());
    let offsets = batch.iter().map(|read| match read {
        Ok(answer) => answer.offset,
        Err(error) => error.offset,
    });
    let urls = batch.iter().map(|read| match read {
        Ok(answer) => Some(&answer.url),
        Err(error) => error.url.as_ref(),
    });
    let dates = answers().map(|answer| i64::try_from(answer?.date.as_millis()).ok());
    let (mut files, mut fields) =
        (BinaryBuilder::new(), ListBuilder::new(StructBuilder::from_fields(field(), batch.len())));
    for answer in answers() {
        files.append_option(answer.and_then(|answer| answer.meaning.file()));
        for (name, value) in answer.into_iter().flat_map(Answer::fields) {
            for (index, part) in [name, value].into_iter().enumerate() {
                let column = fields.values().field_builder::<StringBuilder>(index);
                column.expect("both are text").append_value(String::from_utf8_lossy(part));
            }
            fields.values().append(true);
        }
        fields.append(answer.is_some());
    }
    let DataType::Struct(columns) = rows().data_type().clone() else { unreachable!("a struct") };
    Arc::new(StructArray::new(
        columns,
        vec![
            Arc::new(offsets.map(|offset| i64::try_from(offset).ok()).collect::<Int64Array>()),
            Arc::new(urls.collect::<StringArray>()),
            Arc::new(dates.collect::<TimestampMillisecondArray>().with_timezone("UTC")),
            Arc::new(answers().map(|answer| answer?.status.map(i32::from)).collect::<Int32Array>()),
            Arc::new(fields.finish()),
            Arc::new(files.finish()),
            Arc::new(answers().map(|answer| answer?.truncated.clone()).collect::<StringArray>()),
            Arc::new(
                answers()
                    .map(|answer| answer?.meaning.access().map(|access| access.to_string()))
                    .collect::<StringArray>(),
            ),
            Arc::new(answers().map(|answer| answer?.meaning.reason()).collect::<StringArray>()),
            Arc::new(errors.map(|error| Some(error?.why())).collect::<StringArray>()),
        ],
        None,
    ))
}
