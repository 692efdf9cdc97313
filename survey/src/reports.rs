//! The reports for the maintainers of measured software: pages of survey/reports, one for each root cause.
//!
//! An entry of a manifest lists its pages. After a report was sent, the entry also has the address of the thread with
//! the maintainers. The tables link to pages and threads. A test compares the manifests with the folder.

use serde::Deserialize;

/// A report in an entry of a manifest.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReportPage {
    /// The name of the page, without folder and extension.
    page: String,
    /// The address of the thread with the maintainers; absent until the report is sent.
    #[serde(default)]
    upstream: Option<String>,
}

impl ReportPage {
    /// Returns the links in a table's cell: a number for each page.
    pub(crate) fn cell(reports: &[Self]) -> String {
        let links = (1..).zip(reports).map(|(number, Self { page, upstream })| {
            let thread = upstream.as_ref().map(|at| format!(" ([thread]({at}))"));
            format!("[{number}](reports/{page}.md){}", thread.unwrap_or_default())
        });
        links.collect::<Vec<_>>().join(" ")
    }

    /// Returns the name of the page, without folder and extension.
    pub(crate) fn page(&self) -> &str {
        &self.page
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};
    use std::fs;

    use super::ReportPage;
    use crate::crawlers::Crawler;
    use crate::files::workspace;
    use crate::manifests::{Listed, Manifest};
    use crate::peers::Peer;
    use crate::results::Results;

    const FOLDER: &str = "survey/reports";

    /// Returns the software that each page is about, with its version, by the name of the page.
    fn listed() -> BTreeMap<String, Vec<(String, String)>> {
        let mut pages = BTreeMap::new();
        add::<Peer>(&mut pages, "peers");
        add::<Crawler>(&mut pages, "crawlers");
        pages
    }

    fn add<T: Listed>(pages: &mut BTreeMap<String, Vec<(String, String)>>, table: &str) {
        let manifest = Manifest::<T>::read(&workspace().join("survey").join(table)).unwrap();
        let results = Results::read(table).unwrap();
        for listed in manifest.listed {
            let name = listed.name();
            let head = &results.measured.iter().find(|it| it.head.software == name).unwrap().head;
            for ReportPage { page, upstream } in listed.reports() {
                let is_safe = upstream.as_ref().is_none_or(|at| at.starts_with("https://"));
                assert!(is_safe, "{name}: {page}");
                let subjects = pages.entry(page.clone()).or_default();
                subjects.push((name.to_owned(), head.version.clone()));
            }
        }
    }

    #[test]
    fn each_page_is_listed_and_each_listed_page_exists() {
        let entries = fs::read_dir(workspace().join(FOLDER)).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let pages: BTreeSet<String> = names
            .filter(|name| name != "README.md")
            .map(|name| name.strip_suffix(".md").expect("a page of Markdown").to_owned())
            .collect();
        assert!(!pages.is_empty());
        assert_eq!(pages, listed().into_keys().collect());
    }

    #[test]
    fn each_page_names_what_it_is_about_with_the_measured_version() {
        for (page, subjects) in listed() {
            let text = fs::read_to_string(workspace().join(FOLDER).join(format!("{page}.md")));
            let text = text.unwrap_or_else(|error| panic!("{page}: {error}"));
            for (name, version) in subjects {
                let both = format!("{name} {version}");
                assert!(text.contains(&both), "{page}.md does not name {both}: reproduce it anew");
            }
        }
    }

    #[test]
    fn the_index_links_each_page() {
        let index = fs::read_to_string(workspace().join(FOLDER).join("README.md")).unwrap();
        for page in listed().keys() {
            assert!(index.contains(&format!("]({page}.md)")), "README.md lacks {page}.md");
        }
    }

    #[test]
    fn links_lead_to_pages_and_threads() {
        let of = |page: &str, upstream: Option<&str>| ReportPage {
            page: page.to_owned(),
            upstream: upstream.map(str::to_owned),
        };
        let reports = [of("a", None), of("b", Some("https://b.example/1"))];
        let cell = "[1](reports/a.md) [2](reports/b.md) ([thread](https://b.example/1))";
        assert_eq!(ReportPage::cell(&reports), cell);
        assert_eq!(ReportPage::cell(&[]), "");
    }
}
