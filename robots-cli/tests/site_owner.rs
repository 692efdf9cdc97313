//! Tests what the owner of a site needs: each test does one task with one command.

mod common;

use robots_test_web::{Sites, Web};

use self::common::{Folder, text};

/// The file of a site that is open except for one directory, and closed for one crawler.
const COMMITTED: &str = "User-agent: *\nDisallow: /private/\n\nUser-agent: GPTBot\nDisallow: /\n\n\
                         Sitemap: https://example.com/sitemap.xml\n";

const EXPECTED: &str = "never-blocked: [everyone-but-ai]\nblocked: [GPTBot]\n\
                        lists: { everyone-but-ai: [Googlebot, Bingbot] }\n\
                        urls: [{ agents: [Googlebot], allow: [/, /shop/], disallow: [/private/] }]\n\
                        sitemaps: [https://example.com/sitemap.xml]\n";

struct Site(Folder);

impl Site {
    /// Makes a folder with the committed file, the expectations, and a changed file.
    fn with(changed: &str) -> Self {
        Self(Folder::with(&[
            ("old.txt", COMMITTED),
            ("expect.yaml", EXPECTED),
            ("robots.txt", changed),
        ]))
    }

    fn run(&self, arguments: &[&str]) -> (Option<i32>, String) {
        let output = self.0.run(arguments);
        (output.status.code(), text(&[output.stdout, output.stderr].concat()))
    }

    /// Returns the exit status and the output of `diff`, from the committed file to another file.
    fn diff(&self, new: &str) -> (Option<i32>, String) {
        self.run(&["diff", "old.txt", new])
    }

    fn check(&self, file: &str) -> (Option<i32>, String) {
        self.run(&["check", "expect.yaml", file])
    }
}

fn served(robots: &str) -> Web {
    Web::start(&Sites::from_yaml(robots).unwrap()).unwrap()
}

fn contains(found: &(Option<i32>, String), status: i32, texts: &[&str]) {
    assert_eq!(found.0, Some(status), "{}", found.1);
    for text in texts {
        assert!(found.1.contains(text), "{text}\n{}", found.1);
    }
}

#[test]
fn what_was_committed_is_what_is_meant() {
    let site = Site::with(COMMITTED);
    contains(&site.check("robots.txt"), 0, &["7 of 7 expectations met"]);
    contains(&site.diff("robots.txt"), 0, &["no URL changes its verdict"]);
    contains(&site.run(&["lint", "robots.txt"]), 0, &["no findings"]);
}

/// `served` reports the difference if a site serves another file than the committed file.
#[test]
fn what_is_served_is_compared() {
    let site = Site::with(COMMITTED);
    let robots = serde_json::to_string(COMMITTED).unwrap();
    let front =
        serde_json::to_string(&format!("User-agent: *\nDisallow: /\n\n{COMMITTED}")).unwrap();
    let comment = serde_json::to_string(&format!("# managed\n{COMMITTED}")).unwrap();
    let marked = serde_json::to_string(&format!("\u{feff}{COMMITTED}")).unwrap();
    let crlf = serde_json::to_string(&COMMITTED.replace('\n', "\r\n")).unwrap();
    let web = served(&format!(
        "good: {{ robots: {robots} }}\nfront: {{ robots: {front} }}\ncomment: {{ robots: {comment} }}\n\
         marked: {{ robots: {marked} }}\ncrlf: {{ robots: {crlf} }}\n\
         moved: {{ robots: {{ status: 301, location: '{{good}}/robots.txt' }} }}\nbroken: {{ robots: 503 }}\n\
         html: {{ robots: {{ status: 200, text: '<!DOCTYPE html>', headers: {{ content-type: text/html }} }} }}\n"
    ));
    let run = |origin: &str, by: &str| {
        site.run(&["served", &web.expand(origin), "--expect", "old.txt", "--by", by])
    };
    contains(
        &run("{good}", "octets"),
        0,
        &["as examplebot, Googlebot: the expected file is served"],
    );
    contains(
        &run("{front}", "octets"),
        1,
        &["a block of 3 lines is put in front", "it changes what crawlers may fetch"],
    );
    contains(&run("{front}", "meaning"), 1, &["a block of 3 lines is put in front"]);
    contains(
        &run("{comment}", "octets"),
        1,
        &["a block of 1 line is", "crawlers may fetch the same URLs"],
    );
    contains(&run("{comment}", "meaning"), 0, &[]);
    contains(
        &run("{marked}", "octets"),
        1,
        &["is served with a byte order mark (three octets) in front; crawlers may fetch the same"],
    );
    contains(
        &run("{crlf}", "octets"),
        1,
        &["the expected file is served with other line ends; crawlers may fetch the same URLs"],
    );
    contains(&run("{moved}", "octets"), 1, &["a redirect (301) leads to"]);
    contains(&run("{broken}", "octets"), 1, &["no file is served: ", "503"]);
    contains(&run("{html}", "octets"), 1, &["an HTML page is served with status 200"]);
}

/// The command fetches the file once for each crawler, with the name of this crawler, and compares the answers.
#[test]
fn another_file_for_another_crawler_is_reported() {
    let site = Site::with(COMMITTED);
    let robots = serde_json::to_string(COMMITTED).unwrap();
    let web = served(&format!(
        "cloaked: {{ robots: [{robots}, \"User-agent: *\\nDisallow: /\\n\"] }}\n\
         refused: {{ robots: [{robots}, 403] }}\nsame: {{ robots: {robots} }}\n"
    ));
    let run = |origin: &str, agents: &[&str]| {
        let url = web.expand(origin);
        let mut arguments = vec!["served", &url, "--expect", "old.txt"];
        arguments.extend(agents.iter().flat_map(|agent| ["--agent", agent]));
        site.run(&arguments)
    };
    contains(
        &run("{cloaked}", &[]),
        1,
        &[
            "as examplebot: the expected file is served",
            "as Googlebot: another file is served; it changes what crawlers may fetch",
            "as Googlebot: Googlebot gets another file than examplebot",
        ],
    );
    contains(
        &run("{refused}", &["Bingbot", "GPTBot"]),
        1,
        &["as Bingbot: the expected file is served", "as GPTBot: no file is served: ", "403"],
    );
    contains(&run("{same}", &[]), 0, &["as examplebot, Googlebot: the expected file is served"]);
    let log = web.log();
    let sent = log.iter().filter_map(|entry| entry.header("user-agent"));
    let names: Vec<&str> = sent.filter_map(|sent| sent.split(' ').next()).collect();
    assert_eq!(names, ["examplebot", "Googlebot", "Bingbot", "GPTBot", "examplebot", "Googlebot"]);
}

/// The command reads the age of a copy from the field `Age` of a cache, or from the field `Date` of the origin server.
#[test]
fn a_copy_older_than_a_day_is_reported() {
    let site = Site::with(COMMITTED);
    let robots = serde_json::to_string(COMMITTED).unwrap();
    let with =
        |fields: &str| format!("{{ robots: {{ text: {robots}, headers: {{ {fields} }} }} }}");
    let web = served(&format!(
        "young: {}\naged: {}\ndated: {}\nother: {}\n",
        with("age: '86000'"),
        with("age: '190000'"),
        with("date: 'Sun, 06 Nov 1994 08:49:37 GMT'"),
        "{ robots: { text: \"User-agent: *\\nDisallow: /\\n\", headers: { age: '90000', \
         last-modified: 'Sun, 06 Nov 1994 08:49:37 GMT' } } }",
    ));
    let run = |origin: &str| {
        site.run(&["served", &web.expand(origin), "--expect", "old.txt", "--agent", "Googlebot"])
    };
    let young = run("{young}");
    contains(&young, 0, &["the expected file is served"]);
    assert!(!young.1.contains("older than"), "{}", young.1);
    // The file is the expected file, so its age is not a failure.
    contains(&run("{aged}"), 0, &["older than 2 days", "a change of the file may come late"]);
    contains(&run("{dated}"), 0, &["older than ", " days by its Age or Date"]);
    contains(
        &run("{other}"),
        1,
        &[
            "another file is served, last modified Sun, 06 Nov 1994 08:49:37 GMT",
            "older than a day",
            "remove robots.txt from the cache",
        ],
    );
}

/// An answer that all crawlers get is reported once, with their names.
#[test]
fn a_sentence_about_all_crawlers_is_printed_once() {
    let site = Site::with(COMMITTED);
    let web = served("main: { robots: 503 }");
    let (_, text) = site.run(&["served", &web.expand("{main}"), "--expect", "old.txt"]);
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(text.contains("/robots.txt as examplebot, Googlebot: no file is served: "), "{text}");
}

/// `lint` alone explains that a group for a search engine replaces the rules for `*`.
#[test]
fn a_search_engine_does_not_follow_the_rules_for_all() {
    let rules = "User-agent: *\nDisallow: /checkout/\nDisallow: /account/\n\nUser-agent: Googlebot\nAllow: /\n";
    let site = Site::with(rules);
    let lint = site.run(&["lint", "--fail-on", "warning", "robots.txt"]);
    contains(&lint, 1, &[]);
    insta::assert_snapshot!("star_rules_lost", lint.1);
}

/// `check --init` proposes URLs even if crawlers get different answers, and the sitemaps.
#[test]
fn expectations_are_proposed() {
    let site = Site::with(&COMMITTED.replace("/private/\n", "/private/\nDisallow: /*.pdf$\n"));
    insta::assert_snapshot!("expectations", site.run(&["check", "--init", "robots.txt"]).1);
}

#[test]
fn the_whole_site_is_blocked() {
    let site = Site::with("User-agent: *\nDisallow: /\n");
    let lint = site.run(&["lint", "--fail-on", "warning", "robots.txt"]);
    contains(
        &lint,
        1,
        &["warning[everything-blocked]", "no crawler may fetch anything from this site"],
    );
    contains(
        &site.check("robots.txt"),
        1,
        &["not met: Googlebot is not blocked", "robots.txt:2: "],
    );
}

#[test]
fn a_search_engine_is_blocked() {
    let site =
        Site::with("User-agent: Googlebot\nDisallow: /\n\nUser-agent: *\nDisallow: /private/\n");
    let lint = site.run(&["lint", "--fail-on", "warning", "robots.txt"]);
    contains(
        &lint,
        1,
        &["warning[search-engine-blocked]", "Googlebot may fetch nothing from this site"],
    );
    contains(&site.check("robots.txt"), 1, &["not met: Googlebot is not blocked"]);
    // One closed directory does not block the crawler.
    let site = Site::with("User-agent: Googlebot\nDisallow: /shop\n");
    contains(&site.run(&["lint", "--fail-on", "warning", "robots.txt"]), 0, &[]);
}

#[test]
fn a_directory_is_opened() {
    let site = Site::with(&COMMITTED.replace("/private/\n", "/private/\nAllow: /private/press/\n"));
    contains(&site.diff("robots.txt"), 1, &["`/private/press/` opens for everyone except GPTBot"]);
}

#[test]
fn a_directory_is_closed() {
    let site = Site::with(&COMMITTED.replace("/private/\n", "/private/\nDisallow: /shop/\n"));
    contains(&site.diff("robots.txt"), 1, &["`/shop/` closes for everyone except GPTBot"]);
    contains(
        &site.check("robots.txt"),
        1,
        &["not met: Googlebot may fetch /shop/", "robots.txt:3: "],
    );
}

#[test]
fn a_rule_moves_to_another_group() {
    let site = Site::with(
        "User-agent: *\nDisallow:\n\nUser-agent: GPTBot\nDisallow: /\nDisallow: /private/\n",
    );
    contains(&site.diff("robots.txt"), 1, &["`/private/` opens for everyone except GPTBot"]);
    contains(&site.check("robots.txt"), 1, &["not met: Googlebot may not fetch /private/"]);
}

#[test]
fn a_blank_line_in_a_group_changes_nothing() {
    let site = Site::with(&COMMITTED.replace("User-agent: *\n", "User-agent: *\n\n"));
    contains(&site.diff("robots.txt"), 0, &["no URL changes its verdict"]);
    contains(&site.check("robots.txt"), 0, &[]);
}

#[test]
fn a_managed_block_is_put_in_front() {
    let web = served(
        "main: { robots: \"User-agent: *\\nDisallow: /\\n\\nUser-agent: *\\nDisallow: /private/\\n\" }",
    );
    let site = Site::with(COMMITTED);
    let url = web.expand("{main}/robots.txt");
    contains(&site.diff(&url), 1, &["`/` closes for everyone"]);
    contains(&site.check(&url), 1, &["not met: Googlebot is not blocked"]);
}

#[test]
fn a_redirect_leads_to_another_file() {
    let web = served(
        "main: { robots: { status: 301, location: '{other}/robots.txt' } }\n\
         other: { robots: \"User-agent: *\\nDisallow: /\\n\" }",
    );
    let site = Site::with(COMMITTED);
    contains(&site.run(&["fetch", &web.expand("{main}/")]), 1, &["hop       301"]);
    let served = ["served", &web.expand("{main}"), "--expect", "old.txt"];
    contains(&site.run(&served), 1, &["a redirect (301) leads to", "another file is served"]);
    contains(
        &site.check(&web.expand("{main}/robots.txt")),
        1,
        &["not met: Googlebot is not blocked"],
    );
}

#[test]
fn an_error_page_is_served_with_status_200() {
    let web = served(
        "main: { robots: { status: 200, text: \"<!DOCTYPE html>\\n<title>Not found</title>\\n\", \
         headers: { content-type: text/html } } }",
    );
    let site = Site::with(COMMITTED);
    let url = web.expand("{main}/robots.txt");
    contains(&site.run(&["lint", &url]), 1, &["error[html-page]"]);
    contains(&site.check(&url), 1, &["not met: GPTBot is blocked"]);
}

#[test]
fn a_staging_file_is_deployed() {
    let web = served("main: { robots: \"# staging\\nUser-agent: *\\nDisallow: /\\n\" }");
    let site = Site::with(COMMITTED);
    let url = web.expand("{main}/robots.txt");
    contains(&site.diff(&url), 1, &["closes for everyone"]);
    contains(
        &site.run(&["lint", "--fail-on", "warning", &url]),
        1,
        &["warning[everything-blocked]"],
    );
}

#[test]
fn an_ai_agent_that_is_meant_to_be_blocked_is_not() {
    // One misspelt line opens the site to the crawler.
    let site = Site::with(&COMMITTED.replace("GPTBot\nDisallow", "GPTBot\nDisalow"));
    contains(&site.check("robots.txt"), 1, &["not met: GPTBot is blocked", "GPTBot may fetch /"]);
    contains(&site.run(&["lint", "robots.txt"]), 1, &["error[misspelt-field]"]);
}

#[test]
fn a_sitemap_is_lost() {
    let site = Site::with(COMMITTED.split("\n\nSitemap").next().unwrap());
    contains(
        &site.check("robots.txt"),
        1,
        &["not met: the sitemap https://example.com/sitemap.xml is listed"],
    );
}

/// A site that does not serve the file as it should is a failure of the site, and the command ends.
#[test]
fn a_faulty_site_is_reported() {
    let site = Site::with(COMMITTED);
    let robots = serde_json::to_string(COMMITTED).unwrap();
    let faults = [
        ("drip", 0, "the expected file is served"),
        ("reset-in-body", 1, "no file is served: "),
        ("hang", 1, "no file is served: "),
        ("hang-in-body", 1, "no file is served: "),
        ("broken-chunk", 1, "no file is served: "),
        ("endless-headers", 1, "no file is served: "),
        ("gzip-bomb", 1, "text is added at the end of the expected file"),
        ("no-http", 1, "no file is served: "),
    ];
    let sites: String = faults
        .iter()
        .map(|(fault, ..)| format!("{fault}: {{ robots: {{ text: {robots}, fault: {fault} }} }}\n"))
        .collect();
    let web = served(&sites);
    std::thread::scope(|scope| {
        for (fault, status, says) in faults {
            let url = web.expand(&format!("{{{fault}}}"));
            let site = &site;
            scope.spawn(move || {
                let agent = ["--expect", "old.txt", "--agent", "Googlebot"];
                let found = site.run(&[&["served", &*url], &agent[..]].concat());
                contains(&found, status, &[says]);
                assert_eq!(found.1.lines().count(), 1, "{fault}: {}", found.1);
            });
        }
    });
}

/// A shell passes the output of another program as a pipe: `--expect <(program)`.
#[cfg(unix)]
#[test]
fn the_expected_file_may_come_through_a_pipe() {
    use std::io::Write as _;

    let site = Site::with(COMMITTED);
    let web = served(&format!("main: {{ robots: {} }}", serde_json::to_string(COMMITTED).unwrap()));
    let pipe = site.0.path("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let writer = std::thread::spawn(move || {
        let mut pipe = std::fs::OpenOptions::new().write(true).open(pipe).unwrap();
        let (one, other) = COMMITTED.split_at(20);
        pipe.write_all(one.as_bytes()).unwrap();
        std::thread::sleep(std::time::Duration::from_millis(100));
        pipe.write_all(other.as_bytes()).unwrap();
    });
    let url = web.expand("{main}");
    contains(&site.run(&["served", &url, "--expect", "pipe"]), 0, &["the expected file is served"]);
    writer.join().unwrap();
}
