use amazons_formats::{Variation, color};
use amazons_rules::{Color, Nearer, Position, Territory};
use serde::Serialize;

use crate::analysis::annotate::lines;
use crate::analysis::text::speed;
use crate::analysis::{Judgement, OwnershipLine};

/// The line of JSON for a position.
#[derive(Debug, Serialize)]
#[serde(tag = "event", rename = "position")]
pub struct PositionLine {
    /// The evaluation.
    #[serde(flatten)]
    pub evaluation: Evaluation,
    territory: TerritoryLine,
}

/// The evaluation of a position.
#[derive(Debug, Serialize)]
pub struct Evaluation {
    position: String,
    color: String,
    win: f32,
    #[serde(with = "color")]
    proven: Option<Color>,
    lines: Vec<Variation>,
    nodes: u64,
    depth: u32,
    seconds: f64,
    nodes_per_second: f64,
    /// How likely each vertex is to become either side's territory, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ownership: Option<OwnershipLine>,
}

#[derive(Debug, Serialize)]
struct TerritoryLine {
    black: usize,
    white: usize,
    equal: usize,
    nobody: usize,
    /// Ranks from the top.
    map: Vec<String>,
}

impl PositionLine {
    /// Describes a position and its evaluation.
    pub fn new(position: &Position, judgement: &Judgement) -> Self {
        Self { evaluation: Evaluation::new(position, judgement), territory: territory(position) }
    }
}

impl Evaluation {
    /// Describes the evaluation of a position.
    pub fn new(position: &Position, judgement: &Judgement) -> Self {
        let seconds = judgement.time.as_secs_f64();
        Self {
            position: position.to_string(),
            color: position.side_to_move().to_string(),
            win: judgement.win,
            proven: judgement.certain.map(|certain| certain.winner),
            lines: lines(position, &judgement.candidates),
            nodes: judgement.nodes,
            depth: judgement.depth,
            seconds,
            nodes_per_second: speed(judgement.nodes, seconds),
            ownership: None,
        }
    }
}

fn territory(position: &Position) -> TerritoryLine {
    let territory = Territory::new(position);
    let board = position.board();
    let mark = |vertex| match position.queen_at(vertex) {
        Some(Color::Black) => 'B',
        Some(Color::White) => 'W',
        None if position.is_free(vertex) => territory.mark(vertex),
        None if board.is_vertex(vertex) => 'x',
        None => ' ',
    };
    let columns = board.columns();
    TerritoryLine {
        black: territory.count(Nearer::Color(Color::Black)),
        white: territory.count(Nearer::Color(Color::White)),
        equal: territory.count(Nearer::Both),
        nobody: territory.count(Nearer::Nobody),
        map: (0..board.rows()).map(|row| (row * columns..(row + 1) * columns).map(mark).collect()).collect(),
    }
}
