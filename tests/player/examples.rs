//! Examples of the documents.

const PAGE: &str = include_str!("../../docs/players.md");
const SOURCE: &str = include_str!("../../crates/player/src/library.rs");

/// The lines between a fence that opens a block and the next one.
fn block<'a>(lines: impl Iterator<Item = &'a str>, opening: &str) -> Vec<&'a str> {
    let after = lines.skip_while(|line| *line != opening).skip(1);
    after.take_while(|line| *line != "```").filter(|line| !line.is_empty()).collect()
}

/// `make lint` compiles and runs the example of the crate; the page must show the same.
#[test]
fn the_page_shows_the_example_that_is_compiled() {
    let comments = SOURCE.lines().filter_map(|line| line.strip_prefix("///"));
    let compiled = block(comments.map(|line| line.strip_prefix(' ').unwrap_or(line)), "```");
    assert!(compiled.contains(&"export_player!(First);"), "{compiled:?}");
    assert_eq!(block(PAGE.lines(), "```rust"), compiled);
}
