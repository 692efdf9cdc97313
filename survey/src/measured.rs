//! Measures parsers, crawlers and retrievers, of this project and of others. [`run`] installs the entries of a
//! manifest, measures them, and writes the [`Document`] with its tables.
//!
//! `peers`, `crawlers` and `retrievers` define an [`Entry`]: the columns of the table, the section of a page, and the
//! order.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use robots_conformance::process::{ProcessEngine, Settings};
use robots_conformance::report::{Totals, TrialRecord};
use robots_conformance::run::outcome::Outcome;
use robots_conformance::run::parallel::in_parallel;
use robots_conformance::run::trial::Trial;
use robots_conformance::run::{Report, Runner};
use robots_conformance_cli::report::html;
use robots_conformance_cli::report::record::RunRecord;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use crate::arguments::Measuring;
use crate::documents::{Documents, anchor};
use crate::files::workspace;
use crate::files::{Text, write_all};
use crate::manifests::{Folders, Listed, Manifest};
use crate::reports::ReportPage;

/// The edition that tables show if they show only one.
pub(crate) const SHOWN: &str = "rfc9309";

/// The cell of a table if the software answered no closed question.
pub(crate) const NOT_ASKED: &str = "–";

/// The facts that every measured piece of software has.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Subject {
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) language: String,
    pub(crate) registry: String,
    /// The day of the measurement, as `2026-11-24`; missing if the measurement was made before this field existed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) day: Option<String>,
    /// Whether the software is a part of this project.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) ours: bool,
    /// The reports for the software's maintainers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) reports: Vec<ReportPage>,
}

/// A column that only the table of this kind of software has. The column follows the columns that all tables share.
pub(crate) enum Column {
    /// Words, aligned left.
    Words(&'static str),
    /// Numbers, aligned right.
    Numbers(&'static str),
}

/// One piece of software as it was measured.
pub(crate) trait Entry: Clone + Serialize + DeserializeOwned + Send + Sync {
    /// The data of the manifest about the software.
    type Listed: Listed + Sync;
    /// The facts about the current cases that [`revise`](Self::revise) needs.
    type Cases: Sync;

    /// The files that the measurement writes.
    const FILES: Documents;
    /// The text above the table.
    const HEAD: &'static str;
    const COLUMNS: &'static [Column];
    /// The sentence below the table that explains the order.
    const ORDER: &'static str;

    fn subject(&self) -> &Subject;

    fn subject_mut(&mut self) -> &mut Subject;

    /// Copies the data that comes from the manifest and not from the measurement. The manifest may have changed since
    /// the measurement.
    fn follow(&mut self, listed: &Self::Listed);

    /// Adapts new and kept results to the current cases.
    fn revise(&mut self, _cases: &Self::Cases) {}

    /// Returns the sort key in the table. The entry with the smallest number is first.
    fn rank(&self) -> usize;

    /// Returns one cell for each of [`COLUMNS`](Self::COLUMNS).
    fn cells(&self) -> Vec<String>;

    /// Returns the end of the section's first sentence, after the version: punctuation and further facts.
    fn facts(&self) -> String;

    /// Writes the rest of the section.
    fn section(&self, text: &mut String);
}

/// The results of one kind of software.
#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
pub(crate) struct Document<E: Entry> {
    /// The entries, best first.
    pub(crate) measured: Vec<E>,
    /// The software that was not measured, with reasons.
    pub(crate) unmeasured: BTreeMap<String, String>,
}

impl Subject {
    /// Describes an entry of a manifest, with the measured version.
    pub(crate) fn of(listed: &impl Listed, version: String) -> Self {
        Self {
            name: listed.name().to_owned(),
            version,
            language: listed.language().to_owned(),
            registry: listed.registry().to_owned(),
            day: Some(OffsetDateTime::now_utc().date().to_string()),
            ours: listed.is_ours(),
            reports: listed.reports().to_vec(),
        }
    }

    /// Makes the subject of an HTML page from a record of the software.
    pub(crate) fn of_page(&self, record: RunRecord) -> html::Subject {
        html::Subject {
            version: Some(self.version.clone()),
            language: Some(self.language.clone()),
            ..html::Subject::new(record)
        }
    }

    /// Returns the name for a table, which marks this project's own software.
    pub(crate) fn marked(&self) -> String {
        if self.ours { format!("{} (ours)", self.name) } else { self.name.clone() }
    }
}

impl Column {
    fn heading(&self) -> &'static str {
        match self {
            Self::Words(heading) | Self::Numbers(heading) => heading,
        }
    }

    fn rule(&self) -> &'static str {
        match self {
            Self::Words(_) => "---",
            Self::Numbers(_) => "--:",
        }
    }
}

impl<E: Entry> Default for Document<E> {
    fn default() -> Self {
        Self { measured: Vec::new(), unmeasured: BTreeMap::new() }
    }
}

impl<E: Entry> Document<E> {
    /// Reads the checked-in document.
    pub(crate) fn read() -> Result<Self, String> {
        E::FILES.read(&workspace())
    }

    /// Reads a file that a measurement wrote.
    pub(crate) fn read_file(json: &Path) -> Result<Self, String> {
        E::FILES.read_file(json)
    }

    /// Makes the document from new results. An entry without a new result keeps its result from the document `before`,
    /// also if its measurement failed. If a measurement fails, the document states the reason until a measurement
    /// succeeds.
    fn joined(manifest: &Manifest<E::Listed>, before: &Self, results: &Results<E>) -> Self {
        let mut document = Self { measured: Vec::new(), unmeasured: manifest.unmeasured.clone() };
        for listed in &manifest.listed {
            let name = listed.name();
            let result = results.get(name);
            let measured = match result {
                Some(Ok(entry)) => Some(entry.clone()),
                Some(Err(_)) | None => before.entry(listed),
            };
            document.measured.extend(measured);
            let why = match result {
                Some(Ok(_)) => {
                    document.unmeasured.remove(name);
                    None
                }
                Some(Err(why)) => Some(why),
                None => before.unmeasured.get(name),
            };
            document.unmeasured.extend(why.map(|why| (name.to_owned(), why.clone())));
        }
        document.measured.sort_by_key(Entry::rank);
        document
    }

    /// Returns the earlier result of a manifest's entry, with the current data of the manifest.
    fn entry(&self, listed: &E::Listed) -> Option<E> {
        let is_it = |entry: &&E| entry.subject().name == listed.name();
        let mut entry = self.measured.iter().find(is_it)?.clone();
        entry.subject_mut().reports = listed.reports().to_vec();
        entry.follow(listed);
        Some(entry)
    }

    /// Returns the software without a result, with reasons. Software whose last measurement failed is not included if
    /// it has an earlier result.
    pub(crate) fn without_result(&self) -> Vec<(String, String)> {
        let has_result =
            |name: &String| self.measured.iter().any(|entry| entry.subject().name == *name);
        self.unmeasured.clone().into_iter().filter(|(name, _)| !has_result(name)).collect()
    }

    /// Makes the files. The summary follows the table. Other files are identified by their extensions.
    fn texts(&self, pages: &Pages) -> Result<Vec<Text>, String> {
        let mut others = vec![("md", self.markdown(&pages.summary))];
        others.extend(pages.others.clone());
        E::FILES.texts(self, others)
    }

    /// Writes a row for each entry, and a sentence about the order.
    fn table(&self) -> String {
        let kind = E::Listed::KIND;
        let mut text = format!("| | {kind} | language |");
        let mut rule = "|--:|---|---|".to_owned();
        for column in E::COLUMNS {
            let _ = write!(text, " {} |", column.heading());
            let _ = write!(rule, "{}|", column.rule());
        }
        let _ = writeln!(text, " reports |\n{rule}---|");
        for (place, entry) in (1..).zip(&self.measured) {
            let subject = entry.subject();
            let _ = writeln!(
                text,
                "| {place} | [{}](#{}) {} | {} | {} | {} |",
                subject.marked(),
                anchor(&subject.name),
                subject.version,
                subject.language,
                entry.cells().join(" | "),
                ReportPage::cell(&subject.reports),
            );
        }
        let _ = writeln!(text, "\n{} [How to dispute a charge](disputes.md).", E::ORDER);
        text
    }

    fn markdown(&self, summary: &str) -> String {
        let mut text = String::from(E::HEAD);
        text.push_str(&self.table());
        text.push_str(summary);
        let without_result = self.without_result();
        if !without_result.is_empty() {
            text.push_str("\n## Not measured\n\n");
        }
        for (name, why) in without_result {
            let _ = writeln!(text, "- {name}: {}.", why.trim_end_matches('.'));
        }
        for entry in &self.measured {
            let Subject { name, day, .. } = entry.subject();
            let _ = write!(text, "\n## {name}\n\n");
            if let Some(day) = day {
                let _ = write!(text, "Measured on {day}. ");
            }
            if let Some(why) = self.unmeasured.get(name) {
                let _ = write!(text, "A later measurement failed: {}. ", why.trim_end_matches('.'));
            }
            let Subject { version, language, registry, reports, .. } = entry.subject();
            let _ = writeln!(
                text,
                "Language: {language}. We used version {version} from {registry}{}",
                entry.facts()
            );
            if let Some(sentence) = ReportPage::sentence(reports) {
                let _ = writeln!(text, "\n{sentence}");
            }
            entry.section(&mut text);
        }
        text
    }
}

/// The results of the measurements, by the name of the software.
type Results<E> = BTreeMap<String, Result<E, String>>;

/// The output of a measurement in addition to the JSON and the table.
#[derive(Default)]
pub(crate) struct Pages {
    /// The text after the table on the page.
    pub(crate) summary: String,
    /// Further files, by their extensions.
    pub(crate) others: Vec<(&'static str, String)>,
}

/// Measures the entries that the arguments select, and writes the documents after each entry. Returns whether the
/// documents are up to date.
///
/// Packages are installed one after the other, because package managers lock their files. Installed software is
/// measured in parallel.
///
/// # Errors
/// Returns a message about the file that cannot be read or written, the command that does not run, or the measurements
/// that failed. An entry whose measurement failed keeps its earlier result. The new results of the other entries are
/// written.
pub(crate) fn run<E: Entry>(
    arguments: &Measuring,
    folders: &Folders,
    cases: &E::Cases,
    measure: impl Fn(&Manifest<E::Listed>, &E::Listed) -> Result<E, String> + Sync,
    pages: impl Fn(&Document<E>) -> Result<Pages, String> + Sync,
) -> Result<bool, String>
where
    E::Listed: Listed,
{
    let manifest: Manifest<E::Listed> = Manifest::read(&folders.manifest)?;
    manifest.known(&arguments.only)?;
    let mut before = Document::<E>::read()?;
    before.measured.iter_mut().for_each(|entry| entry.revise(cases));
    let is_wanted = |listed: &&E::Listed| {
        let is_named =
            arguments.only.is_empty() || arguments.only.iter().any(|name| name == listed.name());
        is_named && !arguments.rewrite
    };
    let mut results: Results<E> = BTreeMap::new();
    let texts = |results: &Results<E>| {
        let document = Document::joined(&manifest, &before, results);
        document.texts(&pages(&document)?)
    };
    let mut installed = Vec::new();
    for listed in manifest.listed.iter().filter(is_wanted) {
        anstream::eprintln!("── {}", listed.name());
        let outcome = if arguments.no_install { Ok(()) } else { manifest.install(listed, folders) };
        match outcome {
            Ok(()) => installed.push(listed),
            Err(why) => {
                anstream::eprintln!("error: {} is not installed: {why}", listed.name());
                results.insert(listed.name().to_owned(), Err(placeless(&why, folders)));
            }
        }
    }
    let measured = |listed: &&E::Listed| {
        let mut result = measure(&manifest, listed);
        if let Ok(entry) = &mut result {
            entry.revise(cases);
        }
        Some((listed.name().to_owned(), result))
    };
    in_parallel(&installed, arguments.at_once, measured, |(name, result)| {
        match result {
            Ok(_) => anstream::eprintln!("measured: {name}"),
            Err(why) => anstream::eprintln!("error: {name}: {why}"),
        }
        let result = result.clone().map_err(|why| placeless(&why, folders));
        results.insert(name.clone(), result);
        // The results so far are written, so that a long run that ends early does not lose them.
        if !arguments.check
            && let Err(message) = texts(&results).and_then(|texts| write_all(&workspace(), &texts))
        {
            anstream::eprintln!("error: {message}");
        }
    });
    if arguments.check {
        // The check ignores the day of the measurement.
        for entry in results.values_mut().filter_map(|result| result.as_mut().ok()) {
            let name = &entry.subject().name;
            let kept = before.measured.iter().find(|kept| kept.subject().name == *name);
            entry.subject_mut().day = kept.and_then(|kept| kept.subject().day.clone());
        }
    }
    let texts = texts(&results)?;
    let is_settled = E::FILES.settle(&workspace(), &texts, arguments.check)?;
    let failed = results.iter().filter(|(_, result)| result.is_err());
    let failed: Vec<&str> = failed.map(|(name, _)| name.as_str()).collect();
    if failed.is_empty() {
        return Ok(is_settled);
    }
    Err(format!("not measured: {}; the reasons are above", failed.join(", ")))
}

/// The time limit for a question. On a slow machine, software either answers within 20 seconds or needs many minutes. So
/// the speed of the machine does not decide an outcome.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// Starts a process that speaks the protocol, and asks it these trials. Returns its version and the results. If the
/// process does not state a version, the version is that of its pinned packages.
///
/// Every answer to an open question conforms, so an error is no failure there: its outcome is *open*.
pub(crate) fn asked(
    words: Vec<String>,
    pinned: &BTreeMap<String, String>,
    trials: &[Arc<Trial>],
) -> Result<(String, Report), String> {
    let mut settings = Settings::default();
    settings.timeout = TIME_LIMIT;
    let engine = ProcessEngine::start_words(words, settings).map_err(|error| error.to_string())?;
    let packages = || pinned.values().cloned().collect::<Vec<_>>().join(", ");
    let version = engine.hello().version.clone().unwrap_or_else(packages);
    let jobs = engine.jobs();
    // The engine of a process enforces the time limit itself.
    let runner = Runner::new(Arc::new(engine)).timeout(Duration::MAX).jobs(jobs);
    let start = Instant::now();
    let mut finished = runner.run(trials, |_| {});
    for done in finished.iter_mut().filter(|done| done.trial.is_open()) {
        if let Outcome::Errored { .. } = done.outcome {
            done.outcome = Outcome::Open { passage: None };
        }
    }
    let mut report = Report::new(runner.engine_name(), finished);
    report.took = start.elapsed();
    Ok((version, report))
}

/// Returns the measured software with the reports that the manifest lists.
#[cfg(test)]
pub(crate) fn reported<E: Entry>(folders: &Folders) -> Result<Vec<Subject>, String> {
    let manifest: Manifest<E::Listed> = Manifest::read(&folders.manifest)?;
    let before = Document::<E>::read()?;
    let entries = manifest.listed.iter().filter_map(|listed| before.entry(listed));
    Ok(entries.map(|entry| entry.subject().clone()).collect())
}

/// Returns a message without the folders of the measuring machine.
fn placeless(message: &str, folders: &Folders) -> String {
    let places = [&folders.install, &folders.manifest, &workspace()];
    places
        .into_iter()
        .fold(message.to_owned(), |message, place| message.replace(&*place.to_string_lossy(), "…"))
}

/// Counts the outcomes of trials by edition.
pub(crate) fn by_edition<'t>(
    trials: impl Iterator<Item = &'t TrialRecord>,
) -> BTreeMap<String, Totals> {
    let mut editions: BTreeMap<String, Totals> = BTreeMap::new();
    for trial in trials {
        let totals = editions.entry(trial.edition.clone()).or_default();
        *totals = totals.and(Totals::of([trial]));
    }
    editions
}

/// Renders the number of conforming answers as a cell, for example `3 of 4`, or [`NOT_ASKED`].
pub(crate) fn conforming(totals: Totals) -> String {
    match totals.closed() {
        0 => NOT_ASKED.to_owned(),
        closed => format!("{} of {closed}", totals.conforming()),
    }
}

/// Returns a share in millionths, so that shares can be compared as integers. If `whole` is zero, the share is zero.
pub(crate) fn millionths(part: usize, whole: usize) -> usize {
    part * 1_000_000 / whole.max(1)
}

/// Writes a list that a reader can unfold. Each line must end in LF.
pub(crate) fn folded(text: &mut String, summary: &str, lines: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "\n<details><summary>{summary}</summary>\n\n{lines}\n</details>");
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::json;

    use super::{Document, Entry as _};
    use crate::crawlers::Entry;
    use crate::crawlers::manifest::Crawler;
    use crate::manifests::Manifest;

    const MANIFEST: &str = r#"
        [registry.shop]
        install = []
        [[crawler]]
        name = "a"
        language = "C"
        registry = "shop"
        packages = []
        exec = "a {seed}"
        token = "a"
        switch = "none"
        obeys = true
        claims = { says = "x", source = "y" }
        [unmeasured]
        a = "it was not in the shop"
        b = "nobody has it"
    "#;

    /// Returns the joined document, and the page without its table.
    fn joined(
        before: &Document<Entry>,
        result: Option<Result<Entry, String>>,
    ) -> (Document<Entry>, String) {
        let manifest: Manifest<Crawler> = toml::from_str(MANIFEST).unwrap();
        let results = result.map(|result| ("a".to_owned(), result)).into_iter().collect();
        let document = Document::joined(&manifest, before, &results);
        let page = document.markdown("");
        (document, page)
    }

    fn entry(version: &str) -> Entry {
        let entry = json!({
            "name": "a", "version": version, "language": "C", "registry": "shop", "command": "a", "token": "a",
            "switch": "none", "obeys": true, "advice": 0, "wire": {}, "verdicts": {}, "must": {}, "should": {},
            "did": {}, "undecided": {},
        });
        serde_json::from_value(entry).unwrap()
    }

    fn reasons(document: &Document<Entry>) -> BTreeMap<&str, &str> {
        document.unmeasured.iter().map(|(name, why)| (&**name, &**why)).collect()
    }

    #[test]
    fn a_row_stays_if_the_software_cannot_be_installed_any_more() {
        let failed = || Some(Err("`apt-get` failed: gone".to_owned()));
        let (nothing, page) = joined(&Document::default(), failed());
        assert!(nothing.measured.is_empty());
        assert!(page.contains("\n- a: `apt-get` failed: gone.\n"), "{page}");

        // An entry that was measured is not listed as unmeasured, even if the manifest gives a reason.
        let (measured, page) = joined(&nothing, Some(Ok(entry("1"))));
        assert_eq!(reasons(&measured), BTreeMap::from([("b", "nobody has it")]));
        assert!(page.contains("## Not measured\n\n- b: nobody has it.\n\n## a\n"), "{page}");

        let (kept, page) = joined(&measured, failed());
        assert_eq!(kept.measured[0].subject().version, "1");
        assert_eq!(reasons(&kept)["a"], "`apt-get` failed: gone");
        assert!(!page.contains("- a: "), "{page}");
        let sentence = "\n## a\n\nA later measurement failed: `apt-get` failed: gone. Language: C. \
            We used version 1 from shop.";
        assert!(page.contains(sentence), "{page}");

        // A run that measures only other entries keeps the row and the reason of this entry.
        let (kept, _) = joined(&kept, None);
        assert_eq!((kept.measured.len(), reasons(&kept).len()), (1, 2));
        let (again, _) = joined(&kept, Some(Ok(entry("2"))));
        assert_eq!(again.measured[0].subject().version, "2");
        assert_eq!(reasons(&again).len(), 1);
    }
}
