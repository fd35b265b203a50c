use std::fs;
use std::ops::ControlFlow::{self, Break, Continue};
use std::path::Path;
use std::time::{Duration, Instant};

use amazons_mpi::Deadline;
use amazons_program::ranks::Setup;
use amazons_program::{Exit, Typed};
use connect4::{Level, excerpt};

use crate::input::Input;
use crate::player::Participant;
use crate::ranks::{Engine, exit};
use crate::recorder::whole;
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

/// Asks a person for a line and does what it says; breaks when the person leaves.
pub(crate) fn turn(
    table: &mut Table,
    input: &Input,
    engine: &mut Engine<'_, '_>,
    setup: &Setup,
) -> Result<ControlFlow<()>, Exit> {
    let side = table.game().turn();
    let prompt = side.map_or_else(|| "new, undo or quit: ".to_owned(), |side| format!("{}: ", table.name(side)));
    table.prompt(&prompt)?;
    let asked = Instant::now();
    let line = input.line(|| {
        if setup.interrupt.is_set() {
            return Err(Exit::Stopped);
        }
        engine.idle(Deadline::after(Duration::ZERO)).map_err(exit)
    });
    match line.inspect_err(|_| _ = table.prompt("\n"))? {
        Typed::Line(line) => return obey(&line, asked.elapsed(), table, engine),
        Typed::NotText => table.complain("that line is not text (UTF-8): type a column, or help")?,
        Typed::TooLong => table.complain("that line is too long: type a column, or help")?,
        Typed::End | Typed::Failed(_) => {
            table.prompt("\n")?;
            // A launcher closes the input when it ends the job, which does not mean resigning.
            side.filter(|_| setup.launcher.is_none()).map_or(Ok(()), |side| table.resign(side))?;
            return Ok(Break(()));
        }
    }
    Ok(Continue(()))
}

fn obey(
    line: &str,
    thought: Duration,
    table: &mut Table,
    engine: &mut Engine<'_, '_>,
) -> Result<ControlFlow<()>, Exit> {
    let (word, rest) = line.trim().split_once(char::is_whitespace).unwrap_or((line.trim(), ""));
    match (word, rest.trim(), table.game().turn()) {
        ("quit" | "exit", "", _) => return Ok(Break(())),
        ("undo" | "back", "", _) => table.undo(),
        ("redo", "", _) => table.redo(),
        ("board", "", _) => table.show(),
        ("new", "", _) => table.new_game(),
        ("save", "", _) => table.complain("save needs a file: save game.jsonl"),
        ("save", file, _) => save(table, Path::new(file)),
        ("help" | "?", "", _) => table.say(HELP),
        ("", "", _) => table.complain("type a column, or help"),
        ("hint" | "scores" | "resign", "", None) => table.complain("the game is over"),
        ("resign", "", Some(side)) => table.resign(side),
        ("hint" | "scores", "", _) => advise(table, engine, word == "scores"),
        (name, "", turn) => match table.game().position().column(name) {
            Err(error) => table.complain(&format!("{error}; help lists what else you can type")),
            Ok(_) if turn.is_none() => table.complain("the game is over: new begins another, undo takes moves back"),
            Ok(column) if table.game().position().is_free(column) => table.person_plays(column, thought),
            Ok(_) => table.complain(&format!("column {name} is full: choose another one")),
        },
        _ => table.complain(&format!("unknown command {:?}: help lists them", excerpt(line.trim()))),
    }?;
    Ok(Continue(()))
}

/// Prints what the averaged search would play, or its scores of all columns.
fn advise(table: &Table, engine: &mut Engine<'_, '_>, has_all: bool) -> Result<(), Exit> {
    let depth = table.participants.iter().find_map(|participant| match participant {
        Participant::Level(Level::Average(depth)) => Some(*depth),
        _ => None,
    });
    let depth = depth.unwrap_or(HINT_DEPTH);
    let choice = engine.choose(&table.game().position(), depth).map_err(exit)?;
    let name = |column| table.game().size.column_name(column);
    if has_all {
        let columns = choice.values().map(|(column, value)| format!("{} {value:+.3}", name(column)));
        return table.say(&format!("average:{}: {}", choice.depth, columns.collect::<Vec<_>>().join("   ")));
    }
    let best = choice.best().map(|(column, value)| format!("{} ({value:+.3})", name(column)));
    table.say(&format!("average:{depth} would play {}", best.unwrap_or_default()))
}

fn save(table: &Table, path: &Path) -> Result<(), Exit> {
    let file = path.display();
    if table.recorder.writes_to(path) {
        return table.complain(&format!("{file} is where this game is recorded already: save it in another file"));
    }
    match fs::write(path, whole(table.game())?) {
        Ok(()) => table.say(&format!("saved in {file}")),
        // A person can name another file.
        Err(error) => table.complain(Exit::unwritable(path, &error).complaint().unwrap_or_default()),
    }
}
