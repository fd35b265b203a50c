//! The searchers, on three small games and against plain minimax.

mod alpha_beta;
mod avoid;
mod boxes;
mod domineering;
mod lines;
mod mcts;
mod nim;
mod slow;
mod slow_mcts;
mod sweep;
mod threads;
mod tree;
