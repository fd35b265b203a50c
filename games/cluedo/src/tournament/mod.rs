//! Tournaments of programs: plans, schedules, results and what they show.
//!
//! A block is one deal, played with all rotations of its seats; players, seats and deals then cancel in the shares of
//! wins. A [`Plan`] says who plays, [`next_matchup`] and [`Matchup::blocks`] what is played, a [`BlockResult`] what
//! happened, and a [`Summary`] what follows from it.

mod plan;
mod result;
mod schedule;
mod summary;

pub use plan::{BotPlan, Format, PORT, Plan, PlanError, PlanMistake, Run, RunError, SprtPlan, line_of, syntax_error};
pub use result::{Accusation, BlockResult, FaultNote, GameResult, Observer};
pub use schedule::{Block, Matchup, next_matchup, standing};
pub use summary::{Program, Summary, pairs};
