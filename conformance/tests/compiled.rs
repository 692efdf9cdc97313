//! Tests that compiled rules give the expected answer to every question of the kind `usage`. The engine of the other
//! tests answers without compiled rules.

use robots_conformance::kind;
use robots_conformance::kind::{Answer, Ask, UsageAnswer, UsageQuestion};
use robots_conformance::run::trial;
use robots_conformance::suite::case::Conforming;
use robots_conformance::suite::load;
use robots_core::{Options, RobotsTxt};
use robots_nom_parser::ScanParser;

#[test]
fn compiled_rules_answer_usage_as_the_cases_expect() {
    let suite = load::embedded().unwrap_or_else(|problems| panic!("{problems}"));
    let mut asked = 0;
    for trial in trial::trials(&suite) {
        let Ask::Usage(UsageQuestion { robots_txt, agents, url, header, vocabulary }) =
            &trial.member().ask
        else {
            continue;
        };
        let options = Options::from(trial.profile().edition().unwrap());
        let rules =
            RobotsTxt::parse(&ScanParser, robots_txt, options).rules_for(agents.crawler().unwrap());
        let header: Vec<&[u8]> = header.iter().map(Vec::as_slice).collect();
        let usage = rules.usage(url, &header).by(*vocabulary);
        let answer = Answer::Usage(UsageAnswer {
            preferences: usage.preferences(),
            lines: Some(
                usage.statements().map(|statement| statement.line().number.get()).collect(),
            ),
            evidence: None,
        });
        let conforms = match trial.conforming() {
            Conforming::One(expected) => kind::conforms(expected, &answer),
            Conforming::AnyOf(expected) => {
                expected.iter().any(|expected| kind::conforms(expected, &answer))
            }
            Conforming::Readings(readings) => {
                readings.iter().any(|reading| kind::conforms(&reading.answer, &answer))
            }
            _ => true,
        };
        assert!(conforms, "{}: {}", trial.name(), kind::answer_text(&answer));
        asked += 1;
    }
    assert!(asked > 90, "{asked}");
}
