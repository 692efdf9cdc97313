//! Measures the time and the memory that hostile files need, and the growth of the time with the length of the file and
//! of the path.
//!
//! [`files()`] measures every case of `adversarial.rs` at full size and compares the worst value of each measurement
//! with its limit. [`growth()`] doubles the file and then the path. If the time is linear, it doubles in each step. The
//! limit of the average factor excludes quadratic time. Every time is the median of several rounds.

use robots_core::RobotsTxt;

use crate::adversarial::{CASES, Case, SIZE};
use crate::memory::Counts;
use crate::report::Bound::AtMost;
use crate::report::{Report, Table, short, time};
use crate::rounds::{Task, interleaved, repeated};

/// The lengths of the shorter and of the longer path, in octets.
const PATHS: [usize; 2] = [2 << 10, 64 << 10];
/// The time limit of a parse, in milliseconds.
const PARSE: f64 = 3.0;
/// The limit of memory, in octets for each octet of the file. This limit consists of twelve octets, because each octet
/// may be a line; half an octet for reserved memory; and one kibioctet for each file. For usual files, about half an
/// octet stays allocated for each octet of the file.
const MEMORY: f64 = 12.5 + 1024.0 / SIZE as f64;
/// The time limits of an answer for each of the two [`PATHS`], in milliseconds.
const ANSWER: [f64; 2] = [5.0, 100.0];
/// The maximum factor by which a time may grow if the size doubles, averaged over a curve.
const GROWTH: f64 = 2.3;
/// If the last time of a curve is below this number of nanoseconds, the curve counts as constant.
const NOTHING: f64 = 2_000.0;

/// Measures every hostile file at its full size and adds the results to the report.
///
/// # Errors
/// Returns a message if no rule matches a path that a rule must match, or if a rule matches a path that no rule may
/// match.
pub fn files(counts: Option<&Counts>, rounds: usize, report: &mut Report) -> Result<(), String> {
    let mut table = Table::detail(
        "Hostile files of 500 KiB",
        "This table is only about our parser. *Memory* is the largest number of octets that are allocated \
         at the same time, per octet of the file. Its first number is for parsing and one verdict, and its \
         second number is for compiled rules. The columns *once* (with `verdict`) and *compiled* (with \
         `RuleSet::verdict`, which can use the results of compiling) have two numbers each. The first \
         number is for a path that a rule matches, in most cases only at the end of the path. The second \
         number is for a path that no rule matches.",
        &[
            "file",
            "octets",
            "parse",
            "compile",
            "memory",
            "2 KiB, once",
            "2 KiB, compiled",
            "64 KiB, once",
            "64 KiB, compiled",
            "beyond a limit",
        ],
    );
    let mut worst_parse = Worst::new("hostile files, parse", " ms", PARSE);
    let mut worst_memory = Worst::new("hostile files, memory by octet of the file", "", MEMORY);
    let mut worst_answers = [
        Worst::new("hostile files, answer for 2 KiB", " ms", ANSWER[0]),
        Worst::new("hostile files, answer for 64 KiB", " ms", ANSWER[1]),
    ];
    for case in &CASES {
        let (text, crawler) = ((case.text)(SIZE), case.asks());
        let parse = timed(rounds, || robots_nom_parser::parse(&*text));
        let robots = robots_nom_parser::parse(&*text);
        let compile = timed(rounds, || robots.rules_for(&crawler));
        let peak =
            counts.and_then(|counts| counts.peaks.iter().find(|peak| peak.case == case.name));
        let peaks = peak.map(|peak| {
            [peak.question, peak.compiled].map(|octets| octets as f64 / peak.octets as f64)
        });
        let mut row = vec![
            case.name.to_owned(),
            short(text.len() as f64),
            time(parse),
            time(compile),
            peaks.map_or_else(
                || "not run".to_owned(),
                |[q, c]| format!("{} / {}", short(q), short(c)),
            ),
        ];
        report.note(format!("hostile.{}.parse.ns", case.name), parse);
        report.note(format!("hostile.{}.compile.ns", case.name), compile);
        let mut beyond = Vec::new();
        beyond.extend(worst_parse.add(case.name, parse / 1e6).then_some("parse"));
        // The limit applies to parsing and one verdict. For compiled rules, the memory is shown, but has no limit.
        if let Some([question, _]) = peaks {
            beyond.extend(worst_memory.add(case.name, question).then_some("memory"));
        }
        for (len, worst) in PATHS.into_iter().zip(&mut worst_answers) {
            let answers = answers(case, &robots, len, rounds)?;
            let slowest = answers.iter().flatten().flatten().copied().fold(0.0, f64::max);
            report.note(format!("hostile.{}.answer {} KiB.ns", case.name, len >> 10), slowest);
            beyond.extend(worst.add(case.name, slowest / 1e6).then_some("answer"));
            row.extend(answers.map(|[late, never]| {
                let show = |ns: Option<f64>| ns.map_or_else(|| "–".to_owned(), time);
                format!("{} / {}", show(late), show(never))
            }));
        }
        beyond.dedup();
        row.push(beyond.join(", "));
        table.rows.push(row);
    }
    worst_parse.judge(report);
    worst_memory.judge(report);
    for worst in worst_answers {
        worst.judge(report);
    }
    report.tables.push(table);
    Ok(())
}

/// The highest value of one measurement in all cases, and the limit for this value.
struct Worst {
    what: &'static str,
    unit: &'static str,
    limit: f64,
    found: Option<(f64, String)>,
}

impl Worst {
    fn new(what: &'static str, unit: &'static str, limit: f64) -> Self {
        Self { what, unit, limit, found: None }
    }

    /// Adds a case, and returns whether it exceeds the limit.
    fn add(&mut self, case: impl Into<String>, value: f64) -> bool {
        if self.found.as_ref().is_none_or(|(worst, _)| value > *worst) {
            self.found = Some((value, case.into()));
        }
        value > self.limit
    }

    fn judge(self, report: &mut Report) {
        let (value, case) = self.found.unzip();
        let case = case.map_or_else(String::new, |case| format!(" (worst: {case})"));
        report.judge(
            format!("{}{case}", self.what),
            self.unit,
            value,
            Some(AtMost(self.limit)),
            None,
        );
    }
}

/// Returns the times of a verdict, first without and then with compiled rules. In each pair, the first time is for a
/// path that a rule matches, or `None` if the case has no such path. The second time is for a path that no rule
/// matches.
fn answers(
    case: &Case,
    robots: &RobotsTxt<&str>,
    len: usize,
    rounds: usize,
) -> Result<[[Option<f64>; 2]; 2], String> {
    let crawler = case.asks();
    let rules = robots.rules_for(&crawler);
    let paths = [case.late.map(|late| late(len)), Some((case.never)(len))];
    for (path, matched) in paths.iter().zip([true, false]) {
        let Some(path) = path else { continue };
        let verdicts = [robots.verdict(&crawler, path), rules.verdict(path)];
        if verdicts.iter().any(|verdict| verdict.rule().is_some() != matched) {
            return Err(format!(
                "hostile file {}: the path of {len} octets should {}be matched; fix bench/src/adversarial.rs",
                case.name,
                if matched { "" } else { "not " }
            ));
        }
    }
    let once = |path: &String| timed(rounds, || robots.verdict(&crawler, path));
    let compiled = |path: &String| timed(rounds, || rules.verdict(path));
    Ok([
        paths.each_ref().map(|path| path.as_ref().map(once)),
        paths.map(|path| path.as_ref().map(compiled)),
    ])
}

/// Doubles the file with a fixed path, then the path with a fixed file, and adds the curves to the report.
pub fn growth(rounds: usize, report: &mut Report) {
    let sizes = [SIZE / 8, SIZE / 4, SIZE / 2, SIZE];
    let lens = [2 << 10, 4 << 10, 8 << 10, 16 << 10, 32 << 10, 64 << 10];
    let mut by_file = Table::detail(
        "Growth with the file",
        "The size of the file doubles in each step, from 62.5 to 500 KiB. The path has 2 KiB, and no rule \
         matches it. Brackets show the factor of each step. A factor of about 2 means that the time grows \
         linearly.",
        &["file", "what", "62.5 KiB", "125 KiB", "250 KiB", "500 KiB"],
    );
    let mut by_path = Table::detail(
        "Growth with the path",
        "The length of the path doubles in each step, from 2 to 64 KiB. No rule matches the path. The file \
         has 125 KiB.",
        &["file", "what", "2 KiB", "4 KiB", "8 KiB", "16 KiB", "32 KiB", "64 KiB"],
    );
    let mut worst_by_file = Worst::new("growth where the file doubles", " ×", GROWTH);
    let mut worst_by_path = Worst::new("growth where the path doubles", " ×", GROWTH);
    for case in &CASES {
        let points = sizes.map(|size| ((case.text)(size), (case.never)(PATHS[0])));
        let costs = self::costs(case, &points, rounds);
        for (number, what) in ["parse", "compile", "once", "compiled"].into_iter().enumerate() {
            let factor = add(&mut by_file, report, case.name, what, &costs[number]);
            worst_by_file.add(format!("{what}, {}", case.name), factor);
        }
        let points = lens.map(|len| ((case.text)(SIZE / 4), (case.never)(len)));
        let costs = self::costs(case, &points, rounds);
        for (number, what) in [(2, "once"), (3, "compiled")] {
            let factor = add(&mut by_path, report, case.name, what, &costs[number]);
            worst_by_path.add(format!("{what}, {}", case.name), factor);
        }
    }
    worst_by_file.judge(report);
    worst_by_path.judge(report);
    report.tables.extend([by_file, by_path]);
}

/// Returns the times to parse, to compile, to answer once and to answer with compiled rules, for every given file and
/// path. All measurements are made in interleaved rounds.
fn costs(case: &Case, points: &[(String, String)], rounds: usize) -> [Vec<f64>; 4] {
    let crawler = case.asks();
    let parsed: Vec<_> =
        points.iter().map(|(text, _)| robots_nom_parser::parse(text.as_str())).collect();
    let compiled: Vec<_> = parsed.iter().map(|robots| robots.rules_for(&crawler)).collect();
    let mut tasks: Vec<Task<'_>> = Vec::new();
    for (((text, path), robots), rules) in points.iter().zip(&parsed).zip(&compiled) {
        tasks.push(repeated(|| robots_nom_parser::parse(text.as_str())));
        tasks.push(repeated(|| robots.rules_for(&crawler)));
        tasks.push(repeated(|| robots.verdict(&crawler, path)));
        tasks.push(repeated(|| rules.verdict(path)));
    }
    let times = interleaved(rounds, &mut tasks);
    std::array::from_fn(|number| {
        (0..points.len()).map(|point| times.median(4 * point + number)).collect()
    })
}

/// Adds a curve, and returns the average factor between two neighbouring times of the curve.
fn add(table: &mut Table, report: &mut Report, case: &str, what: &str, times: &[f64]) -> f64 {
    let mut row = vec![case.to_owned(), what.to_owned(), time(times[0])];
    row.extend(
        times.windows(2).map(|pair| format!("{} ({:.1})", time(pair[1]), pair[1] / pair[0])),
    );
    let last = times[times.len() - 1];
    let steps = times.len() as f64 - 1.0;
    let factor = if last < NOTHING { 1.0 } else { (last / times[0]).powf(1.0 / steps) };
    let title = table.title.to_lowercase();
    report.note(format!("{title}.{case}.{what}.factor"), factor);
    table.rows.push(row);
    factor
}

/// Returns the median time of a piece of work, in nanoseconds.
fn timed<T>(rounds: usize, work: impl FnMut() -> T) -> f64 {
    interleaved(rounds, &mut [repeated(work)]).median(0)
}
