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
    complains(&["--directions", "rang"], "--directions: 'rang' is not allowed: use ring, subject (did you mean ring?)");
    complains(&["--first", "3"], "--first: '3' is not allowed: use 1, 2, random");
    complains(&["--sed", "3"], "unknown option --sed: did you mean --seed?");
    complains(&["--move_time", "3"], "unknown option --move_time: did you mean --move-time?");
    complains(&["-z"], "unknown option -z: see --help");
    complains(&["--json", "--quiet"], "--json cannot be used with --quiet");
    complains(&["--quiet", "--boards", "every"], "--quiet cannot be used with --boards");
    for size in ["1X", "1", "1025T"] {
        let expected = "use bytes, or a number with K, M, G or T, from 16M to 1024T";
        complains(&["--memory", size], &format!("--memory: '{size}' is not allowed: {expected}"));
    }
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
fn options_without_an_effect_are_refused() {
    let inside = "cannot be used with --isolation none: players then run inside the server, which cannot limit them";
    for options in
        [&["--sandbox", "strict"][..], &["--freeze"], &["--memory=1G"], &["--threads=1"], &["--allow-read=/"]]
    {
        let name = if options.len() == 2 { "--sandbox strict" } else { options[0].split('=').next().expect("a name") };
        complains(&[&["--isolation", "none"], options].concat(), &format!("{name} {inside}"));
    }
    complains(
        &["--sandbox", "off", "--allow-read", "/"],
        "--allow-read cannot be used with --sandbox off: players may then read everything",
    );
    complains(&["--allow-read=/"; 33], "--allow-read: 33 paths are too many: at most 32, so name folders");
}

#[test]
fn memory_must_hold_the_board() {
    let expected = "--memory: 16 MiB are too little for this board: a player needs 21 MiB before it begins";
    complains(&["-m", "400", "--memory", "16M"], expected);
}

#[test]
fn options_before_a_command_are_explained() {
    for args in [
        &["--json", "replay", "x"][..],
        &["-q", "replay", "x", "y"],
        &["-m", "5", "replay"],
        &["-m5", "replay", "x"],
        &["--watch", "replay", "x"],
        &["--nodes", "5", "replay", "x"],
    ] {
        assert_complaint(&server(args), "options go after the command: server replay ...");
    }
    // The value of an option is no command.
    assert_complaint(&server(["--record", "replay", &player("random")]), "missing PLAYER2: see --help");
}

#[test]
fn one_word_too_many_and_words_that_are_almost_commands() {
    assert_complaint(&server(["doctor", "x"]), "'x' is one argument too many: server doctor [OPTIONS]");
    assert_complaint(&server(["completions", "bash", "x"]), "'x' is one argument too many: server completions <SHELL>");
    let random = player("random");
    for (typed, meant) in [("chek", "check"), ("replya", "replay"), ("dotor", "doctor")] {
        let expected = format!("there is no file and no command '{typed}': did you mean {meant}?");
        for args in [&[typed][..], &[typed, &random], &[typed, &random, &random]] {
            assert_complaint(&server(args), &expected);
        }
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
    complains(
        &["--record", &name],
        &format!("--record: {name} exists, and nothing is overwritten: name another file, or remove it"),
    );
    assert_eq!(std::fs::read_to_string(&path).expect("a file"), "precious");
    complains(
        &["--log-dir", &name],
        &format!("--log-dir: {name} exists, and nothing is overwritten: name another folder, or remove it"),
    );

    // A game that cannot begin leaves nothing that would be in the way of the next.
    let (record, logs) = (folder.path().join("new.jsonl"), folder.path().join("logs"));
    std::fs::create_dir(&logs).expect("a folder");
    std::fs::write(logs.join("player2.log"), "precious").expect("a file");
    let (record_name, logs_name) = (record.display().to_string(), logs.display().to_string());
    complains(
        &["--record", &record_name, "--log-dir", &logs_name],
        &format!(
            "--log-dir: {logs_name}/player2.log exists, and nothing is overwritten: name another folder, or remove it"
        ),
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
    let help = server(["--help"]).out;
    let under = |option: &str| {
        let before = &help[..help.find(option).unwrap_or_else(|| panic!("{option} is missing"))];
        before.lines().rfind(|line| line.ends_with(':') && !line.starts_with(' ')).expect("a heading").to_owned()
    };
    for (option, heading) in [
        ("--type", "Game:"),
        ("--seed", "Game:"),
        ("--memory", "Limits:"),
        ("--allow-read <", "Safety:"),
        ("--record", "Output:"),
    ] {
        assert_eq!(under(option), heading, "{option}");
    }
    assert!(help.contains("the doctor finds fault") && help.contains("no time limit is enforced"), "{help}");
}
