//! The question `preference`: which preferences do these octets state?
//!
//! Only engines with the role `Parser` answer this question. `Preferences::read` computes the answer. Without the
//! feature `usage`, the answer is `unsupported`.

use alloc::sync::Arc;

use super::table::Kind;
use super::{Answer, Interpreted, Role};
use crate::edition::Edition;
use crate::parser::Parser;
use crate::preference::{Preferences, Vocabulary};

/// The data of a question of the kind `preference`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PreferenceQuestion {
    /// The octets of the preference: the value of a `content-usage` line without its path, or the value of an HTTP
    /// field with the name `Content-Usage`.
    pub octets: Arc<[u8]>,
    /// The vocabulary that defines the categories.
    pub vocabulary: Vocabulary,
}

impl Kind for PreferenceQuestion {
    type Answer = Preferences;
    const ROLE: Option<Role> = Some(Role::Parser);

    #[cfg(feature = "usage")]
    fn answer<P: Parser>(
        &self,
        _engine: &Interpreted<P>,
        _edition: Edition,
    ) -> Result<Self::Answer, Answer> {
        Ok(Preferences::read(&self.octets).within(self.vocabulary))
    }

    #[cfg(not(feature = "usage"))]
    fn answer<P: Parser>(
        &self,
        _engine: &Interpreted<P>,
        _edition: Edition,
    ) -> Result<Self::Answer, Answer> {
        Err(without_feature())
    }
}

/// Returns the answer of a build without the feature `usage`, which cannot read a preference.
#[cfg(not(feature = "usage"))]
pub(super) fn without_feature() -> Answer {
    Answer::unsupported("robots-core was built without the feature `usage`")
}
