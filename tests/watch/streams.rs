//! Running games.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;

use amazons::record::Record;
use amazons::referee::{Event, Observer};
use amazons::watch::{Access, Broadcast, ServerLimits, Site, Viewer, WatchedGame};
use amazons_rules::{Position, Shape};
use amazons_testing::wait_until;
use socket::small_window;

use super::{Events, Rig, Sent, connect, get, record, serve};

mod socket {
    use std::net::{SocketAddr, TcpStream};

    use rustix::net::sockopt::set_socket_recv_buffer_size;
    use rustix::net::{AddressFamily, SocketType, connect, socket};

    /// Connects with as small a receive buffer as the kernel allows.
    pub(super) fn small_window(address: SocketAddr) -> TcpStream {
        let socket = socket(AddressFamily::INET, SocketType::STREAM, None).expect("a socket");
        set_socket_recv_buffer_size(&socket, 1).expect("a buffer");
        connect(&socket, &address).expect("a connection");
        TcpStream::from(socket)
    }
}

/// A game that the test plays.
struct Played {
    viewer: Option<Viewer>,
    address: SocketAddr,
    game: Arc<WatchedGame>,
}

impl Played {
    fn new(bounds: ServerLimits) -> Self {
        let game = Arc::new(WatchedGame::new(Arc::new(AtomicUsize::new(0))));
        let site = Site::of_game(Access::Local, "live".to_owned(), Arc::clone(&game), Vec::new(), Default::default());
        let viewer = serve(site, Access::Local, bounds);
        Self { address: viewer.address(), viewer: Some(viewer), game }
    }

    fn append(&self, line: &str) {
        self.game.append([line.as_bytes().to_vec()]);
    }

    fn watch(&self, headers: &str) -> Events {
        Events::open(self.address, "/api/games/live/events", headers)
    }
}

impl Drop for Played {
    fn drop(&mut self) {
        self.viewer.take().expect("stopped once").stop().expect("the viewer had not failed");
    }
}

#[test]
fn a_recorded_game_is_sent_line_by_line_and_ends() {
    let rig = Rig::new();
    let text = record("a", "b", Shape::FigureEight, 8, 5);
    rig.write("a.jsonl", &text.replace('\n', "\r\n"));
    let id = rig.id("a.jsonl");
    let mut events = rig.events(&id, "");
    for (number, line) in text.lines().enumerate() {
        let sent = events.line().expect("a line");
        assert_eq!((sent.id, sent.data.as_str()), (Some(number + 1), line));
    }
    assert_eq!(events.line(), None, "the stream has an end");
    let mut resumed = rig.events(&id, "last-event-id: 3\r\n");
    assert_eq!(resumed.line().expect("a line").id, Some(4));
    let mut after = Events::open(rig.address, &format!("/api/games/{id}/events?after=2"), "");
    assert_eq!(after.line().expect("a line").id, Some(3));
    for nonsense in ["x", "-1", "99999", "18446744073709551615"] {
        let mut again = rig.events(&id, &format!("last-event-id: {nonsense}\r\n"));
        assert_eq!(again.line().expect("a line").id, Some(1), "{nonsense}: from the start");
    }
    assert_eq!(rig.get(&format!("/api/games/{id}/record")).text(), text);
}

#[test]
fn a_game_is_watched_while_it_is_played() {
    let played = Played::new(ServerLimits::default());
    assert_eq!(get(played.address, "/game/live").status, 200, "before it has begun");
    assert_eq!(get(played.address, "/game/dead").status, 404);
    let mut early = played.watch("");
    let text = record("a", "b", Shape::Square, 6, 7);
    let lines: Vec<&str> = text.lines().collect();
    played.append(lines[0]);
    assert_eq!(early.line().expect("a line").data, lines[0]);
    played.append(lines[1]);
    assert_eq!(early.line().expect("a line").data, lines[1]);
    let list = get(played.address, "/api/games").json();
    assert_eq!((&list["playing"]["black"], &list["playing"]["state"]), (&"a".into(), &"live".into()));
    let mut late = played.watch("");
    let mut onlooker = Events::open(played.address, "/api/live", "");
    assert_eq!((late.line().expect("a line").id, late.line().expect("a line").id), (Some(1), Some(2)));
    // A game that has ended before somebody looks is not live.
    for (number, line) in lines[..2].iter().enumerate() {
        assert_eq!(onlooker.line().expect("a line").data, format!("live {}\n{line}", number + 1));
    }
    let mut events = played.watch("last-event-id: 2\r\n");
    let [prints, waited] = [(); 2].map(|()| events.next().expect("an event"));
    assert_eq!((&*prints.name, hours(&waited)), ("prints", 0));
    for line in &lines[2..] {
        played.append(line);
    }
    played.game.close();
    for events in [&mut early, &mut late] {
        for line in &lines[2..] {
            assert_eq!(events.line().expect("a line").data, *line);
        }
        assert_eq!(events.line(), None);
    }
    for (number, line) in lines.iter().enumerate().skip(2) {
        assert_eq!(onlooker.line().expect("a line").data, format!("live {}\n{line}", number + 1));
    }
    let gone = onlooker.next().expect("an event");
    assert_eq!((gone.name.as_str(), gone.data.as_str()), ("gone", "live"));
}

/// The time since the last line.
fn hours(waited: &Sent) -> u64 {
    assert_eq!(waited.name, "waited");
    waited.data.parse::<u64>().expect("milliseconds") / 3_600_000
}

#[test]
fn a_broadcast_is_the_record_and_tells_of_moves_taken_back() {
    let played = Played::new(ServerLimits::default());
    let text = record("a", "b", Shape::Square, 5, 3);
    let told = Record::read(text.as_bytes()).expect("a record");
    let position = told.starting_position().expect("a position");
    let mut events = played.watch("");
    let mut broadcast = Broadcast::new(Arc::clone(&played.game), Access::Local);
    observe_all(&mut broadcast, told, &position);
    broadcast.take_back(3, &position).expect("nothing that could fail");
    drop(broadcast);
    for line in text.lines().chain(["{\"event\":\"take_back\",\"moves\":3}"]) {
        assert_eq!(events.line().expect("a line").data, line);
    }
    assert_eq!(events.line(), None);
}

fn observe_all(observer: &mut dyn Observer, record: Record, position: &Position) {
    let events: Vec<Event> = record.into_events().collect();
    for event in &events {
        observer.observe(event, position).expect("nothing that could fail");
    }
}

#[test]
fn a_file_that_grows_is_followed_to_its_end() {
    let rig = Rig::new();
    let text = record("a", "b", Shape::Donut, 8, 1);
    let lines: Vec<&str> = text.lines().collect();
    let mut file = File::create(rig.path("a.jsonl")).expect("a file");
    write!(file, "{}\n{}\n{}", lines[0], lines[1], &lines[2][..10]).expect("room");
    let now = file.metadata().and_then(|about| about.modified()).expect("a time");
    file.set_modified(now - Duration::from_secs(2 * 3600)).expect("a time");
    let id = rig.id("a.jsonl");
    let mut events = rig.events(&id, "");
    assert_eq!(events.line().expect("a line").data, lines[0]);
    assert_eq!(events.line().expect("a line").data, lines[1]);
    assert_eq!(hours(&events.next().expect("an event")), 2, "half a line is none");
    writeln!(file, "{}", &lines[2][10..]).expect("room");
    assert_eq!(events.line().expect("a line").data, lines[2]);
    assert_eq!(hours(&rig.events(&id, "last-event-id: 3\r\n").next().expect("an event")), 0, "there was news");
    for line in &lines[3..] {
        writeln!(file, "{line}").expect("room");
    }
    for (number, line) in lines.iter().enumerate().skip(3) {
        let sent = events.line().expect("a line");
        assert_eq!((sent.id, sent.data.as_str()), (Some(number + 1), *line));
    }
    assert_eq!(events.line(), None);
}

#[test]
fn a_file_that_is_written_again_begins_again() {
    let rig = Rig::new();
    let first = record("a", "b", Shape::Square, 6, 1);
    let second = record("a", "b", Shape::Square, 6, 2);
    let lines: Vec<&str> = first.lines().collect();
    rig.write("a.jsonl", &format!("{}\n{}\n{}\n", lines[0], lines[1], lines[2]));
    let id = rig.id("a.jsonl");
    let mut events = rig.events(&id, "");
    for line in &lines[..3] {
        assert_eq!(events.line().expect("a line").data, *line);
    }
    // A move was taken back and another played: the file is no shorter.
    let other: Vec<&str> = second.lines().collect();
    rig.write("a.jsonl", &format!("{}\n{}\n{}\n{}\n", other[0], other[1], other[2], other[3]));
    for line in &other[..4] {
        assert_eq!(events.line().expect("a line").data, *line);
    }
    // The game was void and is played again.
    rig.write("a.jsonl", &format!("{}\n", lines[0]));
    assert_eq!(events.line().expect("a line").data, lines[0]);
    rig.write("a.jsonl", &first);
    for line in &lines[1..] {
        assert_eq!(events.line().expect("a line").data, *line);
    }
    assert_eq!(events.line(), None);
}

#[test]
fn after_a_void_game_another_may_follow() {
    let rig = Rig::new();
    let text = record("a", "b", Shape::Square, 6, 1);
    let void = r#"{"event":"end","winner":null,"termination":"void","moves":0,"position":"","hash":"","detail":"x"}"#;
    let start = text.lines().next().expect("a line");
    rig.write("a.jsonl", &format!("{start}\n{void}\n"));
    let id = rig.id("a.jsonl");
    let mut events = rig.events(&id, "");
    assert_eq!(events.line().expect("a line").data, start);
    assert_eq!(events.line().expect("a line").data, void);
    let mut file = File::options().append(true).open(rig.path("a.jsonl")).expect("a file");
    file.write_all(text.as_bytes()).expect("room");
    for line in text.lines() {
        assert_eq!(events.line().expect("a line").data, line);
    }
    assert_eq!(events.line(), None);
    // The last game counts.
    rig.listed("ending=no_moves", 1);
    assert_eq!(rig.get(&format!("/api/games/{id}/as/fen")).status, 200);
}

#[test]
fn a_file_that_goes_ends_the_stream() {
    let rig = Rig::new();
    let text = record("a", "b", Shape::Square, 6, 1);
    rig.write("a.jsonl", &format!("{}\n", text.lines().next().expect("a line")));
    let id = rig.id("a.jsonl");
    let mut events = rig.events(&id, "");
    events.line().expect("a line");
    fs::remove_file(rig.path("a.jsonl")).expect("it was there");
    assert_eq!(events.line(), None);
}

#[test]
fn who_takes_nothing_is_dropped_and_delays_nobody() {
    let played = Played::new(ServerLimits { stall: Duration::from_millis(500), ..ServerLimits::default() });
    let unwatched = Arc::strong_count(&played.game);
    let mut silent = small_window(played.address);
    write!(silent, "GET /api/games/live/events HTTP/1.1\r\nhost: {}\r\n\r\n", played.address).expect("a connection");
    let mut slow = connect(played.address);
    write!(slow, "GET /api/games/live/events HTTP/1.1\r\nhost: {}\r\n\r\n", played.address).expect("a connection");
    let mut quick = played.watch("");
    let line = "x".repeat(10_000);
    for number in 1..=2000 {
        played.append(&line);
        assert_eq!(quick.line().expect("a line").id, Some(number));
        let mut byte = [0];
        slow.read_exact(&mut byte).expect("a byte");
    }
    // The slow one takes nothing any more, either.
    wait_until("the others are dropped", || Arc::strong_count(&played.game) == unwatched + 1);
    // Buffered data may be read; then the connection is closed, long before all lines came.
    let mut got = Vec::new();
    let _ = silent.read_to_end(&mut got);
    assert!(got.len() < 15_000_000, "{} bytes came", got.len());
    played.append("more");
    assert_eq!(quick.line().expect("a line").data, "more");
}

#[test]
fn files_are_followed_only_while_somebody_looks() {
    let rig = Rig::new();
    let text = record("a", "b", Shape::Square, 6, 1);
    let start = format!("{}\n", text.lines().next().expect("a line"));
    rig.write("a.jsonl", &start);
    let folder = amazons::watch::Folder::new(rig.folder.path()).expect("a folder");
    let site = Arc::new(Site::of_folders(Access::Local, vec![folder], Vec::new()));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    runtime.block_on(async {
        let id = site.live().await.pop_first().expect("a live game");
        let game = site.open(&id).await.expect("a game");
        assert!(Arc::ptr_eq(&game, &site.open(&id).await.expect("a game")), "one for all");
        assert_eq!(site.watched(), 1);
        assert!(game.memory() > start.len());
        drop(game);
        assert_eq!(site.watched(), 0);
        let again = site.open(&id).await.expect("a game");
        assert!(again.memory() < 2 * start.len() + 100, "what nobody watches takes no room");
    });
}
