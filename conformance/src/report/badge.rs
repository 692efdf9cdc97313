//! A badge: how many requirements of an edition a subject keeps. Start at [`Badge::of`]. A badge is the JSON object that
//! shields.io reads from an address, or an SVG image that needs no server.

use std::collections::BTreeMap;

use robots_core::Edition;
use serde::Serialize;

use super::markdown::html;
use super::record::RunRecord;
use super::requirement::RequirementState;
use super::words::heading;

/// The two texts of a badge and its colour: <https://shields.io/badges/endpoint-badge>.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Badge {
    schema_version: u8,
    label: String,
    message: String,
    color: &'static str,
    #[serde(skip)]
    fill: &'static str,
}

impl Badge {
    /// Makes the badge of a run. It is about RFC 9309, or about the newest edition of the run if RFC 9309 is not in it.
    /// A requirement is kept if each subject keeps it in each of its roles.
    pub(super) fn of(records: &[RunRecord]) -> Self {
        let rfc = Edition::Rfc9309.id();
        let editions = || records.iter().flat_map(|record| &record.editions).map(|it| &*it.edition);
        let edition =
            editions().find(|id| *id == rfc).or_else(|| editions().next_back()).unwrap_or(rfc);
        let mut states = BTreeMap::new();
        let requirements = records.iter().flat_map(|record| &record.requirements);
        for it in requirements.filter(|it| it.edition == edition) {
            let state = states.entry(it.id.as_str()).or_insert(it.state);
            *state = it.state.min(*state);
        }
        let kept = states.values().filter(|state| **state == RequirementState::Kept).count();
        let message = format!("{kept} of {} requirements", states.len());
        let is_part = records.iter().any(RunRecord::is_part);
        let (message, color, fill) = match states.values().min() {
            None => ("no requirements".to_owned(), "lightgrey", "#9f9f9f"),
            Some(_) if is_part => ("only a part was run".to_owned(), "lightgrey", "#9f9f9f"),
            Some(RequirementState::Kept) => (message, "brightgreen", "#4c1"),
            Some(RequirementState::Open) => (message, "yellow", "#dfb317"),
            Some(RequirementState::Broken) => (message, "orange", "#fe7d37"),
        };
        Self { schema_version: 1, label: heading(edition), message, color, fill }
    }

    /// Renders the badge as an image. `textLength` fits the texts to the boxes, whatever font the viewer has.
    pub(super) fn svg(&self) -> String {
        const PER_CHARACTER: usize = 7;
        let width = |text: &str| text.chars().count() * PER_CHARACTER;
        let (label, message) = (width(&self.label), width(&self.message));
        let (left, right) = (label + 10, message + 10);
        let (all, middle) = (left + right, left + 5);
        let (fill, label_text, message_text) = (self.fill, html(&self.label), html(&self.message));
        format!(
            r##"<svg xmlns="http://www.w3.org/2000/svg" width="{all}" height="20" role="img">
<title>{label_text}: {message_text}</title>
<path fill="#555" d="M0 0h{left}v20H0z"/>
<path fill="{fill}" d="M{left} 0h{right}v20H{left}z"/>
<g fill="#fff" font-family="Verdana,Geneva,sans-serif" font-size="11">
<text x="5" y="14" textLength="{label}">{label_text}</text>
<text x="{middle}" y="14" textLength="{message}">{message_text}</text>
</g>
</svg>
"##
        )
    }
}
