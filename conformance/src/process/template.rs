//! A command line with placeholders: [`Template`].
//!
//! The command line is split into words first, without a shell. After that, the placeholders in each word are replaced,
//! so a value cannot add a word, and a placeholder inside a value stays as it is.

use robots_console::error::Error;

/// A command line with placeholders such as `{url}`.
///
/// ```
/// use robots_conformance::process::Template;
///
/// let template = Template::new("tool --url={url}", &["{agent}", "{url}"])?;
/// assert!(template.uses("{url}") && !template.uses("{agent}"));
/// assert_eq!(template.filled(&[("{url}", "/a {agent}")]), ["tool", "--url=/a {agent}"]);
/// # Ok::<(), robots_console::error::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Template {
    text: String,
    words: Vec<String>,
}

impl Template {
    /// Splits a command line into words, as a POSIX shell does, and checks its placeholders. `known` lists the
    /// placeholders, with their braces. Other text in braces belongs to the program, unless it looks like a
    /// placeholder.
    ///
    /// # Errors
    /// Returns an error if a quotation is not closed, if there is no word, or if a placeholder does not exist.
    pub fn new(text: &str, known: &[&str]) -> Result<Self, Error> {
        let words = super::words(text)?;
        if let Some(unknown) = words.iter().find_map(|word| unknown(word, known)) {
            let known = known.join(", ");
            return Err(format!(
                "the template {text:?} has {unknown}; the placeholders are {known}"
            )
            .into());
        }
        Ok(Self { text: text.to_owned(), words })
    }

    /// Returns the command line as it was written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the words, with their placeholders. The first word is the program.
    #[must_use]
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// Returns whether an argument contains a placeholder, which is written with its braces.
    #[must_use]
    pub fn uses(&self, placeholder: &str) -> bool {
        self.words[1..].iter().any(|word| word.contains(placeholder))
    }

    /// Checks that the template uses a placeholder. `meaning` describes the placeholder in the error.
    ///
    /// # Errors
    /// Returns an error if the template does not use the placeholder.
    pub fn needs(&self, placeholder: &str, meaning: &str) -> Result<(), Error> {
        if self.uses(placeholder) {
            return Ok(());
        }
        let template = &self.text;
        Err(format!("the template {template:?} does not use {placeholder}: {meaning}").into())
    }

    /// Returns the words, with the placeholders replaced by their values.
    #[must_use]
    pub fn filled(&self, values: &[(&str, &str)]) -> Vec<String> {
        self.words.iter().map(|word| filled(word, values)).collect()
    }
}

/// Replaces the placeholders of a word in one pass, so that a placeholder inside a value is not replaced.
fn filled(word: &str, values: &[(&str, &str)]) -> String {
    let mut out = String::new();
    let mut rest = word;
    while let Some(at) = rest.find('{') {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let value = values.iter().find(|(name, _)| from.starts_with(name));
        // A brace that begins no placeholder belongs to the program.
        let (name, value) = value.unwrap_or(&("{", "{"));
        out.push_str(value);
        rest = &from[name.len()..];
    }
    out + rest
}

/// Returns the first part of a word that looks like a placeholder but is not a known one.
fn unknown<'w>(word: &'w str, known: &[&str]) -> Option<&'w str> {
    word.match_indices('{').find_map(|(at, _)| {
        let length = word[at..].find('}')? + 1;
        let name = &word[at..at + length];
        let is_name = length > 2 && name[1..length - 1].bytes().all(|o| o.is_ascii_lowercase());
        (is_name && !known.contains(&name)).then_some(name)
    })
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::{Template, filled, unknown};

    const KNOWN: &[&str] = &["{agent}", "{robots}", "{url}"];

    #[rstest]
    #[trace]
    #[case("--url={url}", "--url=/{agent}?{robots}")]
    #[case("{agent}{url}{", "bot/{agent}?{robots}{")]
    #[case("ü{robots}ü{x}", "ü/tmp/xü{x}")]
    #[case("{{agent}}", "{bot}")]
    fn a_value_is_not_searched_for_placeholders(#[case] word: &str, #[case] expected: &str) {
        let values = [("{agent}", "bot"), ("{robots}", "/tmp/x"), ("{url}", "/{agent}?{robots}")];
        assert_eq!(filled(word, &values), expected);
    }

    #[rstest]
    #[trace]
    #[case("--ua={agent} {file}", Some("{file}"))]
    #[case("{} {\"a\":1} {url} %{http_code}", None)]
    fn only_lower_case_names_are_placeholders(#[case] word: &str, #[case] name: Option<&str>) {
        assert_eq!(unknown(word, KNOWN), name);
    }

    #[rstest]
    #[trace]
    #[case("tool '", "close the quotation")]
    #[case(" ", "is blank")]
    #[case("{robots} {url}", "does not use {robots}")]
    #[case("tool {file}", "has {file}; the placeholders are {agent}, {robots}, {url}")]
    fn mistakes_are_reported(#[case] text: &str, #[case] message: &str) {
        let template = Template::new(text, KNOWN);
        let problem =
            template.and_then(|it| it.needs("{robots}", "the file")).unwrap_err().to_string();
        assert!(problem.contains(message), "{problem}");
    }
}
