//! The helper at a real table.

mod counts;
mod page;
mod reasons;
mod support;
mod terminal;
