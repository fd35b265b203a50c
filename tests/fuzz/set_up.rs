//! The set-up messages of a process and of a game: refused, or read correctly, and never with more memory than their
//! length.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

use amazons::host::{SandboxMode, SeatConfig, SetUp};
use amazons_player::GraphFields;
use amazons_rules::Directions;
use amazons_sandbox::{ProcessSpec, ProcessTask, SetUpError};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::TestCaseResult;

use super::allocation::largest;
use super::boards::{BoardSpec, board_spec};
use super::check;
use super::matrices::entries;
use super::mutation::{mutated, mutations, number};

const CASES: u32 = 3000;
/// Room for what does not depend on the message.
const SLACK: usize = 1 << 18;

/// The fixed parts of both messages.
const SPEC_HEAD_LEN: usize = 44;
const GAME_HEAD_LEN: usize = 52;

fn encode(game: &SetUp) -> Vec<u8> {
    let queens = game.queens.each_ref().map(Vec::as_slice);
    let config = SeatConfig::new("", game.abi_id, game.matrix.view(), queens);
    let mut message = Vec::new();
    SetUp::encode(&SeatConfig { seed: game.seed, foreign: game.foreign, ..config }, &mut message);
    message
}

fn judge<T>(bytes: &[u8], read: fn(&[u8]) -> Result<T, SetUpError>, encode: fn(&T) -> Vec<u8>) -> TestCaseResult {
    let (read, memory) = largest(|| read(bytes));
    prop_assert!(memory <= 16 * bytes.len() + SLACK, "{} bytes at once for a message of {}", memory, bytes.len());
    if let Ok(read) = read {
        let written = encode(&read);
        prop_assert_eq!(bytes.get(..written.len()), Some(&written[..]));
    }
    Ok(())
}

fn judge_spec(bytes: &[u8]) -> TestCaseResult {
    judge(bytes, |bytes| ProcessSpec::read(bytes), ProcessSpec::encode)
}

fn judge_game(bytes: &[u8]) -> TestCaseResult {
    judge(bytes, |bytes| SetUp::read(bytes), encode)
}

fn text() -> impl Strategy<Value = OsString> {
    vec(any::<u8>(), 0..20).prop_map(OsString::from_vec)
}

fn spec() -> impl Strategy<Value = ProcessSpec> {
    let texts = (text(), vec(text(), 0..3), vec(text().prop_map(PathBuf::from), 0..3));
    let task = prop_oneof![
        Just(ProcessTask::Serve),
        Just(ProcessTask::Probe),
        vec(any::<u64>(), 1..5).prop_map(ProcessTask::Locate),
        vec(text(), 1..4).prop_map(ProcessTask::Run)
    ];
    let sandbox = select(&[SandboxMode::Strict, SandboxMode::Auto, SandboxMode::Off][..]);
    (texts, task, sandbox, any::<u32>(), any::<[u64; 2]>()).prop_map(
        |((path, environment, allow_read), task, sandbox, threads, [log_limit, memory])| {
            let path = path.into();
            ProcessSpec { path, task, environment, sandbox, allow_read, threads, log_limit, memory }
        },
    )
}

fn game() -> impl Strategy<Value = SetUp> {
    let board = board_spec().prop_map(|spec: BoardSpec| {
        let board = spec.build();
        (board.matrix(Directions::Ring), board.starting_queens())
    });
    let queens = || vec(any::<u32>(), 0..5);
    let other = (entries(), queens(), queens()).prop_map(|(matrix, one, two)| (matrix, [one, two]));
    let foreign = (any::<u32>(), 0..3).prop_map(|(num_vertices, sptype)| GraphFields { num_vertices, sptype });
    let numbers = (0..2_u32, any::<u64>(), proptest::option::of(foreign));
    (numbers, prop_oneof![1 => board, 3 => other]).prop_map(|((abi_id, seed, foreign), (matrix, queens))| SetUp {
        abi_id,
        seed,
        foreign,
        matrix,
        queens,
    })
}

fn small() -> impl Strategy<Value = u64> {
    prop_oneof![9 => Just(0), 12 => 0..4_u64, 1 => number()]
}

fn rest() -> impl Strategy<Value = Vec<u8>> {
    vec(prop_oneof![300 => Just(0), 3 => 0..4_u8, 1 => any::<u8>()], 0..200)
}

/// A head that may announce anything, and a little of the content.
fn spec_promise() -> impl Strategy<Value = Vec<u8>> {
    let sizes = [(); 3].map(|()| small());
    (0..5_u32, 0..4_u32, sizes, rest()).prop_map(|(task, sandbox, sizes, rest)| {
        let mut bytes = b"AmzS".to_vec();
        bytes.extend([task, sandbox, 1].map(u32::to_le_bytes).concat());
        bytes.extend([1; 16]);
        bytes.extend(sizes.iter().flat_map(|&size| (size as u32).to_le_bytes()));
        assert_eq!(bytes.len(), SPEC_HEAD_LEN);
        bytes.extend(rest);
        bytes
    })
}

fn game_promise() -> impl Strategy<Value = Vec<u8>> {
    let sizes = [(); 5].map(|()| small());
    (0..3_u32, sizes, rest()).prop_map(|(abi_id, sizes, rest)| {
        let mut bytes = b"AmzG".to_vec();
        bytes.extend(abi_id.to_le_bytes());
        bytes.extend([1; 8]);
        bytes.extend(sizes[..3].iter().flat_map(|&size| (size as u32).to_le_bytes()));
        bytes.extend(sizes[3..].iter().flat_map(|size| size.to_le_bytes()));
        bytes.extend(0_u64.to_le_bytes());
        assert_eq!(bytes.len(), GAME_HEAD_LEN);
        bytes.extend(rest);
        bytes
    })
}

#[test]
fn promises_take_no_memory() {
    check("process promises", CASES, &spec_promise(), |bytes| judge_spec(&bytes));
    check("game promises", CASES, &game_promise(), |bytes| judge_game(&bytes));
}

#[test]
fn noise_is_refused_or_a_set_up() {
    check("set-up noise", CASES, &vec(any::<u8>(), 0..256), |bytes| {
        judge_spec(&bytes)?;
        judge_game(&bytes)
    });
}

#[test]
fn set_ups_survive_damage() {
    check("damaged processes", CASES, &(spec(), mutations(b"")), |(spec, damage)| {
        let bytes = spec.encode();
        prop_assert_eq!(ProcessSpec::read(&bytes[..]).ok(), Some(spec));
        judge_spec(&mutated(&bytes, &damage))
    });
    check("damaged games", CASES, &(game(), mutations(b"")), |(game, damage)| {
        let bytes = encode(&game);
        prop_assert_eq!(SetUp::read(&bytes[..]).ok(), Some(game));
        judge_game(&mutated(&bytes, &damage))
    });
}

#[test]
fn offsets_start_at_zero() {
    check("shifted games", CASES / 4, &(game(), 1..1000_i32), |(game, shift)| {
        let mut bytes = encode(&game);
        let rows = game.matrix.rows();
        // Behind the offsets there is nothing but an index and a label for each entry.
        let start = bytes.len() - 8 * game.matrix.nnz() - 4 * (rows + 1);
        for (at, offset) in game.matrix.proper_indptr().iter().enumerate() {
            bytes[start + 4 * at..][..4].copy_from_slice(&(offset + shift).to_le_bytes());
        }
        prop_assert!(SetUp::read(&bytes[..]).is_err());
        Ok(())
    });
}
