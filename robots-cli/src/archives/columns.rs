//! [`Columns`] writes rows as a stream of Arrow, with one record batch for each batch of rows.

use std::io::{self, Write};
use std::sync::Arc;

use arrow_array::builder::{ListBuilder, StringBuilder, StructBuilder};
use arrow_array::{
    ArrayRef, Int32Array, Int64Array, RecordBatch, StringArray, TimestampMillisecondArray,
};
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{ArrowError, DataType, Field, Fields, Schema, TimeUnit};

use super::row::Row;

pub(super) struct Columns<W: Write>(StreamWriter<W>);

impl<W: Write> Columns<W> {
    pub(super) fn new(out: W) -> io::Result<Self> {
        Ok(Self(StreamWriter::try_new(out, &schema()).map_err(failed)?))
    }

    pub(super) fn write(&mut self, rows: &[Row<'_>]) -> io::Result<()> {
        let batch = RecordBatch::try_new(Arc::new(schema()), arrays(rows)).map_err(failed)?;
        self.0.write(&batch).map_err(failed)
    }

    pub(super) fn finish(mut self) -> io::Result<()> {
        self.0.finish().map_err(failed)?;
        self.0.get_mut().flush()
    }
}

/// The columns have the names of the keys in JSON.
fn schema() -> Schema {
    let text = |name: &str| Field::new(name, DataType::Utf8, true);
    let date = DataType::Timestamp(TimeUnit::Millisecond, Some("UTC".into()));
    Schema::new(vec![
        Field::new("archive", DataType::Utf8, false),
        Field::new("offset", DataType::Int64, false),
        text("url"),
        Field::new("date", date, true),
        Field::new("status", DataType::Int32, true),
        text("access"),
        text("reason"),
        text("truncated"),
        text("error"),
        Field::new(
            "verdicts",
            DataType::List(Arc::new(Field::new("item", DataType::Struct(fields()), true))),
            false,
        ),
    ])
}

fn fields() -> Fields {
    let names = ["agent", "path", "verdict", "disallowed"];
    names.map(|name| Field::new(name, DataType::Utf8, true)).into_iter().collect()
}

fn arrays(rows: &[Row<'_>]) -> Vec<ArrayRef> {
    let text = |of: for<'r> fn(&'r Row<'_>) -> Option<&'r str>| -> ArrayRef {
        Arc::new(rows.iter().map(of).collect::<StringArray>())
    };
    let offsets = rows.iter().map(|row| i64::try_from(row.offset).ok());
    let dates: TimestampMillisecondArray =
        rows.iter().map(|row| i64::try_from(row.date?.as_millis()).ok()).collect();
    let mut verdicts = ListBuilder::new(StructBuilder::from_fields(fields(), rows.len()));
    for row in rows {
        for decided in &row.verdicts {
            let values = [decided.agent, decided.path, decided.verdict, decided.disallowed];
            for (index, value) in values.into_iter().enumerate() {
                let column = verdicts.values().field_builder::<StringBuilder>(index);
                column.expect("each field is text").append_value(value);
            }
            verdicts.values().append(true);
        }
        verdicts.append(true);
    }
    vec![
        text(|row| Some(row.archive)),
        Arc::new(offsets.collect::<Int64Array>()),
        text(|row| row.url.as_deref()),
        Arc::new(dates.with_timezone("UTC")),
        Arc::new(rows.iter().map(|row| row.status.map(i32::from)).collect::<Int32Array>()),
        text(|row| row.access.as_deref()),
        text(|row| row.reason.as_deref()),
        text(|row| row.truncated.as_deref()),
        text(|row| row.error.as_deref()),
        Arc::new(verdicts.finish()),
    ]
}

/// Returns the failure of the writer as it was, so that a closed pipe is recognised.
fn failed(error: ArrowError) -> io::Error {
    match error {
        ArrowError::IoError(_, error) => error,
        error => io::Error::other(error),
    }
}
