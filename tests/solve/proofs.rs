use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use amazons_solve::{SolveLimits, Solver, verify_proof};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use tempfile::TempDir;

use super::games::SMALL;
use super::slow;
use crate::cli::server;

/// Positions with their winners: rectangles, shapes, and regions that go apart, on few vertices and on many.
const PROVEN: [(&[&str], &str); 6] = [
    (&["1q1q1/q3q/Q3Q/1Q1Q1 w"], "white"),
    (&["1qq1/q2q/Q2Q/1QQ1 b"], "white"),
    (&["-m", "5", "-t", "d"], "white"),
    (&["-m", "5", "-t", "8"], "black"),
    (&["q1*1q/1Q*Q1/2*2 w"], "white"),
    (&["q1*1q/1Q*Q1/2*2/*****/5/5/5/5/5/5/5/5/5/5 w"], "white"),
];

fn text(path: &Path) -> String {
    let mut text = String::new();
    GzDecoder::new(fs::File::open(path).expect("a file")).read_to_string(&mut text).expect("text");
    text
}

fn packed(folder: &TempDir, lines: &[&str]) -> PathBuf {
    let path = folder.path().join("changed.proof");
    let mut file = GzEncoder::new(fs::File::create(&path).expect("a file"), Compression::fast());
    file.write_all((lines.join("\n") + "\n").as_bytes()).and_then(|()| file.finish()).expect("a file");
    path
}

/// Returns whether our verifier, and the one without our code, accept a proof.
fn accepted(path: &Path) -> [bool; 2] {
    let ours = server(["verify-proof", &path.display().to_string()]);
    assert!(ours.status == 0 || ours.status == 1 && ours.err.lines().count() == 1, "{ours:?}");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/solve/check_proof.py");
    let theirs = Command::new("python3").arg(script).arg(path).output().expect("python3");
    assert!(!String::from_utf8_lossy(&theirs.stderr).contains("Traceback"), "{theirs:?}");
    [ours.status == 0, theirs.status.success()]
}

/// Has the proof of a position written, and returns its file.
fn proof_of(folder: &TempDir, (position, winner): (&[&str], &str)) -> PathBuf {
    let path = folder.path().join("a.proof");
    let file = path.display().to_string();
    let solved = server([&["solve", "--proof", &file, "--table", "16M"], position].concat());
    assert!(solved.status == 0 && solved.out.starts_with(&format!("{winner} wins")), "{solved:?}");
    path
}

#[test]
fn proofs_stand_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    for proven in PROVEN {
        assert_eq!(accepted(&proof_of(&folder, proven)), [true; 2], "{proven:?}");
    }
}

#[test]
fn changed_proofs_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    for (position, winner) in [1, 3, 4].map(|at| PROVEN[at]) {
        let path = proof_of(&folder, (position, winner));
        let proof = text(&path);
        let lines: Vec<&str> = proof.lines().collect();
        let refused = |lines: &[&str]| assert_eq!(accepted(&packed(&folder, lines)), [false; 2], "{lines:?}");
        // A move is missing, one is another one, one too many, the end is missing.
        let middle = 4 + (lines.len() - 4) / 2;
        refused(&[&lines[..middle], &lines[middle + 1..]].concat());
        refused(&[&lines[..middle], &["a1-a1/a1"], &lines[middle + 1..]].concat());
        refused(&[&lines[..], &[lines[lines.len() - 1]]].concat());
        refused(&lines[..lines.len() - 1]);
        if let Some(other) = (middle..lines.len()).find(|&at| lines[at] != lines[middle]) {
            let mut exchanged = lines.clone();
            exchanged.swap(middle, other);
            let [ours, theirs] = accepted(&packed(&folder, &exchanged));
            assert_eq!(ours, theirs, "{exchanged:?}");
        }
        // It is of another winner, or of another board.
        let other = if winner == "black" { "winner white" } else { "winner black" };
        refused(&[&lines[..2], &[other], &lines[3..]].concat());
        refused(&[&lines[..1], &["position 1q2/4/4/2Q1 w"], &lines[2..]].concat());
        let whole = fs::read(&path).expect("a file");
        fs::write(&path, &whole[..whole.len() / 2]).expect("a file");
        assert_eq!(accepted(&path), [false; 2]);
    }
}

#[test]
fn proofs_of_scattered_positions_hold() {
    let limits = SolveLimits { proof_positions: 0, ..SMALL };
    for board in slow::boards() {
        for seed in 0..40 {
            let position = slow::scattered(&board, [1 + seed as usize % 2, 1 + seed as usize / 2 % 2], 5, seed);
            let solver = Solver::new(&position, &limits).expect("a small board");
            let winner = solver.solve(&position, u64::MAX, &mut || true).winner.expect("there is no limit");
            assert_eq!(winner == position.side_to_move(), slow::wins(&position), "{position}");
            let (moves, _) = solver.proof(&position, (winner, u64::MAX), &mut || true).expect("there is no limit");
            let verified = |winner| verify_proof(&position, winner, &mut moves.iter());
            assert!(verified(winner).is_ok(), "{position}: {moves:?}");
            assert!(verified(winner.opposite()).is_err(), "{position}: {moves:?}");
        }
    }
}

#[test]
fn what_is_no_proof_is_told_in_one_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = packed(&folder, &["amazons-proof 1", "position q1/1Q b", "winner white", "moves 1", "a9-a1/a2"]);
    let ran = server(["verify-proof", &path.display().to_string()]);
    assert_eq!(ran.status, 1);
    assert!(ran.err.starts_with(&format!("server: {}: no proof: ", path.display())), "{}", ran.err);
    let missing = server(["verify-proof", "/nowhere.proof"]);
    assert!(missing.status != 0 && missing.err.starts_with("server: cannot read /nowhere.proof"), "{missing:?}");
    let limited = folder.path().join("b.proof").display().to_string();
    let ran = server(["solve", "-m", "5", "--nodes", "50", "--proof", &limited]);
    assert!(ran.status == 1 && !Path::new(&limited).exists(), "{ran:?}");
}
