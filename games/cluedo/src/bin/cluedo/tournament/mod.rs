//! `cluedo tournament`: programs against each other, on all cores or ranks.

mod game;
mod journal;
mod report;

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use amazons_mpi::jobs::{Event, InOrder, Task};
use amazons_mpi::{Deadline, Json};
use amazons_program::Exit;
use amazons_program::ranks::{self, RankOptions, Ranks, Setup};
use amazons_statistics::SprtVerdict;
use clap::Args;
use cluedo::tournament::{BlockResult, Matchup, Plan, Run, next_matchup, pairs};

use crate::input_file::{MAX_TEXT_LEN, sha256};
use crate::seats::{CommandError, command};
use amazons_program::files::read_file;
use game::Job;
use journal::PlanJournal;

/// How often Ctrl-C is looked for.
const LOOK: Duration = Duration::from_millis(100);

/// Programs that hang make a block last long.
const LOST_AFTER: Duration = Duration::from_secs(60);

#[derive(Args, Debug)]
pub(crate) struct TournamentArgs {
    /// The plan; the games played are kept next to it, and the same command goes on after an interruption
    #[arg(value_name = "PLAN.toml")]
    plan: PathBuf,
    /// Games at a time in each process (default: one for each core, or one under a launcher)
    #[arg(short = 'j', long = "threads", value_name = "N", value_parser = ranks::thread_count)]
    threads: Option<NonZeroUsize>,
    /// Print the table of programs as comma-separated values
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Print everything as JSON
    #[arg(long)]
    json: bool,
    /// Also write a page with all tables
    #[arg(long, value_name = "FILE.html")]
    html: Option<PathBuf>,
    /// Print no progress
    #[arg(long)]
    quiet: bool,
}

type BlockRanks<'w> = Ranks<'w, Job, Json<BlockResult>>;

type Matches = Vec<(Matchup, Vec<BlockResult>)>;

struct Tournament<'a> {
    args: &'a TournamentArgs,
    plan: &'a Plan,
    folder: PathBuf,
    hidden: Vec<PathBuf>,
    journal: PlanJournal,
    /// Blocks of the journal that were not looked at yet.
    known: std::vec::IntoIter<BlockResult>,
}

pub(crate) fn run(args: &TournamentArgs, out: &mut impl Write) -> Result<Exit, Exit> {
    let options = RankOptions { threads: args.threads, lost_after: LOST_AFTER, ..RankOptions::default() };
    let work = |task: Task<'_, Job>| {
        task.job.play().map(Json).map_err(|exit| exit.complaint().unwrap_or("stopped").to_owned())
    };
    ranks::run("cluedo", &options, work, |dispatcher, setup| {
        let name = args.plan.display();
        let text = read_file(&args.plan, MAX_TEXT_LEN).map_err(|error| Exit::usage(format!("{name}: {error}")))?;
        let plan = Plan::parse(&text).map_err(|error| Exit::usage(format!("{name}: {error}")))?;
        let mut tournament = Tournament::open(args, &plan)?;
        let matches = tournament.play(dispatcher, setup)?;
        report::print(args, &plan, &matches, out)
    })
}

impl<'a> Tournament<'a> {
    fn open(args: &'a TournamentArgs, plan: &'a Plan) -> Result<Self, Exit> {
        let path = std::path::absolute(&args.plan).map_err(Exit::failure)?;
        let folder = path.parent().unwrap_or(Path::new("/")).to_owned();
        let journal = PlanJournal::path_of(&path);
        let hidden = vec![path, journal.clone()];
        let (mut files, mut unconfined) = (Vec::new(), Vec::new());
        for bot in &plan.bots {
            let wrong = |error: CommandError| Exit::usage(format!("{}: {}: {error}", args.plan.display(), bot.name));
            let found = match &bot.run {
                Run::Builtin(_) => None,
                Run::Stdio(words) => Some(command(words, &folder, &hidden).map_err(wrong)?),
                Run::Tcp(words) => {
                    eprintln!("cluedo: {} does not run in the sandbox: {}", bot.name, bot.run);
                    unconfined.push(bot.name.clone());
                    Some(command(words, &folder, &[]).map_err(wrong)?)
                }
            };
            let sum = |file: &PathBuf| {
                let sum = sha256(file).map_err(|error| wrong(CommandError::File(file.clone(), error)))?;
                Ok((file.display().to_string(), sum))
            };
            let found = found.map(|command| command.files).unwrap_or_default();
            files.push(found.iter().map(sum).collect::<Result<Vec<_>, Exit>>()?);
        }
        let (journal, known) = PlanJournal::open(&journal, plan, files, unconfined)?;
        Ok(Self { args, plan, folder, hidden, journal, known: known.into_iter() })
    }

    /// Plays all matches, those of the journal first.
    fn play(&mut self, ranks: &mut BlockRanks<'_>, setup: &Setup) -> Result<Matches, Exit> {
        let mut matches: Matches = Vec::new();
        loop {
            let finished: Vec<Vec<BlockResult>> = matches.iter().map(|(_, blocks)| blocks.clone()).collect();
            let Some(matchup) = next_matchup(self.plan, &finished) else { return Ok(matches) };
            let blocks = self.play_match(&matchup, ranks, setup)?;
            matches.push((matchup, blocks));
        }
    }

    /// Plays a match; its results count in the order of blocks, so they do not depend on who plays what.
    fn play_match(
        &mut self,
        matchup: &Matchup,
        ranks: &mut BlockRanks<'_>,
        setup: &Setup,
    ) -> Result<Vec<BlockResult>, Exit> {
        let blocks = matchup.blocks(self.plan);
        let mut done: Vec<BlockResult> = Vec::new();
        while done.len() < blocks.len() && !self.is_decided(matchup, &done) {
            let Some(known) = self.known.next() else { break };
            let expected = &blocks[done.len()];
            if (known.matchup, known.block) != (expected.matchup, expected.block) {
                let path = PlanJournal::path_of(&self.args.plan);
                let what = format!("block {} is missing: put back a copy of the journal", expected.block);
                return Err(Exit::usage(format!("{}: {what}, or remove it", path.display())));
            }
            done.push(known);
        }
        let mut next = blocks[done.len()..].iter();
        let (mut results, mut trouble) = (InOrder::default(), String::new());
        while done.len() < blocks.len() && !self.is_decided(matchup, &done) {
            while ranks.room() > 0
                && let Some(block) = next.next()
            {
                let (plan, folder, hidden) = (self.plan.clone(), self.folder.clone(), self.hidden.clone());
                let job = Job { block: block.clone(), plan, folder, hidden };
                results.expect(ranks.push(&job));
            }
            if setup.interrupt.is_set() {
                let (path, plan) = (PlanJournal::path_of(&self.args.plan), self.args.plan.display());
                eprintln!("cluedo: {} has the games so far; cluedo tournament {plan} goes on", path.display());
                return Err(Exit::Stopped);
            }
            match ranks.next_event(Deadline::after(LOOK)) {
                Ok(Some(Event::Result { job, answer, .. })) => results.insert(job, answer),
                Ok(Some(Event::Left { rank, reason: Some(reason) })) => {
                    trouble = reason;
                    if setup.ranks > 1 {
                        eprintln!("cluedo: rank {rank} left: {trouble}");
                    }
                }
                Ok(_) => {}
                Err(_) if !trouble.is_empty() => return Err(Exit::Failure(trouble)),
                Err(nobody) => return Err(Exit::failure(nobody)),
            }
            while let Some((_, Json(block))) = results.pop() {
                if self.is_decided(matchup, &done) {
                    break;
                }
                self.journal.append(&block)?;
                done.push(block);
                self.progress(matchup, done.len(), blocks.len());
            }
        }
        ranks.cancel_all();
        Ok(done)
    }

    /// Returns whether the test of a match of two has an answer.
    fn is_decided(&self, matchup: &Matchup, done: &[BlockResult]) -> bool {
        let Some((sprt, pair)) = self.plan.sprt.zip(matchup.pair) else { return false };
        sprt.test().is_ok_and(|test| test.verdict(&pairs(done, pair[0])) != SprtVerdict::Continue)
    }

    fn progress(&self, matchup: &Matchup, done: usize, all: usize) {
        if !self.args.quiet && (done.is_multiple_of(100) || done == all) {
            let name = |program: usize| &self.plan.bots[program].name;
            let what = matchup.pair.map_or("field".to_owned(), |[a, b]| format!("{} against {}", name(a), name(b)));
            // Nobody may be reading.
            let _ = writeln!(std::io::stderr(), "{what}: block {done} of {all}");
        }
    }
}
