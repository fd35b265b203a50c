//! Records of games, those of the classic table and those of the server of lines: check them, and look into them.
//!
//! | | |
//! |---|---|
//! | [`check_course`], [`Totals`] | whether a record of the server keeps all rules |
//! | [`SeatLog`] | the games of a match as one seat hears them |
//! | [`Story`], [`Turn`], [`Stories`] | what happened, for whoever looks on |
//! | [`Viewer`] | whose knowledge is shown: a seat's, or a spectator's |

mod course;
mod read;
mod seat_log;
mod story;

pub use course::{Totals, check_course};
pub use read::{MAX_LINE_LEN, ReadError, Stories, rules_of};
pub use seat_log::SeatLog;
pub use story::{Act, Answered, Ending, Rules, Story, StoryError, Turn, Viewer};
