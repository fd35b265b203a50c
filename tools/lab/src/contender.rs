//! A version of the engine, as text: `weights=FILE,budget=50ms,cpuct=0.4,...`.

use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use amazons_engine::{Endgames, Engine, EngineConfig, EvalTable, Level, Method, Network, Weights, engine};
use amazons_rules::Board;
use amazons_search::{AlphaBetaConfig, MctsConfig};
use anyhow::{Context, Result, bail};

use crate::budget_spec::BudgetSpec;

/// Bytes for a tree, as for the champion.
const TREE: usize = 512 << 20;

/// One side of a match.
#[derive(Clone, Debug)]
pub(crate) struct Contender {
    pub(crate) text: String,
    table: Arc<EvalTable>,
    config: EngineConfig,
    pub(crate) budget: BudgetSpec,
}

impl Contender {
    /// The default engine with that many nodes.
    pub(crate) fn standard(nodes: u64) -> Self {
        format!("budget={nodes}").parse().expect("a budget is a setting")
    }

    /// The weights or network that evaluate its positions.
    pub(crate) fn table(&self) -> Arc<EvalTable> {
        Arc::clone(&self.table)
    }

    pub(crate) fn engine(&self, board: &Arc<Board>) -> Box<dyn Engine> {
        let (board, table) = (Arc::clone(board), self.table());
        engine(board, table, self.config.clone()).expect("boards of matches are small")
    }
}

impl FromStr for Contender {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self> {
        let mut table = EvalTable::standard();
        let mut config = MctsConfig { memory_bytes: TREE, ..MctsConfig::default() };
        let mut budget = None;
        let mut depth_first = false;
        let mut endgames = Endgames::default();
        let (mut judge_first, mut level, mut seed) = (None, None, 0);
        for setting in text.split(',').filter(|setting| !setting.is_empty()) {
            let (name, value) = setting.split_once('=').with_context(|| format!("'{setting}' is not NAME=VALUE"))?;
            let number = || value.parse::<f32>().with_context(|| format!("{name}: '{value}' is not a number"));
            match name {
                "network" => table = EvalTable::of_network(&read::<Network>(value.as_ref())?),
                "weights" => table = EvalTable::new(&read::<Weights>(value.as_ref())?),
                "budget" => budget = Some(value.parse().map_err(anyhow::Error::msg)?),
                "search" => {
                    depth_first = match value {
                        "best-first" => false,
                        "depth-first" => true,
                        _ => bail!("search: use best-first or depth-first"),
                    };
                }
                "endgames" => {
                    endgames = match value {
                        "counted" => Endgames::Counted,
                        "searched" => Endgames::Searched,
                        _ => bail!("endgames: use counted or searched"),
                    };
                }
                "level" => level = Some(value.parse().ok().and_then(Level::new).context("level: use 1 to 8")?),
                "seed" => seed = value.parse()?,
                "temperature" => config.temperature = number()?,
                "cpuct" => config.cpuct = number()?,
                "minimax" => config.minimax_weight = number()?,
                "widening" => config.widening_start = value.parse()?,
                "widening_factor" => config.widening_factor = number()?,
                "judge" => judge_first = Some(value.parse()?),
                "judge_all" => config.judge_all_after = value.parse()?,
                "expand" => config.expand_after = value.parse()?,
                "threads" => config.threads = value.parse()?,
                "memory" => config.memory_bytes = value.parse::<usize>()? << 20,
                "backup_delay" => config.backup_delay = number()?,
                "virtual_loss" => config.virtual_loss = number()?,
                _ => bail!(
                    "unknown setting '{name}': use search, endgames, level, seed, network, weights, budget, \
                     temperature, cpuct, minimax, widening, widening_factor, judge, judge_all, expand, backup_delay, threads, memory \
                     (MiB), virtual_loss"
                ),
            }
        }
        let method =
            if depth_first { Method::DepthFirst(AlphaBetaConfig::default()) } else { Method::BestFirst(config) };
        let config = EngineConfig { endgames, judge_first, level, seed, ..EngineConfig::new(method) };
        // A level has its own.
        let budget = budget.unwrap_or(BudgetSpec::Nodes(if level.is_some() { u64::MAX } else { 1000 }));
        Ok(Self { text: text.to_owned(), table: Arc::new(table), config, budget })
    }
}

/// Reads a file of weights, or one with a network.
pub(crate) fn read<T>(path: &Path) -> Result<T>
where
    T: FromStr<Err: std::error::Error + Send + Sync + 'static>,
{
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    text.parse().with_context(|| path.display().to_string())
}
