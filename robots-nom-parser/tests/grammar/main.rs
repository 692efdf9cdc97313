//! The published grammars against the parser: its productions are those of the `.abnf` files, and its
//! recogniser decides as an interpreter of those files does.
//!
//! [`published`] reads the grammar files and the productions in the source; [`interpreter`] decides
//! what derives; [`generator`] makes octets that derive, and others.

mod agreement;
mod generator;
mod interpreter;
mod published;
mod transliteration;
