//! Tournaments: events of many games that can be interrupted and trusted.
//!
//! A [`Plan`] is what was typed, checked. The [`Schedule`] follows from it and from the [`Results`] so far, stage by stage.
//! An [`Event`] plays it: workers of a [`pool`](Pool) play pairs of games, each finished game becomes a line of the
//! [`Journal`], and everything else in the folder is derived from that: [`Standings`] and what [`report`] makes of them.

mod cores;
mod derived;
mod event;
mod game_table;
mod identity;
mod journal;
pub mod ladder;
mod lock;
mod merged;
mod overhead;
mod plan;
mod plan_file;
mod play;
mod pool;
mod progress;
mod progress_output;
pub mod ranks;
pub mod report;
mod results;
mod runner;
pub mod schedule;
mod signals;
mod standings;
mod tasks;

pub use cores::{allowed_processors, one_of_each, physical_cores, stay_on, usual_concurrency};
pub use derived::{Derived, EventPairs, byes, field_of};
pub use event::{Event, EventError, OpenEvent};
pub use journal::{
    FirstLine, Header, JOURNAL, JOURNAL_FORMAT, Journal, JournalError, Line, Opened, RunLine, read as read_journal,
    read_as as read_journal_as, read_header, read_header_as, write_whole, write_whole_with,
};
pub use lock::{Lock, LockError, StopRequest, ask_to_stop, is_held};
pub use merged::Merged;
pub use overhead::Histogram;
pub use plan::{
    Entrant, Format, FormatName, Openings, Plan, PlanError, PlanSettings, PlayerSettings, Records, SprtSettings,
    opening, seed_of,
};
pub use plan_file::{given_option, read_plan};
pub use play::{GameRunner, PlayError, host_name};
pub use pool::{Job, Message, Pool, PoolConfig, Workers};
pub use progress::Progress;
pub use progress_output::Show;
pub use results::{GameLine, GameResult, Results, Test, log_path, record_path};
pub use runner::{Ended, RunError, RunOptions, run, run_with};
pub use schedule::{Pair, Schedule};
pub use signals::Interrupts;
pub use standings::{
    BoardRow, EndingRow, Field, MeetingRow, PairSource, PlayerRow, RankedBy, RatedPair, Slowest, SprtRow, Standings,
    Timing,
};
pub use tasks::{TaskError, TaskResults, play_task, task_results};
