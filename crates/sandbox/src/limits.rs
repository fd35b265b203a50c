//! The limits that this process was started with: raised where allowed, reported where games do not fit.

use std::{fs, io};

use rustix::process::{Resource, Rlimit, setpriority_process, setrlimit, setsid};

/// The open files of a caller with its fork server, with more added for each game.
const FILES: usize = 32;
const FILES_PER_GAME: usize = 16;

/// With less address space, not even the system's libraries can be loaded next to a player.
const MIN_ADDRESS_SPACE: u64 = 40 << 20;

/// Returns a limit of this process.
pub(crate) fn limit_of(resource: Resource) -> io::Result<Rlimit> {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the kernel writes one limit where there is room for one, or fails, which rustix ignores.
    if unsafe { libc::getrlimit(resource as libc::__rlimit_resource_t, &raw mut limit) } != 0 {
        return Err(io::Error::last_os_error());
    }
    let finite = |limit| (limit != libc::RLIM_INFINITY).then_some(limit);
    Ok(Rlimit { current: finite(limit.rlim_cur), maximum: finite(limit.rlim_max) })
}

/// Returns the soft limit of this process; `None` if there is no limit or the kernel does not report it.
#[must_use]
pub fn soft_limit(resource: Resource) -> Option<u64> {
    limit_of(resource).ok()?.current
}

/// Raises the soft limits of open files and of processor time to the hard ones.
pub fn raise_limits() {
    for resource in [Resource::Nofile, Resource::Cpu] {
        if let Ok(limit) = limit_of(resource)
            && limit.current != limit.maximum
        {
            // `limits_objection` reports what is still too low.
            let _ = setrlimit(resource, Rlimit { current: limit.maximum, ..limit });
        }
    }
}

/// Makes this process leave processors to all others, as far as that is allowed: they take some 99 % of what both want.
pub fn be_idle() {
    // Where the kernel first shares processors between sessions, this becomes a session of its own that asks for little.
    let _ = setsid();
    let _ = fs::write("/proc/self/autogroup", "19");
    let _ = setpriority_process(None, 19);
}

/// Returns which limit of this process is too low for `games` simultaneous games, and the remedy.
#[must_use]
pub fn limits_objection(games: usize) -> Option<String> {
    if let Some(seconds) = soft_limit(Resource::Cpu) {
        return Some(format!(
            "processor time is limited to {seconds} s, which would end players early and make their clocks coarse: \
             start the server without that limit (ulimit -t unlimited)"
        ));
    }
    if let Some(bytes) = soft_limit(Resource::As).filter(|&bytes| bytes < MIN_ADDRESS_SPACE) {
        let mib = bytes >> 20;
        return Some(format!("{mib} MiB of address space are not enough for a player: raise it (ulimit -v unlimited)"));
    }
    let files = usize::try_from(soft_limit(Resource::Nofile)?).ok()?;
    let needed = FILES + FILES_PER_GAME.saturating_mul(games);
    // Counting the open ones takes longer than a game may cost.
    let open = if files / 4 > needed { 0 } else { fs::read_dir("/proc/self/fd").map_or(0, Iterator::count) };
    let needed = needed.saturating_add(open);
    let who = if games == 1 { "a game needs".to_owned() } else { format!("{games} games at a time need") };
    let raised = needed.next_power_of_two().max(256);
    (files < needed)
        .then(|| format!("{who} {needed} open files, and the limit is {files}: raise it (ulimit -n {raised})"))
}

/// Describes this process's limit on address space if it is below a player's memory limit.
#[must_use]
pub fn address_space_hint(memory: u64) -> Option<String> {
    let kib = limit_of(Resource::As).ok()?.maximum.filter(|&bytes| bytes < memory)? >> 10;
    Some(format!(" (the server was started with 'ulimit -v {kib}', less than the players' memory limit)"))
}
