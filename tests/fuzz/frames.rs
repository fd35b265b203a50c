//! Frames: whatever is read is written again as the same bytes.

use std::ops::Range;

use amazons::host::frame::{CallOutcome, REPLY_LEN, REQUEST_LEN, Reply, Request, TEXT_MAX};
use amazons::referee::Call;
use amazons_rules::Move;
use amazons_sandbox::{NOTICE_LEN, Notice, NoticeKind};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::TestCaseResult;

use super::check;
use super::mutation::{mutated, mutations};

const CASES: u32 = 8000;

fn any_move() -> impl Strategy<Value = Move> {
    let vertex = || prop_oneof![any::<u32>(), 0..100_u32, Just(u32::MAX)];
    (vertex(), vertex(), vertex()).prop_map(|(from, to, arrow)| Move { from, to, arrow })
}

/// A move that a frame distinguishes from no move.
fn told_move() -> impl Strategy<Value = Move> {
    any_move().prop_filter("this is how frames write no move", |mv| [mv.from, mv.to, mv.arrow] != [u32::MAX; 3])
}

fn request() -> impl Strategy<Value = Request> {
    let other = select(&[Call::Load, Call::Initialize, Call::Name, Call::Finalize][..]).prop_map(|call| (call, None));
    let play = proptest::option::of(told_move()).prop_map(|previous| (Call::Play, previous));
    (any::<u64>(), prop_oneof![other, play]).prop_map(|(sequence, (call, previous))| Request {
        sequence,
        call,
        previous,
    })
}

fn reply() -> impl Strategy<Value = Reply> {
    let text = || vec(any::<u8>(), 0..=TEXT_MAX);
    let bare = |call, outcome| Just((call, outcome, Vec::new())).boxed();
    let content = prop_oneof![
        bare(Call::Load, CallOutcome::Done),
        bare(Call::Initialize, CallOutcome::Done),
        any::<u32>().prop_map(|kept| (Call::Finalize, CallOutcome::Finalized(kept), Vec::new())),
        bare(Call::Name, CallOutcome::Unnamed),
        (any::<u32>(), text()).prop_map(|(missing, text)| (Call::Load, CallOutcome::Failed(missing), text)),
        text().prop_map(|text| (Call::Name, CallOutcome::Named, text)),
        (any_move(), any::<u32>(), text()).prop_map(|(mv, value, text)| (
            Call::Play,
            CallOutcome::Played(mv, value),
            text
        )),
    ];
    (any::<u64>(), content).prop_map(|(sequence, (call, outcome, text))| Reply { sequence, call, outcome, text })
}

fn judge_request(bytes: &[u8]) -> TestCaseResult {
    if let Ok(request) = Request::decode(bytes) {
        prop_assert_eq!(&request.encode()[..], bytes);
    }
    Ok(())
}

fn judge_reply(bytes: &[u8]) -> TestCaseResult {
    if let Ok(reply) = Reply::decode(bytes) {
        prop_assert_eq!(&reply.encode()[..], bytes);
    }
    Ok(())
}

/// Bytes that get past the first checks: fields where a frame has them, each with a likely number or any.
fn noise(magic: [u8; 4], len: usize) -> impl Strategy<Value = Vec<u8>> {
    let word = || prop_oneof![6 => Just(u32::MAX), 2 => Just(0), 1 => any::<u32>()];
    let mostly = |usual: Range<u32>| prop_oneof![12 => usual, 1 => any::<u32>()];
    let words = (mostly(0..9), word(), word(), [word(), word(), word()], mostly(0..10), mostly(0..3), mostly(0..1));
    let rest = vec(prop_oneof![600 => Just(0), 1 => any::<u8>()], len);
    let fields =
        (words, rest).prop_map(move |((topic, low, high, [from, to, arrow], status, text, reserved), rest)| {
            let mut bytes = magic.to_vec();
            let request = [topic, low, high, from, to, arrow];
            bytes.extend(request.into_iter().flat_map(u32::to_le_bytes));
            if len == REPLY_LEN {
                bytes.extend([status, text, reserved].into_iter().flat_map(u32::to_le_bytes));
            }
            bytes.extend(rest);
            bytes.truncate(len);
            bytes
        });
    prop_oneof![4 => fields, 1 => vec(any::<u8>(), 0..len + 9)]
}

#[test]
fn noise_is_refused_or_a_request() {
    check("request noise", CASES, &noise(*b"AmzQ", REQUEST_LEN), |bytes| judge_request(&bytes));
}

#[test]
fn noise_is_refused_or_a_reply() {
    check("reply noise", CASES / 4, &noise(*b"AmzA", REPLY_LEN), |bytes| judge_reply(&bytes));
}

#[test]
fn requests_survive_damage() {
    check("damaged requests", CASES, &(request(), mutations(b"")), |(request, damage)| {
        prop_assert_eq!(Request::decode(&request.encode()), Ok(request));
        judge_request(&mutated(&request.encode(), &damage))
    });
}

#[test]
fn replies_survive_damage() {
    check("damaged replies", CASES / 4, &(reply(), mutations(b"")), |(reply, damage)| {
        let bytes = reply.encode();
        prop_assert_eq!(Reply::decode(&bytes), Ok(reply));
        judge_reply(&mutated(&bytes, &damage))
    });
}

fn notice() -> impl Strategy<Value = Notice> {
    const KINDS: [NoticeKind; 5] =
        [NoticeKind::Ready, NoticeKind::Refused, NoticeKind::Failed, NoticeKind::NotRun, NoticeKind::Located];
    (select(&KINDS[..]), vec(any::<u8>(), 0..=NOTICE_LEN - 12)).prop_map(|(kind, text)| Notice { kind, text })
}

fn judge_notice(bytes: &[u8]) -> TestCaseResult {
    if let Some(notice) = Notice::decode(bytes) {
        prop_assert_eq!(&notice.encode()[..], bytes);
    }
    Ok(())
}

#[test]
fn noise_is_refused_or_a_notice() {
    let rest = vec(prop_oneof![300 => Just(0), 1 => any::<u8>()], NOTICE_LEN - 12);
    let noise = (0..8_u32, prop_oneof![0..8_u32, any::<u32>()], rest)
        .prop_map(|(kind, len, rest)| [&b"AmzN"[..], &kind.to_le_bytes(), &len.to_le_bytes(), &rest].concat());
    check("notice noise", CASES / 4, &noise, |bytes| judge_notice(&bytes));
}

#[test]
fn notices_survive_damage() {
    check("damaged notices", CASES / 4, &(notice(), mutations(b"")), |(notice, damage)| {
        prop_assert_eq!(Notice::decode(&notice.encode()), Some(notice.clone()));
        judge_notice(&mutated(&notice.encode(), &damage))
    });
}
