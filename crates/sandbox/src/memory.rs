//! The kernel's figures of processes, and the available memory.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::Pid;

/// Larger than the kernel's usual line about a process, and its usual page about the machine.
const LINE: usize = 512;
const PAGE: usize = 8 << 10;

/// The kernel's figures of a process.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vitals {
    /// Its resident memory in bytes.
    pub(crate) resident: u64,
    pub(crate) threads: u32,
    /// The page faults since it started.
    pub(crate) faults: u64,
    /// Whether its main thread has ended.
    pub(crate) is_zombie: bool,
}

impl Vitals {
    /// Reads a process's figures; `None` if it is gone.
    pub(crate) fn of(pid: Pid) -> Option<Self> {
        Stat::of(pid).map(|stat| stat.vitals)
    }

    /// Adds the memory and threads of another process.
    pub(crate) const fn add(&mut self, other: &Self) {
        self.resident = self.resident.saturating_add(other.resident);
        self.threads = self.threads.saturating_add(other.threads);
    }

    /// Returns whether its main thread has ended while others continue.
    pub(crate) const fn is_headless(&self) -> bool {
        self.is_zombie && self.threads > 1
    }
}

/// The kernel's figures of a process, its parent and its session.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stat {
    pub(crate) parent: i32,
    session: i32,
    /// When it started, in clock ticks: tells apart two processes that had the same number.
    pub(crate) started: u64,
    /// The time of the children that it has waited for, in steps of a clock tick.
    pub(crate) reaped_cpu: Duration,
    pub(crate) vitals: Vitals,
}

impl Stat {
    fn of(pid: Pid) -> Option<Self> {
        if !proc_is_ours() {
            return None;
        }
        let mut stat = Vec::with_capacity(LINE);
        read_to_end(&format!("/proc/{}/stat", pid.as_raw_nonzero()), &mut stat).ok()?;
        // The state follows the name, which is in parentheses and may contain anything. See proc_pid_stat(5).
        let end_of_name = stat.iter().rposition(|&byte| byte == b')')?;
        let mut fields = std::str::from_utf8(stat.get(end_of_name + 1..)?).ok()?.split_ascii_whitespace();
        let state = fields.next()?;
        let parent = fields.next()?.parse().ok()?;
        let session = fields.nth(1)?.parse().ok()?;
        let minor_faults: u64 = fields.nth(3)?.parse().ok()?;
        let major_faults: u64 = fields.nth(1)?.parse().ok()?;
        let ticks: u64 = fields.nth(3)?.parse().ok()?;
        let more_ticks: u64 = fields.next()?.parse().ok()?;
        let threads = fields.nth(2)?.parse().ok()?;
        let started = fields.nth(1)?.parse().ok()?;
        let pages: u64 = fields.nth(1)?.parse().ok()?;
        let resident = pages * rustix::param::page_size() as u64;
        let reaped_cpu = ticks_to_time(ticks.saturating_add(more_ticks));
        let faults = minor_faults.saturating_add(major_faults);
        let vitals = Vitals { resident, threads, faults, is_zombie: matches!(state, "Z" | "X") };
        Some(Self { parent, session, started, reaped_cpu, vitals })
    }
}

/// Returns whether `/proc` numbers processes as this one does: not if it was mounted in another PID namespace, where
/// the same number means another process.
#[must_use]
pub fn proc_is_ours() -> bool {
    static IS_OURS: OnceLock<bool> = OnceLock::new();
    let own = || PathBuf::from(std::process::id().to_string());
    *IS_OURS.get_or_init(|| fs::read_link("/proc/self").is_ok_and(|itself| itself == own()))
}

/// Converts clock ticks to a time.
pub(crate) fn ticks_to_time(ticks: u64) -> Duration {
    Duration::from_millis(ticks.saturating_mul(1000) / rustix::param::clock_ticks_per_second())
}

/// Lists the processes that are not reaped.
pub(crate) fn processes() -> impl Iterator<Item = (Pid, Stat)> {
    let entries = fs::read_dir("/proc").into_iter().flatten();
    let pids = entries.filter_map(|entry| Pid::from_raw(entry.ok()?.file_name().to_str()?.parse().ok()?));
    pids.filter_map(|pid| Some((pid, Stat::of(pid)?)))
}

/// Lists the processes of a session that are not reaped, as they were no longer ago than that: a listing takes
/// milliseconds where there are many processes, and serves all who ask.
pub(crate) fn session(leader: Pid, age: Duration) -> Vec<(Pid, Stat)> {
    type Listing = (Instant, Vec<(Pid, Stat)>);
    static LISTED: Mutex<Option<Listing>> = Mutex::new(None);
    let mut listed = LISTED.lock().unwrap_or_else(PoisonError::into_inner);
    let recent = listed.take().filter(|(begun, _)| begun.elapsed() < age);
    let (_, all) = listed.insert(recent.unwrap_or_else(|| (Instant::now(), processes().collect())));
    all.iter().filter(|(_, stat)| stat.session == leader.as_raw_nonzero().get()).copied().collect()
}

/// Returns how many bytes could be used now without harming others: the kernel's available memory, limited by what is
/// left to this process's control group.
///
/// `None` if the kernel does not report it.
#[must_use]
pub fn available() -> Option<u64> {
    let machine = field(&figures("/proc/meminfo").ok()?, "MemAvailable:")? * 1024;
    let groups = figures("/proc/self/cgroup").ok();
    let left = groups.and_then(|groups| left_in_groups(&groups, Path::new("/sys/fs/cgroup")));
    Some(left.map_or(machine, |left| left.min(machine)))
}

/// Returns how often the kernel has killed a process for lack of memory since boot.
#[must_use]
pub fn kernel_kills() -> Option<u64> {
    field(&figures("/proc/vmstat").ok()?, "oom_kill")
}

/// Reads kernel figures with as few calls as possible: the kernel does not announce their length.
pub(crate) fn figures(path: &str) -> io::Result<String> {
    let mut bytes = Vec::with_capacity(PAGE);
    read_to_end(path, &mut bytes)?;
    String::from_utf8(bytes).map_err(io::Error::other)
}

fn read_to_end(path: &str, bytes: &mut Vec<u8>) -> io::Result<()> {
    // Without the limit, the file is asked for its length and then read in small pieces.
    File::open(path)?.take(u64::MAX).read_to_end(bytes)?;
    Ok(())
}

pub(crate) fn field(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_ascii_whitespace().next()?.parse().ok()
}

/// Returns the memory left within the limits of control groups, as `/proc/self/cgroup` lists them, and of all groups
/// above them; `None` without limits.
///
/// In a container the list may name folders of the host: then the limits of the topmost folder, the container's own,
/// count.
#[must_use]
pub fn left_in_groups(groups: &str, root: &Path) -> Option<u64> {
    let lefts = groups.lines().filter_map(|line| {
        let (_, line) = line.split_once(':')?;
        let (controllers, group) = line.split_once(':')?;
        let (hierarchy, limit, used) = match controllers {
            "" => ("", "memory.max", "memory.current"),
            _ if controllers.split(',').any(|controller| controller == "memory") => {
                ("memory", "memory.limit_in_bytes", "memory.usage_in_bytes")
            }
            _ => return None,
        };
        let folder = root.join(hierarchy);
        let within = folder.join(group.trim_start_matches('/'));
        let above = within.ancestors().take_while(|group| group.starts_with(&folder));
        above.filter_map(|group| Some(number(&group.join(limit))?.saturating_sub(number(&group.join(used))?))).min()
    });
    lefts.min()
}

fn number(path: &Path) -> Option<u64> {
    figures(path.to_str()?).ok()?.trim().parse().ok()
}
