//! Tournaments: schedules, journals, plans, standings, and whole events through the installed server.

mod clusters;
mod commands;
mod cores;
mod event;
mod export;
mod hand_out;
mod interruptions;
mod journal;
mod kills;
mod ladder;
mod ladder_rules;
mod own_settings;
mod plan;
mod ranks;
mod reports;
mod schedule;
mod slurm;
mod standings;
mod tasks;
mod views;

pub(crate) use views::assert_views_agree;
