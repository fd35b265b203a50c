//! The commands `table`, `optimum` and `tree check` of the program.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use amazons_launchers::Mpi;

const PROGRAM: &str = env!("CARGO_BIN_EXE_mastermind");

fn run(args: &[&str]) -> Output {
    Command::new(PROGRAM).args(args).output().expect("the program runs")
}

/// The output of a run that must end with a status.
fn printed(args: &[&str], status: i32) -> String {
    let output = run(args);
    assert_eq!(output.status.code(), Some(status), "{args:?}: {output:?}");
    String::from_utf8(output.stdout).expect("text")
}

/// The one line about what is wrong.
fn complaint(args: &[&str]) -> String {
    let output = run(args);
    let text = String::from_utf8(output.stderr).expect("text");
    assert_eq!((output.status.code(), text.lines().count()), (Some(2), 1), "{args:?}: {text}");
    text.trim_end().to_owned()
}

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

#[test]
fn tables_are_printed() {
    let table = printed(&["table", "--game", "4x6r", "--strategy", "minimax", "--csv", "--plain"], 0);
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines.len(), 2, "{table}");
    assert!(lines[1].starts_with("minimax,1122,5801,4.4761,5,1 6 62 533 694,"), "{table}");
    assert!(lines[1].ends_with(",5877360"), "{table}");
    let table = printed(&["table", "--game", "3x6r", "-j", "1", "--only-possible"], 0);
    for strategy in ["first", "minimax", "expected", "entropy", "parts"] {
        assert!(table.lines().any(|line| line.trim_start().starts_with(strategy)), "{table}");
    }
    assert!(complaint(&["table", "--game", "7x8r"]).contains("2097152 codes: a table takes at most 1000000"));
    assert!(complaint(&["table", "--game", "5x4n"]).contains("5x4n has no code"));
    assert!(complaint(&["table", "--strategy", "best"]).contains("one of minimax, expected, entropy, parts, first"));
}

#[test]
fn optima_are_proved_and_their_trees_checked() {
    let path = file("optimum.tree");
    let name = path.to_str().expect("a name");
    let proof = printed(&["optimum", "--game", "4x5r", "--save", name], 0);
    assert!(proof.starts_with("4x5r: optimum 2463, 3.9408 a secret\n"), "{proof}");
    let check = printed(&["tree", "check", name], 0);
    assert!(check.starts_with("4x5r: all 625 secrets found in 2463 guesses, at most "), "{check}");

    let text = fs::read_to_string(&path).expect("the tree");
    let wrong = file("wrong.tree");
    let wrong_name = wrong.to_str().expect("a name");
    fs::write(&wrong, text.replacen("2463", "2462", 1)).expect("a file");
    let said = complaint(&["tree", "check", wrong_name]);
    assert!(said.ends_with("the tree takes 2463 guesses in total, but its first line says 2462"), "{said}");
    fs::write(&wrong, &text[..text.len() / 2]).expect("a file");
    assert!(complaint(&["tree", "check", wrong_name]).contains("wrong.tree: "));
    let unwritable = complaint(&["optimum", "--game", "4x8r", "--save", "/no/such/folder/tree"]);
    assert!(
        unwritable.contains("cannot write /no/such/folder/tree: there is no folder /no/such/folder: make it first"),
        "{unwritable}"
    );
    assert!(complaint(&["tree", "check", "/no/such/file"]).contains("/no/such/file: No such file"));
}

#[test]
fn limits_end_a_proof_early() {
    let bounds = printed(&["optimum", "--game", "4x7r", "--nodes", "1", "-j", "1"], 1);
    assert!(bounds.starts_with("4x7r: optimum between "), "{bounds}");
    assert!(printed(&["optimum", "--game", "4x7r", "--time", "0"], 1).starts_with("4x7r: optimum between "));
    assert!(printed(&["optimum", "--max", "4"], 0).starts_with("4x6r with at most 4 guesses: impossible"));
    assert!(complaint(&["optimum", "--game", "5x8r"]).contains("at most 4 pegs and 8192 codes, not 32768"));
    assert!(complaint(&["optimum", "--time=-1"]).contains("expected seconds"));
    assert!(complaint(&["optimum", "--max", "0"]).contains("--max"));
}

#[test]
fn the_trees_of_the_readme_are_whole() {
    for (name, found) in
        [("4x8r", "4096 secrets found in 20471 guesses"), ("4x9r", "6561 secrets found in 34666 guesses")]
    {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/trees").join(name).with_extension("tree");
        let check = printed(&["tree", "check", path.to_str().expect("a name")], 0);
        assert!(check.starts_with(&format!("{name}: all {found}, at most 7;")), "{check}");
    }
}

#[test]
fn ranks_of_mpi_prove_the_same() {
    for mpi in Mpi::installed() {
        let launcher = mpi.program;
        let mut command = mpi.launch_for(120, 3);
        command.args([PROGRAM, "optimum", "--game", "4x5r"]);
        let output = command.output().expect("the launcher runs");
        let text = String::from_utf8(output.stdout).expect("text");
        assert!(output.status.success(), "{launcher}: {text}");
        assert_eq!(text.matches("4x5r: optimum 2463").count(), 1, "{launcher}: only rank 0 prints: {text}");
        assert!(text.contains("3 ranks of 1 thread,"), "{launcher}: {text}");
    }
}
