//! What a seat knows: facts, what follows from them, and how many deals agree with them.

pub mod chances;
pub mod count;
pub mod facts;
pub mod logic;
mod order;
mod states;
