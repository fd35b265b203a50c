//! Builds a player from pieces of C and gives it a seat.

use std::fmt::{Debug, Write};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use amazons::host::{ForkServer, HOST_MODE, InProcessPlayer, Launcher, Limits, ProcessPlayer, SandboxMode, SeatConfig};
use amazons::referee::{CallError, Fault, Seat};
use amazons_rules::{Board, Directions, Shape, Vertex};
use amazons_testing::skip;
use sprs::CsMatI;
use tempfile::TempDir;

use crate::support;

/// Long enough to be no limit, short enough to end a test that hangs.
const PATIENT: Duration = Duration::from_secs(120);

const INCLUDES: [&str; 10] = [
    "errno.h",
    "fcntl.h",
    "limits.h",
    "pthread.h",
    "signal.h",
    "stdio.h",
    "stdlib.h",
    "string.h",
    "unistd.h",
    "player.h",
];

/// A player in C: each function has a minimal body until it is replaced.
pub(super) struct Source {
    top: String,
    initialize: String,
    name: String,
    play: String,
    finalize: String,
}

impl Source {
    pub(super) fn new() -> Self {
        Self {
            top: String::new(),
            initialize: String::new(),
            name: "return \"rig\";".into(),
            play: "return (struct move_t){1, 2, 3};".into(),
            finalize: String::new(),
        }
    }

    /// The code before the functions.
    pub(super) fn top(mut self, code: &str) -> Self {
        self.top = code.into();
        self
    }

    /// The body of `initialize(player_id, graph, num_queens, queens)`.
    pub(super) fn initialize(mut self, body: &str) -> Self {
        self.initialize = body.into();
        self
    }

    /// The body of `get_player_name`.
    pub(super) fn name(mut self, body: &str) -> Self {
        self.name = body.into();
        self
    }

    /// The body of `play(previous)`.
    pub(super) fn play(mut self, body: &str) -> Self {
        self.play = body.into();
        self
    }

    /// The body of `finalize`.
    pub(super) fn finalize(mut self, body: &str) -> Self {
        self.finalize = body.into();
        self
    }

    /// Compiles the player and takes a board for it.
    pub(super) fn build(&self) -> Rig {
        self.build_with(&[])
    }

    /// Compiles the player with further arguments.
    pub(super) fn build_with(&self, arguments: &[&str]) -> Rig {
        let (folder, library) = support::compile_c(&self.text(), arguments);
        Rig::new(library, Some(folder))
    }

    /// Compiles the player with an argument that not every compiler supports; `None`, with a note, where it fails.
    pub(super) fn try_build_with(&self, arguments: &[&str]) -> Option<Rig> {
        let built = support::try_compile_c(&self.text(), arguments);
        if built.is_none() {
            skip(format!("the C compiler cannot build with {arguments:?}"));
        }
        built.map(|(folder, library)| Rig::new(library, Some(folder)))
    }

    fn text(&self) -> String {
        let mut text = "#define _GNU_SOURCE\n#define AMAZONS_NO_GSL\n".to_owned();
        for include in INCLUDES {
            writeln!(text, "#include <{include}>").expect("strings take everything");
        }
        let Self { top, initialize, name, play, finalize } = self;
        write!(
            text,
            "{top}\n\
             void initialize(unsigned int player_id, struct graph_t *graph, unsigned int num_queens,\n\
             unsigned int *queens[NUM_PLAYERS]) {{ {initialize} }}\n\
             char const *get_player_name(void) {{ {name} }}\n\
             struct move_t play(struct move_t previous) {{ {play} }}\n\
             void finalize(void) {{ {finalize} }}\n"
        )
        .expect("strings take everything");
        text
    }
}

/// A library, a board and limits: everything for a seat.
pub(super) struct Rig {
    pub(super) limits: Limits,
    pub(super) seed: u64,
    pub(super) abi_id: u32,
    pub(super) sandbox: SandboxMode,
    pub(super) environment: Vec<(String, String)>,
    library: PathBuf,
    matrix: CsMatI<u32, i32>,
    queens: [Vec<Vertex>; 2],
    _folder: Option<TempDir>,
}

impl Rig {
    pub(super) fn new(library: PathBuf, folder: Option<TempDir>) -> Self {
        let limits = Limits {
            load: PATIENT,
            initialize: PATIENT,
            name: PATIENT,
            play: PATIENT,
            finalize: PATIENT,
            ..Limits::default()
        };
        Self {
            limits,
            seed: 0,
            abi_id: 0,
            sandbox: SandboxMode::Strict,
            environment: Vec::new(),
            library,
            matrix: CsMatI::zero((0, 0)),
            queens: Default::default(),
            _folder: folder,
        }
        .on(Shape::Square, 5)
    }

    /// Takes another board.
    pub(super) fn on(mut self, shape: Shape, m: u32) -> Self {
        let board = Board::new(shape, m).expect("the board exists");
        self.matrix = board.matrix(Directions::Subject);
        self.queens = board.starting_queens();
        self
    }

    pub(super) fn library(&self) -> &Path {
        &self.library
    }

    pub(super) fn config(&self) -> SeatConfig<'_> {
        SeatConfig {
            limits: self.limits.clone(),
            seed: self.seed,
            sandbox: self.sandbox,
            environment: self.environment.clone(),
            ..SeatConfig::new(&self.library, self.abi_id, self.matrix.view(), self.queens.each_ref().map(Vec::as_slice))
        }
    }

    /// Runs the player without a sandbox, as on a kernel that has none.
    pub(super) fn unconfined(mut self) -> Self {
        self.sandbox = SandboxMode::Off;
        self
    }

    /// Lets the player start threads.
    pub(super) fn threaded(mut self) -> Self {
        self.limits.threads = NonZeroU32::new(4).expect("four is not zero");
        self
    }

    /// A player in a new process.
    pub(super) fn seat(&self) -> ProcessPlayer {
        ProcessPlayer::start(&fork_server(), &self.config()).expect("a process can be started")
    }

    /// A loaded and initialised player.
    pub(super) fn ready(&self) -> ProcessPlayer {
        let mut seat = self.seat();
        seat.load().expect("the player loads");
        seat.initialize().expect("the player initialises");
        seat
    }

    /// The same, in the process of the test.
    pub(super) fn ready_in_process(&self) -> Box<dyn Seat> {
        let mut seat = Box::new(InProcessPlayer::start(&self.config()).expect("a seat needs next to nothing"));
        seat.load().expect("the player loads");
        seat.initialize().expect("the player initialises");
        seat
    }
}

/// A new parent of players' processes.
pub(super) fn fork_server() -> Arc<ForkServer> {
    ForkServer::start(&support::server(), HOST_MODE).expect("the server can be run")
}

/// Both players of a game, in new processes.
pub(super) fn seats(configs: [&SeatConfig<'_>; 2]) -> [Box<dyn Seat>; 2] {
    Launcher::Processes(fork_server()).seats(configs).expect("two processes can be started")
}

/// The fault of a player in one of its first calls.
pub(super) fn fault_of(rig: &Rig) -> Fault {
    let mut seat = rig.seat();
    let calls = (|| {
        seat.load()?;
        seat.initialize()?;
        seat.play(None)
    })();
    fault(calls)
}

/// The fault in a result, which must be one.
pub(super) fn fault<T: Debug>(result: Result<T, CallError>) -> Fault {
    match result {
        Err(CallError::Fault(fault)) => fault,
        other => panic!("not a fault: {other:?}"),
    }
}

/// The output of a seat's player.
pub(super) fn log_of(seat: &impl Seat) -> String {
    String::from_utf8_lossy(&seat.log()).into_owned()
}
