//! The columns that a function over Arrow reads: [`Column`].
//!
//! A column has chunks. A chunk has stored values and, if it is dictionary or run-end encoded, the position of each row
//! among them. So every encoding is read in the same way, and no value is copied.

use arrow_array::cast::AsArray;
use arrow_array::types::{Int16Type, Int32Type, Int64Type, RunEndIndexType};
use arrow_array::{
    Array, ArrayRef, BinaryArray, BinaryViewArray, FixedSizeBinaryArray, LargeBinaryArray,
};
use arrow_schema::DataType;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3_arrow::PyChunkedArray;
use pyo3_arrow::input::AnyArray;

use super::distinct::{NULL, distinct};

/// A column of texts or of octets.
pub(super) struct Column(Vec<Chunk>);

/// What a column may contain.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    /// Strings only.
    Text,
    /// Strings or binary values.
    Octets,
}

struct Chunk {
    stored: Stored,
    /// The position of each row's value, or `None` for a null. Without it, the rows are the stored values.
    positions: Option<Vec<Option<usize>>>,
}

/// Stored values. A string is stored as its octets, which needs no copy.
enum Stored {
    Nulls(usize),
    Small(BinaryArray),
    Large(LargeBinaryArray),
    View(BinaryViewArray),
    Fixed(FixedSizeBinaryArray),
}

impl Stored {
    fn len(&self) -> usize {
        match self {
            Self::Nulls(len) => *len,
            Self::Small(array) => array.len(),
            Self::Large(array) => array.len(),
            Self::View(array) => array.len(),
            Self::Fixed(array) => array.len(),
        }
    }

    fn get(&self, position: usize) -> Option<&[u8]> {
        match self {
            Self::Nulls(_) => None,
            Self::Small(array) => array.is_valid(position).then(|| array.value(position)),
            Self::Large(array) => array.is_valid(position).then(|| array.value(position)),
            Self::View(array) => array.is_valid(position).then(|| array.value(position)),
            Self::Fixed(array) => array.is_valid(position).then(|| array.value(position)),
        }
    }
}

impl Chunk {
    /// Reads an array, or returns `None` if it has another type.
    fn read(array: &dyn Array, content: Content) -> Option<Self> {
        let stored = match array.data_type() {
            DataType::Null => Stored::Nulls(array.len()),
            DataType::Utf8 => Stored::Small(array.as_string::<i32>().clone().into()),
            DataType::LargeUtf8 => Stored::Large(array.as_string::<i64>().clone().into()),
            DataType::Utf8View => Stored::View(array.as_string_view().clone().to_binary_view()),
            DataType::Dictionary(..) => {
                let dictionary = array.as_any_dictionary();
                let keys = dictionary.keys();
                let positions = dictionary.normalized_keys().into_iter().enumerate();
                let positions = positions.map(|(row, key)| keys.is_valid(row).then_some(key));
                return Self::read(dictionary.values(), content)?.at(positions.collect());
            }
            DataType::RunEndEncoded(ends, _) => {
                return match ends.data_type() {
                    DataType::Int16 => Self::runs::<Int16Type>(array, content),
                    DataType::Int32 => Self::runs::<Int32Type>(array, content),
                    _ => Self::runs::<Int64Type>(array, content),
                };
            }
            _ if content == Content::Text => return None,
            DataType::Binary => Stored::Small(array.as_binary::<i32>().clone()),
            DataType::LargeBinary => Stored::Large(array.as_binary::<i64>().clone()),
            DataType::BinaryView => Stored::View(array.as_binary_view().clone()),
            DataType::FixedSizeBinary(_) => Stored::Fixed(array.as_fixed_size_binary().clone()),
            _ => return None,
        };
        Some(Self { stored, positions: None })
    }

    fn runs<R: RunEndIndexType>(array: &dyn Array, content: Content) -> Option<Self> {
        let runs = array.as_run::<R>();
        let positions = (0..runs.len()).map(|row| Some(runs.get_physical_index(row)));
        Self::read(runs.values(), content)?.at(positions.collect())
    }

    /// Returns the chunk whose rows are these rows of this one. Returns `None` if a position is out of range.
    fn at(self, mut positions: Vec<Option<usize>>) -> Option<Self> {
        let Self { stored, positions: inner } = self;
        let len = inner.as_ref().map_or(stored.len(), Vec::len);
        if positions.iter().flatten().any(|position| *position >= len) {
            return None;
        }
        if let Some(inner) = inner {
            for row in &mut positions {
                *row = row.and_then(|position| inner[position]);
            }
        }
        Some(Self { stored, positions: Some(positions) })
    }

    fn rows(&self) -> usize {
        self.positions.as_ref().map_or(self.stored.len(), Vec::len)
    }

    fn row(&self, row: usize) -> Option<&[u8]> {
        match &self.positions {
            Some(positions) => self.stored.get(positions[row]?),
            None => self.stored.get(row),
        }
    }
}

impl Column {
    /// Reads the arrays of a column. `name` is its name in the error.
    pub(super) fn of(name: &str, arrays: &[ArrayRef], content: Content) -> PyResult<Self> {
        let chunks = arrays.iter().map(|array| {
            Chunk::read(array, content).ok_or_else(|| {
                let wanted = match content {
                    Content::Text => "strings",
                    Content::Octets => "strings or binary values",
                };
                let given = array.data_type();
                PyTypeError::new_err(format!("{name} must be a column of {wanted}, not of {given}"))
            })
        });
        Ok(Self(chunks.collect::<PyResult<_>>()?))
    }

    /// Returns the number of rows.
    pub(super) fn len(&self) -> usize {
        self.0.iter().map(Chunk::rows).sum()
    }

    /// Returns the octets of each row, or `None` for a null.
    pub(super) fn rows(&self) -> impl Iterator<Item = Option<&[u8]>> {
        self.0.iter().flat_map(|chunk| (0..chunk.rows()).map(|row| chunk.row(row)))
    }

    /// Returns the distinct values, and the number of each row's value among them, or [`NULL`].
    ///
    /// Values of a dictionary or of a run are compared once for all rows that refer to them, other values row by row.
    pub(super) fn distinct(&self, threads: usize) -> (Vec<&[u8]>, Vec<u32>) {
        if let [chunk @ Chunk { positions: None, .. }] = &self.0[..] {
            return distinct(threads, chunk.rows(), |row| chunk.row(row));
        }
        // The stored values that rows refer to, each once, and their numbers for each row.
        let (mut used, mut rows) = (Vec::new(), Vec::with_capacity(self.len()));
        for Chunk { stored, positions } in &self.0 {
            let Some(positions) = positions else {
                rows.extend((used.len()..).take(stored.len()));
                used.extend((0..stored.len()).map(|position| (stored, position)));
                continue;
            };
            let mut seen = vec![usize::MAX; stored.len()];
            rows.extend(positions.iter().map(|position| {
                let Some(position) = *position else { return usize::MAX };
                if seen[position] == usize::MAX {
                    seen[position] = used.len();
                    used.push((stored, position));
                }
                seen[position]
            }));
        }
        let (values, numbers) = distinct(threads, used.len(), |number| {
            let (stored, position) = used[number];
            stored.get(position)
        });
        let rows = rows.into_iter().map(|number| numbers.get(number).copied().unwrap_or(NULL));
        (values, rows.collect())
    }
}

/// Reads an argument that is an Arrow array, or a chunked array, of any library.
pub(super) fn arrays(name: &str, argument: &Bound<'_, PyAny>) -> PyResult<PyChunkedArray> {
    let wrong = |_| crate::arguments::wrong_type(name, "an Arrow array or chunked array", argument);
    let array: AnyArray = argument.extract().map_err(wrong)?;
    Ok(array.into_chunked_array()?)
}
