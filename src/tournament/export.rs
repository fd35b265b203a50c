use std::io::{self, BufReader, Write};
use std::path::Path;

use amazons_formats::{Details, Game, GameOutcome, Look, PGN};
use amazons_program::files::open;
use amazons_rules::Color;
use anyhow::{Context, bail};

use super::contest::round_of;
use super::event::Event;
use super::merged::Merged;
use super::report::title;
use super::results::GameResult;
use super::schedule::Pair;
use crate::record::Record;
use crate::referee::PlayerNumber;

/// Writes the games of events as PGN: exactly those that [`merged_standings`](super::merged_standings) rates, under the
/// same names of players.
///
/// A game without a record is written without its moves; `note` is told where one is missing that should be there.
pub fn write_pgn(events: &[Event], out: &mut impl Write, mut note: impl FnMut(&str)) -> io::Result<()> {
    let merged = Merged::of(events);
    let mut is_first = true;
    for (event, places) in events.iter().zip(&merged.places) {
        for pair in event.schedule().pairs().iter().take(event.rated()) {
            let [Some(one), Some(two)] = event.results().games_of(pair.number) else { continue };
            for (number, result) in [(1, one), (2, two)] {
                let told = Told { event, pair, number, result };
                let mut game = told.recorded().unwrap_or_else(|error| {
                    note(&format!("{error:#}: pair {}, game {number} is written without its moves", pair.number));
                    None
                });
                let Some(mut game) = game.take().or_else(|| told.without_moves()) else { continue };
                told.name(&mut game, pair.players.map(|id| merged.players[places[id]].name.as_str()));
                if !is_first {
                    out.write_all(b"\n")?;
                }
                is_first = false;
                out.write_all(&PGN.write(&game, &Look::default()).map_err(io::Error::other)?)?;
            }
        }
    }
    Ok(())
}

/// A game as the journal tells it.
#[derive(Clone, Copy)]
struct Told<'a> {
    event: &'a Event,
    pair: &'a Pair,
    number: u8,
    result: GameResult,
}

impl Told<'_> {
    /// Reads its record, if it was kept.
    fn recorded(self) -> anyhow::Result<Option<Game>> {
        let (Some(path), _) = self.result.files(self.pair.number, self.number) else { return Ok(None) };
        let read = |path: &Path| -> anyhow::Result<Game> {
            let record = Record::read(BufReader::new(open(path)?))?;
            if record.end.winner != self.result.winner || record.end.moves != self.result.moves {
                bail!("it is not the game of the journal");
            }
            Game::try_from(&record)
        };
        let path = self.event.folder().join(path);
        read(&path).with_context(|| path.display().to_string()).map(Some)
    }

    /// Makes a game of what the journal has: who won.
    fn without_moves(self) -> Option<Game> {
        let mut game = Game::new(self.event.plan().opening(self.pair).ok()?).ok()?;
        let first = if self.number == 1 { PlayerNumber::One } else { PlayerNumber::Two };
        let to_move = game.start().side_to_move();
        let color = |player| if player == first { to_move } else { to_move.opposite() };
        let winner = self.result.winner.map(color);
        let name = self.result.termination.name();
        // An ending would speak of a last position that is not there.
        let detail = Some(format!("{name} after {} moves, which were not recorded", self.result.moves));
        game.outcome = Some(GameOutcome { winner, ending: None, detail });
        Some(game)
    }

    /// Names the players, the event and the round.
    fn name(self, game: &mut Game, names: [&str; 2]) {
        let first = usize::from(self.number - 1);
        let [to_move, waiting] = [names[first], names[1 - first]].map(|name| Some(name.to_owned()));
        let (black, white) = match game.start().side_to_move() {
            Color::Black => (to_move, waiting),
            Color::White => (waiting, to_move),
        };
        game.details = Details {
            black,
            white,
            event: Some(title(self.event.folder())),
            round: Some(round_of(self.pair.number, self.number)),
            ..std::mem::take(&mut game.details)
        };
    }
}
