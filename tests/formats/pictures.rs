//! Pictures: their content, not their looks.

use std::collections::HashSet;

use amazons_formats::{CannotWrite, Ending, GIF, Game, GameOutcome, Look, PNG, SVG, Shading};
use amazons_rules::{Board, Color, Nearer, Position, Shape, Territory};

use super::{HOSTILE, annotated_game, random_game, start, written};

/// The parts of an SVG with an ink.
fn groups<'a>(svg: &'a str, ink: &str) -> Vec<&'a str> {
    let open = format!("<g class=\"{ink}\">");
    svg.split(&open).skip(1).map(|rest| rest.split("</g>").next().unwrap_or_default()).collect()
}

fn count(svg: &str, ink: &str, what: &str) -> usize {
    groups(svg, ink).iter().map(|group| group.matches(what).count()).sum()
}

fn shaded(game: &Game) -> String {
    let look = Look { shading: Shading::Territory, ..Look::default() };
    String::from_utf8(SVG.write(game, &look).expect("a picture")).expect("text")
}

#[test]
fn everything_on_the_board_is_drawn() {
    for (seed, shape) in (0..8).zip(Shape::ALL.into_iter().cycle()) {
        let game = random_game(start(shape, 7 + seed as u32), 12, seed);
        let (svg, position) = (written(SVG, &game), game.position());
        assert_eq!(count(&svg, "black-queen", "<circle"), position.queens(Color::Black).len());
        assert_eq!(count(&svg, "white-queen", "<polygon"), position.queens(Color::White).len());
        assert_eq!(count(&svg, "arrow", "M"), 12, "one square for each arrow");
        let squares = count(&svg, "light", "M") + count(&svg, "dark", "M");
        assert_eq!(squares, game.board().vertex_count(), "holes are left out");
        assert_eq!(count(&svg, "label", "<text"), 4 * game.board().columns() as usize);
        assert_eq!((count(&svg, "way", "<polyline"), count(&svg, "tint", "M")), (3, 2));
        let bare = written(SVG, &game.until(0).expect("a start"));
        assert_eq!((count(&bare, "way", "<polyline"), count(&bare, "arrow", "M")), (0, 0));
    }
}

#[test]
fn territory_is_shaded() {
    let game = random_game(start(Shape::Clover, 10), 20, 2);
    let territory = Territory::new(game.position());
    let svg = shaded(&game);
    for (color, ink) in [(Color::Black, "black-land"), (Color::White, "white-land")] {
        assert_eq!(count(&svg, ink, "M"), territory.count(Nearer::Color(color)));
        assert!(groups(&written(SVG, &game), ink).is_empty());
    }
}

#[test]
fn svg_is_well_formed_and_always_the_same() {
    for (seed, name) in (0..).zip(HOSTILE) {
        let mut game = annotated_game(start(Shape::Donut, 6), 7, seed);
        (game.details.black, game.details.white) = (Some(name.to_owned()), Some("\u{0}\u{1b}\u{ffff}".to_owned()));
        let svg = written(SVG, &game);
        assert_eq!(svg, written(SVG, &game));
        assert_balanced(&svg);
        assert!(!svg.contains(|character: char| character.is_control() && character != '\n'));
        let body = svg.split("</style>").nth(1).expect("a body");
        // Below the bar of a player, 76 / 1120 of the width.
        assert!(body.contains("<text x=\"110\" y=\"79\">a</text>"), "{body}");
    }
    let svg = written(SVG, &random_game(start(Shape::Square, 10), 3, 0));
    assert!(svg.starts_with(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"600\" height=\"600\" viewBox=\"0 0 1120 1120\" role=\"img\""
    ));
    assert!(svg.contains("prefers-color-scheme:dark"));
    assert!(svg.contains("<desc id=\"description\">After move 3, "));
}

/// Checks that elements are closed in order, and that no part of a name became one.
fn assert_balanced(svg: &str) {
    let known: HashSet<&str> =
        ["svg", "title", "desc", "style", "g", "path", "circle", "polygon", "polyline", "text"].into();
    let mut open = Vec::new();
    for tag in svg.split('<').skip(1) {
        let (tag, _) = tag.split_once('>').expect("a closed tag");
        let name = tag.trim_start_matches('/').split([' ', '/']).next().expect("a name");
        assert!(known.contains(name), "<{tag}>");
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

/// Decodes a PNG: its columns, rows and pixels of four bytes.
fn pixels(png: &[u8]) -> (u32, u32, Vec<[u8; 4]>) {
    let pixmap = tiny_skia::Pixmap::decode_png(png).expect("a PNG");
    let pixels = pixmap.pixels().iter().map(|pixel| [pixel.red(), pixel.green(), pixel.blue(), pixel.alpha()]);
    (pixmap.width(), pixmap.height(), pixels.collect())
}

#[test]
fn a_png_has_the_size_that_was_asked_for_and_shows_the_stones() {
    let game = random_game(start(Shape::FigureEight, 8), 10, 1);
    for size in [16, 600, 1001] {
        let png = PNG.write(&game, &Look { size, ..Look::default() }).expect("a picture");
        assert_eq!((pixels(&png).0, pixels(&png).1), (size, size));
        assert_eq!(png, PNG.write(&game, &Look { size, ..Look::default() }).expect("a picture"), "the same again");
    }
    let wide = random_game(
        Position::new(Board::rectangle(10, 5).expect("a size").into(), [vec![0], vec![49]], &[], Color::Black)
            .expect("room"),
        2,
        0,
    );
    let (columns, rows, _) = pixels(&PNG.write(&wide, &Look { size: 560, ..Look::default() }).expect("a picture"));
    assert_eq!((columns, rows), (560, 310), "squares are square");
    let (columns, _, shown) = pixels(&PNG.write(&game, &Look { size: 920, ..Look::default() }).expect("a picture"));
    let scale = 920.0 / (8.0 * 100.0 + 120.0);
    let at = |vertex: u32, dx: f32, dy: f32| {
        let place = |at: u32, more: f32| ((60.0 + 100.0 * (at as f32 + 0.5) + more) * scale) as usize;
        shown[place(vertex / 8, dy) * columns as usize + place(vertex % 8, dx)]
    };
    for &queen in game.position().queens(Color::Black) {
        assert_eq!(at(queen, 25.0, 20.0), [0x2b, 0x2a, 0x33, 255], "a disc is there");
    }
    for &queen in game.position().queens(Color::White) {
        assert_eq!(at(queen, 0.0, 32.0), [0xfd, 0xfa, 0xf3, 255]);
        assert_ne!(at(queen, 30.0, 30.0), [0xfd, 0xfa, 0xf3, 255], "a diamond is not a disc");
    }
    let hole = (0..64).find(|&id| !game.board().is_vertex(id)).expect("a hole");
    assert_eq!(at(hole, 25.0, 25.0), [0xf6, 0xf4, 0xef, 255], "a hole is nothing");
    let is_ink = |pixel: &&[u8; 4]| **pixel == [0x64, 0x5e, 0x55, 255];
    let band = &shown[..columns as usize * 50];
    assert!(band.iter().filter(is_ink).count() > 200, "files are written without any font");
}

/// The words of a moment of a game in an SVG.
fn words(game: &Game) -> Vec<String> {
    let svg = written(SVG, game);
    let said = groups(&svg, "text").concat();
    let texts = said.split("</text>").filter_map(|text| text.split('>').next_back().map(str::to_owned));
    texts.filter(|text| !text.is_empty()).collect()
}

#[test]
fn pictures_say_who_plays_and_how_it_ended() {
    let mut game = random_game(start(Shape::Square, 10), 12, 3);
    assert!(words(&game).is_empty(), "nothing is known");
    game.details.white = Some("bob & <co>".to_owned());
    let last = game.board().move_text(game.moves()[11].mv);
    assert_eq!(words(&game), ["bob &amp; &lt;co&gt;", "black", "move 12", &last]);
    for (winner, ending, how) in [
        (Some(Color::Black), Ending::Timeout, "bob &amp; &lt;co&gt; (white) ran out of time after 12 moves"),
        (Some(Color::White), Ending::IllegalMove, "black made an illegal move after 12 moves"),
        (None, Ending::MaxMoves, "the game reached its limit of moves after 12 moves"),
        (None, Ending::Void, "the server failed after 12 moves"),
    ] {
        game.end(GameOutcome { winner, ending: Some(ending), detail: None }).expect("an end");
        let wins = match winner {
            Some(Color::Black) => "black wins",
            Some(Color::White) => "bob &amp; &lt;co&gt; (white) wins",
            None => "nobody wins",
        };
        assert_eq!(words(&game)[2..], [wins, how]);
        assert!(written(SVG, &game).contains(&format!("{wins}: {how}.</desc>")));
    }
    // A name that is longer than the picture is cut off there.
    game.details.black = Some("m".repeat(200));
    let name = &words(&game)[1];
    assert!(name.ends_with("m..") && name.len() < 60, "{name}");
}

/// Black pixels of a word beside the same picture without it: letters are drawn without any font.
#[test]
fn names_are_drawn_without_fonts() {
    let mut game = random_game(start(Shape::Square, 10), 2, 3);
    let ink = |game: &Game| {
        let (columns, rows, shown) = pixels(&PNG.write(game, &Look::default()).expect("a picture"));
        let bar = &shown[..(columns * rows / 18) as usize];
        bar.iter().filter(|pixel| pixel[0] < 0x60 && pixel[1] < 0x60).count()
    };
    let mut drawn = Vec::new();
    for name in [".", "Ann", "Ann Bo-Ray 42 (x)", "\u{5d0}\u{5d1}", "[]{}<>#%&$@!?"] {
        game.details.white = Some(name.to_owned());
        drawn.push(ink(&game));
    }
    assert!(drawn[0] > 0 && drawn[0] < drawn[1] && drawn[1] < drawn[2], "{drawn:?}");
    assert!(drawn[0] < drawn[3] && drawn[0] < drawn[4], "{drawn:?}");
}

/// The arrow that flies back over its queen's way has a lane beside it, where both can be seen.
#[test]
fn an_arrow_that_flies_back_has_a_lane() {
    let board = Board::rectangle(5, 5).expect("a size");
    let position = Position::new(board.into(), [vec![20], vec![4]], &[], Color::Black).expect("room");
    let drawn = |text: &str| {
        let mut game = Game::new(position.clone()).expect("a board");
        let mv = game.board().parse_move(text).expect("a move");
        game.push(mv).expect("legal");
        groups(&written(SVG, &game), "way").concat()
    };
    // The queen stands on a1 and goes to d1.
    let back = drawn("a1-d1/a1");
    assert!(back.contains("110,498 410,498") && back.contains("410,522 110,522"), "{back}");
    let on = drawn("a1-d1/e1");
    assert!(on.contains("110,510 410,510") && on.contains("410,510 510,510"), "{on}");
}

#[test]
fn a_gif_has_a_frame_for_each_position() {
    let game = random_game(start(Shape::Donut, 9), 15, 4);
    let look = Look { size: 240, delay_ms: 300, shading: Shading::None };
    let bytes = GIF.write(&game, &look).expect("an animation");
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::Indexed);
    let mut decoder = options.read_info(&bytes[..]).expect("a GIF");
    assert_eq!((decoder.width(), decoder.height()), (240, 240));
    let mut frames = Vec::new();
    while let Some(frame) = decoder.read_next_frame().expect("a frame") {
        frames.push((frame.delay, u32::from(frame.width) * u32::from(frame.height)));
    }
    assert_eq!(frames.len(), game.moves().len() + 1);
    assert!(frames[..15].iter().all(|&(delay, _)| delay == 30));
    assert_eq!(frames[15].0, 150, "the last is held");
    assert_eq!(frames[0].1, 240 * 240);
    assert!(frames[1..].iter().map(|frame| frame.1).sum::<u32>() < 15 * 240 * 240, "only what changes is kept");
}

#[test]
fn more_pixels_than_anybody_wants_are_refused() {
    let game = random_game(start(Shape::Square, 20), 60, 4);
    let look = Look { size: 8192, ..Look::default() };
    let error = GIF.write(&game, &look).expect_err("60 large frames");
    assert!(matches!(error, CannotWrite::Pixels(_)), "{error}");
    assert_eq!(
        error.to_string(),
        "61 frames of 8192 x 8192 pixels are too many: make the picture smaller, or cut the game off earlier"
    );
    assert!(PNG.write(&game, &Look { size: 1_000_000, ..Look::default() }).is_err());
}

#[test]
fn formats_are_found_by_name_and_ending() {
    use amazons_formats::{FORMATS, by_extension, by_name};
    for format in FORMATS {
        assert_eq!(by_name(format.name).map(|format| format.name), Some(format.name));
        for extension in format.extensions {
            assert_eq!(by_extension(&extension.to_uppercase()).map(|format| format.name), Some(format.name));
        }
    }
    assert!(by_name("doc").is_none() && by_extension("doc").is_none());
    let read: Vec<&str> = FORMATS.iter().filter(|format| format.reader.is_some()).map(|format| format.name).collect();
    assert_eq!(read, ["sgf", "pgn", "fen"], "the others are for eyes");
}
