//! A helper at a real table: what is certain and why, exact chances, contradictions, the best question.
//!
//! | | |
//! |---|---|
//! | [`entry`] | what happened, and the rules that follow from it |
//! | [`case`] | all entries of a game, and what follows |
//! | [`proof`] | the entries from which a fact follows, and why, sentence by sentence |
//! | [`typed`], [`words`] | lines that a person types, and sentences |
//! | [`mistake`] | entries and lines that make no sense |

pub mod case;
pub mod entry;
pub mod mistake;
pub mod proof;
pub mod typed;
pub mod words;
