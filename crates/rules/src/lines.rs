use crate::Vertex;

/// Maximum number of pairs of opposite directions.
pub(crate) const AXES: usize = 4;

const WORD_BITS: u32 = u64::BITS;
/// Marks the wall bits in `Lines::vertices`.
const WALL: Vertex = Vertex::MAX;

/// The lines of a board, laid out in one array of bits.
///
/// Along each axis (a pair of opposite directions) a board falls into lines. The lines of all axes follow one another,
/// separated by wall bits that are always set. On each axis, a vertex has a place, the index of a bit. Vertices have
/// the same order as the bits, so the free vertices around a place are a slice of `vertices`.
///
/// A line of at most 62 vertices shares a word with the walls at its ends.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lines {
    places: Vec<[u32; AXES]>,
    vertices: Vec<Vertex>,
    walls: Vec<Word>,
}

impl Lines {
    /// Starts a layout for `vertex_ids` vertices; lines are added with `push`.
    pub(crate) fn new(vertex_ids: usize) -> Self {
        let mut vertices = Vec::with_capacity(AXES * vertex_ids);
        vertices.push(WALL);
        Self { places: vec![[0; AXES]; vertex_ids], vertices, walls: Vec::new() }
    }

    /// Appends a line of an axis.
    pub(crate) fn push(&mut self, axis: usize, line: &[Vertex]) {
        let word = WORD_BITS as usize;
        let opening = self.vertices.len() - 1;
        let closing = opening + line.len() + 1;
        if line.len() + 2 <= word && opening / word != closing / word {
            self.vertices.resize(opening.next_multiple_of(word) + 1, WALL);
        }
        for &vertex in line {
            self.places[vertex as usize][axis] = as_place(self.vertices.len());
            self.vertices.push(vertex);
        }
        self.vertices.push(WALL);
    }

    /// Closes the layout.
    pub(crate) fn finish(&mut self) {
        self.walls = vec![Word::FULL; self.vertices.len().div_ceil(WORD_BITS as usize)];
        for (word, vertices) in self.walls.iter_mut().zip(self.vertices.chunks(WORD_BITS as usize)) {
            let free = vertices.iter().rev().fold(0, |bits, &vertex| bits << 1 | u64::from(vertex != WALL));
            *word = Word { forward: !free, backward: !free.reverse_bits() };
        }
    }

    /// Returns the bits of the empty board.
    pub(crate) fn walls(&self) -> &[Word] {
        &self.walls
    }

    /// Returns the vertex's place on each axis.
    #[inline]
    pub(crate) fn places(&self, vertex: Vertex) -> [u32; AXES] {
        self.places[vertex as usize]
    }

    /// Returns whether the vertex is on a line; a hole is on none.
    pub(crate) fn has_places(&self, vertex: Vertex) -> bool {
        self.has_place(vertex, 0)
    }

    /// Returns whether the vertex is on a line of the axis. The first place of all is a wall.
    pub(crate) fn has_place(&self, vertex: Vertex, axis: usize) -> bool {
        self.places[vertex as usize][axis] != 0
    }

    /// Returns the vertex at a place that is not a wall.
    #[inline]
    pub(crate) fn vertex_at(&self, place: u32) -> Vertex {
        self.vertices[place as usize]
    }

    /// Returns the vertices before and after a vertex on each axis.
    pub(crate) fn neighbors(&self, vertex: Vertex) -> [[Option<Vertex>; 2]; AXES] {
        let at = |place: u32| Some(self.vertex_at(place)).filter(|&neighbor| neighbor != WALL);
        self.places(vertex).map(|place| [at(place - 1), at(place + 1)])
    }

    /// Returns the vertices of the places strictly between two.
    #[inline]
    pub(crate) fn between(&self, below: u32, above: u32) -> &[Vertex] {
        &self.vertices[below as usize + 1..above as usize]
    }

    /// Returns the free vertices of a span, without the place in its middle.
    #[inline]
    pub(crate) fn others(&self, span: Span, place: u32) -> impl Iterator<Item = Vertex> + '_ {
        self.between(span.below, place).iter().chain(self.between(place, span.above)).copied()
    }

    /// Returns the vertices after one place up to and including another; `None` unless both are on one line.
    pub(crate) fn way(&self, start: u32, end: u32) -> Option<impl Iterator<Item = Vertex> + '_> {
        let (low, high) = (start.min(end), start.max(end));
        let joined = !self.vertices[low as usize..=high as usize].contains(&WALL);
        let place = move |step| if start < end { start + step } else { start - step };
        joined.then(|| (1..=high - low).map(move |step| self.vertex_at(place(step))))
    }

    /// Adds or removes a stone.
    #[inline]
    pub(crate) fn toggle(&self, words: &mut [Word], vertex: Vertex) {
        for place in self.places(vertex) {
            flip(words, place);
        }
    }

    /// Returns whether the vertex has neither stone nor wall.
    #[inline]
    pub(crate) fn is_free(&self, words: &[Word], vertex: Vertex) -> bool {
        !is_set(words, self.places(vertex)[0])
    }

    /// Returns the spans around a vertex.
    #[inline]
    pub(crate) fn spans(&self, words: &[Word], vertex: Vertex) -> [Span; AXES] {
        let [a, b, c, d] = self.places(vertex);
        [Span::around(words, a), Span::around(words, b), Span::around(words, c), Span::around(words, d)]
    }

    /// Returns the number of free vertices seen from a vertex along all axes except one.
    ///
    /// The axis is a constant, so it costs no test.
    #[inline]
    pub(crate) fn count_across<const AXIS: usize>(&self, words: &[Word], vertex: Vertex) -> u32 {
        let mut count = 0;
        for (axis, place) in self.places(vertex).into_iter().enumerate() {
            if axis != AXIS {
                let run = Run::around(words, place);
                count += run.down + run.up;
            }
        }
        count
    }

    /// Returns the spans around a vertex as if there were no stone on `vacated`.
    #[inline]
    pub(crate) fn spans_without(&self, words: &[Word], vertex: Vertex, vacated: Vertex) -> [Span; AXES] {
        let mut spans = self.spans(words, vertex);
        for (span, place) in spans.iter_mut().zip(self.places(vacated)) {
            if span.above == place {
                span.above = Span::around(words, place).above;
            } else if span.below == place {
                span.below = Span::around(words, place).below;
            }
        }
        spans
    }

    /// Returns whether a neighbour of the vertex is free.
    #[inline]
    pub(crate) fn has_free_neighbor(&self, words: &[Word], vertex: Vertex) -> bool {
        self.places(vertex).iter().any(|&place| !is_set(words, place - 1) || !is_set(words, place + 1))
    }
}

/// The nearest set bits on both sides of a place; the places between them are free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) below: u32,
    pub(crate) above: u32,
}

impl Span {
    #[inline]
    pub(crate) fn around(words: &[Word], place: u32) -> Self {
        let run = Run::around(words, place);
        Self { below: place - 1 - run.down, above: place + 1 + run.up }
    }

    /// Returns the number of free places, not counting the middle one.
    #[inline]
    pub(crate) const fn len(self) -> u32 {
        self.above - self.below - 2
    }
}

/// The number of free places next to a place in both directions.
#[derive(Clone, Copy)]
struct Run {
    down: u32,
    up: u32,
}

impl Run {
    #[inline]
    fn around(words: &[Word], place: u32) -> Self {
        let index = (place / WORD_BITS) as usize;
        let word = words[index];
        let higher = word.forward >> (place % WORD_BITS) >> 1;
        let lower = word.backward >> (!place % WORD_BITS) >> 1;
        Self {
            down: if lower == 0 { run_down(words, place) } else { lower.trailing_zeros() },
            up: if higher == 0 { run_up(words, place) } else { higher.trailing_zeros() },
        }
    }
}

/// Continues a run downwards in the previous words; the very first bit is a wall.
#[cold]
fn run_down(words: &[Word], place: u32) -> u32 {
    let before = words[..(place / WORD_BITS) as usize].iter().rev();
    let free = before.clone().take_while(|word| word.backward == 0).count();
    let end = before.clone().nth(free).map_or(0, |word| word.backward.trailing_zeros());
    place % WORD_BITS + as_place(free) * WORD_BITS + end
}

/// Continues a run upwards in the following words; the very last bit is a wall.
#[cold]
fn run_up(words: &[Word], place: u32) -> u32 {
    let after = words[(place / WORD_BITS) as usize + 1..].iter();
    let free = after.clone().take_while(|word| word.forward == 0).count();
    let end = after.clone().nth(free).map_or(0, |word| word.forward.trailing_zeros());
    !place % WORD_BITS + as_place(free) * WORD_BITS + end
}

/// 64 bits, and the same bits in the opposite order.
///
/// Both runs from a place then count trailing zeros, the cheaper bit scan on every x86-64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    forward: u64,
    backward: u64,
}

impl Word {
    const FULL: Self = Self { forward: u64::MAX, backward: u64::MAX };
}

#[inline]
fn flip(words: &mut [Word], place: u32) {
    let word = &mut words[(place / WORD_BITS) as usize];
    word.forward ^= 1 << (place % WORD_BITS);
    word.backward ^= 1 << (!place % WORD_BITS);
}

#[inline]
fn is_set(words: &[Word], place: u32) -> bool {
    words[(place / WORD_BITS) as usize].forward >> (place % WORD_BITS) & 1 == 1
}

/// `Board` limits its vertices, so every place fits.
fn as_place(at: usize) -> u32 {
    u32::try_from(at).expect("a board has fewer than 2^32 places")
}
