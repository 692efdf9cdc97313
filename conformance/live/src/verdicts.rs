//! Makes live cases from the suite's verdict cases. A robots.txt and the URLs that a case asks about become a site. The
//! page where the crawl begins links to the pages of this site.
//!
//! Start at [`on_the_wire()`]. The members of a case are its questions. Members with the same file and product token
//! share a site. If no crawl can test a member, for example because crawlers rewrite its URL (see the function
//! `target`), [`OnTheWire::unwired`] lists the member with the reason. [`Suited`] contains the cases that can also test
//! crawlers with other product tokens.

use std::collections::{BTreeMap, BTreeSet};

use robots_conformance::engine::Profile;
use robots_conformance::kind::{Ask, VerdictQuestion};
use robots_conformance::kind::{Expected, ExpectedVerdict, Member};
use robots_conformance::suite::Suite;
use robots_conformance::suite::case::{Case, Conforming, Stated};
use robots_conformance::suite::requirement::Level;
use robots_core::{Crawler, Edition};

use crate::case::{self as live, ASKED, CrawlPlan, Expectation, Sections, sections};
use crate::judge::Judgement;
use crate::probes::{Page, Probes};

/// The value of `agent` for a crawler without a product token. Such a crawler follows the group of `*`.
pub(crate) const NAMELESS: &str = "*";

/// The suite's verdict cases as live cases, for tests with a real crawler.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct OnTheWire {
    /// The live cases, by the product token that the crawler must have.
    pub cases: BTreeMap<String, Vec<live::Case>>,
    /// The members that cannot be tested with a crawler, by reason. The name of a member contains the id of its case.
    pub unwired: BTreeMap<String, Vec<String>>,
    /// The name of the suite's trial about a page, by live case, target of the page, and edition.
    trials: BTreeMap<(String, String, Edition), String>,
    /// The cases that can test crawlers with other product tokens.
    pub suited: Suited,
}

/// The cases that can test a crawler whose product token differs from the token of the case.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Suited {
    /// The cases in whose file the product token can be replaced by the token of the tested crawler.
    pub everybody: BTreeSet<String>,
    /// The cases for crawlers without a product token. In these cases, only the group of `*` decides.
    pub nameless: BTreeSet<String>,
}

impl Suited {
    /// Returns whether a case can test a crawler.
    ///
    /// `case` is the id of a case for the product token `token`. `agent` is the token of the crawler, or `*` if the
    /// crawler has no token. `takes_agent` says whether the crawler can be started with another token.
    #[must_use]
    pub fn suits(&self, case: &str, token: &str, agent: &str, takes_agent: bool) -> bool {
        if agent == NAMELESS {
            return self.nameless.contains(case);
        }
        takes_agent || token == agent || self.everybody.contains(case)
    }
}

/// The maximum number of links of a site.
const LINKS: usize = 500;

/// Makes live cases from the verdict cases of a suite.
#[must_use]
pub fn on_the_wire(suite: &Suite) -> OnTheWire {
    let mut wire = OnTheWire::default();
    let sections = sections(suite);
    suite.cases.iter().for_each(|case| wire.add(case, &sections));
    wire
}

impl OnTheWire {
    /// Returns the names of the suite's trials that the crawler answered wrongly, according to a judgement. A page that
    /// the crawler fetched because it applies no rules does not count as an answer.
    pub fn failed<'w>(
        &'w self,
        case: &'w live::Case,
        edition: Edition,
        judgement: &'w Judgement,
    ) -> impl Iterator<Item = &'w str> {
        let answers = judgement.findings.iter().filter(|finding| finding.requirement != ASKED);
        let pages = answers.filter_map(|finding| finding.page.as_ref());
        pages.filter_map(move |page| {
            let key = (case.id.clone(), page.clone(), edition);
            self.trials.get(&key).map(String::as_str)
        })
    }

    /// For each site of a verdict case, adds a live case if a crawler can fail it. For each member of the verdict case
    /// that is in no live case, adds the reason.
    fn add(&mut self, case: &Case, sections: &Sections) {
        let mut sites: Vec<Site<'_>> = Vec::new();
        for (index, member) in case.form.members.iter().enumerate() {
            let Ask::Verdict(VerdictQuestion { robots_txt, agents, url }) = &member.ask else {
                continue;
            };
            let probe =
                target(url).and_then(|target| match agents.crawler().map(Crawler::tokens) {
                    Ok([token]) if token.is_rfc9309() => Ok((target, token.as_str().to_owned())),
                    Ok([_]) | Err(_) => Err("RFC 9309 does not allow the product token"),
                    _ => Err("the crawler has several product tokens"),
                });
            let probe = probe.and_then(|(target, token)| {
                if robots_txt.len() > 600 * 1024 {
                    return Err("the file is longer than the maximum for a served page");
                }
                Ok((target, token))
            });
            match probe {
                Ok((target, token)) => {
                    let probe = (target, index);
                    let same =
                        |site: &&mut Site<'_>| site.file == &**robots_txt && site.token == token;
                    match sites.iter_mut().find(same) {
                        Some(site)
                            if site
                                .probes
                                .iter()
                                .any(|(other, _)| is_one_page(other, &probe.0)) =>
                        {
                            self.leave_out("another member uses the same page", case, member);
                        }
                        Some(site) if site.probes.len() < LINKS => site.probes.push(probe),
                        Some(_) => {
                            self.leave_out("the site would have too many links", case, member);
                        }
                        None => {
                            sites.push(Site { file: robots_txt, token, probes: vec![probe] });
                        }
                    }
                }
                Err(why) => self.leave_out(why, case, member),
            }
        }
        let many = sites.len() > 1;
        for (site, number) in sites.iter().zip(1..) {
            let suffix = if many { format!("-{number}") } else { String::new() };
            match site.case(case, &suffix, sections) {
                Some(live) => {
                    for (target, member) in &site.probes {
                        for edition in case.expect.keys() {
                            let member = case.form.members[*member].name.as_deref();
                            let name = case.trial_name(Profile::Edition(*edition), member);
                            let page = (live.id.clone(), target.clone(), *edition);
                            self.trials.insert(page, name);
                        }
                    }
                    if site.renamed().is_some() {
                        self.suited.everybody.insert(live.id.clone());
                    }
                    if site.is_for_the_nameless() {
                        self.suited.nameless.insert(live.id.clone());
                    }
                    self.cases.entry(site.token.clone()).or_default().push(live);
                }
                None => {
                    for (_, member) in &site.probes {
                        self.leave_out(
                            "no edition requires one answer",
                            case,
                            &case.form.members[*member],
                        );
                    }
                }
            }
        }
    }

    fn leave_out(&mut self, why: &str, case: &Case, member: &Member) {
        let name = match &member.name {
            Some(name) => format!("{}::{}::{name}", case.area, case.id),
            None => format!("{}::{}", case.area, case.id),
        };
        self.unwired.entry(why.to_owned()).or_default().push(name);
    }
}

/// A robots.txt, and the questions that a case asks about this file for one product token. Each probe is a page, with
/// the index of the member that asks about it.
struct Site<'c> {
    file: &'c [u8],
    token: String,
    probes: Vec<(String, usize)>,
}

/// The product token that the suite's cases use if the name of the crawler does not matter.
const PLAIN: &str = "examplebot";

impl Site<'_> {
    /// Returns the file with `{agent}` in place of [`PLAIN`], or `None` if the replacement could change more than the
    /// name. The replacement is safe if the crawler's token is [`PLAIN`], the file spells this token always in the same
    /// way, has no braces, and is too short for a limit to matter.
    fn renamed(&self) -> Option<String> {
        let text = std::str::from_utf8(self.file).ok()?;
        let spellings = text.to_ascii_lowercase().matches(PLAIN).count();
        let is_plain = self.token == PLAIN
            && spellings == text.matches(PLAIN).count()
            && text.len() < 64 * 1024
            && !text.contains(['{', '}']);
        is_plain.then(|| text.replace(PLAIN, "{agent}"))
    }

    /// Returns whether only the group of `*` decides after `*` replaces the crawler's name. That is true if the file
    /// does not name the crawler. It is also true if the name occurs only as the value of user-agent lines, and no
    /// user-agent line has the value `*`.
    fn is_for_the_nameless(&self) -> bool {
        let Ok(text) = std::str::from_utf8(self.file) else { return false };
        let text = text.to_ascii_lowercase();
        let token = self.token.to_ascii_lowercase();
        if !text.contains(&token) {
            return true;
        }
        let agents = text.split(['\r', '\n']).filter_map(|line| {
            let (field, value) = line.split('#').next()?.split_once(':')?;
            (field.trim() == "user-agent").then_some(value.trim())
        });
        let agents: Vec<&str> = agents.collect();
        let named = agents.iter().filter(|agent| **agent == token).count();
        self.renamed().is_some()
            && !agents.contains(&"*")
            && named == text.matches(token.as_str()).count()
    }

    /// Returns the live case, or `None` if no crawler can fail it under any edition.
    fn case(&self, case: &Case, suffix: &str, sections: &Sections) -> Option<live::Case> {
        let links: Vec<&str> = self.probes.iter().map(|(target, _)| target.as_str()).collect();
        let mut plan = CrawlPlan::of_file(self.file, &links, sections.clone());
        if let Some(text) = self.renamed() {
            plan.set_robots("main", text);
        }
        let mut expectations = BTreeMap::new();
        for (edition, expect) in &case.expect {
            let level = expect.level;
            let mut probes = Probes::default();
            for (target, member) in &self.probes {
                let page = Page::of_main(target);
                let member = &case.form.members[*member];
                match allowed(&expect.conforming, member) {
                    // A crawler need not do what an edition only permits.
                    _ if level == Level::May => probes.either.push(page),
                    Some(true) => probes.fetched.push(page),
                    Some(false) => probes.not_fetched.push(page),
                    None => probes.either.push(page),
                }
            }
            let mut expectation = Expectation::new(probes, level, &expect.source);
            expectation.why.clone_from(&expect.why);
            expectations.insert(*edition, expectation);
        }
        let binds = expectations.values().any(|expectation| expectation.conforming.binds());
        let mut live = case.with_form(plan, expectations);
        live.id = format!("verdict-{}{suffix}", case.id);
        binds.then_some(live)
    }
}

/// Returns the verdict that all conforming answers give, or `None` if their verdicts differ.
fn allowed(conforming: &Conforming<Stated>, member: &Member) -> Option<bool> {
    let verdict = |stated: &Stated| match stated.answer(member) {
        Expected::Verdict(ExpectedVerdict { allowed, .. }) => Some(*allowed),
        _ => None,
    };
    let mut verdicts = conforming.answers().into_iter().map(verdict);
    let first = verdicts.next()??;
    verdicts.all(|other| other == Some(first)).then_some(first)
}

/// Returns whether crawlers may treat two spellings as one page and fetch it once: they differ only in the case of
/// letters or in slashes at the end.
fn is_one_page(one: &str, other: &str) -> bool {
    one.trim_end_matches('/').eq_ignore_ascii_case(other.trim_end_matches('/'))
}

/// Returns the path and the query of a URL that every crawler requests exactly as written.
///
/// For any other URL, returns the reason why no crawl can test it.
fn target(url: &str) -> Result<String, &'static str> {
    let target = match url.split_once("://") {
        Some(("http" | "https", rest)) if !url.starts_with('/') => match rest.find(['/', '?', '#'])
        {
            Some(at) if rest[at..].starts_with('/') => &rest[at..],
            _ => return Err("the URL has no path"),
        },
        Some(_) if !url.starts_with('/') => return Err("the URL does not use HTTP"),
        _ => url,
    };
    if !target.starts_with('/') {
        return Err("the URL has no path");
    }
    if target.starts_with("//") {
        return Err("a link that begins with // names a host");
    }
    if target.contains('#') {
        return Err("a fragment is not sent");
    }
    let sent = |octet: u8| octet.is_ascii_graphic() && !b"\"<>\\^`{|}".contains(&octet);
    if !target.bytes().all(sent) {
        return Err("crawlers escape the URL's octets before they send them");
    }
    let path =
        target.split('?').next().unwrap_or_default().to_ascii_lowercase().replace("%2e", ".");
    if path.split('/').any(|segment| matches!(segment, "." | "..")) {
        return Err("crawlers resolve dot segments");
    }
    if path == "/robots.txt" {
        return Err("the page is robots.txt itself");
    }
    let mut rest = target;
    while let Some((_, after)) = rest.split_once('%') {
        let digits = after.as_bytes();
        if digits.len() < 2 || !digits[..2].iter().all(u8::is_ascii_hexdigit) {
            return Err("crawlers escape a lone percent sign");
        }
        rest = &after[2..];
    }
    if target.ends_with('?') {
        return Err("crawlers drop an empty query");
    }
    if target.len() > 2_000 {
        return Err("the URL is longer than crawlers accept");
    }
    Ok(target.to_owned())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use rstest::rstest;

    use robots_conformance::suite::load;

    use super::{live, on_the_wire, target};

    #[rstest]
    #[trace]
    #[case("/a?b=%7e", Ok("/a?b=%7e"))]
    #[case("https://example.com/a", Ok("/a"))]
    #[case("/a://b", Ok("/a://b"))]
    #[case("ftp://example.com/a", Err("not use HTTP"))]
    #[case("https://example.com", Err("no path"))]
    #[case("//a", Err("names a host"))]
    #[case("/a#b", Err("fragment"))]
    #[case("/a b", Err("escape"))]
    #[case("/ä", Err("escape"))]
    #[case("/100%", Err("lone percent"))]
    #[case("/a/%2E%2e/b", Err("dot segments"))]
    #[case("/a?", Err("empty query"))]
    #[case("/robots.txt", Err("itself"))]
    fn targets(#[case] url: &str, #[case] expected: Result<&str, &str>) {
        match (target(url), expected) {
            (Ok(target), Ok(expected)) => assert_eq!(target, expected),
            (Err(why), Err(expected)) => assert!(why.contains(expected), "{why}"),
            (got, _) => panic!("{url}: {got:?}"),
        }
    }

    #[test]
    fn nothing_of_the_suite_gets_lost() {
        let suite = load::embedded().unwrap();
        let wire = on_the_wire(&suite);
        let probes: usize = wire.cases.values().flatten().map(|case| case.form.links.len()).sum();
        let unwired: usize = wire.unwired.values().map(Vec::len).sum();
        let verdict = robots_conformance::kind::QuestionKind::Verdict;
        let members = suite.cases.iter().filter(|case| case.form.ask == verdict);
        assert_eq!(probes + unwired, members.map(|case| case.form.members.len()).sum::<usize>());
        assert!(wire.cases.values().map(Vec::len).sum::<usize>() >= 300);
    }

    #[test]
    fn pages_stand_for_trials_of_the_suite() {
        let suite = load::embedded().unwrap();
        let wire = on_the_wire(&suite);
        let trials = robots_conformance::run::trial::trials(&suite);
        let names: HashSet<&str> = trials.iter().map(|trial| trial.name()).collect();
        assert!(wire.trials.values().all(|name| names.contains(&**name)));
        let asked = |case: &live::Case| case.expect.len() * case.form.links.len();
        let cases = || wire.cases.values().flatten();
        assert!(wire.trials.len() >= cases().map(asked).sum());
    }

    #[test]
    fn a_crawler_of_another_name_is_asked_what_can_name_it() {
        let suite = load::embedded().unwrap();
        let wire = on_the_wire(&suite);
        let is_asked = |id: &str| {
            let mut cases = wire.cases.values().flatten();
            assert!(cases.any(|case| case.id == id), "there is no {id}");
            wire.suited.everybody.contains(id)
        };
        assert!(is_asked("verdict-star-alone"));
        assert!(is_asked("verdict-merging-groups-of-star"));
        assert!(!is_asked("verdict-simple-example-foobot"));
        assert!(wire.suited.everybody.len() > 200, "{}", wire.suited.everybody.len());
    }
}
