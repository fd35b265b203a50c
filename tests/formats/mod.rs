//! Games in common formats: written, read back, and refused when invalid.

mod html;
mod pgn;
mod pictures;
mod position_text;
mod replays;
mod round_trips;
mod sgf;
mod tools;

use std::sync::Arc;
use std::time::Duration;

use amazons_formats::{Details, Ending, Format, Game, GameOutcome, Look, PlayedMove, ReadError};
use amazons_rules::{Board, Position, Shape};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Hostile names for players.
pub(crate) const HOSTILE: [&str; 9] = [
    "<script>alert(1)</script>",
    "a]b\\c)d(;e:f",
    "\" onload=\"x\" '",
    "{[%eval 1]}; $1 --> ]]>",
    "</script><!--",
    "&amp; &lt;",
    "\u{202e}Zoé Ångström 名前",
    "\\",
    "1-0",
];

/// Plays at most `plies` random moves.
pub(crate) fn random_game(start: Position, plies: usize, seed: u64) -> Game {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut game = Game::new(start).expect("a grid");
    while game.moves().len() < plies
        && let Some(mv) = game.position().random_move(&mut rng)
    {
        game.push(mv).expect("a legal move");
    }
    game
}

/// A game with every possible detail.
pub(crate) fn annotated_game(start: Position, plies: usize, seed: u64) -> Game {
    let plain = random_game(start, plies, seed);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut words = || Some(HOSTILE[rng.random_range(0..HOSTILE.len())].replace('}', ")").replace("[%", "[ %"));
    let mut game = Game::new(plain.start().clone()).expect("a grid");
    game.details = Details {
        black: words(),
        white: words(),
        event: words(),
        site: words(),
        date: Some("2026-01-31".to_owned()),
        round: Some("3.1".to_owned()),
        annotator: words(),
        program: Some("another 1.0".to_owned()),
        time_control: Some("300+5".to_owned()),
    };
    game.comment = words();
    for (ply, played) in (1_u32..).zip(plain.moves()) {
        let played = PlayedMove {
            comment: if ply % 3 == 0 { words() } else { None },
            time: (ply % 2 == 0).then(|| Duration::from_micros(u64::from(ply) * 1_234_567)),
            left: (ply % 5 == 0).then(|| Duration::from_millis(u64::from(ply) * 10)),
            value: (ply % 4 == 0).then(|| f32::from(i8::try_from(ply % 201).map_or(0, |value| value - 100)) / 100.0),
            ..played.clone()
        };
        game.push(played).expect("a legal move");
    }
    let blocked = !game.position().has_moves();
    let winner = Some(game.position().side_to_move().opposite());
    let ending = if blocked { Ending::NoMoves } else { Ending::ALL[1 + seed as usize % 8] };
    game.end(GameOutcome { winner, ending: Some(ending), detail: words() }).expect("a true ending");
    game
}

/// The start of a shape.
pub(crate) fn start(shape: Shape, m: u32) -> Position {
    Position::start(Arc::new(Board::new(shape, m).expect("a legal size")))
}

/// Writes a game as text.
pub(crate) fn written(format: Format, game: &Game) -> String {
    String::from_utf8(format.write(game, &Look::default()).expect("a format for this game")).expect("text")
}

/// Reads a game.
pub(crate) fn read(format: Format, bytes: impl AsRef<[u8]>) -> Result<Game, ReadError> {
    format.reader.expect("a format that can be read")(bytes.as_ref(), 1).map(|found| found.game)
}

/// The reason for refusing a text.
fn refused(format: Format, text: impl AsRef<[u8]>) -> String {
    read(format, text).expect_err("no game").to_string()
}
