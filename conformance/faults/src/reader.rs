//! The reader: a small, slow interpreter of robots.txt with at most one fault.
//!
//! The code for lines, groups, agents, patterns and precedence shares nothing with the core. The nom engine answers
//! about scope, fetch results, caching and the grammar; `bent.rs` changes these answers according to the fault. The
//! retrieval of robots-fetch answers timelines; `retriever.rs` changes what the retrieval does.

use std::sync::{Arc, Mutex};

use robots_conformance::engine::Profile;
use robots_conformance::engine::{Engine, Question};
use robots_conformance::kind::{
    self, Answer, Ask, GroupQuestion, GroupsQuestion, Role, SitemapsQuestion, VerdictAnswer,
    VerdictQuestion,
};
use robots_core::{Crawler, Edition, RuleKind};

use super::fault::Fault;
use super::{bent, retriever};

/// Returns whether every crawler may fetch `/robots.txt`, whatever the rules are. The source is RFC 9309, 2.2.2, to
/// which google-2022 refers.
fn robots_txt_is_exempt(edition: Edition) -> bool {
    !matches!(edition, Edition::Google2018 | Edition::Google2019)
}

/// Returns whether an edition adds a slash to a path that does not begin with one. The source is the section
/// "group-member records" of google-2018.
fn slash_is_assumed(edition: Edition) -> bool {
    edition == Edition::Google2018
}

/// Returns whether the order of rules with wildcards is undefined. The source is the section "order of precedence for
/// group-member records" of google-2018.
fn order_of_wildcards_is_undefined(edition: Edition) -> bool {
    edition == Edition::Google2018
}

/// Returns whether a crawler without a group follows the group of a shorter name, such as `googlebot` for
/// `googlebot-news`. The source is the table of crawlers in google-2018 and google-2019.
fn falls_back_to_prefixes(edition: Edition) -> bool {
    matches!(edition, Edition::Google2018 | Edition::Google2019)
}

pub(super) struct Reader {
    fault: Option<Fault>,
    /// The file that was parsed last. The file is kept, because many questions in a row are about the same file.
    last: Mutex<Option<Known>>,
}

/// A file that was parsed.
struct Known {
    edition: Edition,
    octets: Arc<[u8]>,
    file: Arc<File>,
}

impl Engine for Reader {
    fn name(&self) -> &str {
        self.fault.map_or("no fault", Fault::name)
    }

    fn profiles(&self) -> &[Profile] {
        Profile::EDITIONS
    }

    fn roles(&self) -> &[Role] {
        match self.fault {
            Some(fault) if !retriever::FAULTS.contains(&fault) => Role::PARSER_AND_CRAWLER,
            _ => Role::ALL,
        }
    }

    fn answer(&self, question: &Question) -> Answer {
        let Some(edition) = question.profile.edition() else {
            return Answer::unsupported("editions only");
        };
        // Questions about the grammar go to the nom engine, which reads every file.
        let is_read = !matches!(question.ask, Ask::Derives(_));
        if let Some(robots_txt) = question.ask.robots_txt().filter(|_| is_read)
            && let Some(error) = self.error(robots_txt)
        {
            return Answer::Error(error.to_owned());
        }
        match &question.ask {
            Ask::Verdict(VerdictQuestion { robots_txt, agents, url }) => {
                let crawler = agents.crawler().expect("product tokens");
                self.verdict(edition, robots_txt, crawler, url)
            }
            Ask::Groups(GroupsQuestion { robots_txt }) => {
                Answer::Groups(self.read(edition, robots_txt).groups.iter().map(written).collect())
            }
            Ask::Group(GroupQuestion { robots_txt, agents }) => {
                let crawler = agents.crawler().expect("product tokens");
                let file = self.read(edition, robots_txt);
                Answer::Group(self.followed(edition, &file, crawler).map(|group| written(&group)))
            }
            Ask::Sitemaps(SitemapsQuestion { robots_txt }) => {
                Answer::Sitemaps(self.read(edition, robots_txt).sitemaps.clone())
            }
            Ask::Timeline(timeline) if self.roles().contains(&Role::Retriever) => {
                retriever::answer(self.fault, edition, timeline)
            }
            _ => bent::answer(self.fault, question),
        }
    }
}

#[derive(Default)]
struct File {
    groups: Vec<Group>,
    sitemaps: Vec<String>,
}

#[derive(Clone, Default)]
struct Group {
    agents: Vec<Vec<u8>>,
    rules: Vec<Rule>,
}

#[derive(Clone)]
struct Rule {
    allows: bool,
    value: Vec<u8>,
    line: u32,
}

impl Reader {
    pub(super) const fn new(fault: Option<Fault>) -> Self {
        Self { fault, last: Mutex::new(None) }
    }

    fn has(&self, fault: Fault) -> bool {
        self.fault == Some(fault)
    }

    fn verdict(
        &self,
        edition: Edition,
        octets: &Arc<[u8]>,
        crawler: &Crawler,
        url: &str,
    ) -> Answer {
        if self.has(Fault::AlwaysAllows) || self.has(Fault::AlwaysDisallows) {
            return Answer::verdict(self.has(Fault::AlwaysAllows));
        }
        let path = self.path_and_query(url);
        let exempt = robots_txt_is_exempt(edition) && !self.has(Fault::RobotsTxtNotExempt);
        if exempt && path == b"/robots.txt" {
            return bare_verdict(true, None);
        }
        let file = self.read(edition, octets);
        let path = self.normal(&path, false);
        let mut group = self.followed(edition, &file, crawler).unwrap_or_default();
        let is_matched = |group: &Group| {
            group.rules.iter().any(|rule| self.matched(edition, &rule.value, &path).is_some())
        };
        if self.has(Fault::UnmatchedFallsToGlobal) && !is_matched(&group) {
            group = self.merged(&file, |agent| agent == b"*").unwrap_or_default();
        }
        let is_invalid = |rule: &Rule| {
            std::str::from_utf8(&rule.value).is_ok() && !has_octets_of_a_uri(&rule.value)
        };
        if self.has(Fault::InvalidPathForbidsAll) && group.rules.iter().any(is_invalid) {
            return bare_verdict(false, None);
        }
        let ignores_wildcards = self.has(Fault::UndefinedOrderAllows)
            && order_of_wildcards_is_undefined(edition)
            && group.rules.len() > 1;
        let counts = |rule: &&Rule| {
            !(ignores_wildcards && rule.value.iter().any(|octet| matches!(octet, b'*' | b'$')))
        };
        let matching = group.rules.iter().filter(counts).filter_map(|rule| {
            let length = self.matched(edition, &rule.value, &path)?;
            Some((length, rule))
        });
        let matching: Vec<(usize, &Rule)> = matching.collect();
        let wins_ties = !self.has(Fault::DisallowWinsTies);
        let key = |(length, rule): &&(usize, &Rule)| (*length, rule.allows == wins_ties);
        let best = if self.has(Fault::FirstMatchWins) {
            matching.first()
        } else if self.has(Fault::LastMatchWins) {
            matching.last()
        } else if self.has(Fault::ShortestMatchWins) {
            matching.iter().min_by_key(|pair| (pair.0, !pair.1.allows))
        } else {
            // Of rules with the same rank, the first one decides.
            matching.iter().rev().max_by_key(key)
        };
        match best {
            None => bare_verdict(true, None),
            Some((_, rule)) => bare_verdict(rule.allows, Some(rule.line)),
        }
    }

    fn path_and_query(&self, url: &str) -> Vec<u8> {
        let path = match url.find("://") {
            Some(scheme) if !url.starts_with(['/', '?']) => {
                let rest = &url[scheme + 3..];
                &rest[rest.find(['/', '?', '#']).unwrap_or(rest.len())..]
            }
            _ => url,
        };
        let path = &path[..path.find('#').unwrap_or(path.len())];
        let query = if self.has(Fault::QueryDropped) { path.find('?') } else { None };
        let path = &path[..query.unwrap_or(path.len())];
        let is_kept = path.is_empty() && self.has(Fault::EmptyPathKept);
        let mut path = path.to_owned();
        while self.has(Fault::SlashesJoined)
            && let Some(pair) = path[..path.find('?').unwrap_or(path.len())].find("//")
        {
            path.remove(pair);
        }
        if path.starts_with('/') || is_kept { path.into() } else { format!("/{path}").into() }
    }

    /// Returns the reason why the reader refuses the file, or `None` if it accepts the file.
    fn error(&self, octets: &[u8]) -> Option<&'static str> {
        let has_no_colon = |line: &[u8]| {
            let text = self.without_comment(line);
            !trimmed(text).is_empty() && !text.contains(&b':')
        };
        let is_one_word = |line: &[u8]| {
            let words = self.without_comment(line).split(u8::is_ascii_whitespace);
            words.filter(|word| !word.is_empty()).count() == 1 && !line.starts_with(b"\xEF")
        };
        let lines = || self.lines(octets).into_iter();
        match self.fault? {
            Fault::GarbageRefused => lines().any(has_no_colon).then_some("a line has no colon"),
            Fault::LoneWordRefused => {
                let refuses = lines().any(|line| has_no_colon(line) && is_one_word(line));
                refuses.then_some("a line is one word")
            }
            Fault::InvalidUtf8Refused => {
                std::str::from_utf8(octets).is_err().then_some("the file is not UTF-8")
            }
            _ => None,
        }
    }

    fn without_comment<'o>(&self, line: &'o [u8]) -> &'o [u8] {
        let comment = line.iter().position(|octet| *octet == b'#');
        let comment = if self.has(Fault::CommentsKept) { None } else { comment };
        &line[..comment.unwrap_or(line.len())]
    }

    /// Parses a file, unless it is the file of the last question.
    fn read(&self, edition: Edition, octets: &Arc<[u8]>) -> Arc<File> {
        let mut last = self.last.lock().expect("no panic");
        if let Some(known) = &*last
            && known.edition == edition
            && known.octets == *octets
        {
            return Arc::clone(&known.file);
        }
        let file = Arc::new(self.parse(edition, octets));
        *last = Some(Known { edition, octets: Arc::clone(octets), file: Arc::clone(&file) });
        file
    }

    fn parse(&self, edition: Edition, octets: &[u8]) -> File {
        let mut file = File::default();
        let (mut after_agent, mut closed) = (false, false);
        for (index, line) in self.lines(octets).into_iter().enumerate() {
            let line_text = self.without_comment(line);
            if trimmed(line).is_empty() && self.has(Fault::BlankLineEndsGroup) {
                after_agent = false;
            }
            if trimmed(line).is_empty() && self.has(Fault::BlankLineClosesGroup) {
                (after_agent, closed) = (false, !file.groups.is_empty());
            }
            let Some(colon) = line_text.iter().position(|octet| *octet == b':') else {
                if self.has(Fault::GarbageEndsFile) && !trimmed(line_text).is_empty() {
                    break;
                }
                continue;
            };
            let field = trimmed(&line_text[..colon]);
            let field = if self.has(Fault::FieldsMatchCase) {
                field.to_vec()
            } else {
                field.to_ascii_lowercase()
            };
            let field = match field {
                longer if self.has(Fault::FieldsMatchPrefix) => known_beginning(longer),
                whole => whole,
            };
            let value = trimmed(&line_text[colon + 1..]);
            let value = if self.has(Fault::TrailingSpaceKept) && line_text.len() == line.len() {
                line_text[colon + 1..].trim_ascii_start()
            } else {
                value
            };
            let value = match value {
                [rest @ .., 0xC2, 0xA0] if self.has(Fault::NoBreakSpaceTrimmed) => trimmed(rest),
                whole => whole,
            };
            let value = match value {
                [rest @ .., 0] if self.has(Fault::NulIsWhiteSpace) => trimmed(rest),
                whole => whole,
            };
            let last = if self.has(Fault::UnitSeparatorIsPlain) { 0x1E } else { 0x1F };
            let plain = !value.is_empty() && !value.iter().any(|o| *o <= last && *o != b'\t');
            match field.as_slice() {
                b"user-agent" => {
                    if !after_agent {
                        file.groups.push(Group::default());
                    }
                    (after_agent, closed) = (true, false);
                    let agents = &mut file.groups.last_mut().expect("just pushed").agents;
                    if self.has(Fault::LastAgentOnly) {
                        agents.clear();
                    }
                    agents.push(value.to_vec());
                }
                b"allow" if self.has(Fault::AllowUnknown) => {}
                b"allow" | b"disallow" if closed => {}
                b"allow" | b"disallow" => {
                    after_agent = false;
                    let allows = field == b"allow";
                    let rule = self.rule(edition, value, plain, allows);
                    if file.groups.is_empty() && self.has(Fault::OrphanRulesObeyed) {
                        file.groups.push(Group { agents: vec![b"*".to_vec()], rules: Vec::new() });
                    }
                    if let (Some((allows, value)), Some(group)) = (rule, file.groups.last_mut()) {
                        let line = u32::try_from(index + 1).expect("files are small");
                        group.rules.push(Rule { allows, value, line });
                    }
                }
                b"sitemap" => {
                    if plain && is_absolute(value) && self.takes_sitemap(&file, value) {
                        let value = String::from_utf8_lossy(value);
                        let folded = self.has(Fault::SitemapsFolded);
                        let value = if folded { value.to_lowercase() } else { value.into_owned() };
                        file.sitemaps.push(value);
                    }
                    after_agent &= !self.has(Fault::SitemapEndsGroup);
                    if self.has(Fault::SitemapClosesGroup)
                        && !after_agent
                        && !file.groups.is_empty()
                    {
                        file.groups.push(Group::default());
                    }
                }
                b"crawl-delay" => after_agent &= !self.has(Fault::CrawlDelayEndsGroup),
                _ => {}
            }
        }
        file
    }

    fn takes_sitemap(&self, file: &File, value: &[u8]) -> bool {
        let on_the_host = value.windows(14).any(|window| window == b"://example.com");
        match self.fault {
            Some(Fault::FirstSitemapOnly) => file.sitemaps.is_empty(),
            Some(Fault::GzipSitemapsDropped) => !value.ends_with(b".gz"),
            Some(Fault::SitemapsOfTheHostOnly) => on_the_host,
            _ => true,
        }
    }

    /// Returns true if the rule allows and false if it disallows, with the path of the rule. Returns `None` if the line
    /// has no effect.
    fn rule(
        &self,
        edition: Edition,
        value: &[u8],
        plain: bool,
        allows: bool,
    ) -> Option<(bool, Vec<u8>)> {
        if value.is_empty() {
            let allows = match (self.fault?, allows) {
                (Fault::EmptyDisallowForbids, false) | (Fault::EmptyAllowForbids, true) => false,
                (Fault::EmptyAllowAllows, true) => true,
                _ => return None,
            };
            return Some((allows, b"/".to_vec()));
        }
        let rooted = matches!(value.first(), Some(b'/' | b'*'));
        let assumed = slash_is_assumed(edition) || self.has(Fault::SlashlessFloats);
        (plain && (rooted || assumed)).then(|| (allows, value.to_vec()))
    }

    fn lines<'o>(&self, octets: &'o [u8]) -> Vec<&'o [u8]> {
        let limit = if self.has(Fault::LimitOf8KiB) { 8 << 10 } else { 512_000 };
        let octets = match self.fault {
            Some(Fault::NulEndsFile) => {
                octets.split(|octet| *octet == 0).next().unwrap_or_default()
            }
            Some(Fault::InvalidUtf8EndsFile) => match std::str::from_utf8(octets) {
                Ok(_) => octets,
                Err(error) => &octets[..error.valid_up_to()],
            },
            _ => octets,
        };
        let octets = match octets.strip_prefix(b"\xEF\xBB\xBF") {
            Some(rest) if !self.has(Fault::BomKept) => rest,
            _ => octets,
        };
        // A line is complete if only its ending is beyond the limit.
        let ends =
            |octet: &u8| *octet == b'\n' || *octet == b'\r' && !self.has(Fault::LimitCutsBeforeCr);
        let cut = octets.get(limit).is_some_and(|next| !ends(next));
        let mut rest = &octets[..octets.len().min(limit)];
        let mut lines = Vec::new();
        while let Some((at, length)) = self.line_end(rest) {
            lines.push(&rest[..at]);
            rest = &rest[at + length..];
        }
        // The octets after the last line ending are a line, unless the limit cuts them.
        if !cut && !self.has(Fault::LastLineDropped) {
            lines.push(rest);
        }
        lines
    }

    /// Returns the offset of the first line ending, and its length in octets.
    fn line_end(&self, octets: &[u8]) -> Option<(usize, usize)> {
        let cr = !self.has(Fault::CrNoLineEnd);
        let separator = self.has(Fault::LineSeparatorEndsLine);
        octets.iter().enumerate().find_map(|(at, octet)| match octet {
            b'\n' => Some((at, 1)),
            b'\r' if cr && octets.get(at + 1) == Some(&b'\n') => Some((at, 2)),
            b'\r' if cr => Some((at, 1)),
            0xE2 if separator && octets[at..].starts_with(b"\xE2\x80\xA8") => Some((at, 3)),
            _ => None,
        })
    }

    fn followed(&self, edition: Edition, file: &File, crawler: &Crawler) -> Option<Group> {
        let global = self.merged(file, |agent| agent == b"*");
        if self.has(Fault::FirstGroupFollowed) {
            let tokens: Vec<&[u8]> =
                crawler.tokens().iter().map(|t| t.as_str().as_bytes()).collect();
            let is_followed = |agent: &Vec<u8>| {
                agent == b"*" || tokens.iter().any(|token| self.names(agent, token))
            };
            let first = file.groups.iter().find(|group| group.agents.iter().any(is_followed));
            if first.is_some_and(|group| group.agents.iter().any(|agent| agent == b"*")) {
                return global;
            }
        }
        for token in crawler.tokens() {
            let token = token.as_str();
            let mut names = vec![token];
            if falls_back_to_prefixes(edition) {
                names.extend(token.rmatch_indices(['-', '_']).map(|(end, _)| &token[..end]));
            }
            for name in names {
                let group = self.merged(file, |agent| self.names(agent, name.as_bytes()));
                let group = group.filter(|group| {
                    !(self.has(Fault::EmptyGroupFallsToGlobal) && group.rules.is_empty())
                });
                if let Some(mut group) = group {
                    if self.has(Fault::GlobalMergedIn) {
                        group.rules.extend(global.clone().unwrap_or_default().rules);
                    }
                    return Some(group);
                }
            }
        }
        if self.has(Fault::NoGlobalGroup) { None } else { global }
    }

    fn merged(&self, file: &File, names: impl Fn(&[u8]) -> bool) -> Option<Group> {
        let groups = file.groups.iter().filter(|group| group.agents.iter().any(|a| names(a)));
        let mut groups = groups.cloned();
        if self.has(Fault::LaterGroupReplaces) {
            return groups.last();
        }
        let mut first = groups.next()?;
        let merges = |group: &Group| match self.fault {
            Some(Fault::GroupsNotMerged) => false,
            Some(Fault::MergedByFirstAgentOnly) => names(&group.agents[0]),
            _ => true,
        };
        first.rules.extend(groups.filter(merges).flat_map(|group| group.rules));
        Some(first)
    }

    /// Returns whether a user-agent value names the token: it begins with the token, and no other token octet follows.
    fn names(&self, agent: &[u8], token: &[u8]) -> bool {
        let same = |a: &[u8], b: &[u8]| match self.fault {
            Some(Fault::AgentsMatchCase) => a == b,
            _ => a.eq_ignore_ascii_case(b),
        };
        let length =
            agent.iter().take_while(|o| o.is_ascii_alphanumeric() || b"-_".contains(o)).count();
        let named = if self.has(Fault::VersionsCompared) { agent } else { &agent[..length] };
        if token.is_empty() || named.is_empty() {
            return false;
        }
        let begins =
            |long: &[u8], short: &[u8]| long.get(..short.len()).is_some_and(|it| same(it, short));
        match self.fault {
            Some(Fault::LongerAgentsMatch) => begins(named, token),
            Some(Fault::AgentsMatchPrefix) => begins(token, named),
            Some(Fault::AgentsMatchSubstring) => {
                token.windows(named.len()).any(|window| same(window, named))
            }
            _ => same(named, token),
        }
    }

    /// Returns the length of the pattern if it matches the normalised path.
    fn matched(&self, edition: Edition, value: &[u8], path: &[u8]) -> Option<usize> {
        let mut value = value.to_vec();
        let rooted = matches!(value.first(), Some(b'/' | b'*'));
        let floats = self.has(Fault::PatternsFloat) || !rooted && self.has(Fault::SlashlessFloats);
        if slash_is_assumed(edition) && !rooted && !floats {
            value.insert(0, b'/');
        }
        if self.has(Fault::DollarAnywhereEnds)
            && let Some(dollar) = value.iter().position(|octet| *octet == b'$')
        {
            value.truncate(dollar + 1);
        }
        let anchored = value.last() == Some(&b'$') && !self.has(Fault::DollarLiteral);
        if anchored {
            value.pop();
        }
        let pattern = self.normal(&value, true);
        let anchored = anchored && !self.has(Fault::DollarIgnored);
        let begins = if floats { (0..=path.len()).collect() } else { vec![0] };
        let ends = self.ends(&pattern, path, begins);
        let is_whole = self.has(Fault::PrefixesOfFilesUnknown)
            && !matches!(value.last(), None | Some(b'/' | b'*'));
        let matches =
            if anchored || is_whole { ends.contains(&path.len()) } else { !ends.is_empty() };
        // Normalisation writes a literal `$` of the pattern with three octets, but it counts as one octet.
        let literal = pattern.windows(3).filter(|octets| octets == b"%24").count();
        let written = value.windows(3).filter(|octets| octets == b"%24").count();
        let length = pattern.len() - 2 * (literal - written) + usize::from(anchored);
        matches.then_some(length)
    }

    /// Returns the positions in the path at which a match of the pattern can end, if the match begins at one of the
    /// given positions.
    fn ends(&self, pattern: &[u8], path: &[u8], begins: Vec<usize>) -> Vec<usize> {
        let mut at = begins;
        for (index, octet) in pattern.iter().enumerate() {
            let is_again = *octet == b'*' && index > 0 && pattern[index - 1] == b'*';
            if at.is_empty() || is_again && !self.has(Fault::StarLiteral) {
                continue;
            }
            at = if *octet == b'*' && !self.has(Fault::StarLiteral) {
                let Some(first) = at.first() else { return at };
                let stop = match path[*first..].iter().position(|octet| *octet == b'/') {
                    Some(slash) if self.has(Fault::StarStopsAtSlash) => first + slash,
                    _ => path.len(),
                };
                (*first..=stop).collect()
            } else {
                let same = |position: &usize| {
                    path.get(*position).is_some_and(|other| {
                        other == octet
                            || *octet == b'.' && self.has(Fault::DotIsWildcard)
                            || *octet == b'?' && self.has(Fault::QuestionMarkIsWildcard)
                            || self.has(Fault::PathsFolded) && other.eq_ignore_ascii_case(octet)
                    })
                };
                at.into_iter().filter(same).map(|position| position + 1).collect()
            };
        }
        at
    }

    /// Converts a pattern or a path to the form in which they are compared.
    fn normal(&self, octets: &[u8], is_pattern: bool) -> Vec<u8> {
        let mut out = Vec::with_capacity(octets.len());
        let mut index = 0;
        while index < octets.len() {
            let octet = octets[index];
            let triplet = octets.get(index + 1..index + 3).filter(|_| octet == b'%');
            let decoded = triplet
                .and_then(|hex| std::str::from_utf8(hex).ok())
                .filter(|hex| hex.bytes().all(|digit| digit.is_ascii_hexdigit()))
                .and_then(|hex| u8::from_str_radix(hex, 16).ok());
            index += if decoded.is_some() { 3 } else { 1 };
            match decoded {
                Some(b'*') if is_pattern && self.has(Fault::EncodedStarIsWildcard) => {
                    out.push(b'*');
                }
                Some(b'/') if self.has(Fault::EncodedSlashDecoded) => out.push(b'/'),
                Some(decoded)
                    if is_unreserved(decoded) && !self.has(Fault::UnreservedKeptEncoded) =>
                {
                    out.push(decoded);
                }
                Some(_) if self.has(Fault::HexNotFolded) => out.extend(&octets[index - 3..index]),
                Some(decoded) => encode(&mut out, decoded),
                None if octet == b'*' && is_pattern => out.push(octet),
                None if matches!(octet, b'*' | b'$') => encode(&mut out, octet),
                None if is_unreserved(octet) || b":/?#[]@!&'()+,;=%".contains(&octet) => {
                    out.push(octet);
                }
                None if octet > 0x7F && self.has(Fault::NonAsciiKeptRaw) => out.push(octet),
                None => encode(&mut out, octet),
            }
        }
        out
    }
}

fn bare_verdict(allowed: bool, line: Option<u32>) -> Answer {
    let evidence =
        line.map_or_else(|| "no rule".to_owned(), |line| format!("the rule in line {line}"));
    Answer::Verdict(VerdictAnswer { allowed, line, evidence: Some(evidence) })
}

fn written(group: &Group) -> kind::Group {
    let text = |octets: &[u8]| String::from_utf8_lossy(octets).into_owned();
    let kind = |rule: &Rule| if rule.allows { RuleKind::Allow } else { RuleKind::Disallow };
    kind::Group {
        agents: group.agents.iter().map(|agent| text(agent)).collect(),
        rules: group.rules.iter().map(|rule| (kind(rule), text(&rule.value))).collect(),
    }
}

/// Returns the known field name with which a name begins, or the whole name if there is none.
fn known_beginning(field: Vec<u8>) -> Vec<u8> {
    let known = [&b"user-agent"[..], b"disallow", b"allow", b"sitemap"];
    known.into_iter().find(|known| field.starts_with(known)).map_or(field, <[u8]>::to_vec)
}

fn trimmed(mut octets: &[u8]) -> &[u8] {
    while let [b' ' | b'\t', rest @ ..] | [rest @ .., b' ' | b'\t'] = octets {
        octets = rest;
    }
    octets
}

fn is_absolute(value: &[u8]) -> bool {
    let text = String::from_utf8_lossy(value);
    text.split_once("://").is_some_and(|(scheme, rest)| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
            && !rest.is_empty()
            && !rest.starts_with(['/', '?', '#'])
    })
}

/// Returns whether each octet may occur in a URI, and each `%` begins a triplet.
fn has_octets_of_a_uri(octets: &[u8]) -> bool {
    let is_hex = |at: usize| octets.get(at).is_some_and(u8::is_ascii_hexdigit);
    octets.iter().enumerate().all(|(index, octet)| match octet {
        b'%' => is_hex(index + 1) && is_hex(index + 2),
        octet => octet.is_ascii_graphic() && !b"\"<>\\^`{|}".contains(octet),
    })
}

fn is_unreserved(octet: u8) -> bool {
    octet.is_ascii_alphanumeric() || b"-._~".contains(&octet)
}

fn encode(out: &mut Vec<u8>, octet: u8) {
    out.extend(format!("%{octet:02X}").bytes());
}
