//! Bot 4 over thousands of games.

use cluedo::bots::Kind;

use super::measured::share;

#[test]
fn bot4_wins_most_games_of_four() {
    let against = |others: Kind, games: u64| share(&[Kind::Bot4, others, others, others], games, 21);
    let (wins, wrong) = against(Kind::Bot2Extended, 4_000);
    println!("bot4 against three extended bot2: {wins}, wrong accusations {wrong}");
    assert!(wins >= 0.75 && wrong <= 0.055, "{wins}, wrong {wrong}");
    let (wins, wrong) = against(Kind::Bot3, 4_000);
    println!("bot4 against three bot3: {wins}, wrong accusations {wrong}");
    assert!(wins >= 0.58 && wrong <= 0.06, "{wins}, wrong {wrong}");
    let (wins, wrong) = against(Kind::Bot1, 4_000);
    println!("bot4 against three bot1: {wins}, wrong accusations {wrong}");
    assert!(wins >= 0.92 && wrong <= 0.08, "{wins}, wrong {wrong}");
}
