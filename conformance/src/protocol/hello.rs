//! The handshake.

use robots_core::engine::{QuestionKind, Role};
use robots_core::{Edition, Profile};
use serde_json::{Map, Value, json};

use super::VERSION;
use crate::render;

/// The characters that a subject's name, version and language have at most.
const LONGEST_NAME: usize = 100;

/// What a subject says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hello {
    /// Its name, with which the names of its trials begin.
    pub name: String,
    /// Its version, where it gives one.
    pub version: Option<String>,
    /// The language it is written in, where it gives one.
    pub language: Option<String>,
    /// The kinds of question it answers; all where it does not say.
    pub answers: Option<Vec<QuestionKind>>,
    /// The editions it implements, and maybe the observed profile; RFC 9309 where it does not say.
    pub editions: Vec<Profile>,
    /// What it is; a parser where it does not say.
    pub roles: Vec<Role>,
    /// How many questions may be open at a time; 1 where it does not say.
    pub pipeline: usize,
}

/// Returns the message that opens.
#[must_use]
pub fn greeting() -> Value {
    json!({ "ask": "hello", "protocol": VERSION })
}

impl Hello {
    /// Reads a subject's hello.
    ///
    /// # Errors
    /// A sentence that says which key is wrong, and what is right.
    ///
    /// ```
    /// use robots_conformance::protocol::Hello;
    /// let hello = Hello::read(&serde_json::json!({ "protocol": 1, "name": "mine" }))?;
    /// assert_eq!(hello.pipeline, 1);
    /// let other = Hello::read(&serde_json::json!({ "protocol": 2, "name": "mine" }));
    /// assert_eq!(other.unwrap_err(), "`protocol` is 2; this runner speaks version 1");
    /// let keys = serde_json::json!({ "protocol": 1, "name": "mine", "answers": ["verdict", "access"] });
    /// let why = "`answers` has \"access\", which is asked of a crawler; add \"crawler\" to `roles`";
    /// assert_eq!(Hello::read(&keys).unwrap_err(), why);
    /// # Ok::<(), String>(())
    /// ```
    pub fn read(message: &Value) -> Result<Self, String> {
        let keys = message.as_object().ok_or("it is no JSON object")?;
        match keys.get("protocol") {
            None => return Err("`protocol` is missing: the version spoken, 1".to_owned()),
            Some(version) if *version != VERSION => {
                return Err(format!(
                    "`protocol` is {}; this runner speaks version {VERSION}",
                    shown(version)
                ));
            }
            Some(_) => {}
        }
        let name = text(keys, "name")?.ok_or("`name` is missing: how reports call the subject")?;
        is_name("name", name)?;
        let [version, language] = ["version", "language"].map(|key| {
            let text = text(keys, key)?;
            text.map(|text| is_name(key, text).map(|()| text.to_owned())).transpose()
        });
        let answers: Option<Vec<QuestionKind>> = list(keys, "answers")?
            .map(|words| words.into_iter().map(kind).collect::<Result<_, _>>())
            .transpose()?;
        let roles = match list(keys, "roles")? {
            None => vec![Role::Parser],
            Some(words) if words.is_empty() => {
                return Err("`roles` is empty; it has `parser`, `crawler` or both".to_owned());
            }
            Some(words) => words.into_iter().map(role).collect::<Result<_, _>>()?,
        };
        let needs = |kind: &&QuestionKind| kind.role().is_some_and(|role| !roles.contains(&role));
        if let Some(kind) = answers.iter().flatten().find(needs) {
            let role = kind.role().unwrap_or_default();
            return Err(format!(
                "`answers` has \"{kind}\", which is asked of a {role}; add \"{role}\" to `roles`"
            ));
        }
        let editions = match list(keys, "editions")? {
            None => vec![Edition::Rfc9309.into()],
            Some(ids) => ids
                .into_iter()
                .map(|id| {
                    id.parse().map_err(|error| format!("`editions` has {}: {error}", quoted(id)))
                })
                .collect::<Result<_, _>>()?,
        };
        let pipeline = match keys.get("pipeline") {
            None => 1,
            Some(value) => value
                .as_u64()
                .filter(|number| *number > 0)
                .and_then(|number| usize::try_from(number).ok())
                .ok_or_else(|| {
                    format!(
                        "`pipeline` is {}; it is how many questions may be open, 1 or more",
                        shown(value)
                    )
                })?,
        };
        Ok(Self {
            name: name.to_owned(),
            version: version?,
            language: language?,
            answers,
            editions,
            roles,
            pipeline,
        })
    }

    /// Returns the message.
    #[must_use]
    pub fn write(&self) -> Value {
        let editions: Vec<&str> = self.editions.iter().map(|edition| edition.id()).collect();
        let mut message = json!({ "protocol": VERSION, "name": self.name });
        if let Some(version) = &self.version {
            message["version"] = version.as_str().into();
        }
        if let Some(language) = &self.language {
            message["language"] = language.as_str().into();
        }
        if let Some(answers) = &self.answers {
            message["answers"] = answers.iter().map(|ask| ask.id()).collect();
        }
        message["editions"] = editions.into();
        if self.roles != [Role::Parser] {
            message["roles"] = self.roles.iter().map(|role| role.id()).collect();
        }
        if self.pipeline > 1 {
            message["pipeline"] = self.pipeline.into();
        }
        message
    }

    /// Returns whether it answers questions of this kind, as far as it says.
    #[must_use]
    pub fn answers(&self, ask: QuestionKind) -> bool {
        self.answers.as_ref().is_none_or(|answers| answers.contains(&ask))
    }
}

fn text<'m>(keys: &'m Map<String, Value>, key: &str) -> Result<Option<&'m str>, String> {
    match keys.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(other) => Err(format!("`{key}` is {}; it is a text", shown(other))),
    }
}

fn list<'m>(keys: &'m Map<String, Value>, key: &str) -> Result<Option<Vec<&'m str>>, String> {
    let wrong = |value: &Value| format!("`{key}` is {}; it is a list of texts", shown(value));
    match keys.get(key) {
        None => Ok(None),
        Some(value) => {
            let texts = value.as_array().ok_or_else(|| wrong(value))?;
            let texts: Option<Vec<&str>> = texts.iter().map(Value::as_str).collect();
            texts.map(Some).ok_or_else(|| wrong(value))
        }
    }
}

fn role(word: &str) -> Result<Role, String> {
    word.parse().map_err(|error| format!("`roles` has {}; {error}", quoted(word)))
}

fn kind(word: &str) -> Result<QuestionKind, String> {
    word.parse().map_err(|error| format!("`answers` has {}; {error}", quoted(word)))
}

/// Refuses text that would mislead where it is shown: every report shows a name.
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

/// Renders a value for a message, a long one cut.
fn shown(value: &Value) -> String {
    super::cut(&super::line(value))
}

/// Renders text for a message, a long one cut.
fn quoted(text: &str) -> String {
    format!("\"{}\"", super::cut(&render::text(text)))
}
