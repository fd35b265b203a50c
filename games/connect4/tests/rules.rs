//! The rules: sequences and positions are counted, sizes are checked.

use connect4::{Position, Size, perft};

use crate::support::position;

#[test]
fn sequences_are_counted() {
    let empty = Position::empty(Size::STANDARD);
    let expected =
        [(7, 0), (49, 0), (343, 0), (2401, 0), (16807, 0), (117_649, 0), (823_536, 13_032), (5_673_234, 44_430)];
    for (depth, expected) in (1..).zip(expected) {
        assert_eq!(perft::sequences(&empty, depth), expected, "{depth} plies");
    }
    assert_eq!(perft::sequences(&position("4444"), 7), (735_010, 46_880));
}

#[test]
fn sequences_on_other_boards_are_counted() {
    for (size, expected) in [
        ("4x4", (57_504, 312)),
        ("5x4", (363_308, 2_316)),
        ("4x5", (63_420, 396)),
        ("6x5", (1_644_750, 12_750)),
        ("8x7", (16_553_656, 120_464)),
    ] {
        let empty = Position::empty(size.parse().expect("a size"));
        assert_eq!(perft::sequences(&empty, 8), expected, "{size}");
    }
}

#[test]
fn positions_are_counted() {
    let empty = Position::empty(Size::STANDARD);
    let expected = [
        (7, 0),
        (49, 0),
        (238, 0),
        (1120, 0),
        (4263, 0),
        (16_422, 0),
        (54_859, 728),
        (184_275, 1892),
        (558_186, 19_412),
    ];
    for (ply, expected) in (1..).zip(expected) {
        let (layer, won) = perft::distinct(&empty, ply);
        assert_eq!((layer.len(), won), expected, "{ply} plies");
    }
}

#[test]
fn sizes_that_fit_are_boards() {
    let mut boards = 0;
    for width in 0..20 {
        for height in 0..20 {
            let fits = (2..=16).contains(&width) && (2..=16).contains(&height) && width * (height + 1) <= 64;
            let size = Size::new(width, height);
            assert_eq!(size.is_ok(), fits, "{width}x{height}");
            if let Ok(size) = size {
                assert_eq!(size.to_string().parse(), Ok(size));
                boards += 1;
            }
        }
    }
    assert_eq!(boards, 98);
    for text in ["", "7", "7x", "x6", "7X6", "7x6x5", "+7x6", "-7x6", " 7x6", "7.0x6"] {
        assert!(text.parse::<Size>().is_err(), "{text:?}");
    }
}

#[test]
fn moves_are_taken_back() {
    let moves = "43445573";
    for length in 1..=moves.len() {
        let (before, after) = (position(&moves[..length - 1]), position(&moves[..length]));
        let mut back = after;
        back.take_back(after.column(&moves[length - 1..length]).expect("a column"));
        assert_eq!(back, before);
        assert_eq!(after.mirrored().mirrored(), after);
    }
}
