use crate::{Board, Move, Position, TextError, Vertex};

/// Separators of squares, besides blanks, `x`, `->` and brackets around the arrow's square.
const SEPARATORS: &str = "-\u{2010}\u{2011}\u{2012}\u{2013}\u{2014}\u{2212}/,:*>~\u{2192}\u{d7}";

impl Board {
    /// Returns the name of a vertex: files a to z, then aa and so on, ranks from 1 at the bottom.
    ///
    /// A number that is not an id is written as `#` and the number.
    pub fn square(&self, vertex: Vertex) -> String {
        let mut name = String::new();
        self.push_square(&mut name, vertex);
        name
    }

    fn push_square(&self, text: &mut String, vertex: Vertex) {
        let (row, column) = (vertex / self.columns(), vertex % self.columns());
        match self.rows().checked_sub(row) {
            Some(rank) if rank > 0 => {
                push_file(text, column);
                text.push_str(&rank.to_string());
            }
            _ => {
                text.push('#');
                text.push_str(&vertex.to_string());
            }
        }
    }

    /// Returns the text of a move, `d1-d7/g7`.
    pub fn move_text(&self, mv: Move) -> String {
        let mut text = String::new();
        for (separator, vertex) in [("", mv.from), ("-", mv.to), ("/", mv.arrow)] {
            text.push_str(separator);
            self.push_square(&mut text, vertex);
        }
        text
    }

    /// Reads a square in upper or lower case. The error is the character at which the text stops being a square of this
    /// board.
    pub fn parse_square(&self, text: &str) -> Result<Vertex, TextError> {
        let mut scanner = Scanner::new(text);
        let vertex = scanner.square(self)?;
        scanner.end()?;
        Ok(vertex)
    }

    /// Reads a move in any usual notation: three squares of this board, one after the other or with a separator or
    /// blanks between them, the arrow's square possibly in brackets, or from engines `d1d7,d7g7`; a `Q` may stand in
    /// front. Legality is not checked. The error is the character at which the text stops being a move.
    pub fn parse_move(&self, text: &str) -> Result<Move, TextError> {
        let mut scanner = Scanner::new(text);
        scanner.skip_blanks();
        let start = scanner.at;
        let first = scanner.move_squares(self);
        if first.is_ok() || !matches!(scanner.characters.get(start), Some('Q' | 'q')) {
            return first;
        }
        scanner.at = start + 1;
        scanner.skip_blanks();
        let second = scanner.move_squares(self);
        second.or_else(|second| first.map_err(|first| if second.column > first.column { second } else { first }))
    }
}

impl Position {
    /// Reads a move as [`Board::parse_move`] does, or the short `Qd7,g7` and `Qdd7,g7` (the queen's file, its rank, or
    /// both in front) if only one legal move fits. The error is the character at which the text stops being a move, or
    /// the number of legal moves that fit.
    pub fn parse_move(&self, text: &str) -> Result<Move, TextError> {
        let board = self.board();
        board.parse_move(text).or_else(|error| {
            let short = text.trim().strip_prefix(['Q', 'q']).map(str::to_ascii_lowercase);
            let mut squares = short.iter().flat_map(|text| text.split(|letter: char| !letter.is_ascii_alphanumeric()));
            let mut next = || squares.by_ref().find(|square| !square.is_empty());
            let (Some(step), Some(arrow), None) = (next(), next(), next()) else { return Err(error) };
            let arrow = board.parse_square(arrow)?;
            let mut fitting: Vec<Move> = Vec::new();
            for &from in self.queens(self.side_to_move()) {
                let name = board.square(from);
                let (file, rank) = name.split_at(name.find(|letter: char| letter.is_ascii_digit()).unwrap_or(0));
                let targets = ["", file, rank, &name].into_iter().filter_map(|hint| step.strip_prefix(hint));
                let moves = targets.filter_map(|to| Some(Move { from, to: board.parse_square(to).ok()?, arrow }));
                fitting.extend(moves.filter(|&mv| self.is_legal(mv).is_ok()));
            }
            match fitting[..] {
                [mv] => Ok(mv),
                [] => Err(TextError::new(format!("no {} queen can make this move", self.side_to_move()))),
                [mv, ..] => Err(TextError::new(format!(
                    "{} moves fit: write where the queen comes from, {}",
                    fitting.len(),
                    board.move_text(mv)
                ))),
            }
        })
    }
}

/// Writes the letters of a column: bijective base 26, as in spreadsheets.
fn push_file(text: &mut String, column: u32) {
    if column >= 26 {
        push_file(text, column / 26 - 1);
    }
    text.push(char::from(b'a' + u8::try_from(column % 26).expect("a remainder of 26 fits")));
}

struct Scanner {
    characters: Vec<char>,
    at: usize,
}

impl Scanner {
    fn new(text: &str) -> Self {
        Self { characters: text.chars().collect(), at: 0 }
    }

    fn peek(&self) -> Option<char> {
        self.characters.get(self.at).copied()
    }

    fn error(&self, reason: &str) -> TextError {
        TextError::at(self.at + 1, reason)
    }

    fn found(&self) -> String {
        self.peek().map_or_else(|| "the end".to_owned(), |character| format!("{character:?}"))
    }

    fn skip_blanks(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.at += 1;
        }
    }

    /// Reads at least one digit. Numbers too large for any board may saturate.
    fn number(&mut self, base: u32, digit: impl Fn(char) -> Option<u32>) -> Result<u32, TextError> {
        let mut number = None;
        while let Some(digit) = self.peek().and_then(&digit) {
            number = Some(number.unwrap_or(0_u32).saturating_mul(base).saturating_add(digit));
            self.at += 1;
        }
        number.ok_or_else(|| self.error(&format!("expected a square such as d1, found {}", self.found())))
    }

    fn square(&mut self, board: &Board) -> Result<Vertex, TextError> {
        let start = self.at;
        // Letters are the digits of base 36 from ten on.
        let file = self.number(26, |character| character.to_digit(36)?.checked_sub(9).filter(|&digit| digit > 0))?;
        let rank = self.number(10, |character| character.to_digit(10))?;
        let on_board = (1..=board.columns()).contains(&file) && (1..=board.rows()).contains(&rank);
        let vertex = on_board.then(|| (board.rows() - rank) * board.columns() + file - 1);
        vertex.filter(|&vertex| board.is_vertex(vertex)).ok_or_else(|| {
            let square: String = self.characters[start..self.at].iter().collect();
            TextError::at(start + 1, format!("square {square} is not on the board"))
        })
    }

    /// Reads three squares, or four of which the second and third are the same.
    fn move_squares(&mut self, board: &Board) -> Result<Move, TextError> {
        let from = self.square(board)?;
        self.separator()?;
        let to = self.square(board)?;
        self.separator()?;
        let mut arrow = self.square(board)?;
        if arrow == to && self.peek().is_some_and(|next| next != ')') {
            self.separator()?;
            arrow = self.square(board)?;
        }
        self.skip_blanks();
        if self.characters.iter().take(self.at).any(|&character| character == '(') {
            if self.peek() != Some(')') {
                return Err(self.error(&format!("expected ')', found {}", self.found())));
            }
            self.at += 1;
            self.skip_blanks();
        }
        self.end()?;
        Ok(Move { from, to, arrow })
    }

    /// Skips blanks, at most one separator, and a bracket.
    fn separator(&mut self) -> Result<(), TextError> {
        let start = self.at;
        self.skip_blanks();
        let joins = |at: usize| self.characters.get(at).is_some_and(char::is_ascii_alphanumeric);
        let is_rank = |at: usize| self.characters.get(at).is_some_and(char::is_ascii_digit);
        match self.peek() {
            None => return Err(self.error("a square is missing: a move is three, such as d1-d7/g7")),
            Some('-') if self.characters.get(self.at + 1) == Some(&'>') => self.at += 2,
            Some(separator) if SEPARATORS.contains(separator) => self.at += 1,
            // An x before a rank, or after a blank before more letters, begins the next square.
            Some('x' | 'X') if !joins(self.at + 1) || self.at == start && !is_rank(self.at + 1) => self.at += 1,
            Some(other) if self.at == start && other != '(' && !other.is_ascii_alphabetic() => {
                return Err(self.error("expected '-', '/', ',', 'x' or a blank between squares"));
            }
            Some(_) => {}
        }
        self.skip_blanks();
        self.at += usize::from(self.peek() == Some('('));
        self.skip_blanks();
        Ok(())
    }

    fn end(&self) -> Result<(), TextError> {
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(self.error(&format!("unexpected {} after the move", self.found()))),
        }
    }
}
