//! Weights of the ownership from games, by multinomial logistic regression, and how reliable its probabilities are.

use std::fs;
use std::path::PathBuf;

use amazons_engine::{OwnershipInputs, OwnershipModel, OwnershipView};
use amazons_rules::{Nearer, Territory};
use anyhow::{Context, Result};
use clap::Args;
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use crate::descent::Descent;
use crate::games::Game;
use crate::samples::{self, Samples};

#[derive(Args, Debug)]
pub(crate) struct OwnershipArgs {
    /// Files of games.
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// Where to write weights, learned from nine of ten games and tested with the others; without it, the built-in
    /// weights are tested with all games.
    #[arg(long, short)]
    output: Option<PathBuf>,
    /// The share of positions that are looked at.
    #[arg(long, default_value_t = 0.1)]
    share: f64,
    /// Passes over the samples.
    #[arg(long, default_value_t = 6)]
    passes: usize,
    /// The seed of the positions and their order.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads; the result does not depend on them.
    #[arg(long, default_value_t = 2)]
    jobs: usize,
}

/// A free vertex. Pairs are of the player to move and of the opponent.
struct Sample {
    inputs: OwnershipInputs,
    ply: usize,
    /// Whose territory it became, and who was nearer.
    owned: [f32; 2],
    nearer: [f32; 2],
}

pub(crate) fn ownership(args: &OwnershipArgs) -> Result<()> {
    let of_game = |index: usize, game: Game| {
        let seed = args.seed.wrapping_mul(1 << 32).wrapping_add(index as u64);
        samples(&game, args.share, &mut Xoshiro256PlusPlus::seed_from_u64(seed))
    };
    let Samples { games, mut trained, mut tested } = samples::of_games(&args.games, args.jobs, of_game)?;
    let Some(output) = &args.output else {
        tested.append(&mut trained);
        print!("{}", reliability(OwnershipModel::standard(), &tested));
        return Ok(());
    };
    let mut model = OwnershipModel { values: vec![[0.0; 2]; OwnershipModel::standard().values.len()] };
    let mut descent = Descent::new(model.values.len() * 2);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(args.seed);
    for pass in 0..args.passes {
        trained.shuffle(&mut rng);
        let rate = 0.02 * 0.01f32.powf(pass as f32 / args.passes as f32);
        for batch in trained.chunks(4096) {
            let mut slopes = vec![[0.0; 2]; model.values.len()];
            for Sample { inputs, owned, .. } in batch {
                let chances = model.chances(inputs);
                for side in (0..2).filter(|&side| inputs.is_possible[side]) {
                    let error = (chances[side] - owned[side]) / batch.len() as f32;
                    inputs.shares.iter().for_each(|&(at, share)| slopes[at][side] += error * share);
                }
            }
            let slopes = slopes.as_flattened().iter().copied();
            descent.step(model.values.as_flattened_mut().iter_mut(), slopes, rate, 1e-5);
        }
    }
    print!("{}", reliability(&model, &tested));
    let mut text = format!(
        "# Weights of the ownership; see `OwnershipModel`. A line is a class, with a pair of numbers for each phase.\n\
         # Learned by `lab ownership` from {games} games.\n"
    );
    for class in model.values.chunks(OwnershipModel::PHASES) {
        let numbers = class.as_flattened().iter().map(|number| format!("{number:>7.3}")).collect::<Vec<_>>();
        text += &(numbers.join(" ") + "\n");
    }
    fs::write(output, text).with_context(|| format!("cannot write {}", output.display()))
}

/// The free vertices of some positions of a game, until no vertex is in reach of both sides.
fn samples(game: &Game, share: f64, rng: &mut Xoshiro256PlusPlus) -> Result<Vec<Sample>> {
    let mut position = game.start()?;
    let mut owners = vec![None; position.board().vertex_ids()];
    let mut seen = Vec::new();
    for (ply, played) in (game.opening.len()..).zip(&game.moves) {
        let view = OwnershipView::new(&position);
        if view.is_closed() {
            break;
        }
        owners[played.mv.arrow as usize] = view.owner(played.mv.arrow);
        if rng.random_bool(share) {
            seen.push((ply, position.clone()));
        }
        position.play_unchecked(played.mv);
    }
    let view = OwnershipView::new(&position);
    for vertex in position.board().vertices() {
        let queen = position.queen_at(vertex);
        if queen.is_some() || position.is_free(vertex) {
            owners[vertex as usize] = queen.or_else(|| view.owner(vertex));
        }
    }
    let of_position = |(ply, position)| {
        let (view, territory) = (OwnershipView::new(&position), Territory::new(&position));
        let sides = [position.side_to_move(), position.side_to_move().opposite()];
        let sample = |vertex| {
            let mark = |is: bool| f32::from(u8::from(is));
            let owned = sides.map(|side| mark(owners[vertex as usize] == Some(side)));
            let nearer = sides.map(|side| mark(territory.vertices[vertex as usize] == Some(Nearer::Color(side))));
            Sample { inputs: view.inputs(vertex), ply, owned, nearer }
        };
        position.board().vertices().filter(|&vertex| position.is_free(vertex)).map(sample).collect::<Vec<_>>()
    };
    Ok(seen.into_iter().flat_map(of_position).collect())
}

/// The first ply of each column, before one of all plies.
const PLIES: [usize; 6] = [0, 10, 20, 30, 40, 60];
const BINS: usize = 10;

/// Returns a table: for plies and probabilities the mean prediction, the share that came true, and how many they are;
/// below it the mean distance of the two, and the mean squared errors of the model and of taking the nearer side for the
/// owner. A side that can never come to a vertex is left out.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a probability is from 0 to 1")]
fn reliability(model: &OwnershipModel, samples: &[Sample]) -> String {
    // For each column and bin the sums of: 1, prediction, truth, both squared errors.
    let mut sums = [[[0.0; 5]; BINS]; PLIES.len() + 1];
    for Sample { inputs, ply, owned, nearer } in samples {
        let chances = model.chances(inputs);
        for side in (0..2).filter(|&side| inputs.is_possible[side]) {
            let [chance, owned, nearer] = [chances, *owned, *nearer].map(|of| f64::from(of[side]));
            let row = [1.0, chance, owned, (chance - owned).powi(2), (nearer - owned).powi(2)];
            let column = PLIES.iter().rposition(|first| first <= ply).unwrap_or(0);
            for column in [column, PLIES.len()] {
                let cell = &mut sums[column][((chance * BINS as f64) as usize).min(BINS - 1)];
                cell.iter_mut().zip(row).for_each(|(sum, number)| *sum += number);
            }
        }
    }
    let line = |name: &str, of: &dyn Fn(&[[f64; 5]; BINS]) -> String| {
        format!("| {name} | {} |\n", sums.each_ref().map(of).join(" | "))
    };
    let mean = |column: &[[f64; 5]], of: &dyn Fn(&[f64; 5]) -> f64| {
        column.iter().map(of).sum::<f64>() / column.iter().map(|cell| cell[0]).sum::<f64>()
    };
    let mut text = format!(
        "| ply | {}+ | all |\n|---{}|\n",
        PLIES.map(|ply| ply.to_string()).join("+ | "),
        "|---".repeat(PLIES.len() + 1)
    );
    for bin in 0..BINS {
        text += &line(&format!("{}-{} %", 10 * bin, 10 * bin + 10), &|column| {
            let [count, chance, owned, ..] = column[bin];
            if count > 0.0 {
                format!("{:.0}: {:.0} ({count})", 100.0 * chance / count, 100.0 * owned / count)
            } else {
                "-".to_owned()
            }
        });
    }
    text += &line("calibration error", &|column| format!("{:.3}", mean(column, &|cell| (cell[1] - cell[2]).abs())));
    text += &line("Brier score", &|column| format!("{:.3}", mean(column, &|cell| cell[3])));
    text + &line("nearer side's", &|column| format!("{:.3}", mean(column, &|cell| cell[4])))
}
