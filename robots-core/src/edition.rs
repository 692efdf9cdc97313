//! The editions of the specification and, in one table, everything in which they differ.
//!
//! Start at [`Edition`]; [`Edition::semantics`] is the table. No other module compares editions. Its last
//! row is no edition's: it is the observed profile's, [`Profile::GoogleCpp`](crate::Profile::GoogleCpp).

use core::fmt;
use core::str::FromStr;

use crate::line::Field;
use crate::robots_txt::DEFAULT_LIMIT;

/// An edition of the robots.txt specification.
///
/// ```
/// use robots_core::Edition;
/// assert_eq!("rfc9309".parse(), Ok(Edition::Rfc9309));
/// assert_eq!(Edition::default().to_string(), "google-2022");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Edition {
    /// Google's specification before July 2019.
    Google2018,
    /// Google's revision of July 2019.
    Google2019,
    /// Google's text of the RFC 9309 era; the default.
    #[default]
    Google2022,
    /// RFC 9309, September 2022.
    Rfc9309,
}

impl Edition {
    /// Holds every edition, oldest first.
    pub const ALL: [Self; 4] =
        [Self::Google2018, Self::Google2019, Self::Google2022, Self::Rfc9309];

    /// Returns the edition's id as the cases write it, `google-2018` say.
    #[must_use]
    pub const fn id(self) -> &'static str {
        self.semantics().id
    }

    /// Returns the edition's row of the table of differences.
    ///
    /// ```
    /// use robots_core::Edition;
    /// assert!(Edition::Rfc9309.semantics().robots_txt_exempt);
    /// assert!(!Edition::Google2018.semantics().robots_txt_exempt);
    /// ```
    #[must_use]
    pub const fn semantics(self) -> &'static Semantics {
        &TABLE[self as usize]
    }
}

/// The row of the observed profile google-cpp.
pub(crate) const GOOGLE_CPP: &Semantics = &TABLE[Edition::ALL.len()];

impl fmt::Display for Edition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

impl FromStr for Edition {
    type Err = UnknownEdition;

    /// Reads an edition's id.
    ///
    /// # Errors
    /// [`UnknownEdition`] when the text is none of the ids.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|edition| edition.id() == text).ok_or(UnknownEdition(()))
    }
}

/// The error of text that is no edition's id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownEdition(());

impl fmt::Display for UnknownEdition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unknown edition; the editions are")?;
        for (position, edition) in Edition::ALL.into_iter().enumerate() {
            write!(f, "{} {edition}", if position == 0 { "" } else { "," })?;
        }
        Ok(())
    }
}

impl core::error::Error for UnknownEdition {}

/// What one edition says where the editions differ, or what one library does.
///
/// A requirement an edition does not state takes RFC 9309's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Semantics {
    /// The id by which cases, protocols and commands name the edition or profile.
    pub id: &'static str,
    /// A rule that begins neither with `/` nor with `*` is read as if `/` stood before it
    /// (google-2018, "group-member records"); elsewhere it contributes nothing.
    pub slash_assumed: bool,
    /// A product token falls back to a group whose agent is its prefix at a `-` or `_`:
    /// `googlebot-images` to `googlebot` (google-2018 and google-2019, the crawler table).
    pub agent_prefix_fallback: bool,
    /// `/robots.txt` itself is allowed whatever the rules say (RFC 9309, 2.2.2; google-2022 is
    /// silent and refers to it).
    pub robots_txt_exempt: bool,
    /// What status 429 counts as.
    pub too_many_requests: StatusClass,
    /// The number of redirects followed at most; the next one counts as status 404.
    pub redirects_followed: u32,
    /// What a redirect to a URL that rules would disallow leads to.
    pub redirect_to_disallowed: Stance,
    /// What a body that redirects by frame, script or meta refresh leads to.
    pub logical_redirect: Stance,
    /// What a failure below HTTP (DNS, time-out, broken connection …) counts as.
    pub network_failure: Stance,
    /// What a server error that has lasted longer than 30 days leads to.
    pub lasting_server_error: LastingServerError,
    /// A site known to answer 5xx for pages that do not exist has its 5xx read as 404.
    pub soft_server_error: bool,
    /// `Cache-Control: max-age` may keep a copy in use beyond 24 hours; RFC 9309 (2.4) says that it
    /// should not.
    pub max_age_may_lengthen: bool,
    /// The octets of a file that are read unless configured otherwise.
    pub limit: usize,
    /// What a library does that no edition says; `None` for the editions.
    pub observed: Option<Observed>,
}

/// What a library was seen to do that no edition says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Observed {
    /// What a field's name begins with, ASCII case ignored, misspellings included; what follows in
    /// the name is ignored.
    pub fields: &'static [(&'static str, Field)],
    /// A line without a colon that is two words has the first as its field and the second as its value.
    pub colon_optional: bool,
    /// A NUL ends what is read of a line, and of a URL.
    pub nul_ends_text: bool,
    /// The octets of a line that are read, byte order mark and line ending not counted.
    pub line_octets: usize,
    /// The octets a file may begin with, all or some of the first of them, that no line holds.
    pub mark: &'static [u8],
    /// The octets that count for nothing around a field and a value.
    pub white_space: &'static [u8],
    /// `*` is the global agent also where white space and more follow.
    pub global_agent_may_go_on: bool,
    /// A user-agent line's value ends at the first octet outside letters, `-` and `_`. It is compared
    /// with each of the crawler's tokens as given: any that it equals selects the group, whatever their
    /// order.
    pub tokens_as_given: bool,
    /// The beginning of the last segment of an allow rule that also allows the path up to and with the
    /// slash before it, exactly.
    pub index_page: &'static [u8],
    /// The URL is compared as given. Of a rule the octets outside ASCII are percent-encoded and the
    /// hex digits of triplets upper-cased, no more.
    pub url_as_given: bool,
}

/// The class an HTTP status is treated as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatusClass {
    /// As the other 4xx: no restrictions.
    ClientError,
    /// As a 5xx: complete disallow for the time being.
    ServerError,
}

/// Whether an edition defines a situation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stance {
    /// The situation has the meaning its neighbours give it.
    Defined,
    /// The edition says outright that the situation is undefined.
    Undefined,
}

/// What an edition makes of a server error that has lasted longer than 30 days.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LastingServerError {
    /// The edition says outright that it is undefined.
    Undefined,
    /// The last cached copy is used; without one there are no restrictions.
    CachedCopyOrAllow,
}

/// One row an edition, in the order of [`Edition::ALL`], then the observed profile's.
const TABLE: [Semantics; 5] = [
    Semantics {
        id: "google-2018",
        slash_assumed: true,
        agent_prefix_fallback: true,
        robots_txt_exempt: false,
        too_many_requests: StatusClass::ClientError,
        redirects_followed: 5,
        redirect_to_disallowed: Stance::Undefined,
        logical_redirect: Stance::Undefined,
        network_failure: Stance::Undefined,
        lasting_server_error: LastingServerError::Undefined,
        soft_server_error: true,
        max_age_may_lengthen: true,
        limit: DEFAULT_LIMIT,
        observed: None,
    },
    Semantics {
        id: "google-2019",
        slash_assumed: false,
        agent_prefix_fallback: true,
        robots_txt_exempt: false,
        too_many_requests: StatusClass::ClientError,
        redirects_followed: 5,
        redirect_to_disallowed: Stance::Defined,
        logical_redirect: Stance::Defined,
        network_failure: Stance::Defined,
        lasting_server_error: LastingServerError::CachedCopyOrAllow,
        soft_server_error: true,
        max_age_may_lengthen: true,
        limit: DEFAULT_LIMIT,
        observed: None,
    },
    GOOGLE_2022,
    Semantics {
        id: "rfc9309",
        slash_assumed: false,
        agent_prefix_fallback: false,
        robots_txt_exempt: true,
        too_many_requests: StatusClass::ClientError,
        redirects_followed: 5,
        redirect_to_disallowed: Stance::Defined,
        logical_redirect: Stance::Defined,
        network_failure: Stance::Defined,
        lasting_server_error: LastingServerError::CachedCopyOrAllow,
        soft_server_error: false,
        max_age_may_lengthen: false,
        limit: DEFAULT_LIMIT,
        observed: None,
    },
    // Its fetching is the caller's: what it does not do itself it takes from google-2022.
    Semantics {
        id: "google-cpp",
        robots_txt_exempt: false,
        limit: usize::MAX,
        observed: Some(Observed {
            fields: &[
                ("user-agent", Field::UserAgent),
                ("useragent", Field::UserAgent),
                ("user agent", Field::UserAgent),
                ("allow", Field::Allow),
                ("disallow", Field::Disallow),
                ("dissallow", Field::Disallow),
                ("dissalow", Field::Disallow),
                ("disalow", Field::Disallow),
                ("diasllow", Field::Disallow),
                ("disallaw", Field::Disallow),
                ("sitemap", Field::Sitemap),
                ("site-map", Field::Sitemap),
            ],
            colon_optional: true,
            nul_ends_text: true,
            line_octets: 16_663,
            mark: b"\xEF\xBB\xBF",
            white_space: b" \t\x0B\x0C\r\n",
            global_agent_may_go_on: true,
            tokens_as_given: true,
            index_page: b"/index.htm",
            url_as_given: true,
        }),
        ..GOOGLE_2022
    },
];

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
    limit: DEFAULT_LIMIT,
    observed: None,
};
