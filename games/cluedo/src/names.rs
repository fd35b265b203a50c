//! Names found by what a person types: the beginnings of their words, whatever case and accents.

/// Letters without their marks, from U+00C0 and from U+1E00 on; a dot stands for a letter that has none.
const PLAIN: [(u32, &str); 2] = [
    (
        0xC0,
        "aaaaaa.ceeeeiiiidnooooo.ouuuuyt.aaaaaa.ceeeeiiiidnooooo.ouuuuytyaaaaaaccccccccddddeeeeeeeeeegggggggg\
    hhhhiiiiiiiiii..jjkkkllllllllllnnnnnn.nnoooooo..rrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzz.bbbb...c\
    c.ddd....ffg...ikkl..nnooo..pp.....ttttuu.vyyzz..............d..l..n.aaiioouuuuuuuuuu.aaaa..ggggkkoo\
    oo..j.d.gg..nnaa..ooaaaaeeeeiiiioooorrrruuuusstt..hhnd..zzaaeeooooooooyylnt...accltsz..b..eejj.qrryy",
    ),
    (
        0x1E00,
        "aabbbbbbccddddddddddeeeeeeeeeeffgghhhhhhhhhhiiiikkkkkkllllllllmmmmmmnnnnnnnnoooooooopppprrrrrrrrssss\
    ssssssttttttttuuuuuuuuuuvvvvwwwwwwwwwwxxxxyyzzzzzzhtwya.....aaaaaaaaaaaaaaaaaaaaaaaaeeeeeeeeeeeeeeee\
    iiiioooooooooooooooooooooooouuuuuuuuuuuuuuyyyyyyyy....yy",
    ),
];

/// Returns a text in lower case, without accents, and with single blanks for `-`, `_` and `.`.
pub fn plain(text: &str) -> String {
    let mut letters = String::new();
    for letter in text.chars().flat_map(char::to_lowercase) {
        match letter {
            '\u{300}'..='\u{36f}' => {}
            '-' | '_' | '.' => letters.push(' '),
            '\u{2019}' => letters.push('\''),
            'æ' | 'ǽ' | 'ǣ' => letters += "ae",
            'œ' => letters += "oe",
            'ß' => letters += "ss",
            other => letters.push(unmarked(other)),
        }
    }
    letters.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn unmarked(letter: char) -> char {
    let found = PLAIN.iter().find_map(|(first, letters)| {
        let place = usize::try_from(u32::from(letter).checked_sub(*first)?).ok()?;
        letters.as_bytes().get(place).copied().filter(u8::is_ascii_alphabetic)
    });
    found.map_or(letter, char::from)
}

/// Returns what has a name that fits a text: each word of the text begins a word of the name, in this order. Only what
/// is fully named, if that is one thing. The names are [`plain`].
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
    let whole = all(&|name| name == text);
    let exact = all(&|name| name == text || name.split(' ').any(|word| word == text));
    if let Some(found) = [whole, exact].into_iter().find(|found| found.len() == 1) {
        return found;
    }
    all(&|name| {
        let mut words = name.split(' ');
        text.split(' ').all(|typed| words.any(|word| word.starts_with(typed)))
    })
}
