//! Reads expectations: defines the keys and their meaning.
//!
//! Start at [`Expectations::read`]. `robots-yaml` makes a tree in which every node has its place. Reading stops at
//! the first mistake. Lists of agents are read first, so a list may be used before its definition. Each pair of an
//! agent and a URL becomes a separate expectation, so that a report can name it. A single text counts as a list with
//! one item.

use alloc::borrow::ToOwned as _;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::iter;

use robots_core::path::PathAndQuery;
use robots_core::{Crawler, ProductToken};
use robots_yaml::{Node, Value};

use super::{EVERYONE, Expectation, Expectations, Mistake, Place, What};

/// The maximum number of expectations of a text. Without a limit, a short text could make very many expectations,
/// because it can use a long list of agents many times.
const MOST: usize = 100_000;

/// The maximum number of lists of agents in a text, and of crawlers whose groups it states.
const LISTS: usize = 1000;

const KEYS: &str = "never-blocked, blocked, urls, sitemaps, lists, crawlers";

impl Expectations {
    /// Reads expectations from YAML.
    ///
    /// # Errors
    /// Returns the first mistake, with its line and column.
    pub fn read(text: &str) -> Result<Self, Mistake> {
        let mut expectations = Self::default();
        let Some(root) = robots_yaml::read(text)? else { return Ok(expectations) };
        let keys = root.map("expectations are keys with values")?;
        let mut lists: Vec<(&str, Vec<Named>)> = Vec::new();
        // A list may be used before its definition.
        for (_, value) in keys.iter().filter(|(key, _)| key.text() == Some("lists")) {
            for (name, agents) in value.map("`lists` has a name for each list of agents")? {
                let Some(called) = name.text() else {
                    return Err(name.mistake("write the name of a list"));
                };
                if called == EVERYONE {
                    return Err(name.mistake("`everyone` is every crawler; choose another name"));
                }
                if lists.len() == LISTS {
                    return Err(name.mistake(format!("more than {LISTS} lists; write fewer")));
                }
                lists.push((called, agents_of(agents, &[])?));
            }
        }
        for (key, value) in keys {
            let name = key.text().unwrap_or_default();
            match name {
                "never-blocked" | "blocked" => {
                    let is_blocked = name == "blocked";
                    for Named { place, name: agent } in agents_of(value, &lists)? {
                        let what = if is_blocked {
                            What::Blocked { agent }
                        } else {
                            What::NeverBlocked { agent }
                        };
                        expectations.push(place, what)?;
                    }
                }
                "urls" => {
                    for entry in value.list() {
                        expectations.urls(entry, &lists)?;
                    }
                }
                "sitemaps" => {
                    for Named { place, name: url } in
                        texts(value, "write the whole URL of a sitemap")?
                    {
                        if !url.contains("://") {
                            let message = format!(
                                "{url:?} is not a whole URL; write https://example.com/sitemap.xml"
                            );
                            return Err(Mistake::new(place, message));
                        }
                        expectations.push(place, What::Sitemap { url })?;
                    }
                }
                "lists" => {}
                "crawlers" => {
                    for (name, groups) in value
                        .map("`crawlers` has the groups of each crawler that no group names")?
                    {
                        expectations.follows(name, groups)?;
                    }
                }
                _ => return Err(key.mistake(format!("unknown key {name:?}; the keys are {KEYS}"))),
            }
        }
        Ok(expectations)
    }

    /// Reads an entry of `urls`.
    fn urls(&mut self, entry: &Node, lists: &[(&str, Vec<Named>)]) -> Result<(), Mistake> {
        let keys = entry.map("an entry of `urls` has the keys agents, allow and disallow")?;
        let mut agents = None;
        for (key, value) in keys {
            match key.text() {
                Some("agents") => {
                    let named = agents_of(value, lists)?;
                    if named.is_empty() {
                        return Err(key.mistake(format!(
                            "`agents` is empty; name a crawler, or remove the key to mean {EVERYONE}"
                        )));
                    }
                    agents = Some(named);
                }
                Some("allow" | "disallow") => {}
                other => {
                    let other = other.unwrap_or_default();
                    return Err(key.mistake(format!(
                        "unknown key {other:?}; the keys are agents, allow, disallow"
                    )));
                }
            }
        }
        let everyone = || vec![Named { place: entry.place, name: EVERYONE.to_owned() }];
        let agents = agents.unwrap_or_else(everyone);
        for (key, value) in keys.iter().filter(|(key, _)| key.text() != Some("agents")) {
            let is_allowed = key.text() == Some("allow");
            for Named { place, name: url } in
                texts(value, "write a path such as /private/, or a URL")?
            {
                if PathAndQuery::parse(&url).is_err() {
                    let message =
                        format!("{url:?} is no path and no URL; begin it with `/` or `https://`");
                    return Err(Mistake::new(place, message));
                }
                for agent in &agents {
                    let (agent, url) = (agent.name.clone(), url.clone());
                    self.push(place, What::Url { agent, url, is_allowed })?;
                }
            }
        }
        Ok(())
    }

    /// Reads a crawler, and the groups that it follows if no group names it.
    fn follows(&mut self, name: &Node, groups: &Node) -> Result<(), Mistake> {
        let groups = texts(groups, "write product tokens, or `*`")?;
        let others = groups.iter().map(|group| group.name.as_str()).filter(|group| *group != "*");
        let crawler = Crawler::new(iter::once(name.text().unwrap_or_default()).chain(others));
        let crawler = crawler.map_err(|error| name.mistake(format!("{error}")))?;
        if self.crawlers.len() == LISTS {
            return Err(name.mistake(format!("more than {LISTS} crawlers; write fewer")));
        }
        let follows_global = groups.iter().any(|group| group.name == "*");
        self.crawlers.push(if follows_global { crawler } else { crawler.without_global() });
        Ok(())
    }

    fn push(&mut self, place: Place, what: What) -> Result<(), Mistake> {
        if self.all.len() == MOST {
            return Err(too_many(place));
        }
        self.all.push(Expectation { place, what });
        Ok(())
    }
}

fn too_many(place: Place) -> Mistake {
    let message = format!("these are more than {MOST} expectations; write fewer agents or URLs");
    Mistake::new(place, message)
}

/// A string in the YAML text, and its place.
#[derive(Clone)]
struct Named {
    place: Place,
    name: String,
}

/// Reads names of crawlers and of lists. Each name of a list is replaced by the agents of this list.
fn agents_of(node: &Node, lists: &[(&str, Vec<Named>)]) -> Result<Vec<Named>, Mistake> {
    let mut agents = Vec::new();
    for named in texts(node, "write the name of a crawler, or of a list")? {
        if agents.len() > MOST {
            return Err(too_many(named.place));
        }
        if let Some((_, listed)) = lists.iter().find(|(name, _)| *name == named.name) {
            agents.extend(
                listed.iter().map(|agent| Named { place: named.place, name: agent.name.clone() }),
            );
        } else if named.name == EVERYONE || ProductToken::new(named.name.as_str()).is_ok() {
            agents.push(named);
        } else {
            let message = format!(
                "{:?} is not the name of a crawler as robots.txt writes it, and no list has that name",
                named.name
            );
            return Err(Mistake::new(named.place, message));
        }
    }
    Ok(agents)
}

/// Returns the texts of a list. A single text counts as a list with one item.
fn texts(node: &Node, wanted: &str) -> Result<Vec<Named>, Mistake> {
    let text = |node: &Node| match node.text() {
        Some(text) => Ok(Named { place: node.place, name: text.to_owned() }),
        None => Err(node.mistake(wanted)),
    };
    match &node.value {
        Value::List(nodes) => nodes.iter().map(text).collect(),
        Value::Null => Ok(Vec::new()),
        _ => Ok(alloc::vec![text(node)?]),
    }
}
