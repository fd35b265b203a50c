use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use amazons_program::{Interrupt, csv_field};
use anyhow::Context;

use crate::cli::{CourseArgs, CourseCommand, CourseRunArgs, StopArgs};
use crate::command::Exit;
use crate::command::event::end;
use crate::command::threads::on_this_machine;
use crate::command::tournament::stop;
use crate::complain;
use crate::course::copies::{Given, Work, find, report};
use crate::course::{
    Arrived, CourseError, ListedTeam, PLAYER, Running, Store, Team, UPLOAD, Version, VersionState, read_teams,
};
use crate::text::visible;
use crate::tournament::JOURNAL;
use crate::tournament::ladder::{Goal, alike, read};
use crate::watch::{Access, listen};

/// Runs `server course` and its subcommands.
pub(super) fn run(args: &CourseArgs, out: &mut impl Write) -> anyhow::Result<Exit> {
    let told = match &args.command {
        CourseCommand::New { dir, teams } => {
            let tokens = Store::create(dir, &read_teams(teams).map_err(Exit::Usage)?).map_err(refused)?;
            complain(&format!("{} is a course now: its settings are in course.toml; keep the tokens", dir.display()));
            tokens_csv(&tokens)
        }
        CourseCommand::Add { dir, teams } => {
            let mut store = open(dir)?;
            let mut add = |team: ListedTeam| Ok([team.name.clone(), store.add_team(&team).map_err(refused)?]);
            let teams = read_teams(teams).map_err(Exit::Usage)?;
            tokens_csv(&teams.into_iter().map(&mut add).collect::<anyhow::Result<Vec<_>>>()?)
        }
        CourseCommand::Run(args) => return run_course(args, out),
        CourseCommand::Submit { dir, file, team } => {
            let mut store = open(dir)?;
            let arrived = Arrived::copy(file, &store.incoming().map_err(refused)?).map_err(refused)?;
            store.receive(team, &arrived).map_err(refused)?.told(team)
        }
        CourseCommand::Status { dir, team, csv } => {
            let mut store = open(dir)?;
            match team {
                Some(name) => versions(&store, name)?,
                None if *csv => csv_of(&store),
                None => status(&mut store),
            }
        }
        CourseCommand::Copies { dir, earlier, given } => copies(&open(dir)?, earlier, given)?,
        CourseCommand::Event { dir, to, stage, seed } => {
            let players = open(dir)?.plan_event(to, stage.as_deref(), *seed).map_err(refused)?;
            format!("{} has {players} players; play it with: server tournament {0}/event.toml\n", to.display())
        }
        CourseCommand::Rollback { dir, team, version } => {
            open(dir)?.roll_back(team, *version).map_err(refused)?;
            format!("{team} plays with version {version} again\n")
        }
        CourseCommand::Withdraw { dir, team } => {
            open(dir)?.withdraw(team).map_err(refused)?;
            format!("{team} is withdrawn; 'server course rollback' brings it back\n")
        }
        CourseCommand::Token { dir, team } => {
            let token = open(dir)?.renew_token(team).map_err(refused)?;
            tokens_csv(&[[team.clone(), token]])
        }
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
    let store = Store::open(folder).map_err(refused)?;
    if store.torn() > 0 {
        complain(&format!("{}: the last line of the journal was torn and is dropped", folder.display()));
    }
    Ok(store)
}

/// Decides how to exit: a rule that was broken is the user's mistake.
fn refused(error: CourseError) -> anyhow::Error {
    match error {
        CourseError::Refused { reason, .. } => Exit::usage(reason).into(),
        error => error.into(),
    }
}

fn tokens_csv(tokens: &[[String; 2]]) -> String {
    let rows = tokens.iter().map(|[team, token]| format!("{},{token}\n", csv_field(team)));
    std::iter::once("team,token\n".to_owned()).chain(rows).collect()
}

fn run_course(args: &CourseRunArgs, out: &mut impl Write) -> anyhow::Result<Exit> {
    let store = open(&args.dir)?;
    let cannot = |error| Exit::usage(format_args!("cannot listen on {}: {error}", args.listen));
    let listener = listen(args.listen.ip(), args.listen.port(), Access::Public).map_err(cannot)?;
    let interrupts = Interrupt::catch_all().context("cannot catch Ctrl-C")?;
    let running = Running::start(store, listener)?;
    let ladder = running.ladder();
    ladder.warning().iter().for_each(|line| complain(line));
    let options = on_this_machine(args.run, ladder.event.plan().with(Vec::new()).threads())?;
    let page = ladder.folder.join("ladder.html");
    writeln!(out, "the course is at {} (Ctrl-C stops)", running.url())
        .and_then(|()| out.flush())
        .context("cannot write")?;
    let goal = Goal { games: None, time: args.time };
    end(running.run(goal, &options, &interrupts)?, "stopped", &page, out)
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
    let reasons = match &version.state {
        VersionState::Refused(reasons) => format!(": {}", reasons.join("; ")),
        _ => String::new(),
    };
    visible(&format!("version {}{late}: {}{reasons}", version.number, team.word(version)))
}

fn versions(store: &Store, name: &str) -> anyhow::Result<String> {
    let team = store.course().teams().get(name);
    let team = team.ok_or_else(|| Exit::usage(format_args!("there is no team '{name}'")))?;
    Ok(team.versions.iter().map(|version| line(team, version) + "\n").collect())
}

/// Compares the newest version of each team, and the one that plays, with those of all others.
fn copies(store: &Store, earlier: &[PathBuf], given: &[PathBuf]) -> anyhow::Result<String> {
    let (mut works, mut places) = (Vec::new(), HashMap::new());
    for (name, team) in store.course().teams() {
        let playing = team.playing().map(|(number, _)| number);
        let numbers = BTreeSet::from_iter(team.versions.last().map(|newest| newest.number).into_iter().chain(playing));
        for number in numbers {
            let folder = store.version_folder(name, number);
            let mut work = Work::read(&format!("{name} version {number}"), name, &folder.join(UPLOAD))?;
            let player = folder.join(PLAYER);
            if work.library.is_empty() && player.exists() {
                work.library = fs::read(&player).with_context(|| format!("cannot read {}", player.display()))?;
            }
            places.extend(team.player(number).map(|player| ((name.as_str(), player.sha256.as_str()), works.len())));
            works.push(work);
        }
    }
    for folder in earlier {
        works.extend(Work::of_earlier_year(folder)?);
    }
    let mut known = Given::ours();
    for path in given {
        known.add(Work::read("", "", path)?);
    }
    let folder = store.folder().join("ladder");
    let mut same_moves = Vec::new();
    if folder.join(JOURNAL).exists() {
        let ladder = read(&folder)?;
        let joined = ladder.contenders().iter().map(|it| (it.joined.name.as_str(), it.joined.sha256.as_str()));
        let places: BTreeMap<_, _> =
            joined.enumerate().filter_map(|(id, player)| Some((id, *places.get(&player)?))).collect();
        let alike = alike(&ladder, &places.keys().copied().collect());
        same_moves.extend(alike.into_iter().map(|(two, same, of)| (two.map(|id| places[&id]), same, of)));
    }
    Ok(report(&works, &find(&works, &known, &same_moves)))
}

fn csv_of(store: &Store) -> String {
    let mut text = "team,version,state,received,since,stage,late,bytes,sha256,reasons\r\n".to_owned();
    for (name, team) in store.course().teams() {
        for version in &team.versions {
            let Version { number, at, since, is_late, bytes, sha256, .. } = version;
            let stage = csv_field(version.stage.as_deref().unwrap_or(""));
            let reasons = match &version.state {
                VersionState::Refused(reasons) => csv_field(&reasons.join("; ")),
                _ => String::new(),
            };
            let (name, word) = (csv_field(name), team.word(version));
            let _ =
                write!(text, "{name},{number},{word},{at},{since},{stage},{is_late},{bytes},{sha256},{reasons}\r\n");
        }
    }
    text
}

fn doctor(folder: &Path, out: &mut impl Write) -> anyhow::Result<Exit> {
    let found = open(folder)?.examine();
    let mut is_well = true;
    for (is_right, line) in found {
        is_well &= is_right;
        writeln!(out, "{} {}", if is_right { "ok    " } else { "wrong " }, visible(&line)).context("cannot write")?;
    }
    Ok(if is_well { Exit::Success } else { Exit::Partly })
}
