//! The set-up message: refused, or read for what it is, and never with more memory than it is long.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

use amazons::host::{ProcessSpec, SandboxMode, SetUp, Task};
use amazons_player::GraphFields;
use amazons_rules::Directions;
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

/// The message's fixed part.
const HEAD_LEN: usize = 92;

fn encode(set_up: &SetUp) -> Vec<u8> {
    SetUp::encode(&set_up.orders, set_up.matrix.view(), set_up.queens.each_ref().map(Vec::as_slice))
}

fn judge(bytes: &[u8]) -> TestCaseResult {
    let (read, memory) = largest(|| SetUp::read(bytes));
    prop_assert!(memory <= 16 * bytes.len() + SLACK, "{} bytes at once for a message of {}", memory, bytes.len());
    if let Ok(read) = read {
        let written = encode(&read);
        prop_assert_eq!(bytes.get(..written.len()), Some(&written[..]));
    }
    Ok(())
}

fn text() -> impl Strategy<Value = OsString> {
    vec(any::<u8>(), 0..20).prop_map(OsString::from_vec)
}

fn orders() -> impl Strategy<Value = ProcessSpec> {
    let texts = (text(), vec(text(), 0..3), vec(text().prop_map(PathBuf::from), 0..3));
    let task = prop_oneof![
        Just(Task::Play),
        (any::<u32>(), 0..3).prop_map(|(num_vertices, sptype)| Task::PlayForeign(GraphFields { num_vertices, sptype })),
        vec(any::<u64>(), 1..5).prop_map(Task::Locate),
        vec(text(), 1..4).prop_map(Task::Run)
    ];
    let sandbox = select(&[SandboxMode::Strict, SandboxMode::Auto, SandboxMode::Off][..]);
    (texts, task, sandbox, 0..2_u32, any::<u32>(), any::<[u64; 3]>()).prop_map(
        |((path, environment, allow_read), task, sandbox, abi_id, threads, [seed, log_limit, data_limit])| {
            let path = path.into();
            ProcessSpec { path, task, abi_id, seed, environment, sandbox, allow_read, threads, log_limit, data_limit }
        },
    )
}

fn set_up() -> impl Strategy<Value = SetUp> {
    let board = board_spec().prop_map(|spec: BoardSpec| {
        let board = spec.build();
        (board.matrix(Directions::Ring), board.starting_queens())
    });
    let queens = || vec(any::<u32>(), 0..5);
    let other = (entries(), queens(), queens()).prop_map(|(matrix, one, two)| (matrix, [one, two]));
    (orders(), prop_oneof![1 => board, 3 => other]).prop_map(|(orders, (matrix, queens))| SetUp {
        orders,
        matrix,
        queens,
    })
}

/// A head that may promise anything, and a little of what it promises.
fn promise() -> impl Strategy<Value = Vec<u8>> {
    let small = || prop_oneof![9 => Just(0), 12 => 0..4_u64, 1 => number()];
    let sizes = [(); 9].map(|()| small());
    let rest = vec(prop_oneof![300 => Just(0), 3 => 0..4_u8, 1 => any::<u8>()], 0..200);
    (0..3_u32, 0..4_u32, sizes, rest).prop_map(|(abi_id, sandbox, sizes, rest)| {
        let mut bytes = b"AmzS".to_vec();
        bytes.extend(abi_id.to_le_bytes());
        bytes.extend([1; 24]);
        bytes.extend([sandbox, 1].map(u32::to_le_bytes).concat());
        bytes.extend(sizes[..7].iter().flat_map(|&size| (size as u32).to_le_bytes()));
        bytes.extend(sizes[7..].iter().flat_map(|size| size.to_le_bytes()));
        bytes.extend(0_u64.to_le_bytes());
        assert_eq!(bytes.len(), HEAD_LEN);
        bytes.extend(rest);
        bytes
    })
}

#[test]
fn promises_take_no_memory() {
    check("set-up promises", CASES, &promise(), |bytes| judge(&bytes));
}

#[test]
fn noise_is_refused_or_a_set_up() {
    check("set-up noise", CASES, &vec(any::<u8>(), 0..256), |bytes| judge(&bytes));
}

#[test]
fn set_ups_survive_damage() {
    check("damaged set-ups", CASES, &(set_up(), mutations(b"")), |(set_up, damage)| {
        let bytes = encode(&set_up);
        prop_assert_eq!(SetUp::read(&bytes[..]).ok(), Some(set_up));
        judge(&mutated(&bytes, &damage))
    });
}

#[test]
fn offsets_start_at_zero() {
    check("shifted set-ups", CASES / 4, &(set_up(), 1..1000_i32), |(set_up, shift)| {
        let mut bytes = encode(&set_up);
        let rows = set_up.matrix.rows();
        // Behind the offsets there is nothing but an index and a label for each entry.
        let start = bytes.len() - 8 * set_up.matrix.nnz() - 4 * (rows + 1);
        for (at, offset) in set_up.matrix.proper_indptr().iter().enumerate() {
            bytes[start + 4 * at..][..4].copy_from_slice(&(offset + shift).to_le_bytes());
        }
        prop_assert!(SetUp::read(&bytes[..]).is_err());
        Ok(())
    });
}
