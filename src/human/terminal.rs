use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use amazons_rules::{Move, MoveList, Position, Vertex};

use super::entry::COMMANDS;
use super::input::Input;
use super::prompt::{Prompt, answer, too_late};
use super::{Hint, HumanCommand, hint};
use crate::host::HostError;
use crate::referee::{Answer, CallError, PlayerNumber, PlayerRequest};
use crate::terminal::{Palette, draw_board};
use crate::text::visible;

/// Asks a person at the terminal, and explains errors in the input.
pub(super) struct Terminal {
    player: PlayerNumber,
    /// The limit for each move, on the wall clock.
    limit: Option<Duration>,
    input: Option<Input>,
}

impl fmt::Debug for Terminal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Terminal").field("player", &self.player).finish_non_exhaustive()
    }
}

impl Terminal {
    pub(super) const fn new(player: PlayerNumber, limit: Option<Duration>) -> Self {
        Self { player, limit, input: None }
    }

    /// Asks until the person types a legal move or another request.
    fn read_move(&mut self, position: &Position, can_take_back: bool) -> Result<Move, CallError> {
        let board = position.board();
        let prompt = format!("{}, {} to move> ", self.player, position.side_to_move());
        loop {
            let input = self.input.get_or_insert_with(|| Input::open(position));
            let Some(line) = input.line(&prompt, position).map_err(HostError::Terminal)? else {
                return Err(CallError::Request(PlayerRequest::Resign));
            };
            let entry = match HumanCommand::parse(position, &line) {
                Ok(entry) => entry,
                Err(error) => {
                    say(&format!("'{}': {error}; help lists what can be typed", visible(line.trim())))?;
                    continue;
                }
            };
            match entry {
                HumanCommand::Move(mv) => match position.is_legal(mv) {
                    Ok(()) => return Ok(mv),
                    Err(reason) => say(&format!("not legal: {}", reason.describe(board)))?,
                },
                HumanCommand::Undo if !can_take_back => say("you have no move to take back")?,
                HumanCommand::Undo => return Err(CallError::Request(PlayerRequest::TakeBack)),
                HumanCommand::Resign | HumanCommand::Quit => return Err(CallError::Request(PlayerRequest::Resign)),
                HumanCommand::Moves(from) => say(&moves_text(position, from))?,
                HumanCommand::Hint => say(&hint_text(position))?,
                HumanCommand::Board => say(draw_board(position, None, Palette::Plain).trim_end())?,
                HumanCommand::Help => say(&help())?,
                HumanCommand::Nothing => {}
            }
        }
    }
}

impl Prompt for Terminal {
    fn ask(&mut self, position: &Position, can_take_back: bool) -> Result<Answer<Move>, CallError> {
        let clock = Instant::now();
        let mv = self.read_move(position, can_take_back)?;
        let wall = clock.elapsed();
        match self.limit.filter(|&limit| wall > limit) {
            Some(limit) => Err(too_late(format!("moved after {wall:.1?}, of {limit:?}"))),
            None => Ok(answer(mv, wall, self.limit)),
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

/// Lists a queen's targets, or the number of each queen's moves.
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
            let text = |hint: &Hint| format!("{} ({})", position.board().move_text(hint.mv), hint.chance());
            format!("hint: {}", hints.iter().map(text).collect::<Vec<_>>().join(", "))
        }
        Err(error) => format!("no hint: {error}"),
    }
}
