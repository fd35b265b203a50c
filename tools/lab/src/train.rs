//! A network from games: logistic regression through one hidden layer.

use std::path::PathBuf;

use amazons_engine::{EvalTable, Features, Network};
use amazons_program::files::write_whole;
use amazons_rules::Step;
use anyhow::{Context, Result};
use clap::Args;
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use crate::contender;
use crate::descent::{self, Descent};
use crate::samples::{self, SampleArgs, Samples};

#[derive(Args, Debug)]
pub(crate) struct TrainArgs {
    #[command(flatten)]
    samples: SampleArgs,
    /// Where to write the network.
    #[arg(long, short)]
    output: PathBuf,
    /// A file with a network to start from (default: small random numbers).
    #[arg(long)]
    from: Option<PathBuf>,
    /// Passes over the samples.
    #[arg(long, default_value_t = 8)]
    passes: usize,
    /// The size of a step at first; it falls to a fiftieth.
    #[arg(long, default_value_t = 0.004)]
    rate: f32,
    /// How strongly weights are drawn to zero.
    #[arg(long, default_value_t = 1e-6)]
    decay: f32,
    /// The seed of the first weights and of the order.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// The number of samples learned together, and the parts whose slopes are added in a fixed order.
const BATCH: usize = 512;
const PART: usize = 128;
/// The scale of counts, so that inputs are about as large as weights should be.
const SCALE: f32 = 0.1;

const HIDDEN: usize = Network::HIDDEN;
type Row = [f32; HIDDEN];

/// A state and its result for the player to move.
struct Sample {
    counts: [[u8; 2]; Network::INPUTS],
    due: u8,
    phase: f32,
    target: f32,
}

impl Sample {
    fn new(features: &Features, target: f32) -> Self {
        let due = u8::from(features.due == Step::Arrow);
        Self { counts: features.network_inputs(), due, phase: features.phase(), target }
    }
}

pub(crate) fn train(args: &TrainArgs) -> Result<()> {
    let Samples { games, mut trained, tested } = samples::read(&args.samples, Sample::new)?;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(args.seed);
    let mut model = match &args.from {
        Some(path) => Model::of(&contender::read::<Network>(path)?),
        None => Model::random(&mut rng),
    };
    println!(
        "{} samples of {games} games; error at first {:.5}",
        trained.len(),
        model.error(&tested, args.samples.jobs)
    );
    let mut descent = Descent::new(ROWS * HIDDEN);
    for pass in 0..args.passes {
        trained.shuffle(&mut rng);
        let progress = pass as f32 / (args.passes.max(2) - 1) as f32;
        let rate = args.rate * 0.02f32.powf(progress);
        for batch in trained.chunks(BATCH) {
            let slopes = model.slopes(batch, args.samples.jobs);
            let means = slopes.numbers().map(|slope| slope / batch.len() as f32);
            descent.step(model.numbers_mut(), means, rate, args.decay);
        }
        let learned = model.error(&trained[..tested.len().min(trained.len())], args.samples.jobs);
        println!(
            "pass {}: error {:.5}, on what was learned {learned:.5}",
            pass + 1,
            model.error(&tested, args.samples.jobs)
        );
    }
    let network = model.network();
    let error = Model::of(&network).error(&tested, args.samples.jobs);
    println!("in whole numbers: error {error:.5}");
    let note = format!(
        "# The network that judges positions; see `Network`.\n\
         # Trained by `lab train` with {games} games, error {error:.5}.\n"
    );
    write_whole(&args.output, format!("{note}{network}").as_bytes())
        .with_context(|| format!("cannot write {}", args.output.display()))
}

/// A network in floating point; also its slopes.
struct Model {
    rows: Vec<Row>,
}

/// The index of the biases, after the inputs' weights of both views.
const BIASES: usize = 2 * Network::INPUTS;
/// The index of the outputs: for each phase both views.
const OUTPUTS: usize = BIASES + 2;
const ROWS: usize = OUTPUTS + 2 * Network::PHASES;

/// A network's values for a sample.
struct Pass {
    neurons: [Row; 2],
    log_odds: f32,
}

impl Model {
    const fn outputs(phase: usize, view: usize) -> usize {
        OUTPUTS + 2 * phase + view
    }

    fn zero() -> Self {
        Self { rows: vec![[0.0; HIDDEN]; ROWS] }
    }

    /// Both views start opposed, so that equal positions are even.
    fn random(rng: &mut Xoshiro256PlusPlus) -> Self {
        let mut model = Self::zero();
        let mut fill = |rows: std::ops::Range<usize>, least: f32, most: f32| {
            model.rows[rows].as_flattened_mut().iter_mut().for_each(|number| *number = rng.random_range(least..most));
        };
        fill(0..BIASES, -0.3, 0.3);
        fill(BIASES..OUTPUTS, 0.0, 0.8);
        fill(OUTPUTS..ROWS, -0.1, 0.1);
        for phase in 0..Network::PHASES {
            model.rows[Self::outputs(phase, 1)] = model.rows[Self::outputs(phase, 0)].map(|number| -number);
        }
        model
    }

    fn of(network: &Network) -> Self {
        let score = EvalTable::UNIT * Network::OUTPUT_UNIT as f32;
        let inputs = network.inputs.as_flattened().iter().map(|row| row.map(|number| f32::from(number) / 127.0));
        let biases = network.biases.iter().map(|row| row.map(|number| number as f32 * SCALE / 127.0));
        let outputs = network.outputs.as_flattened().iter();
        let outputs = outputs.map(|row| row.map(|number| f32::from(number) / score * 127.0 / SCALE));
        Self { rows: inputs.chain(biases).chain(outputs).collect() }
    }

    /// Rounds the weights; each neuron's largest weight becomes the largest possible.
    #[expect(clippy::cast_possible_truncation, reason = "floats saturate")]
    fn network(&self) -> Network {
        let mut network = Network::ZERO;
        let score = EvalTable::UNIT * Network::OUTPUT_UNIT as f32;
        for neuron in 0..HIDDEN {
            let largest = self.rows[..BIASES].iter().map(|row| row[neuron].abs()).fold(1e-6, f32::max);
            let factor = 127.0 / largest;
            for (whole, row) in network.inputs.as_flattened_mut().iter_mut().zip(&self.rows) {
                whole[neuron] = (row[neuron] * factor).round() as i8;
            }
            for (whole, row) in network.biases.iter_mut().zip(&self.rows[BIASES..]) {
                whole[neuron] = (row[neuron] * factor / SCALE).round() as i32;
            }
            for (whole, row) in network.outputs.as_flattened_mut().iter_mut().zip(&self.rows[OUTPUTS..]) {
                whole[neuron] = (row[neuron] * score * SCALE / factor).round().clamp(-32767.0, 32767.0) as i16;
            }
        }
        network
    }

    fn numbers(&self) -> impl Iterator<Item = f32> {
        self.rows.as_flattened().iter().copied()
    }

    fn numbers_mut(&mut self) -> impl Iterator<Item = &mut f32> {
        self.rows.as_flattened_mut().iter_mut()
    }

    fn pass(&self, sample: &Sample) -> Pass {
        let mut neurons = [self.rows[BIASES + usize::from(sample.due)]; 2];
        for (input, counts) in sample.counts.iter().enumerate() {
            for side in 0..2 {
                if counts[side] == 0 {
                    continue;
                }
                let count = f32::from(counts[side]) * SCALE;
                add(&mut neurons[side], &self.rows[2 * input], count);
                add(&mut neurons[1 - side], &self.rows[2 * input + 1], count);
            }
        }
        let (lower, share) = samples::place(sample.phase, Network::PHASES);
        let mut log_odds = 0.0;
        for (view, neurons) in neurons.iter_mut().enumerate() {
            let (low, high) = (&self.rows[Self::outputs(lower, view)], &self.rows[Self::outputs(lower + 1, view)]);
            for (neuron, (low, high)) in neurons.iter_mut().zip(low.iter().zip(high)) {
                *neuron = neuron.max(0.0);
                log_odds += *neuron * (low * (1.0 - share) + high * share);
            }
        }
        Pass { neurons, log_odds }
    }

    /// The mean cross-entropy.
    fn error(&self, samples: &[Sample], jobs: usize) -> f64 {
        let loss = |sample: &Sample| descent::loss(descent::probability(self.pass(sample).log_odds), sample.target);
        in_parts(samples, jobs, |part| part.iter().map(loss).sum::<f64>()).into_iter().sum::<f64>()
            / samples.len().max(1) as f64
    }

    /// The sum over samples of the error's derivatives.
    fn slopes(&self, batch: &[Sample], jobs: usize) -> Self {
        let slopes = in_parts(batch, jobs, |part| {
            let mut slopes = Self::zero();
            part.iter().for_each(|sample| self.add_slopes(sample, &mut slopes));
            slopes
        });
        let mut sum = Self::zero();
        for part in &slopes {
            sum.numbers_mut().zip(part.numbers()).for_each(|(sum, slope)| *sum += slope);
        }
        sum
    }

    fn add_slopes(&self, sample: &Sample, slopes: &mut Self) {
        let Pass { neurons, log_odds } = self.pass(sample);
        let error = descent::probability(log_odds) - sample.target;
        let (lower, share) = samples::place(sample.phase, Network::PHASES);
        let mut down = [[0.0; HIDDEN]; 2];
        for (view, (neurons, down)) in neurons.iter().zip(&mut down).enumerate() {
            let (low, high) = (Self::outputs(lower, view), Self::outputs(lower + 1, view));
            for (neuron, &value) in neurons.iter().enumerate().filter(|(_, value)| **value > 0.0) {
                slopes.rows[low][neuron] += error * value * (1.0 - share);
                slopes.rows[high][neuron] += error * value * share;
                down[neuron] = error * (self.rows[low][neuron] * (1.0 - share) + self.rows[high][neuron] * share);
            }
            add(&mut slopes.rows[BIASES + usize::from(sample.due)], down, 1.0);
        }
        for (input, counts) in sample.counts.iter().enumerate() {
            for side in 0..2 {
                if counts[side] == 0 {
                    continue;
                }
                let count = f32::from(counts[side]) * SCALE;
                add(&mut slopes.rows[2 * input], &down[side], count);
                add(&mut slopes.rows[2 * input + 1], &down[1 - side], count);
            }
        }
    }
}

/// Works on fixed parts of the samples, so that sums of the results do not depend on the number of threads.
fn in_parts<T: Send>(samples: &[Sample], jobs: usize, of: impl Fn(&[Sample]) -> T + Sync) -> Vec<T> {
    let parts: Vec<&[Sample]> = samples.chunks(PART).collect();
    let share = parts.len().div_ceil(jobs.max(1)).max(1);
    let of = |parts: &[&[Sample]]| parts.iter().map(|part| of(part)).collect::<Vec<_>>();
    let of = &of;
    std::thread::scope(|scope| {
        let threads: Vec<_> = parts.chunks(share).map(|parts| scope.spawn(move || of(parts))).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("a part does not panic")).collect()
    })
}

fn add(sums: &mut Row, row: &Row, factor: f32) {
    for (sum, number) in sums.iter_mut().zip(row) {
        *sum += number * factor;
    }
}
