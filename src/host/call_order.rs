use crate::referee::{Call, OutOfOrder};

/// A player's stage; both kinds of seat use it to keep the ABI's order of calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CallOrder {
    /// Nothing was called.
    Started,
    /// The library is open.
    Loaded,
    /// The player knows the game.
    Initialized,
    /// The player was finalized, or the host failed.
    Over,
}

impl CallOrder {
    /// Returns the stage after a call, if the call is allowed now.
    pub(super) const fn after(self, call: Call) -> Result<Self, OutOfOrder> {
        match (self, call) {
            (Self::Started, Call::Load) => Ok(Self::Loaded),
            (Self::Loaded, Call::Initialize) => Ok(Self::Initialized),
            (Self::Initialized, Call::Name | Call::Play) => Ok(Self::Initialized),
            (Self::Initialized, Call::Finalize) => Ok(Self::Over),
            _ => Err(OutOfOrder(call)),
        }
    }
}
