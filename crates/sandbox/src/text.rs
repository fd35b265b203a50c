//! Text for people, from untrusted bytes.

use std::error::Error;

/// The most characters to show of a printed line.
const LINE_MAX: usize = 200;

/// Returns bytes as text safe for a terminal: unprintable characters become U+FFFD.
///
/// Callers limit the length: names and reasons come in frames of bounded size.
pub fn printable(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    text.chars().map(|character| if is_unsafe(character) { char::REPLACEMENT_CHARACTER } else { character }).collect()
}

/// Returns the last lines of an output, control characters escaped, long lines cut.
pub fn last_lines(output: &[u8], count: usize) -> Vec<String> {
    let text = String::from_utf8_lossy(output);
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(count)..].iter().map(|line| shorten(&line.replace('\t', "    "))).collect()
}

/// Returns text safe for a terminal: unprintable characters are escaped, including line ends.
pub fn visible(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        if is_unsafe(character) {
            escaped.extend(character.escape_default());
        } else {
            escaped.push(character);
        }
    }
    escaped
}

fn shorten(line: &str) -> String {
    match line.char_indices().nth(LINE_MAX) {
        Some((end, _)) => format!("{} ...", visible(&line[..end])),
        None => visible(line),
    }
}

/// Control characters move the cursor; invisible marks hide or reverse text.
fn is_unsafe(character: char) -> bool {
    let is_invisible = matches!(
        character,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}'
    );
    is_invisible || character.is_control()
}

/// Returns an error and its causes in one line.
pub fn error_chain(error: &dyn Error) -> String {
    let mut line = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        // Some errors already include their cause.
        if !line.ends_with(&cause_text) {
            line.push_str(": ");
            line.push_str(&cause_text);
        }
        source = cause.source();
    }
    line
}
