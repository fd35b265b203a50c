//! The engine's analysis of positions and of each move of a game.

mod analyst;
mod annotate;
mod effort;
mod fact;
mod facts;
mod json;
mod ownership;
mod query;
mod text;

pub use analyst::{Analyst, Candidate, Certain, Judgement};
pub use annotate::Annotator;
pub use effort::{DEFAULT_LINES, Effort, Reports};
pub use fact::{Fact, Measure};
pub use facts::facts;
pub use json::{Evaluation, PositionLine};
pub use ownership::{OwnershipLine, ownership_text};
pub(crate) use query::Query;
pub use text::{ply_text, position_text, summary_text};
