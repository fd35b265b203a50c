use crate::picture::Picture;
use crate::raster::draw;
use crate::{CannotWrite, Format, Game, Look};

/// A picture of the last position, in light colours.
pub const PNG: Format = Format { name: "png", extensions: &["png"], writer: write, reader: None };

fn write(game: &Game, look: &Look) -> Result<Vec<u8>, CannotWrite> {
    let pixels = draw(&Picture::last(game, look.shading), look.size).map_err(CannotWrite::Pixels)?;
    pixels.encode_png().map_err(|error| CannotWrite::Pixels(error.to_string()))
}
