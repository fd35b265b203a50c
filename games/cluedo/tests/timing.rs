//! Tests of time: the harness runs them alone, one by one, and tries them again.

use std::time::Duration;

use amazons_testing::let_pass;
use rustix::process::Signal;

use crate::line::server::{Client, Server};

#[test]
fn what_arrives_while_the_server_sleeps_is_in_time() {
    let server = Server::of_session(&["--json", "--timeout", "1s"]);
    let mut clients: [Client; 3] = server.table();
    clients[0].hears("C 0 4 8;T");
    server.signal(Signal::STOP);
    clients[0].says("H 1 4 8\n");
    let_pass(Duration::from_millis(1100));
    server.signal(Signal::CONT);
    clients[1].hears("C 1 6 9;H 1 4 8;C");
    drop(clients);
    assert_eq!(server.finish().gains(3).iter().flatten().min(), Some(&-1), "whoever is asked has left");
}

/// Heavy: launchers take seconds.
mod long {
    use std::time::Instant;

    use amazons_launchers::{Mpi, ranks_of, ticks};
    use amazons_testing::output_of;

    use super::*;
    use crate::play::first_turn;
    use crate::support::{PROGRAM, TemporaryFile};

    #[test]
    fn ranks_sleep_while_a_person_thinks() {
        for mpi in Mpi::installed() {
            let record = TemporaryFile::new();
            let args = ["play", "--seed", "1", "--ais", "5", "--type", "0", "--record", record.name()];
            let child = first_turn(mpi, 6, &args);
            let ranks = ranks_of(&child, PROGRAM);
            assert_eq!(ranks.len(), 6, "{}", mpi.program);
            let measure = || ranks.iter().map(|&id| ticks(id) as f64 / 100.0).collect::<Vec<_>>();
            let (begun, before) = (Instant::now(), measure());
            let_pass(Duration::from_secs(5));
            let (after, seconds) = (measure(), begun.elapsed().as_secs_f64());
            let shares: Vec<f64> =
                before.iter().zip(&after).map(|(before, after)| (after - before) / seconds).collect();
            println!("{}: shares of a core: {shares:.3?}", mpi.program);
            // The aim is 2 %; a launcher's own threads on a busy machine may take a little more.
            assert!(shares.iter().all(|&share| share < 0.05), "{}: {shares:?}", mpi.program);
            assert_eq!(output_of(child).status.code(), Some(0), "{}", mpi.program);
        }
    }
}
