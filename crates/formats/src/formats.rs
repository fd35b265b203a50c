use crate::{Format, GIF, HTML, PGN, PNG, POSITION_TEXT, SGF, SVG};

/// Every format of this crate.
pub const FORMATS: [Format; 7] = [SGF, PGN, POSITION_TEXT, SVG, PNG, GIF, HTML];

/// Finds a format by its name.
pub fn by_name(name: &str) -> Option<Format> {
    FORMATS.into_iter().find(|format| format.name == name)
}

/// Finds a format by a file name extension, in any case.
pub fn by_extension(extension: &str) -> Option<Format> {
    let extension = extension.to_ascii_lowercase();
    FORMATS.into_iter().find(|format| format.extensions.contains(&extension.as_str()))
}
