//! The exported functions, in any order and with misbehaving players.

use std::ffi::{CStr, c_uint};
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{fs, ptr};

use amazons_player::abi::{GraphT, MoveT};
use amazons_player::rules::{Board, Color, Directions, Move, MoveList, Position, Shape};
use amazons_player::{GameInfo, Handover, Library, Player};
use sprs::CsMatI;

use crate::support::alone;

/// Plays the first legal move, unless its trick differs.
struct Tester<T: Trick> {
    plies: usize,
    trick: PhantomData<T>,
}

/// A player's misbehaviour.
trait Trick: Send {
    fn begin(_color: Color) {}
    fn play(_ply: usize, usual: Move) -> Option<Move> {
        Some(usual)
    }
    fn drop() {}
}

impl<T: Trick> Player for Tester<T> {
    const NAME: &'static CStr = c"tester";

    fn new(game: &GameInfo) -> Self {
        T::begin(game.color);
        Self { plies: 0, trick: PhantomData }
    }

    fn play(&mut self, position: &Position) -> Option<Move> {
        self.plies += 1;
        T::play(self.plies, first_move(position).expect("players are only asked when they can move"))
    }
}

impl<T: Trick> Drop for Tester<T> {
    fn drop(&mut self) {
        T::drop();
    }
}

fn first_move(position: &Position) -> Option<Move> {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    moves.first().copied()
}

fn board() -> Arc<Board> {
    Arc::new(Board::new(Shape::FigureEight, 8).expect("the size is legal"))
}

fn initialize<P: Player>(library: &Library<P>, id: c_uint, board: &Board) {
    let [black, white] = board.starting_queens();
    initialize_with(library, id, board, [&black, &white]);
}

fn initialize_with<P: Player>(library: &Library<P>, id: c_uint, board: &Board, queens: [&[u32]; 2]) {
    let mut given = Handover::new(board.matrix(Directions::Subject).view(), queens).expect("it is a good board");
    given.release();
    // SAFETY: a handover follows the header, and it was released. The outer array may go: players copy it.
    unsafe { library.initialize(id, given.graph(), given.num_queens(), given.queens()) };
}

fn to_abi(mv: Move) -> MoveT {
    MoveT { queen_src: mv.from, queen_dst: mv.to, arrow_dst: mv.arrow }
}

fn from_abi(mv: MoveT) -> Move {
    Move { from: mv.queen_src, to: mv.queen_dst, arrow: mv.arrow_dst }
}

/// Calls `play` and checks the answer.
fn play_legal<P: Player>(library: &Library<P>, position: &mut Position, previous: MoveT) -> MoveT {
    let answer = library.play(previous);
    position.try_play(from_abi(answer)).unwrap_or_else(|why| panic!("{answer:?}: {why}"));
    answer
}

struct Nothing;
impl Trick for Nothing {}

/// Plays until the game is over; the library plays both sides.
fn play_both_sides<P: Player>(library: &Library<P>, board: &Arc<Board>) {
    let mut position = Position::start(Arc::clone(board));
    let mut previous = MoveT::NONE;
    while position.has_moves() {
        previous = play_legal(library, &mut position, previous);
    }
}

#[test]
fn one_library_plays_both_sides_in_one_process() {
    let library = Library::<Tester<Nothing>>::new();
    let board = board();
    for ids in [[0, 1], [1, 0]] {
        for id in ids {
            initialize(&library, id, &board);
        }
        play_both_sides(&library, &board);
        library.finalize();
        library.finalize();
        assert_eq!(library.play(MoveT::NONE), MoveT::NONE);
    }
}

#[test]
fn each_id_may_move_first() {
    let board = board();
    for (id, color) in [(0, Color::Black), (1, Color::White)] {
        for opens in [true, false] {
            let library = Library::<Tester<Nothing>>::new();
            initialize(&library, id, &board);
            let first = if opens { color } else { color.opposite() };
            let mut position =
                Position::new(Arc::clone(&board), board.starting_queens(), &[], first).expect("it is legal");
            let mut previous = MoveT::NONE;
            while let Some(reply) = first_move(&position) {
                previous = if position.side_to_move() == color {
                    play_legal(&library, &mut position, previous)
                } else {
                    position.play_unchecked(reply);
                    to_abi(reply)
                };
            }
            library.finalize();
        }
    }
}

#[test]
fn calls_out_of_order_do_no_harm() {
    let library = Library::<Tester<Nothing>>::default();
    let board = board();
    library.finalize();
    assert_eq!(library.play(MoveT::NONE), MoveT::NONE);
    // SAFETY: the name is static.
    assert_eq!(unsafe { CStr::from_ptr(library.name()) }, c"tester");

    initialize(&library, 0, &board);
    initialize(&library, 0, &board);
    play_legal(&library, &mut Position::start(Arc::clone(&board)), MoveT::NONE);
    library.finalize();
    library.finalize();
    library.finalize();
    assert_eq!(library.play(MoveT::NONE), MoveT::NONE);
}

#[test]
fn initialize_after_a_move_starts_a_new_game() {
    static DROPPED: AtomicUsize = AtomicUsize::new(0);
    struct Counting;
    impl Trick for Counting {
        fn drop() {
            DROPPED.fetch_add(1, Ordering::Relaxed);
        }
    }
    let library = Library::<Tester<Counting>>::new();
    let board = board();
    initialize(&library, 0, &board);
    initialize(&library, 1, &board);
    let mut position = Position::start(Arc::clone(&board));
    let opening = play_legal(&library, &mut position, MoveT::NONE);
    assert_eq!(DROPPED.load(Ordering::Relaxed), 0);

    // Only White this time: the old Black must not be asked any more.
    initialize(&library, 1, &board);
    assert_eq!(DROPPED.load(Ordering::Relaxed), 2);
    play_legal(&library, &mut position, opening);
    library.finalize();
    assert_eq!(DROPPED.load(Ordering::Relaxed), 3);
    library.finalize();
    assert_eq!(DROPPED.load(Ordering::Relaxed), 3);
}

#[test]
fn a_panic_forfeits_and_nothing_else() {
    struct PanicsAtFirst;
    impl Trick for PanicsAtFirst {
        fn begin(_: Color) {
            panic!("provoked by a test");
        }
    }
    struct PanicsLater;
    impl Trick for PanicsLater {
        fn play(ply: usize, usual: Move) -> Option<Move> {
            assert!(ply < 2, "provoked by a test");
            Some(usual)
        }
    }
    struct PanicsAtLast;
    impl Trick for PanicsAtLast {
        fn drop() {
            panic!("provoked by a test");
        }
    }
    let board = board();
    let library = Library::<Tester<PanicsAtFirst>>::new();
    initialize(&library, 0, &board);
    assert_eq!(library.play(MoveT::NONE), MoveT::NONE);
    library.finalize();

    let library = Library::<Tester<PanicsLater>>::new();
    initialize(&library, 0, &board);
    let mut position = Position::start(Arc::clone(&board));
    play_legal(&library, &mut position, MoveT::NONE);
    let reply = first_move(&position).expect("the game has just begun");
    assert_eq!(library.play(to_abi(reply)), MoveT::NONE);
    assert_eq!(library.play(to_abi(reply)), MoveT::NONE);
    library.finalize();

    let library = Library::<Tester<PanicsAtLast>>::new();
    initialize(&library, 0, &board);
    library.finalize();
    initialize(&library, 0, &board);
    play_legal(&library, &mut Position::start(Arc::clone(&board)), MoveT::NONE);
    library.finalize();
}

#[test]
fn the_other_side_plays_on_after_a_panic() {
    struct WhitePanics;
    impl Trick for WhitePanics {
        fn begin(color: Color) {
            assert_eq!(color, Color::Black, "provoked by a test");
        }
    }
    let library = Library::<Tester<WhitePanics>>::new();
    let board = board();
    initialize(&library, 0, &board);
    initialize(&library, 1, &board);
    let opening = play_legal(&library, &mut Position::start(Arc::clone(&board)), MoveT::NONE);
    assert_eq!(library.play(opening), MoveT::NONE);
    library.finalize();
    library.finalize();
}

#[test]
fn a_player_may_give_up_and_may_not_cheat() {
    struct GivesUp;
    impl Trick for GivesUp {
        fn play(_: usize, _: Move) -> Option<Move> {
            None
        }
    }
    struct Cheats;
    impl Trick for Cheats {
        fn play(_: usize, usual: Move) -> Option<Move> {
            Some(Move { arrow: usual.to, ..usual })
        }
    }
    let board = board();
    let library = Library::<Tester<GivesUp>>::new();
    initialize(&library, 0, &board);
    assert_eq!(library.play(MoveT::NONE), MoveT::NONE);
    library.finalize();
    let library = Library::<Tester<Cheats>>::new();
    initialize(&library, 0, &board);
    assert_eq!(library.play(MoveT::NONE), MoveT::NONE);
    library.finalize();
}

#[test]
fn a_previous_move_that_is_not_legal_forfeits() {
    let board = board();
    let mut start = Position::start(Arc::clone(&board));
    let legal = to_abi(first_move(&start).expect("the game has just begun"));
    for previous in [
        MoveT { arrow_dst: legal.queen_dst, ..legal },
        MoveT { queen_src: c_uint::MAX, ..legal },
        MoveT { queen_dst: 64, ..legal },
    ] {
        let library = Library::<Tester<Nothing>>::new();
        initialize(&library, 1, &board);
        assert_eq!(library.play(previous), MoveT::NONE);
        assert_eq!(library.play(legal), MoveT::NONE, "a player that lost track stays out");
        library.finalize();
    }
    // A second "no previous move" is invalid in a running game.
    let library = Library::<Tester<Nothing>>::new();
    initialize(&library, 0, &board);
    play_legal(&library, &mut start, MoveT::NONE);
    assert_eq!(library.play(MoveT::NONE), MoveT::NONE);
    library.finalize();
}

#[test]
fn nonsense_forfeits_and_is_freed() {
    let library = Library::<Tester<Nothing>>::new();
    // SAFETY: the function promises to survive NULL.
    unsafe { library.initialize(0, ptr::null_mut::<GraphT>(), 4, ptr::null_mut()) };
    assert_eq!(library.play(MoveT::NONE), MoveT::NONE);
    library.finalize();

    let board = board();
    let taken: &[u32] = &[3, 3];
    initialize_with(&library, 0, &board, [taken, &[60, 61]]);
    assert_eq!(library.play(MoveT::NONE), MoveT::NONE);
    library.finalize();
}

#[test]
fn a_queen_without_edges_is_no_obstacle() {
    // Queens that arrows have walled in stand on vertices without edges when a game is handed over in the middle.
    let line = CsMatI::new((5, 5), vec![0, 1, 3, 4, 4, 4], vec![1, 0, 2, 1], vec![7, 3, 7, 3]);
    let mut given = Handover::new(line.view(), [&[0, 3], &[2, 4]]).expect("it is a good graph");
    given.release();
    let library = Library::<Tester<Nothing>>::new();
    // SAFETY: a handover follows the header, and it was released.
    unsafe { library.initialize(0, given.graph(), given.num_queens(), given.queens()) };
    let only = MoveT { queen_src: 0, queen_dst: 1, arrow_dst: 0 };
    assert_eq!(library.play(MoveT::NONE), only);
    library.finalize();
}

/// Memory in use by this process, in bytes.
fn resident() -> usize {
    let pages = fs::read_to_string("/proc/self/statm").expect("Linux has it");
    let resident = pages.split_whitespace().nth(1).expect("the second number is the resident size");
    resident.parse::<usize>().expect("it is a number") * 4096
}

#[test]
fn what_was_given_is_freed() {
    // Other tests in this process take memory meanwhile.
    if !alone::is_alone() {
        alone::run(&mut alone::command("player::library::what_was_given_is_freed"));
        return;
    }
    let board = Board::new(Shape::Square, 200).expect("the size is legal");
    let bytes_per_game = board.edge_count() * 8;
    let library = Library::<Tester<Nothing>>::new();
    let games = 20;
    initialize(&library, 0, &board);
    let before = resident();
    for game in 0..games {
        if game % 2 == 0 {
            library.finalize();
        }
        initialize(&library, 0, &board);
    }
    let grown = resident().saturating_sub(before);
    library.finalize();
    assert!(grown < games * bytes_per_game / 2, "{grown} bytes are left of {games} games of {bytes_per_game}");
}
