//! Finds processes that others have started.

use std::fs;

use rustix::process::Pid;

/// Returns a process with all of these arguments, and with this variable (`NAME=value`) in its environment.
pub(crate) fn process_with(arguments: &[&str], variable: Option<&str>) -> Option<Pid> {
    let holds = |path: String, text: &str| {
        let bytes = fs::read(path).unwrap_or_default();
        bytes.split(|&byte| byte == 0).any(|word| word == text.as_bytes())
    };
    fs::read_dir("/proc")
        .expect("processes")
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<i32>().ok())
        .filter(|pid| arguments.iter().all(|argument| holds(format!("/proc/{pid}/cmdline"), argument)))
        .find(|pid| variable.is_none_or(|variable| holds(format!("/proc/{pid}/environ"), variable)))
        .and_then(Pid::from_raw)
}

/// Returns the processes that this one has started and that still exist.
pub(crate) fn children(pid: u32) -> Vec<u32> {
    let Ok(threads) = fs::read_dir(format!("/proc/{pid}/task")) else { return Vec::new() };
    let of_thread = |thread: fs::DirEntry| fs::read_to_string(thread.path().join("children")).unwrap_or_default();
    let texts = threads.filter_map(Result::ok).map(of_thread);
    texts.flat_map(|text| text.split_whitespace().filter_map(|pid| pid.parse().ok()).collect::<Vec<_>>()).collect()
}

/// Returns whether a process is dead, including one that only waits to be reaped.
pub(crate) fn is_gone(pid: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat"));
    // The state follows the name, which is in parentheses.
    stat.map_or(true, |stat| stat.rsplit(") ").next().is_some_and(|rest| rest.starts_with(['Z', 'X'])))
}
