//! States of games, and their results.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use amazons_engine::{AnyGame, EvalTable, Features, Isa, Weights};
use amazons_rules::Position;
use anyhow::{Context, Result};
use clap::Args;

use crate::games::{Game, SelfPlayMove};
use crate::workers;

/// The samples to learn from.
#[derive(Args, Debug)]
pub(crate) struct SampleArgs {
    /// Files of games.
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// The weight of the game's result in the target; the search's value has the rest.
    #[arg(long, default_value_t = 0.7)]
    result: f32,
    /// The same before the last random move.
    #[arg(long, default_value_t = 0.0)]
    early_result: f32,
    /// Takes the mean of the values before and after each chosen move, and no random one: a bias for the side to move
    /// cancels out.
    #[arg(long)]
    mean_values: bool,
    /// Threads; the result does not depend on them.
    #[arg(long, default_value_t = 2)]
    pub(crate) jobs: usize,
}

/// One game in this many is only tested on.
const TESTED: usize = 10;

/// Training states, and test states.
pub(crate) struct Samples<T> {
    pub(crate) games: usize,
    pub(crate) trained: Vec<T>,
    pub(crate) tested: Vec<T>,
}

/// Reads files of games and makes a sample of each state: its features and the target, the probability that the player
/// to move wins, a mix of the game's result and the search's value.
pub(crate) fn read<T: Send>(args: &SampleArgs, make: impl Fn(&Features, f32) -> T + Sync) -> Result<Samples<T>> {
    of_games(&args.games, args.jobs, |_, mut game| {
        if args.mean_values {
            game.average_values();
        }
        of_game(&game, args, &make)
    })
}

/// Reads files of games and makes samples of each.
pub(crate) fn of_games<T: Send>(
    paths: &[PathBuf],
    jobs: usize,
    make: impl Fn(usize, Game) -> Result<Vec<T>> + Sync,
) -> Result<Samples<T>> {
    let mut lines = Vec::new();
    for path in paths {
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        lines.extend(text.lines().map(str::to_owned));
    }
    let mut samples = Samples { games: lines.len(), trained: Vec::new(), tested: Vec::new() };
    workers::run(
        jobs,
        lines.len(),
        |index| make(index, Game::from_line(&lines[index])?),
        |index, states| {
            (if index % TESTED == 0 { &mut samples.tested } else { &mut samples.trained }).extend(states);
            Ok(())
        },
    )?;
    Ok(samples)
}

/// The states of a game: before each move, and before its arrow.
fn of_game<T>(game: &Game, args: &SampleArgs, make: impl Fn(&Features, f32) -> T) -> Result<Vec<T>> {
    let start = game.start()?;
    let table = Arc::new(EvalTable::new(Weights::standard()));
    Ok(match AnyGame::new(Arc::clone(start.board()), table, Isa::best()) {
        AnyGame::Small(fast) => on(&fast, game, start, args, make),
        AnyGame::Medium(fast) => on(&fast, game, start, args, make),
        AnyGame::Large(fast) => on(&fast, game, start, args, make),
        AnyGame::Graph(fast) => on(&fast, game, start, args, make),
    })
}

fn on<G: amazons_engine::Game, T>(
    fast: &G,
    game: &Game,
    mut position: Position,
    args: &SampleArgs,
    make: impl Fn(&Features, f32) -> T,
) -> Vec<T> {
    let mut samples = Vec::new();
    // After a random move the result says little about earlier moves.
    let settled = game.moves.iter().rposition(|played| !played.chosen).map_or(0, |last| last + 1);
    for (index, &SelfPlayMove { mv, value, chosen }) in game.moves.iter().enumerate() {
        let won = if position.side_to_move() == game.winner { 1.0 } else { 0.0 };
        let share = if index < settled { args.early_result } else { args.result };
        let target = share * won + (1.0 - share) * (value + 1.0) / 2.0;
        let mut state = fast.state(&position);
        if chosen || !args.mean_values {
            samples.push(make(&fast.features(&state), target));
        }
        if chosen {
            fast.play(&mut state, fast.halves(mv)[0]);
            samples.push(make(&fast.features(&state), target));
        }
        position.play_unchecked(mv);
    }
    samples
}

/// The two phases around a state, and how near it is to the upper one.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a phase is from 0 to 1")]
pub(crate) fn place(phase: f32, phases: usize) -> (usize, f32) {
    let place = phase * (phases - 1) as f32;
    let lower = (place as usize).min(phases - 2);
    (lower, place - lower as f32)
}
