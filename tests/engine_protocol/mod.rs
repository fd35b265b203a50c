//! `server engine`: a player that serves another program.

mod lines;
mod talks;
mod timing;
mod uci;

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use amazons_testing::{PATIENCE, status_of};

use crate::support::server;

/// A running engine.
struct Engine {
    process: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Engine {
    fn start(player: &Path, options: &[&str]) -> Self {
        let mut process = Command::new(server())
            .arg("engine")
            .arg(player)
            .args(options)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server can be run");
        let output = process.stdout.take().expect("a pipe");
        let (to, lines) = channel();
        thread::spawn(move || BufReader::new(output).lines().map_while(Result::ok).try_for_each(|line| to.send(line)));
        Self { input: process.stdin.take(), process, lines }
    }

    fn say(&mut self, line: &str) {
        let input = self.input.as_mut().expect("the engine is still spoken to");
        writeln!(input, "{line}").expect("the engine listens");
    }

    /// Reads up to a line with this prefix; returns it and those before.
    fn hear(&self, beginning: &str) -> (String, Vec<String>) {
        let mut before = Vec::new();
        loop {
            let line = self.lines.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("no {beginning} after {before:?}"));
            if line.starts_with(beginning) {
                return (line, before);
            }
            before.push(line);
        }
    }

    /// Asks for a move; also returns the lines before it.
    fn go(&mut self, position: &str, go: &str) -> (String, Vec<String>) {
        self.say(position);
        self.say(go);
        let (line, before) = self.hear("bestmove ");
        (line["bestmove ".len()..].to_owned(), before)
    }

    /// Ends the input and waits for the end; returns the status and the remaining lines.
    fn end(mut self) -> (Option<i32>, Vec<String>) {
        self.input = None;
        let status = status_of(&mut self.process).code();
        (status, self.lines.iter().collect())
    }
}
