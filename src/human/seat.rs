use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use amazons_rules::{Move, MoveList, Position, Vertex};

use super::cost::{at_once, too_late};
use super::entry::COMMANDS;
use super::input::{Input, Line};
use super::{Entry, hint};
use crate::host::HostError;
use crate::referee::{Answer, CallError, PlayerNumber, PlayerRequest, Sandbox, Seat};
use crate::terminal::{Palette, draw_board};
use crate::text::visible;

/// A person at the terminal.
pub struct HumanSeat {
    player: PlayerNumber,
    position: Position,
    /// How many moves of its own can be taken back.
    moves: u32,
    /// For each move, on the wall clock.
    limit: Option<Duration>,
    input: Option<Input>,
}

impl fmt::Debug for HumanSeat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HumanSeat").field("player", &self.player).finish_non_exhaustive()
    }
}

impl HumanSeat {
    /// Seats a person who sees the game from this position on.
    #[must_use]
    pub fn new(player: PlayerNumber, position: &Position, limit: Option<Duration>) -> Self {
        Self { player, position: position.clone(), moves: 0, limit, input: None }
    }

    /// Asks until there is a move or the wish to do something else.
    fn ask(&mut self) -> Result<Move, CallError> {
        loop {
            let prompt = format!("{}, {} to move> ", self.player, self.position.side_to_move());
            let input = self.input.get_or_insert_with(|| Input::open(&self.position));
            let Line::Text(line) = input.line(&prompt, &self.position).map_err(HostError::Terminal)? else {
                return Err(CallError::Request(PlayerRequest::Resign));
            };
            let entry = match Entry::parse(self.position.board(), &line) {
                Ok(entry) => entry,
                Err(error) => {
                    say(&format!("'{}': {error}; help lists what can be typed", visible(line.trim())))?;
                    continue;
                }
            };
            match entry {
                Entry::Move(mv) => match self.position.is_legal(mv) {
                    Ok(()) => return Ok(mv),
                    Err(reason) => say(&format!("not legal: {}", reason.describe(self.position.board())))?,
                },
                Entry::Undo if self.moves == 0 => say("you have no move to take back")?,
                Entry::Undo => return Err(CallError::Request(PlayerRequest::TakeBack)),
                Entry::Resign | Entry::Quit => return Err(CallError::Request(PlayerRequest::Resign)),
                Entry::Moves(from) => say(&moves_text(&self.position, from))?,
                Entry::Hint => say(&hint_text(&self.position))?,
                Entry::Board => say(draw_board(&self.position, None, Palette::Plain).trim_end())?,
                Entry::Help => say(&help())?,
                Entry::Nothing => {}
            }
        }
    }
}

/// Writes to the person.
fn say(text: &str) -> Result<(), HostError> {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}").and_then(|()| out.flush()).map_err(HostError::Terminal)
}

fn help() -> String {
    let mut text = "a move is typed as d1-d7/g7: from, to, arrow; Tab completes squares".to_owned();
    for (name, meaning) in COMMANDS {
        text.push_str(&format!("\n  {name:<7} {meaning}"));
    }
    text
}

/// Lists where a queen can go, or how many moves each has.
fn moves_text(position: &Position, from: Option<Vertex>) -> String {
    let board = position.board();
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    let mut counts: BTreeMap<Vertex, u32> = BTreeMap::new();
    for mv in moves.iter().filter(|mv| from.is_none_or(|from| mv.from == from)) {
        *counts.entry(if from.is_some() { mv.to } else { mv.from }).or_default() += 1;
    }
    if counts.is_empty() {
        return "none".to_owned();
    }
    let words: Vec<String> = counts.iter().map(|(&at, count)| format!("{} ({count})", board.square(at))).collect();
    words.join(" ")
}

fn hint_text(position: &Position) -> String {
    match hint(position) {
        Ok(hints) => {
            let told =
                hints.iter().map(|hint| format!("{} ({:.0} %)", position.board().move_text(hint.mv), hint.win * 100.0));
            format!("hint: {}", told.collect::<Vec<_>>().join(", "))
        }
        Err(error) => format!("no hint: {error}"),
    }
}

impl Seat for HumanSeat {
    fn load(&mut self) -> Result<(), CallError> {
        Ok(())
    }

    fn initialize(&mut self) -> Result<Answer<()>, CallError> {
        Ok(at_once(()))
    }

    fn name(&mut self) -> Result<Answer<Option<Vec<u8>>>, CallError> {
        Ok(at_once(Some(b"human".to_vec())))
    }

    fn play(&mut self, previous: Option<Move>) -> Result<Answer<Move>, CallError> {
        if let Some(previous) = previous {
            self.position.play_unchecked(previous);
        }
        let clock = Instant::now();
        let mv = self.ask()?;
        let wall = clock.elapsed();
        if let Some(limit) = self.limit.filter(|&limit| wall > limit) {
            return Err(too_late(format!("moved after {wall:.1?}, of {limit:?}")));
        }
        self.position.play_unchecked(mv);
        self.moves += 1;
        let left = self.limit.map_or(Duration::ZERO, |limit| limit.saturating_sub(wall));
        Ok(Answer { value: mv, wall, cpu: Duration::ZERO, idle_cpu: Duration::ZERO, left })
    }

    fn finalize(&mut self) -> Result<Answer<()>, CallError> {
        Ok(at_once(()))
    }

    fn take_back(&mut self, position: &Position) {
        self.position = position.clone();
        self.moves = self.moves.saturating_sub(1);
    }

    fn sandbox(&self) -> Option<Sandbox> {
        None
    }

    fn log(&self) -> Vec<u8> {
        Vec::new()
    }
}
