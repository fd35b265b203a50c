//! Games of the engine against itself, one line each: board, opening plies, winner, then moves with values; random
//! moves are marked with a question mark.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use amazons_rules::{Color, Move, Position};
use anyhow::{Context, Result, bail};
use clap::Args;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use crate::boards::{self, StartPosition};
use crate::contender::Contender;
use crate::workers;

#[derive(Args, Debug)]
pub(crate) struct PlayArgs {
    /// Where to write; a new file. Until all games are played, its name ends in `.part`, and the same command goes on
    /// with it.
    file: PathBuf,
    /// Which boards, drawn for each game.
    #[arg(long, default_value = boards::USUAL)]
    boards: String,
    /// How many games.
    #[arg(long, short = 'n', default_value_t = 1000)]
    games: usize,
    /// The seed of openings.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Maximum number of random plies at the start; each game draws its own number.
    #[arg(long, default_value_t = 8)]
    opening: usize,
    /// The share of moves drawn at random instead of chosen, so that the samples include positions that good play
    /// avoids.
    #[arg(long, default_value_t = 0.0)]
    random: f64,
    /// The engine's settings.
    #[arg(long, default_value = "budget=400")]
    engine: Contender,
    /// Threads.
    #[arg(long, default_value_t = 2)]
    jobs: usize,
}

/// A finished game.
#[derive(Clone, Debug)]
pub(crate) struct Game {
    pub(crate) board: String,
    /// The moves that were drawn at random.
    pub(crate) opening: Vec<Move>,
    pub(crate) winner: Color,
    pub(crate) moves: Vec<SelfPlayMove>,
}

/// A move of a game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SelfPlayMove {
    pub(crate) mv: Move,
    /// The engine's value of the position before it, for the side to move.
    pub(crate) value: f32,
    /// Whether the engine chose it.
    pub(crate) chosen: bool,
}

pub(crate) fn play(args: &PlayArgs) -> Result<()> {
    let starts = boards::starts(&args.boards)?;
    if args.file.exists() {
        bail!("{} exists: name a new file", args.file.display());
    }
    let part = part(&args.file);
    let cannot = |what: &str| format!("cannot {what} {}", part.display());
    // A game that was cut off is played again.
    let text = if part.exists() { fs::read_to_string(&part).with_context(|| cannot("read"))? } else { String::new() };
    let whole = text.split_inclusive('\n').filter(|line| line.ends_with('\n')).take(args.games);
    let (played, end) = whole.fold((0, 0), |(games, end), line| (games + 1, end + line.len() as u64));
    let mut file = OpenOptions::new().append(true).create(true).open(&part).with_context(|| cannot("open"))?;
    file.set_len(end).with_context(|| cannot("shorten"))?;
    let job = |index: usize| {
        let index = played + index;
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(args.seed.wrapping_mul(1 << 32).wrapping_add(index as u64));
        let start = StartPosition::any(&starts, &mut rng);
        Ok(self_play(start, args, &mut rng))
    };
    let mut plies = 0;
    workers::run(args.jobs, args.games - played, job, |_, game: Game| {
        plies += game.moves.len();
        writeln!(file, "{}", game.to_line()?)?;
        Ok(())
    })?;
    fs::rename(&part, &args.file).with_context(|| cannot("rename"))?;
    println!("{} games, {played} of them from before; {plies} moves", args.games);
    Ok(())
}

/// The name of a file that is not whole yet.
fn part(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    name.into()
}

fn self_play(start: &StartPosition, args: &PlayArgs, rng: &mut Xoshiro256PlusPlus) -> Game {
    let mut opening = Vec::new();
    let mut position = start.position.clone();
    for _ in 0..rng.random_range(0..=args.opening) {
        let Some(mv) = position.random_move(rng) else { break };
        position.play_unchecked(mv);
        opening.push(mv);
    }
    // One tree for both sides: what it learns for one helps the other.
    let mut engine = args.engine.engine(position.board());
    let mut moves = Vec::new();
    while let Some(result) = engine.search(&position, &mut args.engine.budget.limits()) {
        let drawn = if rng.random_bool(args.random) { position.random_move(rng) } else { None };
        let mv = drawn.unwrap_or(result.mv);
        moves.push(SelfPlayMove { mv, value: result.value, chosen: drawn.is_none() });
        position.play_unchecked(mv);
    }
    Game { board: start.name.clone(), opening, winner: position.side_to_move().opposite(), moves }
}

impl Game {
    fn to_line(&self) -> Result<String> {
        let board = boards::start(&self.board)?.position;
        let board = board.board();
        let mut line = format!("{} {} {}", self.board, self.opening.len(), self.winner.index());
        for &mv in &self.opening {
            line.push_str(&format!(" {}", board.move_text(mv)));
        }
        for &SelfPlayMove { mv, value, chosen } in &self.moves {
            let mark = if chosen { "" } else { "?" };
            line.push_str(&format!(" {} {value:.3}{mark}", board.move_text(mv)));
        }
        Ok(line)
    }

    /// Reads a line.
    pub(crate) fn from_line(line: &str) -> Result<Self> {
        let mut words = line.split_ascii_whitespace();
        let mut word = || words.next().context("the line ends too early");
        let board = word()?.to_owned();
        let plies: usize = word()?.parse()?;
        let winner = match word()? {
            "0" => Color::Black,
            "1" => Color::White,
            other => bail!("'{other}' is not a winner"),
        };
        let position = boards::start(&board)?.position;
        let read = |text: &str| position.board().parse_move(text);
        let opening = (0..plies).map(|_| Ok(read(word()?)?)).collect::<Result<_>>()?;
        let mut moves = Vec::new();
        while let Some(text) = words.next() {
            let value = words.next().context("a move has no value")?;
            let (value, chosen) = value.strip_suffix('?').map_or((value, true), |value| (value, false));
            moves.push(SelfPlayMove { mv: read(text)?, value: value.parse()?, chosen });
        }
        Ok(Self { board, opening, winner, moves })
    }

    /// Takes the mean of the value before each chosen move and of that after it.
    pub(crate) fn average_values(&mut self) {
        for index in 1..self.moves.len() {
            let after = self.moves[index].value;
            if let before @ SelfPlayMove { chosen: true, .. } = &mut self.moves[index - 1] {
                before.value = (before.value - after) / 2.0;
            }
        }
    }

    /// The position from which the engine played.
    pub(crate) fn start(&self) -> Result<Position> {
        let mut position = boards::start(&self.board)?.position;
        for &mv in &self.opening {
            position.try_play(mv)?;
        }
        Ok(position)
    }
}
