use amazons_engine::ownership;
use amazons_rules::{Color, Position};
use serde::Serialize;

use crate::terminal::draw_marks;

/// The probability that each vertex becomes territory of either side, by vertex id.
#[derive(Debug, Serialize)]
pub struct OwnershipLine {
    black: Vec<f32>,
    white: Vec<f32>,
}

impl OwnershipLine {
    /// Estimates the ownership of a position, to four decimal places.
    pub fn new(position: &Position) -> Self {
        let [black, white] = probabilities(position).map(|mut chances| {
            chances.iter_mut().for_each(|chance| *chance = (*chance * 1e4).round() / 1e4);
            chances
        });
        Self { black, white }
    }
}

/// Draws a board for each side, with its probabilities in tenths.
pub fn ownership_text(position: &Position) -> String {
    let mut text = String::new();
    for (color, chances) in Color::ALL.into_iter().zip(probabilities(position)) {
        let tenths = |chance: f32| (1..10).rev().find(|&tenths| chance * 10.0 >= f32::from(tenths)).unwrap_or(0);
        let mark = |chance: f32| if chance > 0.0 { char::from(b'0' + tenths(chance)) } else { '.' };
        text += &format!("{color}'s territory, in tenths of a probability; . can never be {color}'s\n");
        text += &draw_marks(position, |vertex| mark(chances[vertex as usize]));
    }
    text
}

fn probabilities(position: &Position) -> [Vec<f32>; 2] {
    let owned = ownership(position);
    [owned.black, owned.white]
}
