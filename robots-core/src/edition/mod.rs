//! The editions of the specification and, in one table, everything in which they differ.
//!
//! Start at [`Edition`]; the table is at the end of this file. A new edition is one entry there: no other
//! code compares editions or lists them.

pub(crate) mod role;
pub(crate) mod section;

pub use section::Section;

impl Edition {
    /// Returns the edition's id as the cases write it, `google-2018` say.
    #[must_use]
    pub const fn id(self) -> &'static str {
        self.semantics().id
    }

    /// Returns the octets of a file that are read unless [`Options`](crate::Options) say otherwise: 500 KiB.
    ///
    /// Sources: "file format" of google-2019 and google-2022; RFC 9309, 2.5, demands at least as much.
    ///
    /// ```
    /// use robots_core::Edition;
    /// assert_eq!(Edition::Rfc9309.limit(), 512_000);
    /// ```
    #[must_use]
    pub const fn limit(self) -> usize {
        self.semantics().limit
    }

    /// Returns how many redirects are followed at most before robots.txt counts as missing.
    ///
    /// Sources: "handling of HTTP result codes" of the Google editions; RFC 9309, 2.3.1.2.
    ///
    /// ```
    /// use robots_core::Edition;
    /// assert_eq!(Edition::Rfc9309.redirects(), 5);
    /// ```
    #[must_use]
    pub const fn redirects(self) -> u32 {
        self.semantics().redirects_followed
    }

    /// Returns the grammar the edition publishes; `None` where its text lacks one, or lost it.
    ///
    /// ```
    /// use robots_core::{Edition, syntax::Grammar};
    /// assert_eq!(Edition::Rfc9309.grammar(), Some(Grammar::Rfc9309));
    /// assert_eq!(Edition::Google2019.grammar(), None);
    /// ```
    #[must_use]
    pub const fn grammar(self) -> Option<Grammar> {
        self.semantics().grammar
    }

    /// The edition's row of the table of differences.
    pub(crate) const fn semantics(self) -> &'static Semantics {
        ROWS[self as usize]
    }
}

named!(Edition, id, UnknownEdition, "edition", "editions");

/// A formal grammar that an edition publishes.
///
/// ```
/// use robots_core::{Edition, syntax::Grammar};
/// assert_eq!(Edition::Google2018.grammar(), Some(Grammar::Google2018));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Grammar {
    /// The BNF of google-2018, "formal syntax".
    Google2018,
    /// The ABNF of RFC 9309, section 2.2.
    Rfc9309,
}

/// What one edition says where the editions differ.
///
/// A requirement an edition does not state takes RFC 9309's value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Semantics {
    /// The id by which cases, protocols and commands name the edition.
    pub(crate) id: &'static str,
    /// A rule that begins neither with `/` nor with `*` is read as if `/` stood before it
    /// (google-2018, "group-member records"); elsewhere it contributes nothing.
    pub(crate) slash_assumed: bool,
    /// A product token falls back to a group whose agent is its prefix at a `-` or `_`:
    /// `googlebot-images` to `googlebot` (google-2018 and google-2019, the crawler table).
    pub(crate) agent_prefix_fallback: bool,
    /// `/robots.txt` itself is allowed whatever the rules say (RFC 9309, 2.2.2; google-2022 is
    /// silent and refers to it).
    pub(crate) robots_txt_exempt: bool,
    /// What status 429 counts as.
    pub(crate) too_many_requests: StatusClass,
    /// The number of redirects followed at most; the next one counts as status 404.
    pub(crate) redirects_followed: u32,
    /// What a redirect to a URL that rules would disallow leads to.
    pub(crate) redirect_to_disallowed: Stance,
    /// What a body that redirects by frame, script or meta refresh leads to.
    pub(crate) logical_redirect: Stance,
    /// What a failure below HTTP (DNS, time-out, broken connection …) counts as.
    pub(crate) network_failure: Stance,
    /// What a server error that has lasted longer than 30 days leads to.
    pub(crate) lasting_server_error: LastingServerError,
    /// A site known to answer 5xx for pages that do not exist has its 5xx read as 404.
    pub(crate) soft_server_error: bool,
    /// `Cache-Control: max-age` may keep a copy in use beyond 24 hours; RFC 9309 (2.4) says that it
    /// should not.
    pub(crate) max_age_may_lengthen: bool,
    /// What the lines of each field do to groups.
    pub(crate) roles: role::Roles,
    /// The octets of a file that are read unless configured otherwise.
    pub(crate) limit: usize,
    /// The sections that state the requirements on a file.
    pub(crate) sections: section::Sections,
    /// The grammar the edition publishes, as far as it survived.
    pub(crate) grammar: Option<Grammar>,
}

/// The class an HTTP status is treated as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StatusClass {
    /// As the other 4xx: no restrictions.
    ClientError,
    /// As a 5xx: complete disallow for the time being.
    ServerError,
}

/// Whether an edition defines a situation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stance {
    /// The situation has the meaning its neighbours give it.
    Defined,
    /// The edition says outright that the situation is undefined.
    Undefined,
}

/// What an edition makes of a server error that has lasted longer than 30 days.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LastingServerError {
    /// The edition says outright that it is undefined.
    Undefined,
    /// The last cached copy is used; without one there are no restrictions.
    CachedCopyOrAllow,
}

/// Makes the editions of their rows.
macro_rules! editions {
    ($($(#[$doc:meta])* $edition:ident = $row:expr;)*) => {
        /// An edition of the robots.txt specification.
        ///
        /// ```
        /// use robots_core::Edition;
        /// assert_eq!("rfc9309".parse(), Ok(Edition::Rfc9309));
        /// assert_eq!(Edition::default().to_string(), "google-2022");
        /// ```
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Edition {
            $($(#[$doc])* $edition,)*
        }

        impl Edition {
            /// Holds every edition, oldest first.
            pub const ALL: &'static [Self] = &[$(Self::$edition,)*];
        }

        const ROWS: &[&Semantics] = &[$(&$row,)*];
    };
}

editions! {
    /// Google's specification before July 2019.
    Google2018 = Semantics {
        id: "google-2018",
        slash_assumed: true,
        agent_prefix_fallback: true,
        robots_txt_exempt: false,
        too_many_requests: StatusClass::ClientError,
        redirect_to_disallowed: Stance::Undefined,
        logical_redirect: Stance::Undefined,
        network_failure: Stance::Undefined,
        lasting_server_error: LastingServerError::Undefined,
        grammar: Some(Grammar::Google2018),
        sections: section::GOOGLE_2018,
        ..GOOGLE_2022
    };
    /// Google's revision of July 2019.
    Google2019 = Semantics {
        id: "google-2019",
        agent_prefix_fallback: true,
        robots_txt_exempt: false,
        too_many_requests: StatusClass::ClientError,
        sections: section::GOOGLE_2019,
        ..GOOGLE_2022
    };
    /// Google's text of the RFC 9309 era; the default.
    #[default]
    Google2022 = GOOGLE_2022;
    /// RFC 9309, September 2022.
    Rfc9309 = Semantics {
        id: "rfc9309",
        too_many_requests: StatusClass::ClientError,
        soft_server_error: false,
        max_age_may_lengthen: false,
        grammar: Some(Grammar::Rfc9309),
        sections: section::RFC_9309,
        ..GOOGLE_2022
    };
}

const GOOGLE_2022: Semantics = Semantics {
    id: "google-2022",
    slash_assumed: false,
    agent_prefix_fallback: false,
    robots_txt_exempt: true,
    too_many_requests: StatusClass::ServerError,
    redirects_followed: 5,
    redirect_to_disallowed: Stance::Defined,
    logical_redirect: Stance::Defined,
    network_failure: Stance::Defined,
    lasting_server_error: LastingServerError::CachedCopyOrAllow,
    soft_server_error: true,
    max_age_may_lengthen: true,
    roles: role::ROLES,
    limit: 500 * 1024,
    grammar: None,
    sections: section::GOOGLE_2022,
};
