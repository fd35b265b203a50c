/// Returns a name that cannot reverse the text around it: without directional control characters, and isolated if it
/// may be written from right to left.
pub(crate) fn apart(name: &str) -> String {
    let turns = |c: char| matches!(c, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
    let name: String = name.chars().map(|c| if turns(c) { char::REPLACEMENT_CHARACTER } else { c }).collect();
    if name.is_ascii() { name } else { format!("\u{2068}{name}\u{2069}") }
}
