//! [`Rogue`] is a fault that a crawler of this test can have. A crawler has at most one of them. This file lists all
//! faults, and implements those that change a file or a URL. `answers.rs` and `crawler.rs` implement all other faults.

use url::Url;

/// Declares the faults and the list of all of them.
macro_rules! rogues {
    ($($name:ident),* $(,)?) => {
        /// A fault of a crawler in its use of robots.txt.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub(crate) enum Rogue {
            $($name),*
        }

        impl Rogue {
            /// All faults.
            pub(crate) const ALL: &[Self] = &[$(Self::$name),*];
        }
    };
}

rogues! {
    // Asking
    IgnoresRobots,
    NeedsAnAllowRule,
    AsksAfterTheFirstPage,
    AsksPerPage,
    AsksByHead,
    AsksConditionally,
    AsksInDirectories,
    AsksWithCapital,
    HidesItsName,
    // What the answer means
    ServerErrorAllows,
    ServiceUnavailableAllows,
    UnknownServerErrorAllows,
    TooManyRequestsAllows,
    NotFoundObeyed,
    NotFoundDisallows,
    UnauthorizedDisallows,
    ForbiddenDisallows,
    GoneDisallows,
    OnlyOkCounts,
    NoContentDisallows,
    // Failures
    ConnectionFailureAllows,
    TimeoutAllows,
    NoHttpAllows,
    UntrustedAllows,
    PartialBodyAllows,
    // Redirects
    RedirectAllows,
    RedirectDisallows,
    PermanentRedirectAllows,
    FourHops,
    RelativeLocationAllows,
    OtherAuthorityUnfollowed,
    OtherSchemeUnfollowed,
    TargetTakesRules,
    TargetSharesRules,
    RedirectToPageAllows,
    NoLocationDisallows,
    LoopDisallows,
    // Scope
    SchemeDropped,
    HostDropped,
    PortDropped,
    RedirectedPagesUnchecked,
    ForbiddenPageEndsHost,
    // Size and format
    FourKibLimit,
    QuarterMegabyteLimit,
    LargeFileAllows,
    LargeFileDisallows,
    GzipUnread,
    HtmlIgnored,
    MediaTypeNeeded,
    CharsetNeeded,
    BomKept,
    CrNoLineEnd,
    LastLineNeedsEnd,
    Latin1Allows,
    CommentsKept,
    FieldsCaseSensitive,
    // Groups and rules
    StarOnly,
    OwnFallsThrough,
    FirstGroupOnly,
    TokenCaseSensitive,
    NoGroupDisallows,
    FirstMatch,
    NoWildcards,
    NoEndAnchor,
    QueryIgnored,
    CaseFolded,
    EscapesCompared,
}

impl Rogue {
    /// Changes a file before it is parsed, so that the parser reads it as a crawler with this fault would.
    pub(crate) fn bend_file(self, agent: &str, mut file: Vec<u8>) -> Vec<u8> {
        match self {
            Self::FourKibLimit => file.truncate(4096),
            Self::QuarterMegabyteLimit => file.truncate(250_000),
            Self::LargeFileAllows if file.len() >= 500 * 1024 => file.clear(),
            Self::LargeFileDisallows if file.len() >= 500 * 1024 => {
                file = b"user-agent: *\ndisallow: /\n".to_vec();
            }
            Self::BomKept if file.starts_with(b"\xEF\xBB\xBF") => file[..3].fill(b'x'),
            Self::CrNoLineEnd => file.retain(|octet| *octet != b'\r'),
            Self::LastLineNeedsEnd => {
                let end = file.iter().rposition(|octet| matches!(octet, b'\r' | b'\n'));
                file.truncate(end.map_or(0, |end| end + 1));
            }
            Self::Latin1Allows if str::from_utf8(&file).is_err() => file.clear(),
            Self::CommentsKept => {
                file = each_line(&file, |line| replace_behind_field(line, "#", "%23"));
            }
            Self::FieldsCaseSensitive => {
                file = each_line(&file, |line| {
                    let capital = line.starts_with(|first: char| first.is_uppercase());
                    if capital { format!("x-{line}") } else { line.to_owned() }
                });
            }
            Self::NoWildcards => file = each_line(&file, |line| replace_in_rule(line, "*", "%2A")),
            Self::NoEndAnchor => file = each_line(&file, |line| replace_in_rule(line, "$", "%24")),
            Self::EscapesCompared => {
                file = each_line(&file, |line| replace_in_rule(line, "%", "%25"));
            }
            Self::CaseFolded => file.make_ascii_lowercase(),
            Self::TokenCaseSensitive => {
                file = each_line(&file, |line| match token(line) {
                    Some(token) if token != agent && token.eq_ignore_ascii_case(agent) => {
                        "user-agent: nobody".to_owned()
                    }
                    _ => line.to_owned(),
                });
            }
            Self::FirstGroupOnly => {
                let mut seen = false;
                file = each_line(&file, |line| match token(line) {
                    Some(token) if token.eq_ignore_ascii_case(agent) => {
                        let first = !std::mem::replace(&mut seen, true);
                        if first { line.to_owned() } else { "user-agent: nobody".to_owned() }
                    }
                    _ => line.to_owned(),
                });
            }
            _ => {}
        }
        file
    }

    /// Changes a URL before the rules decide about it.
    pub(crate) fn bend_url(self, url: &Url) -> String {
        match self {
            Self::QueryIgnored => url.as_str().split('?').next().unwrap_or_default().to_owned(),
            Self::CaseFolded => url.as_str().to_ascii_lowercase(),
            Self::EscapesCompared => url.as_str().replace('%', "%25"),
            _ => url.to_string(),
        }
    }
}

fn each_line(file: &[u8], mut bend: impl FnMut(&str) -> String) -> Vec<u8> {
    let text = String::from_utf8_lossy(file);
    text.split_inclusive('\n')
        .flat_map(|line| {
            let content = line.trim_end_matches(['\r', '\n']);
            bend(content).into_bytes().into_iter().chain(line[content.len()..].bytes())
        })
        .collect()
}

fn token(line: &str) -> Option<&str> {
    let (field, value) = line.split_once(':')?;
    field.trim().eq_ignore_ascii_case("user-agent").then_some(value.trim())
}

fn replace_in_rule(line: &str, from: &str, to: &str) -> String {
    if token(line).is_some() { line.to_owned() } else { line.replace(from, to) }
}

fn replace_behind_field(line: &str, from: &str, to: &str) -> String {
    match line.split_once(':') {
        Some((field, value)) if !field.contains('#') => {
            format!("{field}:{}", value.replace(from, to))
        }
        _ => line.to_owned(),
    }
}
