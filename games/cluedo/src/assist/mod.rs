//! A helper at a real table: what is certain and why, exact chances, contradictions, the best question.
//!
//! | | |
//! |---|---|
//! | [`entry`] | what happened, and the rules that follow from it |
//! | [`logic`] | conclusions, each with its cause |
//! | [`case`] | all entries of a game, and what follows |
//! | [`reasons`] | the entries from which a fact follows |
//! | [`proof`] | why, sentence by sentence |
//! | [`typed`], [`words`] | lines that a person types, and sentences |

pub mod case;
pub mod entry;
pub mod logic;
pub mod proof;
pub mod reasons;
pub mod typed;
pub mod words;
