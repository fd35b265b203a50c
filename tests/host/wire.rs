//! Hostile players that speak the host's own protocol: frames written by the player itself.

use std::fmt::Write;

use amazons::host::frame::{CallOutcome, Reply};
use amazons::referee::{Call, Seat, Termination};
use amazons_rules::Move;

use super::rig::{Source, fault};

/// The number of the first `play`, after load and initialize.
const FIRST_PLAY: u64 = 3;

const FORGED: Move = Move { from: 11, to: 12, arrow: 13 };

/// C code that writes one reply to every descriptor but the standard ones.
fn forge(sequence: u64) -> String {
    let reply = Reply { sequence, call: Call::Play, outcome: CallOutcome::Played(FORGED, 0), text: Vec::new() };
    let bytes = reply.encode();
    let mut code = format!("static const unsigned char frame[{}] = {{", bytes.len());
    for byte in bytes {
        write!(code, "{byte},").expect("strings take everything");
    }
    code + "}; for (int fd = 3; fd < 64; fd++) if (write(fd, frame, sizeof frame) < 0) continue;"
}

#[test]
fn a_reply_that_is_complete_counts_even_if_the_process_dies_right_after() {
    let mut seat = Source::new().play(&(forge(FIRST_PLAY) + "abort();")).build().ready();
    assert_eq!(seat.play(None).expect("the answer was complete").value, FORGED);
    let fault = fault(seat.play(None));
    assert_eq!((fault.termination, fault.signal), (Termination::Crash, Some(libc::SIGABRT)));
}

#[test]
fn an_answer_given_twice_damages_the_connection() {
    let body = forge(FIRST_PLAY) + "return (struct move_t){1, 2, 3};";
    let mut seat = Source::new().play(&body).build().ready();
    assert_eq!(seat.play(None).expect("the first of the two counts").value, FORGED);
    let fault = fault(seat.play(None));
    assert_eq!(fault.termination, Termination::ProtocolError);
    assert!(fault.detail.contains("an answer to request 3 instead of 4"), "{}", fault.detail);
}

#[test]
fn an_answer_given_in_advance_damages_the_connection() {
    let body = forge(FIRST_PLAY + 1) + "return (struct move_t){1, 2, 3};";
    let mut seat = Source::new().play(&body).build().ready();
    let fault = fault(seat.play(None));
    assert_eq!(fault.termination, Termination::ProtocolError);
}

#[test]
fn garbage_on_every_descriptor_damages_the_connection() {
    let body = "static char junk[512] = \"AmzA\";
        for (int fd = 0; fd < 256; fd++) if (write(fd, junk, sizeof junk) < 0) continue;
        return previous;";
    let mut seat = Source::new().play(body).build().ready();
    assert_eq!(fault(seat.play(None)).termination, Termination::ProtocolError);
}

#[test]
fn a_few_bytes_damage_the_connection() {
    let body = "for (int fd = 3; fd < 64; fd++) if (write(fd, \"?\", 1) < 0) continue; return previous;";
    let mut seat = Source::new().play(body).build().ready();
    assert_eq!(fault(seat.play(None)).termination, Termination::ProtocolError);
}

#[test]
fn eating_the_requests_is_no_answer() {
    // The player takes the next request off the pipe before the host can.
    let top = "static void *eat(void *unused) { char request[32]; for (;;) \
               for (int fd = 3; fd < 8; fd++) if (read(fd, request, sizeof request) > 0) _exit(7); return unused; }";
    let body = "static pthread_t thread; if (!thread) pthread_create(&thread, NULL, eat, NULL); return previous;";
    let mut seat = Source::new().top(top).play(body).build().threaded().ready();
    // The thread and the host take turns in no particular order, but the thread's turn comes.
    let end = (0..100_000).map(|_| seat.play(None)).find(Result::is_err);
    let fault = fault(end.expect("the player ends its process"));
    assert_eq!((fault.termination, fault.exit_code), (Termination::Exit, Some(7)));
}

#[test]
fn closing_every_descriptor_ends_the_connection() {
    let body = "for (int fd = 0; fd < 256; fd++) close(fd); return previous;";
    let mut seat = Source::new().play(body).build().ready();
    assert_eq!(fault(seat.play(None)).termination, Termination::ProtocolError);
}

#[test]
fn living_on_without_descriptors_ends_the_connection_before_the_deadline() {
    let body = "for (int fd = 0; fd < 256; fd++) close(fd); for (;;) pause();";
    let mut seat = Source::new().play(body).build().ready();
    assert_eq!(fault(seat.play(None)).termination, Termination::ProtocolError);
}
