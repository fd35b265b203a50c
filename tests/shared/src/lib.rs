//! What all tests share: a start that does not depend on the caller, waits that end, and skips that a person sees.

mod ends;
mod faulty;
mod jobs;
mod parts;
mod skips;
mod start;
mod waiting;

pub use ends::{output_of, output_within, status_of};
pub use faulty::{Faults, FaultyWorld};
pub use jobs::map_jobs;
pub use skips::skip;
pub use waiting::{PATIENCE, deadline, deadline_after, let_pass, wait_for, wait_or_tell, wait_until};
