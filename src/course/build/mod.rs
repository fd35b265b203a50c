//! Makes a player of an upload: takes a shared library as it is.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::time::Duration;

use amazons_program::files::{open, write_whole_with};

/// The first bytes of a shared library.
const ELF_MAGIC: [u8; 4] = *b"\x7fELF";

/// The limits of one build.
#[derive(Clone, Debug)]
pub struct BuildLimits {
    /// From start to end.
    pub wall: Duration,
}

impl Default for BuildLimits {
    fn default() -> Self {
        Self { wall: Duration::from_secs(300) }
    }
}

/// A player that is ready for its check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Built {
    /// The output of the build, for people.
    pub output: String,
}

/// Why there is no player.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The team's fault.
    #[error("{}", reasons.join("; "))]
    Refused {
        /// Lower-case fragments, at least one.
        reasons: Vec<String>,
        /// The output of the build until then.
        output: String,
    },
    /// Ours: the team may have done everything right.
    #[error("{0:#}")]
    Own(#[from] anyhow::Error),
}

/// Makes a player of what a team handed in: writes the file `player`, whole or not at all.
///
/// # Errors
/// When there is no player.
pub fn build(
    upload: &Path,
    _work: &Path,
    player: &Path,
    _limits: &BuildLimits,
    _stop: &dyn Fn() -> bool,
) -> Result<Built, BuildError> {
    let mut magic = Vec::new();
    let own = |error: io::Error| BuildError::Own(error.into());
    open(upload).and_then(|file| file.take(4).read_to_end(&mut magic)).map_err(own)?;
    if magic != ELF_MAGIC {
        let reasons = vec!["sources are not taken yet: hand in a shared library".to_owned()];
        return Err(BuildError::Refused { reasons, output: String::new() });
    }
    let copy = |out: &mut dyn io::Write| io::copy(&mut File::open(upload)?, out).map(drop);
    write_whole_with(player, copy).map_err(own)?;
    Ok(Built::default())
}
