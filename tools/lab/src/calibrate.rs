//! How well a network's probabilities fit results, by ply and by board.

use std::collections::BTreeMap;
use std::path::PathBuf;

use amazons_engine::{AnyGame, Game as FastGame, Isa};
use anyhow::Result;
use clap::Args;

use crate::contender::Contender;
use crate::games::Game;
use crate::samples;

#[derive(Args, Debug)]
pub(crate) struct CalibrateArgs {
    /// Files of games that nothing was learned from.
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// The network or weights that judge the positions.
    #[arg(long, default_value = "")]
    engine: Contender,
    /// Threads.
    #[arg(long, default_value_t = 2)]
    jobs: usize,
}

/// A judged position.
struct Judged {
    board: String,
    /// The part of the game, in tenths.
    tenth: usize,
    predicted: f64,
    won: f64,
}

impl Judged {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a probability")]
    fn predicted_tenth(&self) -> usize {
        ((self.predicted * 10.0) as usize).min(9)
    }
}

/// Sums over positions.
#[derive(Clone, Copy, Default)]
struct Sums {
    positions: f64,
    squares: f64,
    predicted: f64,
    won: f64,
}

impl Sums {
    fn add(&mut self, judged: &Judged) {
        self.positions += 1.0;
        self.squares += (judged.predicted - judged.won).powi(2);
        self.predicted += judged.predicted;
        self.won += judged.won;
    }
}

pub(crate) fn calibrate(args: &CalibrateArgs) -> Result<()> {
    let read = samples::of_games(&args.games, args.jobs, |_, game| of_game(&game, &args.engine))?;
    let (mut by_tenth, mut by_predicted) = ([Sums::default(); 10], [Sums::default(); 10]);
    let mut by_board = BTreeMap::<_, Sums>::new();
    for judged in read.trained.iter().chain(&read.tested) {
        by_tenth[judged.tenth].add(judged);
        by_predicted[judged.predicted_tenth()].add(judged);
        by_board.entry(judged.board.as_str()).or_default().add(judged);
    }
    println!("{} games; Brier score by tenths of the game:", read.games);
    let brier = |sums: &Sums| format!("{:.3}", sums.squares / sums.positions);
    println!("  {}", by_tenth.iter().map(brier).collect::<Vec<_>>().join(" "));
    println!(
        "by board: {}",
        by_board.iter().map(|(board, sums)| format!("{board} {}", brier(sums))).collect::<Vec<_>>().join(", ")
    );
    println!("predicted   won   positions");
    for Sums { positions, predicted, won, .. } in by_predicted.into_iter().filter(|sums| sums.positions > 0.0) {
        println!("{:8.1} % {:5.1} % {positions:8}", 100.0 * predicted / positions, 100.0 * won / positions);
    }
    Ok(())
}

fn of_game(game: &Game, engine: &Contender) -> Result<Vec<Judged>> {
    let board = std::sync::Arc::clone(game.start()?.board());
    match AnyGame::new(board, engine.table(), Isa::best()) {
        AnyGame::Small(fast) => on(&fast, game),
        AnyGame::Medium(fast) => on(&fast, game),
        AnyGame::Large(fast) => on(&fast, game),
        AnyGame::Graph(fast) => on(&fast, game),
    }
}

/// The positions before each move.
fn on<G: FastGame>(fast: &G, game: &Game) -> Result<Vec<Judged>> {
    let mut position = game.start()?;
    let mut judged = Vec::new();
    for (index, played) in game.moves.iter().enumerate() {
        judged.push(Judged {
            board: game.board.clone(),
            tenth: 10 * index / game.moves.len(),
            predicted: f64::from(fast.evaluate(&fast.state(&position)).value()),
            won: f64::from(u8::from(position.side_to_move() == game.winner)),
        });
        position.play_unchecked(played.mv);
    }
    Ok(judged)
}
