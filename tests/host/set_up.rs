//! The set-up message: a process's task, then a player's game.

use std::io::{self, Cursor, Read};
use std::path::PathBuf;

use amazons::host::{SandboxMode, SeatConfig, SetUp};
use amazons_rules::{Board, Directions, Shape};
use amazons_sandbox::{ProcessSpec, ProcessTask, SetUpError};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A whole message; only players get a game.
type Message = (ProcessSpec, Option<SetUp>);

fn example(shape: Shape, m: u32) -> Message {
    let board = Board::new(shape, m).expect("the board exists");
    let task = match m {
        31 => ProcessTask::Locate(vec![1, u64::MAX]),
        10 => ProcessTask::Run(vec!["a bot".into(), "--fast".into()]),
        _ => ProcessTask::Serve,
    };
    let game = (task == ProcessTask::Serve).then(|| SetUp {
        abi_id: 1,
        seed: 0x0123_4567_89ab_cdef,
        foreign: None,
        matrix: board.matrix(Directions::Ring),
        queens: board.starting_queens(),
    });
    let spec = ProcessSpec {
        path: PathBuf::from("/a folder/with b\u{e4}nks.so"),
        task,
        environment: vec!["NAME=value".into(), "EMPTY=".into()],
        sandbox: SandboxMode::Strict,
        allow_read: vec!["/a book".into()],
        threads: 3,
        log_limit: 1 << 40,
        memory: 1 << 41,
    };
    (spec, game)
}

fn encode((spec, game): &Message) -> Vec<u8> {
    let mut message = spec.encode();
    if let Some(game) = game {
        let queens = game.queens.each_ref().map(Vec::as_slice);
        let config = SeatConfig::new("", game.abi_id, game.matrix.view(), queens);
        SetUp::encode(&SeatConfig { seed: game.seed, foreign: game.foreign, ..config }, &mut message);
    }
    message
}

fn read(mut from: impl Read) -> Result<Message, SetUpError> {
    let spec = ProcessSpec::read(&mut from)?;
    let game = (spec.task == ProcessTask::Serve).then(|| SetUp::read(from)).transpose()?;
    Ok((spec, game))
}

#[test]
fn survives_the_way() {
    for shape in Shape::ALL {
        for m in [5, 10, 31] {
            let message = example(shape, m);
            let read = read(&*encode(&message)).expect("what was written can be read");
            assert_eq!(read, message, "{shape:?} {m}");
        }
    }
}

#[test]
fn leaves_what_follows() {
    for m in [5, 10, 31] {
        let mut bytes = encode(&example(Shape::Square, m));
        let len = bytes.len() as u64;
        bytes.extend(b"the next frame");
        let mut stream = Cursor::new(bytes);
        read(&mut stream).expect("what was written can be read");
        assert_eq!(stream.position(), len);
    }
}

#[test]
fn refuses_every_part_of_itself() {
    for m in [5, 10, 31] {
        let bytes = encode(&example(Shape::Donut, m));
        for len in 0..bytes.len() {
            let part = read(&bytes[..len]);
            assert!(matches!(part, Err(SetUpError::Read(_))), "{len} of {} bytes: {part:?}", bytes.len());
        }
    }
}

#[test]
fn refuses_other_messages() {
    assert!(matches!(ProcessSpec::read(io::repeat(0)), Err(SetUpError::Magic)));
    assert!(matches!(SetUp::read(&[0_u8; 4096][..]), Err(SetUpError::Magic)));
}

#[test]
fn damage_is_noticed_or_harmless() {
    let seed = 7;
    println!("damage_is_noticed_or_harmless: seed {seed}");
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let bytes = encode(&example(Shape::Clover, 6));
    let mut refused = 0;
    for _ in 0..20_000 {
        let mut damaged = bytes.clone();
        damaged[rng.random_range(0..bytes.len())] ^= 1 << rng.random_range(0..8);
        match read(&*damaged) {
            // Another direction, another path: still a message, and it says what the bytes say.
            Ok(read) => assert_eq!(encode(&read), damaged),
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 1000, "{refused} were refused");
}
