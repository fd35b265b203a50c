//! Archives that want to write elsewhere, or too much.

use std::fs;

use amazons::course::build::each_file;
use flate2::Compression;
use flate2::write::GzEncoder;
use tar::EntryType;

use super::rig::{Workshop, gz, odd_tar, recipe, tar, zip, zip_with};

#[test]
fn links_devices_and_names_that_lead_out_are_refused() {
    let workshop = Workshop::new();
    let reason = |upload: &[u8]| workshop.refused(upload).0;
    for kind in [EntryType::Symlink, EntryType::Link, EntryType::Char, EntryType::Block, EntryType::Fifo] {
        assert_eq!(reason(&odd_tar("a", kind)), "'a' is a link or a device: only files and folders are taken");
    }
    for mode in [0o120_777, 0o020_666, 0o010_666] {
        assert!(reason(&zip_with(&[("a", b"/etc/passwd")], mode)).contains("is a link or a device"), "{mode:o}");
    }
    for name in ["../a", "b/../../a", "..", "b/.."] {
        assert!(reason(&odd_tar(name, EntryType::Regular)).contains("leads out of the archive"), "{name}");
        assert!(reason(&zip(&[(name, b"")])).contains("leads out of the archive"), "{name}");
    }
    assert!(reason(&zip(&[("..\\a", b"")])).contains("leads out of the archive"));
    for name in ["/tmp/a", "C:\\a", "\\a", "c:a"] {
        assert!(reason(&zip(&[(name, b"")])).contains("is an absolute path"), "{name}");
    }
    assert!(reason(&odd_tar("/tmp/a", EntryType::Regular)).contains("is an absolute path"));
    let (long, deep) = ("a".repeat(300), "a/".repeat(30) + "a");
    for name in ["a\nb", "\u{1b}[2Ja", &long, &deep] {
        let reason = reason(&zip(&[(name, b"")]));
        assert!(reason.contains("is no name for a file of sources") && !reason.contains('\u{1b}'), "{reason}");
    }
}

/// The output of cargo and the folders of git are left out, links in them included.
#[test]
fn what_was_built_elsewhere_is_left_out() {
    let workshop = Workshop::new();
    let taken = |upload: &[u8]| {
        let (path, mut names) = (workshop.path("upload"), Vec::new());
        fs::write(&path, upload).expect("a file");
        let taken = each_file(&path, &mut |file| {
            names.push(file.name.display().to_string());
            Ok(())
        });
        taken.map(|()| names).map_err(|error| error.to_string())
    };
    let deep = format!("a/target/release/build/{}", "b/".repeat(30));
    let left_out = [
        "a/target/release/build/libc-1/build_script_build-1",
        "target/x86_64-unknown-linux-gnu/release/a",
        "target/fast/deps/a-1",
        "target/tmp/a",
        "a/.git/HEAD",
        "a/libteam.so",
        &deep,
    ];
    for name in left_out {
        for kind in [EntryType::Link, EntryType::Symlink, EntryType::Regular] {
            assert_eq!(taken(&odd_tar(name, kind)), Ok(vec![]), "{name}");
        }
        assert_eq!(taken(&zip_with(&[(name, b"a")], 0o120_777)), Ok(vec![]), "{name}");
    }
    let many: Vec<String> = (0..20_001).map(|number| format!("target/release/deps/{number}")).collect();
    let many: Vec<(&str, &[u8])> = many.iter().map(|name| (name.as_str(), &b""[..])).collect();
    assert_eq!(taken(&zip(&many)), Ok(vec![]), "they do not count");
    for name in ["target/a.c", "src/target/mod.rs", "target"] {
        assert_eq!(taken(&odd_tar(name, EntryType::Regular)), Ok(vec![name.to_owned()]));
    }
    let outside = taken(&odd_tar("target/release/../../../a", EntryType::Link));
    assert!(outside.is_err_and(|reason| reason.contains("leads out of the archive")));
}

#[test]
fn files_do_not_replace_each_other() {
    let workshop = Workshop::new();
    for files in [[("a", "one"), ("a", "two")], [("a", "one"), ("./a", "two")], [("a", "one"), ("a/b", "two")]] {
        let twice = workshop.refused(&tar(&files)).0;
        assert!(twice.contains("is in the archive twice, or as a file and as a folder"), "{twice}");
        let twice = workshop.refused(&zip(&files.map(|(name, text)| (name, text.as_bytes())))).0;
        assert!(twice.contains("is in the archive twice"), "{twice}");
    }
}

#[test]
fn bombs_do_not_unpack() {
    let workshop = Workshop::new();
    let zeros = vec![0; 64 << 20];
    let mut archive = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    for name in ["a", "b", "c", "d", "e"] {
        let mut header = tar::Header::new_gnu();
        header.set_size(zeros.len() as u64);
        archive.append_data(&mut header, name, &zeros[..]).expect("it is memory");
    }
    let bomb = archive.into_inner().and_then(GzEncoder::finish).expect("it is memory");
    assert!(bomb.len() < 4 << 20);
    assert!(workshop.refused(&bomb).0.contains("unpacks to more than 256 MiB"));
    let bomb = zip(&["a", "b", "c", "d", "e"].map(|name| (name, &zeros[..])));
    assert!(workshop.refused(&bomb).0.contains("unpacks to more than 256 MiB"));
    let names: Vec<String> = (0..20_001).map(|number| number.to_string()).collect();
    let many: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b""[..])).collect();
    assert!(workshop.refused(&zip(&many)).0.contains("more than 20000 files"));
}

#[test]
fn every_part_of_an_archive_is_refused_or_whole() {
    let workshop = Workshop::new();
    let text = "text ".repeat(400);
    let files = [("Makefile", recipe("printf '\\177ELF' > a.so; cat text")), ("text", text)];
    let files = [(files[0].0, files[0].1.as_str()), (files[1].0, files[1].1.as_str())];
    let packed = [gz(&tar(&files)), zip(&files.map(|(name, text)| (name, text.as_bytes())))];
    for upload in packed {
        workshop.built(&upload).expect("it is whole");
        fs::remove_file(workshop.path("player.so")).expect("it is there");
        // Only the blocks of zeros at the end of a tar archive are worth nothing.
        for len in (3..upload.len() - 30).step_by(17) {
            let reason = workshop.refused(&upload[..len]).0;
            assert!(reason.contains("damaged or cut off"), "{len} of {}: {reason}", upload.len());
        }
    }
}
