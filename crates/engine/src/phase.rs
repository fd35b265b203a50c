/// The parts into which the way from closed to open is divided.
pub(crate) const PARTS: u32 = 64;

/// Returns how many parts of the way from closed to open an openness is, in 1/16 vertex, at a number of free vertices.
#[inline(always)]
pub(crate) fn part(openness: u32, free: u32) -> u32 {
    (openness * (PARTS / 16)).checked_div(free).unwrap_or(0)
}
