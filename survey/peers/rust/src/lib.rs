//! The protocol of the suite for adapters in Rust: JSON lines on standard input and output.
//!
//! Start at [`serve`]. The library reads questions, calls the functions of an adapter, and writes their answers. Each
//! adapter is a program in `src/bin`. This library contains no code for a particular peer.

use std::any::Any;
use std::borrow::Cow;
use std::fmt::Display;
use std::io::{self, BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
pub use serde_json::{Value, json};

/// The reason why a question has no answer.
pub enum Failure {
    /// The peer has no interface for the question; the text gives the reason.
    Unsupported(String),
    /// The peer failed.
    Error(String),
}

impl<E: Display> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::Error(error.to_string())
    }
}

/// The fields of an answer, or the reason why there is no answer.
pub type Reply = Result<Value, Failure>;

/// A kind of question, and the function that answers it.
pub type Answer = (&'static str, fn(&Question) -> Reply);

/// One question. The methods decode and convert the fields of the question.
pub struct Question(Value);

impl Question {
    /// Returns a field of the question, or `null` if the question does not have the field.
    pub fn field(&self, name: &str) -> &Value {
        &self.0[name]
    }

    /// Returns a text field of the question.
    pub fn string(&self, name: &str) -> Result<&str, Failure> {
        self.0[name].as_str().ok_or_else(|| format!("the question has no text {name:?}").into())
    }

    /// Returns the robots.txt as octets.
    pub fn octets(&self) -> Result<Vec<u8>, Failure> {
        Ok(BASE64.decode(self.string("robots_txt")?)?)
    }

    /// Returns the robots.txt as text, for peers that do not accept octets. As decoders of UTF-8 do, this drops a byte
    /// order mark and replaces octets that are not UTF-8 with U+FFFD.
    pub fn text(&self) -> Result<String, Failure> {
        let octets = self.octets()?;
        let octets = octets.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&octets);
        Ok(String::from_utf8_lossy(octets).into_owned())
    }

    /// Returns the crawler's product tokens, the most specific token first.
    pub fn tokens(&self) -> Result<Vec<&str>, Failure> {
        let crawler = self.0["crawler"].as_array().ok_or("the question has no crawler")?;
        Ok(crawler.iter().filter_map(Value::as_str).collect())
    }

    /// Returns the crawler's product token, for peers that take only one. A list of several tokens is unsupported.
    pub fn token(&self) -> Result<&str, Failure> {
        match self.tokens()?[..] {
            [token] => Ok(token),
            _ => Err(unsupported("this parser accepts one product token, not a list")),
        }
    }

    /// Returns the URL as the question contains it.
    pub fn url(&self) -> Result<&str, Failure> {
        self.string("url")
    }

    /// Returns the URL for peers whose callers must percent-encode it (RFC 3986).
    ///
    /// For the observed profile, the URL is not changed, because this profile records what the library does with any
    /// text.
    pub fn encoded_url(&self) -> Result<Cow<'_, str>, Failure> {
        let url = self.url()?;
        if self.0["edition"] == "google-cpp" {
            return Ok(Cow::Borrowed(url));
        }
        let keep = |octet: u8| {
            octet.is_ascii_alphanumeric() || b"%:/?#[]@!$&'()*+,;=-._~".contains(&octet)
        };
        let encode =
            |octet| if keep(octet) { char::from(octet).into() } else { format!("%{octet:02X}") };
        Ok(Cow::Owned(url.bytes().map(encode).collect()))
    }

    /// Returns the URL's path and query without changes, for peers that take a path.
    pub fn path_and_query(&self) -> Result<String, Failure> {
        let url = self.url()?;
        let url = url.split_once('#').map_or(url, |(before, _)| before);
        let after_scheme = match url.split_once("://") {
            Some((scheme, rest)) if !scheme.contains(['/', '?']) => rest,
            _ => return Ok(with_slash(url)),
        };
        Ok(with_slash(after_scheme.find(['/', '?']).map_or("", |start| &after_scheme[start..])))
    }
}

/// Makes the answer to a verdict question.
pub fn verdict(allowed: bool) -> Reply {
    Ok(json!({ "verdict": if allowed { "allow" } else { "disallow" } }))
}

/// Makes the error for a question that the peer has no interface for.
pub fn unsupported(reason: &str) -> Failure {
    Failure::Unsupported(reason.to_owned())
}

/// Answers questions until standard input ends.
///
/// # Errors
///
/// Returns an error if standard input or output fails.
pub fn serve(peer: &str, editions: &[&str], answers: &[Answer]) -> io::Result<()> {
    let kinds: Vec<&str> = answers.iter().map(|(kind, _)| *kind).collect();
    // Questions of these kinds are addressed only to crawlers.
    let crawls = kinds.iter().any(|kind| ["scope", "access", "freshness"].contains(kind));
    let roles: &[&str] = if crawls { &["parser", "crawler"] } else { &["parser"] };
    let hello = json!({
        "protocol": 1, "name": peer, "version": version(peer), "language": "rust",
        "answers": kinds, "editions": editions, "roles": roles,
    });
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().split(b'\n') {
        let reply = match serde_json::from_slice::<Value>(&line?) {
            Ok(question) if question["ask"] == "hello" => hello.clone(),
            Ok(question) => reply(answers, Question(question)),
            Err(error) => json!({ "id": null, "error": format!("not a JSON line: {error}") }),
        };
        writeln!(out, "{reply}")?;
        out.flush()?;
    }
    Ok(())
}

fn reply(answers: &[Answer], question: Question) -> Value {
    let id = question.field("id").clone();
    // If the peer panics, the panic is the answer to this question. The adapter continues with the next question.
    let mut reply = match catch_unwind(AssertUnwindSafe(|| answer(answers, &question))) {
        Ok(Ok(fields)) => fields,
        Ok(Err(Failure::Unsupported(reason))) => json!({ "unsupported": reason }),
        Ok(Err(Failure::Error(message))) => json!({ "error": message }),
        Err(panic) => json!({ "error": format!("panic: {}", panic_text(&*panic)) }),
    };
    reply["id"] = id;
    reply
}

fn answer(answers: &[Answer], question: &Question) -> Reply {
    let ask = question.string("ask")?;
    match answers.iter().find(|(kind, _)| *kind == ask) {
        Some((_, answer)) => answer(question),
        None => Err(unsupported(&format!("no interface for {ask} questions"))),
    }
}

fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("without a message")
}

fn with_slash(path: &str) -> String {
    if path.starts_with('/') { path.to_owned() } else { format!("/{path}") }
}

/// Returns the version of a dependency, from the lock file of this build.
fn version(package: &str) -> &'static str {
    let name = format!("name = \"{package}\"\nversion = \"");
    let lock = include_str!("../Cargo.lock");
    let rest = lock.split_once(&name).map_or("", |(_, rest)| rest);
    rest.split('"').next().unwrap_or_default()
}
