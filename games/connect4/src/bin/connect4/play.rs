use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use amazons_program::ranks::{Setup, alone};
use amazons_program::{Exit, drop_typed_ahead};
use clap::Args;
use connect4::Level;
use connect4::perfect::Solvers;
use connect4::record::{Head, Record};

use crate::board_args::{BoardArgs, seed};
use crate::human;
use crate::input::Input;
use crate::player::{Participant, Player};
use crate::ranks::{Engine, RankArgs, lead};
use crate::recorder::{Recorder, next_free};
use crate::show::read as read_record;
use crate::table::Table;
use crate::view::View;
use crate::web::{self, AddressArgs};

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

/// Plays a game on all ranks; with a person, as many as they want.
pub(crate) fn start(args: &PlayArgs, out: &mut impl Write) -> Result<Exit, Exit> {
    let participants = pair(&args.players);
    if participants.contains(&Participant::Web) {
        return alone(|| {
            let game = begin(args, participants, None)?;
            if participants.contains(&Participant::Human) {
                return Err(Exit::usage("web and human cannot meet: two people share the page of web web"));
            }
            let other = [("--resume", args.resume.is_some()), ("--json", args.json), ("--quiet", args.quiet)];
            refuse(other, "is not for the player web: its page shows the moves")?;
            web::run(game, participants, args.record.as_deref(), &args.address, out)
        });
    }
    let address = [("--port", args.address.port.is_some()), ("--open", args.address.open)];
    if let Err(exit) = refuse(address, "is for the page of the player web") {
        return alone(|| Err(exit));
    }
    lead(&args.ranks.options(), |engine, setup, solvers| run(args, engine, setup, solvers))
}

/// Refuses options that were given.
fn refuse<const N: usize>(options: [(&str, bool); N], why: &str) -> Result<(), Exit> {
    let given = options.into_iter().find(|(_, is_given)| *is_given);
    given.map_or(Ok(()), |(option, _)| Err(Exit::Usage(format!("{option} {why}"))))
}

fn run(args: &PlayArgs, engine: &mut Engine<'_, '_>, setup: &Setup, solvers: &Solvers) -> Result<Exit, Exit> {
    let resumed = args.resume.as_ref().map(read_record).transpose()?;
    let named = match &resumed {
        Some(record) if args.players.is_empty() => players_of(record)?,
        _ => args.players.clone(),
    };
    let participants = pair(&named);
    if args.address.book.is_given() && !participants.contains(&Participant::Level(Level::Perfect)) {
        return Err(Exit::usage("--book is for the players perfect and web"));
    }
    let book = args.address.book.read(resumed.as_ref().map_or(args.board.size, |record| record.size))?;
    let has_person = participants.contains(&Participant::Human);
    let game = begin(args, participants, resumed)?;
    let saved = || match Path::new(SAVED) {
        taken if taken.exists() => next_free(taken),
        free => free.to_owned(),
    };
    // The launcher may end all ranks before anything else can be said.
    let is_at_risk = has_person && setup.launcher.is_some();
    let path = args.record.clone().or_else(|| args.resume.clone()).or_else(|| is_at_risk.then(saved));
    let recorder = Recorder::begin(path.as_deref(), args.json, game)?;
    if let Some(path) = path.filter(|_| is_at_risk) {
        eprintln!("connect4: should a rank die, go on with: connect4 --resume {}", path.display());
    }
    let (is_json, is_quiet) = (args.json, args.quiet);
    let mut table = Table { recorder, participants, view: View::of_stdout(), is_json, is_quiet };
    let mut players = [0, 1].map(|seat| match participants[seat] {
        Participant::Human | Participant::Web => None,
        Participant::Level(level) => {
            Some(Player::new(level, args.seed.wrapping_add(seat as u64), &book, solvers, setup))
        }
    });
    let played = play(&mut table, &mut players, has_person, engine, setup);
    table.end(played)
}

/// Returns the players of a record, if this program knows both. Whoever played on a page goes on at the terminal.
fn players_of(record: &Record) -> Result<Vec<Participant>, Exit> {
    let unknown = |error| Exit::Usage(format!("{error}: name the players that go on"));
    let at_terminal = |it| if it == Participant::Web { Participant::Human } else { it };
    record.head.players.iter().map(|name| name.parse().map(at_terminal).map_err(unknown)).collect()
}

/// Returns the game to play: a new one, or that of a record.
fn begin(args: &PlayArgs, participants: [Participant; 2], resumed: Option<Record>) -> Result<Record, Exit> {
    let players = participants.map(|participant| participant.to_string());
    let game = match resumed {
        Some(mut record) => {
            record.head.players = players;
            record.result = None;
            record
        }
        None => {
            let BoardArgs { size, position } = &args.board;
            args.board.position()?;
            Record::new(Head::new(position, *size, players, args.first, args.seed)).map_err(Exit::failure)?
        }
    };
    match &args.resume {
        _ if game.turn().is_some() => Ok(game),
        Some(path) => Err(Exit::Usage(format!("{}: the game is over: show prints it", path.display()))),
        None => Err(Exit::Usage(format!("--position {}: the game is over: name a shorter one", game.all_moves()))),
    }
}

/// Plays a game; a person types until the end of input or `quit`.
fn play(
    table: &mut Table,
    players: &mut [Option<Player<'_>>; 2],
    has_person: bool,
    engine: &mut Engine<'_, '_>,
    setup: &Setup,
) -> Result<Exit, Exit> {
    let input = has_person.then(Input::start);
    if has_person {
        table.say("Connect 4: type a column, or help.")?;
        table.show()?;
    }
    loop {
        let side = table.game().turn();
        let player = side.and_then(|side| Some((side, players[table.game().head.seat(side)].as_mut()?)));
        match (player, &input) {
            (Some((side, player)), _) => {
                let begun = Instant::now();
                let chosen = player.choose(&table.game().position(), engine)?;
                table.level_plays(side, &chosen, begun.elapsed())?;
                if has_person {
                    table.show()?;
                    table.announce()?;
                    if drop_typed_ahead() {
                        table.complain("what you typed before your turn is not taken")?;
                    }
                }
            }
            (None, Some(input)) => {
                if human::turn(table, input, engine, setup)?.is_break() {
                    return Ok(Exit::Success);
                }
            }
            (None, None) => {
                table.show()?;
                table.announce()?;
                return Ok(Exit::Success);
            }
        }
    }
}
