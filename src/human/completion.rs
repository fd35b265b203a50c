use amazons_rules::{MoveList, Position, Vertex};

use super::entry::COMMANDS;

/// Returns completions of typed text: the byte at which replacement starts, and the completions in order.
///
/// They are commands and squares of legal moves: a queen followed by `-`, its target followed by `/`, and the target of
/// its arrow.
pub fn completions(position: &Position, typed: &str) -> (usize, Vec<String>) {
    let start = typed.len() - typed.trim_start().len();
    let text = typed.trim_start().to_ascii_lowercase();
    if let Some(square) = text.strip_prefix("moves ") {
        return (typed.len() - square.len(), squares(position, &[], square, ""));
    }
    let Some((from, rest)) = text.split_once('-') else {
        let commands = COMMANDS.iter().map(|(name, _)| (*name).to_owned()).filter(|name| name.starts_with(&text));
        return (start, squares(position, &[], &text, "-").into_iter().chain(commands).collect());
    };
    let Ok(from) = position.board().parse_square(from) else { return (typed.len(), Vec::new()) };
    let Some((to, arrow)) = rest.split_once('/') else {
        return (typed.len() - rest.len(), squares(position, &[from], rest, "/"));
    };
    let Ok(to) = position.board().parse_square(to) else { return (typed.len(), Vec::new()) };
    (typed.len() - arrow.len(), squares(position, &[from, to], arrow, ""))
}

/// Lists the next squares of the legal moves that begin with `begun`, if they begin with `text`.
fn squares(position: &Position, begun: &[Vertex], text: &str, behind: &str) -> Vec<String> {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    let next = moves.iter().filter_map(|mv| {
        let vertices = [mv.from, mv.to, mv.arrow];
        vertices.starts_with(begun).then(|| vertices.get(begun.len()).copied())?
    });
    let mut next: Vec<Vertex> = next.collect();
    next.sort_unstable();
    next.dedup();
    let names = next.into_iter().map(|vertex| position.board().square(vertex));
    names.filter(|name| name.starts_with(text)).map(|name| name + behind).collect()
}
