use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

use amazons_program::{Lock, LockError};
use amazons_rules::{Color, Position};
use anyhow::Context;

use crate::analysis::{Analyst, Annotator, Effort, ply_text, summary_text};
use crate::cli::AnalyzeArgs;
use crate::command::Exit;
use crate::record::{JsonLines, LINE_MAX, Record};
use crate::referee::{EngineEvent, Event, Observer, PlayerNumber, StartEvent, micros};
use crate::terminal::Narrator;
use crate::text::visible;

const CANNOT_WRITE: &str = "cannot write the analysis";

/// Annotates a game move by move, for people or as an annotated record.
///
/// Each line is written as soon as it is known, so that nothing is lost with an interrupt.
pub(super) fn review(
    args: &AnalyzeArgs,
    record: Record,
    effort: Effort,
    lines: u32,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let start = record.starting_position().context("a record that was verified")?;
    let too_large = |error| Exit::usage(format_args!("cannot analyze this game: {error}"));
    let analyst = Analyst::new(start.board(), effort).map_err(too_large)?;
    let engine = EngineEvent {
        engine: crate::PROGRAM.to_owned(),
        time_ms: effort.time.map(|time| micros(time) / 1000),
        nodes: effort.nodes,
        depth: effort.depth,
        threads: effort.threads.get(),
        lines,
    };
    let record = Record { start: StartEvent { analysis: Some(engine), ..record.start }, ..record };
    let game = record.start.clone();
    let events: Vec<Event> = record.into_events().map(without_analysis).collect();
    let mut copy = args.annotate.as_deref().map(|path| AnnotatedCopy::open(path, &events)).transpose()?;
    let known = copy.as_mut().map_or_else(Vec::new, |copy| std::mem::take(&mut copy.known));
    let notes = known.iter().filter_map(|event| match event {
        Event::Move(mv) => Some((mv.played(), *mv.analysis.clone()?)),
        _ => None,
    });
    let mut annotator = Annotator::new(&analyst, start.clone(), lines as usize, notes.collect());
    let mut report = Report { out, is_json: args.json, position: start, game, faults: Vec::new() };
    report.begin().context(CANNOT_WRITE)?;
    let is_complete = known.len() == events.len();
    for (at, event) in events.into_iter().enumerate() {
        let (event, is_new) = match known.get(at) {
            Some(known) => (known.clone(), false),
            None => (annotated(event, &mut annotator), true),
        };
        if let Some(copy) = copy.as_mut().filter(|_| is_new) {
            copy.out.observe(&event, &annotator.position).with_context(|| format!("cannot write {}", copy.name))?;
        }
        report.tell(&event, &annotator).context(CANNOT_WRITE)?;
    }
    if let Some(copy) = copy.filter(|_| is_complete) {
        crate::complain(&format!("{} was complete already", copy.name));
    }
    Ok(())
}

/// Adds the engine's evaluation to an event.
fn annotated(event: Event, annotator: &mut Annotator<'_>) -> Event {
    match event {
        Event::Move(mut mv) => {
            mv.analysis = Some(Box::new(annotator.play(mv.played())));
            Event::Move(mv)
        }
        Event::End(mut end) => {
            end.analysis = Some(annotator.review());
            Event::End(end)
        }
        other => other,
    }
}

/// Removes the evaluation of a move or of an end.
fn without_analysis(event: Event) -> Event {
    match event {
        Event::Move(mut mv) => {
            mv.analysis = None;
            Event::Move(mv)
        }
        Event::End(mut end) => {
            end.analysis = None;
            Event::End(end)
        }
        other => other,
    }
}

/// An annotated record that is being written.
struct AnnotatedCopy {
    name: String,
    out: JsonLines<File>,
    /// The events that an earlier run has written.
    known: Vec<Event>,
    _lock: Lock,
}

impl AnnotatedCopy {
    /// Begins a file, or goes on with one: its moves and the engine's settings must be the same.
    fn open(path: &Path, events: &[Event]) -> Result<Self, Exit> {
        let name = path.display().to_string();
        let cannot =
            |error: &dyn std::fmt::Display| Exit::usage(format_args!("--annotate: cannot write {name}: {error}"));
        let options = OpenOptions::new().read(true).write(true).create(true).truncate(false).clone();
        let mut file = options.open(path).map_err(|error| cannot(&error))?;
        let stand_in = path.with_extension("lock");
        let lock = file.try_clone().map_err(|error| cannot(&error)).map(|file| Lock::take(file, &stand_in))?;
        let lock = lock.map_err(|error| match error {
            LockError::Taken => cannot(&"another analysis is writing it"),
            other => cannot(&other),
        })?;
        let metadata = file.metadata().map_err(|error| cannot(&error))?;
        if !metadata.is_file() {
            return Err(cannot(&"it is not a regular file"));
        }
        let (known, length, is_ours) = Self::read(&file, events).map_err(|error| cannot(&error))?;
        if !is_ours || known.is_empty() && metadata.len() > 0 {
            let reason = "it holds something else, another game or other limits: name another file, or remove it";
            return Err(cannot(&reason));
        }
        file.set_len(length).and_then(|()| file.seek(SeekFrom::Start(length))).map_err(|error| cannot(&error))?;
        Ok(Self { name, out: JsonLines::new(file), known, _lock: lock })
    }

    /// Reads the lines that begin as the annotated record would, and their length; returns whether nothing follows but
    /// an unfinished last line.
    fn read(file: &File, events: &[Event]) -> io::Result<(Vec<Event>, u64, bool)> {
        let (mut known, mut length) = (Vec::new(), 0);
        let mut lines = BufReader::new(file);
        let mut line = Vec::new();
        for expected in events {
            line.clear();
            lines.by_ref().take(LINE_MAX).read_until(b'\n', &mut line)?;
            let Ok(event) = serde_json::from_slice::<Event>(&line) else { break };
            let is_annotated = match &event {
                Event::Move(mv) => mv.analysis.is_some(),
                Event::End(end) => end.analysis.is_some(),
                Event::Start(_) | Event::Fault(_) => true,
            };
            if !line.ends_with(b"\n") || !is_annotated || without_analysis(event.clone()) != *expected {
                break;
            }
            length += line.len() as u64;
            known.push(event);
        }
        lines.seek(SeekFrom::Start(length))?;
        line.clear();
        lines.take(LINE_MAX).read_until(b'\n', &mut line)?;
        Ok((known, length, !line.contains(&b'\n') && (line.len() as u64) < LINE_MAX))
    }
}

/// Writes the analysis to standard output.
struct Report<'a, W> {
    out: &'a mut W,
    is_json: bool,
    /// The position before the next move.
    position: Position,
    game: StartEvent,
    faults: Vec<Event>,
}

impl<W: Write> Report<'_, W> {
    fn begin(&mut self) -> io::Result<()> {
        if self.is_json {
            return Ok(());
        }
        writeln!(
            self.out,
            "of each move: its player's chances before it; the engine's move if it is another; what was lost, in points"
        )
    }

    fn tell(&mut self, event: &Event, annotator: &Annotator<'_>) -> io::Result<()> {
        if self.is_json {
            return JsonLines::new(&mut *self.out).observe(event, &self.position);
        }
        match event {
            Event::Move(mv) => {
                if let Some(note) = &mv.analysis {
                    writeln!(self.out, "{}", ply_text(mv.ply, &self.position, mv.played(), note))?;
                }
                self.position.play_unchecked(mv.played());
                self.out.flush()
            }
            Event::End(_) => {
                let name = |player: PlayerNumber| {
                    let name = self.game.players[player].name.as_deref().unwrap_or("nameless");
                    format!("{player} ({})", visible(name))
                };
                let players = Color::ALL.map(|color| name(self.game.player_of(color)));
                self.out.write_all(summary_text(annotator, &players).as_bytes())?;
                self.narrate(event)
            }
            Event::Fault(_) => {
                self.faults.push(event.clone());
                Ok(())
            }
            Event::Start(_) => Ok(()),
        }
    }

    /// Writes the ending of the game, by rules or by a fault.
    fn narrate(&mut self, event: &Event) -> io::Result<()> {
        let mut narrator = Narrator::quiet(&mut *self.out);
        narrator.observe(&Event::Start(Box::new(self.game.clone())), &self.position)?;
        self.faults.iter().chain([event]).try_for_each(|event| narrator.observe(event, &self.position))
    }
}
