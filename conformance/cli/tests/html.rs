//! Tests the HTML page in a real browser: it opens, filters and unfolds, by mouse and by keyboard, without an error.
//!
//! If chromium or chromedriver is missing, the tests are ignored with the reason. With `ROBOTS_REQUIRE_CHROMIUM=1`,
//! they fail instead.

mod browser;

use std::collections::HashMap;
use std::env;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::process::ExitCode;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use browser::Browser;
use browser::axe::Axe;
use libtest_mimic::{Arguments, Completion, Trial};
use robots_conformance::engine::Profile;
use robots_conformance::engine::{Engine, Question};
use robots_conformance::kind::{Answer, Ask, Group, Role, VerdictAnswer, VerdictQuestion};
use robots_conformance::kind::{Expected, ExpectedMatch, ExpectedVerdict};
use robots_conformance::protocol;
use robots_conformance::report::Cases;
use robots_conformance::report::html::page;
use robots_conformance::report::record::RunRecord;
use robots_conformance::run::Report;
use robots_conformance::run::{Runner, trial};
use robots_conformance::suite::case::Conforming;
use robots_conformance::suite::{Suite, load};
use robots_core::Edition;
use robots_core::syntax::GrammarMatch;
use serde_json::json;

type Test = (&'static str, fn(&Browser));

const TESTS: [Test; 10] = [
    ("the_tables_show_every_subject_edition_and_area", the_tables),
    ("filters_narrow_the_list_and_survive_a_reload", filters),
    ("a_cell_leads_to_its_questions_and_a_case_unfolds", drill_down),
    ("everything_is_reached_by_keyboard", keyboard),
    ("no_text_becomes_markup", hostile_texts),
    ("every_text_has_contrast_in_light_and_dark", contrast),
    ("a_large_page_stays_quick", large),
    ("nothing_scrolls_sideways_on_a_phone_or_a_desk", widths),
    ("a_trial_is_found_by_its_name", names),
    (AXE, axe),
];

/// The test that needs axe-core in addition to a browser.
const AXE: &str = "axe_finds_no_violation";

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let is_required = env::var("ROBOTS_REQUIRE_CHROMIUM").is_ok_and(|value| value == "1");
    let trials = TESTS.into_iter().map(|(name, test)| {
        Trial::ignorable_test(name, move || {
            if name == AXE && env::var_os("ROBOTS_AXE").is_none() {
                let reason = "ROBOTS_AXE=1 runs axe-core from npm on the pages";
                return Ok(Completion::ignored_with(reason));
            }
            match Browser::start(name) {
                Ok(browser) => {
                    test(&browser);
                    let errors = browser.errors();
                    assert!(errors.is_empty(), "the console says: {errors:#?}");
                    Ok(Completion::Completed)
                }
                Err(reason) if is_required => Err(reason.into()),
                Err(reason) => Ok(Completion::ignored_with(reason)),
            }
        })
    });
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}

fn the_tables(browser: &Browser) {
    browser.open(&TWO_SUBJECTS);
    assert_eq!(browser.text("h1"), "robots.txt conformance of right and wrong");
    let groups = browser.run("return document.querySelectorAll('tbody[data-edition]').length");
    assert_eq!(groups, Edition::ALL.len());
    assert_eq!(browser.text("tbody[data-edition=rfc9309] tr:nth-child(2) .who > a"), "right");
    assert_eq!(browser.text("tbody[data-edition=rfc9309] tr:nth-child(2) .result"), "✓ conforms");
    let printed = browser.text(&cell("wrong", "rfc9309", "path-matching"));
    let share = printed.lines().next().unwrap();
    assert!(share.starts_with("◑ ") && share.ends_with(" %"), "{printed}");
    let counts: Vec<usize> = printed[share.len()..]
        .split(|c: char| !c.is_ascii_digit())
        .filter_map(|number| number.parse().ok())
        .collect();
    assert!(matches!(counts[..], [passed, judged] if passed < judged && judged > 300), "{printed}");
    let silent = browser.text(&cell("wrong", "rfc9309", "caching"));
    assert!(silent.contains("no answer"), "{silent}");
}

fn filters(browser: &Browser) {
    browser.open(&TWO_SUBJECTS);
    let wrong = browser.questions();
    assert!(wrong > 100, "what is wrong is shown first: {wrong}");
    browser.choose("status", "any");
    let any = browser.questions();
    assert!(any > 5000, "{any}");
    browser.choose("edition", "rfc9309");
    let rfc = browser.questions();
    assert!(rfc < any && rfc > 1000, "{rfc}");
    let visible = "return [...document.querySelectorAll('tbody[data-edition]')]
        .filter((body) => !body.hidden).map((body) => body.dataset.edition)";
    assert_eq!(browser.run(visible), json!(["rfc9309"]));
    browser.choose("area", "sitemap");
    let sitemap = browser.questions();
    assert!(sitemap < rfc && sitemap > 5, "{sitemap}");
    browser.choose("status", "passed");
    browser.choose("subject", "wrong");
    let passed = browser.questions();
    assert!(passed < sitemap, "{passed}");
    browser.post("refresh", &json!({}));
    assert_eq!(browser.questions(), passed, "the URL holds the filter");
    browser.click("form [type=reset]");
    assert_eq!(browser.questions(), wrong);
    browser.choose("status", "any");
    browser.keys("[name=text]", "fish-prefix salmon");
    browser.until("only one case is left", "document.querySelectorAll('.case').length === 1");
    assert_eq!(browser.text(".case summary code"), "path-fish-prefix");
    browser.keys("[name=text]", " no-such-text");
    browser.until(
        "nothing is left",
        "document.getElementById('count').textContent === 'No question fits the filter.'",
    );
}

fn drill_down(browser: &Browser) {
    browser.open(&TWO_SUBJECTS);
    browser.click(&cell("wrong", "rfc9309", "path-matching"));
    browser.until("the cell is marked", "document.querySelectorAll('[aria-current]').length === 1");
    assert_eq!(browser.run("return document.activeElement.id"), "questions");
    let summaries = "return [...document.querySelectorAll('.case .aside')]
        .every((area) => area.textContent === 'path-matching')";
    assert_eq!(browser.run(summaries), true);
    // The body of a case is created when the user unfolds it.
    assert_eq!(browser.run("return document.querySelectorAll('.body').length"), 0);
    browser.click("[data-case=path-fish-prefix] summary");
    browser.until("the case unfolds", "document.querySelectorAll('.body').length === 1");
    let body = browser.text("[data-case=path-fish-prefix] .body");
    for part in [
        "MATCH-PREFIX",
        "spec-cases/path-matching.yaml:",
        "robots.txt, 39 octets",
        "disallow: /fish",
        "may examplebot fetch <https://example.com/fish>?",
        "✗ failed",
        "must · 2.2.2",
    ] {
        assert!(body.contains(part), "{part:?} is missing in {body}");
    }
    let row = browser.text(".trials tbody tr:first-child");
    let [expected, got] = ["disallow", "allow"];
    assert!(row.contains(expected) && row.lines().any(|line| line == got), "{row}");
    let some = browser.run("return document.querySelectorAll('.trials tbody tr').length");
    browser.click(".end button");
    let all = browser.run("return document.querySelectorAll('.trials tbody tr').length");
    assert!(all.as_u64() > some.as_u64(), "{some} {all}");
    // A URL with a fragment opens a case.
    browser.go("#case=line-end-cr-counts-once");
    browser.until("the case is open", "document.querySelectorAll('.case[open]').length === 1");
    assert_eq!(browser.text(".line:nth-child(2)").trim(), "2\\r");
    assert_eq!(browser.text(".line:nth-child(2) .octet"), "\\r");
}

fn keyboard(browser: &Browser) {
    const TAB: &str = "\u{E004}";
    const ENTER: &str = "\u{E007}";
    browser.open(&TWO_SUBJECTS);
    let focused = "return document.activeElement.matches(arguments[0])
        && getComputedStyle(document.activeElement).outlineStyle !== 'none'";
    let is_focused = |selector: &str| browser.run_with(focused, &json!([selector])) == true;
    browser.press(TAB);
    assert!(is_focused("a.skip"), "the first stop is the link past the tables");
    browser.press(ENTER);
    for stop in ["subject", "edition", "area", "status", "text"] {
        browser.press(TAB);
        assert!(is_focused(&format!("[name={stop}]")), "{stop} is the next stop, and shows it");
    }
    for stop in ["[type=reset]", "#unfold", "summary"] {
        browser.press(TAB);
        assert!(is_focused(stop), "{stop} is the next stop, and shows it");
    }
    browser.press(ENTER);
    browser.until("the case unfolds", "document.querySelectorAll('.case[open]').length === 1");
    let reachable = "return [...document.querySelectorAll('.cell a, thead a, .who a')]
        .every((link) => link.tabIndex === 0 && link.textContent.trim() !== '')";
    assert_eq!(browser.run(reachable), true);
}

fn hostile_texts(browser: &Browser) {
    let hostile = "</script><script>hacked = 1</script><img src=x onerror='hacked = 1'>";
    let cases = "area: paths
cases:
  - id: hostile
    requirement: R
    about: >-
      HOSTILE
    robots: |
      user-agent: examplebot
      disallow: /HOSTILE
    url: /x
    expect:
      rfc9309: disallow
"
    .replace("HOSTILE", hostile);
    let requirements = "requirements:
  - id: R
    area: paths
    says: >-
      HOSTILE
    editions:
      rfc9309: { level: must, source: '1' }
tables: []
"
    .replace("HOSTILE", hostile);
    let suite = load::suite([("requirements.yaml", requirements.as_str()), ("paths.yaml", &cases)]);
    let suite = suite.unwrap_or_else(|problems| panic!("{problems}"));
    let mut report = report(Arc::new(Fails(hostile)), &suite);
    hostile.clone_into(&mut report.subject);
    browser.open(&page(&[RunRecord::of(&report)], &Cases::of(&suite), None).unwrap());
    assert_eq!(browser.text("h1"), format!("robots.txt conformance of {hostile}"));
    browser.click("summary");
    browser.until("the case unfolds", "document.querySelectorAll('.body').length === 1");
    let body = browser.text(".body");
    assert!(body.matches(hostile).count() >= 3, "{body}");
    assert_eq!(browser.run("return document.images.length"), 0);
    assert_eq!(browser.run("return typeof hacked"), "undefined");
}

fn contrast(browser: &Browser) {
    browser.open(&TWO_SUBJECTS);
    browser.go("#case=path-fish-prefix");
    let seen = ["light", "dark"].map(|scheme| {
        browser.show(1280, scheme);
        let seen = browser.contrast();
        assert!(seen[0].as_u64() > Some(200), "{seen}");
        assert_eq!(seen.as_array().unwrap().len(), 2, "{scheme}: too faint: {seen:#}");
        seen[1].clone()
    });
    assert_ne!(seen[0], seen[1], "dark is another colour than light");
}

fn widths(browser: &Browser) {
    const SCRIPT: &str = "
        const page = document.documentElement;
        const outside = [...document.querySelectorAll('.trials .expected, .trials .answered')]
          .filter((cell) => cell.getBoundingClientRect().right > innerWidth || !cell.checkVisibility());
        const cells = document.querySelectorAll('.trials .expected').length;
        return [innerWidth, Math.max(page.scrollWidth, document.body.scrollWidth), cells, outside.length]";
    browser.open(&TWO_SUBJECTS);
    browser.go("#case=path-fish-prefix");
    for width in [390, 1280] {
        for scheme in ["light", "dark"] {
            browser.show(width, scheme);
            let seen = browser.run(SCRIPT);
            assert!(seen[2].as_u64() > Some(4), "{seen}");
            let [inner, page, outside] = [0, 1, 3].map(|index| seen[index].as_u64().unwrap());
            assert!(page <= inner, "{width} px, {scheme}: {page} px wide");
            assert_eq!(outside, 0, "{width} px, {scheme}: cells outside the page");
        }
    }
}

/// Checks the report of two subjects with and without an open case, the report of one subject, and the page of the
/// crawlers.
fn axe(browser: &Browser) {
    let axe = Axe::get();
    browser.open(&TWO_SUBJECTS);
    axe.check(browser, "two subjects");
    browser.go("#case=path-fish-prefix");
    browser.until("the case is open", "document.querySelectorAll('.case[open]').length === 1");
    axe.check(browser, "a case");
    let suite = load::embedded().unwrap();
    let record = RunRecord::of(&report(Arc::new(Wrong(Right::new(&suite))), &suite));
    browser.open(&page(&[record], &Cases::of(&suite), None).unwrap());
    axe.check(browser, "one subject");
}

fn names(browser: &Browser) {
    browser.open(&TWO_SUBJECTS);
    let name = "path-matching::path-fish-prefix::rfc9309::/catfish";
    for text in [name.to_owned(), format!("right::{name}"), format!("another engine::{name}")] {
        browser.go(&format!("#text={}", text.replace(' ', "%20")));
        browser.until(
            "one question is left",
            "document.querySelector('#count').textContent.startsWith('1 question ')",
        );
    }
    browser.go("#case=path-fish-prefix");
    let link = browser.run("return document.querySelector('#cases a[href^=https]')?.href ?? null");
    let link = link.as_str().unwrap_or_default();
    assert!(link.starts_with("https://example.com/spec-cases/path-matching.yaml#L"), "{link}");
    browser.go("#text=another%3A%3Apath-matching%3A%3Apath-fish-prefix");
    browser.until(
        "one case is left",
        "document.querySelector('#count').textContent.endsWith(' of 1 case')",
    );
}

fn large(browser: &Browser) {
    let suite = load::embedded().unwrap();
    let mut report = report(Arc::new(Wrong(Right::new(&suite))), &suite);
    let records = (0..17).map(|number| {
        report.subject = format!("subject-{number}");
        RunRecord::of(&report)
    });
    let page = page(&records.collect::<Vec<_>>(), &Cases::of(&suite), None).unwrap();
    assert!(page.len() < 5_000_000, "{} octets", page.len());
    browser.open(&page);
    let milliseconds = browser.run(
        "const start = performance.now();
         const { status } = document.getElementById('filter').elements;
         status.value = 'any';
         status.dispatchEvent(new Event('change', { bubbles: true }));
         return new Promise((done) => setTimeout(() => done(performance.now() - start), 0))",
    );
    assert!(milliseconds.as_f64() < Some(2000.0), "filtering took {milliseconds} ms");
    assert!(browser.questions() > 5000);
}

/// An engine that gives the expected answers. With a real parser, a fault of the parser could look like a fault of the
/// page.
struct Right(HashMap<u64, Answer>);

impl Right {
    fn new(suite: &Suite) -> Self {
        let asked = |trial: &&Arc<trial::Trial>| Role::PARSER_AND_CRAWLER.contains(&trial.role());
        let trials = trial::published(suite);
        let answers = trials.iter().filter(asked);
        Self(answers.map(|trial| (key(&trial.question()), right(trial))).collect())
    }
}

impl Engine for Right {
    fn name(&self) -> &str {
        "right"
    }

    fn profiles(&self) -> &[Profile] {
        &Profile::ALL[..4]
    }

    fn roles(&self) -> &[Role] {
        Role::PARSER_AND_CRAWLER
    }

    fn answer(&self, question: &Question) -> Answer {
        self.0[&key(question)].clone()
    }
}

fn key(question: &Question) -> u64 {
    let mut hasher = DefaultHasher::new();
    protocol::line(&protocol::question(0, question)).hash(&mut hasher);
    hasher.finish()
}

fn right(trial: &trial::Trial) -> Answer {
    let expected = match trial.conforming() {
        Conforming::One(expected) => expected,
        Conforming::AnyOf(answers) => &answers[0],
        Conforming::Readings(readings) => &readings[0].answer,
        _ => return Answer::unsupported("undefined"),
    };
    match expected.clone() {
        Expected::Verdict(ExpectedVerdict { allowed, lines, .. }) => {
            Answer::Verdict(VerdictAnswer { allowed, line: lines.first().copied(), evidence: None })
        }
        Expected::Groups(groups) => Answer::Groups(groups),
        Expected::Group(rules) => {
            Answer::Group(rules.map(|rules| Group { agents: Vec::new(), rules }))
        }
        Expected::Sitemaps(urls) => Answer::Sitemaps(urls),
        Expected::Scope(scope) => Answer::Scope(scope),
        Expected::Access(access) => Answer::Access(access),
        Expected::Retry(retry) => Answer::Retry(retry),
        Expected::Freshness(freshness) => Answer::Freshness(freshness),
        Expected::Derives(ExpectedMatch { file, lines, .. }) => {
            Answer::Derives(GrammarMatch::new(file.unwrap_or(true), lines.unwrap_or_default()))
        }
        other => panic!("no answer is made of {other:?}"),
    }
}

/// An engine that answers only verdicts and sitemaps. Its verdict is wrong if the URL's length is a multiple of three.
struct Wrong(Right);

impl Engine for Wrong {
    fn name(&self) -> &str {
        "wrong"
    }

    fn profiles(&self) -> &[Profile] {
        &Profile::ALL[..4]
    }

    fn roles(&self) -> &[Role] {
        Role::PARSER_AND_CRAWLER
    }

    fn answer(&self, question: &Question) -> Answer {
        match (&question.ask, self.0.answer(question)) {
            (
                Ask::Verdict(VerdictQuestion { url, .. }),
                Answer::Verdict(VerdictAnswer { allowed, .. }),
            ) => Answer::verdict(allowed ^ (url.len() % 3 == 0)),
            (_, answer @ Answer::Sitemaps(_)) => answer,
            _ => Answer::unsupported("verdicts and sitemaps only"),
        }
    }
}

/// An engine that answers every question with an error.
struct Fails(&'static str);

impl Engine for Fails {
    fn name(&self) -> &str {
        "fails"
    }

    fn profiles(&self) -> &[Profile] {
        &[Profile::Edition(Edition::Rfc9309)]
    }

    fn answer(&self, _: &Question) -> Answer {
        Answer::Error(self.0.to_owned())
    }
}

/// The page of two subjects, made once.
static TWO_SUBJECTS: LazyLock<String> = LazyLock::new(|| {
    let suite = load::embedded().unwrap();
    let engines: [Arc<dyn Engine>; 2] =
        [Arc::new(Right::new(&suite)), Arc::new(Wrong(Right::new(&suite)))];
    let records = engines.map(|engine| RunRecord::of(&report(engine, &suite)));
    let sources = "https://example.com/spec-cases".parse().unwrap();
    page(&records, &Cases::of(&suite), Some(&sources)).unwrap()
});

fn report(engine: Arc<dyn Engine>, suite: &Suite) -> Report {
    let runner = Runner::new(engine);
    let finished = runner.run(&runner.trials(suite), |_| {});
    let mut report = Report::new(runner.engine_name(), finished);
    report.took = Duration::from_secs(1);
    report
}

fn cell(subject: &str, edition: &str, area: &str) -> String {
    format!(".cell [data-subject={subject}][data-edition={edition}][data-area={area}]")
}
