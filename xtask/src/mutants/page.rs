//! Makes docs/timeline-mutants.md: the mutants of the retrieval that the timelines catch, and those that they do not
//! catch.
//!
//! Start at [`page()`]. A mutant that makes the tests run for ever counts as caught. The page omits the line and the
//! column of each mutant, so the page changes only if the code or the timelines change. If the same mutant is possible
//! at several places of a file, the page shows the number of places.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::name::{file, name};

/// The mutants of one file, each with the number of places where it is possible.
type Places = BTreeMap<String, usize>;

/// Makes the page from the lists of a run.
pub(super) fn page(caught: &str, missed: &str) -> String {
    let (caught, missed) = (by_file(caught), by_file(missed));
    let mut files: Vec<&String> = caught.keys().chain(missed.keys()).collect();
    files.sort();
    files.dedup();
    let (none, mut table, mut lists) = (Places::new(), String::new(), String::new());
    for of in files {
        let [caught, missed] = [&caught, &missed].map(|mutants| mutants.get(of).unwrap_or(&none));
        let all = [caught, missed].map(|places| places.values().sum::<usize>());
        // Writing to a string cannot fail.
        let _ = writeln!(table, "| `{of}` | {} | {} |", all[0], all[1]);
        let parts = [("Caught", caught), ("Not caught", missed)];
        for (word, places) in parts.into_iter().filter(|(_, places)| !places.is_empty()) {
            let _ = writeln!(lists, "\n## {word}: `{of}`\n");
            for (mutant, places) in places {
                let times = if *places > 1 { format!(" ({places} places)") } else { String::new() };
                let _ = writeln!(lists, "- `{mutant}`{times}");
            }
        }
    }
    format!("{HEAD}{table}{lists}")
}

fn by_file(mutants: &str) -> BTreeMap<String, Places> {
    let mut files: BTreeMap<String, Places> = BTreeMap::new();
    for mutant in mutants.lines().filter(|line| !line.trim().is_empty()).map(name) {
        let of = file(&mutant).to_owned();
        let what = mutant[of.len()..].trim_start_matches(':').trim();
        *files.entry(of).or_default().entry(what.to_owned()).or_default() += 1;
    }
    files
}

const HEAD: &str = "\
# The mutants that the timelines catch

`cargo xtask mutants mutants.out --timelines` writes this page; do not edit it by hand. A mutant is a faulty version of
the code, made by cargo-mutants. The run tests each mutant only with the [timelines](timelines.md#who-runs-them), in the
state machine and in both clients. If a mutant makes the tests run for ever, it counts as caught.

No document demands that a retriever has a store for its records, or a guard that checks connections. So the timelines
do not test leases, records that clients with different agents share, a store that is never read or that fails, or the
guard. The timelines do not catch mutants of these parts. The unit tests of `robots-fetch` catch the mutants that the
timelines do not catch, except those that `mutants.txt` explains. This page leaves out the code that reads response
bodies and content codings, and the code of the store's keys. No document states how retries are spread over time
(`hash`), how long a handle is valid (`changes_at`), or how long a gap between two failures ends an outage (`is_near`).

| file | caught | not caught |
|---|--:|--:|
";

#[cfg(test)]
mod tests {
    use super::page;

    #[test]
    fn mutants_are_counted_by_file() {
        let caught = "a.rs:1:2: replace x with y in f\na.rs:9:2: replace x with y in f\nb.rs:1:1: delete ! in g\n";
        let page = page(caught, "\na.rs:3:3: replace < with <= in f\n");
        let (_, rows) = page.split_once("|--:|\n").unwrap();
        insta::assert_snapshot!(rows, @r"
        | `a.rs` | 2 | 1 |
        | `b.rs` | 1 | 0 |

        ## Caught: `a.rs`

        - `replace x with y in f` (2 places)

        ## Not caught: `a.rs`

        - `replace < with <= in f`

        ## Caught: `b.rs`

        - `delete ! in g`
        ");
    }
}
