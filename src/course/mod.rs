//! Courses: teams hand in players over the network, which are built, checked and admitted to a ladder.
//!
//! A [`Course`] follows from its journal, line by line, and from nothing else; a [`Store`] is a course on its disk. A
//! pool builds and checks what was [received](Store::receive), a roster names the players of the ladder, and a
//! [`CourseSite`] shows it all to browsers. [`Running`] is all of it together.

mod acts;
mod baseline;
pub mod build;
pub mod copies;
mod error;
mod event;
mod forget;
mod job;
mod journal;
mod notify;
mod roster;
mod running;
mod settings;
mod site;
mod state;
mod store;
mod tables;
mod teams;
mod tokens;
mod upkeep;

pub use acts::{Act, tokens_csv};
pub use error::{CourseError, Rule, WrongCourseLine, WrongVersion};
pub use journal::{COURSE, CourseHeader, CourseLine, Happening};
pub use running::Running;
pub(crate) use settings::LADDER;
pub use settings::{CourseSettings, Extensions, SETTINGS, Stage};
pub use site::CourseSite;
pub(crate) use site::{TeamView, how_to_submit};
pub use state::{AdmittedPlayer, Course, Team, Version, VersionState};
pub use store::{Arrival, Arrived, PLAYER, Receipt, Store, UPLOAD, VERSIONS};
pub use tables::{compared, copies_table, grades_table, versions_table};
pub use teams::{HEADER, ListedTeam, read_teams};
