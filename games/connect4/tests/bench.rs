//! The tables of `bench`, and what `evaluate` prints; no time is judged.

use std::fs;

use serde_json::Value;

use crate::support::{Folder, run};

#[test]
fn the_tables_of_the_report() {
    let folder = Folder::new("bench");
    let args = "bench -d 5 --plain --repeat 1 --json -j 2 --force --model=2,8 --latency 0";
    let ran = run(&format!("{args} --svg {}", folder.file("plots").display()), "");
    assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""));
    let report: Value = serde_json::from_str(&ran.out).expect("JSON");
    let tables = report["tables"].as_array().expect("tables");
    assert_eq!(tables.len(), 9, "times, shares and model of three task depths");
    for (index, calls, all) in [(0, 19_607, 7_u64), (1, 19_600, 49), (2, 19_551, 343)] {
        let rows = &tables[index]["rows"];
        assert_eq!(tables[index]["title"], format!("Task depth {}: seconds for the first move", index + 1));
        assert_eq!(rows[0]["processes"], "depth 5");
        assert!(rows[0]["2"].as_f64().is_some_and(f64::is_normal));
        assert_eq!((&rows[1]["processes"], &rows[2]["processes"]), (&"speed-up".into(), &"efficiency".into()));
        assert_eq!((&rows[3]["processes"], &rows[3]["1"]), (&"Karp-Flatt".into(), &"-".into()));
        assert_eq!((&rows[5]["1"], &rows[5]["2"]), (&calls.into(), &calls.into()), "calls are counted");
        let shares = tables[index + 3]["rows"].as_array().expect("a row for each process");
        let tasks: u64 = shares.iter().filter_map(|row| row["tasks"].as_u64()).sum();
        assert_eq!((shares.len(), tasks), (2, all));
    }
    assert_eq!(tables[6]["rows"].as_array().map(Vec::len), Some(6), "three policies on 2 and 8 processes");
    for plot in ["times.svg", "efficiency.svg", "model.svg"] {
        let svg = fs::read_to_string(folder.file("plots").join(plot)).expect(plot);
        assert!(svg.starts_with("<svg") && svg.contains("prefers-color-scheme: dark"), "{plot}");
        assert_eq!(svg.matches("<polyline").count(), if plot == "model.svg" { 9 } else { 3 }, "{plot}");
    }
}

#[test]
fn the_policy_of_the_report_runs_beside_ours() {
    let ran = run("bench -d 4 -T 2 --repeat 1 --csv --policy seed -j 2 --force", "");
    assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""));
    assert!(ran.out.contains("the report's policy, median of 1"), "{}", ran.out);
    assert!(ran.out.contains("\nprocesses,1,2\ndepth 4,"), "{}", ran.out);
    // With two processes, each task of the worker is a message there and one back.
    let worker = ran.out.lines().find(|line| line.starts_with("1,")).expect("a row for rank 1");
    let cells: Vec<&str> = worker.split(',').collect();
    let number = |at: usize| cells[at].parse::<u64>().expect("a number");
    assert!(number(4) >= 2 * number(3), "{worker}");
}

#[test]
fn evaluate_prints_scores_and_calls() {
    let ran = run("evaluate 4444 --depth 6 --plain -T 1", "");
    assert!(ran.out.contains("3  +0.7842565597667639\n") && ran.out.contains("91824 calls"), "{}", ran.out);
    for (task_depth, calls) in [(1, 91_824), (2, 91_817)] {
        let ran = run(&format!("evaluate 4444 --depth 6 --plain -T {task_depth} --json -j 1"), "");
        let report: Value = serde_json::from_str(&ran.out).expect("JSON");
        assert_eq!((&report["calls"], &report["columns"][3]["score"]), (&calls.into(), &0.0.into()));
    }
}
