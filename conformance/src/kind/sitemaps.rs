//! The kind `sitemaps`: which sitemaps does this file name?
//!
//! An answer is the list of the values in the order of the file, as written. Start at the implementation of [`Kind`];
//! the module `wire` reads and writes the messages.

use std::sync::Arc;

use robots_core::{Edition, Parser};
use serde_yaml::Value;

use super::contract::{Kind, NotAnAnswer};
use super::keys::{KeyGroup, Reading, one};
use super::{Answer, Member, Role, file};
use robots_console::render::text;

/// The data of a question of the kind `sitemaps`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SitemapsQuestion {
    /// The octets of the file.
    pub robots_txt: Arc<[u8]>,
}

impl Kind for SitemapsQuestion {
    type Answer = Vec<String>;
    type Expected = Vec<String>;

    const ROLE: Option<Role> = Some(Role::Parser);
    const KEYS: &'static [KeyGroup] = &[file::KEYS];
    const ANSWERS: &'static str = "a list of URLs";
    const TEMPLATE: (&'static str, &'static str) = (
        "    robots: |\n      sitemap: https://example.com/sitemap.xml\n",
        "[https://example.com/sitemap.xml]",
    );

    fn read(case: &mut Reading<'_>) -> Vec<Member> {
        one(case.robots_txt().map(|robots_txt| Self { robots_txt }))
    }

    fn robots_txt(&self) -> Option<&[u8]> {
        Some(&self.robots_txt)
    }

    fn answer<P: Parser>(&self, parser: &P, edition: Edition) -> Result<Self::Answer, Answer> {
        let robots_txt = file::parsed(parser, edition, &self.robots_txt);
        Ok(robots_txt.sitemaps().map(|(value, _)| file::text(value)).collect())
    }

    fn expected(value: &Value) -> Result<Vec<String>, NotAnAnswer> {
        Ok(serde_yaml::from_value(value.clone())?)
    }

    fn is_open(_: &[&Vec<String>]) -> bool {
        false
    }

    fn stated(answer: &Vec<String>) -> Vec<String> {
        answer.clone()
    }

    fn question(&self) -> String {
        "which sitemaps does the file name?".to_owned()
    }

    fn text(urls: &Vec<String>) -> String {
        if urls.is_empty() {
            return "no sitemaps".to_owned();
        }
        urls.iter().map(|url| format!("sitemap {}", text(url))).collect::<Vec<_>>().join("\n")
    }

    fn yaml(urls: &Vec<String>) -> Value {
        urls.iter().map(|url| url.as_str().into()).collect::<Vec<Value>>().into()
    }
}

#[cfg(feature = "process")]
mod wire {
    use serde::ser::SerializeMap;

    use super::SitemapsQuestion;
    use crate::kind::contract::Wire;
    use crate::kind::fields::{Fields, NotAQuestion, WrongKey};
    use crate::kind::file;
    use crate::kind::vector::WriteVector;

    impl Wire for SitemapsQuestion {
        const QUESTION_KEYS: &'static [&'static str] = &[file::wire::KEY];
        const WRITE_VECTOR: Option<WriteVector<Self>> =
            Some(|question, keys| keys.robots_txt(&question.robots_txt));

        fn write<M: SerializeMap>(&self, message: &mut M) -> Result<(), M::Error> {
            file::wire::write(&self.robots_txt, message)
        }

        fn read(message: &Fields) -> Result<Self, NotAQuestion> {
            Ok(Self { robots_txt: file::wire::read(message)? })
        }

        fn write_expected<M: SerializeMap>(
            expected: &Vec<String>,
            message: &mut M,
        ) -> Result<(), M::Error> {
            message.serialize_entry("sitemaps", expected)
        }

        fn read_answer(message: &Fields) -> Result<Vec<String>, WrongKey> {
            message.get("sitemaps").ok_or_else(|| WrongKey::new("sitemaps", "a list of texts"))
        }
    }
}
