//! The filters of the templates, and how pages are rendered.
//!
//! Pages show text from files and subjects, so every value is escaped, unless a filter of this module has made it safe.
//! If a template uses a name that has no data, rendering fails. A script runs only if the content security policy
//! contains its digest ([`source()`]).

use std::fmt::Write as _;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use minijinja::syntax::SyntaxConfig;
use minijinja::{AutoEscape, Environment, HtmlEscape, UndefinedBehavior, Value};
use serde::Serialize;
use sha2::{Digest as _, Sha256};

/// The templates, with their names.
const TEMPLATES: [(&str, &str); 9] = [
    ("frame.html", include_str!("frame.html")),
    ("table.html", include_str!("table.html")),
    ("index.html", include_str!("index.html")),
    ("software.html", include_str!("software.html")),
    ("release.html", include_str!("release.html")),
    ("requirements.html", include_str!("requirements.html")),
    ("differences.html", include_str!("differences.html")),
    ("tester.html", include_str!("tester.html")),
    ("search.html", include_str!("search.html")),
];

/// Returns the templates and their filters.
pub(super) fn templates() -> Result<Environment<'static>, String> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build();
    environment.set_syntax(syntax.map_err(|error| error.to_string())?);
    environment.add_filter("prose", |text: &str| Value::from_safe_string(prose(text)));
    environment.add_filter("script", |text: &str| {
        Value::from_safe_string(format!("<script>{text}</script>"))
    });
    environment.add_filter("source", |text: &str| Value::from_safe_string(source(text)));
    environment.add_filter("words", words);
    environment.add_filter("heading", heading);
    for (name, text) in TEMPLATES {
        environment.add_template(name, text).map_err(|error| format!("{error:#}"))?;
    }
    Ok(environment)
}

/// Writes data as JSON that can be the content of a `script` element.
pub(super) fn script_json(data: &impl Serialize) -> Result<String, String> {
    let json = serde_json::to_string(data).map_err(|error| error.to_string())?;
    // `<` is escaped, because with `<` a robots.txt could end the script element.
    Ok(json.replace('<', "\\u003c"))
}

/// Returns the source of a script for the content security policy: the digest of its text. Any other script, for
/// example one in an answer that was not escaped, has another digest and does not run.
fn source(text: &str) -> String {
    format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(text)))
}

/// Returns the label of an id: an area in words, or the name of an edition.
fn words(id: &str) -> String {
    if let Some(number) = id.strip_prefix("rfc").filter(|rest| rest.parse::<u32>().is_ok()) {
        return format!("RFC {number}");
    }
    let word = |part: &str| match part {
        "http" | "url" => part.to_uppercase(),
        "google" => "Google".to_owned(),
        part => part.to_owned(),
    };
    id.split('-').map(word).collect::<Vec<_>>().join(" ")
}

/// Returns the label of an id as a heading, with a capital letter at its start.
fn heading(id: &str) -> String {
    let words = words(id);
    // `robots` keeps its lower-case letter, even at the start of a heading.
    let first =
        if id.starts_with("robots") { 0 } else { words.chars().next().map_or(0, char::len_utf8) };
    words[..first].to_uppercase() + &words[first..]
}

/// Writes prose as HTML: text between backticks is code, and an address between angle brackets is a link.
fn prose(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    let mut html = String::new();
    for (index, part) in parts.iter().enumerate() {
        // A backtick without a second backtick is text.
        match (index % 2, index + 1 == parts.len()) {
            (0, _) => html.push_str(&linked(part)),
            (_, false) => {
                let _ = write!(html, "<code>{}</code>", HtmlEscape(part));
            }
            (_, true) => {
                let _ = write!(html, "`{}", HtmlEscape(part));
            }
        }
    }
    html
}

/// Writes text as HTML, with links for addresses between angle brackets.
fn linked(text: &str) -> String {
    let mut parts = text.split("<https://");
    let mut html = HtmlEscape(parts.next().unwrap_or_default()).to_string();
    for part in parts {
        let _ = match part.split_once('>') {
            Some((address, rest)) => {
                let (address, rest) = (HtmlEscape(address), HtmlEscape(rest));
                write!(html, "<a href=\"https://{address}\">{address}</a>{rest}")
            }
            None => write!(html, "&lt;https://{}", HtmlEscape(part)),
        };
    }
    html
}

#[cfg(test)]
mod tests {
    use super::{heading, prose, source, words};

    #[test]
    fn a_policy_names_a_script_by_its_digest() {
        // The SHA-256 digest of an empty text.
        assert_eq!(source(""), "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='");
    }

    #[test]
    fn ids_have_words() {
        for (id, inside, first) in [
            ("path-matching", "path matching", "Path matching"),
            ("http-result", "HTTP result", "HTTP result"),
            ("robots-url", "robots URL", "robots URL"),
            ("rfc9309", "RFC 9309", "RFC 9309"),
            ("google-2022", "Google 2022", "Google 2022"),
        ] {
            assert_eq!((words(id).as_str(), heading(id).as_str()), (inside, first));
        }
    }

    #[test]
    fn backticks_are_code() {
        for (text, html) in [
            ("plain <b>", "plain &lt;b&gt;"),
            ("`*` matches `a`", "<code>*</code> matches <code>a</code>"),
            ("one ` alone", "one ` alone"),
            ("`<script>`", "<code>&lt;script&gt;</code>"),
            (
                "see <https://a.example> and <c>",
                "see <a href=\"https://a.example\">a.example</a> and &lt;c&gt;",
            ),
            ("<https://a", "&lt;https://a"),
        ] {
            assert_eq!(prose(text), html);
        }
    }
}
