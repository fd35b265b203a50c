//! The set-up message.

use std::io::Cursor;
use std::path::PathBuf;

use amazons::host::{ProcessSpec, SandboxMode, SetUp, SetUpError, Task};
use amazons_rules::{Board, Directions, Shape};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

fn example(shape: Shape, m: u32) -> SetUp {
    let board = Board::new(shape, m).expect("the board exists");
    SetUp {
        orders: ProcessSpec {
            path: PathBuf::from("/a folder/with b\u{e4}nks.so"),
            task: match m {
                31 => Task::Locate(vec![1, u64::MAX]),
                10 => Task::Run(vec!["a bot".into(), "--fast".into()]),
                _ => Task::Play,
            },
            abi_id: 1,
            seed: 0x0123_4567_89ab_cdef,
            environment: vec!["NAME=value".into(), "EMPTY=".into()],
            sandbox: SandboxMode::Strict,
            allow_read: vec!["/a book".into()],
            threads: 3,
            log_limit: 1 << 40,
            data_limit: 1 << 41,
        },
        matrix: board.matrix(Directions::Ring),
        queens: board.starting_queens(),
    }
}

fn encode(set_up: &SetUp) -> Vec<u8> {
    let queens = set_up.queens.each_ref().map(Vec::as_slice);
    SetUp::encode(&set_up.orders, set_up.matrix.view(), queens)
}

#[test]
fn survives_the_way() {
    for shape in Shape::ALL {
        for m in [5, 10, 31] {
            let set_up = example(shape, m);
            let read = SetUp::read(&*encode(&set_up)).expect("what was written can be read");
            assert_eq!(read, set_up, "{shape:?} {m}");
        }
    }
}

#[test]
fn leaves_what_follows() {
    let mut bytes = encode(&example(Shape::Square, 5));
    let len = bytes.len() as u64;
    bytes.extend(b"the next frame");
    let mut stream = Cursor::new(bytes);
    SetUp::read(&mut stream).expect("what was written can be read");
    assert_eq!(stream.position(), len);
}

#[test]
fn refuses_every_part_of_itself() {
    let bytes = encode(&example(Shape::Donut, 5));
    for len in 0..bytes.len() {
        let part = SetUp::read(&bytes[..len]);
        assert!(matches!(part, Err(SetUpError::Read(_))), "{len} of {} bytes: {part:?}", bytes.len());
    }
}

#[test]
fn refuses_other_messages() {
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
        match SetUp::read(&*damaged) {
            // Another direction, another path: still a message, and it says what the bytes say.
            Ok(read) => assert_eq!(encode(&read), damaged),
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 1000, "{refused} were refused");
}
