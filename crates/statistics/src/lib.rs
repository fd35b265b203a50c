//! Estimates strength from the results of games.
//!
//! - [`Score`] counts results over equally spaced scores: single games, or pairs of games with the same opening and
//!   colours swapped. It gives [`Estimate`]s: Elo, normalised Elo and the likelihood of superiority, with 95 % bars.
//! - [`Sprt`] tests two hypotheses about the difference of two players while the games go on, until there is a
//!   [`SprtVerdict`].
//! - [`ratings`] fits the Bradley-Terry model to the games of many players, with error bars and the likelihood that one
//!   is stronger than another; [`field_ratings`] fits games of several players, with the advantages of seats.
//!
//! Everything here is a pure function of counts. No result is ever NaN or infinite: a number beyond 800 Elo only means
//! "more", see [`Elo`].
//!
//! ```
//! use amazons_statistics::Score;
//!
//! // Pairs that scored 0, 1/2, 1, 3/2 and 2 points.
//! let estimate = Score::pairs([34, 54, 63, 64, 75]).estimate();
//! assert_eq!(estimate.to_string(), "+55.6 +- 27.7");
//! ```
#![warn(missing_docs)]
#![forbid(unsafe_code)]

mod bradley_terry;
mod elo;
mod field;
mod likelihood;
mod matrix;
mod normal;
mod score;
mod sprt;

pub use bradley_terry::{Ratings, ratings};
pub use elo::{Elo, Z95, expected_score};
pub use field::{FieldGame, FieldRatings, SeatEffects, field_ratings};
pub use normal::normal;
pub use score::{Estimate, Score};
pub use sprt::{PAIRS_LEAST, Sprt, SprtError, SprtModel, SprtVerdict};
