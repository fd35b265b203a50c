use crate::cli::server;

#[test]
fn a_win_is_told_with_a_move() {
    let ran = server(["solve", "-m", "5", "-t", "8", "--table", "1M"]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(lines[0], "black wins with b5-b4/e1");
    assert!(
        lines[1].starts_with("116 positions searched, 116 in the table, a proof of 117 positions, "),
        "{}",
        ran.out
    );
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
    let undecided = server(["solve", "--json", "-m", "5", "--nodes", "50"]);
    let solved: serde_json::Value = serde_json::from_str(&undecided.out).expect("JSON");
    assert!(solved["winner"].is_null() && solved["move"].is_null() && solved["proof_positions"].is_null());
    assert_eq!(solved["nodes"].as_u64(), Some(50));
    assert_eq!(undecided.status, 1);
}

#[test]
fn limits_and_wrong_usage_are_one_line() {
    let ran = server(["solve", "-m", "5", "--nodes", "50"]);
    assert_eq!((ran.status, ran.out.lines().next()), (1, Some("undecided")));
    assert_eq!(ran.err, "server: undecided after 50 positions: raise --nodes or --time\n");
    let timed = server(["solve", "-m", "5", "--time", "10ms"]);
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
        (&["solve", "q1/1Q b", "--position", "q1/1Q b"], "POSITION cannot be used with --position"),
        (&["solve", "-m", "20"], "cannot solve this position: 400 vertices without an arrow are too many: at most 256"),
    ] {
        let ran = server(args);
        assert_eq!((ran.status, ran.out.as_str(), ran.err), (2, "", format!("server: {complaint}\n")));
    }
    let ran = server(["solve", "--table", "1024T"]);
    assert!(ran.err.starts_with("server: --table: 1073741824 MiB are more than the "), "{}", ran.err);
    assert_eq!((ran.status, ran.err.lines().count()), (2, 1));
}
