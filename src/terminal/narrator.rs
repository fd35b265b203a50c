use std::io::{self, Write};
use std::path::Path;

use amazons_program::counted;
use amazons_rules::{Move, Position};
use clap::ValueEnum;

use crate::participant::Participant;
use crate::referee::{
    Call, EndEvent, Event, FaultEvent, LimitsEvent, MoveEvent, Observer, PlayerNumber, StartEvent, Termination,
};
use crate::terminal::{Palette, draw_board};
use crate::text::visible;

/// When to draw the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Boards {
    /// After every move
    Every,
    /// At the start and at the end
    Ends,
    /// Not at all
    Never,
}

/// Describes a game in words: the players, each move, faults, and a last line with the result.
#[derive(Debug)]
pub struct Narrator<W> {
    out: W,
    palette: Palette,
    boards: Boards,
    /// If false, only the last line is written.
    tells_all: bool,
    /// Each player's number and name.
    names: [String; 2],
    deciding_fault: Option<FaultEvent>,
    last_move: Option<Move>,
    /// The limits of players 1 and 2.
    limits: [Option<LimitsEvent>; 2],
}

/// The wall clock is also shown if it is at least this many times longer than the counted time.
const FAR_FACTOR: u64 = 2;
const FAR_US: u64 = 10_000;

impl<W: Write> Narrator<W> {
    /// Writes everything.
    pub fn new(out: W, palette: Palette, boards: Boards) -> Self {
        Self {
            out,
            palette,
            boards,
            tells_all: true,
            names: Default::default(),
            deciding_fault: None,
            last_move: None,
            limits: [None, None],
        }
    }

    /// Writes only the result.
    pub fn quiet(out: W) -> Self {
        Self { tells_all: false, ..Self::new(out, Palette::Plain, Boards::Never) }
    }

    fn start(&mut self, start: &StartEvent, position: &Position) -> io::Result<()> {
        // A void game is reported and then replayed.
        self.deciding_fault = None;
        self.last_move = None;
        self.limits = PlayerNumber::ALL.map(|player| start.limits_of(player).cloned());
        for player in PlayerNumber::ALL {
            let described = &start.players[player];
            let file = Path::new(described.file.as_deref().unwrap_or("nameless"));
            let is_library = Participant::parse(file).is_ok_and(|participant| participant.library().is_some());
            let file = if is_library { file.file_name().unwrap_or_default() } else { file.as_os_str() };
            let name = visible(described.known_as().unwrap_or(&file.to_string_lossy()));
            self.names[player] = format!("{player} ({name})");
        }
        if !self.tells_all {
            return Ok(());
        }
        for player in [start.first, start.first.opponent()] {
            let described = &start.players[player];
            let turn = if player == start.first { ", moves first" } else { "" };
            let file = described.file.as_deref().map_or_else(String::new, |file| visible(file) + ", ");
            writeln!(self.out, "{}: {file}{}{turn}", self.names[player], described.color)?;
        }
        let board = &start.board;
        let sandbox = start.sandbox.map_or_else(String::new, |sandbox| format!(", sandbox {sandbox}"));
        let played_here = match (start.seed, start.isolation) {
            (Some(seed), Some(isolation)) => format!("; seed {seed}; isolation {isolation}"),
            _ => String::new(),
        };
        let shape = position.board().shape().map_or("rectangle", |shape| shape.name());
        writeln!(
            self.out,
            "board: {shape} {} x {}, {} vertices{played_here}{sandbox}",
            board.columns,
            board.rows,
            position.board().vertex_count()
        )?;
        self.draw(position, self.boards != Boards::Never)
    }

    fn moved(&mut self, event: &MoveEvent, position: &Position) -> io::Result<()> {
        self.last_move = Some(event.played());
        if !self.tells_all {
            return Ok(());
        }
        let (ply, name, text) = (event.ply, &self.names[event.player], &event.text);
        let time = self.time(event).map_or_else(String::new, |time| format!(" ({time})"));
        writeln!(self.out, "{ply:>3}. {name}: {text}{time}")?;
        self.draw(position, self.boards == Boards::Every)
    }

    /// Returns a move's time as charged, plus the wall clock if that shows much more.
    fn time(&self, event: &MoveEvent) -> Option<String> {
        let ms = |micros: u64| micros as f64 / 1000.0;
        let (wall_us, charged) = (event.wall_us?, event.charged_us(self.limits[event.player].as_ref())?);
        let is_far = wall_us > charged.saturating_mul(FAR_FACTOR) && wall_us > charged.saturating_add(FAR_US);
        let wall = if is_far { format!(", {:.1} ms on the clock", ms(wall_us)) } else { String::new() };
        Some(format!("{:.1} ms{wall}", ms(charged)))
    }

    fn fault(&mut self, fault: &FaultEvent) -> io::Result<()> {
        if self.tells_all {
            writeln!(
                self.out,
                "{}: {} in {}: {}",
                self.names[fault.player],
                fault.termination,
                fault.call,
                visible(&fault.detail)
            )?;
            for (depth, line) in fault.backtrace.iter().enumerate() {
                writeln!(self.out, "  #{depth} {}", visible(line))?;
            }
            if !fault.log_tail.is_empty() {
                writeln!(self.out, "  its last output:")?;
                for line in &fault.log_tail {
                    writeln!(self.out, "  | {}", visible(line))?;
                }
            }
            if let Some(log) = &fault.log {
                writeln!(self.out, "  its output is kept in {}", visible(log))?;
            }
        }
        // The first fault names the ending; faults in finalize do not decide anything.
        if fault.call != Call::Finalize && self.deciding_fault.is_none() {
            self.deciding_fault = Some(fault.clone());
        }
        Ok(())
    }

    fn end(&mut self, end: &EndEvent, position: &Position) -> io::Result<()> {
        if self.tells_all {
            let drawn_already = self.boards == Boards::Every || end.moves == 0;
            self.draw(position, self.boards != Boards::Never && !drawn_already)?;
        }
        let moves = counted(end.moves.into(), "move");
        let line = match (end.winner, end.termination, &self.deciding_fault) {
            (Some(winner), None, _) => format!("{} wins after {moves}", self.names[winner]),
            (Some(winner), Some(termination), fault) => {
                let detail = match fault {
                    // The line of the fault has the rest.
                    Some(fault) if self.tells_all => format!(" in {}", fault.call),
                    Some(fault) => format!(" in {}: {}", fault.call, visible(&fault.detail)),
                    None => String::new(),
                };
                let (winner, loser) = (&self.names[winner], &self.names[winner.opponent()]);
                format!("{winner} wins after {moves}: {}{detail}", termination.told(Some(loser)))
            }
            (None, Some(Termination::Void), _) => {
                format!(
                    "the game is void after {moves}: {}",
                    visible(end.detail.as_deref().unwrap_or("the server failed"))
                )
            }
            (None, None, _) => format!("nobody has won after {moves}"),
            (None, Some(termination), _) => format!("nobody wins after {moves}: {}", termination.told(None)),
        };
        writeln!(self.out, "{line}")?;
        self.out.flush()
    }

    fn draw(&mut self, position: &Position, wanted: bool) -> io::Result<()> {
        if wanted {
            self.out.write_all(draw_board(position, self.last_move, self.palette).as_bytes())?;
        }
        self.out.flush()
    }
}

impl<W: Write> Observer for Narrator<W> {
    fn observe(&mut self, event: &Event, position: &Position) -> io::Result<()> {
        match event {
            Event::Start(start) => self.start(start, position),
            Event::Move(mv) => self.moved(mv, position),
            Event::Fault(fault) => self.fault(fault),
            Event::End(end) => self.end(end, position),
        }
    }

    fn take_back(&mut self, moves: u32, position: &Position) -> io::Result<()> {
        self.last_move = None;
        if self.tells_all {
            writeln!(self.out, "taken back: move {} comes next", moves + 1)?;
            self.draw(position, self.boards == Boards::Every)?;
        }
        Ok(())
    }
}
