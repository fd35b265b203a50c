//! What a seat knows: vectors, a plain enumeration, laws.

mod enumeration;
mod random_states;
mod vectors;
