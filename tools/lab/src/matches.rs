//! Matches between two contenders.

use std::path::PathBuf;
use std::sync::Arc;

use amazons_rules::{Color, Position};
use anyhow::Result;
use clap::Args;

use crate::boards::{self, StartPosition};
use crate::contender::Contender;
use crate::openings::OpeningArgs;
use crate::pairs::Pairs;
use crate::workers;

#[derive(Args, Debug)]
pub(crate) struct MatchArgs {
    /// The contender whose strength is shown, such as `weights=new.txt,budget=50ms`.
    first: Contender,
    /// The other.
    second: Contender,
    /// Which boards, in turn.
    #[arg(long, default_value = boards::USUAL)]
    boards: String,
    /// Starts from a file of position texts, one a line, in turn, such as `lab openings` prints.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["boards", "opening", "even"])]
    from: Option<PathBuf>,
    #[command(flatten)]
    openings: OpeningArgs,
    /// Threads.
    #[arg(long, default_value_t = 2)]
    jobs: usize,
}

pub(crate) fn play(args: &MatchArgs) -> Result<()> {
    let starts = match &args.from {
        Some(path) => boards::listed(path)?,
        None => boards::starts(&args.boards)?,
    };
    let job = |index: usize| {
        let start: &StartPosition = &starts[index % starts.len()];
        let opening = match args.from {
            Some(_) => start.position.clone(),
            None => args.openings.draw(start, index)?.0,
        };
        let first_side = opening.side_to_move();
        Ok([first_side, first_side.opposite()].map(|side| wins(&opening, args, side)))
    };
    let mut all = Pairs::default();
    let mut by_board = vec![Pairs::default(); starts.len()];
    workers::run(args.jobs, args.openings.pairs, job, |index, results: [bool; 2]| {
        let won = results.into_iter().filter(|&won| won).count();
        all.add(won);
        // Starts of one name have one row, where the first of them stands.
        let name = &starts[index % starts.len()].name;
        let row = starts.iter().position(|start| start.name == *name);
        by_board[row.expect("it is one of them")].add(won);
        if all.games() % 100 == 0 {
            eprintln!("{all}");
        }
        Ok(())
    })?;
    println!("{} against {}, seed {}", args.first.text, args.second.text, args.openings.seed);
    for (start, pairs) in starts.iter().zip(by_board).filter(|(_, pairs)| pairs.games() > 0) {
        println!("{:>9}: {pairs}", start.name);
    }
    println!("{:>9}: {all}", "all");
    Ok(())
}

/// Returns whether the first contender wins with this colour.
fn wins(opening: &Position, args: &MatchArgs, side: Color) -> bool {
    let mut position = opening.clone();
    let board = Arc::clone(position.board());
    let mut engines = [args.first.engine(&board), args.second.engine(&board)];
    loop {
        let is_first = position.side_to_move() == side;
        let (contender, engine) =
            if is_first { (&args.first, &mut engines[0]) } else { (&args.second, &mut engines[1]) };
        let Some(result) = engine.search(&position, &mut contender.budget.limits()) else { return !is_first };
        position.play_unchecked(result.mv);
    }
}
