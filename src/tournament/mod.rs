//! Tournaments and ladders: many games that can be interrupted and trusted.
//!
//! A [`Plan`] is what was typed, checked. The [`Schedule`](schedule::Schedule) follows from it and from the [`Results`]
//! so far, stage by stage. The runner takes pairs from a source, an [`Event`] or a [`ladder`], hands them to [`Workers`], threads here
//! or other [`ranks`], and appends each finished game to the [`Journal`](amazons_program::journal::Journal). Everything
//! else in the folder is derived from that: [`Standings`] and what [`report`] makes of them.

pub mod admission;
mod contest;
pub mod cores;
mod derived;
mod error;
mod event;
mod event_run;
mod export;
mod identity;
mod journal_lines;
pub mod ladder;
mod lock;
mod merged;
mod open;
mod overhead;
mod overview;
mod plan;
mod plan_file;
mod play;
mod pool;
mod progress;
pub mod ranks;
pub mod report;
mod results;
mod runner;
pub mod schedule;
mod source;
mod standings;
mod tasks;

pub(crate) use contest::since_1970;
pub use derived::Derived;
pub use error::{EventError, WrongEntry};
pub use event::{Event, OpenEvent};
pub use event_run::{run, run_with};
pub use export::write_pgn;
pub(crate) use identity::{Identity, identity};
pub use journal_lines::{EventLine, Header, JOURNAL, read_header};
pub use lock::{HELD, LOCK, StopRequest, ask_to_stop, is_held};
pub use merged::{counted_twice, merged_standings};
pub use overhead::Histogram;
pub use overview::{FinishedGame, Overview, PlayerScore, RatingHistory};
pub(crate) use plan::name_rule;
pub use plan::{Entrant, Format, Openings, Plan, PlanError, PlanSettings, Records, SprtSettings};
pub(crate) use plan_file::read_checked;
pub use plan_file::{given_option, read_plan};
pub use play::host_name;
pub use pool::{Message, PairJob, Workers};
pub use progress::Show;
pub use results::{GameLine, GameResult, Results, Test, log_path, record_path};
pub use runner::{Ended, RunOptions};
pub use source::RunError;
pub(crate) use standings::Faults;
pub use standings::{BoardRow, Field, PlayerRow, RankedBy, RatedPair, Slowest, Standings, Timing};
pub use tasks::{TaskError, play_task, task_results};
