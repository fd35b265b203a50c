use amazons_rules::{Move, Position, TextError, Vertex};

/// The commands that a person may type instead of a move, with their descriptions.
pub(super) const COMMANDS: [(&str, &str); 7] = [
    ("moves", "moves d1: where the queen on d1 can go, and how many arrows it can shoot from there"),
    ("hint", "what the engine would play, after a second"),
    ("undo", "takes back your last move and the answer to it"),
    ("board", "draws the board"),
    ("resign", "the other player wins"),
    ("quit", "leaves the game, which the other player then wins"),
    ("help", "this list"),
];

/// A line that a person typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HumanCommand {
    /// A move, possibly illegal.
    Move(Move),
    /// List the moves of the queen on a square, or the number of each queen's moves.
    Moves(Option<Vertex>),
    /// Show a good move.
    Hint,
    /// Take back a move of each side.
    Undo,
    /// Show the board.
    Board,
    Resign,
    Quit,
    /// List the commands.
    Help,
    Nothing,
}

impl HumanCommand {
    /// Reads a line; anything that is not a command must be a move.
    pub fn parse(position: &Position, line: &str) -> Result<Self, TextError> {
        let lower = line.trim().to_ascii_lowercase();
        Ok(match lower.as_str() {
            "" => Self::Nothing,
            "moves" => Self::Moves(None),
            "hint" => Self::Hint,
            "undo" => Self::Undo,
            "board" => Self::Board,
            "resign" => Self::Resign,
            "quit" | "exit" => Self::Quit,
            "help" | "?" => Self::Help,
            text => match text.strip_prefix("moves ") {
                Some(square) => Self::Moves(Some(position.board().parse_square(square.trim())?)),
                None => Self::Move(position.parse_move(line.trim_end())?),
            },
        })
    }
}
