//! A build in the sandbox: programs of strangers that write files.
//!
//! They run as programs that play do, and may also write: in the folder of the build alone. They reach no network and no
//! process but their own, cannot leave their session, and end with it. They read the system's compilers and libraries,
//! Rust, GSL and the crates of the course. `docs/security.md` has the whole list.

use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use amazons_sandbox::{Error, Overrun, Program, ProgramConfig, ProgramError, find_program};
use anyhow::{Context, anyhow};

use super::folder::Usage;
use super::{
    BuildError, BuildLimits, BuildUse, Pace, UNPACK_FAILED, UNPACK_MODE, UNPACK_REFUSED, make_folder, toolchain,
};
use crate::files::without_folder;
use crate::host::fork_server;

/// The interval of looks at the disk and at whoever may stop the build; looks at the disk are rarer if they take long.
const LOOK_EVERY: Duration = Duration::from_millis(50);
const PAUSE_FACTOR: u32 = 10;

/// The space on the disk that a build leaves to others: it may hold deleted files, which no look at its folder finds.
const SPARE: u64 = 256 << 20;

/// The bytes of output that are kept from the beginning and from the end.
const KEPT: usize = 48 << 10;

/// A shell that goes to a folder, prints errors among the other output, and becomes the program.
const ENTER: &str = "cd \"$0\" && exec \"$@\" 2>&1";

/// GNU's linker makes programs executable by `chmod`, which only seems to work. A copy of a program is one from the start.
const LINKER: &str = "#!/bin/sh
PATH=/usr/local/bin:/usr/bin:/bin
ld \"$@\" || exit
out=a.out before=
for word; do [ \"$before\" != -o ] || out=$word; before=$word; done
[ -x \"$out\" ] || { cp /bin/true \"$out.new\" && cat \"$out\" > \"$out.new\" && mv -f \"$out.new\" \"$out\"; }
";

/// Words of tools that lack something, and the remedy.
const HINTS: [(&str, &str); 7] = [
    ("player.h: No such file", "the headers of players are in the folder that HEADERS names: use -I\"$(HEADERS)\""),
    ("undefined reference to `gsl_", "link GSL after the sources: -lgsl -lgslcblas -lm"),
    ("redeclaration of enumerator 'GSL_", "a player that includes GSL is built without -DAMAZONS_NO_GSL"),
    ("gsl", "if GSL is missing: the machine of the course needs libgsl-dev"),
    ("no matching package", VENDOR),
    ("--offline", VENDOR),
    (".cargo-checksum.json", "let cargo vendor into a folder of its own, and no workspace take that in: see the page"),
];

const VENDOR: &str = "there is no network: pack the crates and the settings that name them (mkdir .cargo; cargo vendor \
                      > .cargo/config.toml), or use the versions of the course's own crates";

/// Words in lines of the linker, of compilers, of shells and of make, which are looked for in this order.
const ERRORS: [&[&str]; 4] = [
    &["recompile with -fPIC"],
    &["error: ", "error[", ": undefined reference to", "ld: cannot find"],
    &[": not found"],
    &["*** "],
];

/// The longest line of a tool's that becomes a reason.
const ERROR_MAX: usize = 160;

/// A build that is about to start.
pub(super) struct BuildJob<'a> {
    room: &'a Path,
    folder: &'a Path,
    limits: &'a BuildLimits,
    environment: Vec<OsString>,
    readable: Vec<PathBuf>,
}

impl<'a> BuildJob<'a> {
    /// Builds in `folder`, which is in the build's `room`.
    pub(super) fn new(room: &'a Path, folder: &'a Path, limits: &'a BuildLimits) -> Self {
        let mut job = Self { room, folder, limits, environment: Vec::new(), readable: Vec::new() };
        job.set("HOME", room.join("home"));
        job.set("TMPDIR", room.join("tmp"));
        job.set("CARGO_HOME", room.join("home/.cargo"));
        job.set("CARGO_NET_OFFLINE", "true");
        job.set("COMPILER_PATH", room.join("bin"));
        // Settings and workspaces in the folders above are the teacher's: cargo would stumble over them. Its own tests
        // keep it from looking there with this variable.
        job.set("__CARGO_TEST_ROOT", room);
        if let Some(gsl) = std::env::var_os("GSL_PATH") {
            job.readable.extend(Path::new(&gsl).is_absolute().then(|| PathBuf::from(gsl)));
        }
        job
    }

    pub(super) fn set(&mut self, name: &str, value: impl AsRef<OsStr>) {
        let mut variable = OsString::from(format!("{name}="));
        variable.push(value);
        self.environment.push(variable);
    }

    /// Lets the build use Rust, if this machine has it; `is_needed` makes its absence our failure.
    pub(super) fn add_rust(&mut self, is_needed: bool) -> Result<(), BuildError> {
        let root = match toolchain::rust() {
            Ok(root) => root,
            Err(cause) if is_needed => {
                return Err(BuildError::Unable { what: "Rust sources", cause: cause.to_string() });
            }
            Err(_) => return Ok(()),
        };
        let path = std::env::join_paths([
            root.join("bin").as_path(),
            "/usr/local/bin".as_ref(),
            "/usr/bin".as_ref(),
            "/bin".as_ref(),
        ]);
        self.set("PATH", path.context("cannot name the folder of Rust")?);
        self.readable.push(root.to_owned());
        Ok(())
    }

    /// Runs a command to its end, and returns what it printed.
    pub(super) fn run(mut self, command: &[&str], pace: &dyn Fn(BuildUse) -> Pace) -> Result<String, BuildError> {
        for folder in ["bin", "home", "home/.cargo", "tmp"] {
            make_folder(&self.room.join(folder))?;
        }
        let linker = self.room.join("bin/ld");
        let file = File::options().write(true).create_new(true).mode(0o700).open(&linker);
        file.and_then(|mut file| file.write_all(LINKER.as_bytes()))
            .with_context(|| format!("cannot write {}", linker.display()))?;
        if let Some(crates) = &self.limits.crates {
            let crates = crates.canonicalize().with_context(|| format!("cannot read {}", crates.display()))?;
            let settings = format!(
                "[source.crates-io]\nreplace-with = \"course\"\n[source.course]\ndirectory = {:?}\n",
                crates.display().to_string()
            );
            let path = self.room.join("home/.cargo/config.toml");
            fs::write(&path, settings).with_context(|| format!("cannot write {}", path.display()))?;
            self.readable.push(crates);
        }
        if command[0] == "make" && find_program("make".as_ref()).is_none() {
            let cause = "make is missing: install it and a C compiler".to_owned();
            return Err(BuildError::Unable { what: "sources with a Makefile", cause });
        }
        let words = ["sh", "-c", ENTER].map(OsStr::new).into_iter().chain([self.folder.as_os_str()]);
        let words = words.chain(command.iter().map(OsStr::new)).map(OsStr::to_owned).collect();
        let (end, output) = self.run_program("/bin/sh", words, pace)?;
        // Teams need not know where the server builds.
        let output = without_folder(&output.text(), self.folder);
        let reason = match end {
            ProgramEnd::Exited(0) => return Ok(output),
            ProgramEnd::Exited(127) => "a program that the build needs is not there".to_owned(),
            ProgramEnd::Exited(status) => format!("the build failed with status {status}"),
            ProgramEnd::Stopped(reason) => reason,
        };
        let mut reasons = vec![reason];
        reasons.extend(first_error(&output));
        let hint = HINTS.iter().find(|(words, _)| output.contains(words));
        reasons.extend(hint.map(|(_, hint)| (*hint).to_owned()));
        Err(BuildError::Refused { reasons, output })
    }

    /// Unpacks an archive, which is in the room, in a process that may die of it.
    pub(super) fn unpack(mut self, archive: &Path, pace: &dyn Fn(BuildUse) -> Pace) -> Result<(), BuildError> {
        let server = "/proc/self/exe";
        self.readable.push(server.into());
        let words = [UNPACK_MODE.as_ref(), UNPACK_MODE.as_ref(), archive.as_os_str(), self.folder.as_os_str()];
        let (end, output) = self.run_program(server, words.map(OsStr::to_owned).into(), pace)?;
        match end {
            ProgramEnd::Exited(0) => Ok(()),
            ProgramEnd::Exited(UNPACK_FAILED) => Err(BuildError::Own(anyhow!(output.text()))),
            ProgramEnd::Exited(UNPACK_REFUSED) => Err(BuildError::refused(output.text())),
            ProgramEnd::Exited(status) => Err(BuildError::refused(format!("unpacking it failed with status {status}"))),
            ProgramEnd::Stopped(reason) => Err(BuildError::refused(format!("it cannot be unpacked: {reason}"))),
        }
    }

    /// Runs a program in the sandbox until it ends.
    fn run_program(
        &mut self,
        program: &str,
        arguments: Vec<OsString>,
        pace: &dyn Fn(BuildUse) -> Pace,
    ) -> Result<(ProgramEnd, Output), BuildError> {
        let config = ProgramConfig {
            arguments,
            environment: std::mem::take(&mut self.environment),
            memory: self.limits.memory,
            // Of any file: the output does not go to a log.
            log: self.limits.disk,
            sandbox: self.limits.sandbox,
            readable: std::mem::take(&mut self.readable),
            threads: self.limits.processes,
            folder: Some(self.room.to_owned()),
            ..ProgramConfig::new(program)
        };
        let own = |error: Error| BuildError::Own(anyhow!(error).context("cannot start a build"));
        // One of its own: its end is the end of everything that it started.
        let parent = fork_server().map_err(|error| anyhow!(error))?;
        let mut program = Program::start(&parent, &config).map_err(own)?;
        program.await_ready().map_err(own)?;
        program.close_input();
        program.begin_call(false);
        let mut output = Output::default();
        let end = self.watch(&mut program, &mut output, pace);
        program.terminate().map_err(own)?;
        Ok((end?, output))
    }

    /// Waits for the end of a program.
    fn watch(
        &self,
        program: &mut Program,
        output: &mut Output,
        pace: &dyn Fn(BuildUse) -> Pace,
    ) -> Result<ProgramEnd, BuildError> {
        let (mut looked, mut ran, mut computed, mut is_paused) =
            (Instant::now(), Duration::ZERO, Duration::ZERO, false);
        let mut disk = Disk::new(self.room, self.limits.disk)?;
        loop {
            let failed = match program.output(Instant::now() + LOOK_EVERY) {
                Ok(Some(bytes)) if bytes.is_empty() => Some(program.silence()),
                Ok(bytes) => {
                    output.add(&bytes.unwrap_or_default());
                    None
                }
                Err(failed) => Some(failed),
            };
            if let Some(failed) = failed {
                return Ok(ProgramEnd::Stopped(match failed {
                    ProgramError::Host(error) => return Err(anyhow!(error).context("cannot watch a build").into()),
                    ProgramError::Exited(status) => return Ok(ProgramEnd::Exited(status)),
                    ProgramError::Over(Overrun::Threads { limit, .. }) => {
                        format!("it ran more than {limit} processes at a time")
                    }
                    ProgramError::Over(Overrun::Memory(limit)) => {
                        format!("it used more than {} MiB of memory", limit >> 20)
                    }
                    other => format!("the build failed: {other}"),
                }));
            }
            // A build that prints much ends its waits early, and one that stands still uses nothing.
            if looked.elapsed() < LOOK_EVERY {
                continue;
            }
            if !is_paused {
                ran += looked.elapsed();
                computed = program.computed();
                if let Some(reason) = self.excess(ran, computed, output.len, &mut disk)? {
                    return Ok(ProgramEnd::Stopped(reason));
                }
            }
            looked = Instant::now();
            match pace(BuildUse { memory: program.resident(), computed }) {
                Pace::Stop => return Err(BuildError::Own(anyhow!("the build was stopped"))),
                Pace::Wait if !is_paused => program.pause(),
                Pace::Go if is_paused => program.resume(),
                Pace::Wait | Pace::Go => continue,
            }
            is_paused = !is_paused;
        }
    }

    /// Returns the limit that a build has exceeded.
    fn excess(
        &self,
        ran: Duration,
        computed: Duration,
        printed: u64,
        disk: &mut Disk<'_>,
    ) -> Result<Option<String>, BuildError> {
        let limits = self.limits;
        if ran > limits.wall {
            return Ok(Some(format!("the build took longer than {} s", limits.wall.as_secs_f64())));
        }
        if computed > limits.processor {
            return Ok(Some(format!("it used more than {} s of processor time", limits.processor.as_secs_f64())));
        }
        if printed > limits.output {
            return Ok(Some(format!("it printed more than {} KiB", limits.output >> 10)));
        }
        disk.look()
    }
}

/// How a program in the sandbox ended.
enum ProgramEnd {
    /// With this status.
    Exited(i32),
    /// Otherwise, or because it exceeded a limit: the reason.
    Stopped(String),
}

/// Returns the line that says best what is wrong.
fn first_error(output: &str) -> Option<String> {
    let find = |words: &&[&str]| output.lines().find(|line| words.iter().any(|words| line.contains(words)));
    let line: String = ERRORS.iter().find_map(find)?.trim().chars().take(ERROR_MAX).collect();
    Some(format!("'{line}': see build.txt"))
}

/// The beginning and the end of what a build printed.
#[derive(Default)]
struct Output {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    len: u64,
}

impl Output {
    fn add(&mut self, bytes: &[u8]) {
        self.len += bytes.len() as u64;
        let (head, tail) = bytes.split_at(bytes.len().min(KEPT - self.head.len()));
        self.head.extend(head);
        self.tail.extend(tail);
        let surplus = self.tail.len().saturating_sub(KEPT);
        self.tail.drain(..surplus);
    }

    /// Returns it without characters that control terminals.
    fn text(&self) -> String {
        let (head, tail): (_, Vec<u8>) = (&self.head, self.tail.iter().copied().collect());
        let left_out = self.len - (head.len() + tail.len()) as u64;
        let note = if left_out > 0 { format!("\n[{left_out} bytes left out]\n") } else { String::new() };
        let text = format!("{}{note}{}", String::from_utf8_lossy(head), String::from_utf8_lossy(&tail));
        text.chars().filter(|letter| !letter.is_control() || matches!(letter, '\n' | '\t')).collect()
    }
}

/// The disk as a build uses it.
struct Disk<'a> {
    room: &'a Path,
    limit: u64,
    free: u64,
    next: Instant,
}

impl<'a> Disk<'a> {
    fn new(room: &'a Path, limit: u64) -> Result<Self, BuildError> {
        let free = free(room)?;
        if free < SPARE {
            return Err(BuildError::Own(anyhow!("the disk is full: a build needs {} MiB", SPARE >> 20)));
        }
        Ok(Self { room, limit, free, next: Instant::now() })
    }

    /// Returns what is wrong with the use of the disk.
    fn look(&mut self) -> Result<Option<String>, BuildError> {
        let too_much = || Some(format!("it used more than {} MiB of disk", self.limit >> 20));
        let now = free(self.room)?;
        if now < SPARE.min(self.free / 2) {
            return match self.free.saturating_sub(now) > self.limit {
                true => Ok(too_much()),
                false => Err(BuildError::Own(anyhow!("the disk is nearly full"))),
            };
        }
        let begun = Instant::now();
        if begun < self.next {
            return Ok(None);
        }
        let usage = Usage::of(self.room)?;
        self.next = Instant::now() + begun.elapsed() * PAUSE_FACTOR;
        Ok(if usage.bytes > self.limit { too_much() } else { usage.excess() })
    }
}

/// Returns the bytes that are free on the disk of a folder.
fn free(folder: &Path) -> Result<u64, BuildError> {
    let about = rustix::fs::statvfs(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    Ok(about.f_bavail.saturating_mul(about.f_frsize))
}
