use std::fmt;
use std::sync::Arc;

use crate::{Board, Color, Position, TextError, Vertex};

impl Position {
    /// The start of standard Amazons as text: ten columns and rows, four queens a side, White to move from below.
    pub const STANDARD: &str = "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w - - 0 1";

    /// Returns the start of standard Amazons.
    pub fn standard() -> Self {
        Self::parse(Self::STANDARD).expect("a position")
    }

    /// Reads a position text onto the full rectangle of its ranks; every `*` is an arrow.
    ///
    /// The format is Fairy-Stockfish's: ranks from the top, `q` and `Q` for the queens of Black and White, `*` for an
    /// arrow or a hole, numbers for runs of free squares; then the side to move, two dashes, two counters. Everything
    /// after the side is optional. The first counter is ignored: every move in Amazons is irreversible; so are arrows
    /// in hand in square brackets after the ranks. The error says what is wrong, and where.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        let parsed = Parsed::new(text)?;
        let size = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
        let board = Board::rectangle(size(parsed.columns()), size(parsed.ranks.len())).map_err(TextError::new)?;
        parsed.on(Arc::new(board))
    }

    /// Reads a position text onto a board; the board's holes must be marked with `*`. The error says what is wrong, and
    /// where.
    pub fn parse_on(board: Arc<Board>, text: &str) -> Result<Self, TextError> {
        Parsed::new(text)?.on(board)
    }
}

impl fmt::Display for Position {
    /// Writes the position text; [`Position::parse_on`] reads it back, with queens in the order of the text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut queens: Vec<(Vertex, Color)> =
            Color::ALL.into_iter().flat_map(|color| self.queens(color).iter().map(move |&at| (at, color))).collect();
        queens.sort_unstable();
        let mut queens = queens.into_iter().peekable();
        let (columns, rows) = (self.board().columns(), self.board().rows());
        for row in 0..rows {
            let mut free = 0;
            for vertex in row * columns..(row + 1) * columns {
                if self.is_free(vertex) {
                    free += 1;
                    continue;
                }
                write_run(f, &mut free)?;
                let queen = queens.next_if(|&(at, _)| at == vertex);
                f.write_str(match queen {
                    Some((_, Color::Black)) => "q",
                    Some((_, Color::White)) => "Q",
                    None => "*",
                })?;
            }
            write_run(f, &mut free)?;
            if row + 1 < rows {
                f.write_str("/")?;
            }
        }
        let side = match self.side_to_move() {
            Color::Black => 'b',
            Color::White => 'w',
        };
        write!(f, " {side} - - 0 {}", self.move_number())
    }
}

fn write_run(f: &mut fmt::Formatter<'_>, free: &mut u32) -> fmt::Result {
    if *free > 0 {
        write!(f, "{free}")?;
    }
    *free = 0;
    Ok(())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Square {
    Free,
    Arrow,
    Queen(Color),
}

/// A position text before it is applied to a board.
struct Parsed {
    /// From the top.
    ranks: Vec<Vec<Square>>,
    side_to_move: Color,
    move_number: u32,
}

impl Parsed {
    fn new(text: &str) -> Result<Self, TextError> {
        let is_blank = |character: char| character.is_whitespace() || character == '\u{feff}';
        let leading = text.chars().take_while(|&character| is_blank(character)).count();
        let mut fields = text.split(is_blank).filter(|field| !field.is_empty());
        let board = fields.next().unwrap_or_default();
        let ranks = parse_ranks(without_pocket(board), leading + 1)?;
        let side_to_move = match fields.next().unwrap_or_default() {
            "b" | "B" => Color::Black,
            "w" | "W" => Color::White,
            found => return Err(field_error("side to move", found, "w or b")),
        };
        for field in ["castling field", "en passant field"] {
            match fields.next() {
                None | Some("-") => {}
                Some(found) => return Err(field_error(field, found, "a dash")),
            }
        }
        let mut counter = |field| match fields.next() {
            None => Ok(1),
            Some(found) => found.parse::<u32>().map_err(|_| field_error(field, found, "a number")),
        };
        counter("half-move counter")?;
        let move_number = counter("move number")?;
        if let Some(found) = fields.next() {
            return Err(field_error("end", found, "nothing more"));
        }
        Ok(Self { ranks, side_to_move, move_number })
    }

    fn columns(&self) -> usize {
        self.ranks.first().map_or(0, Vec::len)
    }

    fn on(self, board: Arc<Board>) -> Result<Position, TextError> {
        let (columns, rows) = (board.columns() as usize, board.rows() as usize);
        if self.ranks.len() != rows {
            return Err(TextError::new(format!("there are {} ranks, expected {rows}", self.ranks.len())));
        }
        let uneven = self.ranks.iter().enumerate().find(|(_, rank)| rank.len() != columns);
        if let Some((row, rank)) = uneven {
            let (number, found) = (rows - row, rank.len());
            return Err(TextError::new(format!("rank {number} has {found} squares, expected {columns}")));
        }
        let mut queens: [Vec<Vertex>; 2] = Default::default();
        let mut arrows = Vec::new();
        for (vertex, &square) in (0..).zip(self.ranks.iter().flatten()) {
            match square {
                Square::Arrow if board.is_vertex(vertex) => arrows.push(vertex),
                Square::Arrow => {}
                _ if !board.is_vertex(vertex) => {
                    return Err(TextError::new(match board.vertex_ids() {
                        1 => "a board of one square has no moves: expected two squares or more".to_owned(),
                        _ => format!("square {} is a hole of the board: mark it with *", board.square(vertex)),
                    }));
                }
                Square::Free => {}
                Square::Queen(color) => queens[color.index()].push(vertex),
            }
        }
        let mut position = Position::new(board, queens, &arrows, self.side_to_move).map_err(TextError::new)?;
        position.set_move_number(self.move_number);
        Ok(position)
    }
}

/// Removes the arrows in hand, `[PPPpp]`, that variant engines may write after the ranks.
fn without_pocket(board: &str) -> &str {
    let pocket = board.strip_suffix(']').and_then(|board| board.split_once('['));
    pocket
        .filter(|(_, pocket)| pocket.chars().all(|piece| matches!(piece, 'P' | 'p')))
        .map_or(board, |(ranks, _)| ranks)
}

fn field_error(field: &str, found: &str, expected: &str) -> TextError {
    TextError::new(format!("{field}: found {found:?}, expected {expected}"))
}

fn parse_ranks(text: &str, first_column: usize) -> Result<Vec<Vec<Square>>, TextError> {
    let mut ranks = vec![Vec::new()];
    let mut characters = (first_column..).zip(text.chars()).peekable();
    let max = Board::MAX_SIZE as usize;
    while let Some((column, character)) = characters.next() {
        let rank_count = ranks.len();
        let rank = match ranks.last_mut() {
            Some(rank) if character != '/' && rank.len() < max => rank,
            _ if character == '/' && rank_count < max => {
                ranks.push(Vec::new());
                continue;
            }
            _ => return Err(TextError::at(column, format!("a board has at most {max} ranks of {max} squares"))),
        };
        match character {
            'q' => rank.push(Square::Queen(Color::Black)),
            'Q' => rank.push(Square::Queen(Color::White)),
            '*' => rank.push(Square::Arrow),
            _ => {
                let unexpected = || format!("unexpected {character:?}: ranks hold q, Q, * and numbers of free squares");
                let digit = character.to_digit(10).ok_or_else(|| TextError::at(column, unexpected()))?;
                let mut run = digit as usize;
                while let Some(digit) = characters.peek().and_then(|&(_, next)| next.to_digit(10)) {
                    run = run.saturating_mul(10).saturating_add(digit as usize);
                    characters.next();
                }
                if character == '0' || run.saturating_add(rank.len()) > max {
                    return Err(TextError::at(
                        column,
                        format!("a run of free squares is 1 to {max}, without a 0 in front"),
                    ));
                }
                rank.resize(rank.len() + run, Square::Free);
            }
        }
    }
    Ok(ranks)
}
