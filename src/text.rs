//! Words for people, made of what cannot be trusted to be words.

use std::error::Error;

/// How many characters of a foreign line are shown.
const LINE_MAX: usize = 200;

/// Returns bytes as text that can be shown on a terminal: what is not printable becomes U+FFFD.
pub(crate) fn printable(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    text.chars()
        .take(LINE_MAX)
        .map(|character| if is_unsafe(character) { char::REPLACEMENT_CHARACTER } else { character })
        .collect()
}

/// Returns the last lines of an output, control characters escaped, long lines cut.
pub(crate) fn last_lines(output: &[u8], count: usize) -> Vec<String> {
    let text = String::from_utf8_lossy(output);
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(count)..].iter().map(|line| escape(line)).collect()
}

fn escape(line: &str) -> String {
    let mut escaped = String::new();
    for character in line.chars().take(LINE_MAX) {
        if is_unsafe(character) && character != '\t' {
            escaped.extend(character.escape_default());
        } else {
            escaped.push(character);
        }
    }
    if line.chars().nth(LINE_MAX).is_some() {
        escaped.push_str(" ...");
    }
    escaped
}

/// Control characters move the cursor, and the marks of bidirectional text turn lines around.
fn is_unsafe(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Returns an error and its causes in one line.
pub(crate) fn error_chain(error: &dyn Error) -> String {
    let mut line = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        // Some errors repeat their cause in their own words.
        if !line.ends_with(&cause_text) {
            line.push_str(": ");
            line.push_str(&cause_text);
        }
        source = cause.source();
    }
    line
}
