//! The engine's analysis of positions and of each move of a game.

mod analyst;
mod annotate;
mod effort;
mod fact;
mod facts;
mod json;
mod text;

pub use analyst::{Analyst, Candidate, Certain, Judgement};
pub use annotate::{Annotation, Mark, Review, SideReview, annotate};
pub use effort::Effort;
pub use fact::{Fact, Measure};
pub use facts::facts;
pub use json::{AnalysisLine, PlyLine, PositionLine, SummaryLine};
pub use text::{ply_text, position_text, summary_text};
