use std::io::{self, IsTerminal, LineWriter, Write};
use std::path::PathBuf;

use amazons_rules::Position;
use anyhow::Context;

use crate::cli::{PlayArgs, misplaced_command, suggestion};
use crate::command::Exit;
use crate::command::outputs::Outputs;
use crate::command::watch::Shown;
use crate::complain;
use crate::files::sha256_of;
use crate::game::{self, Attachments, GameConfig, GameFailure, PlayedGame};
use crate::host::{self, Isolation, Launcher};
use crate::human::WebSession;
use crate::participant::{Participant, ParticipantKind};
use crate::record::{JsonLines, RecordFile};
use crate::referee::{Call, Event, FaultEvent, Observer, Outcome, PlayerNumber, StartEvent, Termination};
use crate::terminal::{Boards, Narrator};

/// Plays one game.
pub(super) fn run(args: &PlayArgs, out: impl Write) -> anyhow::Result<Exit> {
    let is_library = |word: &&PathBuf| Participant::parse(*word).is_ok_and(|player| player.library() == Some(word));
    let first = args.game.player1.as_ref().filter(is_library);
    // Finding out what may have been meant takes longer than a short game.
    let is_missing = [&args.game.player1, &args.game.player2].into_iter().flatten().any(|word| !word.exists());
    let first = first.filter(|_| is_missing);
    if let Some(hint) = first.and_then(|word| suggestion(word.as_os_str()).or_else(misplaced_command)) {
        return Ok(Exit::Usage(hint));
    }
    // It gets ready while this process does.
    let mut launcher = Some(Launcher::new(args.game.isolation));
    let mut config = GameConfig::new(&args.game)?;
    let is_human = |player: PlayerNumber| matches!(config.players[player].kind(), ParticipantKind::Human(_));
    let hiding = [("--json", args.json), ("--quiet", args.quiet)];
    if let Some((option, _)) = hiding.into_iter().find(|(_, is_given)| *is_given)
        && PlayerNumber::ALL.into_iter().any(is_human)
    {
        return Ok(Exit::usage(format_args!("a person cannot play with {option}, which hides the game: leave it out")));
    }
    let mut start = start_event(args, &config)?;
    // Players in our own process have descriptor 1 for themselves.
    let out: Box<dyn Write> = match config.isolation {
        Isolation::Process => Box::new(out),
        Isolation::None => Box::new(LineWriter::new(host::own_stdout().context("cannot copy standard output")?)),
    };
    let mut outputs = Outputs::create(args)?;
    let mut attachments = Attachments::new(&config);
    let (shown, mut broadcast) = match Shown::start(args.watch, &args.address, &mut attachments) {
        Ok(shown) => shown.unzip(),
        Err(error) => {
            outputs.discard();
            return Err(error);
        }
    };
    let mut narrator = narrator(args, out);
    let played = loop {
        let mut record = outputs.record().map(RecordFile::new);
        let mut late_faults = LateFaults;
        let mut observers: Vec<&mut dyn Observer> = vec![narrator.as_mut()];
        if args.quiet {
            observers.push(&mut late_faults);
        }
        observers.extend(record.as_mut().map(|record| record as &mut dyn Observer));
        observers.extend(broadcast.as_mut().map(|broadcast| broadcast as &mut dyn Observer));
        let launcher = launcher.take().unwrap_or_else(|| Launcher::new(config.isolation));
        let played = launcher.map_err(GameFailure::from).and_then(|mut launcher| {
            game::play(&mut launcher, &config, &attachments, &start, &mut observers, |reason| {
                outputs.start_again()?;
                complain(&format!("the game is void: {reason}; playing it again"));
                Ok(())
            })
        });
        match &played {
            Ok(PlayedGame { outcome, seats })
                if outcome.termination != Termination::Void
                    && attachments.lone_session(&config).is_some_and(WebSession::offers_rematch) =>
            {
                outputs.keep(seats).context("cannot keep the game")?;
            }
            _ => break played,
        }
        // The colours are swapped, and random choices are others.
        config.rules.first = config.rules.first.opponent();
        config.seed = config.seed.wrapping_add(1);
        start = start_event(args, &config)?;
    };
    drop(broadcast);
    match played {
        Ok(PlayedGame { outcome, seats }) => {
            outputs.write_logs(&seats).context("--log-dir: cannot write what the players printed")?;
            if let Some(shown) = shown {
                shown.end().context("the viewer failed")?;
            }
            Ok(exit_of(args, &outcome))
        }
        Err(error @ GameFailure::Start(_)) => {
            outputs.discard();
            Err(error.into())
        }
        Err(error) => Err(error.into()),
    }
}

/// Describes the game, with the players' logs and, where it is recorded, their hashes.
fn start_event(args: &PlayArgs, config: &GameConfig) -> anyhow::Result<StartEvent> {
    let mut start = game::start_event(config);
    for player in PlayerNumber::ALL {
        let log = args.log_dir.as_deref().map(|folder| Outputs::log_path(folder, player));
        start.players[player].log = log.map(|path| path.display().to_string());
    }
    if args.json || args.record.is_some() {
        for player in PlayerNumber::ALL {
            if let Some(library) = config.players[player].library() {
                start.players[player].sha256 = match sha256_of(library) {
                    // It loses when it is loaded.
                    Err(error) if error.kind() == io::ErrorKind::FileTooLarge => None,
                    hash => Some(hash.with_context(|| format!("cannot read {}", library.display()))?),
                };
            }
        }
    }
    Ok(start)
}

/// Reports a fault that changes no result, which the one line of a quiet game leaves out.
struct LateFaults;

impl Observer for LateFaults {
    fn observe(&mut self, event: &Event, _: &Position) -> io::Result<()> {
        if let Event::Fault(FaultEvent { player, termination, call: call @ Call::Finalize, detail, .. }) = event {
            complain(&format!("{player}: {termination} in {call}: {detail}"));
        }
        Ok(())
    }
}

/// The status of a game that ended by a player's fault, with `--strict`.
const PLAYER_AT_FAULT: u8 = 3;

fn exit_of(args: &PlayArgs, outcome: &Outcome) -> Exit {
    match outcome.termination {
        Termination::Void => Exit::Status(Exit::FAILURE),
        _ if args.strict && !outcome.at_fault.is_empty() => Exit::Status(PLAYER_AT_FAULT),
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
    let usual = if io::stdout().is_terminal() { Boards::Every } else { Boards::Ends };
    Box::new(Narrator::new(out, args.color.palette(), args.boards.unwrap_or(usual)))
}
