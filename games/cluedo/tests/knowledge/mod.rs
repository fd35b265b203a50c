//! What a seat knows: vectors, a plain enumeration, laws.

pub(crate) mod enumeration;
mod random_states;
pub(crate) mod vectors;
