//! `cluedo assist` at the terminal.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Stdio;

use rustix::process::{Pid, Signal, kill_process};

use crate::support::{PROGRAM, TemporaryFile, command, run};

/// A game in which Carl's card follows from three entries.
pub(super) const GAME: &str = "players me Anna Ben Carl\n\
    me plum rope hall study knife\n\
    anna suggests scarlett candle kitchen; ben passes; carl shows\n\
    me suggest green spanner lounge; ben shows me spanner\n\
    ben suggests rose chandelier cuisine; carl passes; me pass; anna shows\n";

/// Runs the helper in a folder of its own, where it keeps what nobody saved; returns what it says there, and on the
/// other stream.
fn assist_in(folder: &TemporaryFile, lines: &str) -> (String, String) {
    assist_with(folder, &[], lines)
}

fn assist_with(folder: &TemporaryFile, options: &[&str], lines: &str) -> (String, String) {
    std::fs::create_dir_all(&folder.0).expect("a folder");
    let mut helper = command(&["assist"]);
    helper.args(options).current_dir(&folder.0);
    let output = run(helper, lines.as_bytes());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (text(output.stdout), text(output.stderr))
}

pub(super) fn assist(lines: &str) -> String {
    let folder = TemporaryFile::new();
    let (said, _) = assist_in(&folder, lines);
    std::fs::remove_dir_all(&folder.0).expect("it is ours");
    said
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
        (
            "me plumm",
            "Unknown card \"plumm\": type its number or the beginning of its name; --deck FILE names other cards.",
        ),
        ("open nofile.txt", "nofile.txt: No such file or directory (os error 2)."),
        ("undo", "Taken back: Cards in hand: you 5, Anna 5, Ben 4, Carl 4."),
        ("players me, Mary Ann, mary ann", "Two players are called mary ann."),
        ("solution has rope knife", "Name one card instead of \"rope knife\"."),
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

/// What the helper understood: lines that repeat an entry.
fn entries(said: &str) -> Vec<&str> {
    said.lines().filter(|line| line.starts_with(|first: char| first.is_ascii_digit()) && line.contains(". ")).collect()
}

#[test]
fn names_of_cards_as_people_write_them() {
    let lines = "players me Anna Ben\nanna has prof plum\nAnna suggests Col Mustard in the dining room with the rope\n\
        anna lacks rev green\nanna lacks dining r\nanna has wrench\nben lacks Dr Orchid\nben lacks lead piping\n\
        ben has ball room\nben lacks billiards\nanna lacks dagger\nme has clé anglaise\nanna lacks s manger\n\
        ben suggests le docteur olive dans la salle de bal avec la barre de fer; nobody shows\n";
    let expected = [
        "1. Anna has Professor Plum.",
        "2. Anna suggests Colonel Mustard, Rope, Dining room.",
        "3. Anna does not have Reverend Green.",
        "4. Anna does not have the Dining room.",
        "5. Anna has the Spanner.",
        "6. Ben does not have Mrs White.",
        "7. Ben does not have the Lead pipe.",
        "8. Ben has the Ballroom.",
        "9. Ben does not have the Billiard room.",
        "10. Anna does not have the Knife.",
        "11. You have the Spanner.",
        "12. Anna does not have the Dining room.",
        "13. Ben suggests Reverend Green, Lead pipe, Ballroom: you pass, Anna passes.",
    ];
    let said = assist(lines);
    let entries: Vec<&str> = entries(&said).into_iter().filter(|line| !line.contains("deals are left")).collect();
    assert_eq!(entries, expected, "{said}");
}

#[test]
fn names_of_players_as_people_have_them() {
    let said = assist(
        "players Mary Ann, me, Tom Jones\nmary ann suggests plum rope hall; I pass; tom j shows\nTom Jones lacks knife\n\
         why mary ann knife\nwhy tom jones not knife\n",
    );
    assert!(
        said.contains("1. Mary Ann suggests Professor Plum, Rope, Hall: you pass, Tom Jones shows a card."),
        "{said}"
    );
    assert!(said.contains("2. Tom Jones does not have the Knife."), "{said}");
    assert!(said.contains("That is not certain: Mary Ann has the Knife in "), "{said}");
    assert!(said.contains("Tom Jones does not have the Knife, because of entry 2:"), "{said}");
    let accents = "players Zoë me François Łukasz Ann Anna\nzoe has rope\nFRANCOIS lacks rope\nlukasz has hall\n\
        zoe\u{308} lacks plum\nann has knife\nan has study\n";
    let said = assist(accents);
    for expected in ["1. Zoë has", "2. François does", "3. Łukasz has", "4. Zoë does not", "5. Ann has the Knife."]
    {
        assert!(said.contains(expected), "{expected}: {said}");
    }
    assert!(said.ends_with("\"an\" may be several players: Ann, Anna: type more of the name.\n"), "{said}");
}

#[test]
fn nothing_that_was_noted_is_lost() {
    let noted = "players me Anna Ben\nme scarlett white peacock rope hall lounge\n\
        Anna suggests mustard knife kitchen; ben shows\n";
    let entry = "1. Anna suggests Colonel Mustard, Knife, Kitchen: Ben shows a card.\n";
    let hand = "You hold Miss Scarlett, Mrs White, Mrs Peacock, the Rope, the Hall and the Lounge.\n";
    let listed = format!("{hand}{entry}");
    for (lines, what) in [
        ("players me Anna Ben Carl\nlist\n", "a fourth player"),
        ("players me Ben Anna\nlist\n", "another order"),
        ("players me Anna Carl\nlist\n", "a player of an entry is missing"),
        ("new\nundo\nlist\n", "a new game"),
        ("new\nplayers a b me\nundo\nundo\nlist\n", "a new game with players"),
        ("delete 1\nundo\nlist\n", "a deleted entry"),
        ("change 1 ben has rope\nundo\nlist\n", "a changed entry"),
        ("hands 5 6 7\nundo\nlist\n", "a hand of another size"),
        ("public scarlett\nundo\nlist\n", "a card that lies open"),
        ("me rope knife hall study kitchen plum\nundo\nlist\n", "another hand"),
        ("anna has plum\nundo\nundo\nanna suggests mustard knife kitchen; ben shows\nlist\n", "two steps back"),
    ] {
        let said = assist(&format!("{noted}{lines}"));
        assert!(said.ends_with(&listed), "{what}: {said}");
    }
    let said = assist(&format!("{noted}players me Anna Carl\n"));
    let refused = "Entries name Ben, who would be missing: delete them, or begin another game with new.\n";
    assert!(said.ends_with(refused), "{said}");
    assert!(assist(&format!("{noted}hands 5 6 7\n")).contains("Ben 7. Type your hand again.\n"));
    // A file that is opened puts the game away.
    let folder = TemporaryFile::new();
    let (said, _) =
        assist_in(&folder, &format!("{noted}save one\nnew\nplayers a b\na has rope\nopen one\nundo\nlist\n"));
    assert!(said.contains("The game before is put away: undo brings it back."), "{said}");
    assert!(said.ends_with("1. A has the Rope.\n"), "{said}");
    // The end of input, quit and Ctrl-C say how to go on.
    std::fs::remove_dir_all(&folder.0).expect("it is ours");
    let (_, told) = assist_in(&folder, noted);
    assert_eq!(told, "cluedo: the game is in cluedo-game.txt: go on with cluedo assist, then open cluedo-game.txt\n");
    let (said, told) = assist_in(&folder, "open cluedo-game.txt\nlist\nquit\n");
    assert!(said.ends_with(&listed) && told.is_empty(), "{said}{told}");
    let (_, told) = assist_in(&folder, &format!("{noted}save two\nquit\n"));
    assert_eq!(told, "");
    // So do commands that put a game away, unless a file has it.
    for (line, name) in [("new", "cluedo-game-2.txt"), ("open two", "cluedo-game-3.txt"), ("save x\nnew", "")] {
        let (_, told) = assist_in(&folder, &format!("{noted}{line}\nquit\n"));
        assert!(
            if name.is_empty() { told.is_empty() } else { told.ends_with(&format!("then open {name}\n")) },
            "{told}"
        );
    }
    let (_, told) = assist_in(&folder, &format!("{noted}quit\n"));
    assert!(told.contains("cluedo-game-4.txt"), "{told}");
    let mut child = std::process::Command::new(PROGRAM)
        .arg("assist")
        .current_dir(&folder.0)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(noted.as_bytes()).expect("it reads");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    assert!(lines.any(|line| line.expect("text") == entry.trim_end()));
    kill_process(Pid::from_child(&child), Signal::INT).expect("it runs");
    let output = amazons_testing::output_of(child);
    drop(input);
    assert_eq!(output.status.code(), Some(130));
    assert!(String::from_utf8_lossy(&output.stderr).contains("the game is in cluedo-game-5.txt: go on"), "{output:?}");
    let (said, _) = assist_in(&folder, "open cluedo-game-5.txt\nlist\n");
    assert!(said.ends_with(&listed), "{said}");
    std::fs::remove_dir_all(&folder.0).expect("it is ours");
}

#[test]
fn what_is_known_of_the_solution() {
    let said = assist(
        "players me Anna Ben\nnobody has rope\nHall is in the solution\nsolution lacks plum\nthe solution has green\n\
         why solution rope\nplayers me Anna Ben Carl\nlist\ncards\n",
    );
    for expected in [
        "1. The Rope is in the solution.\n",
        "2. The Hall is in the solution.\n",
        "3. Professor Plum is not in the solution.\n",
        "4. Reverend Green is in the solution.\n17,153,136 deals are left.\n",
        "  Entry 1: the Rope is in the solution.\n",
        "Weapon: 6 Candlestick, 7 Knife, 8 Lead pipe, 9 Revolver, 10 Rope, 11 Spanner\n",
    ] {
        assert!(said.contains(expected), "{expected}: {said}");
    }
    // The solution is still the solution when there is one more player.
    assert_eq!(said.matches("1. The Rope is in the solution.\n").count(), 2, "{said}");
}

#[test]
fn a_byte_order_mark_is_no_text() {
    let file = TemporaryFile::new();
    std::fs::write(&file.0, "\u{feff}players me Anna Ben\r\nben has rope\r\n").expect("written");
    let opened = assist(&format!("\u{feff}open {}\r\n", file.name()));
    assert!(opened.contains("1. Ben has the Rope.\n"), "{opened}");
    assert!(assist("\u{feff}players me Anna Ben\r\n").starts_with("Cards in hand: you 6"));
}

#[test]
fn helps_with_other_decks() {
    let file = TemporaryFile::new();
    std::fs::write(&file.0, "who: Ann, Bob/Robert, Cy\nwith: rope, knife\nwhere: attic, cellar\n").expect("written");
    let lines = "players me Eve\npublic cy\nme robert knife\neve suggests ann rope attic\nask\nchances\nwhy\n";
    let folder = TemporaryFile::new();
    let (said, told) = assist_with(&folder, &["--deck", file.name()], lines);
    assert!(told.contains(&format!("go on with cluedo assist --deck {}, then open", file.name())), "{told}");
    std::fs::remove_dir_all(&folder.0).expect("it is ours");
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
    let folder = TemporaryFile::new();
    let lines = "players a b c d\na suggests 0 5 10; nobody shows\nask\nnotes\n";
    let (said, _) = assist_with(&folder, &["--deck", "4"], lines);
    std::fs::remove_dir_all(&folder.0).expect("it is ours");
    assert!(said.contains("1. A suggests place 0, weapon 5, person 10: b passes, c passes, d passes."), "{said}");
    assert!(said.contains("You only watch"), "{said}");
    assert!(said.contains("place 0"), "{said}");
}
