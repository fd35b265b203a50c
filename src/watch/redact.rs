use amazons_pages::Access;
use serde_json::{Map, Value};

/// Returns a record's line as shown with an access: at this machine unchanged, elsewhere without facts about the
/// machine, above all the folders of files.
pub fn shown(access: Access, line: Vec<u8>) -> Vec<u8> {
    if access == Access::Local || line.starts_with(b"{\"event\":\"move\"") {
        return line;
    }
    // A line that is not an event could contain anything, so it is not shown.
    let Ok(Value::Object(mut event)) = serde_json::from_slice(&line) else { return b"null".to_vec() };
    match event.get("event").and_then(Value::as_str) {
        Some("start") => hide_players(&mut event),
        Some("fault") => {
            event.insert("log".to_owned(), Value::Null);
            hide_list(&mut event, "backtrace");
            hide_list(&mut event, "log_tail");
            hide_paths(&mut event, "detail");
        }
        Some("end") => hide_paths(&mut event, "detail"),
        _ => {}
    }
    Value::Object(event).to_string().into_bytes()
}

/// Returns the last part of a path, or of a command's last word, as the name of a player without a name.
pub(super) fn file_name(path: &str) -> &str {
    path.trim_end_matches('/').rsplit(['/', ' ']).next().unwrap_or_default()
}

fn hide_players(event: &mut Map<String, Value>) {
    let Some(Value::Array(players)) = event.get_mut("players") else { return };
    for player in players.iter_mut().filter_map(Value::as_object_mut) {
        player.insert("log".to_owned(), Value::Null);
        if let Some(Value::String(file)) = player.get_mut("file") {
            *file = file_name(file).to_owned();
        }
    }
}

fn hide_list(event: &mut Map<String, Value>, key: &str) {
    if let Some(list) = event.get_mut(key) {
        *list = Value::Array(Vec::new());
    }
}

/// Shortens every path in a text to its last part.
fn hide_paths(event: &mut Map<String, Value>, key: &str) {
    if let Some(Value::String(text)) = event.get_mut(key) {
        *text = without_paths(text);
    }
}

/// Shortens every path in a text to its last part.
pub(crate) fn without_paths(text: &str) -> String {
    let words = text.split(' ').map(|word| if word.contains('/') { hide_path(word) } else { word });
    words.collect::<Vec<_>>().join(" ")
}

/// A move also has a slash: `d1-d7/g7`.
fn hide_path(word: &str) -> &str {
    let is_move =
        word.contains('-') && word.matches('/').count() == 1 && !word.contains(['.', '_']) && !word.starts_with('/');
    if is_move { word } else { file_name(word) }
}
