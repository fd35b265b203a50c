//! Tournaments: plans, schedules, strengths, and the program.

mod long;
mod plans;
mod program;
mod strengths;

use std::fs;
use std::path::PathBuf;
use std::process::Output;

use serde_json::Value;

use crate::support::{PublicFolder, command, run};

/// A folder with a plan.
struct Folder(PublicFolder);

impl Folder {
    fn new(plan: &str) -> Self {
        let folder = Self(PublicFolder::new());
        folder.write(plan);
        folder
    }

    fn write(&self, plan: &str) {
        fs::write(self.0.0.join("plan.toml"), plan).expect("a plan");
    }

    fn plan(&self) -> String {
        self.0.0.join("plan.toml").to_str().expect("text").to_owned()
    }

    fn journal(&self) -> PathBuf {
        self.0.0.join("plan.journal.jsonl")
    }

    fn run(&self, args: &[&str]) -> Output {
        run(command(&[&["tournament", &self.plan(), "--quiet"], args].concat()), b"")
    }

    /// Standard output of a run that succeeds.
    fn said(&self, args: &[&str]) -> String {
        let output = self.run(args);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        String::from_utf8(output.stdout).expect("text")
    }

    fn json(&self, args: &[&str]) -> Value {
        serde_json::from_str(&self.said(&[args, &["--json"]].concat())).expect("JSON")
    }

    /// The one line of a run that fails with this status.
    fn complaint(&self, status: i32) -> String {
        let output = self.run(&[]);
        assert_eq!(output.status.code(), Some(status), "{output:?}");
        let text = String::from_utf8(output.stderr).expect("text");
        assert_eq!(text.lines().count(), 1, "{text}");
        text
    }
}

/// A plan with programs.
fn plan(n: usize, format: &str, blocks: usize, rest: &str, bots: &[(&str, &str)]) -> String {
    let head = format!("n = {n}\nformat = {format:?}\nblocks = {blocks}\n{rest}\n");
    bots.iter().fold(head, |text, (name, run)| format!("{text}[[bots]]\nname = {name:?}\nrun = {run:?}\n"))
}

/// The row of a table whose first column says this.
fn row<'a>(tables: &'a Value, title: &str, first: &str) -> &'a Value {
    let rows = tables["tables"][title].as_array().unwrap_or_else(|| panic!("no table {title}: {tables}"));
    let found = rows.iter().find(|row| row["program"] == first || row["seat"] == first);
    found.unwrap_or_else(|| panic!("no {first} in {title}"))
}
