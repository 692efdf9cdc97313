//! Questions about the use of content in a vector. Only draft editions have them.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use robots_core::engine::{PreferenceQuestion, UsageQuestion};
use robots_core::usage::Vocabulary;
use serde_json::Value;

use super::octets::written;

/// Writes the data of a question about a URL, except its file, its crawler and its URL.
pub(super) fn write_usage(question: &UsageQuestion, put: &mut impl FnMut(&str, Value)) {
    write_header(&question.header, put);
    write_vocabulary(question.vocabulary, put);
}

/// Writes the `Content-Usage` field lines of an answer, if it has any.
pub(super) fn write_header(header: &[Vec<u8>], put: &mut impl FnMut(&str, Value)) {
    if !header.is_empty() {
        put("content_usage_base64", header.iter().map(|line| BASE64.encode(line)).collect());
    }
}

/// Writes the octets of a preference.
pub(super) fn write_preference(question: &PreferenceQuestion, put: &mut impl FnMut(&str, Value)) {
    written("preference", &question.octets, &[], put);
    write_vocabulary(question.vocabulary, put);
}

/// Writes the vocabulary, if it is not the default.
fn write_vocabulary(vocabulary: Vocabulary, put: &mut impl FnMut(&str, Value)) {
    if vocabulary != Vocabulary::default() {
        put("vocabulary", vocabulary.id().into());
    }
}
