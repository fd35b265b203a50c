//! A block as a job for any rank.

use std::path::PathBuf;

use amazons_program::Exit;
use amazons_sandbox::SandboxMode;
use cluedo::deal::{Deal, stream};
use cluedo::tournament::{Block, BlockResult, BotPlan, Plan, Run};
use serde::{Deserialize, Serialize};

use super::game::{self, Seating, Sitter};
use crate::seats::{Connected, Link, Sandboxed, command};

/// A block, and everything that a rank needs to play it.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Job {
    pub(super) block: Block,
    n: usize,
    seed: u64,
    timeout: u64,
    sandbox: SandboxMode,
    bots: Vec<BotPlan>,
    /// The plan's folder.
    folder: PathBuf,
    /// Files that no program may read.
    hidden: Vec<PathBuf>,
}

impl Job {
    pub(super) fn new(block: Block, plan: &Plan, folder: PathBuf, hidden: Vec<PathBuf>) -> Self {
        let &Plan { n, seed, timeout, sandbox, ref bots, .. } = plan;
        Self { block, n, seed, timeout, sandbox, bots: bots.clone(), folder, hidden }
    }

    pub(super) fn play(&self) -> Result<BlockResult, Exit> {
        let Block { matchup, block, games, .. } = self.block;
        let deal = Deal::course(self.n, &mut stream(self.seed, matchup, block, "deal"));
        let mut results = Vec::new();
        for game in 0..games {
            let seats = self.block.seating(game);
            let number = block * self.n as u64 + game as u64;
            let sitters = seats.iter().enumerate().map(|(seat, &program)| {
                let bot = &self.bots[program];
                Ok(match &bot.run {
                    Run::Builtin(kind) => {
                        Sitter::bot(*kind, seat, self.n, stream(self.seed, matchup, number, &format!("seat {seat}")))
                    }
                    Run::Stdio(_) | Run::Tcp(_) => Sitter::Program(self.start(bot)?),
                })
            });
            let sitters = sitters.collect::<Result<Vec<_>, Exit>>()?;
            let names = seats.iter().map(|&program| self.bots[program].name.clone()).collect();
            let seating = Seating { programs: seats, names, deal, timeout: self.timeout, seed: self.seed };
            results.push(game::play(&seating, sitters)?);
        }
        Ok(BlockResult { matchup, block, games: results })
    }

    fn start(&self, bot: &BotPlan) -> Result<Box<dyn Link>, Exit> {
        let wrong = |error: String| Exit::Usage(format!("{}: {error}", bot.name));
        Ok(match &bot.run {
            Run::Tcp(words) => {
                let command = command(words, &self.folder, &[]).map_err(wrong)?;
                Box::new(Connected::start(&command, &self.folder)?)
            }
            Run::Stdio(words) => {
                let command = command(words, &self.folder, &self.hidden).map_err(wrong)?;
                Box::new(Sandboxed::start(&command, self.sandbox)?)
            }
            Run::Builtin(kind) => return Err(Exit::Failure(format!("{} is no program", kind.name()))),
        })
    }
}
