use amazons_rules::{Color, Nearer, Position, Territory};
use serde::Serialize;

use crate::analysis::text::{share, speed};
use crate::analysis::{Annotation, Candidate, Certain, Judgement, Mark, Review};
use crate::referee::PlayerNumber;

/// A line of `server analyze --json`.
#[derive(Debug, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum AnalysisLine {
    /// The evaluation of a position.
    Position(Box<PositionLine>),
    /// A move of a game.
    Ply(PlyLine),
    /// A summary of a game.
    Summary(SummaryLine),
}

/// See [`AnalysisLine::Position`].
#[derive(Debug, Serialize)]
pub struct PositionLine {
    position: String,
    color: String,
    win: f32,
    proven: Option<Proven>,
    lines: Vec<CandidateLine>,
    territory: TerritoryLine,
    nodes: u64,
    depth: u32,
    seconds: f64,
    nodes_per_second: f64,
}

#[derive(Debug, Serialize)]
struct Proven {
    winner: String,
    moves: Option<u32>,
}

#[derive(Debug, Serialize)]
struct CandidateLine {
    moves: Vec<String>,
    win: f32,
    proven: Option<Proven>,
    visits: u64,
    share: f64,
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

/// See [`AnalysisLine::Ply`].
#[derive(Debug, Serialize)]
pub struct PlyLine {
    ply: u32,
    player: PlayerNumber,
    color: String,
    #[serde(rename = "move")]
    played: String,
    win: f32,
    proven: Option<Proven>,
    best: String,
    loss: f32,
    mark: Option<String>,
    win_thrown_away: bool,
    nodes: u64,
    depth: u32,
    seconds: f64,
}

/// See [`AnalysisLine::Summary`].
#[derive(Debug, Serialize)]
pub struct SummaryLine {
    position: String,
    color: String,
    win: f32,
    proven: Option<Proven>,
    sides: Vec<SideLine>,
}

#[derive(Debug, Serialize)]
struct SideLine {
    player: PlayerNumber,
    color: String,
    moves: u32,
    mean_loss: Option<f64>,
    dubious: u32,
    mistakes: u32,
    blunders: u32,
}

impl AnalysisLine {
    /// Describes the evaluation of a position.
    pub fn position(position: &Position, judgement: &Judgement) -> Self {
        let seconds = judgement.time.as_secs_f64();
        let candidate = |candidate: &Candidate| CandidateLine {
            moves: candidate.moves.iter().map(|&mv| position.board().move_text(mv)).collect(),
            win: candidate.win,
            proven: candidate.certain.map(proven),
            visits: candidate.visits,
            share: share(candidate, judgement),
        };
        Self::Position(Box::new(PositionLine {
            position: position.to_string(),
            color: position.side_to_move().to_string(),
            win: judgement.win,
            proven: judgement.certain.map(proven),
            lines: judgement.candidates.iter().map(candidate).collect(),
            territory: territory(position),
            nodes: judgement.nodes,
            depth: judgement.depth,
            seconds,
            nodes_per_second: speed(judgement.nodes, seconds),
        }))
    }

    /// Describes a move of a game; `position` is the one before it.
    pub fn ply(annotation: &Annotation, player: PlayerNumber, position: &Position) -> Self {
        let Annotation { ply, color, played, before, better, loss, win_thrown_away } = annotation;
        Self::Ply(PlyLine {
            ply: *ply,
            player,
            color: color.to_string(),
            played: position.board().move_text(*played),
            win: before.win,
            proven: before.certain.map(proven),
            best: position.board().move_text(better.unwrap_or(*played)),
            loss: *loss,
            mark: annotation.mark().map(|mark| mark.to_string()),
            win_thrown_away: *win_thrown_away,
            nodes: before.nodes,
            depth: before.depth,
            seconds: before.time.as_secs_f64(),
        })
    }

    /// Summarizes a game; `players` are Black and White.
    pub fn summary(review: &Review, players: [PlayerNumber; 2]) -> Self {
        let side = |(player, color): (PlayerNumber, Color)| {
            let tally = &review.tallies[color.index()];
            SideLine {
                player,
                color: color.to_string(),
                moves: tally.moves,
                mean_loss: tally.mean_loss(),
                dubious: tally.count(Mark::Dubious),
                mistakes: tally.count(Mark::Mistake),
                blunders: tally.count(Mark::Blunder),
            }
        };
        Self::Summary(SummaryLine {
            position: review.position.to_string(),
            color: review.position.side_to_move().to_string(),
            win: review.last.win,
            proven: review.last.certain.map(proven),
            sides: players.into_iter().zip(Color::ALL).map(side).collect(),
        })
    }
}

fn proven(certain: Certain) -> Proven {
    Proven { winner: certain.winner.to_string(), moves: certain.moves }
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
