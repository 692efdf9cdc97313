//! Finds equal values: [`Known`] numbers the distinct values in the order of their first use.
//!
//! Values are hashed and compared in parts, on several threads, and then the distinct values of the parts are compared.
//! The time is spent in reading the values, so a value is read once if it equals the value before it, as in rows that
//! are sorted by host.

use std::ops::Range;

use ahash::RandomState;
use hashbrown::HashTable;

use super::threads::{in_order, in_parts};

/// The number that stands for a null.
pub(super) const NULL: u32 = u32::MAX;

/// The minimum number of values of a part. To start a thread takes as long as to hash about so many short files.
const FEW: usize = 256;

/// Returns the distinct values, and the number of each value among them, or [`NULL`]. `value` returns the value at each
/// position below `len`.
pub(super) fn distinct<'a>(
    threads: usize,
    len: usize,
    value: impl Fn(usize) -> Option<&'a [u8]> + Sync,
) -> (Vec<&'a [u8]>, Vec<u32>) {
    let parts: Vec<Range<usize>> = in_parts(0..len, len.div_ceil(threads).max(FEW)).collect();
    let state = RandomState::new();
    let mut found = in_order(threads, parts.len(), |part| {
        let mut known = Known::default();
        let numbers = known.numbers(&state, parts[part].clone().map(&value));
        (known, numbers)
    })
    .into_iter();
    let (mut known, mut numbers) = found.next().unwrap_or_default();
    for (other, others) in found {
        let numbers_of: Vec<u32> =
            other.values.into_iter().map(|(hash, value)| known.number(hash, value)).collect();
        let number = |other: u32| numbers_of.get(other as usize).copied().unwrap_or(NULL);
        numbers.extend(others.into_iter().map(number));
    }
    (known.values.into_iter().map(|(_, value)| value).collect(), numbers)
}

/// Distinct values with their hashes. A table finds the number of a value.
#[derive(Default)]
struct Known<'a> {
    values: Vec<(u64, &'a [u8])>,
    table: HashTable<u32>,
}

impl<'a> Known<'a> {
    fn numbers(
        &mut self,
        state: &RandomState,
        values: impl Iterator<Item = Option<&'a [u8]>>,
    ) -> Vec<u32> {
        let (mut before, mut number) = (None, NULL);
        values
            .map(|value| {
                if value != before {
                    before = value;
                    number = value.map_or(NULL, |value| self.number(state.hash_one(value), value));
                }
                number
            })
            .collect()
    }

    fn number(&mut self, hash: u64, value: &'a [u8]) -> u32 {
        let Self { values, table } = self;
        let is_equal = |number: &u32| values[*number as usize] == (hash, value);
        let hash_of = |number: &u32| values[*number as usize].0;
        let entry = table.entry(hash, is_equal, hash_of);
        let number = u32::try_from(values.len()).ok().filter(|number| *number != NULL);
        *entry
            .or_insert_with(|| {
                values.push((hash, value));
                number.expect("a batch has fewer than 2^32 rows")
            })
            .get()
    }
}
