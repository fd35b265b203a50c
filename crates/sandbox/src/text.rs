//! Text for people, from untrusted bytes.

use std::error::Error;

/// Maximum number of characters shown of a line.
const LINE_MAX: usize = 200;

/// The number of first lines, of last lines, and of lines that announce errors to show.
const FIRST_LINES: usize = 3;
const LAST_LINES: usize = 7;
const ANNOUNCEMENTS_MAX: usize = 6;

/// Phrases with which runtimes announce an error.
const ANNOUNCEMENTS: &str = "panicked at|panic:|fatal error|terminate called|what():|Assertion |assertion |\
    runtime error:|Traceback |Error:|error:|Exception:|Exception in |exception: |object.Exception@|core.exception.|\
    unhandled exception|stack smashing detected|buffer overflow detected|double free|malloc(|free():|realloc():|\
    munmap_chunk|Sanitizer|*** |libgomp: ";

/// Returns bytes as text safe for a terminal: unprintable characters become U+FFFD.
///
/// Callers limit the length: names and reasons come in frames of bounded size.
pub fn printable(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    text.chars().map(|character| if is_unsafe(character) { char::REPLACEMENT_CHARACTER } else { character }).collect()
}

/// Returns the most informative lines of an output: the first, the last, and those with which runtimes announce an
/// error; "..." replaces the others. Control characters are escaped, long lines cut.
pub fn telling_lines(output: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(output);
    let lines: Vec<&str> = text.lines().skip_while(|line| line.trim().is_empty()).collect();
    let (mut announced, mut is_trace) = (Vec::new(), false);
    for (index, line) in lines.iter().enumerate() {
        // The message is on the line after Rust's announcement, and below a Python traceback.
        let ends_trace = is_trace && !line.starts_with(char::is_whitespace);
        let is_message = index > 0 && lines[index - 1].contains("panicked at");
        if is_message || ends_trace || announces_error(line) || precedes_trace(&lines, index) {
            announced.push(index);
        }
        is_trace = line.starts_with("Traceback ") || (is_trace && !ends_trace);
    }
    let announced = &announced[announced.len().saturating_sub(ANNOUNCEMENTS_MAX)..];
    let is_told = |index| index < FIRST_LINES || index + LAST_LINES >= lines.len() || announced.contains(&index);
    let tell = |(index, line): (usize, &&str)| match index {
        _ if is_told(index) => Some(shorten(&line.replace('\t', "    "))),
        _ => is_told(index - 1).then(|| "...".to_owned()),
    };
    lines.iter().enumerate().filter_map(tell).collect()
}

/// Returns whether a line is Lua's message, which says of itself only that a traceback follows.
fn precedes_trace<T: AsRef<str>>(lines: &[T], index: usize) -> bool {
    lines.get(index + 1).is_some_and(|next| next.as_ref().starts_with("stack traceback:"))
}

fn announces_error(line: &str) -> bool {
    let is_type =
        |word: &str| ["Error", "Exception"].iter().any(|kind| word.len() > kind.len() && word.ends_with(kind));
    // In the lines of a trace, such words are names of functions and files.
    let is_place = ["at ", "from "].iter().any(|start| line.trim_start().starts_with(start));
    ANNOUNCEMENTS.split('|').any(|part| line.contains(part))
        || !is_place && line.split(|letter: char| !letter.is_alphanumeric()).any(is_type)
}

/// Returns at most `count` lines: from the first that announces an error, or the last ones.
pub fn gist<T: AsRef<str>>(lines: &[T], count: usize) -> &[T] {
    let last = lines.len().saturating_sub(count);
    let is_first = |&index: &usize| announces_error(lines[index].as_ref()) || precedes_trace(lines, index);
    let from = (0..lines.len()).find(is_first).map_or(last, |first| first.min(last));
    &lines[from..lines.len().min(from + count)]
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

/// Returns an error and its causes on one line.
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
