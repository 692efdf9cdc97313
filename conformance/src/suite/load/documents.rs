//! Reads `documents.yaml`: every normative sentence of each document, by section. Each sentence lists its requirements,
//! or the reason why it has none. Start at [`Loader::documents`].

use serde::Deserialize;
use serde_yaml::{Mapping, Value};

use super::loader::Loader;
use super::source::{Block, Source};
use crate::suite::requirement::Sentence;
use crate::yaml::read_keys;

/// The path of the file, relative to the suite's folder.
pub(super) const FILE: &str = "documents.yaml";

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawFile {
    sentences: Option<Vec<Value>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct RawSection {
    edition: Option<String>,
    section: Option<String>,
    says: Option<Vec<Value>>,
}

impl Loader {
    /// Reads the sentences. The file `requirements.yaml` must be read first, because sentences refer to its
    /// requirements.
    pub(super) fn documents(&mut self, source: &Source<'_>, file: &Mapping) {
        let raw: RawFile = read_keys(file, |key, message| self.report(source.top(key), message));
        let blocks = source.items("sentences");
        for (index, value) in raw.sentences.iter().flatten().enumerate() {
            self.section(source, blocks.get(index), value);
        }
        for (edition, base) in self.suite.followed.clone().iter() {
            let followed = self.suite.sentences.iter().filter(|sentence| sentence.edition == base);
            let more: Vec<Sentence> =
                followed.map(|sentence| Sentence { edition, ..sentence.clone() }).collect();
            self.suite.sentences.extend(more);
        }
    }

    fn section(&mut self, source: &Source<'_>, block: Option<&Block>, value: &Value) {
        let place = source.key(block, "edition");
        let Some(raw) = self.keys::<RawSection>(source, block, value, "a section") else { return };
        let edition = self.present(&place, "a section", "edition", raw.edition);
        let section = self.present(&place, "a section", "section", raw.section);
        let (Some(edition), Some(section)) = (edition, section) else { return };
        let who = format!("section {section:?} of {edition}");
        let Some(edition) = self.edition(source, block, &who, &Value::String(edition)) else {
            return;
        };
        let says = self.present(&place, &who, "says", raw.says).unwrap_or_default();
        for value in &says {
            let pair = value.as_mapping().filter(|pair| pair.len() == 1);
            let pair = pair.and_then(|pair| pair.iter().next());
            let Some((Some(gloss), value)) = pair.map(|(gloss, value)| (gloss.as_str(), value))
            else {
                let message = "a sentence is one key, its paraphrase, with one value: a requirement, a list \
                               of requirements, or `{ because: … }` with the reason why no test can show it";
                self.report(place.clone(), format!("{who}: {message}"));
                continue;
            };
            let place = source.text(block, gloss);
            let mut sentence = Sentence {
                edition,
                section: section.clone(),
                gloss: gloss.to_owned(),
                requirements: Vec::new(),
                not_testable: None,
                place: place.clone(),
            };
            let because = value.as_mapping().and_then(|value| value.get("because"));
            match (value, because.and_then(Value::as_str)) {
                (Value::String(id), _) => sentence.requirements.push(id.clone()),
                (Value::Sequence(ids), _) => {
                    sentence.requirements =
                        ids.iter().filter_map(|id| id.as_str().map(str::to_owned)).collect();
                }
                (_, Some(why)) => sentence.not_testable = Some(why.to_owned()),
                _ => {}
            }
            if sentence.requirements.is_empty() && sentence.not_testable.is_none() {
                let message = "it has no requirements; name them, or write `{ because: … }`";
                self.report(place.clone(), format!("{who}: {gloss:?}: {message}"));
            }
            for id in &sentence.requirements {
                let found = self.suite.requirement(id);
                let message = match found.map(|found| found.editions.contains_key(&edition)) {
                    Some(true) => continue,
                    Some(false) => format!("{id} is not stated by {edition} in requirements.yaml"),
                    None => format!("unknown requirement {id}"),
                };
                self.report(place.clone(), format!("{who}: {message}"));
            }
            self.suite.sentences.push(sentence);
        }
    }
}
