use std::fs::File;
use std::io::{self, IsTerminal, LineWriter, Read, Write};
use std::path::Path;
use std::time::Duration;

use amazons_rules::Color;
use anyhow::Context;
use sha2::{Digest, Sha256};

use crate::cli::{BoardsArg, ColorArg, PlayArgs};
use crate::command::Exit;
use crate::command::outputs::Outputs;
use crate::config::GameConfig;
use crate::host::{self, Isolation, SeatConfig};
use crate::record::{FORMAT, JsonLines};
use crate::referee::{
    BoardEvent, LimitsEvent, Match, Observer, Outcome, PlayerEvent, PlayerNumber, QueensEvent, Seat, StartEvent,
    Termination, play_game, to_hex,
};
use crate::terminal::{Boards, Narrator, Palette};

/// Plays one game.
pub(super) fn run(args: &PlayArgs, out: impl Write) -> anyhow::Result<Exit> {
    let config = match GameConfig::new(args) {
        Ok(config) => config,
        Err(error) => return Ok(error.into()),
    };
    let mut start = start_event(&config);
    for player in PlayerNumber::ALL {
        let log = args.log_dir.as_deref().map(|folder| Outputs::log_path(folder, player));
        start.players[player].log = log.map(|path| path.display().to_string());
    }
    if args.json || args.record.is_some() {
        for player in PlayerNumber::ALL {
            start.players[player].sha256 = Some(sha256_of(&config.players[player])?);
        }
    }
    // Players in our own process have descriptor 1 for themselves.
    let out: Box<dyn Write> = match config.isolation {
        Isolation::Process => Box::new(out),
        Isolation::None => Box::new(LineWriter::new(host::own_stdout().context("cannot copy standard output")?)),
    };
    let mut outputs = match Outputs::create(args) {
        Ok(outputs) => outputs,
        Err(reason) => return Ok(Exit::Usage(reason)),
    };
    let mut seats = match seats(&config) {
        Ok(seats) => seats,
        Err(error) => {
            outputs.discard();
            return Err(error.context("cannot start the players"));
        }
    };
    let played = {
        let mut record = outputs.record().map(JsonLines::new);
        let mut narrator = narrator(args, out);
        let mut observers: Vec<&mut dyn Observer> = vec![narrator.as_mut()];
        observers.extend(record.as_mut().map(|record| record as &mut dyn Observer));
        let [one, two] = &mut seats;
        let game = Match { position: config.position.clone(), start };
        play_game(&game, [one.as_mut(), two.as_mut()], &mut observers)
    };
    outputs.write_logs(&seats).context("--log-dir: cannot write what the players printed")?;
    Ok(exit_of(args, &played?))
}

fn exit_of(args: &PlayArgs, outcome: &Outcome) -> Exit {
    match outcome.termination {
        Termination::Void => Exit::Void,
        _ if args.strict && !outcome.at_fault.is_empty() => Exit::PlayerAtFault,
        _ => Exit::Success,
    }
}

fn narrator<'a>(args: &PlayArgs, out: impl Write + 'a) -> Box<dyn Observer + 'a> {
    if args.json {
        return Box::new(JsonLines::new(out));
    }
    if args.quiet {
        return Box::new(Narrator::quiet(out));
    }
    let on_terminal = io::stdout().is_terminal();
    let boards = match args.boards {
        Some(BoardsArg::Every) => Boards::Every,
        Some(BoardsArg::Ends) => Boards::Ends,
        Some(BoardsArg::Never) => Boards::Never,
        None if on_terminal => Boards::Every,
        None => Boards::Ends,
    };
    let coloured = match args.color {
        ColorArg::Always => true,
        ColorArg::Never => false,
        // https://no-color.org
        ColorArg::Auto => on_terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
    };
    Box::new(Narrator::new(out, if coloured { Palette::Ansi } else { Palette::Plain }, boards))
}

fn start_event(config: &GameConfig) -> StartEvent {
    let first_color = config.position.side_to_move();
    let player = |number: PlayerNumber| PlayerEvent {
        name: None,
        file: config.players[number].display().to_string(),
        sha256: None,
        log: None,
        color: color_of(number, config.first, first_color).to_string(),
    };
    let limits = &config.limits;
    StartEvent {
        format: FORMAT,
        server: concat!("amazons ", env!("CARGO_PKG_VERSION")).to_owned(),
        seed: config.seed,
        board: BoardEvent::new(config.position.board(), config.directions),
        queens: QueensEvent::new(&config.position),
        position: config.position.to_string(),
        players: PlayerNumber::ALL.map(player),
        first: config.first,
        limits: LimitsEvent {
            load_ms: millis(limits.load),
            initialize_ms: millis(limits.initialize),
            move_ms: millis(limits.play),
            finalize_ms: millis(limits.finalize),
            max_moves: config.max_moves,
        },
        isolation: config.isolation.to_string(),
    }
}

fn color_of(player: PlayerNumber, first: PlayerNumber, first_color: Color) -> Color {
    if player == first { first_color } else { first_color.opposite() }
}

/// Starts both players, the one that moves first as number 0 of the ABI, and returns them in the order of the command line.
fn seats(config: &GameConfig) -> anyhow::Result<[Box<dyn Seat>; 2]> {
    let position = &config.position;
    let matrix = position.matrix_without_arrows(config.directions);
    let first_color = position.side_to_move();
    let queens = [position.queens(first_color), position.queens(first_color.opposite())];
    let order = [config.first, config.first.opponent()];
    let [first, second] = order.map(|player| {
        let abi_id = u32::from(player != config.first);
        SeatConfig {
            limits: config.limits.clone(),
            // Two copies of one player would otherwise draw the same numbers.
            seed: config.seed.wrapping_mul(2).wrapping_add(u64::from(abi_id)),
            ..SeatConfig::new(&config.players[player], abi_id, matrix.view(), queens)
        }
    });
    let [first, second] = host::spawn_both(config.isolation, [&first, &second])?;
    Ok(if config.first == PlayerNumber::One { [first, second] } else { [second, first] })
}

fn sha256_of(path: &Path) -> anyhow::Result<String> {
    let unreadable = || format!("cannot read {}", path.display());
    let mut file = File::open(path).with_context(unreadable)?;
    let mut hasher = Sha256::new();
    let mut block = vec![0; 1 << 16];
    loop {
        match file.read(&mut block).with_context(unreadable)? {
            0 => return Ok(to_hex(&hasher.finalize())),
            read => hasher.update(&block[..read]),
        }
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
