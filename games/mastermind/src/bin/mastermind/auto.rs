//! The computer against itself, on ranks.

use std::io::Write;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Instant;

use amazons_mpi::World as _;
use amazons_program::Exit;
use amazons_program::ranks::thread_count;
use clap::Args;
use mastermind::protocol::{Caller, Counts, Master, Order, Pick, Player, Proposal, Protocol, lead, serve};
use mastermind::record::{Line, PROPOSALS, Proposed};
use mastermind::{Code, Feedback, Game, History, Scorer, review};
use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::board::{Pegs, worth_lines};
use crate::options::{GameOptions, REVIEWED_MAX, Recorder};
use crate::ranks::{AnyPost, Leader, failed, number_of_ranks, run as run_ranks, run_shared};
use crate::{files, page};

#[derive(Args, Debug)]
pub(crate) struct AutoArgs {
    #[command(flatten)]
    pub(crate) options: GameOptions,
    /// How ranks divide the work: shared, first-come or seed
    #[arg(long, default_value = "shared")]
    pub(crate) protocol: Protocol,
    /// Players of first-come and seed, as threads [default: 3]; under a launcher all ranks but the first are players
    #[arg(long, conflicts_with = "threads", value_parser = thread_count)]
    pub(crate) players: Option<NonZeroUsize>,
    /// Ranks of shared, as threads [default: the physical cores]
    #[arg(short = 'j', long, value_parser = thread_count)]
    pub(crate) threads: Option<NonZeroUsize>,
    /// The secret, instead of a random one
    #[arg(long, value_name = "CODE")]
    pub(crate) secret: Option<String>,
    /// Show the secret before the game
    #[arg(long)]
    pub(crate) show_secret: bool,
    /// Let the master of seed pick a random proposal instead of that of the lowest rank
    #[arg(long)]
    pub(crate) random: bool,
    /// Print the record instead of a report
    #[arg(long)]
    pub(crate) json: bool,
}

pub(crate) fn run(args: &AutoArgs, out: &mut impl Write) -> Result<Exit, Exit> {
    let options = &args.options;
    let is_shared = args.protocol == Protocol::Shared;
    if is_shared && (args.players.is_some() || args.random) {
        let option = if args.random { "--random" } else { "--players" };
        return Err(Exit::Usage(format!("{option} is for the protocols first-come and seed")));
    }
    if is_shared {
        options.check()?;
        let scorer = Scorer::new(options.game, options.strategy);
        return run_shared(args.threads, &scorer, options.lost_after(), |leader| shared(args, leader, out));
    }
    let asked = args.threads.or(args.players).map_or(3, NonZeroUsize::get);
    let players = number_of_ranks(asked + 1) - 1;
    if players == 0 {
        return Err(Exit::Usage(format!(
            "{} needs a master and at least one player: start 2 ranks or more",
            args.protocol
        )));
    }
    let order = Arc::new(Order::new(options.game));
    let player = |post: &mut AnyPost<'_>| {
        let [number, players] =
            [post.world().rank() - 1, players].map(|number| u32::try_from(number).unwrap_or(u32::MAX));
        let player = Player::new(args.protocol, args.protocol.parts(), Arc::clone(&order), number, players);
        serve(post, player, options.lost_after())
    };
    run_ranks(players + 1, player, |post| proposed(args, post, &order, players, out))
}

/// A game whose rounds are written as they happen.
struct Reporter<'a, O> {
    out: &'a mut O,
    is_json: bool,
    pegs: Pegs,
    recorder: Recorder,
    history: History,
    secret: Code,
    /// The seed of the secret and of random picks.
    seed: u64,
    since: Instant,
    /// The ranks lost since the last answer.
    lost: Vec<usize>,
    error: Option<Exit>,
}

impl<'a, O: Write> Reporter<'a, O> {
    fn begin(args: &AutoArgs, out: &'a mut O, ranks: usize) -> Result<Self, Exit> {
        let (options, game) = (&args.options, args.options.game);
        let drawn_by = options.seed();
        let given = args.secret.as_deref().map(|text| game.parse_code(text)).transpose();
        let given = given.map_err(|error| Exit::Usage(format!("--secret: {error}")))?;
        let seed = (given.is_none() || args.random).then_some(drawn_by);
        let secret = given.unwrap_or_else(|| options.draw(drawn_by));
        let strategy = match args.protocol {
            Protocol::Shared => options.strategy.to_string(),
            Protocol::FirstCome | Protocol::Seed => PROPOSALS.to_owned(),
        };
        let protocol = Some(args.protocol.to_string());
        let line = Line::Game { game: game.to_string(), strategy, protocol, ranks, seed };
        let mut recorder = Recorder::create(options.record.as_deref())?;
        recorder.write(line)?;
        let mut reporter = Self {
            out,
            is_json: args.json,
            pegs: Pegs::detect(),
            recorder,
            history: History::new(game),
            secret,
            seed: drawn_by,
            since: Instant::now(),
            lost: Vec::new(),
            error: None,
        };
        let seed = seed.map_or_else(String::new, |seed| format!(", --seed {seed}"));
        let (codes, ranks) = (count_of(game.codes() as usize, "code"), count_of(ranks, "rank"));
        reporter.say(&format!("{game}, {codes}, {}, {ranks}{seed}", args.protocol))?;
        if args.show_secret {
            let secret = reporter.pegs.code(game, secret);
            reporter.say(&format!("secret {secret}"))?;
        }
        if reporter.is_json {
            reporter.print_line()?;
        }
        Ok(reporter)
    }

    fn say(&mut self, text: &str) -> Result<(), Exit> {
        if !self.is_json {
            writeln!(self.out, "{text}")?;
        }
        Ok(())
    }

    fn print_line(&mut self) -> Result<(), Exit> {
        if self.is_json
            && let Some(line) = self.recorder.lines.last()
        {
            writeln!(self.out, "{}", line.to_json())?;
        }
        Ok(())
    }

    /// Answers a guess, and writes the round.
    fn answer(&mut self, guess: Code, proposals: &[Proposal]) -> Result<Feedback, Exit> {
        let game = self.history.game();
        let answer = Feedback::of(guess, self.secret);
        self.history.push(guess, answer);
        let left = self.history.fitting().count() as u64;
        let text = |code: &Code| game.text(*code);
        let proposed =
            |one: &Proposal| Proposed { rank: one.rank, code: one.code.as_ref().map(text), tests: one.tests };
        let proposals: Vec<_> = proposals.iter().map(proposed).collect();
        let shown: Vec<_> =
            proposals.iter().map(|one| format!("{}:{}", one.rank, one.code.as_deref().unwrap_or("-"))).collect();
        let number = self.history.turns().len();
        let mut line = format!("{number:>2}  {}  {answer}  {left} left", self.pegs.code(game, guess));
        if !shown.is_empty() {
            line += &format!("  (proposed {})", shown.join(" "));
        }
        self.say(&line)?;
        let (seconds, lost) = (self.since.elapsed().as_secs_f64(), std::mem::take(&mut self.lost));
        let (guess, answer_text) = (game.text(guess), answer.to_string());
        self.recorder.write(Line::Round { guess, answer: answer_text, left, proposals, lost, seconds })?;
        self.print_line()?;
        self.since = Instant::now();
        Ok(answer)
    }

    fn end(mut self, args: &AutoArgs, counts: &str) -> Result<Exit, Exit> {
        let game = self.history.game();
        let secret = Some(game.text(self.secret));
        self.recorder.write(Line::End { secret, is_solved: true })?;
        self.print_line()?;
        let (secret, guesses) = (self.pegs.code(game, self.secret), self.history.turns().len());
        self.say(&format!("secret {secret} found with {}; {counts}", guesses_text(guesses)))?;
        finish_game(&args.options, &self.history, Some(self.secret))?;
        Ok(Exit::Success)
    }
}

pub(crate) fn guesses_text(guesses: usize) -> String {
    if guesses == 1 { "1 guess".to_owned() } else { format!("{guesses} guesses") }
}

/// Returns a number of things whose name takes an s.
pub(crate) fn count_of(number: usize, name: &str) -> String {
    format!("{number} {name}{}", if number == 1 { "" } else { "s" })
}

pub(crate) fn finish_game(options: &GameOptions, history: &History, secret: Option<Code>) -> Result<(), Exit> {
    let Some(path) = &options.html else { return Ok(()) };
    files::write(path, &page::game_page(history, secret, &review(history)))
}

/// Returns the worth of all guesses as text, for games that are small enough.
pub(crate) fn worths(game: Game, history: &History) -> String {
    if game.codes() > REVIEWED_MAX { String::new() } else { worth_lines(game, history, &review(history)) }
}

fn shared(args: &AutoArgs, leader: &mut Leader<'_, '_, '_>, out: &mut impl Write) -> Result<Exit, Exit> {
    args.options.check_page()?;
    let mut reporter = Reporter::begin(args, out, leader.world().size())?;
    let game = args.options.game;
    loop {
        let chosen = leader.choose(&reporter.history).map_err(failed)?;
        if reporter.answer(game.code(chosen.index), &[])? == game.solved() {
            break;
        }
    }
    let chunks: Vec<_> = leader.chunks.iter().map(u64::to_string).collect();
    let sent = leader.world().trace().all_sent();
    let counts = format!("chunks by rank {}, rank 0 sent {} messages", chunks.join(" "), sent.messages);
    reporter.end(args, &counts)
}

impl<O: Write> Caller for Reporter<'_, O> {
    fn evaluate(&mut self, code: Code, proposals: &[Proposal]) -> Option<Feedback> {
        self.answer(code, proposals).map_err(|error| self.error = Some(error)).ok()
    }

    fn lost(&mut self, rank: usize) {
        eprintln!("mastermind: rank {rank} is lost: others search its codes");
        self.lost.push(rank);
    }
}

fn proposed(
    args: &AutoArgs,
    post: &mut AnyPost<'_>,
    order: &Arc<Order>,
    players: usize,
    out: &mut impl Write,
) -> Result<Exit, Exit> {
    args.options.check_page()?;
    let mut reporter = Reporter::begin(args, out, players + 1)?;
    let pick = if args.random { Pick::Random } else { Pick::Lowest };
    let random = Xoshiro256PlusPlus::seed_from_u64(reporter.seed);
    let parts = args.protocol.parts();
    let master = Master::new(args.protocol, parts, Arc::clone(order), players, 0, pick, random);
    let played = match lead(post, master, &mut reporter, args.options.lost_after()) {
        Ok(played) => played,
        Err(error) => return Err(reporter.error.take().unwrap_or_else(|| failed(error))),
    };
    let Counts { proposals, stale, empties, answers, handovers, .. } = played.counts;
    let counts = format!(
        "{proposals} proposals ({stale} too late), {empties} without a code, {answers} answers, {handovers} hand-overs"
    );
    reporter.end(args, &counts)
}
