//! A simple implementation of verdicts, made from the text of the documents. The implementation is slow and short, and
//! shares no code with the core.
//!
//! Start at [`allows`]. A test can pass a [`Fault`] to this function. The implementation then contains this fault, so
//! the test can show that a comparison finds the fault.

#![allow(dead_code, reason = "each user of the module uses a part of it")]

use robots_nom_parser::robots_core::Edition;

/// A fault that the implementation contains if a test asks for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    FirstRuleWins,
    DisallowWinsTies,
    StarIsLiteral,
    DollarIsLiteral,
    DollarInsideEnds,
    PatternFloats,
    EncodedStarIsWildcard,
    HexDigitsMatter,
    UnreservedStaysEncoded,
    NonAsciiStaysRaw,
    CommentsAreValues,
    CarriageReturnIsText,
    MarkIsText,
    FieldsMatchCase,
    AgentsMatchCase,
    AgentsMatchPrefixes,
    OnlyFirstGroup,
    GlobalGroupsAlways,
    CrawlDelayEndsGroup,
    EmptyRuleMatchesAll,
    ControlsAreText,
    QueryIsDropped,
    FragmentIsPath,
    RobotsTxtIsAPath,
    SlashIsNeverAssumed,
    NoFallback,
}

impl Fault {
    pub(crate) const ALL: [Self; 26] = [
        Self::FirstRuleWins,
        Self::DisallowWinsTies,
        Self::StarIsLiteral,
        Self::DollarIsLiteral,
        Self::DollarInsideEnds,
        Self::PatternFloats,
        Self::EncodedStarIsWildcard,
        Self::HexDigitsMatter,
        Self::UnreservedStaysEncoded,
        Self::NonAsciiStaysRaw,
        Self::CommentsAreValues,
        Self::CarriageReturnIsText,
        Self::MarkIsText,
        Self::FieldsMatchCase,
        Self::AgentsMatchCase,
        Self::AgentsMatchPrefixes,
        Self::OnlyFirstGroup,
        Self::GlobalGroupsAlways,
        Self::CrawlDelayEndsGroup,
        Self::EmptyRuleMatchesAll,
        Self::ControlsAreText,
        Self::QueryIsDropped,
        Self::FragmentIsPath,
        Self::RobotsTxtIsAPath,
        Self::SlashIsNeverAssumed,
        Self::NoFallback,
    ];
}

/// Returns whether a crawler with one product token may fetch a URL, which is given as a path and query that begin with
/// `/`.
pub(crate) fn allows(
    edition: Edition,
    file: &[u8],
    token: &str,
    url: &str,
    fault: Option<Fault>,
) -> bool {
    let has = |other| fault == Some(other);
    let is_early = matches!(edition, Edition::Google2018 | Edition::Google2019);
    let url = if has(Fault::FragmentIsPath) { url } else { url.split('#').next().unwrap_or("") };
    let url = if has(Fault::QueryIsDropped) { url.split('?').next().unwrap_or("") } else { url };
    // RFC 9309, 2.2.2: "/robots.txt" itself is implicitly allowed.
    if !is_early && url == "/robots.txt" && !has(Fault::RobotsTxtIsAPath) {
        return true;
    }
    let path = normal(url.as_bytes(), false, fault);
    let groups = groups(file, edition, fault);
    // RFC 9309, 2.2.1: the groups that name the crawler are merged. If there are none, the groups of `*` apply.
    let merged = |name: &str| -> Option<Vec<&Rule>> {
        let named =
            groups.iter().filter(|group| group.agents.iter().any(|a| names(a, name, fault)));
        let mut named = named.map(|group| group.rules.iter().collect::<Vec<_>>());
        let first = named.next()?;
        Some(if has(Fault::OnlyFirstGroup) {
            first
        } else {
            named.fold(first, |a, b| [a, b].concat())
        })
    };
    // In Google's crawler tables before 2022, `googlebot-images` falls back to `googlebot`.
    let shorter = token.rmatch_indices(['-', '_']).map(|(end, _)| &token[..end]);
    let shorter = shorter.filter(|_| is_early && !has(Fault::NoFallback));
    let mut found = std::iter::once(token).chain(shorter).find_map(merged);
    if found.is_none() || has(Fault::GlobalGroupsAlways) {
        found = Some([found.unwrap_or_default(), merged("*").unwrap_or_default()].concat());
    }
    let matching = found.unwrap_or_default().into_iter();
    let mut matching =
        matching.filter(|rule| matches(&rule.pattern, rule.is_anchored, &path, fault));
    if has(Fault::FirstRuleWins) {
        return matching.next().is_none_or(|rule| rule.allows);
    }
    // The longest rule decides. If two rules have equal length, the allow rule decides.
    let ties = !has(Fault::DisallowWinsTies);
    let best = matching.max_by_key(|rule| (rule.length, rule.allows == ties));
    best.is_none_or(|rule| rule.allows)
}

#[derive(Default)]
struct Group {
    agents: Vec<Vec<u8>>,
    rules: Vec<Rule>,
}

struct Rule {
    allows: bool,
    pattern: Vec<u8>,
    is_anchored: bool,
    /// The length in octets, by which rules are compared.
    length: usize,
}

fn groups(file: &[u8], edition: Edition, fault: Option<Fault>) -> Vec<Group> {
    let has = |other| fault == Some(other);
    let (mut groups, mut in_agents): (Vec<Group>, bool) = (Vec::new(), false);
    let marked = file.strip_prefix(b"\xEF\xBB\xBF").filter(|_| !has(Fault::MarkIsText));
    let is_end = |o: &u8| *o == b'\n' || *o == b'\r' && !has(Fault::CarriageReturnIsText);
    for line in marked.unwrap_or(file).split(is_end) {
        let comment =
            line.iter().position(|o| *o == b'#').filter(|_| !has(Fault::CommentsAreValues));
        let line = &line[..comment.unwrap_or(line.len())];
        let Some(colon) = line.iter().position(|o| *o == b':') else { continue };
        let (mut field, value) = (trimmed(&line[..colon]).to_vec(), trimmed(&line[colon + 1..]));
        if !has(Fault::FieldsMatchCase) {
            field.make_ascii_lowercase();
        }
        let is_text =
            !value.iter().any(|o| *o < 0x20 && *o != b'\t') || has(Fault::ControlsAreText);
        match &field[..] {
            b"user-agent" => {
                if !std::mem::replace(&mut in_agents, true) {
                    groups.push(Group::default());
                }
                // A value that is not text names no crawler, but still begins a group.
                if let (Some(group), true) = (groups.last_mut(), is_text) {
                    group.agents.push(value.to_vec());
                }
            }
            b"allow" | b"disallow" => {
                in_agents = false;
                let rule =
                    is_text.then(|| rule(field == b"allow", value, edition, fault)).flatten();
                if let Some(group) = groups.last_mut() {
                    group.rules.extend(rule);
                }
            }
            b"crawl-delay" => in_agents &= !has(Fault::CrawlDelayEndsGroup),
            _ => {}
        }
    }
    groups
}

fn rule(allows: bool, value: &[u8], edition: Edition, fault: Option<Fault>) -> Option<Rule> {
    let has = |other| fault == Some(other);
    let mut value = value.to_vec();
    if value.is_empty() && has(Fault::EmptyRuleMatchesAll) {
        value.push(b'/');
    }
    if !matches!(value.first()?, b'/' | b'*') {
        // google-2018 assumes a slash. Under other editions, a value without a slash is not a pattern.
        if edition != Edition::Google2018 || has(Fault::SlashIsNeverAssumed) {
            return None;
        }
        value.insert(0, b'/');
    }
    if let (true, Some(at)) = (has(Fault::DollarInsideEnds), value.iter().position(|o| *o == b'$'))
    {
        value.truncate(at + 1);
    }
    let is_anchored = value.ends_with(b"$") && !has(Fault::DollarIsLiteral);
    value.truncate(value.len() - usize::from(is_anchored));
    let pattern = normal(&value, true, fault);
    // A `$` inside the pattern counts as one octet, although it is compared as the three octets `%24`.
    let dollars = value.split(|o| *o == b'$').count() - 1;
    Some(Rule {
        allows,
        length: pattern.len() - 2 * dollars + usize::from(is_anchored),
        pattern,
        is_anchored,
    })
}

/// Returns whether a value names a token: the value begins with the token, in upper or lower case, and no other letter,
/// digit, `-` or `_` follows it.
fn names(value: &[u8], token: &str, fault: Option<Fault>) -> bool {
    if token == "*" || value == b"*" {
        return value == token.as_bytes();
    }
    let length =
        value.iter().take_while(|o| o.is_ascii_alphanumeric() || b"-_".contains(o)).count();
    let name = &value[..length];
    match fault {
        Some(Fault::AgentsMatchCase) => name == token.as_bytes(),
        Some(Fault::AgentsMatchPrefixes) => {
            !name.is_empty()
                && token.to_lowercase().as_bytes().starts_with(&name.to_ascii_lowercase())
        }
        _ => name.eq_ignore_ascii_case(token.as_bytes()),
    }
}

/// RFC 9309, 2.2.2 and 2.2.3: compares octets from the first one. `*` matches any octets, and a final `$` matches the
/// end of the path.
fn matches(pattern: &[u8], is_anchored: bool, path: &[u8], fault: Option<Fault>) -> bool {
    let mut at: Vec<bool> = vec![fault == Some(Fault::PatternFloats); path.len() + 1];
    at[0] = true;
    for octet in pattern {
        at = if *octet == b'*' && fault != Some(Fault::StarIsLiteral) {
            at.iter()
                .scan(false, |any, here| {
                    Some({
                        *any |= *here;
                        *any
                    })
                })
                .collect()
        } else {
            let step = |end: usize| end > 0 && at[end - 1] && path[end - 1] == *octet;
            (0..=path.len()).map(step).collect()
        };
    }
    if is_anchored { at[path.len()] } else { at.contains(&true) }
}

/// RFC 9309, 2.2.2: octets that a URL cannot contain are percent-encoded, and encoded unreserved octets are decoded.
fn normal(octets: &[u8], is_pattern: bool, fault: Option<Fault>) -> Vec<u8> {
    let has = |other| fault == Some(other);
    let (mut out, mut rest) = (Vec::new(), octets);
    let encode = |out: &mut Vec<u8>, octet: u8| out.extend(format!("%{octet:02X}").bytes());
    let is_unreserved = |o: u8| o.is_ascii_alphanumeric() || b"-._~".contains(&o);
    while let [octet, after @ ..] = rest {
        rest = after;
        let hex =
            after.get(..2).filter(|hex| *octet == b'%' && hex.iter().all(u8::is_ascii_hexdigit));
        if let Some(hex) = hex {
            rest = &after[2..];
            let decoded = u8::from_str_radix(&String::from_utf8_lossy(hex), 16).unwrap_or_default();
            match decoded {
                b'*' if is_pattern && has(Fault::EncodedStarIsWildcard) => out.push(b'*'),
                _ if is_unreserved(decoded) && !has(Fault::UnreservedStaysEncoded) => {
                    out.push(decoded);
                }
                _ if has(Fault::HexDigitsMatter) => out.extend([b'%', hex[0], hex[1]]),
                _ => encode(&mut out, decoded),
            }
        } else if *octet == b'*' && is_pattern
            || is_unreserved(*octet)
            || b":/?#[]@!&'()+,;=%".contains(octet)
            || *octet > 0x7F && has(Fault::NonAsciiStaysRaw)
        {
            out.push(*octet);
        } else {
            encode(&mut out, *octet);
        }
    }
    out
}

fn trimmed(mut octets: &[u8]) -> &[u8] {
    while let [b' ' | b'\t', rest @ ..] | [rest @ .., b' ' | b'\t'] = octets {
        octets = rest;
    }
    octets
}
