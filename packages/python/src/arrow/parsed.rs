//! What files contain, as lists: [`sitemaps`] and [`groups`].

use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, StringArray, UInt32Array};
use arrow_select::take::take;
use pyo3::PyResult;
use robots_core::{Options, RobotsTxt};

use super::column::Column;
use super::distinct::NULL;
use super::threads::in_order;
use super::{list, refused, structs};
use crate::evidence::text;

/// Returns the sitemaps of each file, as written.
pub(super) fn sitemaps(files: &Column, options: Options, threads: usize) -> PyResult<ArrayRef> {
    each(
        files,
        options,
        threads,
        |robots| robots.sitemaps().map(|(url, _)| text(url)).collect(),
        texts,
    )
}

/// Returns the groups of each file: the values of the user-agent lines, and the rules with kind, path and line.
pub(super) fn groups(files: &Column, options: Options, threads: usize) -> PyResult<ArrayRef> {
    let read = |robots: &RobotsTxt<&[u8]>| {
        let groups = robots.groups().map(|group| Group {
            agents: group.user_agents().map(|line| text(line.value())).collect(),
            rules: group
                .rules()
                .map(|rule| {
                    (rule.kind().to_string(), text(rule.path()), rule.line().number.get().into())
                })
                .collect(),
        });
        groups.collect()
    };
    each(files, options, threads, read, |groups| {
        let (agents, rules): (Vec<_>, Vec<_>) =
            groups.into_iter().map(|group| (group.agents, group.rules)).unzip();
        let rules = lists(rules, |rules| {
            let (kinds, (paths, lines)): (Vec<_>, (Vec<_>, Vec<i64>)) =
                rules.into_iter().map(|(kind, path, line)| (kind, (path, line))).unzip();
            structs([
                ("kind", texts(kinds)),
                ("path", texts(paths)),
                ("line", Arc::new(Int64Array::from(lines))),
            ])
        });
        structs([("user_agents", lists(agents, texts)), ("rules", rules)])
    })
}

struct Group {
    agents: Vec<String>,
    rules: Vec<(String, String, i64)>,
}

/// Reads each distinct file once, and returns a list for each row.
fn each<T: Send>(
    files: &Column,
    options: Options,
    threads: usize,
    read: impl Fn(&RobotsTxt<&[u8]>) -> Vec<T> + Sync,
    items: impl Fn(Vec<T>) -> ArrayRef,
) -> PyResult<ArrayRef> {
    let (distinct, numbers) = files.distinct(threads);
    let found = in_order(threads, distinct.len(), |file| {
        read(&robots_nom_parser::parse_with(distinct[file], options))
    });
    let rows = numbers.into_iter().map(|number| (number != NULL).then_some(number));
    take(&lists(found, items), &rows.collect::<UInt32Array>(), None).map_err(refused)
}

fn lists<T>(lists: Vec<Vec<T>>, items: impl Fn(Vec<T>) -> ArrayRef) -> ArrayRef {
    let lengths: Vec<usize> = lists.iter().map(Vec::len).collect();
    list(lengths.into_iter(), items(lists.into_iter().flatten().collect()), None)
}

fn texts(texts: Vec<String>) -> ArrayRef {
    Arc::new(StringArray::from(texts))
}
