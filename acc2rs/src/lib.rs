//! acc2rs reads OpenACC C, finds its histogram loops, and gives them back as annotated Rust or as
//! tuned OpenACC C.
//!
//! The stages, in order: [`preprocess`] runs the C preprocessor, lang-c parses, [`directive`] reads the pragmas,
//! [`lower`] builds the [`typed`] tree, and [`translate`], [`optimize`] or [`analyze`] use it.

pub mod analyze;
pub mod clause;
pub mod cli;
pub mod codes;
pub mod ctypes;
pub mod diag;
pub mod directive;
pub mod frontend;
pub mod lex;
pub mod lower;
pub mod macros;
pub mod optimize;
pub mod preprocess;
pub mod source;
pub mod translate;
pub mod typed;
pub mod verify;
