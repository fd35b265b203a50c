//! The look of the pages of all programs: colours, type, and the parts that pages are made of.
#![warn(missing_docs)]

/// The style sheet; a colour stands in its `:root` and nowhere else.
pub const LOOK_CSS: &str = include_str!("look.css");
