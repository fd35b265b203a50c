//! Weights from games, by logistic regression.

use std::path::PathBuf;

use amazons_engine::{Features, Weights};
use amazons_program::files::write_whole;
use anyhow::{Context, Result};
use clap::Args;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use crate::contender;
use crate::descent::{self, Descent};
use crate::samples::{self, SampleArgs, Samples};

#[derive(Args, Debug)]
pub(crate) struct LearnArgs {
    #[command(flatten)]
    samples: SampleArgs,
    /// Where to write the weights.
    #[arg(long, short)]
    output: PathBuf,
    /// A file of weights to start from (default: the engine's).
    #[arg(long)]
    from: Option<PathBuf>,
    /// Passes over the samples.
    #[arg(long, default_value_t = 12)]
    passes: usize,
    /// The size of a step at first; it falls to a hundredth.
    #[arg(long, default_value_t = 0.01)]
    rate: f32,
    /// How strongly weights are drawn to zero.
    #[arg(long, default_value_t = 1e-6)]
    decay: f32,
    /// The seed of the order.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// A state and its result for the player to move.
struct Sample {
    /// The inputs that are not zero, and their values.
    inputs: Vec<(u8, i16)>,
    phase: f32,
    target: f32,
}

pub(crate) fn learn(args: &LearnArgs) -> Result<()> {
    let Samples { games, mut trained, tested } = samples::read(&args.samples, Sample::new)?;
    let start = match &args.from {
        Some(path) => contender::read::<Weights>(path)?,
        None => Weights::standard().clone(),
    };
    let mut model = Model::new(&start);
    println!("{} samples of {} games; error of the first weights {:.5}", trained.len(), games, model.error(&tested));
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(args.seed);
    for pass in 0..args.passes {
        trained.shuffle(&mut rng);
        let progress = pass as f32 / args.passes.max(2) as f32;
        let rate = args.rate * 0.01f32.powf(progress);
        for batch in trained.chunks(256) {
            model.step(batch, rate, args.decay);
        }
        println!(
            "pass {}: error {:.5}, on what was learned {:.5}",
            pass + 1,
            model.error(&tested),
            model.error(&trained[..tested.len().min(trained.len())])
        );
    }
    let note = format!(
        "# Weights of the evaluation, in log-odds, for the phases from closed (left) to open (right); see `Weights`.\n\
         # Learned by `lab learn` from {} games, error {:.5}.\n",
        games,
        model.error(&tested)
    );
    write_whole(&args.output, format!("{note}{}", model.weights).as_bytes())
        .with_context(|| format!("cannot write {}", args.output.display()))
}

impl Sample {
    fn new(features: &Features, target: f32) -> Self {
        let inputs = (0..).zip(features.inputs()).filter(|&(_, input)| input != 0);
        let inputs = inputs.map(|(index, input)| (index, i16::try_from(input).unwrap_or(i16::MAX))).collect();
        Self { inputs, phase: features.phase(), target }
    }
}

/// Weights being learned.
struct Model {
    weights: Weights,
    descent: Descent,
}

impl Model {
    fn new(weights: &Weights) -> Self {
        Self { weights: weights.clone(), descent: Descent::new(Weights::COUNT * Weights::PHASES) }
    }

    fn predict(&self, sample: &Sample) -> f32 {
        let (lower, share) = samples::place(sample.phase, Weights::PHASES);
        let weight = |index: u8| {
            let phases = &self.weights.values[usize::from(index)];
            phases[lower] * (1.0 - share) + phases[lower + 1] * share
        };
        let sum: f32 = sample.inputs.iter().map(|&(index, input)| weight(index) * f32::from(input)).sum();
        descent::probability(sum)
    }

    /// The mean cross-entropy.
    fn error(&self, samples: &[Sample]) -> f64 {
        let loss = |sample: &Sample| descent::loss(self.predict(sample), sample.target);
        samples.iter().map(loss).sum::<f64>() / samples.len().max(1) as f64
    }

    fn step(&mut self, batch: &[Sample], rate: f32, decay: f32) {
        let mut gradient = [[0.0f32; Weights::PHASES]; Weights::COUNT];
        for sample in batch {
            let error = (self.predict(sample) - sample.target) / batch.len() as f32;
            let (lower, share) = samples::place(sample.phase, Weights::PHASES);
            for &(index, input) in &sample.inputs {
                let slope = error * f32::from(input);
                gradient[usize::from(index)][lower] += slope * (1.0 - share);
                gradient[usize::from(index)][lower + 1] += slope * share;
            }
        }
        let slopes = gradient.as_flattened().iter().copied();
        self.descent.step(self.weights.values.as_flattened_mut().iter_mut(), slopes, rate, decay);
        for weight in self.weights.values.as_flattened_mut() {
            *weight = weight.clamp(-Weights::LIMIT, Weights::LIMIT);
        }
    }
}
