mod archives;
mod bombs;
mod builds;
mod rig;
