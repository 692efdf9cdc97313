//! The sites of the soak test, with and without a fault, and the URLs that a crawler may fetch there ([`Permits`]).

use std::fmt::Write as _;

/// The files forbid `/private` at their beginning, so that a file that is cut in the middle still forbids it.
const RULES: &str =
    r##"parts: [ { text: "user-agent: *\ndisallow: /private\n" }, { text: "#", times: 100 } ]"##;

/// With these faults, the client receives a whole file, or enough octets of a file.
const READABLE: [&str; 6] = [
    "drip",
    "short-content-length",
    "endless-body",
    "informational-first",
    "http-1.0",
    "gzip-bomb",
];

/// With these faults, the client receives no complete file, although some servers send the first half.
const UNREADABLE: [&str; 13] = [
    "reset",
    "close",
    "reset-in-body",
    "close-in-body",
    "reset-without-length",
    "unknown-transfer-coding",
    "empty-coding",
    "hang",
    "hang-in-body",
    "broken-chunk",
    "close-in-chunks",
    "endless-headers",
    "no-http",
];

/// The URLs that a client may allow on a site.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Permits {
    /// `/private` is never allowed, because a file forbids it or robots.txt fails. `/page` is sometimes allowed.
    Page,
    /// Nothing is allowed, because robots.txt always fails.
    Nothing,
    /// Everything is allowed, because there is no robots.txt.
    All,
}

impl Permits {
    pub(crate) const ALL: [Self; 3] = [Self::Page, Self::Nothing, Self::All];

    pub(crate) const fn id(self) -> &'static str {
        match self {
            Self::Page => "page",
            Self::Nothing => "nothing",
            Self::All => "all",
        }
    }
}

/// Returns the sites of a group of processes as YAML, and the [`Permits`] of each site. Files are valid for `life`
/// seconds.
pub(crate) fn of(group: &str, life: u64) -> (String, Vec<(String, Permits)>) {
    let headers = format!("headers: {{ cache-control: max-age={life} }}");
    let whole = format!("{{ {RULES}, {headers} }}");
    let mut sites: Vec<(String, String, Permits)> = Vec::new();
    let mut add = |name: &str, keys: String, permits| {
        sites.push((format!("{group}-{name}"), keys, permits));
    };
    for n in 0..4 {
        add(&format!("file-{n}"), format!("robots: {whole}"), Permits::Page);
    }
    add("tls", format!("scheme: https, robots: {whole}"), Permits::Page);
    add("ftp", format!("scheme: ftp, robots: {{ {RULES} }}"), Permits::Page);
    let validated = format!("headers: {{ etag: '\"1\"', cache-control: max-age={life} }}");
    let unchanged = format!("{{ status: 304, {validated} }}");
    add("validated", format!("robots: [ {{ {RULES}, {validated} }}, {unchanged} ]"), Permits::Page);
    let moved = format!("{{ status: 302, location: /rules, {headers} }}");
    add("moved", format!("robots: {moved}, pages: {{ /rules: {whole} }}"), Permits::Page);
    add("missing", format!("robots: {{ status: 404, {headers} }}"), Permits::All);
    for status in [429, 500, 503] {
        add(&status.to_string(), format!("robots: {status}"), Permits::Nothing);
    }
    add("refuses", "refuses: true".to_owned(), Permits::Nothing);
    for certificate in ["wrong-name", "unknown-issuer"] {
        let keys = format!("scheme: https, certificate: {certificate}, robots: {whole}");
        add(certificate, keys, Permits::Nothing);
    }
    let faulty = |fault: &str| format!("{{ {RULES}, {headers}, fault: {fault} }}");
    for fault in READABLE {
        add(fault, format!("robots: {}", faulty(fault)), Permits::Page);
    }
    for fault in UNREADABLE {
        add(fault, format!("robots: {}", faulty(fault)), Permits::Nothing);
    }
    // Over TLS, a client must notice that a connection ends without `close_notify`.
    for fault in ["cut-without-length", "reset-without-length"] {
        let keys = format!("scheme: https, robots: {}", faulty(fault));
        add(&format!("tls-{fault}"), keys, Permits::Nothing);
    }
    // Over FTP, a site that is busy and a file that is cut are failures, and not a missing file.
    add("ftp-busy", "scheme: ftp, robots: 503".to_owned(), Permits::Nothing);
    add("ftp-missing", "scheme: ftp, robots: 404".to_owned(), Permits::All);
    for fault in ["close", "close-in-body", "reset-in-body"] {
        let keys = format!("scheme: ftp, robots: {{ {RULES}, fault: {fault} }}");
        add(&format!("ftp-{fault}"), keys, Permits::Nothing);
    }
    // These sites fail and recover, each in a different way. The last answer stays.
    for n in 0..4 {
        let in_turn =
            READABLE.iter().chain(&UNREADABLE).cycle().skip(5 * n).step_by(3 + n % 2).take(100);
        let answers: Vec<String> = in_turn
            .flat_map(|fault| [whole.clone(), faulty(fault)])
            .chain([whole.clone()])
            .collect();
        add(&format!("unsteady-{n}"), format!("robots: [ {} ]", answers.join(", ")), Permits::Page);
    }
    let mut text = String::new();
    for (name, keys, _) in &sites {
        let _ = writeln!(text, "{name}: {{ {keys} }}");
    }
    (text, sites.into_iter().map(|(name, _, permits)| (name, permits)).collect())
}
