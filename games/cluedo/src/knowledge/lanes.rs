//! Which types have their secret card, in a state.
//!
//! How many types have none yet follows from the places that are free, and is in the state's bits. Which ones they are is
//! not: a state has a weight for each case, its lanes. While one type has its card, the lanes are for these types; while
//! two have, for the third one. With none or all, only the first lane counts. The last lane is always zero: where ways
//! lead that are none.

/// A weight for each case.
pub(crate) type Lanes = [f64; 4];

pub(crate) const EMPTY: Lanes = [0.0; 4];

/// The lane without any weight.
const NONE: usize = 3;

/// For how many types are left, and the type whose card is now chosen: for each lane before it the one after it.
const AFTER: [[[usize; 4]; 3]; 4] = moves(false);

/// The same, and for each lane after it the one before it.
const BEFORE: [[[usize; 4]; 3]; 4] = moves(true);

const fn moves(is_back: bool) -> [[[usize; 4]; 3]; 4] {
    let mut moves = [[[NONE; 4]; 3]; 4];
    let mut kind = 0;
    while kind < 3 {
        // One of the other two has its card: then the third type's lane says which ones have.
        let (one, other) = ((kind + 1) % 3, (kind + 2) % 3);
        moves[2][kind][one] = other;
        moves[2][kind][other] = one;
        moves[3][kind][if is_back { kind } else { 0 }] = if is_back { 0 } else { kind };
        moves[1][kind][if is_back { 0 } else { kind }] = if is_back { kind } else { 0 };
        kind += 1;
    }
    moves
}

/// Returns the lane of these types, and how many are left.
pub(crate) fn start(chosen: [bool; 3]) -> (usize, u64) {
    let types = |is: bool| (0..3).filter(move |&kind| chosen[kind] == is);
    match types(true).count() {
        0 => (0, 3),
        1 => (types(true).next().unwrap_or(0), 2),
        2 => (types(false).next().unwrap_or(0), 1),
        _ => (0, 0),
    }
}

/// Returns the lane after a type's card was chosen.
pub(crate) const fn after(lane: usize, kind: usize, left: usize) -> usize {
    AFTER[left & 3][kind][lane]
}

/// Returns the lanes after a type's card is chosen.
#[inline]
pub(crate) fn choose(lanes: &Lanes, kind: usize, left: usize) -> Lanes {
    BEFORE[left & 3][kind].map(|lane| lanes[lane & 3])
}

/// Returns the lanes before a type's card is chosen, of sums of ways to the end.
#[inline]
pub(crate) fn go_back(lanes: &Lanes, kind: usize, left: usize) -> Lanes {
    AFTER[left & 3][kind].map(|lane| lanes[lane & 3])
}

#[inline]
pub(crate) fn add(sums: &mut Lanes, lanes: &Lanes, weight: f64) {
    for (sum, lane) in sums.iter_mut().zip(lanes) {
        *sum += weight * lane;
    }
}

/// Multiplies what leads to a state with what leads from it to the end.
#[inline]
pub(crate) const fn product(one: &Lanes, other: &Lanes) -> f64 {
    one[0] * other[0] + (one[1] * other[1] + one[2] * other[2])
}

/// Leaves the cases in which a type has its card; `left` types have none.
pub(crate) fn close(lanes: &mut Lanes, kind: usize, left: usize) {
    for (lane, weight) in lanes.iter_mut().enumerate() {
        let is_chosen = match left {
            0 => true,
            1 => lane != kind,
            2 => lane == kind,
            _ => false,
        };
        *weight *= f64::from(u8::from(is_chosen));
    }
}
