use std::io::Write;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::{Duration, Instant};

use amazons_engine::{Engine, EngineConfig, Level, TooLarge, Variation, chance};
use amazons_engine_player::{Bundled, Resources};
use amazons_player::{GameBudget, open_vertices};
use amazons_protocol::{Dialect, Go};
use amazons_rules::{Board, Color, Move, Position};
use amazons_search::{Budget, Choice, Progress};

use super::Time;
use super::ask::{Answer, Ask};
use super::info::{Info, Score};
use super::options::Options;
use super::out::Out;

/// When to tell about a search for the first time, and how long at most until the next time.
const FIRST_REPORT: Duration = Duration::from_millis(100);
const LAST_INTERVAL: Duration = Duration::from_secs(1);

/// When to look at the result for the first time, and how long at most until the next time.
const FIRST_PAUSE: Duration = Duration::from_millis(10);
const LAST_PAUSE: Duration = Duration::from_millis(50);

/// The same for a search that ends by nodes or depth, in nodes.
const FIRST_NODES: u64 = 1000;
const LAST_NODES: u64 = 20_000;

/// Longer than any search.
const AGES: Duration = Duration::from_secs(365 * 24 * 3600);

/// The time for a `go` without any limit.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// After this time, the move that is being searched is told, too.
const LONG: Duration = Duration::from_secs(3);

/// The share of a clock that its last move may use.
const USABLE: f64 = 0.9;

/// Searches with a bundled engine, without its library.
pub(super) struct OwnSearch {
    pub(super) bundled: Bundled,
    /// The seed of the moves that a level draws.
    seed: u64,
    kept: Option<Kept>,
}

/// An engine with the tree of its last search.
struct Kept {
    engine: Box<dyn Engine>,
    board: Arc<Board>,
    settings: Settings,
}

/// The settings of an engine.
#[derive(Clone, Copy, PartialEq)]
struct Settings {
    threads: NonZeroU32,
    hash: u32,
    level: Option<Level>,
}

/// A question for a move.
pub(super) struct Question<'a> {
    pub(super) position: &'a Position,
    pub(super) go: &'a Go,
    /// The moves to choose from; all if empty.
    pub(super) only: &'a [Move],
    /// The time where `go` has none.
    pub(super) time: Time,
    pub(super) options: &'a Options,
    pub(super) dialect: Dialect,
    pub(super) ask: &'a Ask,
}

/// The limits of a search that pauses now and then.
struct Limits<'a> {
    ask: &'a Ask,
    /// The usual time and the longest.
    time: Option<[Duration; 2]>,
    nodes: u64,
    /// In half-moves.
    depth: u32,
    /// Whether there is one legal move.
    is_sole: bool,
    /// Watches the choice, if later moves get the time that this one leaves.
    choice: Option<Choice>,
    begun: Instant,
    /// When to look at the result.
    pause: Pause,
    is_over: bool,
}

/// When a search pauses, which changes what it does next.
enum Pause {
    At(Instant),
    /// After so many nodes: with the same limits, the same in every process.
    After(u64),
}

impl Pause {
    fn is_due(&self, nodes: u64) -> bool {
        match *self {
            Self::At(time) => Instant::now() >= time,
            Self::After(most) => nodes >= most,
        }
    }
}

impl OwnSearch {
    pub(super) const fn new(bundled: Bundled, seed: u64) -> Self {
        Self { bundled, seed, kept: None }
    }

    /// Forgets all searches.
    pub(super) fn forget(&mut self) {
        self.kept = None;
    }

    /// Allocates what a search on a board needs; a board that is too large is reported when it is searched.
    pub(super) fn prepare(&mut self, board: &Arc<Board>, options: &Options) {
        let _ = self.engine(board, options);
    }

    /// Returns an engine for a board, with what it searched on it before.
    fn engine(&mut self, board: &Arc<Board>, options: &Options) -> Result<&mut dyn Engine, TooLarge> {
        let settings = Settings { threads: options.threads, hash: options.hash, level: options.level() };
        let is_fit = |kept: &Kept| kept.settings == settings && is_same(&kept.board, board);
        let kept = match self.kept.take().filter(is_fit) {
            Some(kept) => kept,
            None => {
                let memory = Some((options.hash as usize) << 20);
                let resources = Resources { memory, threads: options.threads.get() as usize };
                let (level, seed) = (settings.level, self.seed);
                let adjust = |config| EngineConfig { level, seed, ..config };
                let engine = self.bundled.engine(Arc::clone(board), resources, adjust)?;
                Kept { engine, board: Arc::clone(board), settings }
            }
        };
        Ok(&mut *self.kept.insert(kept).engine)
    }

    /// Searches, and tells how it goes; returns the move with the answer it expects.
    /// Fails when the board is too large.
    pub(super) fn think<W: Write>(&mut self, question: &Question<'_>, out: &Out<W>) -> Result<Vec<Move>, TooLarge> {
        let &Question { position, go, only, options, dialect, ask, .. } = question;
        let bundled = self.bundled;
        let is_best_first = bundled != Bundled::AlphaBeta;
        let time = question.allowance();
        let is_repeatable = time.is_none() && !go.infinite && options.threads == NonZeroU32::MIN;
        if is_repeatable {
            self.forget();
        }
        let engine = self.engine(position.board(), options)?;
        engine.restrict(only);
        let begun = Instant::now();
        let mut next_report = begun + if options.level().is_some() { AGES } else { FIRST_REPORT };
        let mut limits = Limits {
            ask,
            time,
            nodes: go.nodes.unwrap_or(u64::MAX),
            // A line of n moves has begun with its odd half-move.
            depth: go.depth.map_or(u32::MAX, |depth| depth.saturating_mul(2) - 1),
            is_sole: position.has_one_move(),
            choice: clock(go, position.side_to_move()).and_then(|_| bundled.choice(position)),
            begun,
            pause: match options.level() {
                Some(_) => Pause::At(next_report),
                None if is_repeatable => Pause::After(FIRST_NODES),
                None => Pause::At(begun + FIRST_PAUSE),
            },
            is_over: false,
        };
        let (mut nodes, mut depth) = (0, 0);
        loop {
            let Some(result) = engine.search(position, &mut limits) else { return Ok(Vec::new()) };
            nodes += result.nodes;
            limits.nodes -= result.nodes.min(limits.nodes);
            // A level has its own limits, and begins anew each time.
            let may_go_on = options.level().is_none() && result.proof.is_none();
            let was_interrupted = may_go_on && limits.pause.is_due(result.nodes);
            // Nobody reads the answer of an output that is closed.
            let is_over = limits.is_over || limits.nodes == 0 || !was_interrupted || out.has_failed();
            // A tree that is kept may be deeper than asked for, and what is dropped from a full one is the deepest.
            depth = result.depth.min(limits.depth).max(depth);
            let lines: Vec<Variation> = engine.lines(options.lines as usize);
            let time = begun.elapsed();
            let fullness = engine.fullness();
            let info = Info { position, lines: &lines, depth, nodes, time, fullness };
            let text = info.text(dialect);
            let moves = lines.into_iter().next().map_or_else(|| vec![result.mv], |line| line.moves);
            let answer = Answer::new(dialect, position.board(), &moves);
            if is_over || Instant::now() >= next_report {
                ask.offer(answer, || {
                    text.iter().for_each(|line| out.say(line));
                    if !is_over && dialect == Dialect::Uci && time >= LONG {
                        let mv = dialect.move_text(position.board(), result.mv);
                        out.say(&format!("info currmove {mv} currmovenumber 1"));
                    }
                });
                if is_over {
                    return Ok(moves);
                }
                // A depth-first search begins anew each time.
                let interval = if is_best_first { time.min(LAST_INTERVAL) } else { time };
                next_report = Instant::now() + interval.max(FIRST_REPORT);
            } else {
                ask.offer(Answer { info: text, ..answer }, || ());
            }
            limits.pause = match limits.pause {
                Pause::After(_) => Pause::After(nodes.min(LAST_NODES)),
                Pause::At(_) if is_best_first => Pause::At(next_report.min(Instant::now() + LAST_PAUSE)),
                Pause::At(_) => Pause::At(next_report),
            };
        }
    }

    /// Returns the chance of the side to move at a glance.
    pub(super) fn glance(&mut self, position: &Position, options: &Options) -> Option<Score> {
        let engine = self.engine(position.board(), options).ok()?;
        engine.restrict(&[]);
        let result = engine.search(position, &mut amazons_search::Limits::nodes(1))?;
        Some(Score::Chance(chance(result.value, result.proof, position).into()))
    }
}

/// Returns whether two boards look the same.
fn is_same(one: &Board, other: &Board) -> bool {
    let size = |board: &Board| (board.columns(), board.rows(), board.vertex_count());
    size(one) == size(other) && one.holes().eq(other.holes())
}

impl Question<'_> {
    /// Returns the time that the move usually takes and the most it may; `None` without a limit.
    fn allowance(&self) -> Option<[Duration; 2]> {
        let Self { go, options, position, .. } = self;
        if go.infinite {
            return None;
        }
        let less = |time: Duration| time.saturating_sub(options.overhead);
        let of_clock = |(left, increment)| share(position, less(left), increment, go.movestogo);
        let by_clock = clock(go, position.side_to_move()).map(of_clock);
        let by_move = go.movetime.map(less);
        Some(match (by_clock, by_move, self.time) {
            // The server sends both.
            (Some(times), Some(most), _) => times.map(|time| time.min(most)),
            (Some(times), None, _) => times,
            (None, Some(time), _) => [time; 2],
            _ if go.depth.is_some() || go.nodes.is_some() => return None,
            (.., Time::Default) => [DEFAULT_TIME; 2],
            (.., Time::Move(time)) => [less(time); 2],
            (.., Time::Game(game)) => share(position, less(game.bank), game.increment, None),
        })
    }
}

/// Returns a side's time and increment; a clock that only the other side has counts for both.
pub(super) fn clock(go: &Go, side: Color) -> Option<(Duration, Duration)> {
    let index = match side {
        Color::White => 0,
        Color::Black => 1,
    };
    let own = |times: [Option<Duration>; 2]| times[index].or(times[1 - index]);
    Some((own(go.left)?, own(go.increment).unwrap_or_default()))
}

/// Returns the usual time for a move out of what is left for all, and the longest.
fn share(position: &Position, left: Duration, increment: Duration, moves: Option<u32>) -> [Duration; 2] {
    let (budget, open) = (GameBudget::new(left, increment), open_vertices(position));
    let even = moves.map_or(Duration::ZERO, |moves| left.mul_f64(USABLE) / moves);
    [budget.per_move(open), budget.most_per_move(open)].map(|time| time.max(even))
}

impl Budget for Limits<'_> {
    fn exhausted(&mut self, progress: &Progress) -> bool {
        let now = Instant::now();
        let mut is_late = |[usual, most]: [Duration; 2], begun: Instant| {
            let used = now - self.begun;
            let share = self.choice.as_mut().map_or(1.0, |choice| choice.share(progress, used));
            let left = (begun + usual.mul_f64(share).min(most)).saturating_duration_since(now);
            let is_settled = self.choice.as_mut().is_some_and(|choice| choice.is_settled(progress, [used, left]));
            // A sole move is told with its value.
            left.is_zero() || is_settled || self.is_sole && progress.depth >= 2
        };
        let is_late = self.time.zip(self.ask.begun()).is_some_and(|(times, begun)| is_late(times, begun));
        self.is_over |= self.ask.is_stopped() || progress.depth >= self.depth || is_late;
        self.is_over || self.pause.is_due(progress.nodes)
    }

    fn max_nodes(&self) -> u64 {
        self.nodes
    }

    fn max_depth(&self) -> u32 {
        self.depth
    }
}
