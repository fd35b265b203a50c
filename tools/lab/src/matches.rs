//! Matches between two contenders.

use std::sync::Arc;

use amazons_rules::{Color, Position};
use anyhow::Result;
use clap::Args;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use crate::boards::{self, Start};
use crate::contender::Contender;
use crate::statistics::Pairs;
use crate::workers;

#[derive(Args, Debug)]
pub(crate) struct MatchArgs {
    /// The one whose strength is shown, such as `weights=new.txt,budget=50ms`.
    first: Contender,
    /// The other.
    second: Contender,
    /// Which boards, in turn.
    #[arg(long, default_value = "standard,c8,c10,d9,d10,t10,88,810")]
    boards: String,
    /// How many pairs of games.
    #[arg(long, short = 'n', default_value_t = 100)]
    pairs: usize,
    /// Random plies before each pair.
    #[arg(long, default_value_t = 4)]
    opening: usize,
    /// The seed of openings.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads.
    #[arg(long, default_value_t = 2)]
    jobs: usize,
}

pub(crate) fn play(args: &MatchArgs) -> Result<()> {
    let starts = boards::starts(&args.boards)?;
    let job = |index: usize| {
        let start: &Start = &starts[index % starts.len()];
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(args.seed.wrapping_mul(1 << 32).wrapping_add(index as u64));
        let (opening, _) = start.opening(args.opening, &mut rng);
        let first_side = opening.side_to_move();
        Ok([first_side, first_side.opposite()].map(|side| wins(&opening, args, side)))
    };
    let mut all = Pairs::default();
    let mut by_board = vec![Pairs::default(); starts.len()];
    workers::run(args.jobs, args.pairs, job, |index, results: [bool; 2]| {
        let won = results.into_iter().filter(|&won| won).count();
        all.add(won);
        by_board[index % starts.len()].add(won);
        if all.games() % 100 == 0 {
            eprintln!("{all}");
        }
        Ok(())
    })?;
    println!("{} against {}, seed {}", args.first.text, args.second.text, args.seed);
    for (start, pairs) in starts.iter().zip(by_board).filter(|(_, pairs)| pairs.games() > 0) {
        println!("{:>9}: {pairs}", start.name);
    }
    println!("{:>9}: {all}", "all");
    Ok(())
}

/// Whether the first contender wins with this colour.
fn wins(opening: &Position, args: &MatchArgs, side: Color) -> bool {
    let mut position = opening.clone();
    let board = Arc::clone(position.board());
    let mut thinkers = [args.first.thinker(&board), args.second.thinker(&board)];
    loop {
        let is_first = position.side_to_move() == side;
        let (contender, thinker) =
            if is_first { (&args.first, &mut thinkers[0]) } else { (&args.second, &mut thinkers[1]) };
        let Some(thought) = thinker.think(&position, &mut contender.budget.start()) else { return !is_first };
        position.play_unchecked(thought.mv);
    }
}
