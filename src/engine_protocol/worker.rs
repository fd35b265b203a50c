use std::io::Write;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use amazons_engine_player::{Bundled, Found};
use amazons_protocol::{Dialect, Go, VERSION};
use amazons_rules::{Color, Move};

use super::info::{Score, ends_game};
use super::options::Options;
use super::out::Out;
use super::own_search::{OwnSearch, Question, clock};
use super::reader::{Job, Task};
use super::{Session, Time};
use crate::game::GameConfig;
use crate::host::{GameTime, Launcher, Limits};
use crate::referee::PlayerNumber;
use crate::text::{error_chain, visible};

/// How long `quit` waits for a move, unless a longer time was given for it.
const QUIT_WAIT: Duration = Duration::from_secs(10);

/// Minimum time announced to a player.
const MIN: Duration = Duration::from_millis(1);

/// Runs the player.
pub(super) struct Worker<'a, W> {
    session: Session,
    own: Option<OwnSearch>,
    /// Whether it is a bundled player from other sources than this program.
    is_other_build: bool,
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
    pub(super) fn new(launcher: Launcher, config: GameConfig, found: Found, out: &'a Out<W>) -> Self {
        let file = config.players[PlayerNumber::One].typed().file_stem().unwrap_or_default();
        let file = visible(&file.to_string_lossy());
        let time = match config.limits.game {
            Some(game) => Time::Game(game),
            None if config.limits.play < Limits::NO_LIMIT => Time::Move(config.limits.play),
            None => Time::Default,
        };
        let own = if let Found::Bundled(bundled) = found { Some(OwnSearch::new(bundled)) } else { None };
        Self {
            session: Session::new(launcher, config),
            own,
            is_other_build: found == Found::OtherBuild,
            glancing: OwnSearch::new(Bundled::Champion),
            out,
            file,
            time,
            dialect: Dialect::Aep,
        }
    }

    pub(super) fn run(mut self, work: Receiver<Job>) {
        for job in work {
            match job {
                Job::Hello(dialect, options) => self.hello(dialect, &options),
                Job::Ready => self.out.say("readyok"),
                Job::NewGame => {
                    self.session.end_game();
                    self.own.iter_mut().for_each(OwnSearch::forget);
                }
                Job::Think(task) => self.think(&task),
            }
        }
        self.session.end_game();
    }

    fn hello(&mut self, dialect: Dialect, options: &Options) {
        self.dialect = dialect;
        let name = match &self.own {
            Some(own) => Some(own.bundled().name().to_string_lossy().into_owned()),
            None => self.session.name().unwrap_or_else(|trouble| {
                self.out.complain(self.dialect, &error_chain(&trouble));
                None
            }),
        };
        if self.is_other_build {
            self.out.say(&format!("info string {} is not of this server's build: it knows only time", self.file));
        }
        let name = name.filter(|name| !name.trim().is_empty()).unwrap_or_else(|| self.file.clone());
        self.out.say(&format!("id name {name}"));
        self.out.say(concat!("id author player of the amazons server ", env!("CARGO_PKG_VERSION")));
        for line in options.list(dialect, self.own.is_some()) {
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
        } else if let Some(own) = &mut self.own {
            let question = Question { position, go, only, time: self.time, options, dialect, ask };
            own.think(&question, self.out).unwrap_or_else(|reason| {
                self.out.complain(dialect, &reason);
                Vec::new()
            })
        } else {
            self.ask_player(task, given).into_iter().collect()
        };
        ask.wait();
        *self.out.asked() = None;
        let text = |mv: &Move| dialect.move_text(position.board(), *mv);
        let answer = match (&moves[..], dialect) {
            ([], Dialect::Aep) => "none".to_owned(),
            ([], Dialect::Uci) => "(none)".to_owned(),
            ([mv, expected, ..], Dialect::Uci) => format!("{} ponder {}", text(mv), text(expected)),
            ([mv, ..], _) => text(mv),
        };
        // The reader of the move may ask again at once.
        ask.finish();
        self.out.say(&format!("bestmove {answer}"));
    }

    /// Returns the player's time: for the move, by its colour's clock, or as the command line says.
    fn given(&self, go: &Go, side: Color, options: &Options) -> Time {
        let less = |time: Duration| time.saturating_sub(options.overhead).max(MIN);
        match (go.movetime, clock(go, side)) {
            (Some(time), _) => Time::Move(less(time)),
            (None, Some((left, increment))) => Time::Game(GameTime { bank: less(left), increment }),
            (None, None) => Time::Default,
        }
    }

    /// Asks a player that has only its functions.
    fn ask_player(&mut self, Task { position, go, only, options, .. }: &Task, time: Time) -> Option<Move> {
        let dialect = self.dialect;
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
                self.out.say(&format!("info string this player knows only time, not {}", asked.join(", ")));
            }
        }
        self.session.set_threads(options.threads);
        let reply = match self.session.play(position, time) {
            Ok(reply) => reply,
            Err(trouble) => {
                self.out.complain(dialect, &error_chain(&trouble));
                return None;
            }
        };
        for line in &reply.printed {
            self.out.say(&format!("info string {line}"));
        }
        let (value, comment) = reply.opinion.checked();
        if let Some(comment) = comment {
            self.out.say(&format!("info string {comment}"));
        }
        let (wall, cpu) = (reply.usage.wall.as_millis(), reply.usage.cpu.as_millis());
        let score = value.map(Score::of_value);
        match dialect {
            Dialect::Aep => {
                let score = score.map_or_else(String::new, |score| format!(" {}", score.words(dialect)));
                self.out.say(&format!("info time {wall} cpu {cpu}{score}"));
            }
            Dialect::Uci => {
                // Match runners want a score of every move.
                let ends = reply.mv.is_some_and(|mv| ends_game(position, mv)).then_some(Score::Mate(1));
                let score = ends.or(score).or_else(|| self.glancing.glance(position, options).map(Score::of_value));
                let score = score.map_or_else(String::new, |score| format!(" {}", score.words(dialect)));
                let pv = reply.mv.map_or_else(String::new, |mv| dialect.move_text(position.board(), mv));
                self.out.say(&format!("info depth 1{score} time {wall} pv {pv}"));
            }
        }
        reply.mv
    }
}
