use std::collections::HashMap;

use gif::{Encoder, EncodingError, Frame, Repeat};
use tiny_skia::Pixmap;

use crate::picture::{Ink, Picture};
use crate::raster::draw;
use crate::{CannotWrite, Format, Game, Look};

/// An animation of the whole game, one frame per move, in an endless loop.
pub const GIF: Format = Format { name: "gif", extensions: &["gif"], writer: write, reader: None };

/// Maximum side of a picture in this format.
const SIDE_MAX: u32 = u16::MAX as u32;
/// Maximum number of pixels of all frames together, to limit the time.
const PIXELS_MAX: u64 = 1 << 30;
/// Steps of the palette between two colours, for soft edges.
const STEPS: u16 = 2;
/// The index of no colour, beyond all of the palette.
const CLEAR: u8 = u8::MAX;
/// How many times longer the last position is shown.
const LAST_FACTOR: u32 = 5;

fn write(game: &Game, look: &Look) -> Result<Vec<u8>, CannotWrite> {
    let frames = game.moves().len() as u64 + 1;
    let pixels = u64::from(look.size).pow(2) * frames;
    if look.size > SIDE_MAX || pixels > PIXELS_MAX {
        let what = format!("{frames} frames of {size} x {size} pixels are too many", size = look.size);
        return Err(CannotWrite::Pixels(what));
    }
    let mut film = Film::new();
    for (ply, (played, position)) in game.positions().enumerate() {
        let picture = Picture::new(game, ply, &position, played.map(|played| played.mv), look.shading);
        film.add(&draw(&picture, look.size).map_err(CannotWrite::Pixels)?);
    }
    film.encode(look.delay_ms).map_err(|error| CannotWrite::Pixels(error.to_string()))
}

/// Frames in the colours of one palette.
struct Film {
    palette: Vec<[u8; 3]>,
    known: HashMap<[u8; 3], u8>,
    size: (u16, u16),
    frames: Vec<Cut>,
    /// The last whole frame.
    shown: Vec<u8>,
}

/// The part of a frame that differs from the previous one.
struct Cut {
    left: u16,
    top: u16,
    width: u16,
    height: u16,
    indices: Vec<u8>,
}

impl Film {
    fn new() -> Self {
        Self { palette: palette(), known: HashMap::new(), size: (0, 0), frames: Vec::new(), shown: Vec::new() }
    }

    fn add(&mut self, pixmap: &Pixmap) {
        let side = |length: u32| u16::try_from(length).unwrap_or(u16::MAX);
        self.size = (side(pixmap.width()), side(pixmap.height()));
        let colors = pixmap.pixels().iter().map(|pixel| [pixel.red(), pixel.green(), pixel.blue()]);
        let mut indices = Vec::with_capacity(pixmap.pixels().len());
        for color in colors {
            indices.push(*self.known.entry(color).or_insert_with(|| nearest(&self.palette, color)));
        }
        self.frames.push(cut(&self.shown, &indices, self.size));
        self.shown = indices;
    }

    fn encode(self, delay_ms: u32) -> Result<Vec<u8>, EncodingError> {
        let mut bytes = Vec::new();
        let mut encoder = Encoder::new(&mut bytes, self.size.0, self.size.1, &self.palette.concat())?;
        encoder.set_repeat(Repeat::Infinite)?;
        let last = self.frames.len().saturating_sub(1);
        for (number, Cut { left, top, width, height, indices }) in self.frames.into_iter().enumerate() {
            let time_ms = if number == last { delay_ms.saturating_mul(LAST_FACTOR) } else { delay_ms };
            // The format counts in hundredths of a second.
            let delay = u16::try_from(time_ms / 10).unwrap_or(u16::MAX);
            encoder.write_frame(&Frame {
                left,
                top,
                width,
                height,
                delay,
                transparent: Some(CLEAR),
                buffer: indices.into(),
                ..Frame::default()
            })?;
        }
        drop(encoder);
        Ok(bytes)
    }
}

/// Returns all inks and some steps between each pair: at most 2 * 105 + 15, less than 256.
fn palette() -> Vec<[u8; 3]> {
    let mut colors: Vec<[u8; 3]> = Vec::new();
    let mut add = |color| {
        if !colors.contains(&color) {
            colors.push(color);
        }
    };
    let inks = Ink::ALL.map(|ink| ink.look().1);
    inks.into_iter().for_each(&mut add);
    for (index, one) in inks.into_iter().enumerate() {
        for two in inks.into_iter().skip(index + 1) {
            for step in 1..=STEPS {
                let mut mixed = one;
                for (value, other) in mixed.iter_mut().zip(two) {
                    let sum = u16::from(*value) * (STEPS + 1 - step) + u16::from(other) * step;
                    *value = u8::try_from(sum / (STEPS + 1)).unwrap_or(u8::MAX);
                }
                add(mixed);
            }
        }
    }
    colors
}

fn nearest(palette: &[[u8; 3]], color: [u8; 3]) -> u8 {
    let distance = |known: &[u8; 3]| -> u32 {
        known.iter().zip(color).map(|(&one, two)| u32::from(one.abs_diff(two)).pow(2)).sum()
    };
    (0..=u8::MAX).zip(palette).min_by_key(|(_, known)| distance(known)).map_or(0, |(index, _)| index)
}

/// Cuts out the smallest rectangle that holds every changed pixel, at least one pixel.
fn cut(before: &[u8], after: &[u8], (width, height): (u16, u16)) -> Cut {
    let columns = usize::from(width.max(1));
    let is_first = before.len() != after.len();
    let (mut left, mut right, mut top, mut bottom) = (columns, 0, usize::from(height), 0);
    for (row, (old, new)) in before.chunks(columns).zip(after.chunks(columns)).enumerate() {
        let changes = |(old, new): (&u8, &u8)| old != new;
        if let Some(first) = old.iter().zip(new).position(changes) {
            left = left.min(first);
            right = right.max(old.iter().zip(new).rposition(changes).unwrap_or(first));
            top = top.min(row);
            bottom = row;
        }
    }
    if is_first {
        (left, right, top, bottom) = (0, columns - 1, 0, usize::from(height).saturating_sub(1));
    } else if left > right {
        (left, right, top, bottom) = (0, 0, 0, 0);
    }
    // What stays as it was lets the last frame through, which packs well.
    let stays = |at: usize| !is_first && before.get(at) == after.get(at);
    let row = |row: usize| row * columns + left..=row * columns + right;
    let pixel = |at: usize| if stays(at) { CLEAR } else { after.get(at).copied().unwrap_or(CLEAR) };
    let indices = (top..=bottom).flat_map(row).map(pixel).collect();
    let side = |length: usize| u16::try_from(length).unwrap_or(u16::MAX);
    Cut { left: side(left), top: side(top), width: side(right + 1 - left), height: side(bottom + 1 - top), indices }
}
