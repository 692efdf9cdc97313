//! A row of a table: an entry of a manifest with its result and the judgements about its failures.
//!
//! `peers`, `crawlers` and `retrievers` implement [`Table`] for the entries of their manifests. `judged` makes the
//! judgements, and `table` makes the rows.

use crate::causes::{AllCauses, Cause, Causes};
use crate::claims::{Claim, Named};
use crate::manifests::Listed;
use crate::offences::Faults;
use crate::results::{Failing, Head, Lists, Tried};
use crate::suite::{Question, Questions, Suite};

/// What every page is made from, apart from the results.
pub(crate) struct Survey {
    pub(crate) suite: Suite,
    pub(crate) lists: Lists,
    pub(crate) faults: Faults,
    pub(crate) causes: AllCauses,
}

#[cfg(test)]
impl Survey {
    /// Returns the survey of this checkout.
    pub(crate) fn of_the_checkout() -> Self {
        Self {
            suite: Suite::of_the_checkout_anew(),
            lists: Lists::read().unwrap(),
            faults: Faults::read().unwrap(),
            causes: AllCauses::read().unwrap(),
        }
    }
}

/// A row: an entry of the manifest, and its result.
pub(crate) struct Row<'s, T> {
    pub(crate) listed: &'s T,
    pub(crate) head: &'s Head,
    pub(crate) causes: Option<&'s Causes>,
    pub(crate) tried: Vec<Tried<'s>>,
    /// For each of `tried`, the requirements that a failure violates if a fault explains it, and otherwise those of the
    /// question.
    pub(crate) charged: Vec<Vec<String>>,
    /// For each of `tried`, the judgement about a failure.
    pub(crate) judged: Vec<Option<Judgement<'s>>>,
    pub(crate) counts: Counts,
}

/// The numbers of a row.
#[derive(Clone, Copy, Default)]
pub(crate) struct Counts {
    pub(crate) kept: usize,
    pub(crate) broken: usize,
    pub(crate) open: usize,
    pub(crate) causes: usize,
    /// The number of failing questions that are not judged, in the edition by which the software is judged.
    pub(crate) not_judged: usize,
}

/// A failure in a row.
#[derive(Clone, Copy)]
pub(crate) struct Failure<'r> {
    pub(crate) tried: &'r Tried<'r>,
    pub(crate) failing: &'r Failing,
    pub(crate) charged: &'r [String],
}

/// A group of rows that can be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Group {
    Names(Named),
    NamesNothing,
    Older,
    Ours,
}

impl Group {
    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Names(document) => document.title(),
            Self::NamesNothing => "No document",
            Self::Older => "Older measurements",
            Self::Ours => "Our own",
        }
    }

    /// Returns the sentence below the heading.
    pub(crate) fn says(self) -> &'static str {
        match self {
            Self::Names(Named::Rfc9309) => "Judged by RFC 9309.",
            Self::Names(Named::Google) => "Judged by Google's page of 2022.",
            Self::Names(Named::GoogleLibrary) => {
                "Judged by Google's page of 2022. An answer that Google's library gives too is not charged."
            }
            Self::Names(_) => {
                "Judged by RFC 9309, in the requirements that the named document has in common with it."
            }
            Self::NamesNothing => {
                "Compared with RFC 9309. Nothing is charged, because this software names no document."
            }
            Self::Older => {
                "Compared, and not charged, because there is a newer release, or the crawls are old. The notes give the reasons."
            }
            Self::Ours => {
                "We wrote the suite and this software. So these rows show only that it is asked everything."
            }
        }
    }

    /// Returns whether the rows have places.
    pub(crate) fn is_ranked(self) -> bool {
        matches!(self, Self::Names(_))
    }

    /// Returns the word for a requirement that a failing question is about.
    pub(crate) fn broken(self) -> &'static str {
        if matches!(self, Self::NamesNothing | Self::Older) { "different" } else { "broken" }
    }
}

/// A table of one kind of software.
pub(crate) trait Table: Listed + Sync + Sized {
    /// The text above the table.
    const HEAD: &'static str;

    /// Returns the questions among which are those for this kind of software.
    fn questions(suite: &Suite) -> &Questions;

    /// Returns whether a question is for this kind of software.
    fn is_asked(question: &Question) -> bool;

    /// Returns the requirements that the failures violate.
    fn charged(tried: &[Tried<'_>], survey: &Survey) -> Vec<Vec<String>>;

    fn claim(&self) -> &Claim;

    /// Returns the text about how the software was used.
    fn usage(&self) -> String;
}

impl<'s, T: Table> Row<'s, T> {
    /// Returns the failures.
    pub(crate) fn failures(&self) -> impl Iterator<Item = Failure<'_>> {
        self.judgements().map(|(failure, _)| failure)
    }

    /// Returns the failures with their judgements.
    pub(crate) fn judgements(&self) -> impl Iterator<Item = (Failure<'_>, Judgement<'s>)> {
        self.tried.iter().zip(&self.charged).zip(&self.judged).filter_map(
            |((tried, charged), judgement)| {
                Some((Failure { tried, failing: tried.failing()?, charged }, (*judgement)?))
            },
        )
    }

    /// Returns the edition by which the software is judged.
    pub(crate) fn edition(&self) -> &'static str {
        self.listed.claim().edition()
    }

    pub(crate) fn group(&self) -> Group {
        match (self.listed.is_ours(), self.listed.older(), self.listed.claim().document) {
            (true, ..) => Group::Ours,
            (_, Some(_), _) => Group::Older,
            (_, _, Some(document)) => Group::Names(document),
            (_, _, None) => Group::NamesNothing,
        }
    }
}

/// The judgement about a failing question.
#[derive(Clone, Copy)]
pub(crate) enum Judgement<'s> {
    Charged(&'s Cause),
    NotJudged(Why<'s>),
}

/// Why a failing question is not judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Why<'s> {
    /// The software is judged by another edition.
    OtherEdition,
    /// There is a newer release, or the measurement is old.
    Older,
    /// The answer came after more than a minute.
    Late,
    /// The software refused the file on purpose, so it gave no answer.
    Refused,
    /// The crawler did not fetch pages that it may fetch, and did nothing else.
    NotFetched,
    /// The document does not contain the requirement, or the software says that it does not fulfil it.
    OutsideClaims,
    /// The document recommends or permits it.
    Recommended,
    /// The software names no document.
    NoDocument,
    /// A reason in the software's file of causes.
    Reason(&'s str),
    /// Nobody has read the failure yet.
    Unread,
}

impl<'s> Why<'s> {
    /// Returns the reason as the end of the phrase "not judged: …".
    pub(crate) fn says(self) -> &'s str {
        match self {
            Self::OtherEdition => "it is not judged by this edition",
            Self::Older => "there is a newer release, or the measurement is old",
            Self::Late => "the answer came after more than a minute, and no document states a time",
            Self::Refused => "it refused the file on purpose, so it gave no answer",
            Self::NotFetched => "no sentence obliges a crawler to fetch a page that it may fetch",
            Self::OutsideClaims => "the document that it names does not demand this",
            Self::Recommended => "the document recommends or permits this, and does not demand it",
            Self::NoDocument => "it names no document",
            Self::Reason(reason) => reason,
            Self::Unread => "nobody has read this difference yet",
        }
    }

    /// Returns whether the answer differs from the edition, although nobody charges it.
    pub(crate) fn is_difference(self) -> bool {
        matches!(self, Self::NoDocument | Self::Older)
    }
}
