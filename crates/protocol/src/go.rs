use std::time::Duration;

use crate::CommandError;
use crate::error::unexpected;

/// Maximum time: a week, as on the command line.
const TIME_MAX: Duration = Duration::from_secs(7 * 24 * 3600);

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
    pub(crate) fn parse(rest: &[&str]) -> Result<Self, CommandError> {
        const EXPECTED: &str =
            "movetime, wtime, btime, winc, binc, movestogo, depth, nodes, infinite, ponder or searchmoves";
        let mut go = Self::default();
        let mut words = rest.iter().peekable();
        while let Some(&word) = words.next() {
            let mut value = |expected| words.next().copied().ok_or(CommandError::Missing { command: "go", expected });
            match word {
                "movetime" => go.movetime = Some(millis(value(MILLIS)?)?),
                "wtime" => go.left[0] = Some(millis(value(MILLIS)?)?),
                "btime" => go.left[1] = Some(millis(value(MILLIS)?)?),
                "winc" => go.increment[0] = Some(millis(value(MILLIS)?)?),
                "binc" => go.increment[1] = Some(millis(value(MILLIS)?)?),
                "movestogo" => go.movestogo = u32::try_from(number(value(NUMBER)?)?).ok().filter(|&moves| moves > 0),
                // 0 is no limit.
                "depth" => {
                    let depth = number(value(NUMBER)?)?;
                    go.depth = Some(u32::try_from(depth).unwrap_or(u32::MAX)).filter(|&depth| depth > 0);
                }
                "nodes" => go.nodes = Some(number(value(NUMBER)?)?).filter(|&nodes| nodes > 0),
                // A shortest win is not looked for.
                "mate" => drop(number(value(NUMBER)?)?),
                "infinite" => go.infinite = true,
                "ponder" => go.ponder = true,
                "searchmoves" => {
                    while let Some(mv) = words.next_if(|word| !WORDS.contains(word)) {
                        go.searchmoves.push((*mv).to_owned());
                    }
                }
                other => return Err(unexpected("go", EXPECTED, other)),
            }
        }
        Ok(go)
    }

    /// Writes the words for the times.
    #[must_use]
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

const MILLIS: &str = "milliseconds";
const NUMBER: &str = "a whole number";

/// The words that end a list of moves.
const WORDS: [&str; 11] =
    ["movetime", "wtime", "btime", "winc", "binc", "movestogo", "depth", "nodes", "mate", "infinite", "ponder"];

/// Reads milliseconds; GUIs send negative numbers for a clock that has run out.
fn millis(text: &str) -> Result<Duration, CommandError> {
    let number: i64 = text.parse().map_err(|_| unexpected("go", MILLIS, text))?;
    Ok(Duration::from_millis(number.max(0).unsigned_abs()).min(TIME_MAX))
}

fn number(text: &str) -> Result<u64, CommandError> {
    text.parse().map_err(|_| unexpected("go", NUMBER, text))
}
