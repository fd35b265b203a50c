//! Results and endings in the words of other programs.

use amazons_rules::Color;

use crate::{Ending, Game, GameOutcome};

/// The result of a game in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Told {
    /// Nothing, or that it is not known.
    Nothing,
    Result {
        winner: Option<Color>,
        reason: String,
    },
    Unknown,
}

/// Reads a result: `1-0`, `B+R`, `[white wins by time]`; the side that moves first on most servers, White, is `1`.
pub(crate) fn result(text: &str) -> Told {
    let dashes = ['\u{2010}', '\u{2011}', '\u{2012}', '\u{2013}', '\u{2014}', '\u{2212}'];
    let text = text.trim().to_lowercase().replace(dashes, "-").replace('\u{bd}', "1/2");
    let compact: String = text.split_whitespace().collect();
    let decided = |winner, reason: &str| Told::Result { winner: Some(winner), reason: reason.trim().to_owned() };
    match compact.as_str() {
        "" | "?" | "*" | "unknown" => return Told::Nothing,
        "1-0" => return decided(Color::White, ""),
        "0-1" => return decided(Color::Black, ""),
        "0" | "1/2" | "1/2-1/2" | "draw" | "drawn" => return Told::Result { winner: None, reason: String::new() },
        "void" => return Told::Result { winner: None, reason: text },
        _ => {}
    }
    let (first, rest) = text.split_at(text.find(|letter: char| !letter.is_alphabetic()).unwrap_or(text.len()));
    let color = match first {
        "b" | "black" => Color::Black,
        "w" | "white" => Color::White,
        _ => return Told::Unknown,
    };
    let rest = rest.trim_start();
    let (verb, reason) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    match verb {
        "" | "win" | "wins" | "won" => decided(color, reason),
        "lose" | "loses" | "lost" => decided(color.opposite(), reason),
        "resigns" | "resigned" => decided(color.opposite(), "resign"),
        // After the plus there may be the number of moves that are left.
        _ => match rest.strip_prefix('+') {
            Some(reason) if reason.trim().parse::<f32>().is_ok() => decided(color, ""),
            Some(reason) => decided(color, reason),
            None => Told::Unknown,
        },
    }
}

/// Reads why a game ended; what is not known here is returned as it is.
pub(crate) fn reason(text: &str) -> (Option<Ending>, Option<String>) {
    let kept = text.trim();
    let lower = kept.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    let ending = match lower.as_str() {
        "" | "normal" | "unterminated" | "unknown" => return (None, None),
        "t" => Some(Ending::Timeout),
        "r" => Some(Ending::Resign),
        "f" => return (None, Some("forfeit".to_owned())),
        name => name.parse().ok().or_else(|| Ending::ALL.into_iter().find(|ending| ending.to_string() == name)),
    };
    let ending = match ending {
        None if has(&["resign"]) => Some(Ending::Resign),
        None if has(&["time"]) => Some(Ending::Timeout),
        None if has(&["illegal", "rules infraction"]) => Some(Ending::IllegalMove),
        told => told,
    };
    (ending, ending.is_none().then(|| kept.to_owned()))
}

/// Returns the outcome of a result and its reason, in the file's own words.
pub(crate) fn outcome(winner: Option<Color>, why: &str, detail: Option<String>) -> GameOutcome {
    let (ending, unknown) = reason(why);
    let parts: Vec<String> = unknown.into_iter().chain(detail).collect();
    GameOutcome { winner, ending, detail: (!parts.is_empty()).then(|| parts.join(": ")) }
}

/// Keeps what cannot be said in another way as a comment of the game.
pub(crate) fn remark(game: &mut Game, text: &str) {
    game.comment = Some(game.comment.take().map_or_else(|| text.to_owned(), |before| format!("{before}\n{text}")));
}
