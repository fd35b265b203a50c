//! The computer against itself, on ranks.

use std::io::Write;
use std::num::NonZeroUsize;
use std::sync::Arc;

use amazons_mpi::{Launch, World as _};
use amazons_program::Exit;
use amazons_program::ranks::thread_count;
use clap::Args;
use mastermind::protocol::{Caller, Counts, Master, Order, Pick, Player, Proposal, Protocol, lead, serve};
use mastermind::record::{PROPOSALS, Proposed};
use mastermind::{Code, Feedback, Scorer};
use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::board::count_of;
use crate::options::GameOptions;
use crate::ranks::{AnyPost, Leader, failed, run as run_ranks, run_shared};
use crate::session::Session;

#[derive(Args, Debug)]
pub(crate) struct AutoArgs {
    #[command(flatten)]
    options: GameOptions,
    /// How ranks divide the work: shared, first-come or seed
    #[arg(long, default_value = "shared")]
    protocol: Protocol,
    /// Players of first-come and seed, as threads [default: 3]; under a launcher all ranks but the first are players
    #[arg(long, conflicts_with = "threads", value_parser = thread_count)]
    players: Option<NonZeroUsize>,
    /// Ranks of shared, as threads [default: the physical cores]
    #[arg(short = 'j', long, value_parser = thread_count)]
    threads: Option<NonZeroUsize>,
    /// The secret, instead of a random one
    #[arg(long, value_name = "CODE")]
    secret: Option<String>,
    /// Show the secret before the game
    #[arg(long)]
    show_secret: bool,
    /// Let the master of seed pick a random proposal instead of that of the lowest rank
    #[arg(long)]
    random: bool,
    /// Print the record instead of a report
    #[arg(long)]
    json: bool,
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
    let players = Launch::from_env().map_or(asked, |launch| launch.size - 1);
    if players == 0 {
        return Err(Exit::Usage(format!(
            "{} needs a master and at least one player: start 2 ranks or more",
            args.protocol
        )));
    }
    let order = Arc::new(Order::new(options.game));
    let player = |post: &mut AnyPost<'_>| {
        let [number, players] =
            [post.world.rank() - 1, players].map(|number| u32::try_from(number).unwrap_or(u32::MAX));
        let player = Player::new(args.protocol, Arc::clone(&order), number, players);
        serve(post, player, options.lost_after())
    };
    run_ranks(players + 1, player, |post| proposed(args, post, &order, players, out))
}

/// A game whose rounds are printed as they happen.
struct Reporter<'a, O> {
    session: Session<'a>,
    out: &'a mut O,
    is_json: bool,
    secret: Code,
    /// The seed of the secret and of random picks.
    seed: u64,
    /// The ranks lost since the last answer.
    lost: Vec<usize>,
    error: Option<Exit>,
}

impl<'a, O: Write> Reporter<'a, O> {
    fn begin(args: &'a AutoArgs, out: &'a mut O, ranks: usize) -> Result<Self, Exit> {
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
        let session = Session::begin(options, strategy, Some(args.protocol), ranks, seed)?;
        let (lost, is_json) = (Vec::new(), args.json);
        let mut reporter = Self { session, out, is_json, secret, seed: drawn_by, lost, error: None };
        let seed = seed.map_or_else(String::new, |seed| format!(", --seed {seed}"));
        let (codes, ranks) = (count_of(game.codes() as usize, "code"), count_of(ranks, "rank"));
        let secret = if args.show_secret { format!("\nsecret {}", reporter.shown(secret)) } else { String::new() };
        reporter.print(&format!("{game}, {codes}, {}, {ranks}{seed}{secret}", args.protocol))?;
        Ok(reporter)
    }

    fn shown(&self, code: Code) -> String {
        self.session.pegs.code(self.session.history.game(), code)
    }

    /// Prints a text, or the last line of the record.
    fn print(&mut self, text: &str) -> Result<(), Exit> {
        match self.session.lines.last().filter(|_| self.is_json) {
            Some(line) => writeln!(self.out, "{}", line.to_json())?,
            None => writeln!(self.out, "{text}")?,
        }
        Ok(())
    }

    /// Answers a guess, and prints the round.
    fn answer(&mut self, guess: Code, proposals: &[Proposal]) -> Result<Feedback, Exit> {
        let (game, answer) = (self.session.history.game(), Feedback::of(guess, self.secret));
        let code = |one: &Proposal| one.code.map(|code| game.text(code));
        let shown = |one: &Proposal| format!("{}:{}", one.rank, code(one).unwrap_or_else(|| "-".to_owned()));
        let shown: Vec<_> = proposals.iter().map(shown).collect();
        let proposed = |one: &Proposal| Proposed { rank: one.rank, code: code(one), tests: one.tests };
        let (proposed, lost) = (proposals.iter().map(proposed).collect(), std::mem::take(&mut self.lost));
        let left = self.session.round(guess, answer, proposed, lost)?;
        let number = self.session.history.turns().len();
        let shown = if shown.is_empty() { String::new() } else { format!("  (proposed {})", shown.join(" ")) };
        self.print(&format!("{number:>2}  {}  {answer}  {left} left{shown}", self.shown(guess)))?;
        Ok(answer)
    }

    fn end(mut self, counts: &str) -> Result<Exit, Exit> {
        let ended = self.session.end(Some(self.secret), true)?;
        let (secret, guesses) = (self.shown(self.secret), count_of(self.session.history.turns().len(), "guess"));
        self.print(&format!("secret {secret} found with {guesses}; {counts}"))?;
        Ok(ended)
    }
}

fn shared(args: &AutoArgs, leader: &mut Leader<'_, '_, '_>, out: &mut impl Write) -> Result<Exit, Exit> {
    let mut reporter = Reporter::begin(args, out, leader.ranks.world().size())?;
    let game = args.options.game;
    loop {
        let guess = leader.choose(&reporter.session.history).map_err(failed)?;
        if reporter.answer(game.code(guess), &[])? == game.solved() {
            break;
        }
    }
    let chunks: Vec<_> = leader.chunks.iter().map(u64::to_string).collect();
    let sent = leader.ranks.world().trace().all_sent().messages;
    reporter.end(&format!("chunks by rank {}, rank 0 sent {sent} messages", chunks.join(" ")))
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
    let mut reporter = Reporter::begin(args, out, players + 1)?;
    let pick = if args.random { Pick::Random } else { Pick::Lowest };
    let random = Xoshiro256PlusPlus::seed_from_u64(reporter.seed);
    let master = Master::new(args.protocol, Arc::clone(order), players, 0, pick, random);
    let played = match lead(post, master, &mut reporter, args.options.lost_after()) {
        Ok(played) => played,
        Err(error) => return Err(reporter.error.take().unwrap_or_else(|| failed(error))),
    };
    let Counts { proposals, stale, empties, answers, handovers, .. } = played.counts;
    reporter.end(&format!(
        "{proposals} proposals ({stale} too late), {empties} without a code, {answers} answers, {handovers} hand-overs"
    ))
}
