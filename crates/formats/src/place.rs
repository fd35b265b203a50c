/// A place in a text, for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

impl Place {
    /// Counts lines, which end with a line feed, a carriage return or both, and characters.
    pub(crate) fn of(text: &str, offset: usize) -> Self {
        let before = text.get(..offset).unwrap_or(text);
        let (mut line, mut column, mut last) = (1, 1, ' ');
        for character in before.chars() {
            match character {
                '\n' if last == '\r' => {}
                '\n' | '\r' => (line, column) = (line + 1, 1),
                _ => column += 1,
            }
            last = character;
        }
        Self { line, column }
    }
}

/// Reads bytes as text: UTF-8, or else Latin-1, which every sequence of bytes is; without a byte order mark.
pub(crate) fn decode(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.strip_prefix('\u{feff}').unwrap_or(text).to_owned(),
        Err(_) => bytes.iter().copied().map(char::from).collect(),
    }
}
