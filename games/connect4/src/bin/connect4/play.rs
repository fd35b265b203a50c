use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use amazons_program::Exit;
use amazons_program::ranks::Setup;
use clap::Args;
use connect4::perfect::Solvers;
use connect4::record::{Head, Record};
use connect4::{BookChoice, Level, Position, Side};

use crate::board_args::{BoardArgs, seed};
use crate::game::Game;
use crate::human::{Next, Person};
use crate::levels::{self, PerfectSettings};
use crate::player::{Participant, Player};
use crate::ranks::{Engine, RankArgs, SOLVER_BYTES, lead_with};
use crate::recorder::next_free;
use crate::show::read as read_record;
use crate::table::{Shown, Table};
use crate::web::{AddressArgs, WebGame};

/// Where a person's game goes under a launcher, which may end all ranks at once.
const SAVED: &str = "connect4-game.jsonl";

#[derive(Args, Debug)]
pub(crate) struct PlayArgs {
    /// The players: human, web (a person at a browser), random, average:DEPTH, alphabeta:DEPTH, mcts:VISITS, perfect
    #[arg(value_name = "PLAYER", num_args = 0..=2)]
    players: Vec<Participant>,
    /// The player that moves first
    #[arg(long, value_name = "1|2", allow_negative_numbers = true, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=2))]
    first: u8,
    /// The seed of random moves
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = 1, value_parser = seed)]
    seed: u64,
    /// Record the game in a file; further games, and those of other pages, in files with the next free names
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Go on with a recorded game; by default its record goes on, too
    #[arg(long, value_name = "RECORD", conflicts_with_all = ["first", "seed", "position", "size"])]
    resume: Option<PathBuf>,
    /// Print the game as JSON Lines; a person's prompts then go to standard error
    #[arg(long)]
    json: bool,
    /// Print the result only
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    address: AddressArgs,
    #[command(flatten)]
    board: BoardArgs,
    #[command(flatten)]
    pub(crate) ranks: RankArgs,
}

impl PlayArgs {
    pub(crate) fn web_game(&self) -> Result<Option<WebGame>, Exit> {
        let participants = pair(&self.players);
        if !participants.contains(&Participant::Web) {
            let given = [("--port", self.address.port.is_some()), ("--open", self.address.open)];
            return match given.into_iter().find(|(_, is_given)| *is_given) {
                Some((option, _)) => Err(Exit::Usage(format!("{option} is for the page of the player web"))),
                None => Ok(None),
            };
        }
        let position = self.board.position()?;
        if position.ending().is_some() {
            let moves = &self.board.position;
            return Err(Exit::Usage(format!("--position {moves}: the game is over: name a shorter one")));
        }
        if participants.contains(&Participant::Human) {
            return Err(Exit::usage("web and human cannot meet: two people share the page of web web"));
        }
        let other = [("--resume", self.resume.is_some()), ("--json", self.json), ("--quiet", self.quiet)];
        if let Some((option, _)) = other.into_iter().find(|(_, is_given)| *is_given) {
            return Err(Exit::Usage(format!("{option} is not for the player web: its page shows the moves")));
        }
        let mut sides = participants.map(|participant| match participant {
            Participant::Level(level) => Some(level),
            Participant::Human | Participant::Web => None,
        });
        if self.first == 2 {
            sides.reverse();
        }
        let (moves, size) = (self.board.position.clone(), self.board.size);
        let players = participants.map(|participant| participant.to_string());
        let head = Head::new(&moves, size, players, self.first, self.seed);
        let record = self.record.clone().map(|path| (path, head));
        Ok(Some(WebGame { size, moves, sides, seed: self.seed, record }))
    }

    pub(crate) const fn address(&self) -> &AddressArgs {
        &self.address
    }
}

/// Returns both players: a person against average:8, where nobody is named.
fn pair(named: &[Participant]) -> [Participant; 2] {
    let level = Participant::Level(Level::Average(8));
    match *named {
        [one, two] => [one, two],
        [one @ (Participant::Human | Participant::Web)] => [one, level],
        [one] => [Participant::Human, one],
        _ => [Participant::Human, level],
    }
}

enum Seat {
    Human,
    Level(Box<dyn Player>),
}

/// Plays a game on all ranks; with a person, as many as they want.
pub(crate) fn start(args: &PlayArgs) -> Result<Exit, Exit> {
    let solvers = Arc::new(Solvers::new(SOLVER_BYTES, BookChoice::Nothing));
    lead_with(&args.ranks.options(), &solvers, |engine, setup| run(args, engine, setup, &solvers))
}

fn run(args: &PlayArgs, engine: &mut Engine<'_, '_>, setup: &Setup, solvers: &Arc<Solvers>) -> Result<Exit, Exit> {
    let resumed = args.resume.as_ref().map(read_record).transpose()?;
    let named = match &resumed {
        Some(record) if args.players.is_empty() => players_of(record)?,
        _ => args.players.clone(),
    };
    let participants = pair(&named);
    if args.address.book.is_given() && !participants.contains(&Participant::Level(Level::Perfect)) {
        return Err(Exit::usage("--book is for the players perfect and web"));
    }
    let size = resumed.as_ref().map_or(args.board.size, |record| record.size);
    let book = args.address.book.read(size)?;
    let perfect = PerfectSettings { book, solvers: Arc::clone(solvers), setup: setup.clone() };
    let seat = |(participant, seed): (Participant, u64)| match participant {
        Participant::Human | Participant::Web => Seat::Human,
        Participant::Level(level) => Seat::Level(levels::player(level, seed, &perfect)),
    };
    let seeds = [args.seed, args.seed.wrapping_add(1)];
    let mut seats = participants.into_iter().zip(seeds).map(seat).collect::<Vec<_>>();
    let has_person = participants.contains(&Participant::Human);
    let mut table = begin(args, participants, resumed, has_person && setup.launcher.is_some())?;
    let played = match has_person {
        true => with_person(&mut table, &mut seats, engine, setup),
        false => alone(&mut table, &mut seats, engine),
    };
    table.end(played)
}

/// Returns the players of a record, if this program knows both.
fn players_of(record: &Record) -> Result<Vec<Participant>, Exit> {
    let unknown = |error| Exit::Usage(format!("{error}: name the players that go on"));
    record.head.players.iter().map(|name| name.parse().map_err(unknown)).collect()
}

fn begin(
    args: &PlayArgs,
    participants: [Participant; 2],
    resumed: Option<Record>,
    needs_record: bool,
) -> Result<Table, Exit> {
    let players = participants.map(|participant| participant.to_string());
    let (game, head) = match resumed {
        Some(record) => {
            let before = Position::from_moves(record.size, &record.head.position).map_err(Exit::failure)?;
            let mut game = Game::new(before, &record.head.position);
            for played in record.moves {
                let column = game.position().column(&played.column).map_err(Exit::failure)?;
                game.play(column, played).map_err(Exit::failure)?;
            }
            (game, Head { players, ..record.head })
        }
        None => {
            let moves = &args.board.position;
            (
                Game::new(args.board.position()?, moves),
                Head::new(moves, args.board.size, players, args.first, args.seed),
            )
        }
    };
    if game.ending().is_some() {
        return Err(match &args.resume {
            Some(path) => Exit::Usage(format!("{}: the game is over: show prints it", path.display())),
            None => Exit::Usage(format!("--position {}: the game is over: name a shorter one", game.all_moves())),
        });
    }
    let saved = || match Path::new(SAVED) {
        taken if taken.exists() => next_free(taken),
        free => free.to_owned(),
    };
    let path = args.record.clone().or_else(|| args.resume.clone()).or_else(|| needs_record.then(saved));
    let path = path.as_deref();
    let shown = match (args.json, args.quiet) {
        (false, false) => Shown::Everything,
        (false, true) => Shown::Result,
        (true, false) => Shown::Json,
        (true, true) => Shown::QuietJson,
    };
    let table = Table::new(game, head, participants, path, shown)?;
    if let Some(path) = path.filter(|_| needs_record) {
        // The launcher may end all ranks before anything else can be said.
        eprintln!("connect4: should a rank die, go on with: connect4 --resume {}", path.display());
    }
    Ok(table)
}

fn level_turn(table: &mut Table, side: Side, player: &mut dyn Player, engine: &mut Engine<'_, '_>) -> Result<(), Exit> {
    let begun = Instant::now();
    let chosen = player.choose(table.game.position(), engine)?;
    table.level_plays(side, &chosen, begun.elapsed())
}

/// Levels play one game.
fn alone(table: &mut Table, seats: &mut [Seat], engine: &mut Engine<'_, '_>) -> Result<Exit, Exit> {
    while let Some(side) = table.game.turn() {
        if let Seat::Level(player) = &mut seats[table.seat(side)] {
            level_turn(table, side, &mut **player, engine)?;
        }
    }
    table.show()?;
    table.announce()?;
    Ok(Exit::Success)
}

/// A person types, until the end of input or `quit`.
fn with_person(
    table: &mut Table,
    seats: &mut [Seat],
    engine: &mut Engine<'_, '_>,
    setup: &Setup,
) -> Result<Exit, Exit> {
    let mut person = Person::new(table)?;
    loop {
        let seat = table.game.turn().map(|side| (side, table.seat(side)));
        match seat.map(|(side, seat)| (side, &mut seats[seat])) {
            Some((side, Seat::Level(player))) => {
                level_turn(table, side, &mut **player, engine)?;
                table.show()?;
                if table.game.result().is_some() {
                    table.announce()?;
                }
                person.begin_turn(table)?;
            }
            Some((_, Seat::Human)) | None => match person.turn(table, engine, setup)? {
                Next::GoOn => {}
                Next::Leave => return Ok(Exit::Success),
            },
        }
    }
}
