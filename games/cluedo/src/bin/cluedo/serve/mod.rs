//! `cluedo serve`: tables of clients that speak lines.

mod config;
mod connection;
mod own;
mod report;
mod run;
mod shared;
mod table;

use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use amazons_program::Exit;
use amazons_program::files::read_file;
use amazons_sandbox::SandboxMode;
use clap::Args;
use cluedo::deal::{Deal, PLAYERS};
use cluedo::line::options::{Options, default_limit};
use cluedo::tournament::Run;
use rand::TryRng;
use rand::rngs::SysRng;

use crate::seats::{Command, command};

/// Maximum length of a list of deals.
const MAX_DEALS: u64 = 64 << 20;

#[derive(Clone, Debug, Args)]
#[command(args_override_self = true)]
pub(crate) struct ServeArgs {
    /// The port to listen on; 0 picks one and prints it
    #[arg(required_unless_present = "config")]
    port: Option<u16>,
    /// How many games each table plays
    #[arg(required_unless_present = "config", value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,
    /// Read options from this file, as in timeout = "1s"; those of the command line win
    #[arg(long, value_name = "FILE.toml")]
    config: Option<PathBuf>,
    /// Start this program in the sandbox and give it the next seat of each table, as stdio:teams/ada/bot
    #[arg(long = "seat", value_name = "stdio:COMMAND")]
    seats: Vec<Run>,
    /// The reaction to a kernel that offers less than the sandbox needs
    #[arg(long, value_enum, default_value = "auto")]
    sandbox: SandboxMode,
    /// How many players sit at a table, 2 to 10
    #[arg(short = 'n', long = "players", default_value_t = 2)]
    players: usize,
    /// How many tables to fill
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    tables: u32,
    /// The address to listen on
    #[arg(long, default_value = "127.0.0.1")]
    host: IpAddr,
    /// Allow an address that other machines can reach
    #[arg(long)]
    public: bool,
    #[command(flatten)]
    table: Options,
    /// The turn limit [default: the cube of the number of players]
    #[arg(long)]
    limit: Option<usize>,
    /// The seed of all deals [default: at random]
    #[arg(long)]
    seed: Option<u64>,
    /// Play these deals, one a line: 2 5 10 | 0 4 8 | 1 6 9 | 3 7 11, the secret first
    #[arg(long)]
    deals: Option<PathBuf>,
    /// Write the games to this file as lines of JSON
    #[arg(long)]
    record: Option<PathBuf>,
    /// Show the tables in a browser while they play, at an address of this machine that is printed
    #[arg(long)]
    watch: bool,
    /// The port of these pages [default: any free one]
    #[arg(long, value_name = "PORT", requires = "watch")]
    watch_port: Option<u16>,
    /// Print the results as JSON
    #[arg(long)]
    json: bool,
    /// Log only faults
    #[arg(long)]
    quiet: bool,
}

/// A server's settings, checked.
pub(crate) struct Server {
    args: ServeArgs,
    tables: usize,
    address: SocketAddr,
    options: Arc<Options>,
    /// The programs that it starts for the first seats of each table.
    own: Vec<Command>,
}

pub(crate) fn run(args: &ServeArgs, out: &mut impl std::io::Write) -> Result<Exit, Exit> {
    let args = args.config.as_ref().map_or_else(|| Ok(args.clone()), |file| config::read(file))?;
    run::run(server(args)?, out)
}

/// Finds the programs that the server starts; none may read what the server writes, or its deals.
fn own(args: &ServeArgs) -> Result<Vec<Command>, Exit> {
    if args.seats.len() > args.players {
        return Err(Exit::usage(format!("{} --seat: only {} sit at a table", args.seats.len(), args.players)));
    }
    let hidden: Vec<PathBuf> = [&args.record, &args.deals, &args.config].into_iter().flatten().cloned().collect();
    let find = |run: &Run| match run {
        Run::Stdio(words) => {
            command(words, Path::new("."), &hidden).map_err(|error| Exit::usage(format!("--seat {run}: {error}")))
        }
        Run::Builtin(_) | Run::Tcp(_) => Err(Exit::usage(format!(
            "--seat {run}: only stdio:COMMAND; other programs connect themselves, as cluedo bot 4 PORT does"
        ))),
    };
    args.seats.iter().map(find).collect()
}

fn server(args: ServeArgs) -> Result<Server, Exit> {
    let (Some(port), Some(games)) = (args.port, args.games) else {
        return Err(Exit::usage("PORT and GAMES are missing: type them, or write port = 4000 and games = 100"));
    };
    if !PLAYERS.contains(&args.players) {
        return Err(Exit::usage(format!("-n {}: 2 to 10 players sit at a table", args.players)));
    }
    if !args.host.is_loopback() && !args.public {
        return Err(Exit::usage(format!(
            "--host {}: other machines can reach it; add --public if they may",
            args.host
        )));
    }
    let options = Options {
        players: args.players,
        games,
        limit: args.limit.unwrap_or(default_limit(args.players)),
        seed: args.seed.map_or_else(|| SysRng.try_next_u64().map_err(Exit::failure), Ok)?,
        deals: args.deals.as_ref().map_or(Ok(Arc::default()), |file| listed(file, args.players, games))?,
        ..args.table
    };
    let (address, own) = (SocketAddr::new(args.host, port), own(&args)?);
    Ok(Server { tables: args.tables as usize, args, address, options: Arc::new(options), own })
}

/// Reads the deals of a file, one for each game at least.
fn listed(file: &Path, players: usize, games: u64) -> Result<Arc<[Deal]>, Exit> {
    let name = file.display();
    let text = read_file(file, MAX_DEALS).map_err(|error| Exit::usage(format!("{name}: {error}")))?;
    let lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
    let deals: Vec<Deal> = lines
        .map(|(line, place)| {
            Deal::parse(line, players).map_err(|error| Exit::usage(format!("{name}:{place}: {error}")))
        })
        .collect::<Result<_, _>>()?;
    if (deals.len() as u64) < games {
        return Err(Exit::usage(format!("{name}: {games} games need as many deals, not {}", deals.len())));
    }
    Ok(deals.into())
}
