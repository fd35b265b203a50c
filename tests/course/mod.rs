mod archives;
mod bombs;
mod builds;
mod copies;
mod rig;
