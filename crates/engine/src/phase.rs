/// The number of steps from closed to open.
pub(crate) const PARTS: u32 = 64;

/// Returns the step for an openness, in 1/16 vertex, with a number of free vertices.
#[inline(always)]
pub(crate) fn part(openness: u32, free: u32) -> u32 {
    (openness * (PARTS / 16)).checked_div(free).unwrap_or(0)
}
