//! How well chances fit results, by ply, by board and by free vertices.

use std::collections::BTreeMap;
use std::path::PathBuf;

use amazons_engine::{AnyGame, Game as FastGame, Isa};
use anyhow::Result;
use clap::Args;

use crate::contender::Contender;
use crate::games::Game;
use crate::samples;

/// The width of a class of positions, in free vertices.
const FREE_STEP: usize = 40;

#[derive(Args, Debug)]
pub(crate) struct CalibrateArgs {
    /// Files of games that nothing was learned from.
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// The network or weights that judge the positions.
    #[arg(long, default_value = "")]
    engine: Contender,
    /// Judges with the probabilities that searches use instead of the chances that people are told.
    #[arg(long)]
    raw: bool,
    /// Threads.
    #[arg(long, default_value_t = 2)]
    jobs: usize,
}

/// A judged position.
struct Judged {
    board: String,
    /// The part of the game, in tenths.
    tenth: usize,
    free: usize,
    predicted: f64,
    won: f64,
}

impl Judged {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a probability")]
    fn predicted_tenth(&self) -> usize {
        ((self.predicted * 10.0) as usize).min(9)
    }

    /// Returns the log-odds of the outcome, if all are divided by a factor; chances above 0.9999 count as that.
    fn divided(&self, factor: f64) -> f64 {
        let probability = self.predicted.clamp(0.0001, 0.9999);
        let log_odds = (probability / (1.0 - probability)).ln() / factor;
        if self.won > 0.5 { log_odds } else { -log_odds }
    }
}

/// Returns the divisor of the log-odds that gives the least cross-entropy, of steps of 5 % from 1/4 to 100.
fn best_factor(positions: &[&Judged]) -> f64 {
    let entropy = |factor| positions.iter().map(|judged| (-judged.divided(factor)).exp().ln_1p()).sum::<f64>();
    let factors = (0..=122).map(|step| 0.25 * 1.05_f64.powi(step));
    factors.min_by(|&one, &other| entropy(one).total_cmp(&entropy(other))).expect("some factors")
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
    let read = samples::of_games(&args.games, args.jobs, |_, game| of_game(&game, args))?;
    let (mut by_tenth, mut by_predicted) = ([Sums::default(); 10], [Sums::default(); 10]);
    let mut by_board = BTreeMap::<_, Sums>::new();
    let mut by_free = BTreeMap::<_, Vec<_>>::new();
    for judged in read.trained.iter().chain(&read.tested) {
        by_tenth[judged.tenth].add(judged);
        by_predicted[judged.predicted_tenth()].add(judged);
        by_board.entry(judged.board.as_str()).or_default().add(judged);
        by_free.entry(judged.free / FREE_STEP).or_default().push(judged);
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
    println!("free vertices   best divisor of the log-odds   positions");
    for (step, positions) in by_free {
        println!("{:13} {:30.2} {:11}", step * FREE_STEP, best_factor(&positions), positions.len());
    }
    Ok(())
}

fn of_game(game: &Game, args: &CalibrateArgs) -> Result<Vec<Judged>> {
    let board = std::sync::Arc::clone(game.start()?.board());
    match AnyGame::new(board, args.engine.table(), Isa::best()) {
        AnyGame::Small(fast) => on(&fast, game, args.raw),
        AnyGame::Medium(fast) => on(&fast, game, args.raw),
        AnyGame::Large(fast) => on(&fast, game, args.raw),
        AnyGame::Graph(fast) => on(&fast, game, args.raw),
    }
}

/// The positions before each move.
fn on<G: FastGame>(fast: &G, game: &Game, raw: bool) -> Result<Vec<Judged>> {
    let mut position = game.start()?;
    let mut judged = Vec::new();
    for (index, played) in game.moves.iter().enumerate() {
        let evaluation = fast.evaluate(&fast.state(&position));
        let chance = if raw { evaluation.value() } else { evaluation.chance(&position) };
        judged.push(Judged {
            board: game.board.clone(),
            tenth: 10 * index / game.moves.len(),
            free: position.free_vertices(),
            predicted: f64::from(chance),
            won: f64::from(u8::from(position.side_to_move() == game.winner)),
        });
        position.play_unchecked(played.mv);
    }
    Ok(judged)
}
