//! The labels of ids in reports for people: [`words`], and [`heading`] at the start of a line.

/// Returns the label of an id: an area in words, or the name of an edition.
pub(super) fn words(id: &str) -> String {
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
pub(super) fn heading(id: &str) -> String {
    let words = words(id);
    // `robots` keeps its lower-case letter, even at the start of a heading.
    let first =
        if id.starts_with("robots") { 0 } else { words.chars().next().map_or(0, char::len_utf8) };
    words[..first].to_uppercase() + &words[first..]
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::{heading, words};

    #[rstest]
    #[trace]
    #[case("path-matching", "path matching", "Path matching")]
    #[case("http-result", "HTTP result", "HTTP result")]
    #[case("robots-url", "robots URL", "robots URL")]
    #[case("rfc9309", "RFC 9309", "RFC 9309")]
    #[case("google-2022", "Google 2022", "Google 2022")]
    fn ids_have_words(#[case] id: &str, #[case] inside: &str, #[case] first: &str) {
        assert_eq!((words(id).as_str(), heading(id).as_str()), (inside, first));
    }
}
