//! Many connections, and clients that do not read: memory, descriptors and threads afterwards as before.

use std::net::Shutdown;

use amazons_testing::wait_or_tell;
use rustix::process::{Resource, Rlimit, Signal, getrlimit, setrlimit};

use super::server::{Client, Server};
use crate::support::TemporaryFile;

/// Kibibytes by which memory may differ from wave to wave: a leak of 100 bytes a connection shows among thousands.
const SETTLED: usize = 1024;

/// An allocator whose free memory lies in pieces needs some waves until it finds room for the next one.
const MAX_WAVES: usize = 10;

/// Waits until the server has as many descriptors and threads as before; returns what it uses then.
fn settled(server: &Server, before: [usize; 3]) -> [usize; 3] {
    let look = || Some(server.resources()).filter(|now| now[..2] == before[..2]);
    wait_or_tell(look, || format!("descriptors and threads as before: {before:?}, not {:?}", server.resources()))
}

/// How many connections this process may have, up to a number.
fn possible(wanted: usize) -> usize {
    let limit = getrlimit(Resource::Nofile);
    let raised = Rlimit { current: limit.maximum, maximum: limit.maximum };
    let current = if setrlimit(Resource::Nofile, raised).is_ok() { limit.maximum } else { limit.current };
    let most = current.map_or(wanted, |most| usize::try_from(most).unwrap_or(wanted));
    wanted.min(most.saturating_sub(500))
}

/// Connections that never say a whole hello, in waves until one needs no more memory than the one before. All of a wave
/// must be there before the first one's time is over, on a busy machine, too.
fn half_open(wanted: usize, time: &str) {
    let count = possible(wanted) / 2 * 2;
    println!("{count} connections");
    let tables = (count / 2).to_string();
    let args = ["1", "-n", "2", "--tables", &tables, "--wait", "0", "--timeout", time, "--quiet", "--json"];
    let server = Server::start(&args);
    let before = server.resources();
    let mut after_waves: Vec<[usize; 3]> = Vec::new();
    let has_settled = |waves: &[[usize; 3]]| matches!(waves, [.., before, last] if last[2] < before[2] + SETTLED);
    while !has_settled(&after_waves) && after_waves.len() < MAX_WAVES {
        let mut clients: Vec<Client> = (0..count).map(|_| server.connect()).collect();
        // All seats are taken.
        server.connect().hears_end();
        for (number, client) in clients.iter_mut().enumerate() {
            match number % 3 {
                0 => client.says("B half"),
                1 => client.stream().shutdown(Shutdown::Write).expect("a connection"),
                _ => {}
            }
        }
        for (number, mut client) in clients.into_iter().enumerate() {
            if number % 4 == 3 {
                client.reset();
                continue;
            }
            assert!(client.line().is_some_and(|line| line.starts_with("B ")));
            // In framing auto, what never ends is a hello after a silence; its seat is kept until the client leaves.
            if number % 3 == 0 {
                continue;
            }
            client.hears("E 101");
            client.hears_end();
        }
        after_waves.push(settled(&server, before));
    }
    println!("before {before:?}, after each wave {after_waves:?}: descriptors, threads, KiB");
    assert!(has_settled(&after_waves), "{after_waves:?}");
    // Whoever comes now finds a table.
    let mut clients: [Client; 2] = server.table();
    clients[1].line().expect("a hand");
    clients[0].line().expect("a hand");
    clients[0].hears("T");
    clients[0].says("H 0 3 9\n");
    clients[0].hears("E 201");
    clients.iter_mut().skip(1).for_each(|client| client.hears("E 201"));
    server.signal(Signal::INT);
    assert_eq!(server.finish().status, Some(130));
}

#[test]
fn hundreds_of_half_open_connections() {
    half_open(300, "3s");
}

/// A table whose third player never reads, and is out, while the others go on for a long time.
#[test]
fn a_client_that_never_reads() {
    let deals = TemporaryFile::new();
    std::fs::write(&deals.0, "2 5 10 | 0 4 8 | 1 6 9 | 3 7 11\n").expect("a temporary file");
    for mode in ["abort", "forfeit"] {
        let args = ["1", "-n", "3", "--deals", deals.name(), "--limit", "1000000", "--on-error", mode, "--json"];
        let args = [&args[..], &["--timeout", "10s"]].concat();
        let server = Server::start(&args);
        let mut clients: [Client; 3] = server.table();
        clients[0].hears("C 0 4 8;T");
        clients[0].says("H 0 5 10\n");
        clients[1].hears("C 1 6 9;H 0 5 10");
        // Its turn is the first thing that it does not read.
        clients[0].hears("P 1;P 2;M");
        clients[1].hears("P 1;P 2;M;T");
        clients[1].says("H 2 5 9\n");
        clients[0].hears("H 2 5 9;P 2;P 0;M");
        let [mut first, mut second, mut idle] = clients;
        rustix::net::sockopt::set_socket_recv_buffer_size(idle.stream(), 4096).expect("a socket");
        idle.hears("C 3 7 11;H 0 5 10;P 1;P 2;M;H 2 5 9;P 2;P 0;M;T");
        idle.says("A 0 4 8\n");
        // It is out now, holds none of the cards, and reads nothing any more.
        first.hears("T");
        let (mut turns, mut is_over) = (0, false);
        while !is_over {
            // Each reads only when it is asked: lines to the others may be sent a little later.
            first.says("H 0 5 10\n");
            second.hears("P 2;P 0;M;H 0 5 10;P 1;P 2;M;T");
            second.says("H 2 5 9\n");
            first.hears("P 1;P 2;M;H 2 5 9;P 2;P 0;M;T");
            turns += 2;
            is_over = turns % 500 == 0 && {
                server.signal(Signal::USR1);
                !server.await_log(" slow,", 1).contains(" 0 slow,")
            };
            assert!(turns < 400_000, "its queue has grown without a limit");
        }
        println!("{mode}: closed after at most {turns} turns, {} KiB", server.resources()[2]);
        first.says("A 2 5 10\n");
        first.hears("F 0");
        second.hears("P 2;P 0;M;F 0");
        first.hears_end();
        assert_eq!(server.finish().gains(3), [[1, 0, 0]]);
    }
}

/// Heavy: needs thousands of descriptors.
mod long {
    use super::*;

    #[test]
    fn ten_thousand_half_open_connections() {
        half_open(10_000, "8s");
    }
}
