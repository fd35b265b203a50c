/// Maximum number of characters of a typed or read text that a message repeats.
const MAX: usize = 120;

/// Returns a text as a message repeats it: of a long one, only its beginning.
pub fn excerpt(text: &str) -> String {
    match text.char_indices().nth(MAX) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}
