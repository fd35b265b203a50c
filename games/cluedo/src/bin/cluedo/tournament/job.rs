//! A block as a job for any rank.

use std::path::PathBuf;

use amazons_program::Exit;
use cluedo::bots::play::seat_bot;
use cluedo::deal::{Deal, stream};
use cluedo::tournament::{Block, BlockResult, BotPlan, Plan, Run};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

use super::game::{self, Sitter};
use crate::seats::{Connected, Sandboxed, command};

/// A block, and everything that a rank needs to play it.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Job {
    pub(super) block: Block,
    pub(super) plan: Plan,
    /// The plan's folder.
    pub(super) folder: PathBuf,
    /// Files that no program may read.
    pub(super) hidden: Vec<PathBuf>,
}

impl Job {
    pub(super) fn play(&self) -> Result<BlockResult, Exit> {
        let Block { matchup, block, games, .. } = self.block;
        let &Plan { n, seed, .. } = &self.plan;
        let deal = Deal::course(n, &mut stream(seed, matchup, block, "deal"));
        let mut results = Vec::new();
        for game in 0..games {
            let programs = self.block.seating(game);
            let number = block * n as u64 + game as u64;
            let sitter = |(seat, &program): (usize, &usize)| {
                self.start(&self.plan.bots[program], seat, stream(seed, matchup, number, &format!("seat {seat}")))
            };
            let sitters = programs.iter().enumerate().map(sitter).collect::<Result<Vec<_>, Exit>>()?;
            results.push(game::play(&self.plan, programs, deal, sitters)?);
        }
        Ok(BlockResult { matchup, block, games: results })
    }

    fn start(&self, bot: &BotPlan, seat: usize, rng: Xoshiro256PlusPlus) -> Result<Sitter, Exit> {
        let wrong = |error: String| Exit::Usage(format!("{}: {error}", bot.name));
        Ok(match &bot.run {
            Run::Tcp(words) => {
                let command = command(words, &self.folder, &[]).map_err(wrong)?;
                Sitter::Program(Box::new(Connected::start(&command, &self.folder)?))
            }
            Run::Stdio(words) => {
                let command = command(words, &self.folder, &self.hidden).map_err(wrong)?;
                Sitter::Program(Box::new(Sandboxed::start(&command, self.plan.sandbox)?))
            }
            Run::Builtin(kind) => Sitter::Bot(Box::new(seat_bot(*kind, seat, self.plan.n, rng))),
        })
    }
}
