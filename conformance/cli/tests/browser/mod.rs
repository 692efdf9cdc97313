//! Controls Chromium through chromedriver for the tests of pages: [`Browser`].
//!
//! The protocol is `WebDriver`, which is JSON over HTTP. So a small HTTP client is enough.

pub(crate) mod axe;

use std::env;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// A script that finds texts with too little contrast. WCAG 2 requires 4.5 : 1 for text of normal size.
const CONTRAST: &str = "
    const channels = (colour) => colour.match(/[\\d.]+/g).map(Number);
    const light = (colour) => channels(colour).slice(0, 3)
      .map((value) => value / 255)
      .map((value) => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
      .reduce((sum, value, index) => sum + value * [0.2126, 0.7152, 0.0722][index], 0);
    const back = (element) => {
      const colour = getComputedStyle(element).backgroundColor;
      return channels(colour)[3] === 0 ? back(element.parentElement) : colour;
    };
    const faint = new Set();
    let seen = 0;
    for (const element of document.querySelectorAll('body *')) {
      const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
      if (!hasText || !element.checkVisibility() || element.matches('script, option, .skip')) continue;
      const [a, b] = [getComputedStyle(element).color, back(element)].map(light);
      const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      seen += 1;
      const text = element.textContent.slice(0, 20);
      if (ratio < 4.5) faint.add(`${element.className} ${text} ${ratio.toFixed(2)}`);
    }
    return [seen, getComputedStyle(document.body).backgroundColor, ...faint]";

/// A Chromium process, and the chromedriver process that controls it. The two processes end when this value is dropped.
pub(crate) struct Browser {
    driver: Child,
    folder: PathBuf,
    session: String,
    agent: ureq::Agent,
}

impl Browser {
    pub(crate) fn start(name: &str) -> Result<Self, String> {
        let on_path = |names: &[&str]| {
            let folders: Vec<PathBuf> = env::split_paths(&env::var_os("PATH")?).collect();
            let files = names.iter().flat_map(|name| folders.iter().map(move |at| at.join(name)));
            files.into_iter().find(|file| file.is_file())
        };
        let missing = "chromium or chromedriver is not installed; \
                       on Debian: apt-get install chromium chromium-driver";
        let (Some(chromium), Some(chromedriver)) = (
            on_path(&["chromium", "chromium-browser", "google-chrome"]),
            on_path(&["chromedriver"]),
        ) else {
            return Err(missing.to_owned());
        };
        let folder = env::temp_dir().join(format!("robots-html-{}-{name}", std::process::id()));
        fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        let driver = Command::new(chromedriver)
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("chromedriver did not start: {error}"))?;
        let config = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(Duration::from_secs(60)));
        let agent = config.build().new_agent();
        let mut browser = Self { driver, folder, session: String::new(), agent };
        let lines = BufReader::new(browser.driver.stdout.take().expect("it is piped")).lines();
        let port = lines
            .map_while(Result::ok)
            .find_map(|line| Some(digits(line.split_once("successfully on port ")?.1)))
            .expect("chromedriver says its port");
        browser.session = format!("http://127.0.0.1:{port}/session");
        let profile = format!("--user-data-dir={}", browser.folder.join("profile").display());
        let arguments = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--disable-dev-shm-usage",
            "--window-size=1400,1000",
            profile.as_str(),
        ];
        let options = json!({ "binary": chromium, "args": arguments });
        let capabilities = json!({
            "goog:chromeOptions": options,
            "goog:loggingPrefs": { "browser": "ALL" },
        });
        let session = browser.post("", &json!({ "capabilities": { "alwaysMatch": capabilities } }));
        let id = session["sessionId"].as_str().expect("a session has an id");
        browser.session = format!("{}/{id}", browser.session);
        Ok(browser)
    }

    /// Sends a command to chromedriver, and returns the value of its answer.
    pub(crate) fn post(&self, command: &str, body: &Value) -> Value {
        let url = format!("{}/{command}", self.session);
        let sent = self.agent.post(url.trim_end_matches('/')).send_json(body);
        let mut answer = sent.unwrap_or_else(|error| panic!("{command}: {error}"));
        let mut value: Value = answer.body_mut().read_json().expect("the driver speaks JSON");
        assert!(answer.status().is_success(), "{command} {body}: {:#}", value["value"]);
        value["value"].take()
    }

    pub(crate) fn open(&self, page: &str) {
        fs::write(self.folder.join("page.html"), page).unwrap();
        self.go("");
    }

    /// Opens the page with this fragment in its URL.
    pub(crate) fn go(&self, fragment: &str) {
        self.visit(&format!("file://{}{fragment}", self.folder.join("page.html").display()));
    }

    pub(crate) fn visit(&self, url: &str) {
        self.post("url", &json!({ "url": url }));
    }

    /// Sends a command of the `DevTools` protocol.
    pub(crate) fn devtools(&self, command: &str, parameters: &Value) -> Value {
        self.post("goog/cdp/execute", &json!({ "cmd": command, "params": parameters }))
    }

    /// Shows the page at this width, in px, and in the colour scheme `light` or `dark`.
    pub(crate) fn show(&self, width: u32, scheme: &str) {
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        self.devtools("Emulation.setEmulatedMedia", &json!({ "features": features }));
        let metrics =
            json!({ "width": width, "height": 800, "deviceScaleFactor": 1, "mobile": false });
        self.devtools("Emulation.setDeviceMetricsOverride", &metrics);
        self.until("the page is as wide", &format!("innerWidth === {width}"));
    }

    /// Returns the number of visible texts, the background colour of the page, and the texts with too little contrast.
    pub(crate) fn contrast(&self) -> Value {
        self.run(CONTRAST)
    }

    pub(crate) fn run(&self, script: &str) -> Value {
        self.run_with(script, &json!([]))
    }

    pub(crate) fn run_with(&self, script: &str, arguments: &Value) -> Value {
        self.post("execute/sync", &json!({ "script": script, "args": arguments }))
    }

    pub(crate) fn until(&self, what: &str, condition: &str) {
        let start = Instant::now();
        while self.run(&format!("return {condition}")) != true {
            assert!(start.elapsed() < Duration::from_secs(20), "in 20 s not: {what}");
            thread::sleep(Duration::from_millis(20));
        }
    }

    fn element(&self, selector: &str) -> String {
        let query = json!({ "using": "css selector", "value": selector });
        let element = self.post("element", &query);
        let (_, id) = element.as_object().unwrap().iter().next().unwrap();
        format!("element/{}", id.as_str().unwrap())
    }

    pub(crate) fn click(&self, selector: &str) {
        self.post(&format!("{}/click", self.element(selector)), &json!({}));
    }

    pub(crate) fn keys(&self, selector: &str, text: &str) {
        self.post(&format!("{}/value", self.element(selector)), &json!({ "text": text }));
    }

    /// Presses a key in the element that has the focus.
    pub(crate) fn press(&self, key: &str) {
        let strokes =
            json!([{ "type": "keyDown", "value": key }, { "type": "keyUp", "value": key }]);
        let keyboard = json!({ "type": "key", "id": "keyboard", "actions": strokes });
        self.post("actions", &json!({ "actions": [keyboard] }));
    }

    pub(crate) fn choose(&self, name: &str, value: &str) {
        let before = self.run("return location.hash");
        self.click(&format!("[name={name}] option[value='{value}']"));
        self.until("the URL holds the choice", &format!("location.hash !== {before}"));
    }

    /// Returns the visible text of an element.
    pub(crate) fn text(&self, selector: &str) -> String {
        let script = "return document.querySelector(arguments[0]).innerText";
        self.run_with(script, &json!([selector])).as_str().unwrap().to_owned()
    }

    /// Returns the number of questions that the page shows above its list.
    pub(crate) fn questions(&self) -> usize {
        digits(self.text("#count").split(" of ").next().unwrap())
    }

    pub(crate) fn errors(&self) -> Vec<Value> {
        let log = self.post("se/log", &json!({ "type": "browser" }));
        log.as_array().expect("the log is a list").clone()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.agent.delete(&self.session).call();
        let _ = self.driver.kill();
        let _ = self.driver.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn digits(text: &str) -> usize {
    text.chars().filter(char::is_ascii_digit).collect::<String>().parse().unwrap()
}
