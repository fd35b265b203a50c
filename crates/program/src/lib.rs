//! The common parts of all programs, the server's and the games': exit statuses, Ctrl-C, files, journals, ranks, tables.
//!
//! | | |
//! |---|---|
//! | [`Exit`], [`finish`] | how a program ends |
//! | [`arguments`] | the command line |
//! | [`ranks`] | a command on all ranks: threads, or MPI under a launcher |
//! | [`Interrupt`] | Ctrl-C and signals that end a program |
//! | [`read_line`], [`without_mark`], [`drop_typed_ahead`] | what a person types |
//! | [`files`], [`journal`], [`Lock`] | files written whole, files that only grow, one writer at a time |
//! | [`open_browser`], [`hex`], [`escaped`], [`locked`] | odds and ends |
//! | [`TextTable`], [`LinePlot`], [`Machine`] | measurements: tables, plots, and where they were made |
//! | [`speedup`] | speed-up by the number of ranks, and reports of it |
//! | [`launched`], [`ranks_here`], [`cores`] | ranks of a launcher, and whether each has a core |
//! | [`thread_time`], [`process_time`] | processor time |
#![warn(missing_docs)]
#![forbid(unsafe_code)]

mod arguments;
mod axis;
mod browser;
mod exit;
pub mod files;
mod hex;
mod interrupt;
pub mod journal;
mod line_plot;
mod lock;
mod locked;
mod machine;
mod processor_time;
pub mod ranks;
pub mod speedup;
mod text_table;
mod typed;

pub use arguments::arguments;
pub use browser::open_browser;
pub use exit::{Exit, finish};
pub use hex::hex;
pub use interrupt::{Interrupt, SIGINT, SIGTERM};
pub use line_plot::LinePlot;
pub use lock::{Lock, LockError, is_without_locks};
pub use locked::locked;
pub use machine::{Machine, cores, launched, ranks_here};
pub use processor_time::{process_time, thread_time};
pub use text_table::{TextTable, counted, csv_field, escaped};
pub use typed::{TYPED_MAX, Typed, drop_typed_ahead, read_line, without_mark};
