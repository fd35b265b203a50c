//! A helper at a real table: what is certain and why, exact chances, contradictions, the best question.
//!
//! | | |
//! |---|---|
//! | [`entry`] | what happened, and the rules that follow from it |
//! | [`logic`] | conclusions, each with its cause, and a search for deals |
//! | [`deals`] | exact numbers of deals |
//! | [`case`] | all entries of a game, and what follows |
//! | [`reasons`] | smallest sets of entries |
//! | [`proof`] | why, sentence by sentence |
//! | [`questions`] | what to ask |
//! | [`typed`], [`words`] | lines that a person types, and sentences |

pub mod case;
pub mod deals;
pub mod entry;
pub mod logic;
pub mod proof;
pub mod questions;
pub mod reasons;
pub mod typed;
pub mod words;
