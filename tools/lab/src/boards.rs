//! Starting positions by short names.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use amazons_rules::{Board, Move, Position, Shape};
use anyhow::{Context, Result, bail, ensure};
use rand::{Rng, RngExt};

/// The boards of matches and games, unless told: those of docs/strength.md.
pub(crate) const USUAL: &str = "standard,c8,c10,d9,d10,t10,88,810";

/// A board with its start.
#[derive(Clone, Debug)]
pub(crate) struct StartPosition {
    pub(crate) name: String,
    pub(crate) position: Position,
}

/// Reads a list such as `standard,c10,d9,t10,88`: a shape's letter and m.
pub(crate) fn starts(list: &str) -> Result<Vec<StartPosition>> {
    list.split(',').map(|name| start(name.trim())).collect()
}

/// Reads a file of position texts, one a line, which are named by their boards' size.
pub(crate) fn listed(path: &Path) -> Result<Vec<StartPosition>> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let start = |(number, line): (usize, &str)| {
        let position = Position::parse(line).with_context(|| format!("{}, line {}", path.display(), number + 1))?;
        let name = format!("{}x{}", position.board().rows(), position.board().columns());
        Ok(StartPosition { name, position })
    };
    let starts: Vec<_> = text.lines().enumerate().map(start).collect::<Result<_>>()?;
    ensure!(!starts.is_empty(), "{} has no positions", path.display());
    Ok(starts)
}

/// Reads one name.
pub(crate) fn start(name: &str) -> Result<StartPosition> {
    let position = if name == "standard" {
        Position::standard()
    } else {
        let mut letters = name.chars();
        let shape = match letters.next() {
            Some('c') => Shape::Square,
            Some('d') => Shape::Donut,
            Some('t') => Shape::Clover,
            Some('8') => Shape::FigureEight,
            _ => bail!("'{name}' is not a board: use standard, or c, d, t or 8 and a size, such as c10"),
        };
        let m = letters.as_str().parse().with_context(|| format!("'{name}' has no size"))?;
        Position::start(Arc::new(Board::new(shape, m)?))
    };
    Ok(StartPosition { name: name.to_owned(), position })
}

impl StartPosition {
    /// Plays that many random moves and returns the position with them; tries again if they block a side.
    pub(crate) fn opening(&self, plies: usize, rng: &mut impl Rng) -> (Position, Vec<Move>) {
        loop {
            let mut position = self.position.clone();
            let mut moves = Vec::new();
            while moves.len() < plies
                && let Some(mv) = position.random_move(rng)
            {
                position.play_unchecked(mv);
                moves.push(mv);
            }
            if moves.len() == plies && position.has_moves() {
                return (position, moves);
            }
        }
    }

    /// Draws one of several.
    pub(crate) fn any<'a>(starts: &'a [Self], rng: &mut impl Rng) -> &'a Self {
        &starts[rng.random_range(0..starts.len())]
    }
}
