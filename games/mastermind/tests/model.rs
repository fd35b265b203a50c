//! The cost models against the figures that an independent program computed.

use std::sync::{Arc, LazyLock};
use std::thread;

use mastermind::model::{Cost, SharedLoad, first_come, seed, shared};
use mastermind::protocol::{Order, Parts, code_at};
use mastermind::{Code, Game};

fn bulls() -> Game {
    "4x10n".parse().expect("a game")
}

static ORDER: LazyLock<Arc<Order>> = LazyLock::new(|| Arc::new(Order::new(bulls())));

/// What each secret costs one player of `seed`.
static ALONE: LazyLock<Vec<u64>> = LazyLock::new(|| {
    let codes = bulls().all_codes();
    codes.map(|(_, secret)| seed(&ORDER, secret, 1).slowest).collect()
});

/// The sums over all secrets of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Sums {
    guesses: u64,
    slowest: u64,
    tests: u64,
    fakes: u64,
    /// Games that take longer than one player of `seed` does.
    slower: u64,
}

/// Plays all secrets on two threads.
fn sums(play: impl Fn(Code) -> Cost + Sync) -> Sums {
    let (game, play) = (bulls(), &play);
    let part = |first: u32| {
        let mut sums = Sums::default();
        for place in (first..game.codes()).step_by(2) {
            let secret = game.code(place);
            let cost = play(secret);
            assert_eq!(cost.guesses.last(), Some(&secret));
            sums.guesses += cost.guesses.len() as u64;
            sums.slowest += cost.slowest;
            sums.tests += cost.tests;
            sums.fakes += cost.fakes;
            sums.slower += u64::from(cost.slowest > ALONE[place as usize]);
        }
        sums
    };
    thread::scope(|scope| {
        let halves = [0, 1].map(|first| scope.spawn(move || part(first)));
        let [one, two] = halves.map(|half| half.join().expect("sums"));
        Sums {
            guesses: one.guesses + two.guesses,
            slowest: one.slowest + two.slowest,
            tests: one.tests + two.tests,
            fakes: one.fakes + two.fakes,
            slower: one.slower + two.slower,
        }
    })
}

fn seed_sums(players: u32) -> Sums {
    sums(|secret| seed(&ORDER, secret, players))
}

/// How much faster something is than one player of `seed`.
fn speed_up(slowest: u64) -> String {
    format!("{:.3}", 15_580_929.0 / slowest as f64)
}

#[test]
fn the_order_of_the_report() {
    let game = bulls();
    let texts: Vec<_> = (0..8).map(|place| game.text(code_at(game, place))).collect();
    assert_eq!(texts, ["0123", "0132", "0213", "0231", "0312", "0321", "0124", "0142"]);
    for name in ["4x10n", "3x5n", "5x6n", "1x4n", "4x4n", "3x4r"] {
        let game: Game = name.parse().expect("a game");
        let mut all: Vec<_> = (0..game.codes()).map(|place| code_at(game, place)).collect();
        assert!(all.is_sorted_by_key(|code| code.pegs()[0]), "{name}");
        all.sort();
        assert!(all.iter().copied().eq(game.all_codes().map(|(_, code)| code)), "{name}");
    }
}

#[test]
fn parts_cover_the_codes_once() {
    for (parts, players) in [1, 2, 3, 4, 7, 10, 12]
        .into_iter()
        .flat_map(|p| [Parts::FirstColour, Parts::Interleaved].map(|parts| (parts, p)))
    {
        let mut seen = vec![0; 5040];
        for player in 0..players {
            for span in parts.part(bulls(), player, players) {
                (span.from..span.to).step_by(span.step as usize).for_each(|place| seen[place as usize] += 1);
            }
        }
        assert!(seen.iter().all(|count| *count == 1), "{parts:?} {players}");
    }
    let owned = |player| Parts::FirstColour.part(bulls(), player, 4).iter().map(|span| span.len()).sum::<u32>();
    assert_eq!([0, 1, 2, 3].map(owned), [1512, 1512, 1008, 1008]);
}

#[test]
fn one_player() {
    let alone = seed_sums(1);
    assert_eq!(alone, Sums { guesses: 27_739, slowest: 15_580_929, tests: 15_580_929, fakes: 0, slower: 0 });
}

#[test]
fn two_players_of_the_report_are_slower_than_one() {
    let two = seed_sums(2);
    let expected = Sums { guesses: 27_639, slowest: 18_020_663, tests: 21_530_312, fakes: 6_026, slower: 2_990 };
    assert_eq!(two, expected);
    assert_eq!(speed_up(two.slowest), "0.865");
}

#[test]
fn first_come_is_never_slower() {
    let two = sums(|secret| first_come(&ORDER, secret, Parts::Interleaved, 2));
    assert_eq!((two.guesses, two.slowest, two.slower), (27_769, 7_782_276, 0));
    assert_eq!(speed_up(two.slowest), "2.002");
}

#[test]
fn shares_of_guesses() {
    let loads = [2, 4, 8].map(|ranks| shared(5040, ranks, 64));
    assert_eq!(loads.map(|load| load.busiest), [2_544, 1_280, 640]);
    assert_eq!(loads.map(|load| format!("{:.3}", load.speed_up())), ["1.981", "3.938", "7.875"]);
    assert_eq!(shared(64, 8, 64), SharedLoad { busiest: 64, guesses: 64 });
    // The aim for 64 ranks is an efficiency of 0.9.
    assert!(shared(531_441, 64, 64).speed_up() > 0.9 * 64.0);
}

/// The rest of the table; a few hundred million tests.
mod long {
    use super::*;

    #[test]
    fn more_players_of_the_report() {
        let expected = [
            (
                4,
                Sums { guesses: 27_870, slowest: 14_208_758, tests: 25_555_960, fakes: 23_274, slower: 2_160 },
                "1.097",
            ),
            (
                5,
                Sums { guesses: 27_694, slowest: 12_672_083, tests: 26_343_126, fakes: 35_613, slower: 2_230 },
                "1.230",
            ),
            (
                10,
                Sums { guesses: 27_739, slowest: 8_763_490, tests: 28_366_457, fakes: 106_712, slower: 1_452 },
                "1.778",
            ),
            (
                12,
                Sums { guesses: 27_739, slowest: 8_763_490, tests: 28_366_457, fakes: 162_190, slower: 1_452 },
                "1.778",
            ),
        ];
        for (players, sums, faster) in expected {
            assert_eq!(seed_sums(players), sums, "{players} players");
            assert_eq!(speed_up(sums.slowest), faster);
        }
    }

    #[test]
    fn first_come_with_more_players() {
        let expected =
            [(4, 27_683, 3_899_965, "3.995"), (5, 27_745, 3_119_622, "4.994"), (10, 27_723, 1_568_156, "9.936")];
        for (players, guesses, time, faster) in expected {
            let sums = sums(|secret| first_come(&ORDER, secret, Parts::Interleaved, players));
            assert_eq!((sums.guesses, sums.slowest, sums.slower), (guesses, time, 0), "{players} players");
            assert_eq!(speed_up(sums.slowest), faster);
        }
        for (players, faster) in [(2, "1.994"), (4, "3.805"), (5, "4.882"), (10, "9.357")] {
            let sums = sums(|secret| first_come(&ORDER, secret, Parts::FirstColour, players));
            assert_eq!(speed_up(sums.slowest), faster, "{players} players, parts by first colour");
        }
    }
}
