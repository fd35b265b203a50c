use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use amazons_program::Interrupt;
use amazons_program::files::write_whole_with;
use anyhow::Context;

use crate::cli::{LadderArgs, LadderCommand, LadderRunArgs};
use crate::command::Exit;
use crate::command::event::{end, refused};
use crate::command::ranks::{Ranks, where_to_play, with_ranks};
use crate::command::tournament::stop;
use crate::complain;
use crate::participant::Participant;
use crate::tournament::ladder::{
    AdmissionSettings, Goal, LadderPlan, LadderSettings, LadderTable, OpenLadder, PLAYERS, PlayersFolder,
    open as begin, read, read_settings, run as keep_running, valid_name,
};
use crate::tournament::{JOURNAL, PlanError, given_option, is_held};

/// The settings in the folder of a ladder.
const SETTINGS: &str = "ladder.toml";

/// Runs `server ladder` and its subcommands.
pub(super) fn run(args: &LadderArgs, out: &mut impl Write) -> anyhow::Result<Exit> {
    match &args.command {
        None => with_ranks(args.run.run, |ranks| run_ladder(&args.run, ranks, out)),
        Some(LadderCommand::Add { dir, file, name }) => add(dir, file, name.as_deref(), out),
        Some(LadderCommand::Remove { dir, name }) => remove(dir, name, out),
        Some(LadderCommand::Status { dir }) => status(dir, out),
        Some(LadderCommand::Stop(args)) => stop(args, out),
    }
}

fn run_ladder(args: &LadderRunArgs, ranks: Option<&mut Ranks>, out: &mut impl Write) -> anyhow::Result<Exit> {
    let Some(folder) = &args.dir else { return Ok(Exit::usage("missing DIR: see --help")) };
    let ((plan, admission), is_given) = settings(folder, &args.settings)?;
    // A ladder that is there goes on as it is when nothing else was chosen.
    let is_begun = folder.join(JOURNAL).exists();
    let plan = (is_given || !is_begun).then_some(plan);
    let mut open = begin(folder, plan).map_err(refused)?;
    let (options, elsewhere) = where_to_play(args.run, &open, ranks)?;
    let interrupts = Interrupt::catch_all().context("cannot catch Ctrl-C")?;
    tell_how_it_begins(&open, is_begun);
    let goal = Goal { games: args.games, time: args.time };
    let mut players = PlayersFolder::new(&open.folder, &open.event, admission);
    let ended = keep_running(&mut open, &mut players, goal, &options, elsewhere, &interrupts)
        .map_err(|failure| anyhow::anyhow!(failure.advice()))?;
    print(&open.folder, &LadderTable::of(&open.event), out)?;
    end(ended, "stopped", folder, out)
}

/// Returns the settings, and whether any were given.
fn settings(folder: &Path, args: &LadderSettings) -> Result<((LadderPlan, AdmissionSettings), bool), Exit> {
    let file = folder.join(SETTINGS);
    let flag = given_option(args, &args.game);
    if file.exists() {
        if let Some(flag) = flag {
            return Err(Exit::usage(format_args!("{flag} belongs into {}, which has all settings", file.display())));
        }
        return Ok((read_settings(&file).map_err(Exit::usage)?, true));
    }
    Ok((args.check(Path::new("")).map_err(Exit::usage)?, flag.is_some()))
}

fn tell_how_it_begins(open: &OpenLadder, is_begun: bool) {
    open.warning().iter().for_each(|line| complain(line));
    let folder = open.folder.display();
    if open.torn > 0 {
        complain(&format!("{folder}: the last line of the journal was torn and is dropped"));
    }
    if is_begun {
        complain(&format!("{folder}: going on after {} games", open.event.results().games()));
    }
}

fn status(folder: &Path, out: &mut impl Write) -> anyhow::Result<Exit> {
    let ladder = read(folder).map_err(refused)?;
    print(folder, &LadderTable::of(&ladder), out)?;
    if is_held(folder).is_ok_and(|is_held| !is_held) {
        writeln!(out, "no server is at work on it").context("cannot write")?;
    }
    Ok(Exit::Success)
}

fn print(folder: &Path, table: &LadderTable, out: &mut impl Write) -> anyhow::Result<()> {
    out.write_all(table.text(&folder.display().to_string()).as_bytes()).context("cannot write")
}

/// Hands in a copy of a player, which appears whole.
fn add(folder: &Path, file: &Path, name: Option<&str>, out: &mut impl Write) -> anyhow::Result<Exit> {
    let participant = Participant::parse(file).map_err(Exit::usage)?;
    let options = participant.options(None).map_err(Exit::usage)?;
    let name = name.map_or_else(|| participant.short_name(options.as_deref()), str::to_owned);
    let file = participant.file();
    if !valid_name(&name) {
        return Ok(Exit::usage(format_args!("{}: --name", PlanError::of_name(&name))));
    }
    let players = players_of(folder)?;
    if !file.is_file() {
        return Ok(Exit::usage(format_args!("cannot read {}: not a file", file.display())));
    }
    let target = players.join(format!("{name}.so"));
    let copy = |out: &mut dyn Write| io::copy(&mut File::open(file)?, out).map(drop);
    write_whole_with(&target, copy)
        .with_context(|| format!("cannot copy {} to {}", file.display(), target.display()))?;
    writeln!(out, "{name} is handed in as {}", target.display()).context("cannot write")?;
    Ok(Exit::Success)
}

fn remove(folder: &Path, name: &str, out: &mut impl Write) -> anyhow::Result<Exit> {
    let players = players_of(folder)?;
    if !valid_name(name) {
        return Ok(Exit::usage(format_args!("invalid player name '{name}'")));
    }
    let path = players.join(format!("{name}.so"));
    match fs::remove_file(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Ok(Exit::usage(format_args!("there is no player {name}: {} does not exist", path.display())))
        }
        removed => {
            removed.with_context(|| format!("cannot remove {}", path.display()))?;
            writeln!(out, "{name} is taken out").context("cannot write")?;
            Ok(Exit::Success)
        }
    }
}

fn players_of(folder: &Path) -> Result<PathBuf, Exit> {
    let players = folder.join(PLAYERS);
    if players.is_dir() {
        return Ok(players);
    }
    Err(Exit::usage(format_args!(
        "{} is not a ladder: it has no folder {} (begin one with 'server ladder {}')",
        folder.display(),
        players.display(),
        folder.display()
    )))
}
