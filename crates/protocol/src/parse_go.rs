use std::iter::Peekable;
use std::time::Duration;

use crate::error::unexpected;
use crate::{CommandError, Go};

/// Maximum time: a week, as on the command line.
const TIME_MAX: Duration = Duration::from_secs(7 * 24 * 3600);

impl Go {
    /// Reads the words; one that cannot be read is left out, and the first of these is named.
    pub(crate) fn parse(rest: &[&str]) -> Result<Self, CommandError> {
        let mut go = Self::default();
        let mut words = rest.iter().copied().peekable();
        let mut trouble = None;
        while let Some(word) = words.next() {
            if let Err(error) = go.take(word, &mut words) {
                trouble.get_or_insert(error);
            }
        }
        match trouble {
            None => Ok(go),
            Some(reason) => Err(CommandError::Go { rest: Box::new(go), reason: Box::new(reason) }),
        }
    }

    fn take<'a>(
        &mut self,
        word: &str,
        words: &mut Peekable<impl Iterator<Item = &'a str>>,
    ) -> Result<(), CommandError> {
        let mut value = |expected| words.next().ok_or(CommandError::Missing { command: "go", expected });
        match word {
            "movetime" => self.movetime = Some(millis(value(MILLIS)?)?),
            "wtime" => self.left[0] = Some(millis(value(MILLIS)?)?),
            "btime" => self.left[1] = Some(millis(value(MILLIS)?)?),
            "winc" => self.increment[0] = Some(millis(value(MILLIS)?)?),
            "binc" => self.increment[1] = Some(millis(value(MILLIS)?)?),
            "movestogo" => self.movestogo = Some(number(value(NUMBER)?)?).filter(|&moves| moves > 0),
            // 0 is no limit.
            "depth" => self.depth = Some(number(value(NUMBER)?)?).filter(|&depth| depth > 0),
            "nodes" => self.nodes = Some(number(value(NUMBER)?)?).filter(|&nodes| nodes > 0),
            // A shortest win is not looked for.
            "mate" => drop(number::<u32>(value(NUMBER)?)?),
            "infinite" => self.infinite = true,
            "ponder" => self.ponder = true,
            "searchmoves" => {
                while let Some(mv) = words.next_if(|word| !WORDS.contains(word)) {
                    self.searchmoves.push(mv.to_owned());
                }
            }
            other => return Err(unexpected("go", EXPECTED, other)),
        }
        Ok(())
    }
}

const MILLIS: &str = "milliseconds";
const NUMBER: &str = "a whole number";
const EXPECTED: &str = "movetime, wtime, btime, winc, binc, movestogo, depth, nodes, infinite, ponder or searchmoves";

/// The words that end a list of moves.
const WORDS: [&str; 11] =
    ["movetime", "wtime", "btime", "winc", "binc", "movestogo", "depth", "nodes", "mate", "infinite", "ponder"];

/// Reads milliseconds, a part of one left out, which scripts send; GUIs send negative numbers for a clock that has run
/// out.
fn millis(text: &str) -> Result<Duration, CommandError> {
    let wrong = |_| unexpected("go", MILLIS, text);
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |digits| (0, digits));
    let (whole, part) = digits.split_once('.').unwrap_or((digits, "0"));
    number::<u64>(part).map_err(wrong)?;
    number(whole).map(|number: u64| Duration::from_millis(sign * number).min(TIME_MAX)).map_err(wrong)
}

/// Reads a number; one that is too large is the largest.
fn number<N: TryFrom<u64> + From<u32>>(text: &str) -> Result<N, CommandError> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(unexpected("go", NUMBER, text));
    }
    let number = text.parse().unwrap_or(u64::MAX);
    Ok(N::try_from(number).unwrap_or(N::from(u32::MAX)))
}
