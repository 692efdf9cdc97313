//! The reports for the maintainers of measured software: pages of survey/reports, one for each root cause.
//!
//! An entry of a manifest lists its pages. After a report was sent, the entry also has the address of the thread with
//! the maintainers. The tables link to the pages; the sections link to pages and threads. A test compares the manifests
//! with the folder.

use serde::{Deserialize, Serialize};

/// A report in an entry of a manifest.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReportPage {
    /// The name of the page, without folder and extension.
    page: String,
    /// The address of the thread with the maintainers; absent until the report is sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    upstream: Option<String>,
}

impl ReportPage {
    /// Returns the links in a table's cell: a number for each page.
    pub(crate) fn cell(reports: &[Self]) -> String {
        let links = (1..)
            .zip(reports)
            .map(|(number, Self { page, .. })| format!("[{number}](reports/{page}.md)"));
        links.collect::<Vec<_>>().join(" ")
    }

    /// Returns the sentence for a section, with the name of each page and a link to its thread.
    pub(crate) fn sentence(reports: &[Self]) -> Option<String> {
        let links = reports.iter().map(|Self { page, upstream }| {
            let thread =
                upstream.as_ref().map_or_else(String::new, |at| format!(" ([thread]({at}))"));
            format!("[{page}](reports/{page}.md){thread}")
        });
        let links: Vec<String> = links.collect();
        (!links.is_empty()).then(|| format!("Reports for its maintainers: {}.", links.join(", ")))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};
    use std::fs;

    use super::ReportPage;
    use crate::files::workspace;
    use crate::measured::{Subject, reported};
    use crate::{crawlers, peers};

    const FOLDER: &str = "survey/reports";

    /// Returns the software that each page is about, with its version, by the name of the page.
    fn listed() -> BTreeMap<String, Vec<(String, String)>> {
        let mut pages: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
        let peers = reported::<peers::Entry>(&peers::folders()).unwrap();
        let crawlers = reported::<crawlers::Entry>(&crawlers::folders()).unwrap();
        for Subject { name, version, reports, .. } in peers.into_iter().chain(crawlers) {
            for ReportPage { page, upstream } in reports {
                assert!(upstream.is_none_or(|at| at.starts_with("https://")), "{name}: {page}");
                pages.entry(page).or_default().push((name.clone(), version.clone()));
            }
        }
        pages
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
        assert_eq!(ReportPage::cell(&reports), "[1](survey/reports/a.md) [2](survey/reports/b.md)");
        assert_eq!(ReportPage::cell(&[]), "");
        assert_eq!(
            ReportPage::sentence(&reports).unwrap(),
            "Reports for its maintainers: [a](reports/a.md), [b](reports/b.md) \
             ([thread](https://b.example/1))."
        );
        assert!(ReportPage::sentence(&[]).is_none());
    }
}
