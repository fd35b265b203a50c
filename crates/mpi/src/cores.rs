use std::collections::BTreeMap;
use std::path::Path;
use std::{fs, io};

use rustix::thread::{CpuSet, sched_getaffinity};

/// Returns one logical processor for each physical core that this process may use, those of a core counting once.
pub fn physical_cores() -> io::Result<Vec<usize>> {
    Ok(one_of_each(&allowed_processors()?, Path::new("/sys/devices/system/cpu")))
}

/// Returns the logical processors that this process may use.
pub fn allowed_processors() -> io::Result<Vec<usize>> {
    let set = sched_getaffinity(None)?;
    Ok((0..CpuSet::MAX_CPU).filter(|&cpu| set.is_set(cpu)).collect())
}

/// Keeps the first of those processors that share a core, as a folder like `/sys/devices/system/cpu` tells; what it does
/// not tell about has a core of its own.
pub fn one_of_each(allowed: &[usize], sys: &Path) -> Vec<usize> {
    let mut cores = BTreeMap::new();
    for &cpu in allowed {
        let siblings = fs::read_to_string(sys.join(format!("cpu{cpu}/topology/thread_siblings_list")));
        let core = siblings.map_or_else(|_| format!("cpu {cpu}"), |list| list.trim().to_owned());
        cores.entry(core).or_insert(cpu);
    }
    let mut firsts: Vec<usize> = cores.into_values().collect();
    firsts.sort_unstable();
    firsts
}
