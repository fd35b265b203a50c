/// Returns the strokes of a printable ASCII character, or a box for any other: points `xy` on a grid of 0 to 4 and 0 to 8, which grows downwards.
/// Small letters begin at 2, capitals and digits at 0; all stand on 6, and descenders reach 8.
const fn strokes(letter: char) -> &'static str {
    match letter {
        'a' => "42 46,43 32 12 03 05 16 36 45",
        'b' => "00 06,03 12 32 43 45 36 16 05",
        'c' => "43 32 12 03 05 16 36 45",
        'd' => "40 46,43 32 12 03 05 16 36 45",
        'e' => "04 44 43 32 12 03 05 16 36 45",
        'f' => "40 30 21 26,12 32",
        'g' => "42 47 38 18 07,43 32 12 03 05 16 36 45",
        'h' => "00 06,03 12 32 43 46",
        'i' => "22 26,20 20",
        'j' => "32 37 28 18,30 30",
        'k' => "00 06,42 04,14 46",
        'l' => "20 26",
        'm' => "02 06,03 12 23 26,23 32 43 46",
        'n' => "02 06,03 12 32 43 46",
        'o' => "12 32 43 45 36 16 05 03 12",
        'p' => "02 08,03 12 32 43 45 36 16 05",
        'q' => "42 48,43 32 12 03 05 16 36 45",
        'r' => "02 06,04 22 42",
        's' => "43 32 12 03 14 34 45 36 16 05",
        't' => "20 25 36 46,02 42",
        'u' => "02 05 16 36 45,42 46",
        'v' => "02 26 42",
        'w' => "02 16 23 36 42",
        'x' => "02 46,42 06",
        'y' => "02 26,42 26 18",
        'z' => "02 42 06 46",
        '0' => "10 30 41 45 36 16 05 01 10",
        '1' => "11 20 26",
        '2' => "01 10 30 41 42 06 46",
        '3' => "01 10 30 41 42 33 13,33 44 45 36 16 05",
        '4' => "36 30 04 44",
        '5' => "40 00 02 32 43 45 36 16 05",
        '6' => "40 20 02 05 16 36 45 44 33 13 04",
        '7' => "00 40 16",
        '8' => "13 02 01 10 30 41 42 33 13 04 05 16 36 45 44 33",
        '9' => "42 33 13 02 01 10 30 41 44 26 16",
        'A' => "06 20 46,14 34",
        'B' => "00 06 36 45 44 33 03,33 42 41 30 00",
        'C' => "41 30 10 01 05 16 36 45",
        'D' => "00 06 26 44 42 20 00",
        'E' => "40 00 06 46,03 33",
        'F' => "40 00 06,03 33",
        'G' => "41 30 10 01 05 16 36 45 43 23",
        'H' => "00 06,40 46,03 43",
        'I' => "20 26",
        'J' => "30 35 26 16 05",
        'K' => "00 06,40 03 46",
        'L' => "00 06 46",
        'M' => "06 00 23 40 46",
        'N' => "06 00 46 40",
        'O' => "10 30 41 45 36 16 05 01 10",
        'P' => "06 00 30 41 42 33 03",
        'Q' => "10 30 41 45 36 16 05 01 10,24 46",
        'R' => "06 00 30 41 42 33 03,23 46",
        'S' => "41 30 10 01 02 13 33 44 45 36 16 05",
        'T' => "00 40,20 26",
        'U' => "00 05 16 36 45 40",
        'V' => "00 26 40",
        'W' => "00 16 22 36 40",
        'X' => "00 46,40 06",
        'Y' => "00 23 40,23 26",
        'Z' => "00 40 06 46",
        '.' => "26 26",
        ',' => "26 17",
        ':' => "23 23,26 26",
        ';' => "23 23,26 17",
        '!' => "20 24,26 26",
        '?' => "01 10 30 41 42 24,26 26",
        '-' => "14 34",
        '_' => "07 47",
        '+' => "04 44,22 26",
        '=' => "03 43,05 45",
        '/' => "40 07",
        '\\' => "00 47",
        '|' => "20 28",
        '(' => "30 21 25 36",
        ')' => "10 21 25 16",
        '[' => "30 20 26 36",
        ']' => "10 20 26 16",
        '{' => "30 21 22 13 24 25 36",
        '}' => "10 21 22 33 24 25 16",
        '<' => "42 04 46",
        '>' => "02 44 06",
        '*' => "21 25,12 34,32 14",
        '"' => "10 12,30 32",
        '\'' => "20 22",
        '`' => "10 21",
        '^' => "12 20 32",
        '~' => "04 13 34 43",
        '#' => "10 16,30 36,02 42,04 44",
        '%' => "40 06,00 11,35 46",
        '&' => "46 12 11 20 31 03 05 16 26 44",
        '$' => "41 30 10 01 02 13 33 44 45 36 16 05,20 26",
        '@' => "45 36 16 05 01 10 30 41 44 24 22 42",
        ' ' => "",
        // Whatever else is there.
        _ => "01 41 46 06 01",
    }
}

/// The space between letters and that of a blank, on the grid of the strokes.
const GAP: f32 = 1.7;
const BLANK: f32 = 1.6;
/// The height of a digit on that grid.
const HEIGHT: f32 = 6.0;

/// Returns where a letter begins and how wide it is; digits are as wide as each other.
fn extent(letter: char) -> (f32, f32) {
    let columns = || strokes(letter).split([' ', ',']).filter_map(|point| point.chars().next()?.to_digit(10));
    match (columns().min(), columns().max()) {
        _ if letter.is_ascii_digit() => (0.0, 4.0),
        (Some(left), Some(right)) => (left as f32, (right - left) as f32),
        _ => (0.0, BLANK),
    }
}

/// Returns the letters that are drawn: characters that set a name apart are not.
fn letters(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|letter| !matches!(letter, '\u{2068}' | '\u{2069}'))
}

/// Returns how wide a text with digits of that height is.
pub(crate) fn width(text: &str, height: f32) -> f32 {
    let widths: f32 = letters(text).map(|letter| extent(letter).1 + GAP).sum();
    (widths - GAP).max(0.0) * height / HEIGHT
}

/// Returns the strokes of a text with digits of that height, which begins at a point.
pub(crate) fn word(text: &str, [x, y]: [f32; 2], height: f32) -> Vec<Vec<[f32; 2]>> {
    let scale = height / HEIGHT;
    let top = y - height / 2.0;
    let point = |at: f32, digits: &str| {
        let mut digits = digits.chars().filter_map(|digit| digit.to_digit(10)).map(|digit| digit as f32);
        let (x, y) = (digits.next().unwrap_or_default(), digits.next().unwrap_or_default());
        [at + scale * x, top + scale * y]
    };
    let mut lines = Vec::new();
    let mut at = x;
    for letter in letters(text) {
        let (left, width) = extent(letter);
        let drawn = strokes(letter).split(',').filter(|stroke| !stroke.is_empty());
        let start = at - scale * left;
        lines.extend(drawn.map(|stroke| stroke.split(' ').map(|digits| point(start, digits)).collect::<Vec<_>>()));
        at += scale * (width + GAP);
    }
    lines
}
