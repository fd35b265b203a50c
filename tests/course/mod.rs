//! Courses: teams hand in over the network, versions are built and checked and play, servers are killed.

mod acts;
mod archives;
mod attacks;
mod bombs;
mod builds;
mod commands;
mod copies;
mod deadlines;
mod events;
mod fairness;
mod house;
mod limits;
mod newcomers;
mod pages;
mod results;
mod rig;
mod rules;
mod running;
