//! What ranks say to each other, as JSON.

use std::path::PathBuf;
use std::{fs, io};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::tournament::cores::physical_cores;
use crate::tournament::{GameLine, Histogram, Job, Plan, host_name};

/// What the runner says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToWorker {
    /// The event.
    Begin(Box<Begin>),
    /// A pair to be played.
    Play(Job),
    /// Finish the games that are running, and play no others.
    Stop,
    /// Nothing, so that one knows that the runner lives.
    Alive,
    /// The end; running games are dropped.
    End {
        /// Whether all ranks are there to leave the job together.
        together: bool,
    },
}

/// An event, and a worker's place in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Begin {
    /// The event.
    pub plan: Plan,
    /// Its folder, absolute.
    pub folder: PathBuf,
    /// How many games at a time.
    pub games: usize,
    /// The cores that they run on; none to leave that to the kernel.
    pub cores: Vec<usize>,
    /// How many games at a time all ranks of this machine play together.
    pub games_of_machine: usize,
}

/// What a worker says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToRunner {
    /// The first word.
    Hello(Hello),
    /// A game is finished, and this is what its moves cost us.
    Game(Box<GameLine>, Histogram),
    /// Nothing, so that one knows that the worker lives.
    Alive,
    /// The last word: it cannot go on, and why.
    Failed(String),
    /// The last word: it was told to stop.
    Bye,
}

/// Where a worker runs.
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
    /// Looks around.
    ///
    /// # Errors
    /// When the kernel does not say where this process may run.
    pub fn here() -> io::Result<Self> {
        let host = host_name();
        let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id");
        let machine = boot.map_or_else(|_| host.clone(), |id| id.trim().to_owned());
        Ok(Self { host, machine, cores: physical_cores()? })
    }
}

pub(super) fn to_bytes(message: &impl Serialize) -> Result<Vec<u8>, String> {
    serde_json::to_vec(message).map_err(|error| format!("a message cannot be written: {error}"))
}

pub(super) fn from_bytes<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    serde_json::from_slice(bytes).map_err(|error| format!("a message is none of this server's: {error}"))
}
