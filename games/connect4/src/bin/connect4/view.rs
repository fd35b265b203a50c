use std::io::{IsTerminal, stdout};
use std::{env, fmt::Write as _};

use amazons_mpi::Launch;
use connect4::{Ending, Position, Side, letter};

#[derive(Clone, Copy, Debug)]
pub(crate) struct View {
    has_colors: bool,
}

impl View {
    /// Colours on a terminal, unless `NO_COLOR` is set; plain letters elsewhere, and under a launcher, whose terminal is
    /// not a person's.
    pub(crate) fn of_stdout() -> Self {
        let is_set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
        let is_dumb = env::var_os("TERM").is_some_and(|term| term == "dumb");
        Self { has_colors: stdout().is_terminal() && Launch::from_env().is_none() && !is_set("NO_COLOR") && !is_dumb }
    }

    /// Draws a board: X moves first, (X) is the last stone, [X] belongs to a four in a row.
    pub(crate) fn board(self, position: &Position, last: Option<u32>) -> String {
        let size = position.size();
        let fours = if matches!(position.ending(), Some(Ending::Win(_))) { position.fours() } else { Vec::new() };
        let top = |column| (0..size.height()).rev().find(|&row| position.stone(column, row).is_some());
        let last = last.and_then(|column| Some((column, top(column)?)));
        let mut text = String::from(" ");
        for column in 0..size.width() {
            let _ = write!(text, " {} ", size.column_name(column));
        }
        text.push('\n');
        for row in (0..size.height()).rev() {
            text.push('|');
            for column in 0..size.width() {
                let cell = (column, row);
                let (left, right) = if fours.contains(&cell) {
                    ('[', ']')
                } else if last == Some(cell) {
                    ('(', ')')
                } else {
                    (' ', ' ')
                };
                let stone = self.stone(position.stone(column, row));
                let _ = write!(text, "{left}{stone}{right}");
            }
            text.push_str("|\n");
        }
        text
    }

    fn stone(self, stone: Option<Side>) -> String {
        let Some(side) = stone else { return ".".to_owned() };
        let (letter, color) = (letter(side), if side == Side::First { 31 } else { 33 });
        if self.has_colors { format!("\x1b[1;{color}m{letter}\x1b[0m") } else { letter.to_string() }
    }
}

/// Returns how an ending is called on pages.
pub(crate) const fn ending_word(ending: Ending) -> &'static str {
    match ending {
        Ending::Win(Side::First) => "first",
        Ending::Win(Side::Second) => "second",
        Ending::Draw => "draw",
    }
}
