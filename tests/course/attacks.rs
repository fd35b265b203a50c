use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use amazons::course::{Arrival, Arrived, CourseError, CourseSite, Rule};
use amazons::watch::Viewer;
use amazons_testing::{let_pass, wait_until};

use super::house::{House, asked, post};
use super::rig::{gz, recipe, tar};
use crate::cli::player;
use crate::support::player_in_c;
use crate::watch::connect;
use crate::watch::crowd::{BOUNDS, fill};

#[test]
fn uploads_that_are_too_large() {
    let house = House::new();
    house.edit("upload-max = \"16M\"", "upload-max = \"64K\"");
    let at = house.start();
    let ada = house.authorization("ada");
    let huge = asked(at.address, "POST /api/submit", &format!("{ada}content-length: 1073741824\r\n"), b"");
    assert_eq!((huge.status, huge.text()), (413, "an upload may have at most 64 KiB\n"));
    let mut chunk = b"10000\r\n".to_vec();
    chunk.extend([b'x'; 0x10000]);
    chunk.extend(b"\r\n");
    let chunks = [&chunk.repeat(4)[..], b"0\r\n\r\n"].concat();
    let chunked = asked(at.address, "POST /api/submit", &format!("{ada}transfer-encoding: chunked\r\n"), &chunks);
    assert_eq!(chunked.status, 413, "counted while it arrives");
    assert_eq!(post(at.address, &ada, b"").status, 400);
    // Programs that send everything before they read are told the reason, too.
    let mut stream = connect(at.address);
    let head = format!("POST /api/submit HTTP/1.1\r\nhost: {}\r\n{ada}content-length: 4194304\r\n\r\n", at.address);
    stream.write_all(head.as_bytes()).expect("a connection");
    stream.write_all(&vec![b'x'; 0x40_0000]).expect("the connection stays");
    let mut answer = [0; 12];
    stream.read_exact(&mut answer).expect("an answer");
    assert_eq!(&answer, b"HTTP/1.1 413");
    assert!(house.team("ada").versions.is_empty());
    assert_eq!(incoming(&house), 0);
}

/// The number of uploads that are on their way.
fn incoming(house: &House) -> usize {
    fs::read_dir(house.dir().join("incoming")).map_or(0, Iterator::count)
}

/// A hall full of idle streams keeps no team from handing in, and not the teacher.
#[test]
fn a_token_gets_a_connection_when_spectators_have_all() {
    let house = House::new();
    let teacher = house.run(&["token"]).out;
    let ladder = house.dir().join("ladder");
    drop(house.start());
    let store = Arc::new(Mutex::new(house.store()));
    let site = Arc::new(CourseSite::new(store, &ladder, "a course").expect("a site"));
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.set_nonblocking(true).expect("it is ours");
    let address = listener.local_addr().expect("an address");
    let server = Viewer::start(listener, site, BOUNDS()).expect("a server");
    let taken = fill(address);
    let ask = |headers: &str| asked(address, "GET /api/team", headers, b"").status;
    assert_eq!(ask(""), 503);
    assert_eq!(ask("authorization: Bearer 0\r\n"), 503, "a wrong token gets no connection");
    assert_eq!(ask(&house.authorization("ada")), 200);
    assert_eq!(post(address, &house.authorization("bob"), b"\x7fELF").status, 201);
    let headers = format!("authorization: Bearer {}\r\n", teacher.trim());
    assert_eq!(asked(address, "GET /api/teacher/teams.csv", &headers, b"").status, 200);
    assert_eq!(ask(""), 503);
    drop(taken);
    server.stop().expect("it ends");
}

#[test]
fn tokens_of_nobody() {
    let house = House::new();
    let at = house.start();
    let with = |headers: &str| post(at.address, headers, b"x").status;
    assert_eq!(with(""), 401);
    assert_eq!(with("authorization: Bearer\r\n"), 401);
    assert_eq!(with(&format!("authorization: Basic {}\r\n", house.tokens["ada"])), 401);
    assert_eq!(with(&house.authorization("ada").repeat(2)), 401);
    assert_eq!(with(&format!("cookie: token={}\r\n", house.tokens["ada"])), 401);
    let guess = |number: u32| with(&format!("authorization: Bearer {number:032x}\r\n"));
    let answers: Vec<u16> = (0..30).map(guess).collect();
    assert!(answers.contains(&401) && answers[25..].contains(&429), "{answers:?}");
    // Nobody locks a team out by guessing.
    assert_eq!(house.get(&at, "ada", "/api/team").status, 200);
    assert!(["ada", "bob", "cid"].iter().all(|team| house.team(team).versions.is_empty()));
    let renewed = house.run(&["token", "ada"]);
    assert_eq!(renewed.status, 0);
    assert_ne!(house.get(&at, "ada", "/api/team").status, 200, "the old token");
}

#[test]
fn requests_of_foreign_pages() {
    let house = House::new();
    let at = house.start();
    let ada = house.authorization("ada");
    let with = |more: &str| post(at.address, &format!("{ada}{more}"), b"\x7fELF").status;
    assert_eq!(with("origin: http://evil.example\r\n"), 403);
    assert_eq!(with("origin: null\r\n"), 403);
    assert_eq!(with("sec-fetch-site: cross-site\r\n"), 403);
    assert_eq!(with("sec-fetch-site: same-site\r\n"), 403);
    assert_eq!(with("content-type: multipart/form-data; boundary=x\r\n"), 415);
    assert_eq!(asked(at.address, "OPTIONS /api/submit", "origin: http://evil.example\r\n", b"").status, 405);
    assert!(house.team("ada").versions.is_empty());
    assert_eq!(with(&format!("origin: http://{}\r\nsec-fetch-site: same-origin\r\n", at.address)), 201);
    // A name is answered once the settings have it.
    let named = || {
        let mut stream = connect(at.address);
        write!(stream, "GET /submit HTTP/1.1\r\nhost: amazons.example\r\nconnection: close\r\n\r\n")
            .expect("a connection");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        answer
    };
    assert!(named().starts_with("HTTP/1.1 421"));
    house.edit("names = []", "names = [\"amazons.example\"]");
    assert!(named().starts_with("HTTP/1.1 200"));
}

#[test]
fn the_same_request_many_times_at_once() {
    let house = House::new();
    let at = house.start();
    let file = player("random");
    let statuses: Vec<u16> = thread::scope(|scope| {
        let sent: Vec<_> = (0..8).map(|_| scope.spawn(|| house.submit(&at, "ada", Path::new(&file)).status)).collect();
        sent.into_iter().map(|thread| thread.join().expect("an answer")).collect()
    });
    assert_eq!(statuses.iter().filter(|status| **status == 201).count(), 1, "{statuses:?}");
    assert!(statuses.iter().all(|status| [200, 201, 409].contains(status)), "{statuses:?}");
    assert_eq!(house.team("ada").versions.len(), 1);
    // An upload that stops half-way blocks nobody else, and leaves nothing.
    let mut stalled = connect(at.address);
    let head = format!("POST /api/submit HTTP/1.1\r\nhost: {}\r\n{}", at.address, house.authorization("bob"));
    write!(stalled, "{head}content-length: 1000\r\n\r\nhalf").expect("a connection");
    assert_eq!(house.submit(&at, "cid", Path::new(&file)).status, 201);
    assert_eq!(house.decided("ada", 1), "admitted");
    drop(stalled);
    assert!(house.team("bob").versions.is_empty());
}

/// A pause ends an upload, and so does its whole time; neither leaves anything.
#[test]
fn uploads_that_are_too_slow() {
    let house = House::new();
    house.edit("upload-time = \"300s\"", "upload-time = \"1s\"");
    let at = house.start();
    // So many bytes that the server does not wait for those that it refuses.
    let head = format!(
        "POST /api/submit HTTP/1.1\r\nhost: {}\r\n{}content-length: 16000000\r\nconnection: close\r\n\r\n",
        at.address,
        house.authorization("ada")
    );
    for (drips, told) in [(false, "the upload paused for too long"), (true, "the upload took too long to arrive")] {
        // A busy machine may make a pause of its own.
        wait_until(told, || {
            let mut stream = connect(at.address);
            let mut answer = String::new();
            let mut reader = stream.try_clone().expect("a connection");
            thread::scope(|scope| {
                // Bytes that the server did not read reset the connection.
                let reading = scope.spawn(|| _ = reader.read_to_string(&mut answer));
                stream.write_all(head.as_bytes()).expect("a connection");
                while drips && !reading.is_finished() && stream.write_all(b"x").is_ok() {
                    let_pass(Duration::from_millis(1));
                }
            });
            assert!(answer.starts_with("HTTP/1.1 408") || answer.is_empty() && drips, "{drips}: {answer}");
            wait_until("nothing is left", || incoming(&house) == 0);
            assert!(house.team("ada").versions.is_empty());
            answer.contains(told)
        });
    }
}

/// Many uploads of one team at once, over the network and on the machine: no more are taken than it may hand in.
#[test]
fn quotas_hold_however_uploads_come() {
    let house = House::new();
    house.edit("per-day = 20", "per-day = 3");
    let at = house.start();
    let send = |number: usize| -> u16 {
        if number.is_multiple_of(2) {
            return post(at.address, &house.authorization("ada"), format!("\x7fELF{number}").as_bytes()).status;
        }
        let file = house.dir().with_file_name(format!("upload-{number}"));
        fs::write(&file, format!("\x7fELF{number}")).expect("a file");
        let mut store = house.store();
        let arrived = Arrived::copy(&file, &store.incoming().expect("a path")).expect("a copy");
        match store.receive("ada", &arrived, false) {
            Ok(receipt) => 200 + u16::from(receipt.arrival == Arrival::New),
            Err(CourseError::Refused(Rule::Quota { .. })) => 429,
            Err(error) => panic!("{error}"),
        }
    };
    let answers: Vec<u16> = thread::scope(|scope| {
        let sent: Vec<_> = (0..20).map(|number| scope.spawn(move || send(number))).collect();
        sent.into_iter().map(|thread| thread.join().expect("an answer")).collect()
    });
    assert_eq!(answers.iter().filter(|status| **status == 201).count(), 3, "{answers:?}");
    assert!(answers.iter().all(|status| [201, 409, 429].contains(status)), "{answers:?}");
    assert_eq!(house.team("ada").versions.len(), 3);
}

/// A request whose answer was lost is sent again, when the version may have been refused.
#[test]
fn the_last_version_of_the_day_sent_again_is_no_other_one() {
    let house = House::new();
    house.edit("per-day = 20", "per-day = 1");
    let at = house.start();
    let send = || post(at.address, &house.authorization("ada"), b"\x7fELF");
    assert_eq!(send().status, 201);
    assert_eq!(house.decided("ada", 1), "refused");
    let again = send();
    let told = "ada: this is version 1, which was refused: change something\n";
    assert_eq!((again.status, again.text()), (200, told));
}

#[test]
fn connections_that_say_nothing() {
    let house = House::new();
    let at = house.start();
    let silent: Vec<_> = (0..300).map(|_| connect(at.address)).collect();
    let handed = house.submit(&at, "ada", Path::new(&player("random")));
    assert_eq!((handed.status, silent.len()), (201, 300));
}

/// The output of builds and players is shown as text, markup in it included.
#[test]
fn files_are_shown_as_text() {
    let house = House::new();
    let at = house.start();
    let upload = house.dir().with_file_name("page.tgz");
    let makefile = recipe("echo '<!doctype html><script>alert(1)</script>'; false");
    fs::write(&upload, gz(&tar(&[("Makefile", &makefile)]))).expect("a file");
    assert_eq!(house.submit(&at, "ada", &upload).status, 201);
    assert_eq!(house.decided("ada", 1), "refused");
    let shown = house.get(&at, "ada", "/api/team/versions/1/build.txt");
    let head = shown.head.to_lowercase();
    assert!(shown.text().contains("<script>alert(1)</script>"), "{shown:?}");
    for line in ["content-type: text/plain; charset=utf-8", "x-content-type-options: nosniff", "default-src 'none'"] {
        assert!(head.contains(line), "{head}");
    }
}

/// A player that looks for the files of its course, in its check and in its games, and writes to all of them.
#[test]
fn players_that_want_the_files_of_the_course() {
    let house = House::new();
    let at = house.start();
    assert_eq!(house.submit(&at, "bob", Path::new(&player("random"))).status, 201);
    assert_eq!(house.decided("bob", 1), "admitted");
    let dir = house.dir();
    let paths = [
        "course.jsonl",
        "course.toml",
        "course.lock",
        "ladder/journal.jsonl",
        "versions/bob/0001/upload",
        "versions/bob/0001/check.txt",
        "versions/ada/0001/upload",
        "versions/ada/0001/player.so",
    ];
    let paths = paths.map(|path| dir.join(path).display().to_string());
    let names = paths.iter().map(|path| format!("\"{path}\",")).collect::<String>();
    let attack = format!(
        "static char const *const paths[] = {{ {names} 0 }};
        for (int i = 0; paths[i]; i++) {{
            FILE *file = fopen(paths[i], \"r\");
            char line[200];
            if (file && i < 6 && fgets(line, sizeof line, file)) fprintf(stderr, \"read %d: %s\\n\", i, line);
            if (fopen(paths[i], \"r+\")) fprintf(stderr, \"written: %d\\n\", i);
            if (!rename(paths[i], \"/tmp/amazons-course-stolen\") || !unlink(paths[i])) fprintf(stderr, \"gone: %d\\n\", i);
        }}"
    );
    let (_folder, thief) = player_in_c("thief", &attack, "");
    let bytes = fs::read(&thief).expect("a player");
    assert_eq!(house.submit(&at, "ada", Path::new(&thief)).status, 201);
    assert_eq!(house.decided("ada", 1), "refused", "it is no honest player either way");
    assert!(paths.iter().all(|path| Path::new(path).exists()), "{paths:?}");
    for file in ["versions/ada/0001/upload", "versions/ada/0001/player.so"] {
        assert_eq!(fs::read(dir.join(file)).expect("a file"), bytes, "{file}");
    }
    let mut told = String::new();
    for file in ["check.txt", "itself-1-player1.log", "itself-1-player2.log"] {
        told += house.get(&at, "ada", &format!("/api/team/versions/1/{file}")).text();
    }
    assert!(!told.contains("read ") && !told.contains("written") && !told.contains("gone"), "{told}");
    assert_eq!(house.wrong(), Vec::<String>::new());
}
