//! `cluedo serve`: tables of clients that speak lines.

mod connection;
mod hub;
mod report;
mod run;

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;

use amazons_program::Exit;
use clap::{Args, ValueEnum};
use cluedo::line::deal::{Deal, PLAYERS};
use cluedo::line::delivery::Echo;
use cluedo::line::inbox::Framing;
use cluedo::line::message::Codes;
use cluedo::line::options::{Deals, OnError, Options};
use rand::TryRng;
use rand::rngs::SysRng;

use crate::values::microseconds;

#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    /// The port to listen on; 0 picks one and prints it
    port: u16,
    /// How many games each table plays
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
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
    /// Who hears a hypothesis
    #[arg(long, value_enum, default_value = "others")]
    echo: EchoArg,
    /// The numbers of errors
    #[arg(long, value_enum, default_value = "subject")]
    codes: CodesArg,
    /// End T, C and M with a blank
    #[arg(long)]
    trailing_blank: bool,
    /// How clients end their lines; auto also understands clients that do not end them
    #[arg(long, value_enum, default_value = "auto")]
    framing: FramingArg,
    /// After a client's fault: the game is void, or only that client is out
    #[arg(long, value_enum, default_value = "abort")]
    on_error: OnErrorArg,
    /// How long a seat waits for a client that has left and whose login has a secret part, as name#secret
    #[arg(long, default_value = "0s", value_parser = microseconds)]
    rejoin: u64,
    /// Pass shown cards on only at multiples of this time, which hides how long their owners thought
    #[arg(long, default_value = "0s", value_parser = microseconds)]
    even_time: u64,
    /// Play these deals, one a line: 2 5 10 | 0 4 8 | 1 6 9 | 3 7 11, the secret first
    #[arg(long)]
    deals: Option<PathBuf>,
    /// Write the games to this file as lines of JSON
    #[arg(long)]
    record: Option<PathBuf>,
    /// Print the results as JSON
    #[arg(long)]
    json: bool,
    /// Log only faults
    #[arg(long)]
    quiet: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum EchoArg {
    Others,
    All,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum CodesArg {
    Subject,
    #[value(name = "0.2")]
    Old,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FramingArg {
    Auto,
    Lines,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum OnErrorArg {
    Abort,
    Forfeit,
}

/// What a server needs besides the options of its tables.
pub(crate) struct Server {
    address: SocketAddr,
    tables: usize,
    options: Arc<Options>,
    record: Option<PathBuf>,
    json: bool,
    quiet: bool,
}

pub(crate) fn run(args: &ServeArgs, out: &mut impl std::io::Write) -> Result<Exit, Exit> {
    let server = server(args)?;
    run::run(&server, out)
}

fn server(args: &ServeArgs) -> Result<Server, Exit> {
    if !PLAYERS.contains(&args.players) {
        return Err(Exit::usage(format!("-n {}: 2 to 10 players sit at a table", args.players)));
    }
    if !args.host.is_loopback() && !args.public {
        return Err(Exit::usage(format!(
            "--host {}: other machines can reach it; add --public if they may",
            args.host
        )));
    }
    let deals = args.deals.as_ref().map(|file| {
        let text =
            std::fs::read_to_string(file).map_err(|error| Exit::usage(format!("{}: {error}", file.display())))?;
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let deals: Result<Vec<Deal>, Exit> = lines
            .map(|(place, line)| {
                Deal::parse(line, args.players)
                    .map_err(|error| Exit::usage(format!("{}:{}: {error}", file.display(), place + 1)))
            })
            .collect();
        deals.map(Deals::Listed)
    });
    let mut options = Options::new(args.players, args.games);
    options.timeout = args.timeout;
    options.wait = args.wait;
    options.limit = args.limit.unwrap_or(options.limit);
    options.seed = args.seed.map_or_else(|| SysRng.try_next_u64().map_err(Exit::failure), Ok)?;
    options.rotates = args.rotate_start;
    options.echo = if args.echo == EchoArg::All { Echo::All } else { Echo::Others };
    options.codes = if args.codes == CodesArg::Old { Codes::Old } else { Codes::Subject };
    options.trailing_blank = args.trailing_blank;
    options.framing = if args.framing == FramingArg::Lines { Framing::Lines } else { Framing::Auto };
    options.on_error = if args.on_error == OnErrorArg::Forfeit { OnError::Forfeit } else { OnError::Abort };
    options.rejoin = args.rejoin;
    options.even_time = args.even_time;
    options.deals = deals.transpose()?.unwrap_or(Deals::Seed);
    Ok(Server {
        address: SocketAddr::new(args.host, args.port),
        tables: usize::try_from(args.tables).unwrap_or(usize::MAX),
        options: Arc::new(options),
        record: args.record.clone(),
        json: args.json,
        quiet: args.quiet,
    })
}
