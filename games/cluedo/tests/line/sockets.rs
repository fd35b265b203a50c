//! Every state of a client against every kind of event, over TCP: the code, who hears it, the gain, and the next game
//! played to its end.

use std::net::Shutdown;
use std::time::Duration;

use amazons_testing::let_pass;

use super::server::{Client, Server};

/// What a client does.
#[derive(Clone, Copy, Debug)]
enum Event {
    Says(&'static [u8]),
    Flood,
    Silence,
    Drip,
    HalfLine,
    End,
    HalfClose,
    Reset,
}

/// What comes at once, and is wrong in every state.
const WRONG: [Event; 12] = [
    Event::Says(b"X 1\n"),
    Event::Says(b"H 1 5\n"),
    Event::Says(b"H 1 5 99\n"),
    Event::Says(b"H 1 2 9\n"),
    Event::Says(b"M 99\n"),
    Event::Says(b"H 1 5 9\0\n"),
    Event::Says(b"\0\0\0\n"),
    Event::Says(b"B \xc3\x28\n"),
    Event::Says(b"\xff\xfe\n"),
    // A legal hypothesis of 65 bytes.
    Event::Says(b"H 1 5 00000000000000000000000000000000000000000000000000000000009\n"),
    Event::Says(b"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n"),
    Event::Flood,
];

/// Lines of eight bytes that are a flood if none is asked for: more than 4 KiB.
const FLOOD: usize = 600;

/// As many as make one fault if the first of them answers a request.
const FLOOD_AFTER_ANSWER: usize = 512;

/// What nobody can answer any more.
const LEAVES: [Event; 4] = [Event::HalfLine, Event::End, Event::HalfClose, Event::Reset];

/// Who meets an event: whose turn it is, who is asked for a card, or who watches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Turn,
    Card,
    Watching,
}

/// The clients of a table; nothing where one has left for good.
type Clients = [Option<Client>; 3];

/// The clients of a table, and who meets the event.
type AtEvent = (Clients, usize);

fn server(tables: usize, more: &[&str]) -> Server {
    Server::of_session(&[&["--json", "--tables", &tables.to_string()], more].concat())
}

/// Seats clients and brings the table to a state; returns who meets the event.
fn bring(server: &Server, state: State) -> AtEvent {
    let mut clients: [Client; 3] = server.table();
    for (client, hand) in clients.iter_mut().zip(["C 0 4 8", "C 1 6 9", "C 3 7 11"]) {
        client.hears(hand);
    }
    clients[0].hears("T");
    let seat = match state {
        State::Turn => 0,
        State::Card => {
            clients[0].says("H 1 4 8\n");
            clients[1].hears("H 1 4 8;C");
            clients[2].hears("H 1 4 8");
            1
        }
        State::Watching => 2,
    };
    (clients.map(Some), seat)
}

/// Does it.
fn act(clients: &mut Clients, seat: usize, event: Event, flood: usize) {
    let Some(client) = &mut clients[seat] else { return };
    match event {
        Event::Says(bytes) => client.says(bytes),
        Event::Flood => client.says(b"BBBBBBB\n".repeat(flood)),
        Event::HalfLine => client.says("H 1"),
        Event::HalfClose => client.stream().shutdown(Shutdown::Write).expect("a connection"),
        Event::Silence | Event::Drip | Event::End | Event::Reset => {}
    }
    if matches!(event, Event::HalfLine | Event::End | Event::Reset) {
        let client = clients[seat].take().expect("a client");
        if matches!(event, Event::Reset) {
            client.reset();
        }
    }
}

fn all_hear(clients: &mut Clients, lines: &str) {
    clients.iter_mut().flatten().for_each(|client| client.hears(lines));
}

/// The second game, whose secret is 3 7 11: this seat wins it.
fn win(clients: &mut Clients, seat: usize) {
    let client = clients[seat].as_mut().expect("a client");
    client.hears("T");
    client.says("A 3 7 11\n");
    all_hear(clients, &format!("F {seat}"));
    clients.iter_mut().flatten().for_each(Client::hears_end);
}

fn new_hands(clients: &mut Clients) {
    for (client, hand) in clients.iter_mut().zip(["C 2 6 10", "C 0 4 8", "C 1 5 9"]) {
        client.iter_mut().for_each(|client| client.hears(hand));
    }
}

fn leaves(event: Event) -> bool {
    matches!(event, Event::HalfLine | Event::End | Event::HalfClose | Event::Reset)
}

/// After an event of a seat that makes the game void.
fn void(clients: &mut Clients, seat: usize, event: Event, code: u32) {
    all_hear(clients, &format!("E {code}"));
    if let (Event::Drip, Some(client)) = (event, &mut clients[seat]) {
        // The line that has begun must end before another can be understood.
        client.says("\n");
    }
    if leaves(event) {
        return clients.iter_mut().flatten().for_each(Client::hears_end);
    }
    new_hands(clients);
    win(clients, 0);
}

/// After an event of a seat for which the server plays on.
fn forfeit(clients: &mut Clients, state: State, seat: usize, code: u32) {
    if let Some(mut client) = clients[seat].take() {
        client.hears(&format!("E {code}"));
        client.hears_end();
    }
    let mut says = |seat: usize, hears: &str, line: &str| {
        let client = clients[seat].as_mut().expect("a client");
        client.hears(hears);
        client.says(line);
    };
    let winner = match state {
        State::Turn => {
            says(1, "T", "A 2 5 10\n");
            1
        }
        // The ghost shows the only card that it can.
        State::Card => {
            clients[0].as_mut().expect("a client").hears("M 1 1");
            let client = clients[2].as_mut().expect("a client");
            client.hears("M 1;T");
            client.says("A 2 5 10\n");
            2
        }
        // Its fault is not heard by the seat whose turn it is: it gets no second request.
        State::Watching => {
            clients[0].as_mut().expect("a client").says("A 2 5 10\n");
            0
        }
    };
    all_hear(clients, &format!("F {winner}"));
    new_hands(clients);
    win(clients, usize::from(state == State::Turn));
}

/// Silence and bytes that trickle in end with the deadline, which they do not renew.
#[test]
fn time_is_over() {
    let cells: Vec<(State, Event)> = [State::Turn, State::Card]
        .into_iter()
        .flat_map(|state| [(state, Event::Silence), (state, Event::Drip)])
        .collect();
    // All tables at once: what each hears next is the fault. The time is long enough for a busy machine to seat all of
    // them, and later to play their second games one after the other.
    let mut servers: Vec<(&str, Server, Vec<AtEvent>)> = ["abort", "forfeit"]
        .into_iter()
        .map(|mode| {
            let server = server(4, &["--on-error", mode, "--timeout", "4s"]);
            let tables = cells.iter().map(|&(state, _)| bring(&server, state)).collect();
            (mode, server, tables)
        })
        .collect();
    for _ in 0..20 {
        for (_, _, tables) in &mut servers {
            for ((clients, seat), (_, event)) in tables.iter_mut().zip(&cells) {
                if let (Event::Drip, Some(client)) = (event, &mut clients[*seat]) {
                    client.says("H");
                }
            }
        }
        let_pass(Duration::from_millis(10));
    }
    for (mode, server, mut tables) in servers {
        let mut expected = Vec::new();
        for ((clients, seat), &(state, event)) in tables.iter_mut().zip(&cells) {
            let code = if state == State::Turn { 202 } else { 212 };
            let mut gain = [0; 3];
            gain[*seat] -= 1;
            if mode == "abort" {
                void(clients, *seat, event, code);
                gain[0] += 1;
            } else {
                forfeit(clients, state, *seat, code);
                gain[if state == State::Turn { 1 } else { 2 }] += 1;
                gain[usize::from(state == State::Turn)] += 1;
            }
            expected.push(gain);
        }
        gains(server, &expected);
    }
}

fn gains(server: Server, expected: &[[i64; 3]]) {
    let ended = server.finish();
    for (table, (gains, expected)) in ended.gains(3).iter().zip(expected).enumerate() {
        assert_eq!(gains[..], expected[..], "table {table}: {}", ended.log);
    }
    assert_eq!(ended.gains(3).len(), expected.len());
}

#[test]
fn who_is_asked() {
    for mode in ["abort", "forfeit"] {
        let events = || WRONG.into_iter().chain(LEAVES);
        let server = server(2 * events().count(), &["--on-error", mode, "--framing", "lines"]);
        let mut expected = Vec::new();
        for state in [State::Turn, State::Card] {
            for event in events() {
                let code = if state == State::Turn { 201 } else { 211 } + u32::from(leaves(event));
                let (mut clients, seat) = bring(&server, state);
                act(&mut clients, seat, event, FLOOD_AFTER_ANSWER);
                let mut gain = [0; 3];
                gain[seat] -= 1;
                if mode == "abort" {
                    void(&mut clients, seat, event, code);
                    gain[0] += i64::from(!leaves(event));
                } else {
                    forfeit(&mut clients, state, seat, code);
                    gain[if state == State::Turn { 1 } else { 2 }] += 1;
                    gain[usize::from(state == State::Turn)] += 1;
                }
                expected.push(gain);
            }
        }
        gains(server, &expected);
    }
}

#[test]
fn who_watches() {
    let events = || WRONG.into_iter().chain(LEAVES);
    for mode in ["abort", "forfeit"] {
        let server = server(events().count(), &["--on-error", mode, "--framing", "lines"]);
        let mut expected = Vec::new();
        for event in events() {
            let (mut clients, seat) = bring(&server, State::Watching);
            act(&mut clients, seat, event, FLOOD);
            let is_flood = matches!(event, Event::Flood) || matches!(event, Event::Says(bytes) if bytes.len() > 65);
            if is_flood && mode == "abort" {
                void(&mut clients, seat, event, 201);
                expected.push([1, 0, -1]);
            } else if is_flood {
                forfeit(&mut clients, State::Watching, 2, 201);
                expected.push([2, 0, -1]);
            } else {
                // No line to anybody: the seat whose turn it is goes on.
                if leaves(event) {
                    // Two connections keep no order.
                    server.await_log("seat 2 p2: gone", 1);
                }
                clients[0].as_mut().expect("a client").says("A 2 5 10\n");
                all_hear(&mut clients, "F 0");
                // With a client that has left, a match of void games ends, and the others play on otherwise.
                if leaves(event) && mode == "abort" {
                    clients.iter_mut().flatten().for_each(Client::hears_end);
                    expected.push([1, 0, 0]);
                } else {
                    new_hands(&mut clients);
                    win(&mut clients, 0);
                    expected.push([2, 0, 0]);
                }
            }
        }
        gains(server, &expected);
    }
}

/// Seat 0 wins the first game at once, and the second.
fn play_two_games(clients: &mut Clients) {
    for (client, hand) in clients.iter_mut().zip(["C 0 4 8", "C 1 6 9", "C 3 7 11"]) {
        client.iter_mut().for_each(|client| client.hears(hand));
    }
    clients[0].as_mut().expect("a client").hears("T");
    clients[0].as_mut().expect("a client").says("A 2 5 10\n");
    all_hear(clients, "F 0");
    new_hands(clients);
    win(clients, 0);
}

#[test]
fn who_greets() {
    let events = || WRONG.into_iter().chain(LEAVES);
    let server = server(events().count(), &["--framing", "lines"]);
    for event in events() {
        // The other seats are taken, one by a client that has not said hello yet.
        let mut clients: Clients = std::array::from_fn(|seat| Some(server.seat(seat, 3)));
        clients[1].as_mut().expect("a client").says("B bob\n");
        act(&mut clients, 0, event, FLOOD);
        if let Some(client) = &mut clients[0] {
            client.hears("E 101");
            client.hears_end();
        }
        server.await_log("seat 0 : fault 101", 1);
        // The seat goes to the next comer, and nobody else has noticed.
        clients[0] = Some(server.seat(0, 3));
        clients[0].as_mut().expect("a client").says("B ada\n");
        clients[2].as_mut().expect("a client").says("B cleo\n");
        play_two_games(&mut clients);
    }
    let count = events().count();
    gains(server, &vec![[2, 0, 0]; count]);
}

#[test]
fn who_has_greeted_and_waits() {
    let events = || WRONG.into_iter().chain(LEAVES);
    let server = server(events().count(), &["--framing", "lines"]);
    for event in events() {
        let mut clients: Clients = std::array::from_fn(|seat| Some(server.seat(seat, 3)));
        clients[1].as_mut().expect("a client").says("B bob\n");
        // The second hello shows that the first has been read.
        clients[2].as_mut().expect("a client").says("B cleo\n");
        server.await_log("hello", 2);
        act(&mut clients, 1, event, FLOOD);
        let is_flood = matches!(event, Event::Flood) || matches!(event, Event::Says(bytes) if bytes.len() > 65);
        if is_flood {
            clients[1].as_mut().expect("a client").hears("E 101");
        }
        if is_flood || leaves(event) {
            clients[1].iter_mut().for_each(Client::hears_end);
            server.await_log("seat 1 bob: gone", 1);
            clients[1] = Some(server.seat(1, 3));
            clients[1].as_mut().expect("a client").says("B bob\n");
        }
        clients[0].as_mut().expect("a client").says("B ada\n");
        play_two_games(&mut clients);
    }
    let count = events().count();
    gains(server, &vec![[2, 0, 0]; count]);
}
