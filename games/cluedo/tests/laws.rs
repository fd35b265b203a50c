//! The laws of the game against simulations and published figures.

use amazons_mpi::{decode, encode};
use cluedo::classic::{Ai, AiType, Cell, Deal, ExactLaw, LineUp, Streams, Tally, play};
use cluedo::game::{Action, Asking, Event, Seats};

/// How far a mean may be from the true one, in standard errors: the seeds are fixed, so a test passes always or never.
const BAR: f64 = 4.0;
const GAMES: u64 = 100_000;

/// Rounds of AIs alone (mean, its standard error, deviation) from 400,000 games of two other programs; the first is exact.
const TRUE: [[(f64, f64, f64); 4]; 3] = [
    [(7.1852, 0.0, 2.2649), (8.738, 0.005, 2.847), (9.174, 0.005, 3.075), (9.305, 0.005, 3.223)],
    [(8.801, 0.003, 2.045), (9.493, 0.005, 2.967), (9.422, 0.005, 3.289), (9.482, 0.006, 3.502)],
    [(8.019, 0.004, 2.307), (9.956, 0.005, 2.937), (10.121, 0.005, 3.233), (10.235, 0.006, 3.496)],
];

/// Suggestions and answers a game, to four digits.
const SUGGESTIONS: [[(f64, f64); 4]; 3] = [
    [(12.75, 12.75), (24.08, 34.34), (33.86, 61.91), (43.17, 95.93)],
    [(15.74, 15.74), (26.13, 39.44), (34.60, 68.84), (43.71, 107.4)],
    [(14.59, 14.59), (27.47, 40.83), (37.73, 72.93), (47.58, 113.3)],
];

/// Wins by rank in percent.
const WINS: [[&[f64]; 4]; 3] = [
    [&[61.9, 38.1], &[41.1, 31.1, 27.8], &[36.3, 28.2, 18.3, 17.2], &[27.3, 23.1, 21.3, 14.5, 13.8]],
    [&[85.8, 14.2], &[54.4, 26.1, 19.5], &[48.5, 24.6, 14.3, 12.6], &[39.1, 22.2, 18.2, 11.0, 9.7]],
    [&[45.1, 54.9], &[46.5, 46.6, 6.9], &[29.5, 40.8, 5.0, 24.7], &[28.5, 34.1, 11.5, 20.8, 5.1]],
];

/// Wins in percent of a person who plays like a default AI; standard error 0.25.
const PERSON: [[f64; 4]; 3] = [[41.5, 36.1, 26.8, 19.9], [78.0, 63.2, 47.6, 37.2], [58.0, 59.5, 40.7, 32.2]];

const fn cell(ai_type: AiType, ais: usize) -> Cell {
    Cell::new(LineUp::uniform(ai_type, ais), Asking::Cyclic)
}

/// Checks that a mean is within so many standard errors of the true one.
fn close(what: &str, mean: f64, truth: f64, error: f64) {
    let z = (mean - truth) / error;
    assert!(z.abs() <= BAR, "{what}: {mean}, not {truth} (z = {z:.1})");
}

#[test]
fn rounds_of_ais_alone() {
    const GAMES: u64 = 50_000;
    for (ai_type, row) in AiType::ALL.into_iter().take(3).zip(0..) {
        for (ais, column) in (2..=5).zip(0..) {
            let what = format!("{} against {ais}", ai_type.name());
            let tally = cell(ai_type, ais).play(7, 0..GAMES);
            let (mean, deviation) = tally.mean_and_deviation();
            let (true_mean, true_error, true_deviation) = TRUE[row][column];
            let error = deviation / (GAMES as f64).sqrt();
            close(&what, mean, true_mean, error.hypot(true_error));
            assert!((deviation / true_deviation - 1.0).abs() < 0.02, "{what}: deviation {deviation}");
            assert_eq!(tally.wins.iter().sum::<u64>(), GAMES, "no AI accuses wrongly");
            let longest = [10, 13, 14, 15][column];
            assert!(tally.longest() <= longest, "{what}: {} rounds", tally.longest());

            let (suggestions, answers) = SUGGESTIONS[row][column];
            for (mean, truth) in [(tally.suggestions, suggestions), (tally.answers, answers)] {
                let mean = mean as f64 / GAMES as f64;
                assert!((mean / truth - 1.0).abs() < 0.01, "{what}: {mean} suggestions or answers, not {truth}");
            }
            for (&wins, &share) in tally.wins.iter().zip(WINS[row][column]) {
                let share = share / 100.0;
                // The published share has one digit, of fewer games.
                let error = (share * (1.0 - share) / GAMES as f64).sqrt() + 0.0005;
                close(&what, wins as f64 / GAMES as f64, share, error);
            }
        }
    }
}

#[test]
fn asking_from_the_lowest_rank() {
    for (ai_type, truth) in [(AiType::Listening, [8.81, 9.13, 8.93, 8.87]), (AiType::Mix, [8.03, 9.73, 9.85, 9.85])] {
        for (ais, truth) in (2..=5).zip(truth) {
            let tally = Cell { asking: Asking::Lowest, ..cell(ai_type, ais) }.play(3, 0..50_000);
            let (mean, deviation) = tally.mean_and_deviation();
            close(ai_type.name(), mean, truth, (deviation / 50_000_f64.sqrt()).hypot(0.01));
        }
    }
}

#[test]
fn two_default_ais_follow_the_exact_law() {
    let law = ExactLaw::compute();
    let (mean, deviation) = law.mean_and_deviation();
    let percent = [3.6855, 4.8410, 6.4201, 8.5134, 11.1357, 14.0699, 16.5868, 17.0991, 17.6485];
    for (round, percent) in (2..).zip(percent) {
        assert!((100.0 * law.rounds[round] - percent).abs() < 5e-5, "{:?}", law.rounds);
    }
    let figures = [(mean, 7.1852), (deviation, 2.2649), (100.0 * law.first_wins, 61.924), (law.turns, 13.7511)];
    for (figure, truth) in figures {
        assert!((figure - truth).abs() < 5e-4, "{figure}, not {truth}");
    }

    let twice = [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0];
    let expected = 2.0 / law.rounds[2] - 2.0;
    assert!((law.chi_square(&twice).0 - expected).abs() < 1e-9, "all games in one round");

    let tally = cell(AiType::Default, 2).play(2, 0..GAMES);
    let (chi_square, degrees) = law.chi_square(&tally.rounds);
    assert_eq!(degrees, 8);
    // Eight degrees of freedom: beyond 26.1 with a chance of 0.1 %.
    assert!(chi_square < 26.1, "{chi_square}");
    close("wins of the first", tally.wins[0] as f64 / GAMES as f64, law.first_wins, 0.486 / (GAMES as f64).sqrt());
    let turns = tally.suggestions as f64 / GAMES as f64 + 1.0;
    close("turns", turns, law.turns, 2.0 * deviation / (GAMES as f64).sqrt());
}

#[test]
fn a_person_who_plays_like_an_ai() {
    const GAMES: u64 = 20_000;
    for (ai_type, row) in AiType::ALL.into_iter().zip(PERSON) {
        for (ais, percent) in (2..=5).zip(row) {
            let tally = Cell { seats: Seats::with_person(ais), ..cell(ai_type, ais) }.play(5, 0..GAMES);
            let share = percent / 100.0;
            let error = (share * (1.0 - share) / GAMES as f64).sqrt().hypot(0.0025);
            close(ai_type.name(), tally.wins[0] as f64 / GAMES as f64, share, error);
        }
    }
}

/// The first suggestion of AI 1 in many games, and how often it was right.
fn first_suggestions(listens: bool, ais: usize, games: u64) -> u64 {
    let seats = Seats::ais_alone(ais);
    let is_right = |&game: &u64| {
        let streams = Streams { seed: 11, game };
        let deal = Deal::classic(seats, &mut streams.deal());
        let mut ai =
            Ai::new(if listens { AiType::Listening } else { AiType::Default }, 1, deal.hand(1), streams.player(1));
        cluedo::game::Player::turn(&mut ai) == Action::Suggest(deal.solution)
    };
    (0..games).filter(is_right).count() as u64
}

#[test]
fn the_first_suggestion_is_right_by_chance_only() {
    let exact = [(97_673, 5_250_960), (2_087, 231_336), (19, 2_592), (133, 22_032)];
    for (ais, (right, all)) in (2..=5).zip(exact) {
        let share = f64::from(right) / f64::from(all);
        for listens in [false, true] {
            let found = first_suggestions(listens, ais, GAMES) as f64 / GAMES as f64;
            close("first suggestions", found, share, (share * (1.0 - share) / GAMES as f64).sqrt());
        }
    }
}

#[test]
fn a_listener_with_the_dealers_numbers_knows_the_solution() {
    for ais in 2..=5 {
        let seats = Seats::ais_alone(ais);
        for game in 0..10_000 {
            let streams = Streams { seed: 1, game };
            let deal = Deal::classic(seats, &mut streams.deal());
            let ai = |rank| Ai::new(AiType::Listening, rank, deal.hand(rank), streams.deal());
            let mut players: Vec<Ai> = seats.ranks().map(ai).collect();
            let outcome = play(&deal, Asking::Cyclic, &mut players, |_| {});
            assert_eq!((outcome.winner, outcome.rounds), (Some(1), 2), "game {game}");
        }
    }
}

#[test]
fn hands_and_solutions() {
    let sizes: [&[usize]; 4] = [&[6, 6, 6], &[5, 5, 4, 4], &[4, 4, 4, 3, 3], &[3; 6]];
    for (players, sizes) in (3..=6).zip(sizes) {
        let seats = Seats { first: 0, count: players };
        let mut counts = vec![0_u32; 324];
        for game in 0..GAMES {
            let deal = Deal::classic(seats, &mut Streams { seed: 4, game }.deal());
            assert!(deal.hands().iter().map(|hand| hand.len()).eq(sizes.iter().copied()));
            // It must have every card once.
            assert_eq!(
                Deal::new(deal.deck, seats, deal.solution, deal.hands().iter().map(|hand| hand.iter())),
                Ok(deal)
            );
            let [suspect, weapon, room] = deal.solution;
            counts[(suspect * 6 + weapon - 6) * 9 + room - 12] += 1;
        }
        let expected = GAMES as f64 / 324.0;
        let chi_square: f64 = counts.iter().map(|&count| (f64::from(count) - expected).powi(2) / expected).sum();
        // 323 degrees of freedom, four deviations of 25.4.
        assert!((chi_square - 323.0).abs() < 102.0, "{players} players: {chi_square}");
    }
}

#[test]
fn tallies_add_up_in_any_order() {
    let cell = cell(AiType::Mix, 3);
    let mut parts = Tally::default();
    for games in [700..1000, 0..1, 1..700] {
        parts += &cell.play(9, games);
    }
    assert_eq!(parts, cell.play(9, 0..1000));
    let cell_bytes = encode(&cell).expect("bytes");
    assert_eq!(decode::<Cell>(&cell_bytes).expect("a cell").ais.types(), cell.ais.types());
    assert!(decode::<LineUp>(&encode(&[AiType::Mix]).expect("bytes")).is_err(), "one AI is no game");
    let mut few = Tally { games: 4, ..Tally::default() };
    for round in [3, 4, 7, 7] {
        few.rounds[round] += 1;
    }
    let (mean, deviation) = few.mean_and_deviation();
    assert_eq!((mean, few.median(), few.longest()), (5.25, 5.5, 7));
    assert!((deviation - 2.061_552_812_808_83).abs() < 1e-12);
}

#[test]
fn what_an_ai_may_do() {
    for (game, listens) in (0..500).zip([false, true].into_iter().cycle()) {
        let (seats, streams) = (Seats::ais_alone(4), Streams { seed: 8, game });
        let deal = Deal::classic(seats, &mut streams.deal());
        let ai = |rank| {
            Ai::new(
                if listens { AiType::Listening } else { AiType::Default },
                rank,
                deal.hand(rank),
                streams.player(rank),
            )
        };
        let mut players: Vec<Ai> = seats.ranks().map(ai).collect();
        let mut seen: Vec<_> = deal.hands().to_vec();
        let (mut active, mut passes, mut unrefuted) = (0, 0, [false; 4]);
        play(&deal, Asking::Cyclic, &mut players, |event| match event {
            Event::Suggest { seat: rank, cards } => {
                (active, passes) = (rank - 1, 0);
                assert!(!unrefuted[active], "it accuses after nobody refuted it");
                assert!(cards.iter().all(|&card| !seen[active].contains(card)), "it suggests unknown cards only");
            }
            Event::Pass { .. } => {
                passes += 1;
                unrefuted[active] = passes == 3;
            }
            Event::Show { card, .. } => seen[active].insert(card.expect("a card")),
            Event::Accuse { is_right, .. } => assert!(is_right, "an AI never accuses wrongly"),
            Event::Unanswered { seat, .. } => assert!(unrefuted[seat - 1], "only after three passes"),
            Event::Leave { .. } | Event::Fault { .. } => panic!("no AI leaves or errs"),
        });
    }
}
