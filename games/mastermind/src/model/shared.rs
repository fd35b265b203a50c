/// How the guesses of a game fall on ranks that share them: chunks dealt in turn, the same in every round. A rank pays
/// for each of its guesses once per candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SharedLoad {
    /// The guesses of the rank that has most.
    pub busiest: u64,
    /// The guesses of all.
    pub guesses: u64,
}

impl SharedLoad {
    pub fn speed_up(self) -> f64 {
        self.guesses as f64 / self.busiest as f64
    }
}

/// Returns the load of a round in which every one of these guesses is scored.
pub fn shared(guesses: u64, ranks: u64, chunk: u64) -> SharedLoad {
    // Rank 0 has the first chunk of each turn, so no rank has more; the last chunk may be short.
    let (turns, rest) = (guesses / (chunk * ranks), guesses % (chunk * ranks));
    SharedLoad { busiest: turns * chunk + rest.min(chunk), guesses }
}
