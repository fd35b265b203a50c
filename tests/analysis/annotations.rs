use std::convert::Infallible;

use amazons::analysis::{Annotation, Mark, Review, annotate};
use amazons_rules::{Move, MoveList, Position, Shape};
use amazons_solve::{SolveLimits, solve};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{analyst, any_position};

fn annotated(start: &Position, moves: &[Move], nodes: u64) -> (Vec<Annotation>, Review) {
    let mut annotations = Vec::new();
    let mut tell = |annotation: &Annotation, position: &Position| -> Result<(), Infallible> {
        position.is_legal(annotation.played).expect("the position before the move");
        annotations.push(annotation.clone());
        Ok(())
    };
    let review = annotate(&mut analyst(start, nodes), start, moves, &mut tell);
    let Ok(review) = review;
    (annotations, review)
}

fn random_game(start: &Position, plies: usize, rng: &mut Xoshiro256PlusPlus) -> Vec<Move> {
    let mut position = start.clone();
    let mut moves = Vec::new();
    while let Some(mv) = position.random_move(rng).filter(|_| moves.len() < plies) {
        position.play_unchecked(mv);
        moves.push(mv);
    }
    moves
}

#[test]
fn a_loss_is_the_difference_of_two_judgements() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(72);
    let mut marked = 0;
    for round in 0..12 {
        let shape = [Shape::Square, Shape::Donut, Shape::Clover, Shape::FigureEight][round % 4];
        let start = any_position(shape, 7, 0, &mut rng);
        let plies = rng.random_range(0..200);
        let moves = random_game(&start, plies, &mut rng);
        let (annotations, review) = annotated(&start, &moves, 150);
        assert_eq!(annotations.iter().map(|annotation| annotation.played).collect::<Vec<_>>(), moves);
        let mut position = start.clone();
        let mut sums = [(0, 0.0, [0; 3]); 2];
        for (index, annotation) in annotations.iter().enumerate() {
            let next = annotations.get(index + 1).map_or(&review.last, |next| &next.before);
            let best = annotation.before.candidates[0].moves[0];
            let expected = if best == annotation.played {
                0.0
            } else {
                (100.0 * (annotation.before.win + next.win - 1.0)).max(0.0)
            };
            assert!((annotation.loss - expected).abs() < 1e-3, "{annotation:?}");
            assert_eq!(annotation.better, (best != annotation.played).then_some(best));
            assert_eq!((annotation.ply as usize, annotation.color), (index + 1, position.side_to_move()));
            let sum = &mut sums[annotation.color.index()];
            (sum.0, sum.1) = (sum.0 + 1, sum.1 + f64::from(annotation.loss));
            if let Some(mark) = annotation.mark() {
                sum.2[Mark::ALL.iter().position(|&known| known == mark).expect("a mark")] += 1;
                marked += 1;
            }
            position.play_unchecked(annotation.played);
        }
        assert_eq!(review.position, position);
        assert_eq!(review.last.candidates.is_empty(), !position.has_moves());
        if let Some(certain) = review.last.certain {
            let wins = certain.winner == position.side_to_move();
            assert_eq!(review.last.win, if wins { 1.0 } else { 0.0 });
        }
        for (tally, (moves, loss, marks)) in review.tallies.iter().zip(sums) {
            assert_eq!((tally.moves, Mark::ALL.map(|mark| tally.count(mark))), (moves, marks));
            assert_eq!(tally.mean_loss().is_some(), moves > 0);
            assert!(tally.mean_loss().is_none_or(|mean| (mean - loss / f64::from(moves)).abs() < 1e-9));
        }
    }
    assert!(marked > 20, "{marked} marks in games of random moves");
}

#[test]
fn marks_have_thresholds() {
    let marks = [0.0, 4.9, 5.0, 9.9, 10.0, 19.9, 20.0, 100.0].map(Mark::of);
    let [dubious, mistake, blunder] = Mark::ALL.map(Some);
    assert_eq!(marks, [None, None, dubious, dubious, mistake, mistake, blunder, blunder]);
    assert_eq!(Mark::ALL.map(|mark| mark.to_string()), ["?!", "?", "??"]);
}

#[test]
fn a_proven_win_thrown_away_is_a_blunder() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(73);
    let (mut thrown, mut kept) = (0, 0);
    let limits = SolveLimits { table_bytes: 16 << 20, proof_positions: 0, ..SolveLimits::default() };
    let wins = |position: &Position| {
        let solution = solve(position, &limits, &mut || true).expect("the board is small");
        solution.winner == Some(position.side_to_move())
    };
    for _ in 0..60 {
        let position = any_position(Shape::Square, 5, 8, &mut rng);
        if !wins(&position) {
            continue;
        }
        let mut list = MoveList::new();
        position.legal_moves(&mut list);
        let mv = list[rng.random_range(0..list.len())];
        let mut after = position.clone();
        after.play_unchecked(mv);
        let is_thrown_away = wins(&after);
        let (annotations, _) = annotated(&position, &[mv], 200_000);
        let [annotation] = &annotations[..] else { panic!("{annotations:?}") };
        assert_eq!(annotation.win_thrown_away, is_thrown_away, "{position} {mv:?}");
        if is_thrown_away {
            assert_eq!((annotation.mark(), annotation.loss), (Some(Mark::Blunder), 100.0));
            thrown += 1;
        } else {
            assert!(annotation.before.certain.is_some_and(|certain| certain.moves != Some(0)));
            kept += 1;
        }
    }
    assert!(thrown > 5 && kept > 5, "{thrown} thrown away, {kept} kept");
}
