//! Files that a person names: huge ones, those without end, and those that are no text.

use std::fs::{self, File};

use crate::support::{PublicFolder, TemporaryFile, command, run, said};

/// The single line of complaint of a run that must end with status 2.
fn complaint(args: &[&str], input: &[u8]) -> String {
    let output = run(command(args), input);
    let said = String::from_utf8(output.stderr).expect("text");
    assert_eq!((output.status.code(), said.lines().count()), (Some(2), 1), "{args:?}: {said}");
    said
}

#[test]
fn files_without_end_are_refused() {
    let cases: [(&[&str], &str); 9] = [
        (&["solve", "/dev/zero"], "/dev/zero: it has more than 16 MiB"),
        (&["replay", "/dev/zero"], "cannot read /dev/zero: it is not a regular file"),
        (&["verify", "/dev/zero"], "cannot read /dev/zero: it is not a regular file"),
        (&["show", "/dev/zero"], "cannot read /dev/zero: it is not a regular file"),
        (&["watch", "/dev/zero"], "/dev/zero is neither a folder nor a file"),
        (&["serve", "0", "1", "--deals", "/dev/zero"], "/dev/zero: it has more than 64 MiB"),
        (&["serve", "--config", "/dev/zero"], "/dev/zero: it has more than 16 MiB"),
        (&["tournament", "/dev/zero"], "/dev/zero: it has more than 16 MiB"),
        (&["assist", "--deck", "/dev/zero"], "--deck /dev/zero: it has more than 16 MiB"),
    ];
    for (args, expected) in cases {
        assert_eq!(complaint(args, b""), format!("cluedo: {expected}\n"));
    }
    assert_eq!(complaint(&["solve", "-"], &vec![b';'; (16 << 20) + 1]), "cluedo: -: it has more than 16 MiB\n");
    let output = run(command(&["assist"]), b"open /dev/zero\n");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "/dev/zero: it has more than 1 MiB.\n");
    // Exactly as much as may be read is read.
    assert!(complaint(&["solve", "-"], &vec![b';'; 16 << 20]).contains("there is no hand"));
}

#[test]
fn lines_without_end_and_bytes_that_are_no_text_are_refused() {
    // A file with a hole: 1 GiB of zeros that take no room.
    let hole = TemporaryFile::new();
    File::create(&hole.0).and_then(|file| file.set_len(1 << 30)).expect("a file");
    for (tool, status) in [("replay", 1), ("show", 2)] {
        let output = run(command(&[tool, hole.name()]), b"");
        let expected = format!("cluedo: {}:1: is longer than 1048576 bytes\n", hole.name());
        assert_eq!(
            (output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()),
            (Some(status), &*expected)
        );
    }
    fs::write(&hole.0, b"B 0 3;C 3 10 11\xff").expect("a file");
    assert!(complaint(&["solve", hole.name()], b"").ends_with(": it is not UTF-8 text\n"));
    // The journal of a tournament.
    let folder = PublicFolder::new();
    let plan = folder.0.join("plan.toml");
    let bots = "[[bots]]\nname = 'a'\nrun = 'builtin:bot1'\n[[bots]]\nname = 'b'\nrun = 'builtin:bot2'\n";
    fs::write(&plan, format!("n = 2\nformat = 'versus'\nblocks = 1\n{bots}")).expect("a plan");
    let journal = File::create(folder.0.join("plan.journal.jsonl")).expect("a file");
    journal.set_len(1 << 30).expect("a file");
    let said = complaint(&["tournament", plan.to_str().expect("text")], b"");
    assert!(said.contains("plan.journal.jsonl: line 1 is too long"), "{said}");
}

/// Files as editors of other systems save them.
#[test]
fn a_byte_order_mark_and_carriage_returns_are_no_text() {
    let (plain, marked) = (TemporaryFile::new(), TemporaryFile::new());
    let as_saved = |text: &str| format!("\u{feff}{}", text.replace('\n', "\r\n"));
    let lines = "B 0 3\nC 3 10 11\nT\n";
    fs::write(&plain.0, lines).expect("a file");
    fs::write(&marked.0, as_saved(lines)).expect("a file");
    let solved = |file: &TemporaryFile| said(command(&["solve", file.name()]), b"");
    assert_eq!(solved(&marked), solved(&plain));
    assert_eq!(said(command(&["solve", "-"]), as_saved(lines).as_bytes()), solved(&plain));
    let game = ["play", "--ais", "2", "--type", "0", "--seed", "1", "--record", plain.name()];
    said(command(&game), b"1 plum rope hall\n");
    fs::write(&marked.0, as_saved(&plain.text())).expect("a file");
    let right = said(command(&["replay", marked.name()]), b"");
    assert!(right.starts_with(&format!("{}: right: ", marked.name())), "{right}");
    let deck = "who: Ann, Bob\nwith: rope, knife\nwhere: attic, cellar\n";
    fs::write(&marked.0, as_saved(deck)).expect("a file");
    assert!(said(command(&["assist", "--deck", marked.name()]), b"players me Eve\n").starts_with("Cards in hand"));
}
