//! Journals of format 2, with settings as a list of options, are read and continued.

use std::fs;
use std::path::Path;

use amazons::tournament::ladder::{LadderHeader, read};
use amazons::tournament::{Event, Header, read_header};
use sha2::{Digest, Sha256};

use crate::cli::{player, server};

const EVENT: &str = include_str!("../data/old/event-2/journal.jsonl");
const LADDER: &str = include_str!("../data/old/ladder-2/journal.jsonl");

/// The settings of the event as typed.
const GAME: [&str; 24] = [
    "--move-time=2",
    "--game-time=60",
    "--increment=100ms",
    "--freeze",
    "--max-moves",
    "40",
    "--clock",
    "wall",
    "--threads",
    "1",
    "--memory",
    "64M",
    "--log-limit",
    "4K",
    "--init-time",
    "3",
    "--load-time",
    "4",
    "--finalize-time",
    "0.5",
    "--allow-read",
    "/usr",
    "--directions",
    "ring,subject",
];

/// Returns a journal with the current hashes of the players' files.
fn with_our_hashes(journal: &str) -> String {
    let mut journal = journal.to_owned();
    for name in ["random", "territory"] {
        let rest = &journal[journal.find(&format!("{{\"name\":\"{name}\"")).expect("a player")..];
        let old =
            rest.split("\"sha256\":\"").nth(1).and_then(|text| text.split('"').next()).expect("a hash").to_owned();
        let hash = Sha256::digest(fs::read(player(name)).expect("a player"));
        journal = journal.replace(&old, &hash.iter().map(|byte| format!("{byte:02x}")).collect::<String>());
    }
    journal
}

/// The options that a journal of format 2 lists.
fn listed(journal: &str) -> Vec<&str> {
    let list = journal.split("\"game\":[").nth(1).and_then(|text| text.split(']').next()).expect("a list");
    list.split(',').map(|option| option.trim_matches('"')).collect()
}

/// Puts a journal into a folder.
fn write(folder: &Path, journal: &str) {
    fs::create_dir_all(folder).expect("a folder");
    fs::write(folder.join("journal.jsonl"), journal).expect("a file");
}

#[test]
fn an_event_goes_on() {
    let root = tempfile::tempdir().expect("a folder");
    let dir = root.path().join("event");
    let journal = with_our_hashes(EVENT);
    write(&dir, &journal);
    assert_eq!(read_header::<Header>(&dir).expect("a header").plan.game.options(), listed(EVENT));
    assert_eq!(Event::read(&dir).expect("an event").results().games(), 3);
    let play = |plies: &'static str| {
        let dir = dir.display().to_string();
        let options = ["--pairs=3", "--boards=c5", "--seed=7", "--records=none", "-j1", "--dir", &dir];
        let players = [player("random"), player("territory")];
        let options = ["tournament", "-q", "--plies", plies].into_iter().chain(options).chain(GAME);
        server(options.map(str::to_owned).chain(players))
    };
    let refused = play("3");
    assert_eq!(refused.status, 2);
    assert!(refused.err.contains("holds another event: openings: 2 random plies before, 3 random"), "{}", refused.err);
    let ran = play("2");
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(ran.err.contains("going on after 3 games"), "{}", ran.err);
    assert_eq!(Event::read(&dir).expect("an event").results().games(), 6);
    let after = fs::read_to_string(dir.join("journal.jsonl")).expect("a journal");
    assert!(after.starts_with(&journal), "what was written stays");
}

#[test]
fn a_ladder_goes_on() {
    let root = tempfile::tempdir().expect("a folder");
    let dir = root.path().join("ladder");
    let journal = with_our_hashes(LADDER);
    write(&dir, &journal);
    let header: LadderHeader = read_header(&dir).expect("a header");
    assert_eq!(header.ladder.game.options(), listed(LADDER));
    assert_eq!(read(&dir).expect("a ladder").results().games(), 3);
    for (folder, names) in
        [("players", ["random", "territory"]), ("admitted", ["random-828d36bcc441135d", "territory-fcc3a24a48da0326"])]
    {
        fs::create_dir_all(dir.join(folder)).expect("a folder");
        for (name, copy) in ["random", "territory"].into_iter().zip(names) {
            fs::copy(player(name), dir.join(folder).join(format!("{copy}.so"))).expect("a copy");
        }
    }
    let dir_name = dir.display().to_string();
    let options = ["--boards=c5", "--plies=2", "--records=none", "--no-check", "--look=50ms", "-j1", "--games=8"];
    let game = ["--max-moves=40", "--freeze", "--move-time=2"];
    let ran = server(["ladder", &dir_name].into_iter().chain(options).chain(game));
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(ran.err.contains("going on after 3 games"), "{}", ran.err);
    assert_eq!(read(&dir).expect("a ladder").results().games(), 8);
    let after = fs::read_to_string(dir.join("journal.jsonl")).expect("a journal");
    assert!(after.starts_with(&journal), "what was written stays");
}

#[test]
fn a_new_journal_has_a_table() {
    let root = tempfile::tempdir().expect("a folder");
    let dir = root.path().join("event").display().to_string();
    let options = ["--boards=c5", "-j1", "--dir", &dir, "--move-time=2", "--memory=64M", "--freeze", "--init-time=15"];
    let players = [player("random"), player("territory")];
    let ran = server(["tournament", "-q"].into_iter().chain(options).map(str::to_owned).chain(players));
    assert_eq!(ran.status, 0, "{}", ran.err);
    let journal = fs::read_to_string(root.path().join("event/journal.jsonl")).expect("a journal");
    let header = journal.lines().next().expect("a line");
    assert!(header.starts_with("{\"journal\":3,"), "{header}");
    let table = "\"game\":{\"freeze\":true,\"memory\":67108864,\"move-time\":\"2000ms\"}";
    assert!(header.contains(table), "what is the default is left out: {header}");
}
