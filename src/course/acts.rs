//! The acts of whoever runs a course for its teams, from the command line and from a page alike.

use amazons_program::csv_field;
use serde::Deserialize;

use super::settings::moment;
use super::{CourseError, Rule, Store};
use crate::tournament::PlanError;
use crate::tournament::ladder::valid_name;

/// The folder of the events that are made on the teacher's page.
pub(super) const EVENTS: &str = "events";

/// A change that whoever runs the course makes.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "act", rename_all = "snake_case", deny_unknown_fields)]
pub enum Act {
    /// An earlier version plays again, or without one a team that was withdrawn.
    Rollback { team: String, version: Option<u32> },
    /// The team plays no more, and hands in nothing.
    Withdraw { team: String },
    /// The team has until then for a stage: a time with date and offset.
    Extend { team: String, stage: String, until: String },
    /// Another token of the team takes the place of the old one.
    Token { team: String },
    /// The folder of an event is made, in the course's own.
    Event { name: String, stage: Option<String>, anyway: bool },
}

impl Store {
    /// Does it, and returns what to tell. Fails when a rule of the course stands against it, or the disk fails.
    pub fn act(&mut self, act: Act) -> Result<String, CourseError> {
        Ok(match act {
            Act::Rollback { team, version: None } => {
                self.bring_back(&team)?;
                format!("{team} is back\n")
            }
            Act::Rollback { team, version: Some(version) } => {
                self.roll_back(&team, version)?;
                format!("{team} plays with version {version} again\n")
            }
            Act::Withdraw { team } => {
                self.withdraw(&team)?;
                format!("{team} is withdrawn; 'server course rollback' brings it back\n")
            }
            Act::Extend { team, stage, until } => {
                let end = moment(&until).map_err(Rule::Settings)?;
                if self.extend(&team, &stage, end)? {
                    format!("{team} has until {until} for {stage}\n")
                } else {
                    format!("{team} has as long as all others for {stage}\n")
                }
            }
            Act::Token { team } => {
                let token = self.renew_token(&team)?;
                tokens_csv(&[[team, token]])
            }
            Act::Event { name, stage, anyway } => {
                if !valid_name(&name) {
                    return Err(Rule::Settings(PlanError::new("an event needs a name of letters and digits")).into());
                }
                let to = self.folder().join(EVENTS).join(name);
                self.plan_event(&to, stage.as_deref(), None, anyway)?
            }
        })
    }
}

/// Returns tokens as a table: the name of a team, and its token.
pub fn tokens_csv(tokens: &[[String; 2]]) -> String {
    let rows = tokens.iter().map(|[team, token]| format!("{},{token}\n", csv_field(team)));
    std::iter::once("team,token\n".to_owned()).chain(rows).collect()
}
