//! Sweeps over a corpus: every subject reads every file, in interleaved rounds.
//!
//! Start at [`measure()`], which first compares the checksum of every subject and file with a reference checksum, so
//! that every timed subject reads the right items. Files on which a peer panics are omitted. Then `measure` times
//! parsing, and verdicts with compiled rules. The first subject is our parser, and all ratios are relative to its
//! times.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::hint::black_box;
use std::panic::{self, AssertUnwindSafe};
use std::time::Instant;

use crate::corpus::{Corpus, File, LARGE};
use crate::peers::{Asker, FAST_ROBOTS, MATCHER, OURS, ROBOTXT, SUBJECTS, Subject, UNCOMPILED};
use crate::report::Bound::{AtLeast, AtMost};
use crate::report::{Report, Table, short};
use crate::rounds::{Moment, Task, Times, interleaved, median, nanoseconds};
use crate::slow::kind;

/// Measures all subjects on a corpus and adds the results to the report.
///
/// # Errors
/// Returns a message if a checksum differs from its reference.
pub fn measure(corpus: &Corpus, rounds: usize, report: &mut Report) -> Result<(), String> {
    let files = check(corpus, report)?;
    parsing(corpus.name, &files, rounds, report);
    verdicts(corpus.name, &files, rounds, report);
    Ok(())
}

/// Compares every subject's checksum with its reference, and omits files on which a peer panics.
fn check<'c>(corpus: &'c Corpus, report: &mut Report) -> Result<Vec<&'c File>, String> {
    let mut table = Table::detail(
        format!("What is read: {}", corpus.name),
        "The table shows the functions that were timed, and the number of items that their checksums \
         cover. The checksum of each file was compared once with a reference. For our parser, the \
         reference is an independent reading of the file. For another parser, it is a second walk through \
         a copy of the result.",
        &["subject", "parse", "verdict with compiled rules", "agents", "rules", "sitemaps"],
    );
    let (sound, left_out) = sound(corpus);
    let mut described = corpus.describe();
    for (peer, files) in left_out {
        write!(described, "; {files} files left out, on which `{peer}` panics")
            .expect("writing to a String cannot fail");
    }
    report.setting.push(("corpus".to_owned(), described));
    for subject in &SUBJECTS {
        let (mut agents, mut rules, mut sitemaps) = (0, 0, 0);
        for (number, file) in sound.iter().enumerate() {
            let (items, expected) = (subject.slow)(file.text);
            if (subject.read)(file.text) != expected {
                return Err(format!(
                    "{}: the checksum of file {number} of corpus `{}` differs from the reference; \
                     fix the adapter in bench/src/peers, or the parser",
                    subject.name, corpus.name
                ));
            }
            agents += items.count(kind::AGENT);
            rules += items.rules().count();
            sitemaps += items.count(kind::SITEMAP);
        }
        let entry = |entry: Option<&str>| entry.unwrap_or("–").to_owned();
        let counts = [agents, rules, sitemaps].map(|count| short(count as f64));
        table.rows.push(
            [subject.name.to_owned(), entry(subject.parse), entry(subject.verdict)]
                .into_iter()
                .chain(counts)
                .collect(),
        );
    }
    report.tables.push(table);
    Ok(sound)
}

/// Returns the files on which no peer panics. For each peer that panics, also returns the number of files that are
/// omitted because of it.
pub fn sound(corpus: &Corpus) -> (Vec<&File>, BTreeMap<&'static str, usize>) {
    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let (mut sound, mut left_out) = (Vec::new(), BTreeMap::new());
    for file in &corpus.files {
        let peers = SUBJECTS.iter().filter(|subject| subject.name != OURS);
        match peers.into_iter().find(|subject| !survives(subject, file)) {
            Some(peer) => *left_out.entry(peer.name).or_default() += 1,
            None => sound.push(file),
        }
    }
    panic::set_hook(hook);
    (sound, left_out)
}

fn survives(subject: &Subject, file: &File) -> bool {
    let all = || {
        (subject.read)(file.text);
        (subject.ask_once)(file.text, file.one_path());
        if subject.verdict.is_some() {
            (subject.open)(file.text).ask(&file.paths);
        }
    };
    panic::catch_unwind(AssertUnwindSafe(all)).is_ok()
}

/// Measures parsing alone, parsing with one verdict, and parsing with compiling.
fn parsing(corpus: &str, files: &[&File], rounds: usize, report: &mut Report) {
    let html: Vec<&File> = files.iter().copied().filter(|file| file.html).collect();
    let columns = [
        Column::new(
            "parse",
            files,
            |subject| subject.parse.is_some(),
            |subject, file| {
                (subject.read)(file.text);
            },
        ),
        Column::new(
            "HTML",
            &html,
            |subject| subject.parse.is_some(),
            |subject, file| {
                (subject.read)(file.text);
            },
        ),
        Column::new(
            "parse + verdict",
            files,
            |_| true,
            |subject, file| {
                black_box((subject.ask_once)(file.text, file.one_path()));
            },
        ),
        Column::new(
            "parse + compile",
            files,
            |subject| subject.verdict.is_some(),
            |subject, file| {
                (subject.compile)(file.text);
            },
        ),
    ];
    let mut table = Table::new(
        format!("Parsing: {corpus}"),
        "The numbers are millions of octets per second. The columns × show how many times as fast our \
         parser is. If a parser compiles while it parses, or never compiles, `parse + compile` does the \
         same work as `parse`.",
        &["subject", "parse", "×", "HTML", "×", "parse + verdict", "×", "parse + compile", "×"],
    );
    table.rows = SUBJECTS.iter().map(|subject| vec![subject.name.to_owned()]).collect();
    let mut ratios = Vec::new();
    for column in columns.iter().filter(|column| !column.files.is_empty()) {
        let (times, taking) = column.run(rounds);
        let octets: usize = column.files.iter().map(|file| file.text.len()).sum();
        for (row, subject) in table.rows.iter_mut().zip(&SUBJECTS) {
            let Some(task) = taking.iter().position(|name| *name == subject.name) else {
                row.extend(["–".to_owned(), "–".to_owned()]);
                continue;
            };
            let (rate, ratio) = (octets as f64 * 1e3 / times.median(task), times.ratio(task, 0));
            row.extend([short(rate), format!("{ratio:.2}")]);
            report.note(format!("{corpus}.{}.{}.mb_per_s", column.name, subject.name), rate);
            report.note(format!("{corpus}.{}.{}.ratio", column.name, subject.name), ratio);
            ratios.push((column.name, subject.name, ratio));
        }
    }
    if html.is_empty() {
        table.note += " There is no HTML page in this corpus.";
        table.head.drain(3..5);
    }
    let found = |column: &str, peer: &str| {
        ratios.iter().find(|(c, p, _)| (*c, *p) == (column, peer)).map(|(_, _, ratio)| *ratio)
    };
    let mut judge = |column: &str, peer: &str, least: f64, aim: Option<f64>| {
        let what = format!("{corpus}: {column}, against {peer}");
        report.judge(what, " ×", found(column, peer), Some(AtLeast(least)), aim.map(AtLeast));
    };
    judge("parse", FAST_ROBOTS, 1.0, Some(1.6));
    judge("parse", ROBOTXT, 4.0, None);
    judge("HTML", FAST_ROBOTS, 1.0, None);
    judge("parse + verdict", FAST_ROBOTS, 1.2, Some(1.5));
    judge("parse + compile", MATCHER, 4.0, None);
    report.tables.push(table);
}

/// A column of a table: a piece of work that each subject does for every file of the column.
struct Column<'f> {
    name: &'static str,
    files: &'f [&'f File],
    taking: fn(&Subject) -> bool,
    work: fn(&Subject, &File),
}

impl<'f> Column<'f> {
    fn new(
        name: &'static str,
        files: &'f [&'f File],
        taking: fn(&Subject) -> bool,
        work: fn(&Subject, &File),
    ) -> Self {
        Self { name, files, taking, work }
    }

    /// Measures the work. Returns the times, and the names of the subjects in the same order. Our parser is the first.
    fn run(&self, rounds: usize) -> (Times, Vec<&'static str>) {
        let taking: Vec<&Subject> =
            SUBJECTS.iter().filter(|subject| (self.taking)(subject)).collect();
        let mut tasks: Vec<Task<'_>> = taking
            .iter()
            .map(|subject| -> Task<'_> {
                Box::new(move || {
                    let start = Moment::now();
                    for file in self.files {
                        (self.work)(black_box(subject), black_box(file));
                    }
                    start.elapsed()
                })
            })
            .collect();
        (interleaved(rounds, &mut tasks), taking.iter().map(|subject| subject.name).collect())
    }
}

/// Measures verdicts with compiled rules, for small and for large files.
fn verdicts(corpus: &str, files: &[&File], rounds: usize, report: &mut Report) {
    let mut table = Table::new(
        format!("Verdicts with compiled rules: {corpus}"),
        format!(
            "The numbers are nanoseconds per path. Small files have at most {LARGE} rules. *Median* is the \
             median of the files' times per path, and *mean* is the mean over all paths. The processor's \
             caches have no data of a file when its first path comes."
        ),
        &["subject", "small: median", "×", "small: mean", "×", "large: mean", "×"],
    );
    let subjects: Vec<&Subject> =
        SUBJECTS.iter().filter(|subject| subject.verdict.is_some()).collect();
    table.rows = subjects.iter().map(|subject| vec![subject.name.to_owned()]).collect();
    let (large, small): (Vec<&File>, Vec<&File>) =
        files.iter().partition(|file| file.rules > LARGE);
    let mut ratios = Vec::new();
    for (size, files) in [("small", small), ("large", large)] {
        if files.is_empty() {
            table.note += " This corpus has no large file.";
            table.rows.iter_mut().for_each(|row| row.extend(["–".to_owned(), "–".to_owned()]));
            continue;
        }
        let asked = ask_all(&subjects, &files, rounds);
        let paths: usize = files.iter().map(|file| file.paths.len()).sum();
        for (task, (row, subject)) in table.rows.iter_mut().zip(&subjects).enumerate() {
            let mut add = |what: &str, nanoseconds: f64, ratio: f64| {
                row.extend([short(nanoseconds), format!("{ratio:.2}")]);
                let name = format!("{corpus}.verdict.{size}.{what}.{}", subject.name);
                report.note(format!("{name}.ns"), nanoseconds);
                report.note(format!("{name}.ratio"), ratio);
                ratios.push((format!("{size} {what}"), subject.name, nanoseconds, ratio));
            };
            if size == "small" {
                let ratios: Vec<f64> =
                    asked.medians[task].iter().zip(&asked.medians[0]).map(|(a, b)| a / b).collect();
                add("median", median(&asked.medians[task]), median(&ratios));
            }
            add("mean", asked.totals.median(task) / paths as f64, asked.totals.ratio(task, 0));
        }
    }
    let found = |what: &str, subject: &str| ratios.iter().find(|r| (&*r.0, r.1) == (what, subject));
    for (what, least, aim) in
        [("small median", 2.0, 40.0), ("small mean", 2.0, 85.0), ("large mean", 3.0, 800.0)]
    {
        let label = format!("{corpus}: verdict, {what}");
        let ratio = found(what, MATCHER).map(|found| found.3);
        report.judge(
            format!("{label}, against {MATCHER}"),
            " ×",
            ratio,
            Some(AtLeast(least)),
            None,
        );
        let ours = found(what, OURS).map(|found| found.2);
        report.judge(label, " ns", ours, None, Some(AtMost(aim)));
    }
    for (what, least, aim) in
        [("small median", None, Some(AtLeast(1.1))), ("small mean", Some(AtLeast(1.0)), None)]
    {
        let relative = |subject| found(what, subject).map(|found| found.3);
        let ratio = relative(FAST_ROBOTS).zip(relative(UNCOMPILED)).map(|(peer, ours)| peer / ours);
        let label = format!("{corpus}: verdict without compiling, {what}, against {FAST_ROBOTS}");
        report.judge(label, " ×", ratio, least, aim);
    }
    report.tables.push(table);
}

struct Asked {
    /// The time of all paths, by subject and round.
    totals: Times,
    /// The time per path of a file, as the median over all files, by subject and round.
    medians: Vec<Vec<f64>>,
}

fn ask_all(subjects: &[&Subject], files: &[&File], rounds: usize) -> Asked {
    let askers: Vec<Vec<Box<dyn Asker>>> = subjects
        .iter()
        .map(|subject| files.iter().map(|file| (subject.open)(file.text)).collect())
        .collect();
    let medians: Vec<RefCell<Vec<f64>>> = subjects.iter().map(|_| RefCell::default()).collect();
    let mut tasks: Vec<Task<'_>> = askers
        .iter()
        .zip(&medians)
        .map(|(askers, medians)| -> Task<'_> {
            let mut per_path = Vec::with_capacity(files.len());
            Box::new(move || {
                per_path.clear();
                let start = Moment::now();
                let mut last = Instant::now();
                for (asker, file) in askers.iter().zip(files) {
                    black_box(asker.ask(black_box(&file.paths)));
                    let now = Instant::now();
                    per_path.push(nanoseconds(now - last) / file.paths.len() as f64);
                    last = now;
                }
                medians.borrow_mut().push(median(&per_path));
                start.elapsed()
            })
        })
        .collect();
    let totals = interleaved(rounds, &mut tasks);
    drop(tasks);
    // The first value is removed, because it comes from the run before the measured rounds.
    let medians = medians.into_iter().map(|rounds| rounds.into_inner().split_off(1)).collect();
    Asked { totals, medians }
}
