use std::sync::Arc;

use amazons_rules::{Board, Color, Move, Position, Shape, Vertex};

use super::points::{self, Grid};
use super::tree::{Node, Property, Value, main_line};
use crate::read_error::{Complaint, complain};
use crate::told::{self, Told};
use crate::{Ending, Game, GameOutcome, PlayedMove, seconds};

/// The number of Amazons in SGF's list of games.
const GAME: &str = "18";
/// The application named by our writer.
const OURS: &str = "amazons:";
const DEFAULT_SIZE: u32 = 10;
const SET_UP: [&str; 4] = ["AB", "AW", "AE", "AA"];
/// The format's default start: Black below, moving first.
const DEFAULT_START: &str = "3Q2Q3/10/10/Q8Q/10/10/q8q/10/10/3q2q3 b";

/// Maximum length in bytes, more than any commented game on 52 x 52 takes.
const BYTES_MAX: usize = 8 << 20;

pub(super) fn read(text: &str) -> Result<Game, Complaint> {
    if text.len() > BYTES_MAX {
        return Err(complain(0, format!("a game may have at most {} MiB", BYTES_MAX >> 20)));
    }
    let nodes = main_line(text)?;
    let (root, rest) = nodes.split_first().ok_or_else(|| complain(0, "there is no game"))?;
    if let Some(game) = root.get("GM").filter(|value| value.text.trim() != GAME) {
        return Err(game.complain("this is another game: Amazons is GM[18]"));
    }
    let first = nodes.iter().find_map(|node| node.moves().next());
    let start = start(root, first)?;
    let grid = Grid { columns: start.board().columns(), rows: start.board().rows() };
    let mut game = Game::new(start).map_err(|error| complain(0, error))?;
    details(&mut game, root);
    game.comment = root.get("C").map(|value| value.text.clone());
    // A move in the root is bad style, but accepted.
    let mut resigned = play(&mut game, root, grid, None)?;
    let last = rest.iter().rposition(|node| node.moves().next().is_some());
    for (at, node) in rest.iter().enumerate() {
        // Some programs write a queen's move without an arrow, where the game ended between them.
        let half = node.moves().next().filter(|_| Some(at) == last).map(|(_, value)| value.text.trim());
        if let Some(half) = half.filter(|half| grid.vertices::<2>(half).is_some()) {
            let ply = game.moves().len() + 1;
            told::remark(&mut game, &format!("The game ends within move {ply}: {half}"));
            break;
        }
        if let Some(late) = SET_UP.into_iter().find_map(|name| node.get(name)) {
            return Err(late.complain("stones are set up before the first move only, in the root"));
        }
        resigned = play(&mut game, node, grid, resigned)?;
    }
    let result = root.get("RE");
    let mut told = result.map(|value| outcome(&mut game, value, root)).transpose()?.flatten();
    if let Some(color) = resigned {
        let outcome =
            told.get_or_insert_with(|| GameOutcome { winner: Some(color.opposite()), ..GameOutcome::default() });
        outcome.ending = outcome.ending.or(Some(Ending::Resign));
    }
    if let Some(outcome) = told {
        game.end(outcome).map_err(|error| complain(result.map_or(0, |value| value.offset), error))?;
    }
    Ok(game)
}

impl Node {
    /// Returns the moves of the node: one in a valid game.
    fn moves(&self) -> impl Iterator<Item = (Color, &Value)> {
        let color = |property: &Property| match property.name.as_str() {
            "B" => Some(Color::Black),
            "W" => Some(Color::White),
            _ => None,
        };
        self.properties.iter().filter_map(move |property| Some((color(property)?, property.values.first()?)))
    }
}

fn start(root: &Node, first: Option<(Color, &Value)>) -> Result<Position, Complaint> {
    let board = Arc::new(board(root)?);
    let is_set_up = SET_UP.into_iter().any(|name| root.get(name).is_some());
    let position = if is_set_up {
        set_up(root, &board)?
    } else {
        let no_default = |_| complain(size_offset(root), "no queens are set up: only 10x10 has a default");
        let default = Position::parse_on(board, DEFAULT_START).map_err(no_default)?;
        let grid = Grid { columns: default.board().columns(), rows: default.board().rows() };
        let mover = first.and_then(|(color, value)| Some((color, read_move(&default, grid, value).ok()?)));
        // Many programs, including Little Golem, put White below.
        let is_turned = mover.is_some_and(|(color, mv)| default.queen_at(mv.from) == Some(color.opposite()));
        if is_turned { Position::standard() } else { default }
    };
    let told = root.get("PL").map(|value| match value.text.trim().to_ascii_lowercase().as_str() {
        "b" | "black" | "1" => Ok(Color::Black),
        "w" | "white" | "2" => Ok(Color::White),
        _ => Err(value.complain("PL is B or W")),
    });
    let side = told.transpose()?.or(first.map(|(color, _)| color)).unwrap_or(Color::Black);
    let number = root
        .get("XN")
        .map(|value| value.text.trim().parse().map_err(|_| value.complain("XN is the number of a move")))
        .transpose()?;
    Ok(with_turn(&position, side, number.unwrap_or(1)))
}

/// Returns the position with another side to move and another move number.
fn with_turn(position: &Position, side: Color, number: u32) -> Position {
    let text = position.to_string();
    let ranks = text.split(' ').next().unwrap_or_default();
    let letter = if side == Color::Black { 'b' } else { 'w' };
    let turned = format!("{ranks} {letter} - - 0 {number}");
    Position::parse_on(Arc::clone(position.board()), &turned).unwrap_or_else(|_| position.clone())
}

fn size_offset(root: &Node) -> usize {
    root.get("SZ").map_or(0, |value| value.offset)
}

fn board(root: &Node) -> Result<Board, Complaint> {
    let (columns, rows) = match root.get("SZ") {
        None => (DEFAULT_SIZE, DEFAULT_SIZE),
        Some(value) => {
            let (columns, rows) = value.text.split_once(':').unwrap_or((&value.text, &value.text));
            let side = |text: &str| text.trim().parse().ok().filter(|side| (1..=points::MAX).contains(side));
            let reason = format!("SZ is a size or two with a colon between, from 1 to {}", points::MAX);
            side(columns).zip(side(rows)).ok_or_else(|| value.complain(reason))?
        }
    };
    let built = match root.get("XS") {
        None => Board::rectangle(columns, rows),
        Some(value) => {
            let shape = Shape::ALL.into_iter().find(|shape| shape.name() == value.text.trim());
            let shape = shape.ok_or_else(|| value.complain("XS is donut, clover or figure-eight"))?;
            if columns != rows {
                return Err(value.complain("a board with a shape has as many columns as rows"));
            }
            Board::new(shape, columns)
        }
    };
    built.map_err(|error| complain(size_offset(root), error))
}

/// Puts the stones of the root onto an empty board, without the arrows that only mark holes.
fn set_up(root: &Node, board: &Arc<Board>) -> Result<Position, Complaint> {
    let grid = Grid { columns: board.columns(), rows: board.rows() };
    let mut is_taken = vec![false; board.vertex_ids()];
    let mut stones: [Vec<Vertex>; 4] = Default::default();
    for (list, name) in stones.iter_mut().zip(SET_UP) {
        for value in root.values(name) {
            let no_point = || value.complain(format!("{name}: '{}' is not a point of this board", shown(&value.text)));
            for vertex in grid.rectangle(value.text.trim()).ok_or_else(no_point)? {
                // Each point can be set up once, so long lists of large rectangles end here.
                match is_taken.get_mut(vertex as usize) {
                    Some(taken) if !*taken => *taken = true,
                    _ => return Err(value.complain("this point was already set up")),
                }
                let is_hole = !board.is_vertex(vertex);
                match name {
                    "AE" => {}
                    "AA" if is_hole => {}
                    _ if is_hole => return Err(value.complain("a queen cannot stand in a hole")),
                    _ => list.push(vertex),
                }
            }
        }
    }
    let [black, white, _, arrows] = stones;
    Position::new(Arc::clone(board), [black, white], &arrows, Color::Black).map_err(|error| complain(0, error))
}

/// Returns the beginning of a possibly long text.
fn shown(text: &str) -> String {
    text.chars().take(20).collect()
}

/// Reads a move: three points, or squares as in other texts.
fn read_move(position: &Position, grid: Grid, value: &Value) -> Result<Move, String> {
    match grid.vertices(value.text.trim()) {
        Some([from, to, arrow]) => Ok(Move { from, to, arrow }),
        None if value.text.contains(|letter: char| letter.is_ascii_digit()) => {
            position.parse_move(&value.text).map_err(|error| format!("'{}': {error}", shown(&value.text)))
        }
        None => Err(format!("'{}' is not three points of this board", shown(&value.text))),
    }
}

/// Plays the moves of a node, and returns the color that has resigned.
fn play(game: &mut Game, node: &Node, grid: Grid, mut resigned: Option<Color>) -> Result<Option<Color>, Complaint> {
    for (color, value) in node.moves() {
        let ply = game.moves().len() + 1;
        if resigned.is_some() {
            return Err(value.complain(format!("move {ply}: a player has already resigned")));
        }
        match value.text.trim().to_ascii_lowercase().as_str() {
            "resign" | "resigns" | "resigned" => {
                resigned = Some(color);
                continue;
            }
            // A blocked player can write nothing else.
            "" | "pass" if game.position().has_moves() => {
                return Err(value.complain(format!("move {ply}: a player cannot pass in Amazons")));
            }
            "" | "pass" => continue,
            _ => {}
        }
        let side = game.position().side_to_move();
        if color != side {
            return Err(value.complain(format!("move {ply}: it is {side}'s turn")));
        }
        let mv = read_move(game.position(), grid, value)
            .map_err(|reason| value.complain(format!("move {ply}: {reason}")))?;
        game.push(played(node, color, mv)).map_err(|error| value.complain(error))?;
    }
    Ok(resigned)
}

fn played(node: &Node, color: Color, mv: Move) -> PlayedMove {
    let time = |name: &str| node.get(name).and_then(|value| seconds::read(&value.text));
    let value = node.get("V").and_then(|value| value.text.trim().parse::<f32>().ok());
    let value = value.filter(|value| (-1.0..=1.0).contains(value));
    PlayedMove {
        mv,
        comment: node.get("C").map(|value| value.text.clone()),
        time: time("XT"),
        left: time(if color == Color::Black { "BL" } else { "WL" }),
        value: value.map(|value| if color == Color::Black { value } else { -value }),
        note: None,
    }
}

fn details(game: &mut Game, root: &Node) {
    let line = |value: &Value| value.text.replace('\n', " ");
    let get = |name: &str| root.get(name).map(line);
    let details = &mut game.details;
    details.black = get("PB");
    details.white = get("PW");
    details.event = get("EV");
    details.site = get("PC");
    details.date = get("DT");
    details.round = get("RO");
    details.annotator = get("AN");
    let program = get("AP").filter(|program| !program.starts_with(OURS));
    details.program = get("SO").or(program);
    details.time_control = get("OT").or_else(|| get("TM"));
    // This server names who moves first `PB`, although its moves are White's.
    let is_little_golem = |text: &String| text.to_lowercase().replace(' ', "").contains("littlegolem");
    if [&details.program, &details.event, &details.site].into_iter().flatten().any(is_little_golem) {
        std::mem::swap(&mut details.black, &mut details.white);
    }
}

fn outcome(game: &mut Game, value: &Value, root: &Node) -> Result<Option<GameOutcome>, Complaint> {
    let detail = root.get("GC").map(|value| value.text.clone());
    let exact = root.get("XE").map(|value| value.text.trim().parse::<Ending>().map_err(|error| value.complain(error)));
    let exact = exact.transpose()?;
    match told::result(&value.text) {
        Told::Nothing => Ok(None),
        Told::Result { winner, .. } if exact.is_some() => Ok(Some(GameOutcome { winner, ending: exact, detail })),
        Told::Result { winner, reason } => Ok(Some(told::outcome(winner, &reason, detail))),
        Told::Unknown => {
            told::remark(game, &format!("Result: {}", value.text.trim()));
            Ok(None)
        }
    }
}
