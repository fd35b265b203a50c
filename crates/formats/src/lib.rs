//! A game of the Amazons in the formats that others read.
//!
//! A [`Game`] is what every format can say of a game; it always replays by the rules. A [`Format`] writes one and, unless
//! it is a picture, reads one back; [`FORMATS`] lists them all and [`by_name`] and [`by_extension`] find one.
//!
//! | format | keeps |
//! |---|---|
//! | [`Sgf`] | everything but the board of more than 52 columns or rows |
//! | [`Pgn`] | everything; runs of blanks in comments become one |
//! | [`PositionText`] | the last position |
//! | [`Svg`], [`Png`] | a drawing of the last position |
//! | [`Gif`] | a drawing of every position |
//! | [`Html`] | a page with the whole game, to be looked at |
//!
//! Nothing here opens a file, reads a clock or starts a thread, and what comes from others can make nothing here panic.
//!
//! ```
//! use amazons_formats::{Format, Game, Look, Sgf};
//! use amazons_rules::{Board, Position, Shape};
//!
//! let start = Position::start(Board::new(Shape::Donut, 9)?.into());
//! let mut game = Game::new(start)?;
//! game.push(game.board().parse_move("c9-c8/d7")?)?;
//! let written = Sgf.write(&game, &Look::default())?;
//! let again = Sgf.reader().expect("SGF can be read")(&written)?;
//! assert_eq!(again.position().to_string(), game.position().to_string());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]
#![deny(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used)]

mod board_name;
mod ending;
mod format;
mod formats;
mod game;
mod gif;
mod html;
mod look;
mod pgn;
mod picture;
mod place;
mod png;
mod position_text;
mod raster;
mod seconds;
mod sgf;
mod svg;

pub use board_name::{BoardName, UnknownBoard};
pub use ending::{Ending, UnknownEnding};
pub use format::{CannotWrite, Format, ReadError, Reader};
pub use formats::{FORMATS, by_extension, by_name};
pub use game::{Details, Game, GameError, Outcome, Played};
pub use gif::Gif;
pub use html::{Html, VIEWER_CSS, VIEWER_JS};
pub use look::{Look, Shading};
pub use pgn::Pgn;
pub use png::Png;
pub use position_text::PositionText;
pub use sgf::Sgf;
pub use svg::{Svg, escape_xml};
