//! A seat's knowledge: facts, conclusions, and the number of deals that agree with them.

pub mod chances;
pub mod deals;
pub mod facts;
pub mod hint;
mod index;
mod lanes;
mod layers;
pub mod logic;
mod order;
mod plan;
pub mod problem;
pub mod questions;
pub mod samples;
pub mod seen;
mod shares;
mod states;
pub mod view;
