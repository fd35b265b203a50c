//! Openings of a match: each is played twice, with colours swapped.

use amazons_rules::{Move, Position};
use anyhow::Result;
use clap::Args;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use crate::boards::{self, StartPosition};
use crate::contender::Contender;
use crate::workers;

#[derive(Args, Debug)]
pub(crate) struct OpeningArgs {
    /// How many pairs of games.
    #[arg(long, short = 'n', default_value_t = 100)]
    pub(crate) pairs: usize,
    /// Random plies before each pair.
    #[arg(long, default_value_t = 4)]
    opening: usize,
    /// The seed of openings.
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Draws openings until a search values one at most this far from 0: in a decided one, the colours decide.
    #[arg(long, value_name = "VALUE")]
    even: Option<f32>,
    /// The number of nodes of that search.
    #[arg(long, value_name = "NODES", default_value_t = 10_000)]
    even_nodes: u64,
}

impl OpeningArgs {
    /// Returns the opening of a pair, which follows from the seed and the pair's number, and its moves.
    pub(crate) fn draw(&self, start: &StartPosition, pair: usize) -> Result<(Position, Vec<Move>)> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(self.seed.wrapping_mul(1 << 32).wrapping_add(pair as u64));
        let judge = Contender::standard(self.even_nodes);
        loop {
            let (position, moves) = start.opening(self.opening, &mut rng);
            let Some(most) = self.even else { return Ok((position, moves)) };
            let result = judge.engine(position.board()).search(&position, &mut judge.budget.limits());
            if result.is_some_and(|result| result.value.abs() <= most) {
                return Ok((position, moves));
            }
        }
    }
}

/// Even positions as a file for `server tournament --openings`.
#[derive(Args, Debug)]
pub(crate) struct PrintArgs {
    /// Which boards, in turn.
    #[arg(long, default_value = boards::USUAL)]
    boards: String,
    #[command(flatten)]
    openings: OpeningArgs,
    /// Threads.
    #[arg(long, default_value_t = 2)]
    jobs: usize,
}

pub(crate) fn print(args: &PrintArgs) -> Result<()> {
    let starts = boards::starts(&args.boards)?;
    let job = |index: usize| args.openings.draw(&starts[index % starts.len()], index);
    workers::run(args.jobs, args.openings.pairs, job, |_, (position, _)| {
        println!("{position}");
        Ok(())
    })
}
