//! Libraries that do not load, and the cause that is told.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use amazons::host::SeatConfig;
use amazons::referee::{Seat, Termination};

use super::rig::{Rig, Source, fault, fork_server};
use crate::cli::server;
use crate::support::{self, alone};

/// Why a library does not load, its own path left out.
fn refusal(library: &Path) -> String {
    refusal_of(&Rig::new(library.to_owned(), None).config())
}

fn refusal_of(config: &SeatConfig<'_>) -> String {
    let mut seat = amazons::host::ProcessPlayer::start(&fork_server(), config).expect("a process can be started");
    let fault = fault(seat.load());
    assert_eq!(fault.termination, Termination::LoadError, "{}", fault.detail);
    assert!(fault.backtrace.is_empty(), "{fault:?}");
    fault.detail.replace(&config.path.display().to_string(), "PLAYER")
}

/// A plain player's bytes, changed, in a file of their own.
fn changed(change: impl FnOnce(&mut Vec<u8>)) -> (tempfile::TempDir, PathBuf) {
    let rig = Source::new().build();
    let mut bytes = fs::read(rig.library()).expect("the library can be read");
    change(&mut bytes);
    let folder = tempfile::tempdir().expect("there is room for a temporary folder");
    let path = folder.path().join("changed.so");
    fs::write(&path, bytes).expect("a file can be written");
    (folder, path)
}

#[test]
fn a_library_for_another_machine_is_named() {
    // The class, the order of bytes, the kind and the machine of an ELF file.
    for (class, order, kind, machine, expected) in [
        (2, 1, [3, 0], [183, 0], "PLAYER is for AArch64; this server runs x86-64: build it for that"),
        (2, 1, [3, 0], [243, 0], "PLAYER is for RISC-V; this server runs x86-64: build it for that"),
        (2, 2, [0, 3], [0, 22], "PLAYER is for S/390; this server runs x86-64: build it for that"),
        (1, 1, [3, 0], [3, 0], "PLAYER is for 32-bit x86; this server runs x86-64: build it for that"),
        (
            1,
            1,
            [3, 0],
            [62, 0],
            "PLAYER is for x86-64 with 32-bit addresses; this server runs x86-64: build it for that",
        ),
        (2, 1, [3, 0], [1, 2], "PLAYER is for machine 513; this server runs x86-64: build it for that"),
        (2, 1, [1, 0], [62, 0], "PLAYER is an object file, not linked yet; link it with: cc -shared -o player.so ..."),
        (2, 1, [2, 0], [62, 0], "PLAYER is a program, not a shared library; build it with -shared -fPIC"),
    ] {
        let (_folder, library) = changed(|bytes| {
            bytes[4..6].copy_from_slice(&[class, order]);
            bytes[16..18].copy_from_slice(&kind);
            bytes[18..20].copy_from_slice(&machine);
        });
        assert_eq!(refusal(&library), expected);
    }
}

#[test]
fn a_library_cut_anywhere_is_cut_and_never_crashes() {
    let rig = Source::new().build();
    let bytes = fs::read(rig.library()).expect("the library can be read");
    let folder = tempfile::tempdir().expect("there is room for a temporary folder");
    let path = folder.path().join("half.so");
    let lens = (64..bytes.len()).step_by(bytes.len() / 40).chain([4, 17, 63, bytes.len() - 1]);
    for len in lens {
        fs::write(&path, &bytes[..len]).expect("a file can be written");
        assert_eq!(refusal(&path), "PLAYER ends before its contents; copied halfway? copy or build it again", "{len}");
    }
    fs::write(&path, "").expect("a file can be written");
    assert_eq!(refusal(&path), "PLAYER is empty; build or copy it again");
}

#[test]
fn headers_of_any_numbers_are_read() {
    // Whatever they announce, the loader or we refuse the file, or the process alone dies.
    for at in [32, 40, 54, 56, 58, 60, 64 + 8, 64 + 32] {
        for byte in [0_u8, 1, 0x7f, 0xff] {
            let (_folder, library) = changed(|bytes| bytes[at..at + 2].fill(byte));
            let _ = Rig::new(library, None).seat().load();
        }
    }
}

#[test]
fn a_newer_c_library_and_musl_are_told() {
    let folder = tempfile::tempdir().expect("there is room for a temporary folder");
    let build = |source: &str, soname: &str, version: &str| {
        let script = folder.path().join("version");
        fs::write(&script, version).expect("a file can be written");
        let script = format!("-Wl,--version-script={}", script.display());
        let soname = format!("-Wl,-soname,{soname}");
        let (stub_folder, stub) = support::compile_c(source, &["-nostdlib", &soname, &script]);
        let stub = stub.to_str().expect("temporary folders have plain names").to_owned();
        let rig = Source::new()
            .top("int newer(void);")
            .play("return (struct move_t){newer(), 0, 0};")
            .build_with(&["-Wl,--no-as-needed", &stub]);
        (stub_folder, refusal(rig.library()))
    };
    for (version, library) in [("GLIBC_2.99", "C library"), ("GLIBCXX_9", "C++ library")] {
        let script = format!("{version} {{ newer; }};");
        let (_folder, told) = build("int newer(void) { return 1; }", "libc.so.6", &script);
        let expected = format!(
            "PLAYER needs {version}, and the {library} of this system is older; build it here, or on a system that is \
             no newer"
        );
        assert_eq!(told, expected);
    }
    let (_folder, told) = build("int newer(void) { return 1; }", "libc.musl-x86_64.so.1", "V { newer; };");
    assert_eq!(told, "PLAYER was built with musl; build it with the C library of this system");
    let (_folder, told) = build("int newer(void) { return 1; }", "libnowhere.so.3", "V { newer; };");
    let expected = "PLAYER needs libnowhere.so.3, which was not found; install it, or set LD_LIBRARY_PATH to the whole \
                    path of its folder";
    assert_eq!(told, expected);
}

/// A player in a folder of its own that needs `lib/libhelper.so` below it.
fn with_helper(arguments: &[&str]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("there is room for a temporary folder");
    let lib = folder.path().join("lib");
    fs::create_dir(&lib).expect("a folder can be made");
    let (_helper_folder, helper) = support::compile_c("int helper(void) { return 42; }", &["-Wl,-soname,libhelper.so"]);
    let helper = helper.to_str().expect("temporary folders have plain names").to_owned();
    fs::copy(&helper, lib.join("libhelper.so")).expect("a library can be copied");
    let rig = Source::new()
        .top("int helper(void);")
        .play("return (struct move_t){helper(), 0, 0};")
        .build_with(&[&[helper.as_str()], arguments].concat());
    let player = folder.path().join("player.so");
    fs::copy(rig.library(), &player).expect("a library can be copied");
    open_to_all(folder.path());
    (folder, player)
}

/// Lets the players' user enter a folder.
fn open_to_all(folder: &Path) {
    let all = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(folder, all).expect("the folder is ours");
}

#[test]
fn a_library_beside_the_player_needs_leave_to_be_read() {
    let (folder, player) = with_helper(&["-Wl,-rpath,$ORIGIN/lib"]);
    let lib = folder.path().join("lib");
    open_to_all(&lib);
    let rig = Rig::new(player, None);
    let told = refusal_of(&rig.config());
    let expected =
        format!("{0}/libhelper.so is there, but players may not read it; add --allow-read {0}", lib.display());
    assert_eq!(told, expected);
    let config = SeatConfig { allow_read: vec![lib], ..rig.config() };
    let mut seat = amazons::host::ProcessPlayer::start(&fork_server(), &config).expect("a process can be started");
    seat.load().expect("the advice is good");
}

#[test]
fn a_library_where_nothing_looks_is_told() {
    let (folder, player) = with_helper(&[]);
    fs::copy(folder.path().join("lib/libhelper.so"), folder.path().join("libhelper.so")).expect("a copy");
    let told = refusal(&player);
    let expected =
        format!("{}/libhelper.so is there, but the loader does not look for it there; ", folder.path().display());
    assert!(told.starts_with(&expected) && told.contains("-rpath,'$ORIGIN'"), "{told}");
}

#[test]
fn relative_folders_of_libraries_do_not_count() {
    let (folder, player) = with_helper(&[]);
    let output = Command::new(support::server())
        .args([Path::new("--quiet"), Path::new("player.so"), &support::player("random")])
        .current_dir(folder.path())
        .env("LD_LIBRARY_PATH", "lib")
        .output()
        .expect("the server can be run");
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    let expected = "libhelper.so is in lib, and relative folders in LD_LIBRARY_PATH do not count; write $PWD/lib";
    assert!(told.contains(expected), "{told}");
    assert!(player.is_file());
}

#[test]
fn large_thread_local_variables_have_room() {
    let source = Source::new().top("static __thread char room[100000] __attribute__((tls_model(\"initial-exec\")));");
    let rig = source.play("room[previous.queen_src % 100000] = 1; return previous;").build();
    rig.seat().load().expect("there is room");
    let rig = Source::new()
        .top("static __thread char room[10000000] __attribute__((tls_model(\"initial-exec\")));")
        .play("room[previous.queen_src % 100000] = 1; return previous;")
        .build();
    let told = refusal(rig.library());
    assert!(told.contains("static TLS block; its thread-local variables are too large"), "{told}");
}

#[test]
fn undefined_data_is_named() {
    let rig = Source::new().top("extern int nowhere;").play("return (struct move_t){nowhere, 0, 0};").build();
    let told = refusal(rig.library());
    assert_eq!(told, "PLAYER: undefined symbol: nowhere; define it, or link the library that has it");
}

#[test]
fn a_player_in_a_closed_folder_keeps_its_name() {
    let (folder, library) = support::compile_c("void initialize(void) {} void finalize(void) {}", &[]);
    let closed = std::os::unix::fs::PermissionsExt::from_mode(0o700);
    fs::set_permissions(folder.path(), closed).expect("the folder is ours");
    let detail = refusal(&library);
    assert_eq!(detail, "PLAYER does not define get_player_name, play");
}

/// A variable that exists once in a process, as a static one of an inline function in C++ does.
const UNIQUE: &str = "extern int shared;
    __asm__(\".bss\\n.globl shared\\n.type shared,@gnu_unique_object\\n.size shared,4\\nshared: .zero 4\\n.text\");";

#[test]
fn libraries_with_shared_variables_do_not_share_a_process() {
    let rig = Source::new().top(UNIQUE).play("shared++; return previous;").build();
    let player = rig.library().to_str().expect("temporary folders have plain names");
    let played = server(["--quiet", "--isolation", "none", player, player]);
    assert_eq!(played.status, 70, "{}{}", played.out, played.err);
    assert!(played.out.contains("in one process (shared): build it with -fno-gnu-unique"), "{}", played.out);
    let random = support::player("random").display().to_string();
    let played = server(["--quiet", "--isolation", "none", player, &random]);
    assert!(
        played.out.contains(" made an illegal move"),
        "with another opponent it plays: {}{}",
        played.out,
        played.err
    );
}

#[test]
fn the_process_ends_well_while_threads_run() {
    let rig = Source::new()
        .top(
            "static void *run(void *p) { for (;;) pause(); return p; }
             static void __attribute__((destructor)) unload(void) { abort(); }",
        )
        .initialize("pthread_t t; pthread_create(&t, NULL, run, NULL);")
        .build();
    let player = rig.library().to_str().expect("temporary folders have plain names");
    let random = support::player("random").display().to_string();
    let played = server(["--quiet", "--isolation", "none", player, &random]);
    assert_eq!(played.status, 0, "{}{}", played.out, played.err);
    assert!(played.out.contains("wins after"), "{}", played.out);
}

#[test]
fn static_tls_in_one_process_names_the_tunable() {
    const TEST: &str = "host::load_errors::static_tls_in_one_process_names_the_tunable";
    if !alone::is_alone() {
        alone::run(alone::command(TEST).env_remove("GLIBC_TUNABLES"));
        return;
    }
    let rig = Source::new()
        .top("static __thread char room[1000000] __attribute__((tls_model(\"initial-exec\")));")
        .play("room[previous.queen_src % 100000] = 1; return previous;")
        .build();
    let mut seat = amazons::host::InProcessPlayer::start(&rig.config()).expect("a seat needs next to nothing");
    let fault = fault(seat.load());
    assert!(fault.detail.contains("; start the server with GLIBC_TUNABLES=glibc.rtld."), "{}", fault.detail);
}
