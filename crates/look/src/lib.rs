//! The look of the pages of all programs: colours, type, and the parts that pages are made of.
#![warn(missing_docs)]

/// The style sheet; colours stand in its `:root`, and those of one program, with the
/// shape `--mark` before its name, in the `:root` of its own sheet.
pub const LOOK_CSS: &str = include_str!("look.css");
