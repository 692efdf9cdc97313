//! The recogniser: whether a file, and each of its lines, derives from an edition's grammar.
//!
//! Start at [`derivation`]. It knows the grammars alone; what a line is, the lenient one says.

use robots_core::{Derivation, Edition};

use crate::grammar::{Production, alternatives, derives, google_2018, lenient, rfc9309};

/// Returns which parts of the octets derive from the edition's grammar; `None` for an edition whose
/// text holds no grammar (google-2022 refers to RFC 9309's) or has lost it (google-2019).
///
/// The file is judged by `robotstxt`. A line is judged on its own, with its ending, by the
/// productions that stand for a line:
///
/// - RFC 9309: `startgroupline`, `rule`, `emptyline`. A last line without an ending derives from none.
/// - google-2018: `startgroupline`, `groupmemberline`, `nongroupline`, `comment`. A comment has no
///   ending there, so only a last line without one can be a comment; a blank line derives from none.
pub(crate) fn derivation(edition: Edition, octets: &[u8]) -> Option<Derivation> {
    let (file, line): (Production, &[Production]) = match edition {
        Edition::Rfc9309 => {
            (rfc9309::robotstxt, &[rfc9309::startgroupline, rfc9309::rule, rfc9309::emptyline])
        }
        Edition::Google2018 => (
            alternatives::robotstxt,
            &[
                google_2018::startgroupline,
                google_2018::groupmemberline,
                google_2018::nongroupline,
                google_2018::comment,
            ],
        ),
        Edition::Google2019 | Edition::Google2022 => return None,
    };
    Some(Derivation {
        file: derives(file, octets),
        lines: lenient::robotstxt(octets)
            .map(|judged| line.iter().any(|&production| derives(production, judged.octets)))
            .collect(),
    })
}
