/// Returns the strokes of a small letter or a digit: points `xy` on a grid of 0 to 4 and 0 to 8, which grows downwards.
///
/// Small letters begin at 2 and stand on 6, as digits do; descenders reach 8.
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
        _ => "",
    }
}

/// The advance width of a letter, on the grid of the strokes.
const ADVANCE: f32 = 5.5;
/// The height of a digit on that grid.
const HEIGHT: f32 = 6.0;

/// Returns the strokes of a word with digits of that height, centred on a point.
pub(crate) fn word(text: &str, [x, y]: [f32; 2], height: f32) -> Vec<Vec<[f32; 2]>> {
    let scale = height / HEIGHT;
    let count = text.chars().count() as f32;
    let left = x - scale * (count * ADVANCE - (ADVANCE - 4.0)) / 2.0;
    let top = y - height / 2.0;
    let point = |at: f32, digits: &str| {
        let mut digits = digits.chars().filter_map(|digit| digit.to_digit(10)).map(|digit| digit as f32);
        let (x, y) = (digits.next().unwrap_or_default(), digits.next().unwrap_or_default());
        [at + scale * x, top + scale * y]
    };
    let mut lines = Vec::new();
    let mut at = left;
    for letter in text.chars() {
        let drawn = strokes(letter).split(',').filter(|stroke| !stroke.is_empty());
        lines.extend(drawn.map(|stroke| stroke.split(' ').map(|digits| point(at, digits)).collect::<Vec<_>>()));
        at += scale * ADVANCE;
    }
    lines
}
