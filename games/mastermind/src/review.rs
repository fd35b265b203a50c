use crate::history::History;
use crate::scorer::Scorer;
use crate::strategy::Strategy;

/// The worth of a guess of a finished game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Worth {
    /// The codes that could be the secret before the guess.
    pub before: u64,
    /// Those that its answer left.
    pub after: u64,
    /// How many its answers left on average over the codes before.
    pub expected: f64,
    /// How many the best guess leaves on average.
    pub best: f64,
    pub best_guess: u32,
}

impl Worth {
    /// Returns how good the guess was: 1 for the best.
    pub fn skill(&self) -> f64 {
        self.best / self.expected
    }

    /// Returns how lucky its answer was: how many times fewer codes it left than on average, in powers of two.
    pub fn luck(&self) -> f64 {
        (self.expected / self.after.max(1) as f64).log2()
    }
}

/// Judges every guess of a game, as far as its answers fit a code.
pub fn review(history: &History) -> Vec<Worth> {
    let game = history.game();
    let scorer = Scorer::new(game, Strategy::Expected);
    let mut candidates = scorer.candidates((0..game.codes()).collect());
    let (mut guesses, mut worths) = (Vec::new(), Vec::new());
    // The best guess and what it leaves, as long as no code drops out.
    let mut best = None;
    for turn in history.turns() {
        let before = candidates.indices.len() as u64;
        let Some(&first) = candidates.indices.first() else { break };
        // The sum of squares over the parts: of all codes that may be the secret, how many each leaves.
        let mean = |guess| {
            let parts = scorer.split(&candidates, guess);
            parts.iter().map(|(_, part)| (part.len() as f64).powi(2)).sum::<f64>() / before as f64
        };
        let (best_guess, best_mean) = *best.get_or_insert_with(|| {
            let representatives = scorer.representatives(&guesses, &candidates);
            let guess = scorer.best(&candidates, &representatives).map_or(first, |choice| choice.index);
            (guess, mean(game.code(guess)))
        });
        let left = scorer.keep(&candidates, *turn);
        let after = left.indices.len() as u64;
        worths.push(Worth { before, after, expected: mean(turn.guess), best: best_mean, best_guess });
        guesses.push(turn.guess);
        if after < before {
            (candidates, best) = (left, None);
        }
    }
    worths
}
