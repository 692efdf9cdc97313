//! [`IsAllowed`], the engine that uses a closure.
//!
//! With this engine, the suite can check a function that returns whether a URL may be fetched. It answers verdict
//! questions only.

use robots_core::Edition;

use super::{Engine, Profile, Question};
use crate::kind::{Answer, Ask, VerdictQuestion};

/// An engine made from a closure. The closure receives the octets of a file, a product token and a URL. The closure
/// returns whether the URL may be fetched.
///
/// The only profile of the engine is RFC 9309. The engine answers only verdict questions for crawlers with one name.
/// The closure may return a `bool` or a `Result`. The error of this `Result` is the answer, for example
/// [`Answer::unsupported`] with the reason.
///
/// ```
/// use robots_conformance::engine::{Engine, IsAllowed, Question};
/// use robots_conformance::kind::{Agents, Answer, Ask, VerdictQuestion};
/// use robots_core::Edition;
/// let engine = IsAllowed { name: "mine", f: |_: &[u8], _: &str, url: &str| !url.ends_with(".gif") };
/// let agents = Agents::new(["examplebot"]).unwrap();
/// let url = "https://example.com/x.gif".to_owned();
/// let ask = Ask::Verdict(VerdictQuestion { robots_txt: [].into(), agents, url });
/// let question = Question { profile: Edition::Rfc9309.into(), ask };
/// assert_eq!(engine.answer(&question), Answer::verdict(false));
///
/// let f = |_: &[u8], _: &str, url: &str| match url.find('?') {
///     Some(_) => Err(Answer::unsupported("it takes no query")),
///     None => Ok(true),
/// };
/// assert_eq!(IsAllowed { name: "mine", f }.answer(&question), Answer::verdict(true));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct IsAllowed<F> {
    /// The engine's name.
    pub name: &'static str,
    /// The closure: it receives the octets of the file, the product token and the URL.
    pub f: F,
}

impl<F, R> Engine for IsAllowed<F>
where
    F: Fn(&[u8], &str, &str) -> R + Send + Sync,
    R: Into<Answer>,
{
    fn name(&self) -> &str {
        self.name
    }

    fn profiles(&self) -> &[Profile] {
        &[Profile::Edition(Edition::Rfc9309)]
    }

    fn answer(&self, question: &Question) -> Answer {
        match &question.ask {
            Ask::Verdict(VerdictQuestion { robots_txt, agents, url }) => match agents.texts() {
                [token] => (self.f)(robots_txt, token.as_str(), url).into(),
                _ => Answer::unsupported("it accepts one product token only"),
            },
            _ => Answer::unsupported("it answers verdict questions only"),
        }
    }
}

impl From<bool> for Answer {
    /// Makes a verdict that names no deciding line and gives no reason.
    fn from(allowed: bool) -> Self {
        Self::verdict(allowed)
    }
}

impl From<Result<bool, Self>> for Answer {
    fn from(answered: Result<bool, Self>) -> Self {
        answered.map_or_else(|other| other, Self::verdict)
    }
}
