//! Defines the macro `kinds!`, which reads the table of the kinds of question.
//!
//! The macro defines the enums that have a variant for each kind, and the functions that pass a question to the code
//! for its kind. No other code of this crate lists the kinds. Start at the table in `engine/mod.rs`.

use super::{Answer, Interpreted, Role};
use crate::edition::Edition;
use crate::parser::Parser;

/// A kind of question. The question type of each kind implements this trait.
pub(super) trait Kind {
    /// The type of the answers to questions of this kind.
    type Answer;

    /// The only role whose engines answer questions of this kind, or `None` if parsers and crawlers answer them.
    const ROLE: Option<Role>;

    /// Returns the octets of the robots.txt that the question is about, if it is about one.
    fn robots_txt(&self) -> Option<&[u8]> {
        None
    }

    /// Returns whether time passes or a retriever restarts while the engine answers the question.
    fn passes_time(&self) -> bool {
        false
    }

    /// Answers the question with a parser.
    ///
    /// # Errors
    /// Returns [`Answer::Unsupported`] or [`Answer::Error`].
    fn answer<P: Parser>(
        &self,
        engine: &Interpreted<P>,
        edition: Edition,
    ) -> Result<Self::Answer, Answer>;
}

macro_rules! kinds {
    ($(
        $(#[doc = $asks:literal])*
        $kind:ident $id:literal: $question:ty => $answer:ty,
    )*) => {
        /// The kind of a question and its data. The octets of a file are as fetched, with line endings and byte order
        /// mark. URLs are text that is neither encoded nor decoded.
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Ask {
            $($(#[doc = $asks])* $kind($question),)*
        }

        /// An engine's answer.
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Answer {
            $(
                #[doc = concat!("Answers [`Ask::", stringify!($kind), "`]:")]
                $(#[doc = $asks])*
                $kind($answer),
            )*
            /// The engine does not answer this question; the text gives the reason.
            Unsupported(String),
            /// The engine failed to answer; the text describes the failure.
            Error(String),
            /// The engine did not answer in time; the text names the time limit.
            TimedOut(String),
        }

        /// The kinds of question.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum QuestionKind {
            $(
                #[doc = concat!("The kind of [`Ask::", stringify!($kind), "`].")]
                $kind,
            )*
        }

        impl QuestionKind {
            /// Contains every kind.
            pub const ALL: &'static [Self] = &[$(Self::$kind),*];

            /// Returns the kind as the cases and the protocol write it.
            #[must_use]
            pub const fn id(self) -> &'static str {
                match self {
                    $(Self::$kind => $id,)*
                }
            }

            /// Returns the only role whose engines answer questions of this kind, or `None` if parsers and crawlers
            /// answer them.
            ///
            /// A crawler answers questions about answers of servers, about elapsed time, and about the hosts of a file.
            /// A parser answers questions about a file or a preference. Parsers and crawlers answer verdict questions.
            /// A retriever answers timelines.
            ///
            /// ```
            /// use robots_core::engine::{QuestionKind, Role};
            /// assert_eq!(QuestionKind::Freshness.role(), Some(Role::Crawler));
            /// assert_eq!(QuestionKind::Verdict.role(), None);
            /// ```
            #[must_use]
            pub const fn role(self) -> Option<Role> {
                match self {
                    $(Self::$kind => <$question as table::Kind>::ROLE,)*
                }
            }
        }

        impl Ask {
            /// Returns the kind of question.
            #[must_use]
            pub const fn kind(&self) -> QuestionKind {
                match self {
                    $(Self::$kind(_) => QuestionKind::$kind,)*
                }
            }

            /// Returns whether time passes or a retriever restarts while the engine answers the question. If so, the
            /// suite does not ask the question of engines that have their own clock ([`Engine::takes_clock`]).
            #[must_use]
            pub fn passes_time(&self) -> bool {
                match self {
                    $(Self::$kind(question) => table::Kind::passes_time(question),)*
                }
            }

            /// Returns the octets of the robots.txt that the question is about, if it is about one.
            #[must_use]
            pub fn robots_txt(&self) -> Option<&[u8]> {
                match self {
                    $(Self::$kind(question) => table::Kind::robots_txt(question),)*
                }
            }
        }

        impl Answer {
            /// Returns the kind of question that this answer belongs to, or `None` for
            /// [`Unsupported`](Self::Unsupported), [`Error`](Self::Error) and [`TimedOut`](Self::TimedOut).
            #[must_use]
            pub const fn kind(&self) -> Option<QuestionKind> {
                match self {
                    $(Self::$kind(_) => Some(QuestionKind::$kind),)*
                    Self::Unsupported(_) | Self::Error(_) | Self::TimedOut(_) => None,
                }
            }
        }

        $(
            impl From<$question> for Ask {
                fn from(question: $question) -> Self {
                    Self::$kind(question)
                }
            }
        )*

        impl<P: Parser> Interpreted<P> {
            /// Answers a question with the code of its kind.
            fn answer_by_kind(&self, ask: &Ask, edition: Edition) -> Answer {
                match ask {
                    $(Ask::$kind(ask) => match table::Kind::answer(ask, self, edition) {
                        Ok(answer) => Answer::$kind(answer),
                        Err(other) => other,
                    },)*
                }
            }
        }
    };
}
