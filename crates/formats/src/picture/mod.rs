//! A position as shapes: laid out once, drawn by every picture format.
//!
//! Lengths are in hundredths of a square's side. Sides differ in both shape and colour: Black's queens stand on discs,
//! White's on diamonds.

mod glyphs;
mod layout;
mod shapes;

pub(crate) use glyphs::{width, word};
pub(crate) use layout::{LABEL_HEIGHT, Picture};
pub(crate) use shapes::{Ink, Shape};
