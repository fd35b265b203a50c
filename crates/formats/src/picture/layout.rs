use amazons_rules::{Color, Move, Nearer, Position, Territory, Vertex};

use super::glyphs::width;
use super::shapes::{Ink, Shape};
use crate::{Game, Shading};

/// The side of a square.
pub(crate) const CELL: f32 = 100.0;
/// The margin for letters and numbers on each side of the board.
const MARGIN: f32 = 60.0;
/// The heights of a player's bar and of what stands below, on a board of ten columns.
const BAR: f32 = 76.0;
const CAPTION: f32 = 124.0;
/// How far the path of an arrow that flies back is from that of its queen.
const LANE: f32 = 12.0;
/// The height of the labels.
pub(crate) const LABEL_HEIGHT: f32 = 30.0;

/// Shapes in the order in which they are drawn.
#[derive(Clone, Debug)]
pub(crate) struct Picture {
    pub(crate) width: f32,
    pub(crate) height: f32,
    /// Where the board begins, below the bar of a player.
    top: f32,
    /// The scale of words; 0 without any.
    unit: f32,
    pub(crate) shapes: Vec<(Ink, Shape)>,
}

impl Picture {
    /// Lays a moment of a game out: squares, territory, labels, the last move, arrows, queens, and around the board who
    /// plays and how it ended, if that is known. Holes are left out.
    pub(crate) fn new(game: &Game, ply: usize, position: &Position, last: Option<Move>, shading: Shading) -> Self {
        let has_words = game.outcome.is_some() || Color::ALL.iter().any(|&color| game.name(color).is_some());
        let mut picture = Self::empty(position, has_words);
        picture.ground(position, shading, last);
        picture.labels(position);
        for arrow in position.arrows() {
            picture.arrow(arrow, position);
        }
        if let Some(last) = last {
            picture.way(last, position);
        }
        for color in Color::ALL {
            for &queen in position.queens(color) {
                picture.queen(color, picture.center(position, queen), 1.0);
            }
        }
        if has_words {
            picture.words(game, ply, position, shading);
        }
        picture
    }

    /// Lays out the last position of a game.
    pub(crate) fn last(game: &Game, shading: Shading) -> Self {
        Self::new(game, game.moves().len(), game.position(), game.moves().last().map(|played| played.mv), shading)
    }

    fn empty(position: &Position, has_words: bool) -> Self {
        let side = |count: u32| CELL * count as f32 + 2.0 * MARGIN;
        let (width, board) = (side(position.board().columns()), side(position.board().rows()));
        // Words are as large on every board, measured by the picture.
        let unit = if has_words { width / 1120.0 } else { 0.0 };
        let top = (BAR * unit).round();
        let height = board + 2.0 * top + (CAPTION * unit).round();
        Self { width, height, top, unit, shapes: vec![(Ink::Page, Shape::Rectangle([0.0, 0.0, width, height]))] }
    }

    /// Writes a bar for each player, White's above the board, and what the moment is below it.
    fn words(&mut self, game: &Game, ply: usize, position: &Position, shading: Shading) {
        let (unit, left) = (self.unit, MARGIN);
        let territory = (shading == Shading::Territory).then(|| Territory::new(position));
        let below = self.height - (BAR + CAPTION) * unit;
        for (color, y) in [(Color::White, BAR * 0.62 * unit), (Color::Black, below + BAR * 0.38 * unit)] {
            self.queen(color, [left + 22.0 * unit, y], 0.52 * unit);
            let own = territory.as_ref().map(|known| known.count(Nearer::Color(color)));
            let own = own.map_or_else(String::new, |count| format!(", {count} nearer"));
            self.text([left + 62.0 * unit, y], 34.0, &format!("{}{own}", game.name_or_color(color)));
        }
        let [first, second] = game.caption(ply);
        self.text([left, below + (BAR + 34.0) * unit], 38.0, &first);
        self.text([left, below + (BAR + 88.0) * unit], 28.0, &second);
    }

    /// Writes a line of that height, or of a little less to fit, cut off where the picture ends.
    fn text(&mut self, [x, y]: [f32; 2], height: f32, text: &str) {
        let room = self.width - MARGIN / 2.0 - x;
        let fitting = 0.99 * room / width(text, 1.0).max(1.0);
        let height = fitting.clamp(0.7 * height * self.unit, height * self.unit);
        let mut kept = text.to_owned();
        if width(&kept, height) > room {
            while width(&kept, height) + width("..", height) > room && kept.pop().is_some() {}
            kept.push_str("..");
        }
        self.shapes.push((Ink::Text, Shape::Text([x, y], height, kept)));
    }

    fn ground(&mut self, position: &Position, shading: Shading, last: Option<Move>) {
        let territory = match shading {
            Shading::None => None,
            Shading::Territory => Some(Territory::new(position)),
        };
        let columns = position.board().columns();
        let is_light = |vertex: Vertex| (vertex / columns + vertex % columns).is_multiple_of(2);
        let nearer = |vertex: Vertex| territory.as_ref().and_then(|known| *known.vertices.get(vertex as usize)?);
        self.squares(position, Ink::Light, is_light);
        self.squares(position, Ink::Dark, |vertex| !is_light(vertex));
        // Neighbours of one side join to areas.
        for (color, ink) in [(Color::Black, Ink::BlackLand), (Color::White, Ink::WhiteLand)] {
            self.squares(position, ink, |vertex| nearer(vertex) == Some(Nearer::Color(color)));
        }
        self.squares(position, Ink::Tint, |vertex| last.is_some_and(|mv| [mv.from, mv.to].contains(&vertex)));
    }

    /// Fills the squares of some vertices.
    fn squares(&mut self, position: &Position, ink: Ink, is_wanted: impl Fn(Vertex) -> bool) {
        for vertex in position.board().vertices().filter(|&vertex| is_wanted(vertex)) {
            let [x, y] = self.center(position, vertex);
            self.shapes.push((ink, Shape::Rectangle([x - CELL / 2.0, y - CELL / 2.0, CELL, CELL])));
        }
    }

    /// Writes files below and above, ranks at both sides.
    fn labels(&mut self, position: &Position) {
        let board = position.board();
        let mut label = |point, text: &str| self.shapes.push((Ink::Label, Shape::Word(point, text.to_owned())));
        let bottom = self.top + CELL * board.rows() as f32 + MARGIN * 1.5;
        for column in 0..board.columns() {
            let square = board.square(column);
            let file = square.trim_end_matches(|letter: char| letter.is_ascii_digit());
            let x = MARGIN + CELL * (column as f32 + 0.5);
            label([x, self.top + MARGIN / 2.0], file);
            label([x, bottom], file);
        }
        for row in 0..board.rows() {
            let rank = (board.rows() - row).to_string();
            let y = self.top + MARGIN + CELL * (row as f32 + 0.5);
            label([MARGIN / 2.0, y], &rank);
            label([MARGIN * 1.5 + CELL * board.columns() as f32, y], &rank);
        }
    }

    fn arrow(&mut self, vertex: Vertex, position: &Position) {
        let [x, y] = self.center(position, vertex);
        self.shapes.push((Ink::Arrow, Shape::Rectangle([x - 38.0, y - 38.0, 76.0, 76.0])));
        for slope in [1.0, -1.0] {
            let ends = vec![[x - 20.0, y - 20.0 * slope], [x + 20.0, y + 20.0 * slope]];
            self.shapes.push((Ink::ArrowCross, Shape::Line(ends, 9.0)));
        }
    }

    /// Draws the path of a queen and that of its arrow. An arrow that flies back over it has a lane beside it.
    fn way(&mut self, mv: Move, position: &Position) {
        let [from, to, arrow] = [mv.from, mv.to, mv.arrow].map(|vertex| self.center(position, vertex));
        let way = |[x, y]: [f32; 2], [to_x, to_y]: [f32; 2]| [to_x - x, to_y - y].map(|step| step.clamp(-1.0, 1.0));
        let ([right, down], [left, up]) = (way(from, to), way(to, arrow));
        let lane = if [right, down] == [-left, -up] { LANE } else { 0.0 };
        let beside = |[x, y]: [f32; 2], side: f32| [x - side * down, y + side * right];
        let mut line = |points: Vec<[f32; 2]>, width| self.shapes.push((Ink::Way, Shape::Line(points, width)));
        line([from, to].map(|point| beside(point, -lane)).to_vec(), 9.0);
        line([to, arrow].map(|point| beside(point, lane)).to_vec(), 5.0);
        let edge = [[-44.0, -44.0], [44.0, -44.0], [44.0, 44.0], [-44.0, 44.0], [-44.0, -44.0]];
        line(edge.map(|[x, y]| [arrow[0] + x, arrow[1] + y]).to_vec(), 7.0);
    }

    fn queen(&mut self, color: Color, [x, y]: [f32; 2], scale: f32) {
        let place =
            |points: &[[f32; 2]], by: f32| points.iter().map(|[dx, dy]| [x + dx * by, y + dy * by]).collect::<Vec<_>>();
        let (stand, crown) = match color {
            Color::Black => (Ink::BlackQueen, Ink::BlackCrown),
            Color::White => (Ink::WhiteQueen, Ink::WhiteCrown),
        };
        for (ink, disc, diamond) in [(crown, 42.0, 48.0), (stand, 39.0, 44.0)] {
            self.shapes.push(match color {
                Color::Black => (ink, Shape::Disc([x, y, disc * scale])),
                Color::White => (ink, Shape::Polygon(place(&DIAMOND, diamond * scale))),
            });
        }
        self.shapes.push((crown, Shape::Polygon(place(&CROWN, scale))));
    }

    /// Returns the middle of a square.
    fn center(&self, position: &Position, vertex: Vertex) -> [f32; 2] {
        let columns = position.board().columns();
        let middle = |at: u32| MARGIN + CELL * (at as f32 + 0.5);
        [middle(vertex % columns), self.top + middle(vertex / columns)]
    }
}

const DIAMOND: [[f32; 2]; 4] = [[0.0, -1.0], [1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]];

const CROWN: [[f32; 2]; 7] =
    [[-16.0, 14.0], [-20.0, -12.0], [-8.0, 1.0], [0.0, -18.0], [8.0, 1.0], [20.0, -12.0], [16.0, 14.0]];
