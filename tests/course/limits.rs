//! The largest upload below each limit of the parsers, and the smallest above it; what those cost the server; and servers
//! that end while they work on a version.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use amazons::course::Happening;
use amazons::course::build::each_file;
use amazons_testing::wait_until;
use flate2::Compression;
use flate2::read::GzEncoder;
use rand::{Rng as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;
use rustix::process::{Pid, Signal, kill_process};

use super::house::{AtWork, House, asked};
use super::rig::{recipe, tar, zip};

/// Returns the number of files in an archive, or why it is refused.
fn read(archive: impl Read) -> Result<usize, String> {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, mut count) = (folder.path().join("upload"), 0);
    io::copy(&mut { archive }, &mut fs::File::create(&path).expect("a file")).expect("room");
    let read = each_file(&path, &mut |file| {
        count += 1;
        io::copy(file.content, &mut io::sink()).map(drop).map_err(|error| anyhow::anyhow!(error).into())
    });
    read.map(|()| count).map_err(|error| error.to_string())
}

fn header(kind: tar::EntryType, size: u64) -> Vec<u8> {
    let mut header = tar::Header::new_gnu();
    header.set_path("a").expect("it is short");
    header.set_entry_type(kind);
    header.set_size(size);
    header.set_cksum();
    header.as_bytes().to_vec()
}

/// An archive with one entry of this kind, whose content repeats some bytes, and a file.
fn entry(kind: tar::EntryType, content: &'static [u8], size: u64) -> impl Read {
    let padding = size.next_multiple_of(512) - size;
    let head = io::Cursor::new(header(kind, size));
    let file = io::Cursor::new([header(tar::EntryType::Regular, 0), vec![0; 1024]].concat());
    let content = Repeated(content).take(size);
    GzEncoder::new(head.chain(content).chain(io::repeat(0).take(padding)).chain(file), Compression::fast())
}

/// Bytes again and again.
struct Repeated(&'static [u8]);

impl Read for Repeated {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if let [byte] = self.0 {
            buffer.fill(*byte);
            return Ok(buffer.len());
        }
        // Whole repetitions, so that each read begins anew.
        let len = buffer.len() - buffer.len() % self.0.len();
        buffer[..len].chunks_exact_mut(self.0.len()).for_each(|part| part.copy_from_slice(self.0));
        Ok(len)
    }
}

#[test]
fn names_have_two_sides() {
    let taken = |name: &str| read(&tar(&[(name, "")])[..]);
    for (below, above) in [("a".repeat(240), "a".repeat(241)), ("a/".repeat(23) + "a", "a/".repeat(24) + "a")] {
        assert_eq!(taken(&below), Ok(1));
        assert!(taken(&above).is_err_and(|reason| reason.contains("is no name for a file of sources")), "{above}");
    }
    for kind in [tar::EntryType::GNULongName, tar::EntryType::XHeader, tar::EntryType::GNULongLink] {
        let about = |size| read(entry(kind, b"a", size));
        let below = about(1 << 20);
        match kind {
            tar::EntryType::GNULongName => assert!(below.is_err_and(|it| it.contains("is no name"))),
            _ => assert_eq!(below, Ok(1), "{kind:?}"),
        }
        assert_eq!(about((1 << 20) + 1), Err("it tells more than 1024 KiB about a file".to_owned()), "{kind:?}");
    }
}

#[test]
fn numbers_of_files_and_folders_have_two_sides() {
    let taken = |count: usize| {
        let names: Vec<String> = (1..count).map(|number| format!("a/{number}")).collect();
        read(&zip(&names.iter().map(|name| (name.as_str(), &b""[..])).collect::<Vec<_>>())[..])
    };
    let many = "the archive has more than 20000 files and folders";
    assert_eq!((taken(20_000), taken(20_001)), (Ok(19_999), Err(many.to_owned())));
    let deep: Vec<String> = (0..20_000).map(|number| format!("{number}/{}a", "b/".repeat(20))).collect();
    let deep: Vec<(&str, &[u8])> = deep.iter().map(|name| (name.as_str(), &b""[..])).collect();
    assert_eq!(read(&zip(&deep)[..]), Err(many.to_owned()), "folders count");
}

#[test]
fn bytes_have_two_sides() {
    // Two heads, and the block at which reading ends.
    let whole = (256 << 20) - 3 * 512;
    assert_eq!(read(entry(tar::EntryType::Regular, b"\0", whole)), Ok(2));
    let above = read(entry(tar::EntryType::Regular, b"\0", whole + 1));
    assert!(above.is_err_and(|reason| reason.contains("it unpacks to more than 256 MiB")));
}

#[test]
fn bytes_of_a_zip_have_two_sides() {
    let whole = 64 << 20;
    let mut noise = vec![0; whole];
    Xoshiro256PlusPlus::seed_from_u64(7).fill_bytes(&mut noise);
    let packed = |len: usize| zip(&[("a", &noise[..len])]);
    // Noise grows a little when it is packed.
    let archive = packed((whole - 30_000) * (1 << 20) / packed(1 << 20).len());
    // A comment at the end takes the rest: its length stands before it.
    let with_comment = |len: usize| {
        let comment = u16::try_from(len - archive.len()).expect("a comment's length");
        let (head, _) = archive.split_at(archive.len() - 2);
        [head, &comment.to_le_bytes(), &vec![b' '; comment.into()]].concat()
    };
    assert_eq!(read(&with_comment(whole)[..]), Ok(1));
    let above = read(&with_comment(whole + 1)[..]);
    assert!(above.as_ref().is_err_and(|reason| reason.contains("64 MiB")), "{above:?}");
}

/// Kilobytes that the server needed at most.
fn peak(at: &AtWork) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", at.child.id())).expect("it lives");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a line");
    line.trim().trim_end_matches(" kB").parse().expect("a number")
}

#[test]
fn what_strangers_pack_costs_the_server_no_memory() {
    assert_cheap(64);
}

mod long {
    #[test]
    fn the_largest_that_strangers_may_pack_costs_the_server_no_memory() {
        super::assert_cheap(254);
    }
}

/// Hands in a name of so many MiB, and a text of nearly as many.
fn assert_cheap(mebibytes: u64) {
    let house = House::new();
    let at = house.start();
    let file = house.dir().join("handed");
    let hand_in = |team: &str, mut upload: Box<dyn Read>| {
        io::copy(&mut upload, &mut fs::File::create(&file).expect("a file")).expect("room");
        assert_eq!(house.submit(&at, team, &file).status, 201);
        assert_eq!(house.decided(team, 1), "refused");
        house.team(team).versions[0].reasons().join("; ")
    };
    let long = hand_in("ada", Box::new(entry(tar::EntryType::GNULongName, b"a/", mebibytes << 20)));
    assert_eq!(long, "it tells more than 1024 KiB about a file");
    let text = tar(&[("Makefile", &recipe("false")), ("lines.mk", "")]);
    let text_bytes = (mebibytes / 5 * 4) << 20;
    let lines = Repeated(b"\r\n").take(text_bytes);
    let script = [text[..1536].to_vec(), header(tar::EntryType::Regular, text_bytes)].concat();
    let packed =
        GzEncoder::new(io::Cursor::new(script).chain(lines).chain(io::repeat(0).take(1024)), Compression::fast());
    assert!(hand_in("bob", Box::new(packed)).contains("the build failed"));
    let token = house.run(&["token"]).out;
    let headers = format!("authorization: Bearer {}\r\n", token.trim());
    assert_eq!(asked(at.address, "GET /api/teacher/copies.csv", &headers, b"").status, 200);
    // It needs 15 MB, and a copy of a text would show.
    assert!(peak(&at) < 50_000, "the server needed {} kB", peak(&at));
}

#[test]
fn a_server_that_is_stopped_is_no_try_and_builds_do_not_keep_it() {
    let house = House::new();
    let file = house.dir().join("handed");
    fs::write(&file, tar(&[("Makefile", &recipe("sleep 1000"))])).expect("a file");
    for times in 1..=2 {
        let mut at = house.start();
        if times == 1 {
            assert_eq!(house.submit(&at, "ada", &file).status, 201);
        }
        wait_until("it is built", || house.team("ada").word(&house.team("ada").versions[0]) == "building");
        kill_process(Pid::from_child(&at.child), Signal::TERM).expect("it lives");
        assert_eq!(at.child.wait().expect("it ends").code(), Some(130));
        let version = house.team("ada").versions.remove(0);
        assert_eq!((version.reasons(), version.setbacks), (&["the server was stopped".to_owned()][..], times));
        assert!(!version.needs_alone() && !version.is_hopeless());
    }
    assert_eq!(fs::read_dir(house.dir().join("incoming")).map_or(0, Iterator::count), 0);
}

/// Who must be alone, and takes long, does not keep the others; then it is not to blame for a server's end either.
#[test]
fn who_is_alone_lets_others_pass_in_the_end() {
    let house = House::new();
    let file = house.dir().join("handed");
    fs::write(&file, tar(&[("Makefile", &recipe("sleep 1000"))])).expect("a file");
    let mut store = house.store();
    let arrived = amazons::course::Arrived::copy(&file, &store.incoming().expect("a path")).expect("a copy");
    store.receive("ada", &arrived, false).expect("it is taken");
    (0..2).for_each(|_| {
        store.note("ada", Happening::Building { version: 1, is_alone: false }).expect("it is written");
    });
    drop(store);
    assert!(house.team("ada").versions[0].needs_alone());
    let mut at = house.start();
    let journal = || fs::read_to_string(house.dir().join("course.jsonl")).expect("a journal");
    wait_until("it is built alone", || journal().contains("\"building\",\"version\":1,\"is_alone\":true"));
    assert_eq!(house.submit(&at, "bob", &crate::support::player("random")).status, 201);
    assert_eq!(house.decided("bob", 1), "admitted");
    assert!(journal().contains("\"accompanied\""), "{}", journal());
    kill_process(Pid::from_child(&at.child), Signal::KILL).expect("it lives");
    at.child.wait().expect("it ends");
    assert_eq!(house.team("ada").versions[0].deaths(), 0, "it was not alone any more");
}

/// Versions that were being worked on when two servers died are tried alone. Only one that was alone is to blame.
#[test]
fn only_who_was_alone_ends_a_server() {
    let house = House::new();
    let file = house.dir().join("handed");
    fs::write(&file, b"\x7fELF").expect("a file");
    let hand_in = |team: &str| {
        let mut store = house.store();
        let arrived = amazons::course::Arrived::copy(Path::new(&file), &store.incoming().expect("a path"));
        store.receive(team, &arrived.expect("a copy"), false).expect("it is taken");
    };
    let version = |team: &str| house.team(team).versions.remove(0);
    let begin = |team: &str, is_alone| {
        house.store().note(team, Happening::Building { version: 1, is_alone }).expect("it is written");
    };
    for team in ["ada", "bob"] {
        hand_in(team);
        begin(team, false);
        assert!(!version(team).needs_alone(), "one death may have any cause");
        (0..9).for_each(|_| begin(team, false));
        assert!(version(team).needs_alone() && !version(team).is_hopeless());
    }
    for deaths in 0..5 {
        assert!(!version("ada").is_hopeless(), "{deaths}");
        begin("ada", true);
    }
    assert!(version("ada").is_hopeless() && !version("bob").is_hopeless());
}
