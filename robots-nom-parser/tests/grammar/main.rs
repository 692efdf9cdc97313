//! Compares the grammar files with the parser. The parser's productions must equal those of the `.abnf` files, and its
//! recogniser must give the same results as an interpreter of these files.
//!
//! [`published`] reads the grammar files and the productions in the source. [`interpreter`] decides which octets
//! derive. [`first_match`] finds the only derivation of the lenient grammar. [`generator`] generates octets that
//! derive, and octets that may not derive.

mod agreement;
mod first_match;
mod generator;
mod interpreter;
mod lenient;
mod published;
mod transliteration;
