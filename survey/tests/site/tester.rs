//! Tests the tester as a user works with it: types texts, chooses files and modes, and reads the results.

use std::fs;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};

use crate::browser::Browser;
use crate::server::{SITE, Server};

const TAB: &str = "\u{E004}";
const ENTER: &str = "\u{E007}";
const CONTROL: &str = "\u{E009}";
const DOWN: &str = "\u{E015}";

pub(crate) fn base64(octets: &[u8]) -> String {
    BASE64_STANDARD.encode(octets)
}

/// Waits until the engine has answered.
pub(crate) fn ready(browser: &Browser) {
    browser.until("the tester is there", "document.documentElement.dataset.ready === 'yes'");
}

fn open(browser: &Browser, server: &Server) {
    browser.visit(&server.url("tester.html"));
    ready(browser);
}

/// Fills in a field, as a script would, and waits for the answer.
fn fill(browser: &Browser, id: &str, text: &str) {
    let script = "const [id, text] = arguments;
        const field = document.getElementById(id);
        document.getElementById('status').textContent = '';
        field.value = text;
        field.dispatchEvent(new Event(field.matches('select') ? 'change' : 'input', { bubbles: true }))";
    browser.run_with(script, &json!([id, text]));
    answered(browser);
}

fn answered(browser: &Browser) {
    browser
        .until("it is answered", "document.getElementById('status').textContent.endsWith(' ms.')");
}

/// Types a text into the element with the focus.
fn type_text(browser: &Browser, text: &str) {
    let strokes: Vec<Value> = text
        .chars()
        .map(|char| if char == '\n' { ENTER.to_owned() } else { char.to_string() })
        .flat_map(|key| {
            [json!({ "type": "keyDown", "value": key }), json!({ "type": "keyUp", "value": key })]
        })
        .collect();
    let keyboard = json!({ "type": "key", "id": "keyboard", "actions": strokes });
    browser.post("actions", &json!({ "actions": [keyboard] }));
}

/// Replaces the text of the field with the focus by typing.
fn type_over(browser: &Browser, text: &str) {
    let strokes = json!([
        { "type": "keyDown", "value": CONTROL },
        { "type": "keyDown", "value": "a" },
        { "type": "keyUp", "value": "a" },
        { "type": "keyUp", "value": CONTROL },
    ]);
    let keyboard = json!({ "type": "key", "id": "keyboard", "actions": strokes });
    browser.post("actions", &json!({ "actions": [keyboard] }));
    type_text(browser, text);
}

pub(crate) fn keyboard(browser: &Browser, server: &Server) {
    for width in [390, 1280] {
        for scheme in ["light", "dark"] {
            open(browser, server);
            browser.show(width, scheme);
            by_keyboard(browser);
        }
    }
}

fn by_keyboard(browser: &Browser) {
    let stop = |selector: &str| {
        browser.press(TAB);
        let script = "const one = document.activeElement;
            const { top, bottom, left, right } = one.getBoundingClientRect();
            const seen = bottom > 0 && top < innerHeight && right > 0 && left < innerWidth;
            return [one.matches(arguments[0]), getComputedStyle(one).outlineStyle !== 'none', seen, one.outerHTML.slice(0, 80)]";
        let shown = browser.run_with(script, &json!([selector]));
        let is_shown = shown.as_array().unwrap()[..3].iter().all(|part| part == true);
        assert!(is_shown, "{selector} is the next stop, marked and in view: {shown}");
    };
    stop("a.skip");
    browser.press(ENTER);
    stop("[name=mode]");
    stop("#robots");
    type_over(browser, "user-agent: examplebot\ndisallow: /a*b\nallow: /axb/c");
    stop("#file");
    stop("#agents");
    type_over(browser, "examplebot\nother");
    stop("#urls");
    type_over(browser, "/axb\n/axb/c");
    stop("#edition");
    browser.press(DOWN);
    browser.until(
        "the next edition is chosen",
        "document.getElementById('edition').value === 'rfc9309'",
    );
    browser.until(
        "there are four questions",
        "document.querySelectorAll('#verdicts tbody tr').length === 4",
    );
    answered(browser);
    stop(".scroll[aria-labelledby=h-verdicts]");
    stop("#verdicts input");
    assert!(browser.text("#why").starts_with("disallow: the longest matching rule is line 2"));
    assert_eq!(browser.run("return document.querySelector('#lines tr.decides').id"), "line-2");
    browser.press(DOWN);
    browser.until(
        "the next question is chosen",
        "document.querySelector('#lines tr.decides').id === 'line-3'",
    );
    assert!(browser.text("#why").starts_with("allow: the longest matching rule is line 3"));
    assert_eq!(
        browser.run("return document.activeElement.matches('#verdicts input:checked')"),
        true
    );
    stop(".scroll[aria-labelledby=h-lines]");
    stop("#claims a");
    browser.press(ENTER);
    browser.until("the link is followed", "!!location.hash");
}

pub(crate) fn semantics(browser: &Browser, server: &Server) {
    open(browser, server);
    fill(browser, "robots", "user-agent: *\ndisalow: /x\ndisallow: /y");
    let tree = browser.devtools("Accessibility.getFullAXTree", &json!({}));
    let nodes = tree["nodes"].as_array().unwrap();
    let names: Vec<String> = nodes
        .iter()
        .filter(|node| node["ignored"] == false)
        .map(|node| {
            let of = |key: &str| node[key]["value"].as_str().unwrap_or_default().trim().to_owned();
            format!("{} {}", of("role"), of("name"))
        })
        .collect();
    for part in [
        "RootWebArea Try a robots.txt – robots.txt conformance",
        "navigation Pages",
        "radio what a change opens or closes",
        "main",
        "heading Try a robots.txt",
        "textbox robots.txt",
        "button or choose a file, or drop one here",
        "textbox Crawlers, one on each line: a product token, several with commas, or a User-Agent header",
        "textbox URLs, one on each line: a whole URL, or path and query",
        "combobox Edition",
        "status Why",
        "region Verdicts",
        "table Verdicts",
        "columnheader crawler",
        "columnheader google-2022",
        "rowheader /private/x",
        "radio show why: examplebot, /private/x",
        "table Lines",
        "columnheader meaning",
        "rowheader 2",
        "heading Findings",
        "heading Contested",
        "heading Read differently by measured software",
        "link FORMAT-TYPO",
    ] {
        let is_there =
            |line: &String| line.trim() == part || line.starts_with(&format!("{part}: "));
        assert!(names.iter().any(is_there), "{part:?} is missing in {names:#?}");
    }
    let live: Vec<&Value> = nodes.iter().filter(|node| node["role"]["value"] == "status").collect();
    assert_eq!(live.len(), 2, "{live:#?}");
    for node in live {
        let property = |name: &str| {
            let all = node["properties"].as_array().unwrap().iter();
            all.clone()
                .find(|property| property["name"] == name)
                .map(|found| &found["value"]["value"])
        };
        assert_eq!(property("live"), Some(&json!("polite")));
    }
    // Information is never shown by colour alone; words repeat it.
    fill(browser, "urls", "/y");
    assert!(browser.text("#line-3").contains("Decides"), "{}", browser.text("#line-3"));
    // A screen reader reads the reason once, and does not repeat it after every letter that the user types.
    let watched = "const seen = [];
        window.watched = seen;
        new MutationObserver((changes) => seen.push(...changes)).observe(document.getElementById('why'), { childList: true })";
    browser.run(watched);
    fill(browser, "robots", "user-agent: *\ndisalow: /x\ndisallow: /y\n# more");
    assert_eq!(browser.run("return watched.length"), 0);
}

/// Tests every kind of line, and a question that the editions answer differently.
pub(crate) fn lines(browser: &Browser, server: &Server) {
    open(browser, server);
    let file = "disallow: /early\nuser-agent: examplebot\nuser-agent: *\ndisallow: /a*.pdf$\nallow: /\n\
        disallow:\ndisallow: x\n# comment\n\nsitemap: https://example.com/s.xml\nsitemap: /s.xml\nnoindex: /x\n\
        no colon\ndisallow: /<img src=x onerror=alert(1)>";
    fill(browser, "robots", file);
    fill(browser, "agents", "examplebot");
    fill(browser, "urls", "/a1.pdf\n/other");
    let meanings = "return [...document.querySelectorAll('#lines tbody tr')].map((row) => row.cells[2].textContent)";
    let meanings = browser.run(meanings);
    let expected = json!([
        "no effect: disallow: it belongs to no group",
        "Names the crawler. the rules below are for examplebot",
        "the rules below are for all crawlers",
        "Decides. examplebot, all crawlers: may not fetch /a*.pdf exactly; * stands for any octets",
        "examplebot, all crawlers: may fetch anything",
        "no effect: disallow: the value is empty",
        "no effect: disallow: the path does not begin with / or *",
        "a comment",
        "blank; separates nothing",
        "names a sitemap",
        "no effect: sitemap: the value is not an absolute URL",
        "no effect: a field that robots.txt does not define",
        "no effect: no colon",
        "examplebot, all crawlers: may not fetch what begins with /<img src=x onerror=alert(1)>",
    ]);
    assert_eq!(meanings, expected, "{meanings:#}");
    assert_eq!(browser.run("return document.images.length"), 0);
    let row = browser.text("#verdicts tbody tr:first-child");
    assert_eq!(row.matches("disallow (line 4)").count(), 4, "{row}");
    assert_eq!(browser.run("return document.querySelectorAll('#lines tr.decides').length"), 1);
    // For a question that the editions answer differently, each deciding line names the editions for which it decides.
    fill(browser, "robots", "user-agent: *\nallow: /\ndisallow: p\n");
    fill(browser, "urls", "/p");
    for (edition, decides, elsewhere) in
        [("google-2018", "line-3", "line-2"), ("rfc9309", "line-2", "line-3")]
    {
        fill(browser, "edition", edition);
        let lit = "return ['decides', 'elsewhere'].map((name) =>
            [...document.querySelectorAll(`#lines tr.${name}`)].map((row) => row.id).join())";
        assert_eq!(browser.run(lit), json!([decides, elsewhere]), "{edition}");
    }
    let cell = |id: &str| browser.text(&format!("#{id} td:nth-child(3)"));
    assert!(cell("line-3").starts_with("Decides under google-2018. "), "{}", cell("line-3"));
    let others = "Decides under google-2019, google-2022, rfc9309. ";
    assert!(cell("line-2").starts_with(others), "{}", cell("line-2"));
    let why = browser.text("#why");
    assert!(
        why.contains("The editions differ:") && why.contains("google-2018: disallow: "),
        "{why}"
    );
    let row = browser.run("return document.querySelector('#verdicts tbody tr').className");
    assert_eq!(row, "differs");
}

/// The tester names the software that reads a star differently, with a link to a case.
pub(crate) fn constructs(browser: &Browser, server: &Server) {
    open(browser, server);
    fill(browser, "robots", "user-agent: *\ndisallow: /plain\n");
    assert_eq!(browser.text("#claims"), "No measured software reads this file differently.");
    assert!(browser.text("#contested").starts_with("No open question is known: "));
    fill(browser, "robots", "user-agent: *\ndisallow: /plain\ndisallow: /a*b\n");
    let claims = browser.text("#claims");
    assert!(claims.starts_with("* in a path (line 3): "), "{claims}");
    assert!(
        claims.contains("WWW-RobotRules 6.02") && claims.contains("Measured with "),
        "{claims}"
    );
    // The grammar of RFC 9309 does not allow a path that begins with a star; its section 2.2.2 may be read to allow it.
    fill(browser, "robots", "user-agent: *\ndisallow: *.pdf\n");
    let settled = browser.text("#contested");
    assert!(settled.starts_with("No open question is known: google-2022 "), "{settled}");
    fill(browser, "edition", "rfc9309");
    let contested = browser.text("#contested");
    assert!(contested.contains("(line 2): rfc9309 lets some questions"), "{contested}");
    assert!(contested.contains("rules::slashless-star-alone"), "{contested}");
    fill(browser, "robots", "user-agent: *\ndisallow: /a*b\n");
    browser.click("#claims a");
    browser.until("the case is open", "document.querySelector('details:target')?.open");
    let body = browser.text("details:target");
    assert!(body.contains("Fail it under RFC 9309: "), "{body}");
}

/// Tests the modes of the page: the URLs that a change opens and closes, and whether a file meets expectations.
pub(crate) fn modes(browser: &Browser, server: &Server) {
    browser.visit(&server.url("tester.html#diff"));
    ready(browser);
    fill(browser, "old", "user-agent: *\ndisallow: /shop/\n");
    fill(
        browser,
        "robots",
        "user-agent: *\ndisallow: /shop/\nallow: /shop/*?color=\n\nuser-agent: GPTBot\ndisallow: /\n",
    );
    let status = browser.text("#status");
    assert!(status.starts_with("1 pattern opened, 1 closed."), "{status}");
    let changes = browser.text("#changes");
    for part in
        ["opens /shop/*?color= for everyone except GPTBot", "closes / for GPTBot", "/shop/?color="]
    {
        assert!(changes.contains(part), "{part:?} is missing in {changes}");
    }
    fill(browser, "robots", "user-agent: *\ndisallow: /shop/\n\n# more\n");
    assert!(browser.text("#changes").starts_with("No URL changes its verdict"));
    browser.click("[name=mode][value=check]");
    fill(
        browser,
        "expectations",
        "never-blocked: [Googlebot]\nurls:\n- disallow: [/shop/x, /cart]\n",
    );
    let intent = browser.text("#intent");
    for part in ["not met: everyone may not fetch /cart", "met: Googlebot is not blocked"] {
        assert!(intent.contains(part), "{part:?} is missing in {intent}");
    }
    assert!(browser.text("#status").starts_with("2 of 3 expectations met."));
    fill(browser, "expectations", "never-blocked: Googlebot: x\n");
    assert!(browser.text("#intent").starts_with("mistake, line 1"), "{}", browser.text("#intent"));
    browser.click("#draft");
    browser.until(
        "the draft is written",
        "document.getElementById('expectations').value.includes('/shop/')",
    );
    browser.until("the draft is met", "!document.querySelector('#intent .unmet')");
    browser.click("[name=mode][value=meaning]");
    assert_eq!(browser.run("return document.getElementById('h-changes').checkVisibility()"), false);
}

/// The tester reads a chosen file as octets, because a text field cannot contain every file: a file may have another
/// encoding, a byte order mark, or CR alone.
pub(crate) fn dropped(browser: &Browser, server: &Server) {
    open(browser, server);
    let paths = ["dropped.txt", "chosen.txt"].map(|name| SITE.join(name));
    fs::write(&paths[0], b"\xEF\xBB\xBFuser-agent: *\rdisallow: /caf\xE9\r").unwrap();
    fs::write(&paths[1], b"\xFF\xFEu\0s\0e\0r\0-\0a\0g\0e\0n\0t\0:\0*\0\n\0").unwrap();
    let place = browser.run(
        "document.getElementById('robots').scrollIntoView();
         const { left, top } = document.getElementById('robots').getBoundingClientRect();
         return [left + 20, top + 20]",
    );
    let data =
        json!({ "items": [], "files": [paths[0].to_str().unwrap()], "dragOperationsMask": 1 });
    for kind in ["dragEnter", "dragOver", "drop"] {
        let event = json!({ "type": kind, "x": place[0], "y": place[1], "data": data });
        browser.devtools("Input.dispatchDragEvent", &event);
        if kind == "dragOver" {
            browser.until("the field shows it", "document.getElementById('drop').matches('.over')");
        }
    }
    browser.until("it is read", "document.getElementById('robots').value.includes('caf')");
    browser.until(
        "it is answered",
        "document.getElementById('findings').textContent.includes('FORMAT-BOM')",
    );
    assert_eq!(browser.run("return document.querySelectorAll('#lines tbody tr').length"), 2);
    assert!(browser.text("#line-2").contains("invalid-utf8"), "{}", browser.text("#line-2"));
    assert_eq!(browser.run("return document.getElementById('drop').matches('.over')"), false);
    browser.keys("#file", paths[1].to_str().unwrap());
    browser.until(
        "it is answered",
        "document.getElementById('findings').textContent.includes('UTF-16')",
    );
    // After the user edits the text, the tester reads the text and not the file.
    fill(browser, "robots", "user-agent: *\ndisallow: /private\n");
    assert_eq!(browser.text("#findings"), "None.");
    assert_eq!(browser.run("return document.getElementById('file').value"), "");
}

pub(crate) fn nothing_elsewhere(browser: &Browser, server: &Server) {
    open(browser, server);
    fill(browser, "robots", "user-agent: *\nsitemap: https://example.com/s.xml\n");
    let loaded =
        browser.run("return performance.getEntriesByType('resource').map((entry) => entry.name)");
    let loaded = loaded.as_array().unwrap();
    for name in loaded {
        assert!(name.as_str().unwrap().starts_with(&server.url("")), "{name}");
    }
    // The page cannot send the file elsewhere, because its security policy forbids this.
    let tried = browser.run(
        "const refused = [];
         document.addEventListener('securitypolicyviolation', (event) => refused.push(event.effectiveDirective));
         const image = new Image();
         image.src = 'https://example.com/x.png';
         const script = document.createElement('script');
         script.textContent = 'window.hacked = 1';
         document.body.append(script);
         return fetch('https://example.com/').then(() => 'fetched', () => new Promise((done) =>
           setTimeout(() => done([window.hacked ?? 0, ...refused.sort()]), 100)))",
    );
    assert_eq!(tried, json!([0, "connect-src", "img-src", "script-src-elem"]));
    let errors = browser.errors();
    assert!(
        errors.iter().all(|error| error.to_string().contains("Content Security Policy")),
        "{errors:#?}"
    );
}
