//! Bad input: one clear line on standard error, and status 2.

use std::fs;

use crate::support::{Folder, run};

#[test]
fn every_error_has_a_line() {
    let rows = [
        ("--size 9x9", "no board of 9x9: width and height are 2 to 16, and width x (height + 1) is at most 64"),
        ("--size 7", "is no size: write WIDTHxHEIGHT, such as 7x6"),
        ("--size 17x2", "no board of 17x2"),
        ("--size 4294967296x6", "no board of 4294967296x6: width and height are 2 to 16"),
        ("--position 0", "--position 0: no column \"0\": columns are 1 to 7 at move 1"),
        ("--position 48", "no column \"8\": columns are 1 to 7 at move 2"),
        ("--position x", "no column \"x\""),
        ("--position 4.5", "no column \".\": columns are 1 to 7 at move 2"),
        ("--position 4444444", "column 4 is full at move 7"),
        ("--position 44556671", "the game is over at move 8"),
        ("--position 4455667", "--position 4455667: the game is over: name a shorter one"),
        ("--first 3", "3 is not in 1..=2"),
        ("somebody", "unknown player \"somebody\": expected human,"),
        ("average", "average: expected a number from 1 to 60, as in average:8, got \"\""),
        ("average:0", "average: expected a number from 1 to 60, as in average:8, got \"0\""),
        ("average:61", "average: expected a number from 1 to 60, as in average:8, got \"61\""),
        ("human human human", "no more were expected"),
        (
            "random random --record /nowhere/game.jsonl",
            "cannot write /nowhere/game.jsonl: there is no folder /nowhere: make it first",
        ),
        ("evaluate -d 0", "0 is not in 1..=60"),
        ("evaluate -d 61", "61 is not in 1..=60"),
        ("evaluate -d 8 -T 9", "task depth 9 with depth 8: it is at least 1 and at most the depth"),
        ("evaluate -d 8 -T 0", "task depth 0 with depth 8: it is at least 1 and at most the depth"),
        ("evaluate 4455667", "position \"4455667\": the game is over: name a shorter one"),
        ("evaluate 4444444", "column 4 is full at move 7"),
        ("evaluate -j 0", "invalid value '0' for '--threads <N>'"),
        ("bench -d 2 -T 3", "task depth 3 with depth 2"),
        ("evaluate -d 40 -T 14", "task depth 14: more than 1000000 positions above the tasks"),
        ("bench -d 4 --model=0", "--model 0: 1 to 1000000 processes"),
        ("bench -d 4 --model=18446744073709551615", "--model 18446744073709551615: 1 to 1000000 processes"),
        ("bench -d 4 --model=2 --latency 18446744073709551615", "18446744073709551615 is not in 0..=60000000"),
        ("match random random -n 4294967294", "name an even number from 2 to 1000000"),
        ("mcts:1099511627776", "expected a number from 1 to 1000000000, as in mcts:10000, got \"1099511627776\""),
        ("bench -d 4 -T 1 --svg /proc/nowhere", "cannot write /proc/nowhere: "),
        ("bench -j 1024", "measure the scheduler"),
        ("average:4 random -j 20000 -q", "a number of threads is 1 to 1024"),
        ("evaluate -j 18446744073709551615", "a number of threads is 1 to 1024"),
        ("match random random -j 1025", "a number of threads is 1 to 1024"),
        ("solve -j 1025", "a number of threads is 1 to 1024"),
        ("book make bb -j 100000 --plies 2 --size 4x4", "a number of threads is 1 to 1024"),
        ("perft -d 0", "0 is not in 1..=60"),
        ("--seed -1", "invalid value '-1' for '--seed <N>': a seed is a number from 0 to 18446744073709551615"),
        ("match random random --seed x", "a seed is a number from 0 to"),
        ("solve -j -1", "invalid value '-1' for '--threads <N>': a number of threads is 1 to 1024"),
        ("evaluate -d -1", "-1 is not in 1..=60"),
        ("book", "requires a subcommand but one was not provided [subcommands: make, check, help]"),
        ("book make .", ".: is a folder: name a file in it"),
        (
            "book make /nowhere/book --size 4x4 --plies 2",
            "/nowhere/book.part: there is no folder /nowhere: make it first",
        ),
        ("random random --record /tmp", "cannot write /tmp: it is a folder: name a file in it"),
        ("book make /dev/null --size 4x4 --plies 2", "/dev/null: is not a file that can be replaced: name another one"),
        ("show /dev/zero", "cannot read /dev/zero: it has more than 16 MiB"),
        ("--resume /dev/zero", "cannot read /dev/zero: it has more than 16 MiB"),
        ("analyze 2252576253462244111563365343671351441 --html /nowhere/page", "cannot write /nowhere/page: "),
        ("show", "required arguments were not provided: <RECORD>"),
        ("--resume /nowhere", "cannot read /nowhere: "),
        ("--resume /nowhere --position 4", "cannot be used with"),
        ("show /nowhere", "cannot read /nowhere: "),
    ];
    for (args, reason) in rows {
        let ran = run(args, "");
        assert_eq!(ran.status, Some(2), "{args}: {ran:?}");
        assert_eq!(ran.err.lines().count(), 1, "{args}: {ran:?}");
        assert!(ran.err.starts_with("connect4: ") && ran.err.contains(reason), "{args}: {ran:?}");
        assert_eq!(ran.out, "", "{args}");
    }
}

#[test]
fn a_full_disk_is_a_failure() {
    // Every write to it fails.
    for args in
        ["random random --record /dev/full", "analyze 2252576253462244111563365343671351441 --from 37 --html /dev/full"]
    {
        let ran = run(args, "");
        assert_eq!(ran.status, Some(70), "{args}: {ran:?}");
        assert!(ran.err.contains("cannot write /dev/full: "), "{args}: {ran:?}");
    }
}

#[test]
fn long_input_is_cut_in_messages() {
    let long = "y".repeat(100_000);
    for args in ["", "solve", "analyze", "evaluate", "show", "--size", "--position", "--seed", "average:1", "perft -d"]
    {
        let (args, last) = args.rsplit_once(' ').unwrap_or(("", args));
        let long = if last.contains(':') { format!("{last}{long}") } else { format!("{last} {long}") };
        let ran = run(&format!("{args} {long}"), "");
        assert_eq!(ran.status, Some(2), "{last}: {}", ran.err.len());
        assert!(ran.err.lines().count() == 1 && ran.err.len() < 600, "{last}: {:.700}", ran.err);
    }
    let ran = run("human random --quiet", &format!("{long}\nsave {long}\nundo {}\nquit\n", "x".repeat(3000)));
    assert_eq!(ran.err.matches("that line is too long").count(), 2, "{:.900}", ran.err);
    assert!(ran.err.contains("unknown command \"undo xxx") && ran.err.len() < 900, "{:.900}", ran.err);
}

#[test]
fn a_record_from_another_editor() {
    let folder = Folder::new("editor");
    let file = folder.file("game");
    let show = |bytes: &[u8]| {
        fs::write(&file, bytes).expect("a file");
        run(&format!("show {}", file.display()), "")
    };
    let (plain, marked) = (show(b"4453\n"), show("\u{feff}4453\r\n".as_bytes()));
    assert_eq!((marked.status, marked.out, marked.err), (Some(0), plain.out, String::new()));
    let latin = show(b"44\n\xe9\n");
    assert_eq!(latin.status, Some(2));
    assert!(latin.err.ends_with("game: line 2: not text (UTF-8): not a record\n"), "{latin:?}");
    let odd = show(format!("{{\"line\": \"{}\"}}", "z".repeat(5000)).as_bytes());
    assert!(odd.err.contains("line 1: not a line of a record: unknown variant `zzz") && odd.err.len() < 400, "{odd:?}");
}

#[test]
fn help_and_version() {
    let (help, version) = (run("--help", ""), run("--version", ""));
    assert_eq!((help.status, version.status), (Some(0), Some(0)));
    assert!(help.out.contains("Usage: connect4") && version.out.starts_with("connect4 "));
}
