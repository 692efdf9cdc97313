//! The editions of the specification, and one table of everything in which they differ.
//!
//! Start at [`Edition`]; the table is at the end of this file. A new edition needs one row in this table, and a list in
//! the module `sections`. No other code compares editions.

pub(crate) mod role;
mod section;
mod sections;

use self::role::Role;
pub use self::section::Section;
use crate::line::Field;

impl Edition {
    /// Returns the edition's id as the cases of the test suite write it, for example `google-2018`.
    #[must_use]
    pub const fn id(self) -> &'static str {
        self.semantics().id
    }

    /// Returns the default size limit of a file in octets: 500 KiB. [`Options`](crate::Options) can set another limit.
    ///
    /// Sources: the section "file format" of google-2019 and google-2022; RFC 9309, 2.5, requires at least this limit.
    ///
    /// ```
    /// use robots_core::Edition;
    /// assert_eq!(Edition::Rfc9309.limit(), 512_000);
    /// ```
    #[must_use]
    pub const fn limit(self) -> usize {
        self.semantics().limit
    }

    /// Returns the maximum number of redirects that a crawler follows. After more redirects, robots.txt counts as
    /// missing.
    ///
    /// Sources: the section "handling of HTTP result codes" of the Google editions; RFC 9309, 2.3.1.2.
    ///
    /// ```
    /// use robots_core::Edition;
    /// assert_eq!(Edition::Rfc9309.redirects(), 5);
    /// ```
    #[must_use]
    pub const fn redirects(self) -> u32 {
        self.semantics().redirects_followed
    }

    /// Returns the grammar that the edition publishes. Returns `None` if the edition's text has no grammar, or if no
    /// copy of the grammar has survived.
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

    /// Returns whether the edition is a draft: its document is not final, and may change.
    ///
    /// ```
    /// use robots_core::Edition;
    /// assert!(Edition::Aipref2026_08.is_draft());
    /// assert!(!Edition::Rfc9309.is_draft());
    /// ```
    #[must_use]
    pub const fn is_draft(self) -> bool {
        self as usize >= Self::ALL.len()
    }

    /// Returns whether the edition defines a field. A line with any other field is kept, but has no effect.
    ///
    /// ```
    /// use robots_core::{Edition, syntax::Field};
    /// assert!(Edition::Aipref2026_08.defines(Field::ContentUsage));
    /// assert!(!Edition::Rfc9309.defines(Field::ContentUsage));
    /// ```
    #[must_use]
    pub const fn defines(self, field: Field) -> bool {
        self.semantics().role(field).is_some()
    }

    /// Returns every edition: the published ones, oldest first, then the drafts.
    pub(crate) fn every() -> impl Iterator<Item = Self> {
        Self::ALL.iter().chain(Self::DRAFTS).copied()
    }

    /// Returns the text that marks a draft in lists that people read: ` (draft)`. For a published edition, the text is
    /// empty.
    ///
    /// ```
    /// use robots_core::Edition;
    /// let edition = Edition::Aipref2026_08;
    /// assert_eq!(format!("{edition}{}", edition.mark()), "aipref-2026-08 (draft)");
    /// ```
    #[must_use]
    pub const fn mark(self) -> &'static str {
        if self.is_draft() { " (draft)" } else { "" }
    }

    /// Returns the edition's row of the table of differences.
    pub(crate) const fn semantics(self) -> &'static Semantics {
        ROWS[self as usize]
    }
}

named!(
    Edition,
    id,
    "edition",
    "editions",
    |text| Edition::every().find(|known| known.id() == text),
    Edition::every(),
    Edition::mark
);

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

/// All values in which editions may differ.
///
/// If an edition does not state a requirement, its row has the value of RFC 9309, except in `robots_txt_exempt`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Semantics {
    /// The id that names the edition in cases, protocols and commands.
    pub(crate) id: &'static str,
    /// Whether readers put a `/` before the path of a rule that begins neither with `/` nor with `*` (google-2018,
    /// "group-member records"). If this is `false`, a rule that begins with another octet has no effect.
    pub(crate) slash_assumed: bool,
    /// Whether a crawler may follow a group that names only the part of the crawler's product token before a `-` or
    /// `_`: `googlebot-images` falls back to `googlebot` (google-2018 and google-2019, the crawler table).
    pub(crate) agent_prefix_fallback: bool,
    /// Whether `/robots.txt` itself is always allowed, even if a rule disallows it (RFC 9309, 2.2.2; google-2022 does
    /// not mention this, but refers to RFC 9309).
    pub(crate) robots_txt_exempt: bool,
    /// The class that decides the effect of status 429.
    pub(crate) too_many_requests: StatusClass,
    /// The maximum number of redirects that a crawler follows. One more redirect has the effect of a status 404.
    pub(crate) redirects_followed: u32,
    /// Whether the edition defines the effect of a redirect to a URL that rules would disallow.
    pub(crate) redirect_to_disallowed: Stance,
    /// Whether the edition defines the effect of a body that redirects by frame, script or meta refresh.
    pub(crate) logical_redirect: Stance,
    /// Whether the edition defines the effect of a request without a complete HTTP response (DNS, time-out, broken
    /// connection …).
    pub(crate) network_failure: Stance,
    /// The effect of a server error that has lasted longer than 30 days.
    pub(crate) lasting_server_error: LastingServerError,
    /// Whether a 5xx has the effect of a 404 if the site is known to answer 5xx for missing pages.
    pub(crate) soft_server_error: bool,
    /// Whether `Cache-Control: max-age` may extend the use of a copy beyond 24 hours. RFC 9309 (2.4) says that a
    /// crawler should not use a copy for more than 24 hours.
    pub(crate) max_age_may_lengthen: bool,
    /// The role of each field: how its lines affect groups.
    pub(crate) roles: role::Roles,
    /// The default size limit of a file in octets.
    pub(crate) limit: usize,
    /// The sections of the edition's document that state requirements on a file, with the ids of these requirements.
    pub(crate) sections: sections::Sections,
    /// The grammar that the edition publishes. `None` if the edition has no grammar, or if no copy of the grammar has
    /// survived.
    pub(crate) grammar: Option<Grammar>,
}

impl Semantics {
    /// Returns the role of a field, or `None` if the edition does not define the field.
    #[inline]
    pub(crate) const fn role(&self, field: Field) -> Option<Role> {
        role::role(self.roles, field)
    }
}

/// The class of an HTTP status, which decides its effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StatusClass {
    /// The status has the effect of the other 4xx: there are no restrictions.
    ClientError,
    /// The status has the effect of a 5xx: no URL is allowed for now.
    ServerError,
}

/// Whether an edition defines the effect of a situation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stance {
    /// The edition defines the effect, either of this situation alone or of a wider class of situations.
    Defined,
    /// The edition explicitly calls the effect undefined.
    Undefined,
}

/// The effect of a server error that has lasted longer than 30 days.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LastingServerError {
    /// The edition explicitly calls the effect undefined.
    Undefined,
    /// The last cached copy is used. Without a copy, there are no restrictions.
    CachedCopyOrAllow,
}

/// Takes one row for each edition, and defines [`Edition`] and the table of differences.
macro_rules! editions {
    (
        published { $($(#[$doc:meta])* $edition:ident = $row:expr;)* }
        drafts { $($(#[$draft_doc:meta])* $draft:ident = $draft_row:expr;)* }
    ) => {
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
            $($(#[$draft_doc])* $draft,)*
        }

        impl Edition {
            /// Contains every published edition, oldest first.
            pub const ALL: &'static [Self] = &[$(Self::$edition,)*];

            /// Contains the draft editions. Draft editions follow documents that are not final and may change, so no
            /// function uses a draft edition unless the caller names it.
            pub const DRAFTS: &'static [Self] = &[$(Self::$draft,)*];
        }

        const ROWS: &[&Semantics] = &[$(&$row,)* $(&$draft_row,)*];
    };
}

editions! {
    published {
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
            sections: sections::GOOGLE_2018,
            ..GOOGLE_2022
        };
        /// Google's revision of July 2019.
        Google2019 = Semantics {
            id: "google-2019",
            agent_prefix_fallback: true,
            robots_txt_exempt: false,
            too_many_requests: StatusClass::ClientError,
            sections: sections::GOOGLE_2019,
            ..GOOGLE_2022
        };
        /// Google's text from the time of RFC 9309; the default.
        #[default]
        Google2022 = GOOGLE_2022;
        /// RFC 9309, September 2022.
        Rfc9309 = RFC_9309;
    }
    drafts {
        /// RFC 9309 as draft-ietf-aipref-attach-05 updates it, with the categories of draft-ietf-aipref-vocab-07: the
        /// drafts of the IETF working group on AI preferences, as of August 2026.
        Aipref2026_08 = Semantics {
            id: "aipref-2026-08",
            roles: role::AIPREF,
            sections: sections::AIPREF_2026_08,
            ..RFC_9309
        };
    }
}

// `role::role` has the roles of three fields as constants, so every row must contain these roles.
const _: () = {
    let mut row = 0;
    while row < ROWS.len() {
        assert!(
            role::has_assumed_roles(&ROWS[row].roles),
            "a field that forms groups has another role"
        );
        row += 1;
    }
};

const RFC_9309: Semantics = Semantics {
    id: "rfc9309",
    too_many_requests: StatusClass::ClientError,
    soft_server_error: false,
    max_age_may_lengthen: false,
    grammar: Some(Grammar::Rfc9309),
    sections: sections::RFC_9309,
    ..GOOGLE_2022
};

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
    sections: sections::GOOGLE_2022,
};
