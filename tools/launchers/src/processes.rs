//! The processes of a job, as the kernel shows them.

use std::fs;
use std::process::Child;

use rustix::process::Pid;

use crate::MPIS;

/// Returns the processes of a program that a launcher has started, by rank; those that have not begun are missing.
///
/// # Panics
/// Without `/proc`.
#[must_use]
pub fn ranks_of(launcher: &Child, program: &str) -> Vec<Pid> {
    let launcher = Pid::from_child(launcher);
    let rank = |id: Pid| -> Option<u32> {
        let folder = format!("/proc/{}", id.as_raw_nonzero());
        let is_ours = fs::read_link(folder.clone() + "/exe").ok()?.to_str() == Some(program);
        let environment = fs::read(folder + "/environ").ok().filter(|_| is_ours && is_below(id, launcher))?;
        String::from_utf8_lossy(&environment).split('\0').find_map(|variable| {
            let (name, value) = variable.split_once('=')?;
            MPIS.iter().any(|mpi| mpi.rank == name).then(|| value.parse().ok())?
        })
    };
    let entries = fs::read_dir("/proc").expect("processes").flatten();
    let all = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok().and_then(Pid::from_raw));
    let mut ranks: Vec<(u32, Pid)> = all.filter_map(|id| Some((rank(id)?, id))).collect();
    ranks.sort_unstable_by_key(|&(rank, _)| rank);
    ranks.into_iter().map(|(_, id)| id).collect()
}

/// Returns whether a process is there and has not ended.
#[must_use]
pub fn is_running(id: Pid) -> bool {
    stat(id).first().is_some_and(|state| state != "Z")
}

/// Returns the processor time of a process, in the kernel's ticks of 10 ms.
#[must_use]
pub fn ticks(id: Pid) -> u64 {
    // User and system time.
    stat(id).iter().skip(11).take(2).filter_map(|word| word.parse::<u64>().ok()).sum()
}

/// Returns whether a process descends from another.
fn is_below(id: Pid, ancestor: Pid) -> bool {
    let parent = |&id: &Pid| stat(id).get(1).and_then(|parent| parent.parse().ok()).and_then(Pid::from_raw);
    std::iter::successors(Some(id), parent).any(|id| id == ancestor)
}

/// The words of `/proc/ID/stat` behind the name, which may contain blanks: state, parent, ..; none without the process.
fn stat(id: Pid) -> Vec<String> {
    let stat = fs::read_to_string(format!("/proc/{}/stat", id.as_raw_nonzero())).unwrap_or_default();
    stat.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace().map(str::to_owned).collect()
}
