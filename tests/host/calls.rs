//! The arguments of players' functions, and their results.

use std::path::Path;

use amazons::host::{ForkServer, HOST_MODE, HostError, NAME_MAX, ProcessPlayer};
use amazons::referee::{Call, CallError, OutOfOrder, Seat};
use amazons_rules::{Move, Shape};
use amazons_sandbox::Error;

use super::rig::{Source, fork_server, log_of, seats};

const NOTHING: Move = Move { from: u32::MAX, to: u32::MAX, arrow: u32::MAX };

/// Prints its arguments and answers with the previous move, one higher in each number.
fn talkative() -> Source {
    Source::new()
        .initialize(
            "printf(\"id %u, %u vertices, %zu edges, queens\", player_id, graph->num_vertices, graph->t->nz);
             for (int p = 0; p < NUM_PLAYERS; p++)
                 for (unsigned int q = 0; q < num_queens; q++) printf(\" %u\", queens[p][q]);
             printf(\"\\n\");
             free(graph->t->i); free(graph->t->p); free(graph->t->data); free(graph->t->work.work_void);
             free(graph->t); free(graph); free(queens[0]); free(queens[1]);",
        )
        .play(
            "printf(\"play %u %u %u\\n\", previous.queen_src, previous.queen_dst, previous.arrow_dst);
             return (struct move_t){previous.queen_src + 1, previous.queen_dst + 1, previous.arrow_dst + 1};",
        )
        .finalize("printf(\"bye\");")
}

#[test]
fn a_game_from_load_to_finalize() {
    let mut rig = talkative().build();
    rig.abi_id = 1;
    let mut seat = rig.seat();
    seat.load().expect("the player loads");
    seat.initialize().expect("the player initialises");
    let name = seat.name().expect("the player has a name").value;
    assert_eq!(name.as_deref(), Some(&b"rig"[..]));
    let first = seat.play(None).expect("the player plays").value;
    assert_eq!(first, Move { from: 0, to: 0, arrow: 0 }, "no move is three times UINT_MAX");
    let second = seat.play(Some(Move { from: 7, to: 8, arrow: 9 })).expect("the player plays").value;
    assert_eq!(second, Move { from: 8, to: 9, arrow: 10 });
    seat.finalize().expect("the player finalizes");
    let config = rig.config();
    let queens: String = config.queens.iter().copied().flatten().map(|queen| format!(" {queen}")).collect();
    let (edges, none) = (config.matrix.nnz(), u32::MAX);
    let expected =
        format!("id 1, 25 vertices, {edges} edges, queens{queens}\nplay {none} {none} {none}\nplay 7 8 9\nbye");
    assert_eq!(log_of(&seat), expected);
}

#[test]
fn answers_are_not_judged() {
    let mut seat = Source::new().play("return (struct move_t){UINT_MAX, UINT_MAX, UINT_MAX};").build().ready();
    assert_eq!(seat.play(None).expect("giving up is an answer").value, NOTHING);
}

#[test]
fn names_are_bytes() {
    for (body, expected) in [
        ("return NULL;", None),
        ("return \"\";", Some(Vec::new())),
        ("return \"\\xff\\x1b[2J\\xc3\\xa4\";", Some(b"\xff\x1b[2J\xc3\xa4".to_vec())),
        ("static char name[1000000]; memset(name, 'n', sizeof name - 1); return name;", Some(vec![b'n'; NAME_MAX])),
    ] {
        let mut seat = Source::new().name(body).build().ready();
        assert_eq!(seat.name().expect("every name is an answer").value, expected, "{body}");
    }
}

#[test]
fn the_same_library_on_both_seats_has_two_lives() {
    let rig = Source::new().play("static unsigned int n; n++; return (struct move_t){n, n, n};").build();
    let (mut one, mut two) = (rig.ready(), rig.ready());
    for n in 1..10 {
        for seat in [&mut one, &mut two] {
            assert_eq!(seat.play(None).expect("the player plays").value.from, n);
        }
    }
}

#[test]
fn both_players_load_at_the_same_time() {
    // Each constructor waits until the other player's has begun.
    let top = "static void __attribute__((constructor)) meet(void) {
                   int me = atoi(getenv(\"AMAZONS_SEED\"));
                   char mine[200], other[200];
                   snprintf(mine, sizeof mine, MEETING \"/%d\", me);
                   snprintf(other, sizeof other, MEETING \"/%d\", 3 - me);
                   close(open(mine, O_CREAT | O_WRONLY, 0600));
                   while (access(other, F_OK) != 0) usleep(1000);
               }";
    let meeting = tempfile::tempdir().expect("there is room for a temporary folder");
    let define = format!("-DMEETING=\"{}\"", meeting.path().display());
    let mut rig = Source::new().top(top).build_with(&[&define]).unconfined();
    rig.seed = 1;
    let one = rig.config();
    let mut two = rig.config();
    two.seed = 2;
    for mut seat in seats([&one, &two]) {
        seat.load().expect("the player loads");
    }
}

#[test]
fn a_board_larger_than_a_pipe() {
    let rig = talkative().build().on(Shape::Square, 150);
    let seat = rig.ready();
    assert!(log_of(&seat).starts_with("id 0, 22500 vertices"));
}

#[test]
fn rand_follows_the_seed() {
    let body = "return (struct move_t){(unsigned int)rand(), (unsigned int)rand(), (unsigned int)rand()};";
    let mut rig = Source::new().play(body).build();
    let mut draw = |seed| {
        rig.seed = seed;
        rig.ready().play(None).expect("the player plays").value
    };
    assert_eq!(draw(5), draw(5));
    assert_ne!(draw(5), draw(6));
    assert_ne!(draw(5), draw(5 << 32), "the upper half counts");
}

#[test]
fn calls_out_of_order_are_our_own_mistake() {
    let rig = Source::new().build();
    let is_refused = |result: Result<_, CallError>, call| {
        let Err(CallError::Void(void)) = result else { return false };
        void.is_lasting() && void.cause().downcast_ref::<OutOfOrder>().is_some_and(|refused| refused.0 == call)
    };
    let mut seat = rig.seat();
    assert!(is_refused(seat.play(None).map(|_| ()), Call::Play));
    seat.load().expect("the player loads all the same");
    assert!(is_refused(seat.load(), Call::Load));
    assert!(is_refused(seat.name().map(|_| ()), Call::Name));
    seat.initialize().expect("the player initialises all the same");
    assert!(is_refused(seat.initialize().map(|_| ()), Call::Initialize));
    seat.finalize().expect("the player finalizes all the same");
    assert!(is_refused(seat.finalize().map(|_| ()), Call::Finalize));
}

#[test]
fn an_executable_that_is_no_server_is_our_own_mistake() {
    let rig = Source::new().build();
    let parent = ForkServer::start(Path::new("/bin/true"), HOST_MODE).expect("it can be started");
    let refused = ProcessPlayer::start(&parent, &rig.config()).expect_err("it does not fork");
    assert!(matches!(refused, HostError::Process(Error::ForkServer(_))), "{refused:?}");
    let refused = ForkServer::start(Path::new("/no/such/file"), HOST_MODE).expect_err("it cannot be started");
    assert!(matches!(refused, Error::Start { .. }), "{refused:?}");
}

#[test]
fn a_board_that_cannot_be_handed_over_is_our_own_mistake() {
    let rig = Source::new().build();
    let mut config = rig.config();
    config.queens = [&[0, 1], &[2]];
    let mut seat = ProcessPlayer::start(&fork_server(), &config).expect("it can be started");
    let Err(CallError::Void(void)) = seat.load() else { panic!("such a board was handed over") };
    let Some(HostError::Process(Error::SetUp(reason))) = void.cause().downcast_ref() else { panic!("{void}") };
    assert!(reason.contains("they need equally many"), "{reason}");
}
