//! `cluedo assist` at the terminal.

use crate::support::{TemporaryFile, command, run, said};

/// A game in which Carl's card follows from three entries.
const GAME: &str = "players me Anna Ben Carl\n\
    me plum rope hall study knife\n\
    anna suggests scarlett candle kitchen; ben passes; carl shows\n\
    me suggest green spanner lounge; ben shows me spanner\n\
    ben suggests rose chandelier cuisine; carl passes; me pass; anna shows\n";

fn assist(lines: &str) -> String {
    said(command(&["assist"]), lines.as_bytes())
}

#[test]
fn says_what_follows_and_why() {
    let said = assist(&format!("{GAME}delete 3\ncarl lacks scarlett\ncarl lacks kitchen\nwhy carl candlestick\n"));
    let expected = "\
Cards in hand: you 5, Anna 5, Ben 4, Carl 4.
250,092,722,880 deals are left.
You hold Professor Plum, the Knife, the Rope, the Study and the Hall.
12,612,600 deals are left.
1. Anna suggests Miss Scarlett, Candlestick, Kitchen: Ben passes, Carl shows a card.
3,660,300 deals are left.
2. You suggest Reverend Green, Spanner, Lounge: Anna passes, Ben shows you the Spanner.
432,572 deals are left.
3. Ben suggests Miss Scarlett, Candlestick, Kitchen: Carl passes, you pass, Anna shows a card.
Entries 1 and 3 contradict each other:
  Entry 3: Carl passed. So Carl does not have Miss Scarlett, the Candlestick or the Kitchen.
  Entry 1: Carl showed one of Miss Scarlett, the Candlestick and the Kitchen, but Carl can have none of them (entry 3).
Change or delete one of them.
Deleted: Ben suggests Miss Scarlett, Candlestick, Kitchen: Carl passes, you pass, Anna shows a card. Later entries move up.
432,572 deals are left.
3. Carl does not have Miss Scarlett.
236,460 deals are left.
4. Carl does not have the Kitchen.
Carl has the Candlestick, because of entries 1, 3 and 4.
79,800 deals are left.
Carl has the Candlestick, because of entries 1, 3 and 4:
  Entry 3: Carl does not have Miss Scarlett.
  Entry 4: Carl does not have the Kitchen.
  Entry 1: Carl showed one of Miss Scarlett, the Candlestick and the Kitchen. Carl does not have Miss Scarlett or the Kitchen (entry 3; entry 4), so it was the Candlestick.
";
    assert_eq!(said, expected);
}

#[test]
fn saves_and_opens_a_game() {
    let file = TemporaryFile::new();
    let name = file.name();
    let said = assist(&format!("{GAME}change 3 ben accuses green rope hall\nsave {name}\ndelete 1\nopen {name}\n"));
    assert!(said.ends_with("deals are left.\n"), "{said}");
    let saved = file.text();
    let expected = "# cluedo assist --deck classic\nplayers me Anna Ben Carl\nhands 5 5 4 4\n\
        me Professor Plum, Knife, Rope, Study, Hall\n\
        Anna suggests Miss Scarlett, Candlestick, Kitchen; Ben passes; Carl shows\n\
        me suggests Reverend Green, Spanner, Lounge; Anna passes; Ben shows Spanner\n\
        Ben accuses Reverend Green, Rope, Hall\n";
    assert_eq!(saved, expected);
    let again = assist(&format!("open {name}\nsave {name}\n"));
    assert_eq!(file.text(), saved);
    let left = |said: &str| said.lines().rfind(|line| line.ends_with("left.")).map(str::to_owned);
    assert_eq!(left(&again), left(&said));
}

#[test]
fn wrong_lines_are_explained() {
    let cases = [
        ("list", "First say who plays, in order: players me Anna Ben."),
        ("players me", "2 to 10 can play: these are 1."),
        ("players me I Ben", "Only one of the players can be me."),
        ("players me Ben ben", "Two players are called ben."),
        ("dance", "\"dance\" is neither a command nor a player: type help."),
        ("hands 5 5 4 5", "The hands hold 19 cards in all, but 18 are dealt: type hands and a number for each player."),
        ("hands a b", "Type how many cards each player holds, in order: hands 5 5 4 4."),
        ("me plum", "Your hand has 5 cards: type exactly as many."),
        ("me plumm", "Unknown card \"plumm\": type its number or the beginning of its name."),
        ("anna suggests plum white hall", "Name one suspect, one weapon and one room."),
        (
            "anna suggests plum rope hall; anna passes",
            "Anna cannot answer here: everybody but the one who suggests is asked once.",
        ),
        ("anna suggests plum rope hall; ben shows knife", "Knife was not named."),
        (
            "anna suggests plum rope hall; ben sings",
            "\"ben sings\" is not an answer: type ben passes, ben shows, or ben shows me rope.",
        ),
        ("anna suggests plum rope hall; ben shows; carl shows", "Only the last player who was asked can show a card."),
        ("anna sings", "\"sings\" is not known: a player suggests, accuses, has or lacks cards."),
        ("change 7 anna has rope", "There is no entry 7."),
        ("delete x", "Type the number of an entry; list shows them."),
        ("why rope", "\"rope\" is not a player: they are me, Anna, Ben, Carl."),
        ("open", "Name a file: open game.txt."),
    ];
    for (line, expected) in cases {
        let is_early = line == "list" || line.starts_with("players");
        let before = if is_early { "" } else { "players me Anna Ben Carl\n" };
        let said = assist(&format!("{before}{line}\n"));
        assert_eq!(said.lines().last(), Some(expected), "{line}");
    }
    let long = "x".repeat(10_000);
    assert_eq!(assist(&format!("{long}\nquit\n")), "this line is too long: a line has at most 4096 bytes\n");
    let output = run(command(&["assist"]), b"\xff\n");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "this line is not UTF-8 text\n");
}

#[test]
fn helps_with_other_decks() {
    let file = TemporaryFile::new();
    std::fs::write(&file.0, "who: Ann, Bob/Robert, Cy\nwith: rope, knife\nwhere: attic, cellar\n").expect("written");
    let lines = "players me Eve\npublic cy\nme robert knife\neve suggests ann rope attic\nask\nchances\nwhy\n";
    let said = said(command(&["assist", "--deck", file.name()]), lines.as_bytes());
    assert!(said.contains("You hold Bob and knife."), "{said}");
    // Eve holds a place; the other cards are the solution.
    assert!(said.contains("Rope is in the solution, because of your hand."), "{said}");
    assert!(said.contains("Ann, rope, attic: 1 of 2 deals, 50.0 %"), "{said}");
    for (deck, expected) in [("11", "2 to 10 can play"), ("/nowhere", "No such file"), ("Cargo.toml", "three lines")] {
        let output = run(command(&["assist", "--deck", deck]), b"");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && errors.contains(expected), "{errors}");
        assert_eq!(errors.lines().count(), 1);
    }
}

#[test]
fn helps_players_of_the_course_and_spectators() {
    let said =
        said(command(&["assist", "--deck", "4"]), b"players a b c d\na suggests 0 5 10; nobody shows\nask\nnotes\n");
    assert!(said.contains("1. A suggests place 0, weapon 5, person 10: b passes, c passes, d passes."), "{said}");
    assert!(said.contains("You only watch"), "{said}");
    assert!(said.contains("place 0"), "{said}");
}
