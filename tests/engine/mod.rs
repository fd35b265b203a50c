//! States and evaluation of the engine against slow twins.

mod arrows;
mod boards;
mod chances;
mod children;
mod endgame;
mod engines;
mod evaluation;
mod grids;
mod levels;
mod network;
mod ownership;
mod slow;
mod states;
mod timing;
mod weights;
