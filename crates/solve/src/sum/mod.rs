//! Sums of regions: each region is a game of its own, and its value, found once, decides sums of any of them.

mod games;
mod search;
mod shapes;
mod values;
mod walls;

pub(crate) use values::Sums;
