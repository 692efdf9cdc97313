//! The question `derives`: do these octets derive from the edition's grammar?
//!
//! Only engines with the role `Parser` answer this question. `Parser::derives` computes the answer. If the edition has
//! no grammar, or if the parser cannot check octets against this grammar, the answer is `unsupported`.

use alloc::sync::Arc;

use super::table::Kind;
use super::{Answer, Interpreted, Role};
use crate::edition::Edition;
use crate::parser::{GrammarMatch, Parser};

/// The data of a question of the kind `derives`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DerivesQuestion {
    /// The octets of the file.
    pub robots_txt: Arc<[u8]>,
}

impl Kind for DerivesQuestion {
    type Answer = GrammarMatch;
    const ROLE: Option<Role> = Some(Role::Parser);

    fn robots_txt(&self) -> Option<&[u8]> {
        Some(&self.robots_txt)
    }

    fn answer<P: Parser>(
        &self,
        engine: &Interpreted<P>,
        edition: Edition,
    ) -> Result<Self::Answer, Answer> {
        let grammar = edition.grammar();
        grammar
            .and_then(|grammar| engine.0.derives(grammar, &self.robots_txt))
            .ok_or_else(|| Answer::unsupported("there is no recogniser for this edition's grammar"))
    }
}
