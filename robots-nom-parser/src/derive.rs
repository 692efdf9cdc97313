//! The recogniser: decides whether a file, and each of its lines, derives from an edition's grammar.
//!
//! Start at [`derivation`]. Of the modules of the crate, this module uses only the grammars. The lenient grammar
//! divides a file into lines. The published grammars decide whether the file and its lines derive.

use robots_core::syntax::{Grammar, GrammarMatch};

use crate::grammar::{Production, alternatives, derives, google_2018, lenient, rfc9309};

/// Returns whether the file derives from a grammar, and which of its lines do. Returns `None` for an unknown grammar.
///
/// The file must derive from `robotstxt`. A single line, with its ending, must derive from one of the productions for
/// lines:
///
/// - RFC 9309: `startgroupline`, `rule`, `emptyline`. A last line without an ending does not derive from any of them.
/// - google-2018: `startgroupline`, `groupmemberline`, `nongroupline`, `comment`. In this grammar, a comment has no
///   line ending, so only a last line without an ending can be a comment. A blank line does not derive from any of
///   these productions.
pub(crate) fn derivation(grammar: Grammar, octets: &[u8]) -> Option<GrammarMatch> {
    let (file, line): (Production, &[Production]) = match grammar {
        Grammar::Rfc9309 => {
            (rfc9309::robotstxt, &[rfc9309::startgroupline, rfc9309::rule, rfc9309::emptyline])
        }
        Grammar::Google2018 => (
            alternatives::robotstxt,
            &[
                google_2018::startgroupline,
                google_2018::groupmemberline,
                google_2018::nongroupline,
                google_2018::comment,
            ],
        ),
        _ => return None,
    };
    let lines = lenient::robotstxt(octets)
        .map(|judged| line.iter().any(|&production| derives(production, judged.octets)));
    Some(GrammarMatch::new(derives(file, octets), lines.collect()))
}
