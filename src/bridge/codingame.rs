use amazons_rules::{Color, Move, Position, Vertex};

/// Rows and columns of CodinGame's only board.
const SIZE: u32 = 8;

/// Returns whether the board is one of CodinGame's, which begin with random stones.
pub fn is_its_board(position: &Position) -> bool {
    [position.board().columns(), position.board().rows()] == [SIZE; 2]
}

/// Returns the lines of a turn; `last` is the opponent's move, and `begins` the side that moved first, CodinGame's white.
pub(super) fn turn(position: &Position, last: Option<Move>, begins: Color) -> String {
    let letter = |color: Color| if color == begins { 'w' } else { 'b' };
    let cell = |vertex: Vertex| match position.queen_at(vertex) {
        Some(color) => letter(color),
        None if position.is_free(vertex) => '.',
        None => '-',
    };
    let mut text = format!("{}\n", letter(position.side_to_move()));
    for row in 0..SIZE {
        text.extend((row * SIZE..(row + 1) * SIZE).map(cell).chain(['\n']));
    }
    let last = last.map_or_else(|| "null".to_owned(), |mv| action(position, mv));
    text + &format!("{last}\n{}", position.perft(1))
}

/// Returns the text of a move, `d8d1d7`.
fn action(position: &Position, mv: Move) -> String {
    [mv.from, mv.to, mv.arrow].map(|vertex| position.board().square(vertex)).concat()
}

/// Reads an answer, `d8d1d7` or `d8d1d7 msg TEXT`; returns the text, too.
pub(super) fn read<'a>(position: &Position, answer: &'a str) -> Option<(Move, &'a str)> {
    let (first, rest) = answer.trim_end().split_once(' ').unwrap_or((answer.trim_end(), "msg"));
    let message = rest.strip_prefix("msg")?;
    let mv = position.board().parse_move(first).ok().filter(|&mv| action(position, mv) == first)?;
    Some((mv, message.trim())).filter(|_| message.is_empty() || message.starts_with(' '))
}
