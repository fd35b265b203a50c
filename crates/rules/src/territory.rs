use crate::{Color, DistanceMap, Position, Vertex};

/// The side nearer to a free vertex, in queen moves without arrows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nearer {
    /// This colour is nearer, or the other cannot get there.
    Color(Color),
    /// Both are equally near.
    Both,
    /// Neither can get there.
    Nobody,
}

impl Nearer {
    /// Returns the character for drawn boards.
    pub const fn mark(self) -> char {
        match self {
            Self::Color(Color::Black) => 'b',
            Self::Color(Color::White) => 'w',
            Self::Both => '=',
            Self::Nobody => '.',
        }
    }
}

/// The nearer side for every vertex.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Territory {
    /// By vertex id; `None` for stones and holes.
    pub vertices: Vec<Option<Nearer>>,
}

impl Territory {
    /// Measures a position.
    pub fn new(position: &Position) -> Self {
        let mut map = DistanceMap::new(position.board());
        let black = map.queen_distances(position, Color::Black).to_vec();
        let white = map.queen_distances(position, Color::White);
        let nearer = |(id, (black, white)): (Vertex, (&u8, &u8))| {
            position.is_free(id).then_some(match (black, white) {
                (&DistanceMap::UNREACHABLE, &DistanceMap::UNREACHABLE) => Nearer::Nobody,
                _ if black < white => Nearer::Color(Color::Black),
                _ if white < black => Nearer::Color(Color::White),
                _ => Nearer::Both,
            })
        };
        Self { vertices: (0..).zip(black.iter().zip(white)).map(nearer).collect() }
    }

    /// Counts the vertices of one kind.
    pub fn count(&self, wanted: Nearer) -> usize {
        self.vertices.iter().filter(|&&nearer| nearer == Some(wanted)).count()
    }

    /// Returns the mark of a free vertex.
    pub fn mark(&self, vertex: Vertex) -> char {
        self.vertices.get(vertex as usize).copied().flatten().unwrap_or(Nearer::Nobody).mark()
    }
}
