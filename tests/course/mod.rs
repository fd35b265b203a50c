//! Courses: teams hand in over the network, versions are checked and play, servers are killed.

mod attacks;
mod commands;
mod house;
mod pages;
mod rules;
mod running;
