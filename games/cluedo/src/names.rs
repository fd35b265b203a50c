//! Names found by what a person types: the unambiguous beginning of any word, whatever case and accents.

/// Returns a text in lower case, without accents, and with single blanks for `-`, `_` and `.`.
#[must_use]
pub fn plain(text: &str) -> String {
    let letters = text.chars().flat_map(char::to_lowercase).map(|letter| match letter {
        'à' | 'â' | 'ä' => 'a',
        'é' | 'è' | 'ê' => 'e',
        '-' | '_' | '.' => ' ',
        other => other,
    });
    letters.collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns what has a name, or a word of one, that begins with a text; only what is fully named, if that is one thing.
/// The names are [`plain`].
#[must_use]
pub fn find(names: &[(String, usize)], text: &str) -> Vec<usize> {
    let text = plain(text);
    if text.is_empty() {
        return Vec::new();
    }
    let all = |fits: &dyn Fn(&str) -> bool| {
        let mut found: Vec<usize> = names.iter().filter(|(name, _)| fits(name)).map(|&(_, item)| item).collect();
        found.sort_unstable();
        found.dedup();
        found
    };
    let exact = all(&|name| name == text || name.split(' ').any(|word| word == text));
    if exact.len() == 1 {
        return exact;
    }
    all(&|name| {
        name.starts_with(&text) || name.match_indices(' ').any(|(blank, _)| name[blank + 1..].starts_with(&text))
    })
}
