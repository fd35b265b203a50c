//! `cluedo serve`: tables of clients that speak lines.

mod config;
mod connection;
mod lobby;
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
use cluedo::line::delivery::Echo;
use cluedo::line::inbox::Framing;
use cluedo::line::message::Codes;
use cluedo::line::options::{Deals, OnError, Options};
use cluedo::tournament::Run;
use rand::TryRng;
use rand::rngs::SysRng;

use crate::seats::{Command, command};
use crate::values::{microseconds, named};

/// Maximum length of a list of deals.
const MAX_DEALS: u64 = 64 << 20;

#[derive(Debug, Args)]
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
    /// The time for each answer, as 10s or 500ms; 0 waits for ever
    #[arg(long, default_value = "10s", value_parser = microseconds)]
    timeout: u64,
    /// The time until all players must be there; 0 waits for ever
    #[arg(long, default_value = "60s", value_parser = microseconds)]
    wait: u64,
    /// The turn limit [default: the cube of the number of players]
    #[arg(long)]
    limit: Option<usize>,
    /// The seed of all deals [default: at random]
    #[arg(long)]
    seed: Option<u64>,
    /// Let game g begin with seat g mod N instead of seat 0
    #[arg(long)]
    rotate_start: bool,
    /// The seats that hear a hypothesis
    #[arg(long, default_value = "others", value_parser = named::<Echo>(["others", "all"]))]
    echo: Echo,
    /// The numbers of errors
    #[arg(long, default_value = "subject", value_parser = named::<Codes>(["subject", "0.2"]))]
    codes: Codes,
    /// End T, C and M with a blank
    #[arg(long)]
    trailing_blank: bool,
    /// How clients end their lines; auto also understands clients that do not end them
    #[arg(long, default_value = "auto", value_parser = named::<Framing>(["auto", "lines"]))]
    framing: Framing,
    /// After a client's fault: the game is void, or only that client is out
    #[arg(long, default_value = "abort", value_parser = named::<OnError>(["abort", "forfeit"]))]
    on_error: OnError,
    /// How long a seat waits for a client that has left and whose login has a secret part, as name#secret; if it was
    /// asked, its first return renews the time for that answer, and later returns do not
    #[arg(long, default_value = "0s", value_parser = microseconds)]
    rejoin: u64,
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

/// A server's settings besides the options of its tables.
pub(crate) struct Server {
    address: SocketAddr,
    tables: usize,
    options: Arc<Options>,
    record: Option<PathBuf>,
    /// The port of pages for spectators.
    watch: Option<u16>,
    json: bool,
    quiet: bool,
    /// The programs that it starts for the first seats of each table.
    own: Vec<Command>,
    sandbox: SandboxMode,
}

pub(crate) fn run(args: &ServeArgs, out: &mut impl std::io::Write) -> Result<Exit, Exit> {
    let configured = args.config.as_ref().map(|file| config::read(file)).transpose()?;
    let server = server(configured.as_ref().unwrap_or(args))?;
    run::run(&server, out)
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

fn server(args: &ServeArgs) -> Result<Server, Exit> {
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
    let usual = Options::new(args.players, games);
    let options = Options {
        timeout: args.timeout,
        wait: args.wait,
        limit: args.limit.unwrap_or(usual.limit),
        seed: args.seed.map_or_else(|| SysRng.try_next_u64().map_err(Exit::failure), Ok)?,
        rotates: args.rotate_start,
        echo: args.echo,
        codes: args.codes,
        trailing_blank: args.trailing_blank,
        framing: args.framing,
        on_error: args.on_error,
        rejoin: args.rejoin,
        deals: args.deals.as_ref().map_or(Ok(Deals::Seed), |file| listed(file, args.players, games))?,
        ..usual
    };
    Ok(Server {
        address: SocketAddr::new(args.host, port),
        tables: usize::try_from(args.tables).unwrap_or(usize::MAX),
        options: Arc::new(options),
        record: args.record.clone(),
        watch: args.watch.then_some(args.watch_port.unwrap_or(0)),
        json: args.json,
        quiet: args.quiet,
        own: own(args)?,
        sandbox: args.sandbox,
    })
}

/// Reads the deals of a file, one for each game at least.
fn listed(file: &Path, players: usize, games: u64) -> Result<Deals, Exit> {
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
    Ok(Deals::Listed(deals))
}
