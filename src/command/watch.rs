use std::collections::hash_map::RandomState;
use std::env;
use std::hash::{BuildHasher, Hasher};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::{Duration, Instant};
use std::{process, thread};

use amazons_program::{Interrupt, open_browser};
use anyhow::Context;

use crate::PARENT;
use crate::cli::{AddressArgs, UntilArg, WatchArgs};
use crate::command::Exit;
use crate::complain;
use crate::game::Attachments;
use crate::host::Printed;
use crate::human::WebSession;
use crate::participant::Participant;
use crate::referee::PlayerNumber;
use crate::tournament::JOURNAL;
use crate::watch::{Access, Broadcast, Folder, Opponents, PlaySeat, ServerLimits, Site, Viewer, WatchedGame, listen};

/// Shows records to browsers until Ctrl-C.
pub(super) fn run(args: &WatchArgs, out: &mut impl Write) -> anyhow::Result<Exit> {
    let here = [PathBuf::from(".")];
    let paths = if args.paths.is_empty() { &here } else { args.paths.as_slice() };
    let folders = |paths: &[PathBuf]| paths.iter().map(|path| folder(path)).collect::<Result<Vec<_>, _>>();
    let site = Site::of_folders(access(&args.address), folders(paths)?, folders(&args.logs)?);
    let site = if args.analyze { site.with_analyses() } else { site };
    let site = match opponents(args, paths)? {
        Some(opponents) => site.with_opponents(opponents),
        None => site,
    };
    let viewer = start(&args.address, site)?;
    let interrupt = Interrupt::catch_all().context("cannot wait for Ctrl-C")?;
    // The page of an event is what to show of its folder.
    let is_event = matches!(paths, [path] if path.join(JOURNAL).is_file());
    let url = if is_event { format!("{}event/0", viewer.url()) } else { viewer.url() };
    writeln!(out, "watch at {url} (Ctrl-C ends)").and_then(|()| out.flush()).context("cannot write")?;
    if args.address.open {
        open_browser("server", url.clone());
    }
    interrupt.wait();
    viewer.stop().context("the viewer failed")?;
    Ok(Exit::Success)
}

/// Finds the players that visitors may play against, and the folder for the records.
fn opponents(args: &WatchArgs, paths: &[PathBuf]) -> Result<Option<Opponents>, Exit> {
    if args.play.is_empty() {
        return Ok(None);
    }
    if args.address.public {
        return Err(Exit::usage("--play cannot be used with --public: each game has its own address on this machine"));
    }
    let cannot =
        |path: &Path, error: io::Error| Exit::usage(format_args!("--play: cannot read {}: {error}", path.display()));
    let player = |path: &PathBuf| {
        let participant = Participant::parse(path).map_err(|error| Exit::usage(format_args!("--play: {error}")))?;
        let file = participant.file();
        let found = file.canonicalize().map_err(|error| cannot(file, error))?;
        Ok(if file == path { found } else { path.clone() })
    };
    let players = args.play.iter().map(player);
    let folder = paths.iter().find(|path| path.is_dir() && !path.join(JOURNAL).is_file());
    let folder = folder.ok_or_else(|| Exit::usage("--play: name a folder for the records that is no event's"))?;
    let folder = folder.canonicalize().map_err(|error| cannot(folder, error))?;
    Ok(Some(Opponents::new(players.collect::<Result<_, Exit>>()?, folder)))
}

fn folder(path: &Path) -> Result<Folder, Exit> {
    Folder::new(path).map_err(|error| Exit::usage(format_args!("cannot read {}: {error}", path.display())))
}

const fn access(address: &AddressArgs) -> Access {
    if address.public { Access::Public } else { Access::Local }
}

fn start(address: &AddressArgs, site: Site) -> anyhow::Result<Viewer> {
    let listener = listen(address.host, address.port.unwrap_or(0), access(address)).map_err(|error| {
        let port = address.port.map_or_else(String::new, |port| format!(", port {port}"));
        Exit::usage(format_args!("cannot listen on {}{port}: {error}", address.host))
    })?;
    Viewer::start(listener, Arc::new(site), ServerLimits::default()).context("cannot start the viewer")
}

/// Makes a seat for each person at a browser.
fn seats(sessions: &[Option<Arc<WebSession>>; 2]) -> io::Result<Vec<Arc<PlaySeat>>> {
    let taken = PlayerNumber::ALL.into_iter().filter_map(|player| Some((player, sessions[player].clone()?)));
    taken.map(|(player, session)| PlaySeat::new(player, session).map(Arc::new)).collect()
}

/// Ends a game that was started for a visitor once nobody plays it: others wait for its place.
fn end_when_abandoned(sessions: Vec<Arc<WebSession>>) {
    let since = Instant::now();
    thread::spawn(move || {
        while !sessions.iter().all(|session| session.is_abandoned(since)) {
            thread::sleep(Duration::from_secs(1));
        }
        complain("nobody plays: the game is given up");
        process::exit(1);
    });
}

/// A game that is shown to browsers while it is played.
pub(super) struct Shown {
    viewer: Viewer,
    /// The game's page.
    url: String,
    until: UntilArg,
}

impl Shown {
    /// Starts to show a game if that was asked for, and writes its address to standard error.
    pub(super) fn start(
        until: Option<UntilArg>,
        address: &AddressArgs,
        attachments: &mut Attachments,
    ) -> anyhow::Result<Option<(Self, Broadcast)>> {
        // People at browsers need to see the game.
        let is_played = attachments.sessions.iter().any(Option::is_some);
        let Some(until) = until.or(is_played.then_some(UntilArg::End)) else {
            let given = [("--port", address.port.is_some()), ("--public", address.public), ("--open", address.open)];
            return match given.into_iter().find(|(_, is_given)| *is_given) {
                Some((option, _)) => Err(Exit::usage(format_args!("{option} says where to watch: add --watch")).into()),
                None => Ok(None),
            };
        };
        let game = Arc::new(WatchedGame::new(Arc::new(AtomicUsize::new(0))));
        // Unlike that of a file, its name means nothing to a later server.
        let id = format!("{:016x}", RandomState::new().build_hasher().finish());
        let access = access(address);
        let seats = seats(&attachments.sessions).context("cannot let people play")?;
        let printed = [Printed::default(), Printed::default()];
        attachments.printed = printed.clone().map(Some);
        let site = Site::of_game(access, id.clone(), Arc::clone(&game), seats.clone(), printed);
        let viewer = start(address, site)?;
        let url = format!("{}game/{id}", viewer.url());
        complain(&format!("watch at {url}"));
        let plays: Vec<String> = seats.iter().map(|seat| format!("{}play/{}", viewer.url(), seat.token())).collect();
        for (seat, url) in seats.iter().zip(&plays) {
            complain(&format!("{} plays at {url}", seat.player));
        }
        if env::var_os(PARENT).is_some() {
            // Whoever started this server reads it there.
            plays.iter().try_for_each(|url| writeln!(io::stdout(), "{url}"))?;
            end_when_abandoned(attachments.sessions.iter().flatten().cloned().collect());
        }
        if address.open {
            let opened = if plays.is_empty() { vec![url.clone()] } else { plays };
            opened.into_iter().for_each(|url| open_browser("server", url));
        }
        Ok(Some((Self { viewer, url, until }, Broadcast::new(game, access))))
    }

    /// Goes on as long as was asked for.
    pub(super) fn end(self) -> io::Result<()> {
        if self.until == UntilArg::Stay {
            let interrupt = Interrupt::catch_all()?;
            complain(&format!("the game is over; watch at {} until Ctrl-C", self.url));
            interrupt.wait();
        }
        self.viewer.stop()
    }
}
