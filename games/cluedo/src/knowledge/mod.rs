//! What a seat knows: facts, what follows from them, and how many deals agree with them.

pub mod chances;
pub mod count;
pub mod facts;
mod groups;
pub mod hint;
mod index;
pub mod logic;
mod order;
pub mod questions;
mod states;
