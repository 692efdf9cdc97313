//! Compares the published grammars with the parser: its productions are those of the `.abnf` files, and its recogniser
//! gives the same results as an interpreter of these files.
//!
//! [`published`] reads the grammar files and the productions in the source; [`interpreter`] decides
//! what derives; [`first_match`] finds the one derivation of the lenient grammar; [`generator`] generates octets that
//! derive, and others.

mod agreement;
mod first_match;
mod generator;
mod interpreter;
mod lenient;
mod published;
mod transliteration;
