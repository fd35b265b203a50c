use std::io::Write;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use amazons_mpi::{MpiWorld, Start, World as _};
use anyhow::Context;

use crate::cli::{EventArgs, PlanArgs, TournamentArgs, TournamentCommand};
use crate::command::event::{conclude, open};
use crate::command::threads::Asked;
use crate::command::{Exit, ranks, tasks};
use crate::complain;
use crate::tournament::{Plan, StopRequest, Typed, ask_to_stop, is_held, options_of, read_plan, run as play};

/// How often to look whether another server has stopped.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Runs `server tournament` and its subcommands.
pub(super) fn run(args: &TournamentArgs, out: &mut impl Write) -> anyhow::Result<Exit> {
    match &args.command {
        None => play_event(&args.event, out),
        Some(TournamentCommand::Stop { dir, now }) => {
            stop(dir, if *now { StopRequest::Now } else { StopRequest::Finish }, out)
        }
        Some(TournamentCommand::Tasks { event }) => {
            let (plan, folder) = plan_of(event)?;
            tasks::print(plan, &folder, out)
        }
        Some(TournamentCommand::Collect { dir }) => tasks::collect(dir, out),
    }
}

fn play_event(args: &EventArgs, out: &mut impl Write) -> anyhow::Result<Exit> {
    match MpiWorld::start() {
        Start::Alone => play_by_threads(args, out),
        Start::Joined(world) if world.rank() > 0 => ranks::work(world),
        Start::Joined(world) => ranks::hand_out(world, args, plan_of(args), out),
        Start::Unable { rank, .. } if rank > 0 => Ok(Exit::Success),
        Start::Unable { reason, .. } => {
            complain(&format!("{reason}: rank 0 plays by threads on its machine, the others do nothing"));
            play_by_threads(args, out)
        }
    }
}

fn play_by_threads(args: &EventArgs, out: &mut impl Write) -> anyhow::Result<Exit> {
    let (plan, folder) = plan_of(args)?;
    let asked = Asked { concurrency: args.concurrency, force: args.force, quiet: args.quiet };
    let options = asked.on_this_machine(plan.threads())?;
    let (mut open, interrupts) = open(&folder, plan)?;
    let played = play(&mut open, &options, &interrupts);
    conclude(&open, played, out)
}

/// Returns the plan, and the folder of the event.
fn plan_of(args: &EventArgs) -> Result<(Plan, PathBuf), Exit> {
    let (players, sprt) = players_and_settings(args)?;
    let is_file = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "toml");
    if let [file] = &players[..]
        && is_file(file)
    {
        if let Some(flag) = plan_flag(&args.plan) {
            let file = file.display();
            return Err(Exit::Usage(format!(
                "{flag} belongs into the plan: {file} has all that the event follows from"
            )));
        }
        let folder = args.dir.clone().unwrap_or_else(|| file.with_extension(""));
        return Ok((read_plan(file).map_err(Exit::Usage)?, folder));
    }
    if players.is_empty() {
        return Err(Exit::usage(
            "missing a plan or players: server tournament PLAN.toml, or server tournament A.so B.so",
        ));
    }
    if let Some(file) = players.iter().find(|path| is_file(path)) {
        return Err(Exit::Usage(format!("{} is a plan: name it alone, it says who plays", file.display())));
    }
    let typed: Vec<Typed> = players.into_iter().map(|file| Typed { name: None, file, directions: None }).collect();
    let plan = Plan::new(&PlanArgs { sprt, ..args.plan.clone() }, &typed, Path::new(""));
    Ok((plan.map_err(Exit::usage)?, args.dir.clone().unwrap_or_else(|| PathBuf::from("tournament"))))
}

/// Separates the settings of `--sprt`, which takes all words that follow, from players behind it.
fn players_and_settings(args: &EventArgs) -> Result<(Vec<PathBuf>, Vec<String>), Exit> {
    let (settings, behind): (Vec<String>, Vec<String>) = args
        .plan
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

/// Names a flag that has no effect beside a file.
fn plan_flag(plan: &PlanArgs) -> Option<String> {
    let given = [
        ("--format", plan.format.is_some()),
        ("--pairs", plan.pairs.is_some()),
        ("--rounds", plan.rounds.is_some()),
        ("--seeds", plan.seeds.is_some()),
        ("--best-of", plan.best_of.is_some()),
        ("--sprt", !plan.sprt.is_empty()),
        ("--max-pairs", plan.max_pairs.is_some()),
        ("--boards", !plan.boards.is_empty()),
        ("--plies", plan.plies.is_some()),
        ("--openings", plan.openings.is_some()),
        ("--seed", plan.seed.is_some()),
        ("--records", plan.records.is_some()),
    ];
    let flag = given.into_iter().find_map(|(flag, is_given)| is_given.then(|| flag.to_owned()));
    flag.or_else(|| options_of(&plan.rules, Path::new("")).into_iter().next())
}

/// Asks the server that plays in a folder to stop, and waits until it has.
pub(super) fn stop(folder: &Path, request: StopRequest, out: &mut impl Write) -> anyhow::Result<Exit> {
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
