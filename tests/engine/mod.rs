//! States and evaluation of the engine against slow twins.

mod boards;
mod children;
mod evaluation;
mod grids;
mod slow;
mod states;
mod thinker;
mod weights;
