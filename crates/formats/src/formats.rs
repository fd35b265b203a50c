use crate::{Format, Gif, Html, Pgn, Png, PositionText, Sgf, Svg};

/// Every format of this crate.
pub const FORMATS: [&dyn Format; 7] = [&Sgf, &Pgn, &PositionText, &Svg, &Png, &Gif, &Html];

/// Finds a format by its name.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static dyn Format> {
    FORMATS.into_iter().find(|format| format.name() == name)
}

/// Finds a format by the ending of a file's name, in any case.
#[must_use]
pub fn by_extension(extension: &str) -> Option<&'static dyn Format> {
    let extension = extension.to_ascii_lowercase();
    FORMATS.into_iter().find(|format| format.extensions().contains(&extension.as_str()))
}
