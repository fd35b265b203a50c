use crate::picture::{Picture, View};
use crate::raster::draw;
use crate::{CannotWrite, Format, Game, Look};

/// A picture of the last position, in the colours of the day.
#[derive(Clone, Copy, Debug)]
pub struct Png;

impl Format for Png {
    fn name(&self) -> &'static str {
        "png"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["png"]
    }

    fn write(&self, game: &Game, look: &Look) -> Result<Vec<u8>, CannotWrite> {
        let last = game.moves().last().map(|played| played.mv);
        let picture = Picture::new(game.position(), View { last, shading: look.shading });
        let pixels = draw(&picture, look.size).map_err(CannotWrite::Pixels)?;
        pixels.encode_png().map_err(|error| CannotWrite::Pixels(error.to_string()))
    }
}
