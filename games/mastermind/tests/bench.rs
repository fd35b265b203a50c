//! What `bench` measures on real ranks.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::thread;

use amazons_launchers::Mpi;

use crate::support::{PROGRAM, launch};

const PROTOCOLS: &[&str] = &["--players", "1,2", "--games", "30", "--timed", "4", "--repeat", "2", "--force"];
const SCORING: &[&str] = &["--scoring", "4x5r", "--players", "1,2", "--repeat", "2", "--force"];
const OPTIMUM: &[&str] = &["--optimum", "3x5r", "--players", "1,2", "--repeat", "2", "--force"];

/// The cells of the last table of a successful run, line by line.
fn rows(output: &Output) -> Vec<Vec<String>> {
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let table = text.rsplit("what,ranks,").next().expect("a table");
    table.lines().skip(1).map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

/// Checks rows that must be there: what, ranks, by; and their figures as far as they follow from each other.
fn check(rows: &[Vec<String>], expected: &[[&str; 3]]) {
    let heads: Vec<_> = rows.iter().map(|row| [row[0].as_str(), &row[1], &row[2]]).collect();
    assert_eq!(heads, expected);
    for row in rows {
        let number = |column: usize| row[column].parse::<f64>().unwrap_or_else(|error| panic!("{error}: {row:?}"));
        let ranks = row[1].parse::<f64>().unwrap_or(1.0);
        assert!(number(3) > 0.0 && (number(4) - ranks * number(5)).abs() < 0.01, "{row:?}");
        assert_eq!(row[11].matches('%').count().to_string(), row[1].replace('-', "1"), "{row:?}");
        let longest = number(8);
        assert!((0.99 / ranks..=1.001).contains(&longest), "{row:?}");
        if ranks > 1.0 {
            // The speed-up is rounded to 0.001, which is much of a small one, as it is on a busy machine.
            let serial = |speedup: f64| (1.0 / speedup.max(1e-9) - 1.0 / ranks) / (1.0 - 1.0 / ranks);
            let range = serial(number(4) + 0.000_51) - 0.001..=serial(number(4) - 0.000_51) + 0.001;
            assert!(range.contains(&number(6)), "{row:?} {range:?}");
        }
    }
}

fn bench(args: &[&str]) -> Output {
    Command::new(PROGRAM).arg("bench").args(args).arg("--csv").output().expect("it runs")
}

#[test]
fn threads_are_timed() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("timed");
    let svg = ["--svg", folder.to_str().expect("a name")];
    let expected = [
        ["shared", "-", "one process"],
        ["shared", "1", "threads"],
        ["seed", "-", "one process"],
        ["seed", "2", "threads"],
        ["first-come", "-", "one process"],
        ["first-come", "2", "threads"],
        ["shared", "2", "threads"],
        ["seed", "3", "threads"],
        ["first-come", "3", "threads"],
    ];
    check(&rows(&bench(&[PROTOCOLS, &svg].concat())), &expected);
    let expected = [["scoring", "-", "one process"], ["scoring", "1", "threads"], ["scoring", "2", "threads"]];
    check(&rows(&bench(&[SCORING, &svg].concat())), &expected);
    check(&rows(&bench(&[OPTIMUM, &svg].concat())), &[["optimum", "1", "threads"], ["optimum", "2", "threads"]]);
    for name in ["protocols-4x10n", "timed-4x10n", "scoring-4x5r", "optimum-3x5r"] {
        let plot = fs::read_to_string(folder.join(name).with_extension("svg")).expect(name);
        assert!(plot.contains("<polyline"), "{name}");
    }
}

#[test]
fn more_ranks_than_cores_are_refused_or_marked() {
    let refused = bench(&["--scoring", "4x5r", "--players", "1000"]);
    let text = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!((refused.status.code(), text.lines().count()), (Some(2), 1), "{text}");
    assert!(text.contains("1000 ranks are more than the ") && text.contains("(--force times them)"), "{text}");
    let more = thread::available_parallelism().map_or(1, usize::from) + 1;
    let forced = bench(&["--scoring", "3x4r", "--players", &more.to_string(), "--repeat", "1", "--force"]);
    assert!(rows(&forced)[1][12].starts_with("oversubscribed"), "{forced:?}");
    // The counts are there all the same.
    let counted = bench(&["--players", "1000", "--games", "2", "--protocol", "shared"]);
    assert!(counted.status.success() && !String::from_utf8_lossy(&counted.stdout).contains("what,"), "{counted:?}");
}

mod long {
    use super::{Mpi, OPTIMUM, Output, PROTOCOLS, SCORING, check, launch, rows};

    #[test]
    fn launchers_are_timed() {
        for mpi in Mpi::installed() {
            let run = |ranks: usize, args: &[&str]| -> Output {
                launch(mpi, ranks, &[]).arg("bench").args(args).arg("--csv").output().expect("it runs")
            };
            let by = if mpi.program == "mpirun.openmpi" { "mpirun of Open MPI" } else { "a launcher of MPICH" };
            let expected = [["scoring", "-", "one process"], ["scoring", "1", by], ["scoring", "2", by]];
            check(&rows(&run(2, SCORING)), &expected);
            check(&rows(&run(2, OPTIMUM)), &[["optimum", "1", by], ["optimum", "2", by]]);
            let expected = [
                ["seed", "-", "one process"],
                ["seed", "2", "MPI"],
                ["first-come", "-", "one process"],
                ["first-come", "2", "MPI"],
                ["shared", "-", "one process"],
                ["shared", "2", "MPI"],
            ];
            check(&rows(&run(2, PROTOCOLS)), &expected);
            let refused = mpi.repeat(|| run(200, &["--scoring", "4x5r"]), |refused| refused.status.code());
            let text = String::from_utf8_lossy(&refused.stderr).into_owned();
            assert_eq!(text.matches("200 ranks are more than the ").count(), 1, "{}: {text}", mpi.program);
            assert!(!refused.status.success(), "{}", mpi.program);
        }
    }
}
