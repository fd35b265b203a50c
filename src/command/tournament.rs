use std::io::Write;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use anyhow::Context;

use crate::cli::{EventArgs, StopArgs, TournamentArgs, TournamentCommand};
use crate::command::event::{conclude, open, refused};
use crate::command::ranks::{begin, check_room, with_ranks};
use crate::command::threads::{on_this_machine, show};
use crate::command::{Exit, tasks};
use crate::game::PlayerSettings;
use crate::tournament::{
    Ended, Event, Histogram, Plan, PlanSettings, SprtSettings, StopRequest, ask_to_stop, given_option, is_held,
    read_plan, run as play, run_with,
};

/// How often to look whether another server has stopped.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Runs `server tournament` and its subcommands.
pub(super) fn run(args: &TournamentArgs, out: &mut impl Write) -> anyhow::Result<Exit> {
    match &args.command {
        None => play_event(&args.event, out),
        Some(TournamentCommand::Stop(args)) => stop(args, out),
        Some(TournamentCommand::Tasks { event }) => {
            let (plan, folder) = plan_of(event)?;
            tasks::print(plan, &folder, out)
        }
        Some(TournamentCommand::Withdraw { dir, name }) => withdraw(dir, name, out),
        Some(TournamentCommand::Collect { dir }) => tasks::collect(dir, out),
    }
}

fn play_event(args: &EventArgs, out: &mut impl Write) -> anyhow::Result<Exit> {
    with_ranks(args.run, |ranks| {
        let (plan, folder) = plan_of(args)?;
        let Some(pool) = ranks else {
            let options = on_this_machine(args.run, plan.threads())?;
            let (mut open, interrupts) = open(&folder, plan)?;
            let played = play(&mut open, &options, &interrupts);
            return conclude(&open, played, out);
        };
        check_room(pool, args.run, plan.threads())?;
        let (mut open, interrupts) = open(&folder, plan)?;
        if open.event.is_over() {
            return conclude(&open, Ok((Ended::Complete, Histogram::default())), out);
        }
        let (concurrency, cores) = pool.strength();
        open.begin(concurrency, cores)?;
        begin(pool, open.event.plan(), &folder)?;
        let played = run_with(&mut open, pool, show(args.run.quiet), &interrupts);
        conclude(&open, played, out)
    })
}

/// Returns the plan, and the folder of the event.
fn plan_of(args: &EventArgs) -> Result<(Plan, PathBuf), Exit> {
    let (players, sprt) = players_and_settings(args)?;
    let is_file = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "toml");
    if let [file] = &players[..]
        && is_file(file)
    {
        let test = (!args.sprt.is_empty()).then(|| "--sprt".to_owned());
        if let Some(flag) = test.or_else(|| given_option(&args.plan, &args.plan.game)) {
            let file = file.display();
            return Err(Exit::Usage(format!(
                "{flag} belongs into the plan: {file} has all that the event follows from"
            )));
        }
        let folder = args.dir.clone().unwrap_or_else(|| file.with_extension(""));
        return Ok((read_plan(file).map_err(Exit::usage)?, folder));
    }
    if players.is_empty() {
        return Err(Exit::usage(
            "missing a plan or players: server tournament PLAN.toml, or server tournament A.so B.so",
        ));
    }
    if let Some(file) = players.iter().find(|path| is_file(path)) {
        return Err(Exit::Usage(format!("{} is a plan: name it alone, it says who plays", file.display())));
    }
    let sprt = if sprt.is_empty() { Ok(None) } else { SprtSettings::parse(&sprt).map(Some) };
    let players =
        players.into_iter().map(|file| PlayerSettings { file: Some(file), ..PlayerSettings::default() }).collect();
    let plan = sprt.and_then(|sprt| Plan::new(&PlanSettings { sprt, players, ..args.plan.clone() }, Path::new("")));
    Ok((plan.map_err(Exit::usage)?, args.dir.clone().unwrap_or_else(|| PathBuf::from("tournament"))))
}

/// Separates the settings of `--sprt`, which takes all words that follow, from players behind it.
fn players_and_settings(args: &EventArgs) -> Result<(Vec<PathBuf>, Vec<String>), Exit> {
    let (settings, behind): (Vec<String>, Vec<String>) = args
        .sprt
        .iter()
        .cloned()
        .partition(|word| word.split_once('=').is_some_and(|(key, _)| !key.contains(['/', ':', '.'])));
    if !behind.is_empty() && settings.is_empty() {
        return Err(Exit::usage("--sprt needs settings: elo0=0 elo1=5 alpha=.05 beta=.05 model=normalized"));
    }
    if !behind.is_empty() && !args.what.is_empty() {
        // Which one is tested must not depend on how words were sorted.
        return Err(Exit::usage("name both players before --sprt, or both behind its settings"));
    }
    let players = if behind.is_empty() { args.what.clone() } else { behind.into_iter().map(PathBuf::from).collect() };
    Ok((players, settings))
}

/// Withdraws a player from the event of a folder.
fn withdraw(folder: &Path, name: &str, out: &mut impl Write) -> anyhow::Result<Exit> {
    let round = Event::reopen(folder).and_then(|mut open| open.withdraw(name)).map_err(refused)?;
    let since = if round == 0 { "from the first round on".to_owned() } else { format!("after round {round}") };
    writeln!(out, "{name} plays no more {since}: the same command goes on").context("cannot write")?;
    Ok(Exit::Success)
}

/// Asks the server that plays in a folder to stop, and waits until it has.
pub(super) fn stop(args: &StopArgs, out: &mut impl Write) -> anyhow::Result<Exit> {
    let (folder, request) = (&args.dir, if args.now { StopRequest::Now } else { StopRequest::Finish });
    let failed = || format!("cannot look at {}", folder.display());
    if !is_held(folder).with_context(failed)? {
        return Ok(Exit::usage(format_args!("{}: no server works on an event there", folder.display())));
    }
    ask_to_stop(folder, request).with_context(failed)?;
    while is_held(folder).with_context(failed)? {
        thread::sleep(LOOK_EVERY);
    }
    writeln!(out, "{}: stopped", folder.display()).context("cannot write")?;
    Ok(Exit::Success)
}
