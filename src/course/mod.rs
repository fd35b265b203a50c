//! A course: teams hand in players, which are built, checked and play each other.

pub mod build;
pub mod copies;
