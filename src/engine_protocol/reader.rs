use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::Duration;

use amazons_engine_player::Bundled;
use amazons_protocol::{Command, CommandError, Dialect, Go, Lines, Start, read_move};
use amazons_rules::{Board, IllegalMove, Move, Position};

use super::ask::{Answer, Ask};
use super::options::{Change, Options, Refusal};
use super::out::Out;

/// The worker's tasks, in order.
pub(super) enum Request {
    Hello(Dialect, Box<Options>),
    /// A search may follow on this board.
    Ready(Arc<Board>, Box<Options>),
    /// Earlier searches are no longer needed.
    NewGame,
    Think(Box<Task>),
    /// A `go` was refused, which has its answer, too.
    NoMove,
}

/// A `go` with everything it depends on.
pub(super) struct Task {
    pub(super) position: Position,
    pub(super) go: Go,
    /// The moves to choose from; all if empty.
    pub(super) only: Vec<Move>,
    pub(super) options: Options,
    pub(super) ask: Arc<Ask>,
}

/// How long a search may take to notice a `stop`.
const PATIENCE: Duration = Duration::from_millis(3);

pub(super) enum Ended {
    Quit,
    NoMoreLines,
}

/// Reads lines and passes on slow tasks.
pub(super) struct Reader<'a, W> {
    out: &'a Out<W>,
    jobs: Sender<Request>,
    /// The start in either dialect.
    starts: [Position; 2],
    /// The position for `go`; an error if the last `position` was invalid.
    position: Result<Position, ()>,
    dialect: Dialect,
    options: Options,
    /// The engine that this process searches with, if it does.
    own: Option<Bundled>,
    /// Each `go` that is not answered, in order.
    asks: Vec<Arc<Ask>>,
}

impl<'a, W: Write> Reader<'a, W> {
    pub(super) fn new(
        out: &'a Out<W>,
        jobs: Sender<Request>,
        starts: [Position; 2],
        options: Options,
        own: Option<Bundled>,
    ) -> Self {
        let position = Ok(starts[0].clone());
        Self { out, jobs, starts, position, dialect: Dialect::Aep, options, own, asks: Vec::new() }
    }

    pub(super) fn run(mut self, input: impl BufRead) -> io::Result<Ended> {
        let mut lines = Lines::new(input);
        while let Some(line) = lines.read()? {
            let command = match &line {
                Ok(line) => Command::parse(line),
                Err(error) => {
                    self.out.complain(self.dialect, error);
                    continue;
                }
            };
            let is_go = matches!(command, Ok(Command::Go(_)));
            let obeyed = match command {
                Ok(Command::Quit) => {
                    if self.dialect == Dialect::Uci && self.own.is_some() {
                        self.stop();
                    }
                    return Ok(Ended::Quit);
                }
                Ok(command) => self.obey(command),
                Err(error) => {
                    self.out.complain(self.dialect, &error);
                    self.misread(error)
                }
            };
            if let Err(reason) = obeyed {
                self.out.complain(self.dialect, &reason);
                if is_go {
                    self.order(Request::NoMove);
                }
            }
            if self.out.has_failed() {
                break;
            }
        }
        // Nothing can stop a search any more that waits for it.
        self.asks.iter().filter(|ask| !ask.is_wanted()).for_each(|ask| ask.stop());
        Ok(Ended::NoMoreLines)
    }

    /// Deals with a line that cannot be read: every `go` gets its answer, and in UCI the last position stays.
    fn misread(&mut self, error: CommandError) -> Result<(), Refusal> {
        match (self.dialect, error) {
            (Dialect::Uci, CommandError::Go { rest, .. }) => return self.obey(Command::Go(*rest)),
            (Dialect::Aep, CommandError::Go { .. }) => self.order(Request::NoMove),
            // The sender does not expect a move in the previous position.
            (Dialect::Aep, error) if error.is_of_position() => self.position = Err(()),
            _ => {}
        }
        Ok(())
    }

    fn obey(&mut self, command: Command) -> Result<(), Refusal> {
        self.asks.retain(|ask| !ask.is_done());
        let is_thinking = !self.asks.is_empty();
        // In UCI, and after `stop`, what comes is done after the move.
        let is_busy = self.dialect == Dialect::Aep && self.asks.iter().any(|ask| !ask.is_stopped());
        let idle = |name| if is_busy { Err(Refusal::Busy(name)) } else { Ok(()) };
        match command {
            Command::Hello(dialect, _) => {
                idle("hello")?;
                if dialect != self.dialect {
                    let [aep, uci] = &self.starts;
                    self.position = Ok(if dialect == Dialect::Uci { uci } else { aep }.clone());
                }
                self.dialect = dialect;
                self.order(Request::Hello(dialect, Box::new(self.options.clone())));
            }
            Command::IsReady if is_thinking => self.out.say("readyok"),
            Command::IsReady => {
                let board = self.position.as_ref().unwrap_or(&self.starts[0]).board();
                self.order(Request::Ready(Arc::clone(board), Box::new(self.options.clone())));
            }
            Command::NewGame => {
                idle("newgame")?;
                self.order(Request::NewGame);
            }
            Command::SetOption { name, value } => {
                idle("setoption")?;
                match self.options.set(&name, &value, self.dialect, self.own)? {
                    Change::Nothing => {}
                    Change::Start(start) => {
                        self.position = Ok(Position::clone(&start));
                        self.starts[1] = *start;
                    }
                    Change::Forget => self.order(Request::NewGame),
                }
            }
            Command::Position { start, moves } => {
                let own = if self.dialect == Dialect::Uci { &self.starts[1] } else { &self.starts[0] };
                let played = match start {
                    Start::Of(dialect) if dialect == self.dialect => Command::played(own.clone(), &moves),
                    Start::Of(_) => Err(self.foreign_start()),
                    Start::At(start) => Command::played(start, &moves),
                };
                if played.is_err() && self.dialect == Dialect::Aep {
                    self.position = Err(());
                }
                self.position = Ok(played?);
            }
            Command::Go(go) => {
                idle("go")?;
                let position = self.position.clone().map_err(|()| Refusal::NoPositionToGo)?;
                let only = self.searchmoves(&position, &go);
                let ask = Arc::new(Ask::new(&go));
                self.asks.push(Arc::clone(&ask));
                self.order(Request::Think(Box::new(Task { position, go, only, options: self.options.clone(), ask })));
            }
            Command::Stop => self.stop(),
            Command::PonderHit => self.asks.iter().for_each(|ask| ask.ponder_hit()),
            // Sites ask for the position that they have sent.
            Command::Show => {
                let position = self.position.clone().map_err(|()| Refusal::NoPosition)?;
                self.out.say(&format!("Fen: {position}"));
            }
            Command::Quit | Command::Nothing => {}
        }
        Ok(())
    }

    /// The error for the other dialect's word: its start is another position.
    fn foreign_start(&self) -> CommandError {
        let [expected, found] = match self.dialect {
            Dialect::Aep => ["start or fen", "startpos"],
            Dialect::Uci => ["startpos or fen", "start"],
        };
        CommandError::Unexpected { command: "position", expected, found: found.to_owned() }
    }

    /// Asks for all answers now.
    fn stop(&self) {
        self.asks.iter().for_each(|ask| ask.stop());
        // On a busy machine it may take long until the search has its turn and notices.
        if let Some(Answer { mut info, best }) = self.asks.first().and_then(|ask| ask.take_over(PATIENCE)) {
            info.push(best);
            info.iter().for_each(|line| self.out.say(line));
        }
    }

    /// Reads the moves to choose from; complains about those that cannot be played.
    fn searchmoves(&self, position: &Position, go: &Go) -> Vec<Move> {
        let mut moves: Vec<Move> = Vec::new();
        for text in &go.searchmoves {
            let mv = read_move(position, text).map_err(|error| error.to_string());
            let describe = |reason: IllegalMove| reason.describe(position.board());
            match mv.and_then(|mv| position.is_legal(mv).map(|()| mv).map_err(describe)) {
                Ok(mv) if moves.contains(&mv) => {}
                Ok(mv) => moves.push(mv),
                Err(reason) => self.out.complain(self.dialect, &format!("go searchmoves '{text}': {reason}")),
            }
        }
        moves
    }

    fn order(&self, job: Request) {
        // The worker lives as long as this channel.
        let _ = self.jobs.send(job);
    }
}
