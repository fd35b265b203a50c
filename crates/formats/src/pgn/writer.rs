use std::fmt::Write as _;

use amazons_rules::{Color, Position};

use crate::{BoardName, Ending, Game, GameOutcome, Mark, PlayedMove, seconds};

const WIDTH: usize = 80;

pub(crate) fn write(game: &Game) -> String {
    let mut out = String::new();
    tags(&mut out, game);
    out.push('\n');
    let mut lines = Lines { out, column: 0 };
    if let Some(text) = &game.comment {
        lines.comment(text);
    }
    let start = game.start();
    let (mut color, mut number) = (start.side_to_move(), start.move_number());
    let mut needs_number = true;
    for played in game.moves() {
        if color == Color::White || needs_number {
            lines.word(&format!("{number}.{}", if color == Color::White { "" } else { ".." }));
        }
        lines.word(&game.board().move_text(played.mv));
        if let Some(mark) = played.note.as_ref().and_then(|note| note.mark) {
            // The numeric annotation glyphs of the PGN standard.
            lines.word(match mark {
                Mark::Dubious => "$6",
                Mark::Mistake => "$2",
                Mark::Blunder => "$4",
            });
        }
        let told = told(played);
        needs_number = color == Color::White && !told.is_empty();
        if !told.is_empty() {
            lines.comment(&told);
        }
        // As in position text, a full move ends with Black's.
        number = number.wrapping_add(u32::from(color == Color::Black));
        color = color.opposite();
    }
    lines.word(result(game));
    lines.out.push('\n');
    lines.out
}

fn tags(out: &mut String, game: &Game) {
    let details = &game.details;
    let unknown = "?".to_owned();
    let or_unknown = |value: &Option<String>| value.clone().unwrap_or_else(|| unknown.clone());
    tag(out, "Event", &or_unknown(&details.event));
    tag(out, "Site", &or_unknown(&details.site));
    tag(out, "Date", &details.date.as_deref().map_or_else(|| "????.??.??".to_owned(), |date| date.replace('-', ".")));
    tag(out, "Round", &or_unknown(&details.round));
    tag(out, "White", &or_unknown(&details.white));
    tag(out, "Black", &or_unknown(&details.black));
    tag(out, "Result", result(game));
    board_tags(out, game.start());
    let ending = game.outcome.as_ref().and_then(|outcome| outcome.ending);
    let optional = [
        ("Termination", ending.map(|ending| ending.name().to_owned())),
        ("Detail", game.outcome.as_ref().and_then(|outcome| outcome.detail.clone())),
        ("TimeControl", details.time_control.clone()),
        ("Annotator", details.annotator.clone()),
        ("Program", details.program.clone()),
        ("PlyCount", Some(game.moves().len().to_string())),
    ];
    for (name, value) in optional {
        if let Some(value) = value {
            tag(out, name, &value);
        }
    }
}

fn board_tags(out: &mut String, start: &Position) {
    let position = start.to_string();
    if position == Position::STANDARD {
        tag(out, "Board", "standard");
    } else if let Some(name) = BoardName::of(start.board()) {
        tag(out, "Board", &name.to_string());
    }
    tag(out, "SetUp", "1");
    tag(out, "FEN", &position);
}

/// Writes a tag pair; characters that PGN forbids there, such as line ends, become blanks.
fn tag(out: &mut String, name: &str, value: &str) {
    let _ = write!(out, "[{name} \"");
    for character in value.chars() {
        match character {
            '"' | '\\' => out.extend(['\\', character]),
            control if control.is_control() => out.push(' '),
            other => out.push(other),
        }
    }
    out.push_str("\"]\n");
}

fn result(game: &Game) -> &'static str {
    match &game.outcome {
        Some(GameOutcome { winner: Some(Color::White), .. }) => "1-0",
        Some(GameOutcome { winner: Some(Color::Black), .. }) => "0-1",
        None | Some(GameOutcome { winner: None, ending: Some(Ending::Void), .. }) => "*",
        Some(GameOutcome { winner: None, .. }) => "1/2-1/2",
    }
}

/// Writes a move's annotations, numbers first.
fn told(played: &PlayedMove) -> String {
    let mut words = Vec::new();
    words.extend(played.time.map(|time| format!("[%emt {}]", seconds::write_clock(time))));
    words.extend(played.left.map(|left| format!("[%clk {}]", seconds::write_clock(left))));
    words.extend(played.value.map(|value| format!("[%value {value}]")));
    // A comment must not be read as one of our commands; those of others are kept.
    let escaped = |text: String, name: &&str| text.replace(&format!("[%{name}"), &format!("[ %{name}"));
    words.extend(played.remarks().map(|remarks| ["emt", "clk", "value"].iter().fold(remarks, escaped)));
    words.join(" ")
}

/// Lines filled to the maximum length.
struct Lines {
    out: String,
    column: usize,
}

impl Lines {
    fn word(&mut self, word: &str) {
        let width = word.chars().count();
        if self.column > 0 && self.column + 1 + width > WIDTH {
            self.out.push('\n');
            self.column = 0;
        }
        if self.column > 0 {
            self.out.push(' ');
            self.column += 1;
        }
        self.out.push_str(word);
        self.column += width;
    }

    /// Writes a comment without the brace that would end it and without control characters.
    fn comment(&mut self, text: &str) {
        let text = format!("{{{}}}", text.replace('}', ")").replace(char::is_control, " "));
        text.split_whitespace().for_each(|word| self.word(word));
    }
}
