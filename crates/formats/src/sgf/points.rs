use amazons_rules::Vertex;

/// Letters for columns and rows: `a` to `z`, then `A` to `Z`.
pub(super) const MAX: u32 = 52;

/// The sides of a board, which determine the names of points.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grid {
    pub(super) columns: u32,
    pub(super) rows: u32,
}

impl Grid {
    /// Writes a vertex as two letters: its column from the left, its row from the top.
    pub(super) fn point(self, vertex: Vertex) -> String {
        [vertex % self.columns, vertex / self.columns].into_iter().filter_map(letter).collect()
    }

    /// Reads consecutive points of two letters each.
    pub(super) fn vertices<const N: usize>(self, text: &str) -> Option<[Vertex; N]> {
        let mut letters = text.chars().map(number);
        let mut vertices = [0; N];
        for vertex in &mut vertices {
            let column = letters.next()??;
            let row = letters.next()??;
            *vertex = (column < self.columns && row < self.rows).then(|| row * self.columns + column)?;
        }
        letters.next().is_none().then_some(vertices)
    }

    /// Reads a point, or a rectangle given by two points with a colon between.
    pub(super) fn rectangle(self, text: &str) -> Option<impl Iterator<Item = Vertex>> {
        let (first, last) = text.split_once(':').unwrap_or((text, text));
        let [first] = self.vertices(first.trim())?;
        let [last] = self.vertices(last.trim())?;
        let columns = first % self.columns..=last % self.columns;
        let rows = first / self.columns..=last / self.columns;
        let is_ordered = !columns.is_empty() && !rows.is_empty();
        is_ordered.then(|| rows.flat_map(move |row| columns.clone().map(move |column| row * self.columns + column)))
    }
}

fn letter(number: u32) -> Option<char> {
    let (first, offset) = if number < MAX / 2 { (b'a', number) } else { (b'A', number - MAX / 2) };
    u8::try_from(offset).ok().filter(|&offset| offset < 26).map(|offset| char::from(first + offset))
}

fn number(letter: char) -> Option<u32> {
    let above = |first: char| u32::from(letter) - u32::from(first);
    match letter {
        'a'..='z' => Some(above('a')),
        'A'..='Z' => Some(MAX / 2 + above('A')),
        _ => None,
    }
}
