use amazons::analysis::Annotator;
use amazons::referee::ReviewEvent;
use amazons_formats::{Mark, MoveNote};
use amazons_rules::{Move, MoveList, Position, Shape};
use amazons_solve::{SolveLimits, solve};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{analyst, any_position};

fn annotated(start: &Position, moves: &[Move], nodes: u64) -> (Vec<MoveNote>, ReviewEvent) {
    let analyst = analyst(start, nodes);
    let mut annotator = Annotator::new(&analyst, start.clone(), 2, Vec::new());
    let notes = moves.iter().map(|&mv| annotator.play(mv)).collect();
    (notes, annotator.review())
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

/// A mark also needs the position after the better move to be judged so much better.
#[test]
fn a_loss_is_the_difference_of_two_judgements() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(72);
    let (mut marked, mut corrected) = (0, 0);
    for round in 0..8 {
        let shape = [Shape::Square, Shape::Donut, Shape::Clover, Shape::FigureEight][round % 4];
        let start = any_position(shape, 5, 0, &mut rng);
        let plies = rng.random_range(0..40);
        let moves = random_game(&start, plies, &mut rng);
        let (notes, review) = annotated(&start, &moves, 20);
        let judge = analyst(&start, 20);
        let mut position = start.clone();
        let mut sums = [(0, 0.0, [0; 3]); 2];
        for (note, &mv) in notes.iter().zip(&moves) {
            let (side, text) = (position.side_to_move(), position.board().move_text(mv));
            let before = judge.judge(&position, 2);
            position.play_unchecked(mv);
            let after = judge.judge(&position, 2);
            let is_corrected = note.win != before.win || note.win_after != 1.0 - after.win;
            corrected += u32::from(is_corrected);
            let given_away = (note.win - note.win_after).max(0.0);
            let is_best = note.lines[0].moves[0] == text;
            assert!(note.loss <= given_away + 1e-6 && !(is_best && note.loss > 0.0), "{note:?}");
            assert!(given_away >= 0.1 || is_best || note.loss == given_away, "{note:?}");
            assert_eq!((note.mark, note.accuracy), (Mark::of(note.loss), 100.0 * (-4.0 * note.loss).exp()));
            assert_eq!(
                (note.nodes, note.depth, note.lines.len()),
                (before.nodes, before.depth, before.candidates.len())
            );
            let sum = &mut sums[side.index()];
            (sum.0, sum.1) = (sum.0 + 1, sum.1 + note.loss);
            if let Some(mark) = note.mark {
                sum.2[mark as usize] += 1;
                marked += 1;
            }
        }
        let last = judge.judge(&position, 2);
        assert_eq!((review.win, review.proven), (last.win, last.certain.map(|certain| certain.winner)));
        for (side, (moves, loss, marks)) in review.sides.iter().zip(sums) {
            assert_eq!((side.moves, [side.dubious, side.mistakes, side.blunders]), (moves, marks));
            assert_eq!((side.mean_loss.is_some(), side.accuracy.is_some()), (moves > 0, moves > 0));
            assert!(side.mean_loss.is_none_or(|mean| (mean - loss / moves as f32).abs() < 1e-4));
        }
    }
    println!("{marked} {corrected}");
    assert!(marked > 20, "{marked} marks in games of random moves");
    assert!(corrected > 0 && corrected < marked, "{corrected} moves were proven to be no mistakes");
}

#[test]
fn marks_have_thresholds() {
    let marks = [0.0, 0.099, 0.1, 0.199, 0.2, 0.299, 0.3, 1.0].map(Mark::of);
    let [dubious, mistake, blunder] = Mark::ALL.map(Some);
    assert_eq!(marks, [None, None, dubious, dubious, mistake, mistake, blunder, blunder]);
    assert_eq!(Mark::ALL.map(|mark| mark.to_string()), ["?!", "?", "??"]);
}

/// Whatever the engine thinks, a move that is proven to be as good as any has no mark.
#[test]
fn a_proven_best_move_has_no_mark() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(74);
    let limits = SolveLimits { table_bytes: 1 << 20, proof_positions: 0, ..SolveLimits::default() };
    let winner = |position: &Position| {
        solve(position, &limits, &mut || true).expect("the board is small").winner.expect("no limit")
    };
    let (mut best, mut marked) = (0, 0);
    for _ in 0..200 {
        let position = any_position(Shape::Square, 5, 10, &mut rng);
        let side = position.side_to_move();
        let Some(mv) = position.random_move(&mut rng) else { continue };
        let mut after = position.clone();
        after.play_unchecked(mv);
        // Few visits err often.
        let (notes, _) = annotated(&position, &[mv], 3);
        let is_best = winner(&after) == side || winner(&position) != side;
        best += u32::from(is_best);
        marked += u32::from(notes[0].mark.is_some());
        assert!(!(is_best && notes[0].mark.is_some()), "{position} {mv:?} {:?}", notes[0]);
    }
    assert!(best > 10 && marked > 2, "{best} best moves, {marked} marked");
}

#[test]
fn a_proven_win_thrown_away_is_a_blunder() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(73);
    let (mut thrown, mut kept) = (0, 0);
    let limits = SolveLimits { table_bytes: 1 << 20, proof_positions: 0, ..SolveLimits::default() };
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
        let (notes, _) = annotated(&position, &[mv], 200_000);
        let [note] = &notes[..] else { panic!("{notes:?}") };
        let side = position.side_to_move();
        assert_eq!(note.proven, Some(side), "{position}");
        assert_eq!(note.proven_after, Some(if is_thrown_away { side.opposite() } else { side }), "{position} {mv:?}");
        if is_thrown_away {
            assert_eq!((note.mark, note.loss), (Some(Mark::Blunder), 1.0));
            thrown += 1;
        } else {
            kept += 1;
        }
    }
    assert!(thrown > 5 && kept > 5, "{thrown} thrown away, {kept} kept");
}
