use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};

use super::{RunArgs, StopArgs};
use crate::values;

/// A course, and what to do with it.
#[derive(Clone, Debug, Args)]
#[command(arg_required_else_help = true)]
pub struct CourseArgs {
    /// The command.
    #[command(subcommand)]
    pub command: CourseCommand,
}

/// The commands on a course.
#[derive(Clone, Debug, Subcommand)]
pub enum CourseCommand {
    /// Make a course in a new folder, and print each team's token, which is shown only now
    New {
        /// The folder to make
        dir: PathBuf,
        /// The teams: a CSV file whose first line is 'name,display name,email'; the last two may be missing
        #[arg(long, value_name = "FILE.csv")]
        teams: PathBuf,
    },
    /// Run a course: serve its pages, check what is handed in, play; the same command goes on after a stop
    Run(CourseRunArgs),
    /// Hand in a player for a team on this machine, as a shared library or as packed sources; teams use curl
    Submit {
        /// The folder of the course
        dir: PathBuf,
        /// The player
        file: PathBuf,
        /// The team
        #[arg(long, value_name = "NAME")]
        team: String,
        /// Only build and check it: it plays if the team chooses it, or hands it in once more
        #[arg(long)]
        trial: bool,
    },
    /// Print the teams and their versions
    Status {
        /// The folder of the course
        dir: PathBuf,
        /// Print every version of this team, with the reasons for refusing it
        #[arg(long, value_name = "NAME")]
        team: Option<String>,
        /// Write CSV: a line for each version
        #[arg(long, conflicts_with = "team")]
        csv: bool,
    },
    /// Find players that look like copies of each other, by file, code and text, for people to judge
    Copies {
        /// The folder of the course
        dir: PathBuf,
        /// A folder of an earlier year: each folder, archive or library in it is one player; may be repeated
        #[arg(long, value_name = "FOLDER")]
        earlier: Vec<PathBuf>,
        /// A folder, archive or library that everyone was given; may be repeated
        #[arg(long, value_name = "PATH")]
        given: Vec<PathBuf>,
        /// Write CSV: a line for each two
        #[arg(long)]
        csv: bool,
    },
    /// Make the folder of an event, such as a final: a plan and copies of the players, for 'server tournament'
    Event {
        /// The folder of the course
        dir: PathBuf,
        /// The folder to make
        to: PathBuf,
        /// Take versions that were handed in for this stage or before [default: those that play now]
        #[arg(long, value_name = "NAME")]
        stage: Option<String>,
        /// Seed of openings and of the players' random choices [default: drawn]
        #[arg(long, value_name = "N", value_parser = values::seed, allow_negative_numbers = true)]
        seed: Option<u64>,
        /// Go on without versions that are not yet built and checked
        #[arg(long)]
        anyway: bool,
    },
    /// Print grades against the baselines as CSV: a line for each team, with its rating, points and faults by kind
    Grades {
        /// The folder of the course
        dir: PathBuf,
        /// The folder of an event that was made of the course: grades by its games
        #[arg(long, value_name = "FOLDER")]
        event: Option<PathBuf>,
        /// Go on without versions that are not yet built and checked
        #[arg(long)]
        anyway: bool,
    },
    /// Let an earlier version of a team play again, or a team that was withdrawn
    Rollback {
        /// The folder of the course
        dir: PathBuf,
        /// The team
        team: String,
        /// The number of the version [without it: a team that was withdrawn is back as it was]
        version: Option<u32>,
    },
    /// Take a team out: it plays no more and hands in nothing
    Withdraw {
        /// The folder of the course
        dir: PathBuf,
        /// The team
        team: String,
    },
    /// Remove all that is known of a team, and what it handed in; its games stay, under another name. No server may run
    Forget {
        /// The folder of the course
        dir: PathBuf,
        /// The team
        team: String,
    },
    /// Give a team more time for a stage
    Extend {
        /// The folder of the course
        dir: PathBuf,
        /// The team
        team: String,
        /// The name of the stage
        stage: String,
        /// Its deadline for this team, such as 2027-02-03T23:59:00+01:00
        #[arg(value_name = "TIME")]
        until: String,
    },
    /// Add teams, and print their tokens
    Add {
        /// The folder of the course
        dir: PathBuf,
        /// The teams, as for 'new'
        #[arg(long, value_name = "FILE.csv")]
        teams: PathBuf,
    },
    /// Give a team, or the teacher, a new token, and print it; the old one counts no more
    Token {
        /// The folder of the course
        dir: PathBuf,
        /// The team [without it: the teacher, for the page /teacher]
        team: Option<String>,
    },
    /// Copy a course to a new folder while it runs; to restore it, run the copy
    Backup {
        /// The folder of the course
        dir: PathBuf,
        /// The folder to make
        to: PathBuf,
    },
    /// See whether a course is whole and can be run here
    Doctor {
        /// The folder of the course
        dir: PathBuf,
    },
    /// Let the server of a course finish its running games and stop
    Stop(StopArgs),
}

/// A course and how it runs.
#[derive(Clone, Debug, Args)]
pub struct CourseRunArgs {
    /// The folder of the course
    pub dir: PathBuf,
    /// The address and port of its pages; 0.0.0.0 for all addresses of this machine
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8080")]
    pub listen: std::net::SocketAddr,
    /// Let baselines play whose files have changed since the course began, in place of the old ones: all grades move
    #[arg(long)]
    pub new_baselines: bool,
    /// How it runs.
    #[command(flatten)]
    pub run: RunArgs,
    /// End after so long (8h, 90m, 30s), when the games that are running then are finished [default: never]
    #[arg(long = "for", value_name = "TIME", value_parser = values::span)]
    pub time: Option<Duration>,
}
