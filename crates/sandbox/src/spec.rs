//! The message that sets a process up, sent before it runs any foreign code.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::ffi::OsString;
use std::io::{self, Read};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{self, Path, PathBuf};

use super::bytes::{Reader, SetUpError, read_bytes, read_head, read_numbers};
use super::confinement::SandboxMode;
use super::error::Error;

const MAGIC: u32 = u32::from_le_bytes(*b"AmzS");
/// The variable with the C library's settings.
pub(crate) const TUNABLES: &str = "GLIBC_TUNABLES";

const HEAD_LEN: usize = 44;

/// The task of a process and its limits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcessSpec {
    /// The library or program, absolute.
    pub path: PathBuf,
    /// The task.
    pub task: ProcessTask,
    /// Its environment besides the standard one, each as `NAME=value`.
    pub environment: Vec<OsString>,
    /// The reaction to a kernel that offers less than the sandbox needs.
    pub sandbox: SandboxMode,
    /// Absolute files and folders that it may read besides its own file and the system's; programs may also run them.
    pub allow_read: Vec<PathBuf>,
    /// Maximum number of threads; for a program, of all its processes together.
    pub threads: u32,
    /// Maximum number of bytes of output.
    pub log_limit: u64,
    /// The memory limit in bytes.
    pub memory: u64,
}

/// The task of a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProcessTask {
    /// Open the library and answer calls through the caller's own code, which also reads its own message.
    Serve,
    /// Become the program, with these arguments; the first is its name, and mandatory.
    Run(Vec<OsString>),
    /// The same for a program that builds: the first of these is an absolute folder, which it may write to and owns.
    Build(Vec<OsString>),
    /// Name the functions and lines of the library at these offsets (at least one) without running it.
    Locate(Vec<u64>),
    /// Only be set up.
    Probe,
}

impl ProcessTask {
    /// Returns a program's arguments; `None` for everything else.
    pub(crate) fn arguments(&self) -> Option<&[OsString]> {
        match self {
            Self::Run(arguments) => Some(arguments),
            Self::Build(texts) => texts.get(1..),
            Self::Serve | Self::Locate(_) | Self::Probe => None,
        }
    }

    /// Returns the folder that a building program may write to.
    pub(crate) fn folder(&self) -> Option<&Path> {
        if let Self::Build(texts) = self { texts.first().map(Path::new) } else { None }
    }
}

impl ProcessSpec {
    /// Returns whether the process's parent is told what is refused to it. Others have a counter of their time instead.
    pub(crate) fn tells_refusals(&self) -> bool {
        self.task == ProcessTask::Serve && self.sandbox != SandboxMode::Off
    }

    /// Encodes the message.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let (task, arguments, offsets) = match &self.task {
            ProcessTask::Serve => (0, &[][..], &[][..]),
            ProcessTask::Run(arguments) => (1, &arguments[..], &[][..]),
            ProcessTask::Locate(offsets) => (2, &[][..], &offsets[..]),
            ProcessTask::Probe => (3, &[][..], &[][..]),
            ProcessTask::Build(texts) => (4, &texts[..], &[][..]),
        };
        let len = |len: usize| u32::try_from(len).unwrap_or(u32::MAX);
        let mut message = Vec::with_capacity(1024);
        for number in [MAGIC, task, self.sandbox as u32, self.threads] {
            message.extend(number.to_le_bytes());
        }
        for number in [self.log_limit, self.memory] {
            message.extend(number.to_le_bytes());
        }
        for count in [self.allow_read.len(), self.environment.len(), arguments.len() + offsets.len()] {
            message.extend(len(count).to_le_bytes());
        }
        let paths = [&self.path].into_iter().chain(&self.allow_read).map(|path| path.as_os_str());
        for text in paths.chain(self.environment.iter().chain(arguments).map(OsString::as_os_str)) {
            message.extend(len(text.len()).to_le_bytes());
            message.extend(text.as_bytes());
        }
        message.extend(offsets.iter().flat_map(|offset| offset.to_le_bytes()));
        message
    }

    /// Reads one message and not a byte more.
    /// Fails when the stream ends early or the message was not written by [`ProcessSpec::encode`].
    pub fn read(mut from: impl Read) -> Result<Self, SetUpError> {
        let fields = |head: &mut Reader<'_>| {
            let (task, sandbox, threads) = (head.u32()?, *SandboxMode::ALL.get(head.count()?)?, head.u32()?);
            Some((task, sandbox, threads, [head.u64()?, head.u64()?], [head.count()?, head.count()?, head.count()?]))
        };
        let (task, sandbox, threads, [log_limit, memory], [allow_read, environment, items]) =
            read_head::<_, HEAD_LEN>(&mut from, MAGIC, fields)?;
        let path = read_text(&mut from)?.into();
        let allow_read = read_texts(&mut from, allow_read)?.into_iter().map(PathBuf::from).collect();
        let environment = read_texts(&mut from, environment)?;
        let task = match (task, items) {
            (0, 0) => ProcessTask::Serve,
            (1, count @ 1..) => ProcessTask::Run(read_texts(&mut from, count)?),
            (2, count @ 1..) => ProcessTask::Locate(read_numbers(&mut from, count, u64::from_le_bytes)?),
            (3, 0) => ProcessTask::Probe,
            (4, count @ 2..) => ProcessTask::Build(read_texts(&mut from, count)?),
            _ => return Err(SetUpError::Content("task".into())),
        };
        Ok(Self { path, task, environment, sandbox, allow_read, threads, log_limit, memory })
    }
}

fn read_text(from: &mut impl Read) -> Result<OsString, SetUpError> {
    let mut len = [0; 4];
    from.read_exact(&mut len)?;
    let len = usize::try_from(u32::from_le_bytes(len)).unwrap_or(usize::MAX);
    Ok(OsString::from_vec(read_bytes(from, len)?))
}

fn read_texts(from: &mut impl Read, count: usize) -> Result<Vec<OsString>, SetUpError> {
    (0..count).map(|_| read_text(from)).collect()
}

/// Returns a path that means the same in every process, and that the dynamic loader does not search for.
/// Fails when the current folder is gone.
pub fn absolute(path: &Path) -> Result<PathBuf, Error> {
    path::absolute(path).map_err(|source: io::Error| Error::Path { path: path.to_owned(), source })
}
