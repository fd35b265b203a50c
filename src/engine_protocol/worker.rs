use std::io::Write;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use amazons_engine_player::Bundled;
use amazons_protocol::{Dialect, Go, VERSION};
use amazons_rules::{Color, Move};

use super::ask::Answer;
use super::info::{Score, ends_game};
use super::options::Options;
use super::out::Out;
use super::own_search::{OwnSearch, Question, clock};
use super::reader::{Request, Task};
use super::{Session, Time};
use crate::game::GameConfig;
use crate::host::{GameTime, Launcher};
use crate::referee::PlayerNumber;
use crate::text::{error_chain, visible};

/// How long `quit` waits for a move, unless a longer time was given for it.
const QUIT_WAIT: Duration = Duration::from_secs(10);

/// Minimum time announced to a player: with less, few have a move.
const MIN: Duration = Duration::from_millis(100);

/// The ways to run a player.
#[derive(Debug)]
pub enum Way {
    /// Search with a bundled engine in this process.
    Own(Bundled),
    /// Any other player in its sandbox.
    Sandboxed(Launcher),
    /// A bundled player from other sources than this program, likewise.
    OtherBuild(Launcher),
}

/// A player that runs.
enum Kind {
    /// A bundled engine, in this process.
    Own(OwnSearch),
    /// Any other, in its sandbox; it may be a bundled one from other sources than this program.
    Sandboxed { session: Box<Session>, is_other_build: bool },
}

/// Runs the player.
pub(super) struct Worker<'a, W> {
    kind: Kind,
    /// For the values of a player that tells none.
    glancing: OwnSearch,
    out: &'a Out<W>,
    /// The name of a player that has no other.
    file: String,
    /// The time for a `go` without one.
    time: Time,
    dialect: Dialect,
}

impl<'a, W: Write> Worker<'a, W> {
    pub(super) fn new(config: GameConfig, way: Way, time: Time, out: &'a Out<W>) -> Self {
        let file = config.players[PlayerNumber::One].typed().file_stem().unwrap_or_default();
        let file = visible(&file.to_string_lossy());
        let glancing = OwnSearch::new(Bundled::Champion, config.seed);
        let is_other_build = matches!(way, Way::OtherBuild(_));
        let kind = match way {
            Way::Own(bundled) => Kind::Own(OwnSearch::new(bundled, config.seed)),
            Way::Sandboxed(launcher) | Way::OtherBuild(launcher) => {
                Kind::Sandboxed { session: Box::new(Session::new(launcher, config)), is_other_build }
            }
        };
        Self { kind, glancing, out, file, time, dialect: Dialect::Aep }
    }

    pub(super) fn run(mut self, work: Receiver<Request>) {
        for job in work {
            match job {
                Request::Hello(dialect, options) => self.hello(dialect, &options),
                Request::Ready(board, options) => {
                    if let Kind::Own(own) = &mut self.kind {
                        own.prepare(&board, &options);
                    }
                    self.out.say("readyok");
                }
                Request::NewGame => self.forget(),
                Request::Think(task) => self.think(&task),
                Request::NoMove => self.out.say("bestmove none"),
            }
        }
        self.forget();
    }

    fn forget(&mut self) {
        match &mut self.kind {
            Kind::Own(own) => own.forget(),
            Kind::Sandboxed { session, .. } => session.end_game(),
        }
    }

    fn hello(&mut self, dialect: Dialect, options: &Options) {
        self.dialect = dialect;
        let (own, name) = match &mut self.kind {
            Kind::Own(own) => (Some(own.bundled), Some(own.bundled.name().to_string_lossy().into_owned())),
            Kind::Sandboxed { session, is_other_build } => {
                if *is_other_build {
                    self.out
                        .say(&format!("info string {} is not of this server's build: it knows only time", self.file));
                }
                let name = session.name().unwrap_or_else(|trouble| {
                    self.out.complain(dialect, &error_chain(&trouble));
                    None
                });
                (None, name)
            }
        };
        let name = name.filter(|name| !name.trim().is_empty()).unwrap_or_else(|| self.file.clone());
        self.out.say(&format!("id name {name}"));
        self.out.say(concat!("id author player of the amazons server ", env!("CARGO_PKG_VERSION")));
        for line in options.list(dialect, own) {
            self.out.say(&line);
        }
        match dialect {
            Dialect::Aep => self.out.say(&format!("aepok {VERSION}")),
            Dialect::Uci => self.out.say("uciok"),
        }
    }

    fn think(&mut self, task: &Task) {
        let Task { position, go, only, ask, options } = task;
        let given = self.given(go, position.side_to_move(), options);
        let is_long = match given {
            _ if go.infinite || go.ponder || go.depth.is_some() || go.nodes.is_some() => true,
            Time::Default => false,
            Time::Move(time) | Time::Game(GameTime { bank: time, .. }) => time > QUIT_WAIT,
        };
        let now = Instant::now();
        *self.out.asked() = Some(if is_long { now } else { now + QUIT_WAIT });
        if is_long && self.out.is_quitting() {
            *self.out.asked() = None;
            return;
        }
        let dialect = self.dialect;
        let moves = if !position.has_moves() {
            if dialect == Dialect::Uci {
                self.out.say("info depth 0 score mate 0");
            }
            Vec::new()
        } else {
            match &mut self.kind {
                Kind::Own(own) => {
                    let question = Question { position, go, only, time: self.time, options, dialect, ask };
                    own.think(&question, self.out).unwrap_or_else(|error| {
                        self.out.complain(dialect, &error);
                        Vec::new()
                    })
                }
                Kind::Sandboxed { session, .. } => {
                    let player = Sandboxed { session, glancing: &mut self.glancing, out: self.out, dialect };
                    player.think(task, given).into_iter().collect()
                }
            }
        };
        ask.wait();
        *self.out.asked() = None;
        // The reader of the move may ask again at once.
        if ask.give() {
            self.out.say(&Answer::new(dialect, position.board(), &moves).best);
        }
    }

    /// Returns the player's time: for the move, by its colour's clock, or as the command line says.
    fn given(&self, go: &Go, side: Color, options: &Options) -> Time {
        let less = |time: Duration| time.saturating_sub(options.overhead).max(MIN);
        match (go.movetime, clock(go, side)) {
            (Some(time), clock) if clock.is_none_or(|(left, _)| time <= left) => Time::Move(less(time)),
            (_, Some((left, increment))) => Time::Game(GameTime { bank: less(left), increment }),
            _ => Time::Default,
        }
    }
}

/// A player that has only its functions, and what answers for it.
struct Sandboxed<'a, W> {
    session: &'a mut Session,
    /// For the value of a move, if the player tells none.
    glancing: &'a mut OwnSearch,
    out: &'a Out<W>,
    dialect: Dialect,
}

impl<W: Write> Sandboxed<'_, W> {
    /// Asks for a move.
    fn think(self, Task { position, go, only, options, .. }: &Task, time: Time) -> Option<Move> {
        let Self { session, glancing, out, dialect } = self;
        if dialect == Dialect::Uci {
            let asked = [
                ("depth", go.depth.is_some()),
                ("nodes", go.nodes.is_some()),
                ("infinite", go.infinite),
                ("ponder", go.ponder),
                ("searchmoves", !only.is_empty()),
            ];
            let asked: Vec<&str> = asked.into_iter().filter_map(|(word, is_asked)| is_asked.then_some(word)).collect();
            if !asked.is_empty() {
                out.say(&format!("info string this player knows only time, not {}", asked.join(", ")));
            }
        }
        session.set_threads(options.threads);
        let reply = match session.play(position, time) {
            Ok(reply) => reply,
            Err(trouble) => {
                out.complain(dialect, &error_chain(&trouble));
                return None;
            }
        };
        for line in &reply.printed {
            out.say(&format!("info string {line}"));
        }
        let (value, comment) = reply.opinion.checked();
        if let Some(comment) = comment {
            out.say(&format!("info string {comment}"));
        }
        let (wall, cpu) = (reply.usage.wall.as_millis(), reply.usage.cpu.as_millis());
        let score = value.map(Score::of_opinion);
        match dialect {
            Dialect::Aep => {
                let score = score.map_or_else(String::new, |score| format!(" {}", score.words(dialect)));
                out.say(&format!("info time {wall} cpu {cpu}{score}"));
            }
            Dialect::Uci => {
                // Match runners want a score of every move.
                let ends = reply.mv.is_some_and(|mv| ends_game(position, mv)).then_some(Score::Mate(1));
                let score = ends.or(score).or_else(|| glancing.glance(position, options));
                let score = score.map_or_else(String::new, |score| format!(" {}", score.words(dialect)));
                let pv = reply.mv.map_or_else(String::new, |mv| dialect.move_text(position.board(), mv));
                out.say(&format!("info depth 1{score} time {wall} pv {pv}"));
            }
        }
        reply.mv
    }
}
