use crate::{Board, Move, TextError, Vertex};

impl Board {
    /// Returns the name of a vertex: files a to z, then aa and so on, ranks from 1 at the bottom.
    ///
    /// A number that is not an id is written as `#` and the number.
    #[must_use]
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
    #[must_use]
    pub fn move_text(&self, mv: Move) -> String {
        let mut text = String::new();
        for (separator, vertex) in [("", mv.from), ("-", mv.to), ("/", mv.arrow)] {
            text.push_str(separator);
            self.push_square(&mut text, vertex);
        }
        text
    }

    /// Reads a square in upper or lower case.
    ///
    /// # Errors
    /// The character at which the text stops being a square of this board.
    pub fn parse_square(&self, text: &str) -> Result<Vertex, TextError> {
        let mut scanner = Scanner::new(text);
        let vertex = scanner.square(self)?;
        scanner.end()?;
        Ok(vertex)
    }

    /// Reads a move: three squares of this board, separated by `-`, `/`, `,`, `x` or blanks. Legality is not checked.
    ///
    /// # Errors
    /// The character at which the text stops being a move.
    pub fn parse_move(&self, text: &str) -> Result<Move, TextError> {
        let mut scanner = Scanner::new(text);
        scanner.skip_blanks();
        let from = scanner.square(self)?;
        scanner.separator()?;
        let to = scanner.square(self)?;
        scanner.separator()?;
        let arrow = scanner.square(self)?;
        scanner.skip_blanks();
        scanner.end()?;
        Ok(Move { from, to, arrow })
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

    /// Skips blanks and at most one separator.
    fn separator(&mut self) -> Result<(), TextError> {
        let start = self.at;
        self.skip_blanks();
        let joins = |at: usize| self.characters.get(at).is_some_and(char::is_ascii_alphanumeric);
        match self.peek() {
            Some('-' | '/' | ',') => self.at += 1,
            // After a blank, an x before more letters or digits begins the next square.
            Some('x' | 'X') if self.at == start || !joins(self.at + 1) => self.at += 1,
            _ if self.at == start => {
                return Err(self.error("expected '-', '/', ',', 'x' or a blank between squares"));
            }
            _ => {}
        }
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
