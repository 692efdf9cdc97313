//! [`Response::of_ftp_refusal`] decides what a permanent refusal by FTP means.
//!
//! The codes 530, 532, 550 and 553 are not enough, because many servers also use them for temporary refusals and
//! internal errors. So the text decides. A refusal means that there is no file only if its text is about absence or
//! permission, and about nothing else. Every other word must be a number, a path, the name robots.txt, or one of
//! [`OTHER_WORDS`].

use super::response::Response;

impl Response {
    /// Makes the answer for a permanent refusal by an FTP server: 530, 532, 550 or 553. Call it only for a refusal of
    /// the login or of the file, and only with the whole reply, which begins with its code.
    ///
    /// The answer is 404 if the file does not exist, or if nobody may read it without an account. The answer is 503 if
    /// the refusal is temporary. The result is `None` if the text shows neither; then report
    /// [`Failure::InvalidResponse`](robots_core::fetch::Failure::InvalidResponse).
    ///
    /// No document defines this. FTP has no status codes of HTTP, so "handling of HTTP result codes" of the Google
    /// editions is applied by analogy.
    ///
    /// ```
    /// use robots_fetch::retrieval::Response;
    /// let status = |reply: &[u8]| Response::of_ftp_refusal(reply).map(|response| response.status());
    /// assert_eq!(status(b"550 /robots.txt: No such file or directory"), Some(404));
    /// assert_eq!(status(b"550 robots.txt: Device or resource busy"), Some(503));
    /// assert_eq!(status(b"550 Internal server error"), None);
    /// ```
    #[must_use]
    pub fn of_ftp_refusal(reply: &[u8]) -> Option<Self> {
        let is_mark = |octet: &u8| b"0123456789 -.\r\n".contains(octet);
        if reply.iter().all(is_mark) {
            // Without a text, the code alone decides.
            return Some(Self::new(404, []));
        }
        let text = String::from_utf8_lossy(reply).to_ascii_lowercase();
        let has = |text: &str, words: &[&str]| words.iter().any(|words| text.contains(words));
        // Words of a temporary refusal take precedence, for example in "530 Anonymous access is not allowed at the
        // moment".
        if has(&text.replace(UNAVAILABLE_FILE, ""), FOR_NOW) {
            return Some(Self::new(503, []));
        }
        (has(&text, NO_FILE) && is_about_nothing_else(&text)).then(|| Self::new(404, []))
    }
}

/// Returns whether a text contains only words from [`NO_FILE`] and [`OTHER_WORDS`], numbers, paths that begin with a
/// slash, the name robots.txt, and the "e.g." of RFC 959.
fn is_about_nothing_else(text: &str) -> bool {
    // Octets outside ASCII may be words of another language, and a question mark may replace such octets.
    if !text.is_ascii() || text.contains('?') {
        return false;
    }
    let rest = NO_FILE.iter().fold(text.to_owned(), |rest, words| rest.replace(words, " "));
    rest.split_whitespace().all(|part| {
        let part = part.trim_matches(|c: char| !c.is_alphanumeric() && c != '/');
        let mut words = part.split(|c: char| !c.is_alphanumeric() && c != '\'');
        part.starts_with('/')
            || part.ends_with("robots.txt")
            || part == "e.g"
            || words.all(|word| {
                word.bytes().all(|octet| octet.is_ascii_digit()) || OTHER_WORDS.contains(&word)
            })
    })
}

/// RFC 959 gives this text for 550: `File unavailable (e.g., file not found, no access)`. So this text is not a
/// temporary refusal, although other texts with "unavailable" are.
const UNAVAILABLE_FILE: &str = "file unavailable";

/// Words of a temporary refusal or of an internal error of the server, in lower case.
const FOR_NOW: &[&str] = &[
    "again",
    "at the moment",
    "at this time",
    "available",
    "busy",
    "connections",
    "currently",
    "device",
    "disk",
    "domain",
    "drive",
    "exceed",
    "going down",
    "home directory",
    "i/o error",
    "in use",
    "inaccessible",
    "input/output error",
    "insufficient",
    "interrupted",
    "is full",
    "later",
    "limit",
    "locked",
    "logon session",
    "maintenance",
    "many",
    "maximum",
    "memory",
    "network",
    "no space",
    "overload",
    "right now",
    "service",
    "shutting down",
    "stale",
    "temporar",
    "time out",
    "timed out",
    "used by another",
];

/// Words that a reply about absence or permission may also contain, in lower case. A reply with any other word may be
/// about something else, for example "login not allowed: server load too high".
const OTHER_WORDS: &[&str] = &[
    "a",
    "access",
    "account",
    "action",
    "an",
    "and",
    "anonymous",
    "are",
    "as",
    "authentication",
    "be",
    "can",
    "can't",
    "cannot",
    "could",
    "couldn't",
    "directory",
    "do",
    "does",
    "e",
    "end",
    "enough",
    "exist",
    "file",
    "filename",
    "files",
    "folder",
    "for",
    "ftp",
    "g",
    "get",
    "guest",
    "have",
    "here",
    "i",
    "in",
    "is",
    "it",
    "log",
    "login",
    "logins",
    "logon",
    "must",
    "name",
    "need",
    "no",
    "not",
    "object",
    "of",
    "on",
    "open",
    "or",
    "pass",
    "password",
    "path",
    "permission",
    "permitted",
    "please",
    "private",
    "privileges",
    "regular",
    "requested",
    "required",
    "retrieve",
    "sorry",
    "specified",
    "storing",
    "such",
    "sufficient",
    "taken",
    "that",
    "the",
    "this",
    "to",
    "user",
    "username",
    "was",
    "with",
    "you",
    "your",
];

/// Words about absence or permission, in lower case. The words come from the replies of real servers (see the tests). A
/// single word such as "access" or "authentication" is not enough, because of "cannot access the disk" and "the
/// authentication server is down".
const NO_FILE: &[&str] = &[
    // The file does not exist, or is not a regular file. IIS adds its own sentence.
    "error details: file system returned an error",
    "the system cannot find the file specified",
    "win32 error:",
    "can't find",
    "cannot find",
    "could not find",
    "couldn't find",
    "does not exist",
    "doesn't exist",
    "failed to open file",
    "file unavailable",
    "is a directory",
    "no such directory",
    "no such file",
    "no such path",
    "not a plain file",
    "not a regular file",
    "not found",
    "only retrieve regular files",
    "unable to find",
    // Nobody may read the file without an account.
    "error details: an error occurred during the authentication process",
    "logon failure: unknown user name or bad password",
    "operation not permitted",
    "private system",
    "access forbidden",
    "authentication failed",
    "authentication rejected",
    "authentication required",
    "bad password",
    "cannot log in",
    "denied",
    "incorrect login",
    "incorrect password",
    "incorrect user",
    "invalid password",
    "invalid user",
    "log in first",
    "login first",
    "login incorrect",
    "no access",
    "no anonymous",
    "no permission",
    "no such user",
    "not allowed",
    "not authorised",
    "not authorized",
    "not enough privileges",
    "not have permission",
    "not logged in",
    "not permitted",
    "password incorrect",
    "please log in",
    "please login",
    "unauthorised",
    "unauthorized",
    "unknown user",
    "user anonymous unknown",
    "wrong password",
];
