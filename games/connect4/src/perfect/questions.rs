use crate::geometry::{AnySize, Geometry};
use crate::{Ending, Position};

/// Asks for the score of a position by asking for bounds: at least the second number, or at most the first.
pub(super) fn score<E>(
    position: &Position,
    mut bound: impl FnMut(&Position, i32, i32) -> Result<i32, E>,
) -> Result<i32, E> {
    let (mut lower, mut upper) = limits(position);
    // From the outside inwards: the outer questions are cheap, and their answers serve the others.
    while lower < upper {
        let mut middle = lower + (upper - lower) / 2;
        if middle <= 0 && lower / 2 < middle {
            middle = lower / 2;
        } else if middle >= 0 && upper / 2 > middle {
            middle = upper / 2;
        }
        let found = bound(position, middle, middle + 1)?;
        if found <= middle {
            upper = found.max(lower);
        } else {
            lower = found.min(upper);
        }
    }
    Ok(lower)
}

/// Asks who wins: 1 for the side to move, -1 for its opponent, 0 for neither.
pub(super) fn winner<E>(
    position: &Position,
    mut bound: impl FnMut(&Position, i32, i32) -> Result<i32, E>,
) -> Result<i32, E> {
    if bound(position, 0, 1)? > 0 {
        return Ok(1);
    }
    Ok(if bound(position, -1, 0)? < 0 { -1 } else { 0 })
}

/// Asks for the column with the highest score, and that score; of equal ones the nearest to the centre, then the left
/// one. `None` if the game is over.
pub(super) fn best<E>(
    position: &Position,
    mut bound: impl FnMut(&Position, i32, i32) -> Result<i32, E>,
) -> Result<Option<(u32, i32)>, E> {
    let score = score(position, &mut bound)?;
    for column in position.columns_from_centre() {
        if bound(&position.after(column), -score, 1 - score)? <= -score {
            return Ok(Some((column, score)));
        }
    }
    Ok(None)
}

/// Returns the lowest and highest score that a position may have; they are equal if the next stone ends the game.
pub(super) fn limits(position: &Position) -> (i32, i32) {
    let geometry = AnySize::new(position.size());
    let left = (position.size().cells() - position.plies()).cast_signed();
    match position.ending() {
        Some(Ending::Win(_)) => (-(left + 2) / 2, -(left + 2) / 2),
        Some(Ending::Draw) => (0, 0),
        None if geometry.fours(position.own(), position.stones()) & geometry.playable(position.stones()) != 0 => {
            ((left + 1) / 2, (left + 1) / 2)
        }
        None => (-left / 2, (left - 1) / 2),
    }
}
