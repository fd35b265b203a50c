use crate::Dialect;

/// A line from the engine, as far as the client needs it.
#[derive(Clone, Debug, PartialEq)]
pub enum EngineMessage {
    /// Its name.
    Name(String),
    /// One of its options.
    Option(String),
    /// The engine has identified itself: `aepok` with its version, `uciok` with 0.
    Ok(u32),
    /// It is ready.
    Ready,
    /// The engine's estimate of its chance of winning, 0 to 1, if the line has one.
    Info(Option<f64>),
    /// Its move; `None` if it has none.
    BestMove(Option<String>),
    /// An error.
    Error(String),
    /// Anything else; the client may ignore it.
    Other,
}

impl EngineMessage {
    /// Reads a line; unknown ones become [`EngineMessage::Other`].
    pub fn parse(line: &str) -> Self {
        let mut words = line.split_whitespace();
        let first = words.next().unwrap_or_default();
        let rest: Vec<&str> = words.collect();
        match (first, &rest[..]) {
            ("id", ["name", name @ ..]) => Self::Name(name.join(" ")),
            ("option", ["name", option @ ..]) => {
                let end = option.iter().position(|&word| word == "type").unwrap_or(option.len());
                Self::Option(option.split_at(end).0.join(" "))
            }
            ("aepok", [version, ..]) => version.parse().map_or(Self::Other, Self::Ok),
            ("uciok", _) => Self::Ok(0),
            ("readyok", _) => Self::Ready,
            ("info", words) if after(words, "multipv").is_some_and(|number| number != "1") => Self::Other,
            ("info", words) => Self::Info(value(words)),
            ("bestmove", [] | ["none" | "(none)" | "0000", ..]) => Self::BestMove(None),
            ("bestmove", words) => {
                // UCI puts the expected answer after the move.
                let end = words.iter().position(|&word| word == "ponder").unwrap_or(words.len());
                Self::BestMove(Some(words.split_at(end).0.join(" ")))
            }
            ("error", words) => Self::Error(words.join(" ")),
            _ => Self::Other,
        }
    }
}

/// Returns what an `info` line tells about the search: `depth 9, 1234 nodes, d1d7,d7g7 ...`; `None` if nothing.
pub fn info_text(line: &str) -> Option<String> {
    let words: Vec<&str> = line.split_whitespace().take_while(|&word| word != "string").collect();
    let number = |name| after(&words, name).filter(|number| number.bytes().all(|byte| byte.is_ascii_digit()));
    let depth = number("depth").map(|depth| format!("depth {depth}"));
    let nodes = number("nodes").map(|nodes| format!("{nodes} nodes"));
    let at = words.iter().position(|&word| word == "pv");
    let moves = at.and_then(|at| words.get(at + 1..)).map(|moves| moves.join(" ")).filter(|moves| !moves.is_empty());
    let told: Vec<String> = [depth, nodes, moves].into_iter().flatten().collect();
    // A line about one move of many tells less than the one before.
    Some(told.join(", ")).filter(|text| !text.is_empty() && !words.contains(&"currmove"))
}

/// Returns the word after another one.
fn after<'a>(words: &[&'a str], name: &str) -> Option<&'a str> {
    words.get(words.iter().position(|&word| word == name)? + 1).copied()
}

/// Finds `value X`, a chance of winning, or UCI's `score cp X` and `score mate X`.
fn value(words: &[&str]) -> Option<f64> {
    // The rest is free text.
    let end = words.iter().position(|&word| word == "string").unwrap_or(words.len());
    let words = words.split_at(end).0;
    let after = |name: &str| words.iter().position(|&word| word == name).and_then(|at| words.get(at + 1..));
    if let Some([number, ..]) = after("value") {
        return number.parse().ok().filter(|value| (0.0..=1.0).contains(value));
    }
    match after("score")? {
        ["cp", number, ..] => number.parse().ok().map(chance),
        ["mate", number, ..] => number.parse().ok().map(|moves: i64| if moves > 0 { 1.0 } else { 0.0 }),
        _ => None,
    }
}

impl Dialect {
    /// Returns the words of an `info` line for a chance to win, 0 to 1, as [`EngineMessage::parse`] reads them. There are
    /// no draws, so UCI's score is never 0; it is a mate where the chance leaves no doubt.
    pub fn value_words(self, chance: f64) -> String {
        let doubt = (1.0 - chance).min(chance);
        match self {
            Self::Aep => format!("value {chance:.4}"),
            Self::Uci if doubt <= 0.0 => format!("score mate {}", if chance > 0.5 { 1 } else { -1 }),
            Self::Uci => {
                let centipawns = (400.0 * (chance / (1.0 - chance)).log10()).round();
                format!("score cp {}", if centipawns == 0.0 { 1.0 } else { centipawns })
            }
        }
    }
}

/// Converts centipawns to a chance of winning, by Elo's curve with the usual 400.
fn chance(centipawns: i32) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-f64::from(centipawns) / 400.0))
}
