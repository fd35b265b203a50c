use super::{Ran, player, server};

/// Checks that wrong usage gives one line, nothing on standard output, and status 2.
fn assert_complaint(ran: &Ran, expected: &str) {
    assert_eq!(ran.err, format!("server: {expected}\n"));
    assert_eq!((ran.status, ran.out.as_str()), (2, ""));
}

fn complains(args: &[&str], expected: &str) {
    let random = player("random");
    assert_complaint(&server(args.iter().copied().chain([random.as_str(), random.as_str()])), expected);
}

#[test]
fn wrong_options_name_the_option_the_value_and_what_is_allowed() {
    complains(&["-m", "4"], "-m: '4' is not allowed: use a whole number from 5 to 1000");
    complains(&["-m", "abc"], "-m: 'abc' is not allowed: use a whole number from 5 to 1000");
    complains(&["-m", "-3"], "-m: '-3' is not allowed: use a whole number from 5 to 1000");
    complains(&["-m", "1001"], "-m: '1001' is not allowed: use a whole number from 5 to 1000");
    complains(&["-t", "x"], "-t: 'x' is not allowed: use c, d, t, 8");
    complains(&["--directions", "rang"], "--directions: 'rang' is not allowed: use subject, ring (did you mean ring?)");
    complains(&["--first", "3"], "--first: '3' is not allowed: use 1, 2, random");
    complains(&["--sed", "3"], "unknown option --sed: did you mean --seed?");
    complains(&["--move_time", "3"], "unknown option --move_time: did you mean --move-time?");
    complains(&["-z"], "unknown option -z: see --help");
    complains(&["--json", "--quiet"], "--json cannot be used with --quiet");
    complains(&["--seed", "1", "--seed", "2"], "--seed is given twice");
    complains(&["--seed", "-1"], "--seed: '-1' is not allowed: use a whole number from 0 to 18446744073709551615");
    complains(
        &["--move-time", "-1"],
        "--move-time: '-1' is not allowed: use seconds or milliseconds, such as 2, 0.5 or 500ms, from 1ms to a week",
    );
    complains(&["--max-moves", "0"], "--max-moves: '0' is not allowed: use a whole number from 1");
    for time in ["x", "0", "-1", "inf", "NaN", "1e30", "5m", ""] {
        let expected = "use seconds or milliseconds, such as 2, 0.5 or 500ms, from 1ms to a week";
        complains(&[&format!("--move-time={time}")], &format!("--move-time: '{time}' is not allowed: {expected}"));
    }
}

#[test]
fn players_that_cannot_play_are_refused_before_the_game() {
    let random = player("random");
    assert_complaint(&server::<&str>([]), "missing PLAYER1 and PLAYER2: see --help");
    assert_complaint(&server([&random]), "missing PLAYER2: see --help");
    assert_complaint(
        &server([&random, &random, &random]),
        "too many arguments: give two players, or a command and what belongs to it",
    );
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, content: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, content).expect("a file");
        path.into_os_string().into_string().expect("text")
    };
    let missing = folder.path().join("missing.so").into_os_string().into_string().expect("text");
    assert_complaint(
        &server([&random, &missing]),
        &format!("player 2: cannot read {missing}: No such file or directory (os error 2)"),
    );
    let text = file("text.so", "a text file, not a player");
    assert_complaint(
        &server([&text, &random]),
        &format!("player 1: {text} is not a shared library: invalid ELF header"),
    );
    let short = file("short.so", "x");
    assert_complaint(&server([&random, &short]), &format!("player 2: {short} is not a shared library: file too short"));
    let folder = folder.path().display().to_string();
    assert_complaint(
        &server([&random, &folder]),
        &format!("player 2: {folder} is not a shared library: it is a folder"),
    );
    assert_complaint(
        &server([&random, "/dev/null"]),
        "player 2: /dev/null is not a shared library: it is a device or a pipe",
    );
}

#[test]
fn wrong_positions_are_refused() {
    complains(
        &["--position", "3k/4 w"],
        "--position: column 2: unexpected 'k': ranks hold q, Q, * and numbers of free squares",
    );
    complains(&["--position", "4/4 w", "-m", "5"], "--position: there are 2 ranks, expected 5");
    complains(
        &["--position", "qq2/Q3 w"],
        "--position: 2 black and 1 white queens: both sides need the same number, at least one",
    );
    complains(
        &["--position", "4/4 w"],
        "--position: 0 black and 0 white queens: both sides need the same number, at least one",
    );
}

#[test]
fn files_that_exist_are_not_overwritten() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("game.jsonl");
    std::fs::write(&path, "precious").expect("a file");
    let name = path.display().to_string();
    complains(&["--record", &name], &format!("--record: cannot make {name}: File exists (os error 17)"));
    assert_eq!(std::fs::read_to_string(&path).expect("a file"), "precious");
    complains(&["--log-dir", &name], &format!("--log-dir: cannot make {name}: File exists (os error 17)"));

    // A game that cannot begin leaves nothing that would be in the way of the next.
    let (record, logs) = (folder.path().join("new.jsonl"), folder.path().join("logs"));
    std::fs::create_dir(&logs).expect("a folder");
    std::fs::write(logs.join("player2.log"), "precious").expect("a file");
    let (record_name, logs_name) = (record.display().to_string(), logs.display().to_string());
    complains(
        &["--record", &record_name, "--log-dir", &logs_name],
        &format!("--log-dir: cannot make {logs_name}/player2.log: File exists (os error 17)"),
    );
    assert!(!record.exists() && !logs.join("player1.log").exists());
    assert_eq!(std::fs::read_to_string(logs.join("player2.log")).expect("a file"), "precious");
}

#[test]
fn what_cannot_be_written_is_our_failure_and_never_a_panic() {
    let run = |redirections: &str, args: &str| {
        let command = format!("'{}' {args} {redirections}", crate::support::server().display());
        let output = std::process::Command::new("sh").args(["-c", &command]).output().expect("a shell");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    assert_eq!(run("2>/dev/full", "-m 4 x x"), (Some(2), String::new()));
    for (args, what) in [
        ("completions bash", "cannot write the completion script: "),
        ("man", "cannot write the manual page: "),
        ("--help", ""),
    ] {
        let (status, message) = run(">/dev/full", args);
        assert_eq!(message, format!("server: {what}No space left on device (os error 28)\n"), "{args}");
        assert_eq!(status, Some(70), "{args}");
    }
}

#[test]
fn names_cannot_speak_to_the_terminal() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("b\x1b[31m.so");
    std::fs::copy(crate::support::player("random"), &path).expect("a copy");
    let named = server([path.as_os_str(), player("random").as_ref(), "-m".as_ref(), "5".as_ref()]);
    assert_eq!(named.status, 0);
    assert!(named.out.contains("b\\u{1b}[31m.so") && !named.out.contains('\x1b'), "{}", named.out);
    let missing = server(["a\x1b[2J\nserver: all is well", "b"]);
    assert_eq!(missing.err.lines().count(), 1);
    assert!(!missing.err.contains('\x1b'), "{}", missing.err);
}

#[test]
fn help_and_version_go_to_standard_output() {
    for (option, start) in
        [("--help", "The game of the Amazons"), ("-h", "The game of the Amazons"), ("--version", "server ")]
    {
        let ran = server([option]);
        assert_eq!((ran.status, ran.err.as_str()), (0, ""));
        assert!(ran.out.starts_with(start), "{}", ran.out);
    }
}
