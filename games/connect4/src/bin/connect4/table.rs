use std::io::{Write, stderr, stdout};
use std::time::Duration;

use amazons_program::Exit;
use connect4::record::{GameResult, Line, Played, Reason, Record, Winner};
use connect4::{Chosen, Side, Size, letter};

use crate::player::Participant;
use crate::recorder::Recorder;
use crate::view::View;

/// A game and all that it is shown and recorded with.
pub(crate) struct Table {
    pub(crate) recorder: Recorder,
    pub(crate) participants: [Participant; 2],
    pub(crate) view: View,
    /// Prints the record; what people are asked goes to standard error.
    pub(crate) is_json: bool,
    /// Prints the result only.
    pub(crate) is_quiet: bool,
}

impl Table {
    pub(crate) const fn game(&self) -> &Record {
        &self.recorder.game
    }

    pub(crate) fn participant(&self, side: Side) -> Participant {
        self.participants[self.game().head.seat(side)]
    }

    /// Returns the player of a side, as people call it.
    pub(crate) fn name(&self, side: Side) -> String {
        format!("{} ({})", self.participant(side), letter(side))
    }

    /// Plays a person's move; shows it unless a level's answer does.
    pub(crate) fn person_plays(&mut self, column: u32, time: Duration) -> Result<(), Exit> {
        let name = self.game().size.column_name(column);
        self.recorder.add(Line::Move(Played { seconds: time.as_secs_f64(), ..Played::plain(name) }))?;
        let is_seen = self.game().turn().is_some_and(|side| self.participant(side) != Participant::Human);
        if is_seen { Ok(()) } else { self.show().and_then(|()| self.announce()) }
    }

    /// Plays a level's move and says what it thinks of it.
    pub(crate) fn level_plays(&mut self, side: Side, chosen: &Chosen, time: Duration) -> Result<(), Exit> {
        let column = self.game().size.column_name(chosen.column);
        self.recorder.add(Line::Move(Played::by_level(column, chosen, time)))?;
        let knows = match chosen.known_score() {
            Some(score) if chosen.is_proven => format!(" (score {score:+}, proven; "),
            Some(score) => format!(" (score {score:+.3}, "),
            None => " (".to_owned(),
        };
        let (nodes, seconds) = (chosen.nodes, time.as_secs_f64());
        self.say(&format!("{} plays {column}{knows}{nodes} positions, {seconds:.2} s)", self.name(side)))
    }

    pub(crate) fn resign(&mut self, side: Side) -> Result<(), Exit> {
        let winner = Winner::of(side.opponent());
        self.recorder.add(Line::Result(GameResult { winner, reason: Reason::Resigned }))?;
        self.announce()
    }

    /// Takes back a person's last move, and what followed.
    pub(crate) fn undo(&mut self) -> Result<(), Exit> {
        match self.game().undoable(|side| self.participant(side) == Participant::Human) {
            0 => self.complain("no move of yours can be taken back"),
            plies => self.recorder.add(Line::Undo { plies }).and_then(|()| self.show()),
        }
    }

    /// Plays again what was taken back, up to a person's next turn.
    pub(crate) fn redo(&mut self) -> Result<(), Exit> {
        // The moves of a game that somebody gave up are not played again unless one is taken back first.
        if self.game().turn().is_none() {
            return self.complain("the game is over: there is nothing to play again");
        }
        let (participants, head) = (self.participants, self.game().head.clone());
        match self.recorder.redo(|side| participants[head.seat(side)] == Participant::Human)? {
            0 => self.complain("nothing was taken back"),
            _ => self.show().and_then(|()| self.announce()),
        }
    }

    pub(crate) fn new_game(&mut self) -> Result<(), Exit> {
        let game = Record::new(self.game().head.clone()).map_err(Exit::failure)?;
        self.recorder.restart(game).and_then(|()| self.show())
    }

    /// Shows the board.
    pub(crate) fn show(&self) -> Result<(), Exit> {
        self.say(&self.view.board(&self.game().position(), self.game().last()))
    }

    /// Prints the result, if the game is over.
    pub(crate) fn announce(&self) -> Result<(), Exit> {
        let Some(GameResult { winner, reason }) = self.game().outcome() else { return Ok(()) };
        let side = match winner {
            Winner::First => Some(Side::First),
            Winner::Second => Some(Side::Second),
            Winner::None => None,
        };
        let resigns = |side: Side| match reason {
            Reason::Resigned => format!("{} resigns: ", self.name(side.opponent())),
            _ => String::new(),
        };
        let text = side.map_or("A draw.".to_owned(), |side| format!("{}{} wins.", resigns(side), self.name(side)));
        self.print(&format!("{text} {}", self.game().all_moves()))
    }

    /// Prints a line for people, unless only the result is wanted.
    pub(crate) fn say(&self, text: &str) -> Result<(), Exit> {
        if self.is_quiet { Ok(()) } else { self.print(text) }
    }

    /// Prints the error in a person's input: on standard error if only the result is wanted.
    pub(crate) fn complain(&self, text: &str) -> Result<(), Exit> {
        if self.is_quiet { Ok(writeln!(stderr(), "connect4: {text}")?) } else { self.print(text) }
    }

    fn print(&self, text: &str) -> Result<(), Exit> {
        self.prompt(&format!("{}\n", text.trim_end_matches('\n')))
    }

    /// Prints without ending the line.
    pub(crate) fn prompt(&self, text: &str) -> Result<(), Exit> {
        if self.is_json {
            stderr().write_all(text.as_bytes())?;
        } else {
            let mut out = stdout().lock();
            out.write_all(text.as_bytes())?;
            out.flush()?;
        }
        Ok(())
    }

    /// Ends the program; says how to go on with a game that was broken off.
    pub(crate) fn end(mut self, played: Result<Exit, Exit>) -> Result<Exit, Exit> {
        if self.game().turn().is_none() {
            return played;
        }
        // What ended the game matters more than whether that could be recorded.
        let recorded = self.recorder.break_off();
        if matches!(played, Err(Exit::Usage(_) | Exit::BrokenPipe)) {
            return played;
        }
        let (moves, size) = (self.game().all_moves(), self.game().size);
        let players = self.game().head.players.join(" ");
        let first = if self.game().head.first == 2 { " --first 2" } else { "" };
        let size = if size == Size::STANDARD { String::new() } else { format!(" --size {size}") };
        let position = if moves.is_empty() { String::new() } else { format!(" --position {moves}") };
        eprintln!("connect4: to go on with this game: connect4 {players}{first}{size}{position}");
        played.and_then(|exit| recorded.map(|()| exit))
    }
}
