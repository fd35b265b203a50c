//! Frames: only written frames are read.

use amazons::host::frame::{CallOutcome, FrameError, REPLY_LEN, REQUEST_LEN, Reply, Request, TEXT_MAX};
use amazons::referee::Call;
use amazons_rules::Move;
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

const ROUNDS: usize = 20_000;
const CALLS: [Call; 5] = [Call::Load, Call::Initialize, Call::Name, Call::Play, Call::Finalize];

fn seeded(test: &str) -> Xoshiro256PlusPlus {
    let seed = 20_260_101;
    println!("{test}: seed {seed}");
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

fn random_move(rng: &mut impl Rng) -> Move {
    Move { from: rng.random(), to: rng.random(), arrow: rng.random() }
}

fn random_request(rng: &mut impl Rng) -> Request {
    let call = CALLS[rng.random_range(0..CALLS.len())];
    let previous = (call == Call::Play && rng.random()).then(|| random_move(rng));
    Request { sequence: rng.random(), call, previous }
}

fn random_reply(rng: &mut impl Rng) -> Reply {
    let (call, outcome) = match rng.random_range(0..7) {
        0 => (Call::Load, CallOutcome::Done),
        1 => (Call::Load, CallOutcome::Failed(rng.random())),
        2 => (Call::Initialize, CallOutcome::Done),
        3 => (Call::Name, CallOutcome::Named),
        4 => (Call::Name, CallOutcome::Unnamed),
        5 => (Call::Play, CallOutcome::Played(random_move(rng), rng.random())),
        _ => (Call::Finalize, CallOutcome::Finalized(rng.random())),
    };
    let mut text = Vec::new();
    if matches!(outcome, CallOutcome::Named | CallOutcome::Played(..) | CallOutcome::Failed(_)) {
        text.resize(rng.random_range(0..=TEXT_MAX), 0);
        rng.fill_bytes(&mut text);
    }
    Reply { sequence: rng.random(), call, outcome, text }
}

#[test]
fn frames_fit_in_one_atomic_write() {
    // POSIX promises 512 bytes; Linux has 4096.
    const { assert!(REQUEST_LEN <= 512 && REPLY_LEN <= 512) };
}

#[test]
fn requests_survive_the_way() {
    let mut rng = seeded("requests_survive_the_way");
    for _ in 0..ROUNDS {
        let request = random_request(&mut rng);
        assert_eq!(Request::decode(&request.encode()), Ok(request));
    }
}

#[test]
fn replies_survive_the_way() {
    let mut rng = seeded("replies_survive_the_way");
    for _ in 0..ROUNDS {
        let reply = random_reply(&mut rng);
        assert_eq!(Reply::decode(&reply.encode()).as_ref(), Ok(&reply));
    }
}

#[test]
fn a_frame_has_only_one_spelling() {
    let mut rng = seeded("a_frame_has_only_one_spelling");
    let mut accepted = 0;
    for _ in 0..ROUNDS {
        let mut request = random_request(&mut rng).encode();
        request[rng.random_range(0..REQUEST_LEN)] ^= 1 << rng.random_range(0..8);
        if let Ok(read) = Request::decode(&request) {
            assert_eq!(read.encode(), request);
            accepted += 1;
        }
        let mut reply = random_reply(&mut rng).encode();
        reply[rng.random_range(0..REPLY_LEN)] ^= 1 << rng.random_range(0..8);
        if let Ok(read) = Reply::decode(&reply) {
            assert_eq!(read.encode(), reply);
            accepted += 1;
        }
    }
    // Numbers and names may change into others; if nothing were accepted, the loop would have shown nothing.
    assert!(accepted > ROUNDS / 100, "{accepted} of {} were read", 2 * ROUNDS);
}

#[test]
fn noise_is_no_frame() {
    let mut rng = seeded("noise_is_no_frame");
    for _ in 0..ROUNDS {
        let mut noise = [0; REPLY_LEN];
        rng.fill_bytes(&mut noise);
        assert_eq!(Reply::decode(&noise), Err(FrameError::Magic));
        assert_eq!(Request::decode(&noise[..REQUEST_LEN]), Err(FrameError::Magic));
    }
}

#[test]
fn noise_behind_the_first_bytes_never_panics() {
    let mut rng = seeded("noise_behind_the_first_bytes_never_panics");
    let start = Reply { sequence: 1, call: Call::Initialize, outcome: CallOutcome::Done, text: Vec::new() }.encode();
    for _ in 0..ROUNDS {
        let mut bytes = start;
        rng.fill_bytes(&mut bytes[4..]);
        assert!(Reply::decode(&bytes).is_err());
    }
}

#[test]
fn every_other_length_is_refused() {
    let request = Request { sequence: 7, call: Call::Play, previous: None }.encode();
    let reply = Reply { sequence: 7, call: Call::Initialize, outcome: CallOutcome::Done, text: Vec::new() }.encode();
    let long = [&reply[..], &reply[..]].concat();
    for len in (0..long.len()).filter(|&len| len != REPLY_LEN) {
        assert_eq!(Reply::decode(&long[..len]), Err(FrameError::Length(len)));
    }
    for len in 0..request.len() {
        assert_eq!(Request::decode(&request[..len]), Err(FrameError::Length(len)));
    }
}

#[test]
fn parts_that_a_frame_does_not_use_must_be_empty() {
    let done = Reply { sequence: 1, call: Call::Initialize, outcome: CallOutcome::Done, text: b"x".into() };
    assert_eq!(Reply::decode(&done.encode()), Err(FrameError::Stray));
    let mut padded = Reply { text: Vec::new(), ..done }.encode();
    padded[REPLY_LEN - 1] = 1;
    assert_eq!(Reply::decode(&padded), Err(FrameError::Stray));
    let previous = Some(Move { from: 1, to: 2, arrow: 3 });
    let request = Request { sequence: 1, call: Call::Name, previous };
    assert_eq!(Request::decode(&request.encode()), Err(FrameError::Stray));
}

#[test]
fn outcomes_belong_to_their_calls() {
    for call in CALLS {
        let played = CallOutcome::Played(Move { from: 1, to: 2, arrow: 3 }, 4);
        let answers = [CallOutcome::Done, played, CallOutcome::Named, CallOutcome::Unnamed, CallOutcome::Failed(6)];
        for outcome in answers.into_iter().chain([CallOutcome::Finalized(5)]) {
            let reply = Reply { sequence: 1, call, outcome, text: Vec::new() };
            let fits = match outcome {
                CallOutcome::Done => matches!(call, Call::Load | Call::Initialize),
                CallOutcome::Finalized(_) => call == Call::Finalize,
                CallOutcome::Played(..) => call == Call::Play,
                CallOutcome::Named | CallOutcome::Unnamed => call == Call::Name,
                CallOutcome::Failed(_) => call == Call::Load,
            };
            assert_eq!(Reply::decode(&reply.encode()).is_ok(), fits, "{reply:?}");
        }
    }
}

#[test]
fn a_text_cannot_be_longer_than_its_frame() {
    let name = Reply { sequence: 1, call: Call::Name, outcome: CallOutcome::Named, text: vec![b'x'; 1000] };
    let bytes = name.encode();
    assert_eq!(Reply::decode(&bytes).map(|reply| reply.text.len()), Ok(TEXT_MAX));
    let mut lying = bytes;
    let len = REPLY_LEN - TEXT_MAX - 8;
    lying[len..len + 4].copy_from_slice(&u32::MAX.to_le_bytes());
    assert_eq!(Reply::decode(&lying), Err(FrameError::TextLength(u32::MAX)));
}

#[test]
fn an_answer_belongs_to_its_request() {
    let reply = Reply { sequence: 4, call: Call::Name, outcome: CallOutcome::Unnamed, text: Vec::new() };
    assert_eq!(reply.check(4, Call::Name), Ok(()));
    let stale = FrameError::Sequence { expected: 5, got: 4 };
    assert_eq!(reply.check(5, Call::Name), Err(stale));
    let other = FrameError::OtherCall { expected: Call::Play, got: Call::Name };
    assert_eq!(reply.check(4, Call::Play), Err(other));
}
