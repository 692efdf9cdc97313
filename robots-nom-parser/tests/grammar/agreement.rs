//! Checks that the recogniser and the interpreter of the `.abnf` files give the same results, for files and for lines.

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, FileFailurePersistence, TestRunner};
use robots_nom_parser::NomParser;
use robots_nom_parser::robots_core::syntax::{self, GrammarMatch, Parser};
use rstest::rstest;

use super::generator::{derived, mutated, pieces};
use super::interpreter::Grammar;
use super::published;

/// The number of inputs for each edition and kind of input.
const CASES: u32 = 4096;

#[rstest]
#[trace]
#[case::rfc9309(rfc9309())]
#[case::google_2018(google_2018())]
fn on_octets_derived_from_the_grammar(
    #[case]
    #[notrace]
    subject: Subject,
) {
    subject.test(&derived(&subject.grammar), |octets| {
        let derivation = subject.agreed(octets)?;
        prop_assert!(derivation.file(), "the generator made octets that do not derive");
        Ok(())
    });
}

#[rstest]
#[trace]
#[case::rfc9309(rfc9309())]
#[case::google_2018(google_2018())]
fn on_mutations(
    #[case]
    #[notrace]
    subject: Subject,
) {
    subject.test(&mutated(&subject.grammar), |octets| subject.agreed(octets).map(drop));
}

#[rstest]
#[trace]
#[case::rfc9309(rfc9309())]
#[case::google_2018(google_2018())]
fn on_pieces(
    #[case]
    #[notrace]
    subject: Subject,
) {
    subject.test(&pieces(), |octets| subject.agreed(octets).map(drop));
}

/// Tests files whose octets google-2018 can divide in several ways. The first way that fits may not reach the end of
/// the file, and sometimes no way does.
#[rstest]
#[trace]
#[case::comment_folded(b"user-agent: a\r\n # c\n", true)]
#[case::comment_alone(b"user-agent: a\r\n # c", true)]
#[case::comments_one_folded(b"user-agent: a\r\n # c\r\n # d", true)]
#[case::value_folded(b"user-agent:\r\n sitemap: relative\n", true)]
#[case::value_empty(b"user-agent:\r\n # c", true)]
#[case::record_behind_comment(b"# c user-agent: a\n", true)]
#[case::rule_behind_that(b"# c user-agent: a\ndisallow: /a\n", true)]
#[case::rule_before_any(b"# c\r\n disallow: /a", false)]
#[case::other_url_octets_behind_comment(b"# sitemap: sitemap: a:\xFF\n", true)]
#[case::rule_behind_no_group(b"#:\ndisallow: /a\n", false)]
#[case::comment_with_ending(b"# c\n", false)]
#[case::empty_fields(b": a\n\r\n \r\n\t:\r\n b\r\n\t#c\r", true)]
fn on_ways_that_part(#[case] octets: &[u8], #[case] derives: bool) {
    assert_eq!(google_2018().agreed(octets).unwrap().file(), derives);
}

/// Checks that mutated octets and sequences of pieces are useful inputs: enough of them derive, and enough do not.
#[rstest]
#[trace]
#[case::rfc9309(rfc9309())]
#[case::google_2018(google_2018())]
fn both_answers_are_met(
    #[case]
    #[notrace]
    subject: Subject,
) {
    subject.meets_both_answers(&mutated(&subject.grammar));
    subject.meets_both_answers(&pieces());
}

/// A published grammar, and the names of its productions for a line.
struct Subject {
    published: syntax::Grammar,
    grammar: Grammar,
    line_productions: &'static [&'static str],
}

fn rfc9309() -> Subject {
    Subject {
        published: syntax::Grammar::Rfc9309,
        grammar: Grammar::read(published::RFC9309),
        line_productions: &["startgroupline", "rule", "emptyline"],
    }
}

fn google_2018() -> Subject {
    Subject {
        published: syntax::Grammar::Google2018,
        grammar: Grammar::read(published::GOOGLE_2018),
        line_productions: &["startgroupline", "groupmemberline", "nongroupline", "comment"],
    }
}

impl Subject {
    /// Runs a test on random inputs. proptest stores the seeds of failures.
    fn test(
        &self,
        inputs: &impl Strategy<Value = Vec<u8>>,
        test: impl Fn(&[u8]) -> Result<(), TestCaseError>,
    ) {
        let kept = match self.published {
            syntax::Grammar::Rfc9309 => "proptest-regressions/rfc9309.txt",
            _ => "proptest-regressions/google-2018.txt",
        };
        let config = Config {
            cases: CASES,
            failure_persistence: Some(Box::new(FileFailurePersistence::Direct(kept))),
            ..Config::default()
        };
        let result = TestRunner::new(config).run(inputs, |octets| {
            test(&octets).map_err(|error| match error {
                TestCaseError::Fail(reason) => {
                    TestCaseError::fail(format!("{reason}\nin {}", octets.escape_ascii()))
                }
                reject @ TestCaseError::Reject(_) => reject,
            })
        });
        result.unwrap_or_else(|error| panic!("{error}"));
    }

    fn meets_both_answers(&self, inputs: &impl Strategy<Value = Vec<u8>>) {
        let mut runner = TestRunner::deterministic();
        let (mut files, mut lines) = ([0, 0], [0, 0]);
        for _ in 0..1024 {
            let octets = inputs.new_tree(&mut runner).expect("nothing is filtered").current();
            let derivation = NomParser.derives(self.published, &octets).expect("a grammar");
            if !octets.is_empty() {
                files[usize::from(derivation.file())] += 1;
            }
            derivation.lines().iter().for_each(|derives| lines[usize::from(*derives)] += 1);
        }
        assert!(files.iter().all(|count| *count >= 20), "files: {files:?}");
        assert!(lines.iter().all(|count| *count >= 100), "lines: {lines:?}");
    }

    /// Returns whether the file and its lines derive, or an error if the recogniser and the interpreter disagree.
    fn agreed(&self, octets: &[u8]) -> Result<GrammarMatch, TestCaseError> {
        let derives = |rule: &&str, octets| self.grammar.derives(rule, octets);
        let a_line = |line| self.line_productions.iter().any(|rule| derives(rule, line));
        let file = self.grammar.derives("robotstxt", octets);
        let expected = GrammarMatch::new(file, lines(octets).map(a_line).collect());
        let derivation = NomParser.derives(self.published, octets).expect("a grammar");
        prop_assert_eq!(derivation, expected.clone());
        Ok(expected)
    }
}

/// Returns the lines of the octets, each with its ending.
fn lines(mut octets: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let content = octets.iter().position(|octet| matches!(octet, b'\r' | b'\n'));
        let end = content.map_or(octets.len(), |content| {
            content + if octets[content..].starts_with(b"\r\n") { 2 } else { 1 }
        });
        octets.split_off(..end).filter(|line| !line.is_empty())
    })
}
