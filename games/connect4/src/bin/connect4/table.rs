use std::io::{Write, stderr, stdout};
use std::path::Path;
use std::time::Duration;

use amazons_program::Exit;
use connect4::record::{GameResult, Head, Line, Played, Reason, Winner};
use connect4::{Chosen, Level, Side};

use crate::game::Game;
use crate::player::Participant;
use crate::recorder::{Recorder, next_free};
use crate::view::{View, letter};

/// How much is shown and printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shown {
    /// Boards and moves, for people.
    Everything,
    Result,
    /// The record; what people are asked goes to standard error.
    Json,
    /// The record, and nothing else but questions.
    QuietJson,
}

/// A game and all that it is shown and recorded with.
pub(crate) struct Table {
    pub(crate) game: Game,
    pub(crate) head: Head,
    participants: [Participant; 2],
    recorder: Recorder,
    view: View,
    shown: Shown,
}

impl Table {
    /// Begins a game, and its record.
    pub(crate) fn new(
        game: Game,
        head: Head,
        participants: [Participant; 2],
        path: Option<&Path>,
        shown: Shown,
    ) -> Result<Self, Exit> {
        let recorder = Recorder::begin(path, shown.prints_record(), &head, game.played())?;
        Ok(Self { game, head, participants, recorder, view: View::of_stdout(), shown })
    }

    /// Returns the place of a side's player on the command line.
    pub(crate) fn seat(&self, side: Side) -> usize {
        usize::from((side == Side::First) != (self.head.first == 1))
    }

    pub(crate) fn is_person(&self, side: Side) -> bool {
        self.participants[self.seat(side)] == Participant::Human
    }

    /// Returns the player of a side, as people call it.
    pub(crate) fn name(&self, side: Side) -> String {
        format!("{} ({})", self.participants[self.seat(side)], letter(side))
    }

    /// Returns the depth of the averaged search among the players.
    pub(crate) fn average_depth(&self) -> Option<u32> {
        self.participants.iter().find_map(|participant| match participant {
            Participant::Level(Level::Average(depth)) => Some(*depth),
            _ => None,
        })
    }

    pub(crate) fn person_plays(&mut self, column: u32, seconds: f64) -> Result<(), Exit> {
        let name = self.game.position().size().column_name(column);
        self.record_move(column, Played { seconds, ..Played::plain(name) })
    }

    /// Plays a level's move and says what it thinks of it.
    pub(crate) fn level_plays(&mut self, side: Side, chosen: &Chosen, time: Duration) -> Result<(), Exit> {
        let column = self.game.position().size().column_name(chosen.column);
        self.record_move(chosen.column, Played::by_level(column, chosen, time))?;
        let knows = match chosen.known_score() {
            Some(score) if chosen.is_proven => format!(" (score {score:+}, proven; "),
            Some(score) => format!(" (score {score:+.3}, "),
            None => " (".to_owned(),
        };
        let (nodes, seconds) = (chosen.nodes, time.as_secs_f64());
        self.say(&format!("{} plays {column}{knows}{nodes} positions, {seconds:.2} s)", self.name(side)))
    }

    fn record_move(&mut self, column: u32, played: Played) -> Result<(), Exit> {
        self.game.play(column, played.clone()).map_err(Exit::failure)?;
        self.recorder.write(&Line::Move(played))?;
        self.record_result()
    }

    pub(crate) fn resign(&mut self, side: Side) -> Result<(), Exit> {
        let winner = Winner::of(side.opponent());
        self.game.give_up(GameResult { winner, reason: Reason::Resigned });
        self.record_result()
    }

    /// Writes moves that were taken back or played again.
    pub(crate) fn record_lines(&mut self, lines: impl IntoIterator<Item = Line>) -> Result<(), Exit> {
        lines.into_iter().try_for_each(|line| self.recorder.write(&line))?;
        self.record_result()
    }

    fn record_result(&mut self) -> Result<(), Exit> {
        self.game.result().map_or(Ok(()), |result| self.recorder.write(&Line::Result(result)))
    }

    /// Ends a game that is not over without a winner.
    fn break_off(&mut self) -> Result<(), Exit> {
        if self.game.result().is_none() {
            self.recorder.write(&Line::Result(GameResult { winner: Winner::None, reason: Reason::Stopped }))?;
        }
        Ok(())
    }

    /// Begins another game, in a record of its own.
    pub(crate) fn new_game(&mut self, game: Game) -> Result<(), Exit> {
        self.break_off()?;
        let path = self.recorder.path().map(next_free);
        self.recorder = Recorder::begin(path.as_deref(), self.shown.prints_record(), &self.head, game.played())?;
        self.game = game;
        Ok(())
    }

    /// Shows the board.
    pub(crate) fn show(&self) -> Result<(), Exit> {
        self.say(&self.view.board(self.game.position(), self.game.last()))
    }

    /// Prints the result.
    pub(crate) fn announce(&self) -> Result<(), Exit> {
        let Some(result) = self.game.result() else { return Ok(()) };
        let side = match result.winner {
            Winner::First => Some(Side::First),
            Winner::Second => Some(Side::Second),
            Winner::None => None,
        };
        let text = match (side, result.reason) {
            (Some(side), Reason::Resigned) => {
                format!("{} resigns: {} wins.", self.name(side.opponent()), self.name(side))
            }
            (Some(side), _) => format!("{} wins.", self.name(side)),
            (None, _) => "A draw.".to_owned(),
        };
        let moves = self.game.all_moves();
        self.print(&format!("{text} {moves}"))
    }

    /// Prints a line for people, unless only the result is wanted.
    pub(crate) fn say(&self, text: &str) -> Result<(), Exit> {
        match self.shown {
            Shown::Everything | Shown::Json => self.print(text),
            Shown::Result | Shown::QuietJson => Ok(()),
        }
    }

    /// Prints the error in a person's input: on standard error if only the result is wanted.
    pub(crate) fn complain(&self, text: &str) -> Result<(), Exit> {
        match self.shown {
            Shown::Everything | Shown::Json => self.print(text),
            Shown::Result | Shown::QuietJson => Ok(writeln!(stderr(), "connect4: {text}")?),
        }
    }

    pub(crate) fn records_in(&self, path: &Path) -> bool {
        self.recorder.writes_to(path)
    }

    fn print(&self, text: &str) -> Result<(), Exit> {
        self.prompt(&format!("{}\n", text.trim_end_matches('\n')))
    }

    /// Prints without ending the line.
    pub(crate) fn prompt(&self, text: &str) -> Result<(), Exit> {
        if self.shown.prints_record() {
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
        if self.game.result().is_some() {
            return played;
        }
        // What ended the game matters more than whether that could be recorded.
        let recorded = self.break_off();
        if matches!(played, Err(Exit::Usage(_) | Exit::BrokenPipe)) {
            return played;
        }
        let (moves, size) = (self.game.all_moves(), self.game.position().size());
        let players = self.participants.map(|participant| participant.to_string()).join(" ");
        let first = if self.head.first == 2 { " --first 2" } else { "" };
        let size = if size == connect4::Size::STANDARD { String::new() } else { format!(" --size {size}") };
        let position = if moves.is_empty() { String::new() } else { format!(" --position {moves}") };
        eprintln!("connect4: to go on with this game: connect4 {players}{first}{size}{position}");
        played.and_then(|exit| recorded.map(|()| exit))
    }
}

impl Shown {
    const fn prints_record(self) -> bool {
        matches!(self, Self::Json | Self::QuietJson)
    }
}
