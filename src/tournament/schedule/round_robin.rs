use super::{Meeting, PlayerId};

/// Everybody meets everybody so many times.
///
/// Each cycle is a round robin by the circle method: the first player stays, the others move on by one seat each round.
/// The order in a pair alternates, so that interim standings are fair too.
pub(super) fn all(players: usize, pairs: u32) -> Vec<Meeting> {
    let rounds = circle(players);
    let turned = |cycle: u32, [one, two]: [PlayerId; 2]| if cycle.is_multiple_of(2) { [one, two] } else { [two, one] };
    (0..pairs).flat_map(|cycle| rounds.iter().map(move |&two| Meeting::Pair(turned(cycle, two)))).collect()
}

/// The first so many players meet all others, not each other.
pub(super) fn gauntlet(players: usize, seeds: usize, pairs: u32) -> Vec<Meeting> {
    let meeting = |seed| move |other| Meeting::Pair([seed, other]);
    let cycle: Vec<Meeting> = (0..seeds).flat_map(|seed| (seeds..players).map(meeting(seed))).collect();
    (0..pairs).flat_map(|_| cycle.iter().copied()).collect()
}

/// Puts the first one first of two that are an odd number apart, else the second: then each player is named first in
/// half of its meetings, give or take one where the number of opponents is odd.
const fn in_order([one, two]: [PlayerId; 2]) -> [PlayerId; 2] {
    let (low, high) = if one < two { (one, two) } else { (two, one) };
    if (high - low).is_multiple_of(2) { [high, low] } else { [low, high] }
}

/// Returns one round robin, round after round.
fn circle(players: usize) -> Vec<[PlayerId; 2]> {
    // With an odd number an empty chair makes it even.
    let seats = players + players % 2;
    let mut order: Vec<PlayerId> = (0..seats).collect();
    let mut meetings = Vec::new();
    for _ in 1..seats {
        for seat in 0..seats / 2 {
            let two = [order[seat], order[seats - 1 - seat]];
            if two.into_iter().all(|player| player < players) {
                meetings.push(in_order(two));
            }
        }
        order[1..].rotate_right(1);
    }
    meetings
}
