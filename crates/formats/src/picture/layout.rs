use amazons_rules::{Color, Move, Nearer, Position, Territory, Vertex};

use super::shapes::{Ink, Shape};
use crate::{Game, Shading};

/// The side of a square.
pub(crate) const CELL: f32 = 100.0;
/// The margin for letters and numbers on each side of the board.
const MARGIN: f32 = 60.0;
/// The rim of a square that stays visible around its shading.
const LAND_INSET: f32 = 9.0;
/// The height of the labels.
pub(crate) const LABEL_HEIGHT: f32 = 30.0;

/// Shapes in the order in which they are drawn.
#[derive(Clone, Debug)]
pub(crate) struct Picture {
    pub(crate) width: f32,
    pub(crate) height: f32,
    pub(crate) shapes: Vec<(Ink, Shape)>,
}

impl Picture {
    /// Lays a position out: squares, territory, labels, arrows, the path of the last move, queens. Holes are left out.
    pub(crate) fn new(position: &Position, last: Option<Move>, shading: Shading) -> Self {
        let mut picture = Self::empty(position);
        picture.ground(position, shading);
        picture.labels(position);
        for arrow in position.arrows() {
            picture.arrow(arrow, position);
        }
        if let Some(last) = last {
            picture.way(last, position);
        }
        for color in Color::ALL {
            for &queen in position.queens(color) {
                picture.queen(color, center(position, queen));
            }
        }
        picture
    }

    /// Lays out the last position of a game.
    pub(crate) fn last(game: &Game, shading: Shading) -> Self {
        Self::new(game.position(), game.moves().last().map(|played| played.mv), shading)
    }

    fn empty(position: &Position) -> Self {
        let side = |count: u32| CELL * count as f32 + 2.0 * MARGIN;
        let (width, height) = (side(position.board().columns()), side(position.board().rows()));
        Self { width, height, shapes: vec![(Ink::Page, Shape::Rectangle([0.0, 0.0, width, height]))] }
    }

    fn ground(&mut self, position: &Position, shading: Shading) {
        let territory = match shading {
            Shading::None => None,
            Shading::Territory => Some(Territory::new(position)),
        };
        let columns = position.board().columns();
        let is_light = |vertex: Vertex| (vertex / columns + vertex % columns).is_multiple_of(2);
        let nearer = |vertex: Vertex| territory.as_ref().and_then(|known| *known.vertices.get(vertex as usize)?);
        self.squares(position, Ink::Light, 0.0, is_light);
        self.squares(position, Ink::Dark, 0.0, |vertex| !is_light(vertex));
        for (color, ink) in [(Color::Black, Ink::BlackLand), (Color::White, Ink::WhiteLand)] {
            self.squares(position, ink, LAND_INSET, |vertex| nearer(vertex) == Some(Nearer::Color(color)));
        }
    }

    /// Fills the squares of some vertices except a rim.
    fn squares(&mut self, position: &Position, ink: Ink, rim: f32, is_wanted: impl Fn(Vertex) -> bool) {
        let (half, side) = (CELL / 2.0 - rim, CELL - 2.0 * rim);
        for vertex in position.board().vertices().filter(|&vertex| is_wanted(vertex)) {
            let [x, y] = center(position, vertex);
            self.shapes.push((ink, Shape::Rectangle([x - half, y - half, side, side])));
        }
    }

    /// Writes files below and above, ranks at both sides.
    fn labels(&mut self, position: &Position) {
        let board = position.board();
        let mut label = |point, text: &str| self.shapes.push((Ink::Label, Shape::Word(point, text.to_owned())));
        for column in 0..board.columns() {
            let square = board.square(column);
            let file = square.trim_end_matches(|letter: char| letter.is_ascii_digit());
            let [x, _] = center(position, column);
            label([x, MARGIN / 2.0], file);
            label([x, MARGIN * 1.5 + CELL * board.rows() as f32], file);
        }
        for row in 0..board.rows() {
            let rank = (board.rows() - row).to_string();
            let [_, y] = center(position, row * board.columns());
            label([MARGIN / 2.0, y], &rank);
            label([MARGIN * 1.5 + CELL * board.columns() as f32, y], &rank);
        }
    }

    fn arrow(&mut self, vertex: Vertex, position: &Position) {
        let [x, y] = center(position, vertex);
        self.shapes.push((Ink::Arrow, Shape::Rectangle([x - 38.0, y - 38.0, 76.0, 76.0])));
        for slope in [1.0, -1.0] {
            let ends = vec![[x - 20.0, y - 20.0 * slope], [x + 20.0, y + 20.0 * slope]];
            self.shapes.push((Ink::ArrowCross, Shape::Line(ends, 9.0)));
        }
    }

    /// Draws a ring where the queen stood, its path, and that of its arrow.
    fn way(&mut self, mv: Move, position: &Position) {
        let [from, to, arrow] = [mv.from, mv.to, mv.arrow].map(|vertex| center(position, vertex));
        let ring = (0..=24).map(|step| {
            let (sin, cos) = (step as f32 * std::f32::consts::TAU / 24.0).sin_cos();
            [from[0] + 22.0 * cos, from[1] + 22.0 * sin]
        });
        let mut line = |points: Vec<[f32; 2]>, width| self.shapes.push((Ink::Way, Shape::Line(points, width)));
        line(ring.collect(), 6.0);
        line(vec![from, to], 9.0);
        line(vec![to, arrow], 4.0);
        let edge = [[-44.0, -44.0], [44.0, -44.0], [44.0, 44.0], [-44.0, 44.0], [-44.0, -44.0]];
        line(edge.map(|[x, y]| [arrow[0] + x, arrow[1] + y]).to_vec(), 5.0);
    }

    fn queen(&mut self, color: Color, [x, y]: [f32; 2]) {
        let place = |points: &[[f32; 2]]| points.iter().map(|[dx, dy]| [x + dx, y + dy]).collect::<Vec<_>>();
        let (stand, crown) = match color {
            Color::Black => (Ink::BlackQueen, Ink::BlackCrown),
            Color::White => (Ink::WhiteQueen, Ink::WhiteCrown),
        };
        match color {
            Color::Black => {
                self.shapes.push((crown, Shape::Disc([x, y, 42.0])));
                self.shapes.push((stand, Shape::Disc([x, y, 39.0])));
            }
            Color::White => {
                self.shapes.push((crown, Shape::Polygon(place(&DIAMOND.map(|point| point.map(|at| at * 48.0))))));
                self.shapes.push((stand, Shape::Polygon(place(&DIAMOND.map(|point| point.map(|at| at * 44.0))))));
            }
        }
        self.shapes.push((crown, Shape::Polygon(place(&CROWN))));
    }
}

const DIAMOND: [[f32; 2]; 4] = [[0.0, -1.0], [1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]];

const CROWN: [[f32; 2]; 7] =
    [[-16.0, 14.0], [-20.0, -12.0], [-8.0, 1.0], [0.0, -18.0], [8.0, 1.0], [20.0, -12.0], [16.0, 14.0]];

/// Returns the middle of a square.
fn center(position: &Position, vertex: Vertex) -> [f32; 2] {
    let columns = position.board().columns();
    let middle = |at: u32| MARGIN + CELL * (at as f32 + 0.5);
    [middle(vertex % columns), middle(vertex / columns)]
}
