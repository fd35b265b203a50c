use crate::cli::server;

#[test]
fn a_win_is_told_with_a_move() {
    let ran = server(["solve", "-m", "5", "-t", "8", "--table", "1M"]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(lines[0], "black wins with b5-b4/e1");
    assert!(lines[1].starts_with("126 positions searched, 11 in the table, a proof of 117 positions, "), "{}", ran.out);
    let together = server(["solve", "-m", "5", "-t", "8", "--table", "1M", "--threads", "2"]);
    assert!(together.status == 0 && together.out.starts_with("black wins with "), "{together:?}");
    let lost = server(["solve", "1qq1/q2q/Q2Q/1QQ1 w"]);
    assert!(lost.out.starts_with("black wins: every move of the side to move loses\n"), "{}", lost.out);
    let same = server(["solve", "--position", "1qq1/q2q/Q2Q/1QQ1 w"]);
    assert_eq!(same.out.lines().next(), lost.out.lines().next());
}

#[test]
fn json_has_all_of_it() {
    let ran = server(["solve", "--json", "q1/1Q b"]);
    let solved: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!((ran.status, solved["position"].as_str()), (0, Some("q1/1Q b - - 0 1")));
    assert_eq!((solved["winner"].as_str(), solved["move"].is_string()), (Some("white"), false));
    let undecided = server(["solve", "--json", "-m", "5", "--anew", "--nodes", "50"]);
    let solved: serde_json::Value = serde_json::from_str(&undecided.out).expect("JSON");
    assert!(solved["winner"].is_null() && solved["move"].is_null() && solved["proof_positions"].is_null());
    assert_eq!((solved["nodes"].as_u64(), solved["limit"].as_str()), (Some(50), Some("nodes")));
    assert_eq!(undecided.status, 1);
}

#[test]
fn limits_and_wrong_usage_are_one_line() {
    let ran = server(["solve", "-m", "5", "--anew", "--nodes", "50"]);
    assert_eq!((ran.status, ran.out.lines().next()), (1, Some("undecided")));
    assert_eq!(ran.err, "server: undecided after 50 positions: raise --nodes\n");
    let timed = server(["solve", "-m", "5", "--anew", "--time", "10ms"]);
    assert_eq!(timed.status, 1, "{}", timed.err);
    for (args, complaint) in [
        (
            &["solve", "nonsense"][..],
            "--position: column 1: unexpected 'n': ranks hold q, Q, * and numbers of free squares",
        ),
        (&["solve", "--nodes", "0"], "--nodes: '0' is not allowed: use a whole number from 1"),
        (
            &["solve", "--table", "1K"],
            "--table: '1K' is not allowed: use bytes, or a number with K, M, G or T, from 1M to 1024T",
        ),
        (&["solve", "Q w"], "--position: a board of one square has no moves: expected two squares or more"),
        (&["solve", "q1/1Q b", "--ply", "1"], "--ply and --game are for files with games"),
        (&["solve", "q1/1Q b", "--position", "q1/1Q b"], "POSITION|GAME cannot be used with --position"),
        (&["solve", "-m", "20"], "cannot solve this position: 400 vertices without an arrow are too many: at most 256"),
    ] {
        let ran = server(args);
        assert_eq!((ran.status, ran.out.as_str(), ran.err), (2, "", format!("server: {complaint}\n")));
    }
    let ran = server(["solve", "--table", "1024T"]);
    assert!(ran.err.starts_with("server: --table: 1073741824 MiB are more than the "), "{}", ran.err);
    assert_eq!((ran.status, ran.err.lines().count()), (2, 1));
}

#[test]
fn the_size_of_a_proof_is_told_as_far_as_it_is_known() {
    let position = "1qq1/4/4/1QQ1 w";
    let told = |options: &[&str]| {
        let ran = server([&["solve", position, "--table", "1M"], options].concat());
        assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{options:?}");
        ran.out
    };
    assert!(told(&[]).contains(", a proof of 1723 positions, "), "{}", told(&[]));
    let nodes = told(&["--nodes", "3220"]);
    assert!(nodes.contains(", a proof too large to be counted within --nodes, "), "{nodes}");
    let none = told(&["--no-proof"]);
    assert!(none.contains(", the proof not counted, "), "{none}");
    let limit = |options: &[&str]| {
        let solved: serde_json::Value = serde_json::from_str(&told(&[&["--json"], options].concat())).expect("JSON");
        (solved["proof_positions"].as_u64(), solved["limit"].as_str().map(str::to_owned))
    };
    assert_eq!(limit(&[]), (Some(1723), None));
    assert_eq!(limit(&["--nodes", "3220"]), (None, Some("nodes".to_owned())));
    assert_eq!(limit(&["--no-proof"]), (None, None));
}

#[test]
fn files_games_and_lists_of_positions_are_solved() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("a file");
        path.display().to_string()
    };
    let first = |args: &[&str]| server([&["solve"], args].concat()).out.lines().next().map(str::to_owned);
    let fen = at("a.fen", "\u{feff}q1/1Q b\r\n");
    assert_eq!(first(&[&fen]).as_deref(), Some("white wins: every move of the side to move loses"));
    let pgn = at("a.pgn", "[FEN \"q3/4/4/3Q b\"]\n1... a4-a3/a4 d1-d2/d1 *\n[FEN \"q1/1Q b\"]\n*\n");
    let (last, begin) = (first(&[&pgn, "--game", "1"]), first(&[&pgn, "--ply", "0", "--game", "1"]));
    assert!(last.is_some_and(|line| line.contains(" wins")) && begin.is_some_and(|line| line.contains(" wins")));
    assert_eq!(first(&[&pgn, "--game", "2"]).as_deref(), Some("white wins: every move of the side to move loses"));
    let list = "q1/1Q b\n\n*Q* w\nq1/1Q w\n";
    let mut command = std::process::Command::new(crate::support::server());
    let ran = crate::cli::fed(command.args(["solve", "--stdin", "--json"]), list.as_bytes());
    let winners: Vec<serde_json::Value> = String::from_utf8(ran.stdout)
        .expect("text")
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON")["winner"].clone())
        .collect();
    assert_eq!((ran.status.code(), winners), (Some(0), vec!["white".into(), "black".into(), "black".into()]));
}
