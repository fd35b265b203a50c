use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use amazons_mpi::Deadline;
use amazons_program::ranks::Setup;
use amazons_program::{Exit, Typed, drop_typed_ahead};
use connect4::average::Value;
use connect4::record::Line;
use connect4::{Position, Side, excerpt};

use crate::game::Game;
use crate::input::Input;
use crate::ranks::{Engine, exit};
use crate::recorder::save;
use crate::table::Table;

/// How deep hints look when no player says how deep.
const HINT_DEPTH: u32 = 10;

const HELP: &str = "\
  a column     play there
  undo, redo   take back your move and the answer (also: back); play them again
  hint         the column that the averaged search would play
  scores       its score of every column
  board        show the board
  new          begin another game
  save FILE    write the game to a file
  resign       give up
  quit         leave
  help         this list";

/// The next step after a typed line.
pub(crate) enum Next {
    GoOn,
    Leave,
}

pub(crate) struct Person {
    input: Input,
    /// Where every game begins.
    start: Game,
}

#[derive(Debug)]
enum Command {
    Column(u32),
    Undo,
    Redo,
    Hint,
    Scores,
    Board,
    New,
    Save(PathBuf),
    Resign,
    Quit,
    Help,
}

impl Person {
    pub(crate) fn new(table: &Table) -> Result<Self, Exit> {
        table.say("Connect 4: type a column, or help.")?;
        table.show()?;
        Ok(Self { input: Input::start(), start: table.game.restarted() })
    }

    /// Drops what was typed while the other side thought.
    pub(crate) fn begin_turn(&self, table: &Table) -> Result<(), Exit> {
        if drop_typed_ahead() { table.complain("what you typed before your turn is not taken") } else { Ok(()) }
    }

    /// Asks for a line and does what it says.
    pub(crate) fn turn(&mut self, table: &mut Table, engine: &mut Engine<'_, '_>, setup: &Setup) -> Result<Next, Exit> {
        let side = table.game.turn();
        let prompt = side.map_or_else(|| "new, undo or quit: ".to_owned(), |side| format!("{}: ", table.name(side)));
        table.prompt(&prompt)?;
        let asked = Instant::now();
        let line = self.input.line(|| {
            if setup.interrupt.is_set() {
                return Err(Exit::Stopped);
            }
            engine.idle(Deadline::after(Duration::ZERO)).map_err(exit)
        });
        let line = match line.inspect_err(|_| _ = table.prompt("\n"))? {
            Typed::Line(line) => line,
            Typed::NotText => {
                table.complain("that line is not text (UTF-8): type a column, or help")?;
                return Ok(Next::GoOn);
            }
            Typed::TooLong => {
                table.complain("that line is too long: type a column, or help")?;
                return Ok(Next::GoOn);
            }
            Typed::End | Typed::Failed(_) => {
                table.prompt("\n")?;
                // A launcher closes the input when it ends the job, which does not mean resigning.
                return if setup.launcher.is_some() { Ok(Next::Leave) } else { resign(table, side) };
            }
        };
        match parse(&line, table.game.position()) {
            Err(reason) => table.complain(&reason)?,
            Ok(Command::Quit) => return Ok(Next::Leave),
            Ok(command) => self.obey(command, asked.elapsed(), table, engine)?,
        }
        Ok(Next::GoOn)
    }

    fn obey(
        &self,
        command: Command,
        thought: Duration,
        table: &mut Table,
        engine: &mut Engine<'_, '_>,
    ) -> Result<(), Exit> {
        let side = table.game.turn();
        match command {
            Command::Column(column) => match side {
                None => table.complain("the game is over: new begins another, undo takes moves back"),
                Some(_) if !table.game.position().is_free(column) => {
                    let name = table.game.position().size().column_name(column);
                    table.complain(&format!("column {name} is full: choose another one"))
                }
                Some(_) => {
                    table.person_plays(column, thought.as_secs_f64())?;
                    // The answer shows the board.
                    let is_seen = table.game.turn().is_some_and(|side| !table.is_person(side));
                    if is_seen { Ok(()) } else { table.show().and_then(|()| table.announce()) }
                }
            },
            Command::Undo => match table.game.clone().undo(|side| table.is_person(side)) {
                0 => table.complain("no move of yours can be taken back"),
                _ => {
                    let mut game = table.game.clone();
                    let plies = game.undo(|side| table.is_person(side));
                    table.game = game;
                    table.record_lines([Line::Undo { plies }])?;
                    table.show()
                }
            },
            // The moves of a game that somebody gave up are not played again unless one is taken back first.
            Command::Redo if table.game.result().is_some() => {
                table.complain("the game is over: there is nothing to play again")
            }
            Command::Redo => {
                let mut game = table.game.clone();
                let again = game.redo(|side| table.is_person(side));
                if again.is_empty() {
                    return table.complain("nothing was taken back");
                }
                table.game = game;
                table.record_lines(again.into_iter().map(Line::Move))?;
                table.show().and_then(|()| table.announce())
            }
            Command::Hint | Command::Scores if side.is_none() => table.complain("the game is over"),
            Command::Hint => hint(table, engine),
            Command::Scores => scores(table, engine),
            Command::Board => table.show(),
            Command::New => {
                table.new_game(self.start.clone())?;
                table.show()
            }
            Command::Save(path) => keep(table, &path),
            Command::Resign => match side {
                None => table.complain("the game is over"),
                Some(side) => table.resign(side).and_then(|()| table.announce()),
            },
            Command::Help => table.say(HELP),
            Command::Quit => Ok(()),
        }
    }
}

/// Leaves the table; that resigns a game that goes on.
fn resign(table: &mut Table, side: Option<Side>) -> Result<Next, Exit> {
    if let Some(side) = side {
        table.resign(side)?;
        table.announce()?;
    }
    Ok(Next::Leave)
}

fn parse(line: &str, position: &Position) -> Result<Command, String> {
    let (word, rest) = line.trim().split_once(char::is_whitespace).unwrap_or((line.trim(), ""));
    let command = match (word, rest.trim()) {
        ("undo" | "back", "") => Command::Undo,
        ("redo", "") => Command::Redo,
        ("hint", "") => Command::Hint,
        ("scores", "") => Command::Scores,
        ("board", "") => Command::Board,
        ("new", "") => Command::New,
        ("save", "") => return Err("save needs a file: save game.jsonl".to_owned()),
        ("save", file) => Command::Save(PathBuf::from(file)),
        ("resign", "") => Command::Resign,
        ("quit" | "exit", "") => Command::Quit,
        ("help" | "?", "") => Command::Help,
        ("", "") => return Err("type a column, or help".to_owned()),
        (name, "") => match position.column(name) {
            Ok(column) => Command::Column(column),
            Err(error) => return Err(format!("{error}; help lists what else you can type")),
        },
        _ => return Err(format!("unknown command {:?}: help lists them", excerpt(line.trim()))),
    };
    Ok(command)
}

fn hint(table: &Table, engine: &mut Engine<'_, '_>) -> Result<(), Exit> {
    let depth = table.average_depth().unwrap_or(HINT_DEPTH);
    let chosen = engine.choose(table.game.position(), depth).map_err(exit)?;
    let name = table.game.position().size().column_name(chosen.column);
    table.say(&format!("average:{depth} would play {name} ({})", describe(chosen.value())))
}

fn scores(table: &Table, engine: &mut Engine<'_, '_>) -> Result<(), Exit> {
    let depth = table.average_depth().unwrap_or(HINT_DEPTH);
    let chosen = engine.choose(table.game.position(), depth).map_err(exit)?;
    let size = table.game.position().size();
    let column = |&(column, value): &(u32, Value)| format!("{} {}", size.column_name(column), describe(value));
    let columns: Vec<_> = chosen.values.iter().map(column).collect();
    table.say(&format!("average:{}: {}", chosen.depth, columns.join("   ")))
}

fn describe(value: Value) -> String {
    match value {
        Value::Win => "wins".to_owned(),
        Value::Loss => "loses".to_owned(),
        Value::Guess(score) => format!("{score:+.3}"),
    }
}

fn keep(table: &Table, path: &Path) -> Result<(), Exit> {
    if table.records_in(path) {
        let path = path.display();
        return table.complain(&format!("{path} is where this game is recorded already: save it in another file"));
    }
    match save(path, &table.head, table.game.played(), table.game.result()) {
        Ok(()) => table.say(&format!("saved in {}", path.display())),
        // A person can name another file.
        Err(error) => table.complain(error.complaint().unwrap_or_default()),
    }
}
