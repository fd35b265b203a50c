//! Queries about positions as lines of JSON, answered in the order of their priority.

use std::fmt::Display;
use std::io::{self, BufRead, Read, Write};
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use amazons_program::journal::write_line;
use amazons_program::locked;
use amazons_rules::{Position, Shape};
use anyhow::Context;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::analysis::{Analyst, DEFAULT_LINES, Effort, Evaluation, OwnershipLine, Query, Reports};
use crate::cli::AnalyzeArgs;
use crate::command::Exit;
use crate::game::{BoardArgs, starting_position};

/// The longest query.
const LINE_MAX: u64 = 1 << 20;

/// The longest name of a query.
const ID_MAX: usize = 256;

/// Positions that may wait.
const WAITING_MAX: usize = 10_000;

/// A request that is no query.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    id: String,
    action: String,
    terminate_id: Option<String>,
}

/// A position to be evaluated.
struct Task {
    id: String,
    turn: usize,
    position: Position,
    effort: Effort,
    lines: usize,
    ownership: bool,
    every: Option<Duration>,
    priority: i64,
}

#[derive(Serialize)]
struct Answer<'a> {
    id: &'a str,
    turn: usize,
    during: bool,
    #[serde(flatten)]
    evaluation: Evaluation,
}

/// An answer that is no evaluation.
#[derive(Serialize)]
#[serde(untagged)]
enum Reply {
    Refused { id: Option<String>, error: String, field: &'static str },
    Version { id: String, action: String, version: &'static str },
    Ended { id: String, turn: usize, during: bool, no_results: bool },
    Obeyed { id: String, action: String, terminate_id: Option<String> },
}

/// The queue that the reader of queries and the search share.
#[derive(Default)]
struct Shared {
    queue: Mutex<Queue>,
    changed: Condvar,
}

#[derive(Default)]
struct Queue {
    /// Those of equal priority in the order of their arrival.
    waiting: Vec<Task>,
    /// The position that is being searched, and how to stop that.
    current: Option<(String, Arc<AtomicBool>)>,
    is_closed: bool,
}

/// Answers queries until standard input ends and everything is answered.
pub(super) fn run(args: &AnalyzeArgs) -> anyhow::Result<Exit> {
    let threads = args.threads;
    let shared = Arc::new(Shared::default());
    let reader = Arc::clone(&shared);
    thread::spawn(move || {
        // If nothing reads the answers, there is nothing to do either.
        let _ = read(&reader, threads);
        locked(&reader.queue).is_closed = true;
        reader.changed.notify_all();
    });
    while let Some((task, stop)) = shared.next() {
        let told = search(&task, &stop).context("cannot write an answer");
        locked(&shared.queue).current = None;
        told?;
    }
    Ok(Exit::Success)
}

/// Evaluates a position and writes the answers.
fn search(task: &Task, stop: &AtomicBool) -> io::Result<()> {
    let analyst = match Analyst::new(task.position.board(), task.effort) {
        Ok(analyst) => analyst,
        Err(error) => return say(&refusal(Some(&task.id), "position", error)),
    };
    let answer = |during, judgement: &_| {
        let mut evaluation = Evaluation::new(&task.position, judgement);
        evaluation.ownership = task.ownership.then(|| OwnershipLine::new(&task.position));
        say(&Answer { id: &task.id, turn: task.turn, during, evaluation })
    };
    let mut told = Ok(());
    let reports = Reports { stop, every: task.every };
    let judgement = analyst.judge_while(&task.position, task.lines, reports, &mut |judgement| {
        if told.is_ok() {
            told = answer(true, judgement);
            stop.fetch_or(told.is_err(), Ordering::Relaxed);
        }
    });
    told.and_then(|()| answer(false, &judgement))
}

/// Writes a line, whichever thread has something to say.
fn say(line: &impl Serialize) -> io::Result<()> {
    let mut out = io::stdout().lock();
    write_line(&mut out, line)?;
    out.flush()
}

fn refusal(id: Option<&str>, field: &'static str, reason: impl ToString) -> Reply {
    Reply::Refused { id: id.map(str::to_owned), error: reason.to_string(), field }
}

/// Reads lines until there are no more.
fn read(shared: &Shared, threads: Option<NonZeroU32>) -> io::Result<()> {
    let mut input = io::stdin().lock();
    loop {
        let mut line = Vec::new();
        let length = input.by_ref().take(LINE_MAX).read_until(b'\n', &mut line)? as u64;
        if length == 0 {
            return Ok(());
        }
        if length == LINE_MAX && !line.ends_with(b"\n") {
            say(&refusal(None, "", format_args!("a query of more than {LINE_MAX} bytes: send fewer moves")))?;
            input.skip_until(b'\n')?;
        } else if !line.trim_ascii().is_empty() {
            let replies = shared.take(&line, threads).unwrap_or_else(|refused| vec![refused]);
            replies.iter().try_for_each(say)?;
        }
    }
}

impl Shared {
    /// Waits for the most urgent position; `None` when all are done and no more can come.
    fn next(&self) -> Option<(Task, Arc<AtomicBool>)> {
        let mut queue = locked(&self.queue);
        loop {
            let urgent = queue.waiting.iter().map(|task| task.priority).max();
            if let Some(at) = queue.waiting.iter().position(|task| Some(task.priority) == urgent) {
                let task = queue.waiting.remove(at);
                let stop = Arc::new(AtomicBool::new(false));
                queue.current = Some((task.id.clone(), Arc::clone(&stop)));
                return Some((task, stop));
            }
            if queue.is_closed {
                return None;
            }
            queue = self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Takes a line, and returns what to answer at once.
    fn take(&self, line: &[u8], threads: Option<NonZeroU32>) -> Result<Vec<Reply>, Reply> {
        let value: Value = serde_json::from_slice(line).map_err(|error| refusal(None, "", error))?;
        let id = value.get("id").and_then(Value::as_str).map(str::to_owned);
        let wrong = |error: serde_json::Error| refusal(id.as_deref(), "", error);
        if value.get("action").is_some() {
            return self.obey(serde_json::from_value(value).map_err(wrong)?);
        }
        let tasks = tasks(serde_json::from_value(value).map_err(wrong)?, threads)
            .map_err(|(field, reason)| refusal(id.as_deref(), field, reason))?;
        let mut queue = locked(&self.queue);
        if queue.waiting.len() + tasks.len() > WAITING_MAX {
            let reason = format!("more than {WAITING_MAX} positions would wait: ask again when some are answered");
            return Err(refusal(id.as_deref(), "turns", reason));
        }
        queue.waiting.extend(tasks);
        self.changed.notify_all();
        Ok(Vec::new())
    }

    fn obey(&self, request: Request) -> Result<Vec<Reply>, Reply> {
        let Request { id, action, terminate_id } = request;
        let is_meant = |task: &str| terminate_id.as_deref().is_none_or(|meant| meant == task);
        match (&*action, &terminate_id) {
            ("version", None) => {
                let version = env!("CARGO_PKG_VERSION");
                return Ok(vec![Reply::Version { id, action, version }]);
            }
            ("terminate", Some(_)) | ("terminate_all", None) => {}
            ("terminate", None) => return Err(refusal(Some(&id), "terminate_id", "name the query to end")),
            ("version" | "terminate_all", Some(_)) => {
                return Err(refusal(Some(&id), "terminate_id", "only the action terminate has one"));
            }
            _ => {
                let reason = format!("unknown action '{action}': use terminate, terminate_all or version");
                return Err(refusal(Some(&id), "action", reason));
            }
        }
        let mut queue = locked(&self.queue);
        if let Some((_, stop)) = queue.current.as_ref().filter(|(current, _)| is_meant(current)) {
            stop.store(true, Ordering::Relaxed);
        }
        let (ended, waiting): (Vec<_>, Vec<_>) = queue.waiting.drain(..).partition(|task| is_meant(&task.id));
        queue.waiting = waiting;
        drop(queue);
        let told = |Task { id, turn, .. }| Reply::Ended { id, turn, during: false, no_results: true };
        Ok(ended.into_iter().map(told).chain([Reply::Obeyed { id, action, terminate_id }]).collect())
    }
}

/// Makes a task of each position that a query asks for, or says which field is wrong and why.
fn tasks(query: Query, threads: Option<NonZeroU32>) -> Result<Vec<Task>, (&'static str, String)> {
    if query.id.len() > ID_MAX {
        return Err(("id", format!("use at most {ID_MAX} bytes")));
    }
    let shape = query.shape.map(|name| name.parse::<Shape>().map_err(|error| ("shape", error.to_string())));
    let board = BoardArgs { position: query.position, shape: shape.transpose()?, size: query.size };
    let mut position = starting_position(&board).map_err(|error| ("position", error.to_string()))?;
    let mut positions = vec![position.clone()];
    for (ply, text) in (1..).zip(&query.moves) {
        let refused = |error: &dyn Display| ("moves", format!("move {ply}: {error}"));
        let mv = position.parse_move(text).map_err(|error| refused(&error))?;
        position.try_play(mv).map_err(|error| refused(&error))?;
        positions.push(position.clone());
    }
    let effort = Effort::new(query.time_ms.map(Duration::from_millis), query.nodes, query.depth, threads);
    for (field, is_zero) in [
        ("time_ms", query.time_ms == Some(0)),
        ("nodes", query.nodes == Some(0)),
        ("depth", query.depth == Some(0)),
        ("lines", query.lines == Some(0)),
        ("every_ms", query.every_ms == Some(0)),
    ] {
        if is_zero {
            return Err((field, "use a whole number from 1".to_owned()));
        }
    }
    let task = |turn: usize| {
        let position = positions.get(turn).cloned();
        let last = query.moves.len();
        Ok(Task {
            id: query.id.clone(),
            turn,
            position: position.ok_or_else(|| ("turns", format!("turn {turn}: there are {last} moves")))?,
            effort,
            lines: query.lines.unwrap_or(DEFAULT_LINES) as usize,
            ownership: query.ownership,
            every: query.every_ms.map(Duration::from_millis),
            priority: query.priority,
        })
    };
    query.turns.clone().unwrap_or_else(|| vec![query.moves.len()]).into_iter().map(task).collect()
}
