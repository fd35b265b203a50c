use std::time::Duration;

/// The words after `go`: how long to think, and about which moves; every field is optional.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// The time for this move.
    pub movetime: Option<Duration>,
    /// The time left for White and for Black.
    pub left: [Option<Duration>; 2],
    /// The increment of White and of Black per move.
    pub increment: [Option<Duration>; 2],
    /// The number of moves until the clocks gain time, from 1.
    pub movestogo: Option<u32>,
    /// Moves of the longest line.
    pub depth: Option<u32>,
    /// Nodes of the search.
    pub nodes: Option<u64>,
    /// Whether to think until `stop`.
    pub infinite: bool,
    /// Whether to think until `stop`, or until `ponderhit` starts the time.
    pub ponder: bool,
    /// The moves to choose from, as typed; all if empty.
    pub searchmoves: Vec<String>,
}

impl Go {
    /// Writes the words for the times.
    pub fn words(&self) -> String {
        let [white, black] = self.left;
        let [white_gain, black_gain] = self.increment;
        let fields = [
            ("movetime", self.movetime),
            ("wtime", white),
            ("btime", black),
            ("winc", white_gain),
            ("binc", black_gain),
        ];
        let words = fields.iter().filter_map(|(word, time)| Some(format!(" {word} {}", (*time)?.as_millis())));
        words.collect()
    }
}
