use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};

use amazons_program::Interrupt;
use anyhow::Context;

use crate::cli::{CourseArgs, CourseCommand, CourseRunArgs, StopArgs};
use crate::command::Exit;
use crate::command::event::{end, refused as no_event};
use crate::command::ranks::{Ranks, where_to_play, with_ranks};
use crate::command::tournament::stop;
use crate::complain;
use crate::course::build::abilities;
use crate::course::copies::{Given, Suspicion, Work, report};
use crate::course::{
    Act, Arrived, CourseError, LADDER, Running, Store, Team, Version, compared, copies_table, grades_table, read_teams,
    tokens_csv, versions_table,
};
use crate::text::visible;
use crate::tournament::Overview;
use crate::tournament::ladder::Goal;
use crate::watch::{Access, listen};

/// Runs `server course` and its subcommands.
pub(super) fn run(args: &CourseArgs, out: &mut impl Write) -> anyhow::Result<Exit> {
    let told = match &args.command {
        CourseCommand::New { dir, teams } => {
            let tokens = Store::create(dir, &read_teams(teams).map_err(Exit::usage)?).map_err(refused)?;
            complain(&format!("{} is a course now: its settings are in course.toml; keep the tokens", dir.display()));
            tokens_csv(&tokens)
        }
        CourseCommand::Add { dir, teams } => {
            let teams = read_teams(teams).map_err(Exit::usage)?;
            tokens_csv(&open(dir)?.add_teams(&teams).map_err(refused)?)
        }
        CourseCommand::Run(args) => return with_ranks(args.run, |ranks| run_course(args, ranks, out)),
        CourseCommand::Submit { dir, file, team, trial } => {
            let mut store = open(dir)?;
            let arrived = Arrived::copy(file, &store.incoming().map_err(refused)?).map_err(refused)?;
            store.receive(team, &arrived, *trial).map_err(refused)?.told(team)
        }
        CourseCommand::Status { dir, team, csv } => {
            let mut store = warned(Store::open_anyway(dir))?;
            match team {
                Some(name) => versions(&store, name)?,
                None if *csv => versions_table(store.course()),
                None => status(&mut store),
            }
        }
        CourseCommand::Copies { dir, earlier, given, csv } => {
            let (works, suspicions) = copies(&open(dir)?, earlier, given)?;
            if *csv { copies_table(&works, &suspicions) } else { report(&works, &suspicions) }
        }
        CourseCommand::Event { dir, to, stage, seed, anyway } => {
            open(dir)?.plan_event(to, stage.as_deref(), *seed, *anyway).map_err(refused)?
        }
        CourseCommand::Grades { dir, event, anyway } => {
            let folder = event.clone().unwrap_or_else(|| dir.join(LADDER));
            let overview = Overview::read(&folder).map_err(no_event)?;
            let mut store = open(dir)?;
            // Who played in an event was decided when it was made.
            if !anyway && event.is_none() {
                store.check_settled(|_| true).map_err(refused)?;
            }
            let settings = store.settings().0.clone();
            grades_table(store.course(), &settings, &overview)
        }
        CourseCommand::Rollback { dir, team, version } => {
            act(dir, Act::Rollback { team: team.clone(), version: *version })?
        }
        CourseCommand::Withdraw { dir, team } => act(dir, Act::Withdraw { team: team.clone() })?,
        CourseCommand::Extend { dir, team, stage, until } => {
            act(dir, Act::Extend { team: team.clone(), stage: stage.clone(), until: until.clone() })?
        }
        CourseCommand::Forget { dir, team } => {
            let left = open(dir)?.forget(team).map_err(refused)?;
            let left: String = left.iter().map(|path| format!("it still is in {}\n", path.display())).collect();
            format!("{team} is forgotten; copies and pages that were made before still have it\n{left}")
        }
        CourseCommand::Token { dir, team: Some(team) } => act(dir, Act::Token { team: team.clone() })?,
        CourseCommand::Token { dir, team: None } => open(dir)?.renew_teacher_token().map_err(refused)? + "\n",
        CourseCommand::Backup { dir, to } => {
            open(dir)?.back_up(to).map_err(refused)?;
            format!("{} is a copy of {}\n", to.display(), dir.display())
        }
        CourseCommand::Doctor { dir } => return doctor(dir, out),
        CourseCommand::Stop(args) => {
            return stop(&StopArgs { dir: args.dir.join("ladder"), ..args.clone() }, out);
        }
    };
    out.write_all(told.as_bytes()).context("cannot write")?;
    Ok(Exit::Success)
}

fn open(folder: &Path) -> anyhow::Result<Store> {
    warned(Store::open(folder))
}

fn warned(opened: Result<Store, CourseError>) -> anyhow::Result<Store> {
    let store = opened.map_err(refused)?;
    if store.torn() > 0 {
        complain(&format!("{}: the last line of the journal was torn and is dropped", store.folder().display()));
    }
    Ok(store)
}

/// Decides how to exit: a rule that was broken is the user's mistake.
fn refused(error: CourseError) -> anyhow::Error {
    match error {
        CourseError::Refused(rule) => Exit::usage(rule).into(),
        error => error.into(),
    }
}

fn act(folder: &Path, act: Act) -> anyhow::Result<String> {
    open(folder)?.act(act).map_err(refused)
}

fn run_course(args: &CourseRunArgs, ranks: Option<&mut Ranks>, out: &mut impl Write) -> anyhow::Result<Exit> {
    let mut store = open(&args.dir)?;
    store.settings().1.iter().for_each(|line| complain(line));
    let cannot = |error| Exit::usage(format_args!("cannot listen on {}: {error}", args.listen));
    let listener = listen(args.listen.ip(), args.listen.port(), Access::Public).map_err(cannot)?;
    let interrupts = Interrupt::catch_all().context("cannot catch Ctrl-C")?;
    let running = Running::start(store, listener, args.new_baselines)?;
    let ladder = running.ladder();
    ladder.warning().iter().for_each(|line| complain(line));
    let (options, elsewhere) = where_to_play(args.run, ladder, ranks)?;
    let folder = ladder.folder.clone();
    writeln!(out, "the course is at {} (Ctrl-C stops)", running.url())
        .and_then(|()| out.flush())
        .context("cannot write")?;
    abilities().iter().filter(|(is_able, _)| !is_able).for_each(|(_, line)| complain(line));
    let goal = Goal { games: None, time: args.time };
    end(running.run(goal, &options, elsewhere, &interrupts)?, "stopped", &folder, out)
}

fn status(store: &mut Store) -> String {
    let mut text = String::new();
    let (settings, complaint) = store.settings();
    let _ = writeln!(text, "{}", settings.title);
    complaint.iter().for_each(|line| complain(line));
    let width = store.course().teams().keys().map(|name| name.chars().count()).max().unwrap_or(0);
    for (name, team) in store.course().teams() {
        let newest = team.versions.last().map_or_else(|| "nothing handed in".to_owned(), |it| line(team, it));
        let playing = match team.playing() {
            Some((number, _)) => format!("plays with version {number}"),
            None if team.is_withdrawn => "withdrawn".to_owned(),
            None => "does not play".to_owned(),
        };
        let _ = writeln!(text, "{name:width$}  {playing:24}  {newest}");
    }
    text
}

fn line(team: &Team, version: &Version) -> String {
    let late = if version.is_late { ", late" } else { "" };
    let reasons = version.reasons().join("; ");
    let colon = if reasons.is_empty() { "" } else { ": " };
    visible(&format!("version {}{late}: {}{colon}{reasons}", version.number, team.word(version)))
}

fn versions(store: &Store, name: &str) -> anyhow::Result<String> {
    let team = store.course().teams().get(name);
    let team = team.ok_or_else(|| Exit::usage(format_args!("there is no team '{name}'")))?;
    Ok(team.versions.iter().map(|version| line(team, version) + "\n").collect())
}

/// Compares the teams' players with each other, with those of earlier years and with what everyone was given.
fn copies(store: &Store, earlier: &[PathBuf], given: &[PathBuf]) -> anyhow::Result<(Vec<Work>, Vec<Suspicion>)> {
    let mut known = Given::ours();
    for path in given {
        known.add(Work::read("", "", path)?);
    }
    compared(store, earlier, &known)
}

fn doctor(folder: &Path, out: &mut impl Write) -> anyhow::Result<Exit> {
    let found = warned(Store::open_anyway(folder))?.examine();
    let mut is_well = true;
    for (is_right, line) in found {
        is_well &= is_right;
        writeln!(out, "{} {}", if is_right { "ok    " } else { "wrong " }, visible(&line)).context("cannot write")?;
    }
    Ok(if is_well { Exit::Success } else { Exit::Partly })
}
