use std::path::Path;
use std::{env, fmt, fs};

use amazons_mpi::{Launch, one_of_each};

use crate::ranks::usual_threads;

/// The machine that a measurement was made on.
#[derive(Clone, Debug)]
pub struct Machine {
    /// The processor's name.
    pub processor: String,
    /// Physical cores, as by [`cores`].
    pub cores: usize,
    /// How many processes wanted to run, on average over the last minute; `None` if the kernel does not say.
    pub load: Option<f64>,
}

impl Machine {
    /// Describes this machine.
    pub fn here() -> Self {
        let cpus = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let name = cpus.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
        let load = fs::read_to_string("/proc/loadavg").ok();
        Self {
            processor: name.map_or("unknown processor", |(_, name)| name.trim()).to_owned(),
            cores: cores(),
            load: load.and_then(|load| load.split_whitespace().next()?.parse().ok()),
        }
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { processor, cores, load } = self;
        write!(f, "{processor}, {cores} {}", if *cores == 1 { "core" } else { "cores" })?;
        load.map_or(Ok(()), |load| write!(f, ", load {load}"))
    }
}

/// Returns the number of physical cores that the ranks of this job on this machine may use together: a launcher may have
/// bound this one to some of them.
pub fn cores() -> usize {
    if launched().is_none() {
        return usual_threads();
    }
    let cpus = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let number = |line: &str| line.strip_prefix("processor")?.trim_start_matches([' ', '\t', ':']).parse().ok();
    let all: Vec<usize> = cpus.lines().filter_map(number).collect();
    one_of_each(&all, Path::new("/sys/devices/system/cpu")).len().max(usual_threads())
}

/// Returns how many of the first ranks of a job are on this machine, as far as its launcher tells.
pub fn ranks_here(ranks: usize) -> usize {
    let here = || ["OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"].iter().find_map(|name| env::var(name).ok());
    let here = launched().and_then(|_| here()?.parse().ok());
    here.map_or(ranks, |here: usize| ranks.min(here))
}

/// Returns how many ranks the launcher has started, if there is one with more than one.
pub fn launched() -> Option<usize> {
    Launch::from_env().map(|launch| launch.size).filter(|size| *size > 1)
}
