//! Shapes as pixels.

use tiny_skia::{Color, FillRule, LineCap, LineJoin, Paint, PathBuilder, Pixmap, Rect, Stroke, Transform};

use crate::picture::{Ink, LABEL_HEIGHT, Picture, Shape, width, word};

/// Maximum number of pixels, more than any screen has.
const PIXELS_MAX: u64 = 1 << 28;

/// Draws a picture whose longer side has `size` pixels.
pub(crate) fn draw(picture: &Picture, size: u32) -> Result<Pixmap, String> {
    let scale = size as f32 / picture.width.max(picture.height);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is from 0 to the size")]
    let side = |length: f32| ((length * scale).round() as u32).max(1);
    let (width, height) = (side(picture.width), side(picture.height));
    let pixmap = if u64::from(width) * u64::from(height) <= PIXELS_MAX { Pixmap::new(width, height) } else { None };
    let mut pixmap = pixmap.ok_or_else(|| format!("{width} x {height} pixels are too many"))?;
    for (ink, shape) in &picture.shapes {
        draw_shape(&mut pixmap, *ink, shape, Transform::from_scale(scale, scale));
    }
    Ok(pixmap)
}

fn draw_shape(pixmap: &mut Pixmap, ink: Ink, shape: &Shape, transform: Transform) {
    let (_, [red, green, blue], _) = ink.look();
    let mut paint = Paint::default();
    paint.set_color(Color::from_rgba8(red, green, blue, u8::MAX));
    match shape {
        Shape::Rectangle([x, y, width, height]) => {
            if let Some(rectangle) = Rect::from_xywh(*x, *y, *width, *height) {
                // Squares touch: without soft edges there are no seams between them.
                paint.anti_alias = false;
                pixmap.fill_rect(rectangle, &paint, transform, None);
            }
        }
        Shape::Disc([x, y, radius]) => {
            if let Some(path) = PathBuilder::from_circle(*x, *y, *radius) {
                pixmap.fill_path(&path, &paint, FillRule::Winding, transform, None);
            }
        }
        Shape::Polygon(points) => {
            let mut builder = PathBuilder::new();
            follow(&mut builder, points);
            builder.close();
            if let Some(path) = builder.finish() {
                pixmap.fill_path(&path, &paint, FillRule::Winding, transform, None);
            }
        }
        Shape::Line(points, width) => stroke(pixmap, &paint, std::slice::from_ref(points), *width, transform),
        Shape::Word([x, y], text) => {
            let point = [x - width(text, LABEL_HEIGHT) / 2.0, *y];
            stroke(pixmap, &paint, &word(text, point, LABEL_HEIGHT), LABEL_HEIGHT / 7.0, transform);
        }
        Shape::Text(point, height, text) => {
            stroke(pixmap, &paint, &word(text, *point, *height), height / 7.0, transform);
        }
    }
}

fn stroke(pixmap: &mut Pixmap, paint: &Paint<'_>, lines: &[Vec<[f32; 2]>], width: f32, transform: Transform) {
    let mut builder = PathBuilder::new();
    lines.iter().for_each(|line| follow(&mut builder, line));
    let stroke = Stroke { width, line_cap: LineCap::Round, line_join: LineJoin::Round, ..Stroke::default() };
    if let Some(path) = builder.finish() {
        pixmap.stroke_path(&path, paint, &stroke, transform, None);
    }
}

fn follow(builder: &mut PathBuilder, points: &[[f32; 2]]) {
    let Some(([x, y], rest)) = points.split_first() else { return };
    builder.move_to(*x, *y);
    rest.iter().for_each(|[x, y]| builder.line_to(*x, *y));
}
