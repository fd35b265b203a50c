//! Whole games of the bundled players, called through the C interface in this process.

use std::ffi::{CStr, c_uint};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use amazons_player::Handover;
use amazons_player::abi::{FinalizeFn, GetPlayerNameFn, InitializeFn, MoveT, PlayFn};
use amazons_player::rules::{Board, Color, Directions, Move, Position, Shape};
use amazons_testing::skip;
use libloading::os::unix::{Library, RTLD_LAZY, RTLD_LOCAL};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::support;

/// A player's library has one state for the whole process, and C's `rand` has too: one game at a time.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// A player in this process.
pub(super) struct LoadedPlayer {
    library: Library,
}

impl LoadedPlayer {
    pub(super) fn open(path: &Path) -> Self {
        // SAFETY: the bundled players do nothing on loading.
        let library = unsafe { Library::open(Some(path), RTLD_LAZY | RTLD_LOCAL) };
        Self { library: library.unwrap_or_else(|why| panic!("{}: {why:?}", path.display())) }
    }

    fn function<F: Copy>(&self, name: &str) -> F {
        // SAFETY: the callers name the types of the header.
        *unsafe { self.library.get::<F>(name) }.unwrap_or_else(|why| panic!("{name}: {why:?}"))
    }

    fn name(&self) -> String {
        let get_player_name = self.function::<GetPlayerNameFn>("get_player_name");
        // SAFETY: called between `initialize` and `finalize`.
        let name = unsafe { get_player_name() };
        assert!(!name.is_null());
        // SAFETY: not NULL, and a string by the header.
        unsafe { CStr::from_ptr(name) }.to_str().expect("bundled players have readable names").to_owned()
    }

    /// Returns the outer array of queens, which must live until `finalize`.
    pub(super) fn initialize(&self, id: Color, board: &Board, directions: Directions) -> Handover {
        let [black, white] = board.starting_queens();
        let mut given = Handover::new(board.matrix(directions).view(), [&black, &white]).expect("it is a good board");
        let initialize = self.function::<InitializeFn>("initialize");
        given.release();
        let id = c_uint::try_from(id.index()).expect("0 or 1");
        // SAFETY: a handover follows the header, and it was released.
        unsafe { initialize(id, given.graph(), given.num_queens(), given.queens()) };
        given
    }

    pub(super) fn play(&self, previous: MoveT) -> MoveT {
        // SAFETY: called between `initialize` and `finalize`.
        unsafe { self.function::<PlayFn>("play")(previous) }
    }

    pub(super) fn finalize(&self) {
        // SAFETY: called once for each `initialize`.
        unsafe { self.function::<FinalizeFn>("finalize")() };
    }
}

/// Plays a game in which the player has the given colours, with random moves for the others; returns the last mover.
fn play_game(player: &LoadedPlayer, colors: &[Color], board: &Arc<Board>, directions: Directions, seed: u64) -> Color {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let given: Vec<_> = colors.iter().map(|&color| player.initialize(color, board, directions)).collect();
    let mut position = Position::start(Arc::clone(board));
    let mut previous = MoveT::NONE;
    let mut moves = Vec::new();
    while let Some(mut mv) = position.random_move(&mut rng) {
        if colors.contains(&position.side_to_move()) {
            let answer = player.play(previous);
            mv = Move { from: answer.queen_src, to: answer.queen_dst, arrow: answer.arrow_dst };
        }
        if let Err(why) = position.try_play(mv) {
            panic!("{mv:?} after {moves:?} on {:?}, seed {seed}: {why}", board.shape());
        }
        moves.push(board.move_text(mv));
        previous = MoveT { queen_src: mv.from, queen_dst: mv.to, arrow_dst: mv.arrow };
    }
    for _ in &given {
        player.finalize();
    }
    position.side_to_move().opposite()
}

/// Plays on all boards, both colours, against random moves; returns the numbers of games won and played.
fn play_everywhere(path: &Path, name: &str) -> (u32, u32) {
    let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let player = LoadedPlayer::open(path);
    let (mut won, mut games) = (0, 0);
    for shape in Shape::ALL {
        for m in 5..=12 {
            let board = Arc::new(Board::new(shape, m).expect("the size is legal"));
            let directions = if m % 2 == 0 { Directions::Subject } else { Directions::Ring };
            for color in Color::ALL {
                won += u32::from(play_game(&player, &[color], &board, directions, games.into()) == color);
                games += 1;
            }
        }
    }
    let given =
        player.initialize(Color::Black, &Board::new(Shape::Square, 5).expect("it is legal"), Directions::Subject);
    assert_eq!(player.name(), name);
    player.finalize();
    drop(given);
    (won, games)
}

/// Lets one library play against itself on all shapes.
fn play_against_itself(name: &str) {
    let path = support::player(name);
    let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let player = LoadedPlayer::open(&path);
    for shape in Shape::ALL {
        for m in [5, 8, 11] {
            let board = Arc::new(Board::new(shape, m).expect("the size is legal"));
            play_game(&player, &Color::ALL, &board, Directions::Subject, 0);
        }
    }
}

#[test]
fn random_plays_whole_games() {
    let (won, games) = play_everywhere(&support::player("random"), "random");
    // Against its like it must not win or lose nearly all.
    assert!((games / 4..=games * 3 / 4).contains(&won), "{won} of {games}");
}

#[test]
fn territory_plays_whole_games_and_beats_random_moves() {
    let (won, games) = play_everywhere(&support::player("territory"), "territory");
    // The smallest boards are a matter of luck at times.
    assert!(won * 100 >= games * 95, "{won} of {games}");
}

#[test]
fn c_mobility_plays_whole_games_and_beats_random_moves() {
    let (won, games) = play_everywhere(&support::player("c_mobility"), "c_mobility");
    assert!(won * 100 >= games * 90, "{won} of {games}");
}

#[test]
fn the_gsl_template_plays_whole_games() {
    if support::compiler().arg("-print-file-name=libgsl.so").output().is_ok_and(|output| {
        let file = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        PathBuf::from(file).is_absolute()
    }) {
        let source = include_str!("../../players/c_gsl/c_gsl.c");
        let (_folder, path) = support::compile_c(source, &["-lgsl", "-lgslcblas", "-lm"]);
        let (won, games) = play_everywhere(&path, "c_gsl");
        assert!(won * 2 >= games, "{won} of {games}");
    } else {
        skip("GSL is not installed, its template is not tried (Debian: apt-get install libgsl-dev)");
    }
}

#[test]
fn random_plays_against_itself_in_one_process() {
    play_against_itself("random");
}

#[test]
fn territory_plays_against_itself_in_one_process() {
    play_against_itself("territory");
}
