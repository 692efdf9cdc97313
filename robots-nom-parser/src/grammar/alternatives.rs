//! Recognises files of google-2018. The module follows all derivations from `entries` at the same time.
//!
//! Start at [`robotstxt`]. A file can have several derivations. Ordered choice, as in nom, would try only one of them,
//! and this derivation may not reach the end of the file. A file has several derivations for two reasons:
//!
//! - a CR LF before white space may end the line, or it may be part of the white space before a value or a comment;
//! - a comment alone in a line may end after any of its characters, and the next record may begin there.
//!
//! So the code keeps a set of states for each octet. A state consists of a [`Part`] and a flag, which says whether a
//! startgroupline comes before the part. Each state is entered at most once per octet, so the time is linear. A step
//! takes one character, or the start of a record: white space, a field, a URL's scheme. The start of a record may be
//! long, but each of its octets is read from only a few starting points.

use alloc::vec;
use alloc::vec::Vec;

use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{tag, take};
use nom::combinator::{opt, recognize};

use super::google_2018::{
    anychar, eol, lws, othernongroupfield, pathmemberfield, urlnongroupfield, valuechar,
};
use super::uri::{pchar, reserved, scheme, uchar};
use super::{Production, Taken, literal};

/// [`entries`] is itself a repetition, so repeating it would take no more octets.
///
/// ```abnf
/// robotstxt = *entries
/// ```
pub(crate) fn robotstxt(input: &[u8]) -> Taken<'_> {
    entries(input)
}

/// This function takes the longest prefix that derives from `entries`. Ordered choice would not always find this
/// prefix.
///
/// ```abnf
/// entries = *( ( 1*startgroupline *(groupmemberline / nongroupline / comment)
///              / nongroupline / comment ) )
/// ```
pub(super) fn entries(input: &[u8]) -> Taken<'_> {
    take(longest_entries(input))(input)
}

/// Returns the length of the longest prefix that derives from `entries`.
fn longest_entries(octets: &[u8]) -> usize {
    let mut ways =
        Ways { octets, entered: vec![0; octets.len() + 1], open: Vec::new(), longest: 0 };
    ways.enter(octets, Part::Record, false);
    while let Some((at, part, in_group)) = ways.open.pop() {
        ways.follow(&octets[at..], part, in_group);
    }
    ways.longest
}

/// The part to which the next octet may belong.
#[derive(Clone, Copy)]
enum Part {
    /// The octet may begin a record or a comment.
    Record,
    /// The octet may be in the text of a comment that is alone in a line.
    LoneComment,
    /// The octet may be in the rest of a `textvalue`.
    Text,
    /// The octet may be in the rest of a `pathvalue`, after its first `pchar`.
    Path,
    /// The octet may be in the rest of a `urlvalue`, after its first colon.
    Url,
    /// The octet may be in the text of a comment before an `EOL`.
    ClosingComment,
}

struct Ways<'a> {
    octets: &'a [u8],
    /// One number for the offset of each octet, and one for the end of the octets. Each state that was entered at the
    /// offset is one bit of the number.
    entered: Vec<u16>,
    /// The entered states that must still be followed, with their offsets: offset, part, flag.
    open: Vec<(usize, Part, bool)>,
    longest: usize,
}

impl<'a> Ways<'a> {
    /// Enters a state at the start of `rest`, unless it was entered before.
    fn enter(&mut self, rest: &'a [u8], part: Part, in_group: bool) {
        let at = self.octets.len() - rest.len();
        let bit = 1 << (2 * part as u16 + u16::from(in_group));
        if self.entered[at] & bit == 0 {
            self.entered[at] |= bit;
            self.open.push((at, part, in_group));
        }
    }

    fn follow(&mut self, rest: &'a [u8], part: Part, in_group: bool) {
        let more = match part {
            Part::Record => return self.begin(rest, in_group),
            Part::LoneComment => {
                // If spaces come before a record, the record may also begin after them. So no record is entered at a
                // space.
                if rest.first() != Some(&b' ') {
                    self.enter(rest, Part::Record, in_group);
                }
                anychar(rest)
            }
            Part::ClosingComment => anychar(rest),
            Part::Text => valuechar(rest),
            Part::Path => alt((pchar, tag("/"))).parse(rest),
            Part::Url => alt((uchar, reserved)).parse(rest),
        };
        match (more, part) {
            // A comment alone in a line may end after any character. Any other part takes as many characters as
            // possible, because an earlier end would not let more files derive.
            (Ok((rest, _)), _) => self.enter(rest, part, in_group),
            (Err(_), Part::LoneComment) => {}
            (Err(_), _) => self.close(rest, part, in_group),
        }
    }

    /// Enters the states of all records and comments with which `rest` may begin.
    fn begin(&mut self, rest: &'a [u8], in_group: bool) {
        self.longest = self.longest.max(self.octets.len() - rest.len());
        if let Ok((text, _)) = comment_mark(rest) {
            self.enter(text, Part::LoneComment, in_group);
        }
        if let Ok((value, _)) = before_value(literal("user-agent"), rest) {
            self.text(value, true);
        }
        // This branch also covers lines of `othermemberfield`: both fields are empty text, and `othernongroupfield` is
        // permitted in more positions.
        if let Ok((value, _)) = before_value(othernongroupfield as Production, rest) {
            self.text(value, in_group);
        }
        if let Ok((value, _)) = before_value(urlnongroupfield as Production, rest)
            && let Ok((url, _)) = recognize((opt(lws), scheme, tag(":"))).parse(value)
        {
            self.enter(url, Part::Url, in_group);
        }
        if in_group
            && let Ok((value, _)) = before_value(pathmemberfield as Production, rest)
            && let Ok((path, _)) = recognize((opt(lws), tag("/"), pchar)).parse(value)
        {
            self.enter(path, Part::Path, in_group);
        }
    }

    /// Enters the state for a `textvalue` at the start of `value`. If `value` begins with white space, also enters it
    /// after this white space.
    fn text(&mut self, value: &'a [u8], in_group: bool) {
        self.enter(value, Part::Text, in_group);
        if let Ok((value, _)) = lws(value) {
            self.enter(value, Part::Text, in_group);
        }
    }

    /// Enters the next record if `rest` begins with a line ending. Enters the comment of the current record if `rest`
    /// begins with a comment. Both can be true.
    fn close(&mut self, rest: &'a [u8], part: Part, in_group: bool) {
        if let Ok((next, _)) = eol(rest) {
            self.enter(next, Part::Record, in_group);
        }
        if !matches!(part, Part::ClosingComment)
            && let Ok((text, _)) = comment_mark(rest)
        {
            self.enter(text, Part::ClosingComment, in_group);
        }
    }
}

/// Takes the text before a value: `[LWS] field [LWS] ":"`.
fn before_value<'a>(field: impl Fn(&'a [u8]) -> Taken<'a>, input: &'a [u8]) -> Taken<'a> {
    recognize((opt(lws), field, opt(lws), tag(":"))).parse(input)
}

/// Takes the start of a comment: `[LWS] "#"`.
fn comment_mark(input: &[u8]) -> Taken<'_> {
    recognize((opt(lws), tag("#"))).parse(input)
}
