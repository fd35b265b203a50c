//! Plans, and what follows from them without a game.

use std::collections::BTreeMap;

use cluedo::tournament::{BlockResult, GameResult, Plan, next_matchup, standing};

use super::plan;

const BOTS: [(&str, &str); 7] = [
    ("a", "builtin:bot1"),
    ("b", "builtin:bot2"),
    ("c", "builtin:bot3"),
    ("d", "builtin:bot4"),
    ("e", "stdio:teams/e/bot --fast"),
    ("f", "tcp:teams/f/bot {port}"),
    ("g", "builtin:bot2-extended"),
];

fn parsed(n: usize, format: &str, blocks: usize, bots: &[(&str, &str)]) -> Plan {
    Plan::parse(&plan(n, format, blocks, "", bots)).expect("a plan")
}

#[test]
fn what_is_wrong_with_a_plan_has_a_line() {
    let two = &BOTS[..2];
    let cases = [
        (plan(1, "versus", 1, "", two), "line 1: n = 1: 2 to 10"),
        (plan(3, "versus", 1, "", two), "line 1: n = 3: two programs need as many seats"),
        (
            plan(2, "league", 1, "", two),
            "line 2: unknown variant `league`, expected one of `versus`, `field`, `ladder`",
        ),
        (plan(2, "versus", 0, "", two), "line 3: blocks = 0"),
        (plan(2, "versus", 1, "timeout = \"9ms\"", two), "line 4: timeout = \"9ms\": write at least 300ms"),
        (plan(2, "versus", 1, "tiemout = \"1s\"", two), "line 4: unknown field `tiemout`"),
        (plan(2, "versus", 1, "sandbox = \"no\"", two), "line 4: sandbox = \"no\": write auto, strict or off"),
        (plan(2, "field", 1, "sprt = { elo0 = 0, elo1 = 5 }", two), "line 4: sprt: only a match of two"),
        (plan(2, "versus", 1, "sprt = { elo0 = 5, elo1 = 5 }", two), "line 4: sprt: elo0 must be less than elo1"),
        (plan(2, "versus", 1, "", &BOTS[..3]), "3 programs: a match of two needs two [[bots]]"),
        (plan(2, "field", 1, "", &BOTS[..1]), "1 programs: write 2 to 1000 [[bots]]"),
        (plan(2, "versus", 1, "", &[BOTS[0], ("a", "builtin:bot1")]), "line 9: name = \"a\": another program"),
        (plan(2, "versus", 1, "", &[("a b", "builtin:bot1"), BOTS[1]]), "line 6: name = \"a b\": write 1 to 32"),
        (plan(2, "versus", 1, "", &[("a", "builtin:bot9"), BOTS[1]]), "line 7: run = builtin:bot9: the bots are bot0"),
        (plan(2, "versus", 1, "", &[("a", "bot9"), BOTS[1]]), "line 7: run = \"bot9\": write stdio:COMMAND"),
        (plan(2, "versus", 1, "", &[("a", "tcp:bot"), BOTS[1]]), "line 7: run = \"tcp:bot\": write {port} where"),
        (plan(2, "versus", 1, "", &[("a", "stdio:"), BOTS[1]]), "line 7: run = \"stdio:\": the command is missing"),
    ];
    for (text, expected) in cases {
        let error = Plan::parse(&text).expect_err(expected).to_string();
        assert!(error.contains(expected), "{error}\n{expected}");
    }
}

#[test]
fn a_match_swaps_seats_with_the_same_deal() {
    let plan = parsed(4, "versus", 3, &BOTS[..2]);
    let blocks = next_matchup(&plan, &[]).expect("a match").blocks(&plan);
    assert_eq!(blocks.len(), 3);
    for block in &blocks {
        assert_eq!(block.games, 2);
        assert_eq!((block.seating(0), block.seating(1)), (vec![0, 1, 0, 1], vec![1, 0, 1, 0]));
    }
    assert_eq!(next_matchup(&plan, &[Vec::new()]), None);
}

#[test]
fn a_field_seats_everybody_equally_often() {
    let tables = |bots: &[(&str, &str)], n, blocks| {
        let plan = parsed(n, "field", blocks, bots);
        next_matchup(&plan, &[]).expect("a field").blocks(&plan)
    };
    let blocks = tables(&BOTS, 3, 70);
    let mut seats = BTreeMap::new();
    for block in &blocks {
        let mut sorted = block.seats.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!((sorted.len(), block.games), (3, 3), "nobody sits at a table twice");
        for game in 0..3 {
            for (seat, program) in block.seating(game).into_iter().enumerate() {
                *seats.entry((program, seat)).or_insert(0) += 1;
            }
        }
    }
    assert_eq!(seats.values().copied().collect::<Vec<_>>(), vec![30; 21], "each program as often at each seat");
    assert_eq!(tables(&BOTS, 3, 20)[..], blocks[..20], "more blocks change nothing of the first ones");
    // Fewer programs than seats: every kind of table.
    let mut kinds = BTreeMap::new();
    for block in tables(&BOTS[..2], 4, 30) {
        *kinds.entry(block.seats.iter().filter(|&&program| program == 0).count()).or_insert(0) += 1;
    }
    assert_eq!(kinds.into_iter().collect::<Vec<_>>(), [(1, 10), (2, 10), (3, 10)]);
}

/// A match that the first or the second of two programs wins.
fn won(pair: [usize; 2], wins: bool) -> Vec<BlockResult> {
    let winner = Some(usize::from(!wins));
    let game = GameResult { seats: pair.to_vec(), winner, ..GameResult::default() };
    vec![BlockResult { matchup: 0, block: 0, games: vec![game] }]
}

#[test]
fn a_ladder_sorts_programs() {
    let plan = parsed(2, "ladder", 1, &BOTS);
    // How strong each is; a stronger one always wins.
    let strength = [3, 1, 4, 0, 6, 2, 5];
    let mut finished = Vec::new();
    while let Some(matchup) = next_matchup(&plan, &finished) {
        let pair = matchup.pair.expect("two");
        finished.push(won(pair, strength[pair[0]] > strength[pair[1]]));
    }
    assert_eq!(standing(&plan, &finished), [4, 6, 2, 0, 5, 1, 3]);
    assert!(finished.len() <= 21);
}
