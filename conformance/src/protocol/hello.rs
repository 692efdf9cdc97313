//! The handshake.
//!
//! The runner sends a [`greeting`] with its version of the protocol, and the subject declares its name, roles and
//! editions in a [`Hello`]. Start at [`Hello::read`]. Every key except the version of the protocol and the name has a
//! default. A wrong value is an error that names the key. Reports show the names, so text that could mislead readers is
//! refused. [`Hello::message`] writes a hello for a subject that uses this crate.

use crate::engine::Profile;
use crate::kind::{QuestionKind, Role};
use robots_core::Edition;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::message::Message;
use super::{VERSION, cut};
use robots_console::error::Error;
use robots_console::render;

/// The maximum number of characters in a subject's name, version and language.
const LONGEST_NAME: usize = 100;

/// The data that a subject declares about itself.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Hello {
    /// The name of the subject. The names of the subject's trials begin with this name.
    pub name: String,
    /// The version, if the subject declares one.
    pub version: Option<String>,
    /// The programming language, if the subject declares it.
    pub language: Option<String>,
    /// The kinds of question that the subject answers. By default the subject answers all kinds.
    pub answers: Option<Vec<QuestionKind>>,
    /// The editions that the subject implements. The list also has the observed profile if the subject gives the
    /// verdicts of Google's published library. The default is RFC 9309.
    pub editions: Vec<Profile>,
    /// The roles. The default is parser.
    pub roles: Vec<Role>,
    /// The maximum number of questions that may be open at a time. The default is 1.
    pub pipeline: usize,
    /// Whether the subject uses the runner's clock. The default is false.
    pub clock: bool,
}

/// Returns the runner's opening message.
#[must_use]
pub fn greeting() -> impl Serialize {
    #[derive(Serialize)]
    struct Greeting {
        ask: &'static str,
        protocol: u64,
    }

    Greeting { ask: "hello", protocol: VERSION }
}

#[derive(Serialize)]
struct HelloMessage<'h> {
    protocol: u64,
    name: &'h str,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<&'h str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    language: Option<&'h str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    answers: Option<Vec<&'static str>>,
    editions: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    roles: Option<Vec<&'static str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pipeline: Option<usize>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    clock: bool,
}

impl Hello {
    /// Reads a subject's hello.
    ///
    /// # Errors
    /// Returns an error, which names the wrong key and the expected form.
    ///
    /// ```
    /// use robots_conformance::protocol::{Hello, Message};
    /// let read = |line: &str| Hello::read(&Message::read(line.as_bytes()).unwrap());
    /// assert_eq!(read(r#"{ "protocol": 1, "name": "mine" }"#)?.pipeline, 1);
    /// let other = read(r#"{ "protocol": 2, "name": "mine" }"#);
    /// assert_eq!(other.unwrap_err().to_string(), "`protocol` is 2; this runner speaks version 1");
    /// let access = read(r#"{ "protocol": 1, "name": "mine", "answers": ["verdict", "access"] }"#);
    /// let why = "`answers` has \"access\", which is asked of a crawler; add \"crawler\" to `roles`";
    /// assert_eq!(access.unwrap_err().to_string(), why);
    /// # Ok::<(), robots_console::error::Error>(())
    /// ```
    pub fn read(message: &Message) -> Result<Self, Error> {
        Self::of(message).map_err(Error::from)
    }

    fn of(message: &Message) -> Result<Self, String> {
        match (message.get("protocol"), message.fields().raw("protocol")) {
            (Some(VERSION), _) => {}
            (_, None) => return Err("`protocol` is missing: the version spoken, 1".to_owned()),
            (_, Some(version)) => {
                return Err(format!(
                    "`protocol` is {}; this runner speaks version {VERSION}",
                    shown(version)
                ));
            }
        }
        let name: String =
            text(message, "name")?.ok_or("`name` is missing: how reports call the subject")?;
        is_name("name", &name)?;
        let [version, language] = ["version", "language"].map(|key| {
            let text: Option<String> = text(message, key)?;
            text.map(|text| is_name(key, &text).map(|()| text)).transpose()
        });
        let answers: Option<Vec<QuestionKind>> = list(message, "answers")?
            .map(|words| words.iter().map(|word| kind(word)).collect::<Result<_, _>>())
            .transpose()?;
        let roles = match list(message, "roles")? {
            None => vec![Role::Parser],
            Some(words) if words.is_empty() => {
                return Err("`roles` is empty; name at least one, for example `parser`".to_owned());
            }
            Some(words) => words.iter().map(|word| role(word)).collect::<Result<_, _>>()?,
        };
        let needs = |kind: &&QuestionKind| kind.role().is_some_and(|role| !roles.contains(&role));
        if let Some(kind) = answers.iter().flatten().find(needs) {
            let role = kind.role().unwrap_or_default();
            return Err(format!(
                "`answers` has \"{kind}\", which is asked of a {role}; add \"{role}\" to `roles`"
            ));
        }
        let editions = match list(message, "editions")? {
            None => vec![Edition::Rfc9309.into()],
            Some(ids) => ids
                .iter()
                .map(|id| {
                    id.parse().map_err(|error| format!("`editions` has {}: {error}", quoted(id)))
                })
                .collect::<Result<_, _>>()?,
        };
        let pipeline = match message.fields().raw("pipeline") {
            None => 1,
            Some(value) => {
                message.get("pipeline").filter(|number| *number > 0).ok_or_else(|| {
                    format!(
                        "`pipeline` is {}; it is how many questions may be open, 1 or more",
                        shown(value)
                    )
                })?
            }
        };
        Ok(Self {
            name,
            version: version?,
            language: language?,
            answers,
            editions,
            roles,
            pipeline,
            clock: value(message, "clock", "true or false")?.unwrap_or_default(),
        })
    }

    /// Returns the message.
    #[must_use]
    pub fn message(&self) -> impl Serialize {
        let roles = self.roles.iter().map(|role| role.id());
        HelloMessage {
            protocol: VERSION,
            name: &self.name,
            version: self.version.as_deref(),
            language: self.language.as_deref(),
            answers: self
                .answers
                .as_ref()
                .map(|kinds| kinds.iter().map(|kind| kind.id()).collect()),
            editions: self.editions.iter().map(|edition| edition.id()).collect(),
            roles: (self.roles != [Role::Parser]).then(|| roles.collect()),
            pipeline: (self.pipeline > 1).then_some(self.pipeline),
            clock: self.clock,
        }
    }

    /// Returns whether the hello declares that the subject answers questions of this kind.
    #[must_use]
    pub fn answers(&self, ask: QuestionKind) -> bool {
        self.answers.as_ref().is_none_or(|answers| answers.contains(&ask))
    }
}

fn text(message: &Message, key: &str) -> Result<Option<String>, String> {
    value(message, key, "a text").map(Option::flatten)
}

fn list(message: &Message, key: &str) -> Result<Option<Vec<String>>, String> {
    value(message, key, "a list of texts")
}

/// Reads the value of a key, if the key is present.
fn value<T: DeserializeOwned>(
    message: &Message,
    key: &str,
    what: &str,
) -> Result<Option<T>, String> {
    let Some(raw) = message.fields().raw(key) else { return Ok(None) };
    let value = message.get(key);
    value.map(Some).ok_or_else(|| format!("`{key}` is {}; it is {what}", shown(raw)))
}

fn role(word: &str) -> Result<Role, String> {
    word.parse().map_err(|error| format!("`roles` has {}; {error}", quoted(word)))
}

fn kind(word: &str) -> Result<QuestionKind, String> {
    word.parse().map_err(|error| format!("`answers` has {}; {error}", quoted(word)))
}

/// Returns an error if a text is blank, is too long, contains `::`, or could mislead readers. Every report shows the
/// name.
fn is_name(key: &str, text: &str) -> Result<(), String> {
    let is_short = text.chars().count() <= LONGEST_NAME;
    let is_plain = render::visible(text) == text && !text.contains('\n');
    if is_short && is_plain && !text.trim().is_empty() && !text.contains("::") {
        return Ok(());
    }
    Err(format!(
        "`{key}` is {}; it is not blank, has {LONGEST_NAME} characters at most, no `::`, no control \
         characters and none that cannot be seen",
        quoted(text)
    ))
}

/// Renders a value as written in the line; a long value is cut.
fn shown(value: &str) -> String {
    cut(&render::text(value))
}

/// Renders text for a message; a long text is cut.
fn quoted(text: &str) -> String {
    format!("\"{}\"", cut(&render::text(text)))
}
