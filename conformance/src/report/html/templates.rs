//! The templates that pages share: [`Templates`].
//!
//! Start at [`Templates::new`]. Pages show text from files and subjects, so every value is escaped, unless a filter of
//! this module has made it safe. If a template uses a name that has no data, rendering fails. A script runs only if the
//! content security policy contains its digest ([`source()`]). Data for a script is written by [`script_json`], so that
//! no text can end the script element.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, UndefinedBehavior, Value};
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use crate::report::markdown::html;
use crate::report::words::{heading, words};
use robots_console::error::Error;

/// The templates that every page can use.
///
/// `layout.html` is the whole document with its styles, and `matrix.html` is the coloured table. Every page extends
/// `frame.html`, which the caller gives. `page.html` is the report.
const SHARED: [(&str, &str); 3] = [
    ("layout.html", include_str!("layout.html")),
    ("matrix.html", include_str!("matrix.html")),
    ("page.html", include_str!("page.html")),
];

/// The shared templates, with a frame: the navigation of a site and its footer.
///
/// ```
/// use robots_conformance::report::html::Templates;
/// use serde_json::Value;
///
/// let mut templates = Templates::new("{% extends 'layout.html' %}", &Value::Null)?;
/// templates.add("a.html", "{% extends 'frame.html' %}{% block main %}<p>{{ text | prose }}</p>{% endblock %}")?;
/// let page = templates.render("a.html", &std::collections::BTreeMap::from([("text", "`*` & more"), ("title", "A")]))?;
/// assert!(page.contains("<p><code>*</code> &amp; more</p>"));
/// # Ok::<(), robots_console::error::Error>(())
/// ```
#[derive(Debug)]
pub struct Templates(Environment<'static>);

impl Templates {
    /// Makes the shared templates. `frame` is a template that extends `layout.html` and fills its blocks; its data has the
    /// name `site`. Every value is escaped unless it is marked as safe, and an unknown name is an error.
    ///
    /// # Errors
    /// Returns an error if the frame is not a template.
    pub fn new(frame: &str, site: &serde_json::Value) -> Result<Self, Error> {
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment.set_auto_escape_callback(|_| AutoEscape::Html);
        let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build();
        environment.set_syntax(syntax.map_err(|error| invalid(&error))?);
        environment.add_filter("prose", |text: &str| Value::from_safe_string(prose(text)));
        environment.add_filter("script", |text: &str| Value::from_safe_string(script(text)));
        environment.add_filter("source", |text: &str| Value::from_safe_string(source(text)));
        environment.add_filter("words", words);
        environment.add_filter("heading", heading);
        environment.add_global("style", include_str!("page.css"));
        environment.add_global("scrolling", include_str!("scrolling.js"));
        environment.add_global("site", Value::from(Serde(site)));
        let mut templates = Self(environment);
        for (name, text) in SHARED {
            templates.add(name, text)?;
        }
        templates.add("frame.html", frame)?;
        Ok(templates)
    }

    /// Adds a template.
    ///
    /// # Errors
    /// Returns an error if the template is invalid.
    pub fn add(&mut self, name: &str, text: &str) -> Result<(), Error> {
        let added = self.0.add_template_owned(name.to_owned(), text.to_owned());
        added.map_err(|error| invalid(&error))
    }

    /// Fills a template with data.
    ///
    /// # Errors
    /// Returns an error if the template uses a name that the data does not have.
    pub fn render(&self, name: &str, data: &impl Serialize) -> Result<String, Error> {
        let template = self.0.get_template(name).map_err(|error| invalid(&error))?;
        template.render(Value::from(Serde(data))).map_err(|error| invalid(&error))
    }
}

/// Writes data as JSON that can be the content of a `script` element.
///
/// # Errors
/// Returns an error if the data cannot be written as JSON.
pub fn script_json(data: &impl Serialize) -> Result<String, Error> {
    let json = serde_json::to_string(data).map_err(|error| Error::new(error.to_string()))?;
    // `<` is escaped, because with `<` a robots.txt could end the script element.
    Ok(json.replace('<', "\\u003c"))
}

fn invalid(error: &minijinja::Error) -> Error {
    Error::new(format!("the page's template: {error:#}"))
}

/// Writes a script as an element of the page.
fn script(text: &str) -> String {
    format!("<script>{text}</script>")
}

/// Returns the source of a script for the content security policy: the digest of its text. Any other script, for
/// example one in an answer that was not escaped, has another digest and does not run.
fn source(text: &str) -> String {
    format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(text)))
}

/// Writes prose as HTML: text between backticks is code, and an address between angle brackets is a link.
fn prose(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    let part = |(index, part): (usize, &&str)| match (index % 2, index + 1 == parts.len()) {
        (0, _) => linked(part),
        (_, false) => format!("<code>{}</code>", escaped(part)),
        // A backtick without a second backtick is text.
        (_, true) => format!("`{}", escaped(part)),
    };
    parts.iter().enumerate().map(part).collect()
}

/// Writes text as HTML, with links for addresses between angle brackets.
fn linked(text: &str) -> String {
    let mut parts = text.split("<https://");
    let before = escaped(parts.next().unwrap_or_default());
    let link = |part: &str| match part.split_once('>') {
        Some((address, rest)) => {
            let (address, rest) = (escaped(address), escaped(rest));
            format!("<a href=\"https://{address}\">{address}</a>{rest}")
        }
        None => escaped(&format!("<https://{part}")),
    };
    before + &parts.map(link).collect::<String>()
}

fn escaped(text: &str) -> String {
    html(text).replace('"', "&quot;").replace('\'', "&#39;")
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::{prose, source};

    #[test]
    fn a_policy_names_a_script_by_its_digest() {
        // The SHA-256 digest of an empty text.
        assert_eq!(source(""), "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='");
    }

    #[rstest]
    #[trace]
    #[case("plain <b>", "plain &lt;b&gt;")]
    #[case("`*` matches `a`", "<code>*</code> matches <code>a</code>")]
    #[case("one ` alone", "one ` alone")]
    #[case("`<script>`", "<code>&lt;script&gt;</code>")]
    #[case("<https://a.example> <c>", "<a href=\"https://a.example\">a.example</a> &lt;c&gt;")]
    #[case("<https://a", "&lt;https://a")]
    fn code_and_addresses_are_marked(#[case] text: &str, #[case] html: &str) {
        assert_eq!(prose(text), html);
    }
}
