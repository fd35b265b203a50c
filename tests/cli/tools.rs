use std::sync::Arc;

use amazons::bench::{best_first, depth_first};
use amazons_engine::Isa;
use amazons_rules::{Board, Position, Shape};

use super::{server, server_reading};

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

#[test]
fn bench_counts_the_same_nodes_every_time() {
    let ran = server(["bench"]);
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
    }
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
