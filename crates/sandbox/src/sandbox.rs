use std::fmt;

use serde::{Deserialize, Serialize};

/// The sandbox between the players and the machine, as recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sandbox {
    /// The overall level.
    pub level: SandboxLevel,
    /// The enforced version of Landlock's rules; null if none.
    pub landlock: Option<u32>,
    /// Whether system calls were filtered.
    pub seccomp: bool,
    /// The user whose rights the players had.
    pub user: SandboxUser,
    /// The step at which the kernel refused Landlock although it supports it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<RefusedStep>,
}

/// A step towards Landlock's rules that the kernel refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RefusedStep {
    /// Making the rules.
    #[error("landlock_create_ruleset is refused")]
    CreateRuleset,
    /// Adding a rule.
    #[error("landlock_add_rule is refused")]
    AddRule,
    /// Putting the rules in force.
    #[error("landlock_restrict_self is refused")]
    RestrictSelf,
    /// Putting them in force, because their number is limited.
    #[error("the server's parents use all 16 layers of its rules")]
    TooManyLayers,
    /// Giving up privileges before that.
    #[error("prctl(PR_SET_NO_NEW_PRIVS) is refused")]
    NoNewPrivs,
}

/// The strength of the sandbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SandboxLevel {
    /// No sandbox was requested.
    Off,
    /// The kernel lacks Landlock or the filter of system calls.
    Reduced,
    /// Both were active.
    Full,
}

/// The user whose rights the players had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SandboxUser {
    /// The user who ran the server.
    Ordinary,
    /// An unused user number, different for each player: the server ran as root.
    Stranger,
    /// The user `nobody`: the server ran as root in a container with few users.
    Nobody,
    /// Root: it could not be changed, or the server could not have ended another user's process.
    Root,
}

impl SandboxUser {
    /// Returns whether the players' rights differed from the server's.
    #[must_use]
    pub const fn is_changed(self) -> bool {
        matches!(self, Self::Stranger | Self::Nobody)
    }
}

impl Sandbox {
    /// Computes the level from what is active.
    #[must_use]
    pub const fn reached(landlock: Option<u32>, seccomp: bool, user: SandboxUser) -> Self {
        let level = if landlock.is_some() && seccomp { SandboxLevel::Full } else { SandboxLevel::Reduced };
        Self { level, landlock, seccomp, user, refused: None }
    }

    /// No sandbox, as requested.
    #[must_use]
    pub const fn off(user: SandboxUser) -> Self {
        Self { level: SandboxLevel::Off, landlock: None, seccomp: false, user, refused: None }
    }
}

impl fmt::Display for SandboxLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Off => "off",
            Self::Reduced => "reduced",
            Self::Full => "full",
        })
    }
}

impl fmt::Display for Sandbox {
    /// Writes the level, what is missing, and whether players are root.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.level, self.landlock, self.seccomp, self.refused) {
            (SandboxLevel::Reduced, None, true, Some(refused)) => write!(f, "reduced (no Landlock: {refused})"),
            (SandboxLevel::Reduced, None, true, None) => f.write_str("reduced (no Landlock)"),
            (SandboxLevel::Reduced, Some(_), false, _) => f.write_str("reduced (no seccomp)"),
            (level, ..) => level.fmt(f),
        }?;
        if self.user == SandboxUser::Root { f.write_str(", players run as root") } else { Ok(()) }
    }
}
