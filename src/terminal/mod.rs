//! Games on a terminal.

mod board;
mod narrator;

pub use board::{Palette, draw_board, draw_marks};
pub use narrator::{Boards, Narrator};
