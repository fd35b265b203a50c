//! Reads and writes games of the Amazons in common formats.
//!
//! A [`Game`] holds what the formats have in common; it always replays by the rules. A [`Format`] writes one and,
//! unless it is a picture or a page, reads one back; [`FORMATS`] lists them all, [`by_name`] and [`by_extension`] find
//! one.
//!
//! | format | keeps |
//! |---|---|
//! | [`SGF`] | everything but the board of more than 52 columns or rows |
//! | [`PGN`] | everything; runs of blanks in comments become one |
//! | [`REPLAY`] | games of Botzone and Kaggle, which are only read |
//! | [`POSITION_TEXT`] | the last position |
//! | [`SVG`], [`PNG`] | a drawing of the last position |
//! | [`GIF`] | a drawing of every position |
//! | [`HTML`] | a page with the whole game to view |
//!
//! Nothing here opens a file, reads a clock or starts a thread, and no input can make it panic.
//!
//! ```
//! use amazons_formats::{Game, Look, SGF};
//! use amazons_rules::{Board, Position, Shape};
//!
//! let start = Position::start(Board::new(Shape::Donut, 9)?.into());
//! let mut game = Game::new(start)?;
//! game.push(game.board().parse_move("c9-c8/d7")?)?;
//! let written = SGF.write(&game, &Look::default())?;
//! let again = SGF.reader.expect("SGF can be read")(&written, 1)?.game;
//! assert_eq!(again.position().to_string(), game.position().to_string());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![warn(missing_docs)]
#![forbid(unsafe_code)]
#![deny(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used)]

mod apart;
mod board_name;
mod ending;
mod format;
mod formats;
mod game;
mod gif;
mod html;
mod look;
mod note;
mod pgn;
mod picture;
mod png;
mod position_text;
mod raster;
mod read_error;
mod replay;
mod seconds;
mod sgf;
mod svg;
mod told;

pub use board_name::{BoardName, UnknownBoard};
pub use ending::{Ending, UnknownEnding, endings_element};
pub use format::{CannotWrite, Format, Reader};
pub use formats::{FORMATS, by_extension, by_name};
pub use game::{Details, Found, Game, GameError, GameOutcome, PlayedMove};
pub use gif::GIF;
pub use html::{BOARD_JS, ENDINGS_JS, HTML, Page, VIEWER_CSS, VIEWER_JS};
pub use look::{Look, Shading};
pub use note::{Mark, MoveNote, Variation, chance, color};
pub use pgn::PGN;
pub use png::PNG;
pub use position_text::POSITION_TEXT;
pub use read_error::{ReadError, no_game};
pub use replay::REPLAY;
pub use sgf::SGF;
pub use svg::SVG;
