//! Messages between ranks.

use std::path::PathBuf;
use std::{fs, io};

use amazons_mpi::Json;
use serde::{Deserialize, Serialize};

use crate::tournament::cores::physical_cores;
use crate::tournament::overhead::Histogram;
use crate::tournament::plan::Plan;
use crate::tournament::play::host_name;
use crate::tournament::pool::PairJob;
use crate::tournament::results::GameLine;

/// A message beside pairs and games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum SetUp {
    /// A worker's first message.
    Hello(Hello),
    /// The runner's answer.
    Begin(Box<Begin>),
}

/// A pair for a worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RankJob {
    pub pair: PairJob,
    /// Its plan, unless it is that of [`Begin`]: players of a ladder come and go.
    pub plan: Option<Json<Plan>>,
}

/// An event or a ladder, and a worker's place in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Begin {
    /// Its plan, for a ladder one without players.
    pub plan: Json<Plan>,
    /// Its folder, absolute.
    pub folder: PathBuf,
    /// How many games at a time.
    pub games: usize,
    /// The cores that they run on; none to leave that to the kernel.
    pub cores: Vec<usize>,
    /// How many games at a time all ranks of this machine play together.
    pub games_of_machine: usize,
}

/// A finished game of a pair: its line of the journal, and what its moves cost us. The last one of a pair is its
/// result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Played(pub Json<Box<GameLine>>, pub Histogram);

/// The machine of a worker: its first message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello {
    /// The name of the machine, for people.
    pub host: String,
    /// The same for all processes of a running kernel, whatever they call it.
    pub machine: String,
    /// One processor of each physical core that it may use.
    pub cores: Vec<usize>,
}

impl Hello {
    /// Describes this machine.
    pub fn here() -> io::Result<Self> {
        let host = host_name();
        let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id");
        let machine = boot.map_or_else(|_| host.clone(), |id| id.trim().to_owned());
        Ok(Self { host, machine, cores: physical_cores()? })
    }
}
