use std::fmt;
use std::fs;

use serde_json::json;

use crate::ranks::usual_threads;

/// The machine that a measurement was made on.
#[derive(Clone, Debug)]
pub struct Machine {
    /// The processor's name.
    pub processor: String,
    /// Physical cores that this process may use.
    pub cores: usize,
    /// How many processes wanted to run, on average over the last minute; `None` if the kernel does not say.
    pub load: Option<f64>,
}

impl Machine {
    /// Describes this machine.
    #[must_use]
    pub fn here() -> Self {
        let cpus = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let name = cpus.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
        let load = fs::read_to_string("/proc/loadavg").ok();
        Self {
            processor: name.map_or("unknown processor", |(_, name)| name.trim()).to_owned(),
            cores: usual_threads(),
            load: load.and_then(|load| load.split_whitespace().next()?.parse().ok()),
        }
    }

    /// Returns it as JSON.
    #[must_use]
    pub fn to_json(&self) -> serde_json::Value {
        json!({ "processor": self.processor, "cores": self.cores, "load": self.load })
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { processor, cores, load } = self;
        write!(f, "{processor}, {cores} {}", if *cores == 1 { "core" } else { "cores" })?;
        load.map_or(Ok(()), |load| write!(f, ", load {load}"))
    }
}
