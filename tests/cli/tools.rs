use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;
use std::sync::Arc;

use amazons::bench::{best_first, depth_first};
use amazons_engine::Isa;
use amazons_rules::{Board, Position, Shape};
use amazons_testing::skip;

use super::{ran, server, server_reading};
use crate::support;

const STANDARD: &str = "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w";

#[test]
fn perft_counts() {
    let ran = server(["perft", "-m", "5", "-t", "t", "-d", "3"]);
    assert_eq!(ran.status, 0);
    assert!(ran.out.starts_with("perft(3) = 236666 "), "{}", ran.out);
    let divided = server(["perft", "-m", "5", "-t", "d", "-d", "2", "--divide"]);
    let counts: Vec<u64> = divided
        .out
        .lines()
        .filter(|line| !line.starts_with("perft"))
        .map(|line| line.split(' ').nth(1).and_then(|count| count.parse().ok()).expect("a count"))
        .collect();
    assert_eq!((counts.len(), counts.iter().sum::<u64>()), (16, 238));
}

#[test]
fn moves_are_listed_in_order() {
    let ran = server(["moves", "--position", "q*/1Q b"]);
    assert_eq!(ran.out, "1\ta2-a1/a2\n");
    let many = server(["moves", "--position", STANDARD]);
    let (count, list) = many.out.trim_end().split_once('\t').expect("a tab");
    let moves: Vec<&str> = list.split(' ').collect();
    assert_eq!((count, moves.len()), ("2176", 2176));
    assert!(moves.is_sorted());
}

#[test]
fn moves_of_many_positions_come_from_standard_input() {
    let fed = |input: &str| server_reading(["moves", "--stdin"], input);
    let good = fed("q*/1Q b\n\nq*/*Q b\n");
    assert_eq!((good.status, good.out.as_str()), (0, "1\ta2-a1/a2\n0\t\n"));
    let bad = fed("q*/1Q b\nnonsense\n");
    assert_eq!(bad.status, 2);
    assert_eq!(
        bad.err,
        "server: standard input, line 2: column 1: unexpected 'n': ranks hold q, Q, * and numbers of free squares\n"
    );
}

#[test]
fn completions_and_manual_are_printed() {
    for shell in ["bash", "zsh", "fish"] {
        let ran = server(["completions", shell]);
        assert_eq!(ran.status, 0);
        assert!(ran.out.contains("new-player") && ran.out.contains("max-moves"), "{shell}");
    }
    let manual = server(["man"]);
    assert!(!manual.out.contains("(1)"), "no page that it names is missing: {}", manual.out);
    assert!(manual.out.contains("\n.TP\n\\fBserver new\\-player\\fR\nWrite "), "{}", manual.out);
    assert!(manual.out.contains(".TH server 1") && manual.out.contains("max\\-moves"), "{}", manual.out);
}

/// Installed for everybody, the server has another name.
#[test]
fn completions_and_manual_are_those_of_the_name_that_was_typed() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("amazons-server");
    symlink(support::server(), &program).expect("a link");
    let printed = |args: &[&str]| ran(Command::new(&program).args(args).output().expect("the server can be run")).out;
    for (shell, part) in [
        ("bash", " -o bashdefault -o default amazons-server\n"),
        ("zsh", "#compdef amazons-server\n"),
        ("fish", "\ncomplete -c amazons-server -n "),
    ] {
        let script = printed(&["completions", shell]);
        assert!(script.contains(part), "{script}");
        assert!(!script.lines().any(|line| line.starts_with("complete -c server")), "{script}");
    }
    let manual = printed(&["man"]);
    assert!(manual.contains(".TH amazons-server 1"), "{manual}");
    assert!(manual.contains("\n.TP\n\\fBamazons-server new\\-player\\fR\n"), "{manual}");
    assert!(manual.contains("\n\\fBamazons\\-server\\fR [OPTIONS] PLAYER1 PLAYER2\n"), "{manual}");
    assert!(!manual.contains("(1)") && !manual.contains("\\fBserver") && !manual.contains("Aqserver"), "{manual}");
}

#[test]
fn fish_offers_the_values_of_an_option() {
    if Command::new("fish").arg("--version").output().is_err() {
        return skip("fish is not installed (Debian: apt-get install fish)");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let script = folder.path().join("server.fish");
    fs::write(&script, server(["completions", "fish"]).out).expect("a script");
    let offered = |typed: &str| {
        let mut fish = Command::new("fish");
        fish.args(["--no-config", "-c", "source $argv[1]; complete -C $argv[2]"]).arg(&script).arg(typed);
        fish.env("HOME", folder.path());
        ran(fish.output().expect("fish can be run")).out.lines().map(|line| line.to_owned()).collect::<Vec<_>>()
    };
    let values = |typed: &str| {
        let words = offered(typed).into_iter().filter_map(|line| Some(line.split_once('\t')?.0.to_owned()));
        words.collect::<Vec<_>>()
    };
    assert_eq!(values("server --sandbox "), ["auto", "off", "strict"]);
    assert_eq!(values("server --clock "), ["cpu", "wall"]);
    assert_eq!(values("server -t "), ["8", "c", "d", "t"]);
    assert_eq!(values("server soak --clock "), ["cpu", "wall"]);
    assert!(values("server so").contains(&"soak".to_owned()));
    assert!(values("server --seed 1 so").contains(&"soak".to_owned()));
}

#[test]
fn bench_counts_the_same_nodes_every_time() {
    let ran = server(["bench", "--runs", "1"]);
    assert_eq!(ran.status, 0);
    // A change of rules, move order or random numbers changes this; a change of speed does not.
    assert_eq!(ran.last_line(), "nodes: 40227501", "{}", ran.out);
    let cells = |title: &str, name: &str| -> Vec<String> {
        let mut lines = ran.out.lines().skip_while(|line| !line.starts_with(title));
        let row = lines.find_map(|line| line.strip_prefix(name)).expect("a row of the table");
        row.split_ascii_whitespace().map(str::to_owned).collect()
    };
    // The same searches, in this build, count the same.
    let position = Position::start(Arc::new(Board::new(Shape::FigureEight, 8).expect("a legal size")));
    let depth_first = depth_first(&position, Isa::best(), 5);
    assert_eq!(cells("alpha-beta", "figure-eight 8")[1], depth_first.nodes.to_string());
    let best_first = best_first(&position, Isa::best(), 40_000);
    let row = cells("best-first", "figure-eight 8");
    assert_eq!([&row[1], &row[3]], [&best_first.nodes.to_string(), &best_first.signature.to_string()]);
    let signatures = |title| -> u64 {
        let boards = ["standard 10x10", "square 8", "donut 9", "clover 10", "figure-eight 8", "square 20"];
        boards.iter().map(|name| cells(title, name)[3].parse::<u64>().expect("a count")).sum()
    };
    let search_nodes = signatures("alpha-beta") + signatures("best-first");
    assert_eq!(ran.out.lines().rev().nth(1), Some(format!("search nodes: {search_nodes}").as_str()));
    for isa in Isa::available() {
        let evaluations = cells("evaluations", &format!("10x10 {}", isa.name()));
        assert!(evaluations[1].parse::<u64>().expect("a count") >= 50_000, "{}", ran.out);
        assert!(cells("best-first, 10x10", isa.name())[3].parse::<u64>().expect("a count") > 1_000, "{}", ran.out);
    }
}

#[test]
fn bench_names_a_server_that_cannot_be_compared() {
    let folder = tempfile::tempdir().expect("a folder");
    let missing = folder.path().join("missing");
    let missing = missing.to_str().expect("text");
    let ran = server(["bench", "--compare", missing]);
    assert_eq!(ran.status, 70);
    assert!(ran.err.contains(&format!("--compare: cannot run {missing}: No such file")), "{}", ran.err);
    let ran = server(["bench", "--compare", "/bin/false"]);
    assert_eq!((ran.status, ran.err.as_str()), (70, "server: --compare: /bin/false bench failed\n"));
}

/// Eight thousand million sequences of moves.
mod long {
    use super::{STANDARD, server};

    #[test]
    fn perft_3_of_the_standard_position_is_the_known_number() {
        let ran = server(["perft", "--position", STANDARD, "-d", "3"]);
        assert!(ran.out.starts_with("perft(3) = 8350439170 "), "{}", ran.out);
    }
}
