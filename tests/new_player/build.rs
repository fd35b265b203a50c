use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

use crate::support::{player, server, write_headers};

/// A folder with a blank in its path: Makefiles trip over those.
struct Workshop {
    _root: TempDir,
    folder: PathBuf,
}

impl Workshop {
    fn new() -> Self {
        let root = TempDir::new().expect("temporary folder");
        let folder = root.path().join("a workshop");
        fs::create_dir(&folder).expect("new folder");
        Self { _root: root, folder }
    }

    /// Has the installed server write a player, as a person would.
    fn new_player(&self, arguments: &[&str], name: &str) -> PathBuf {
        let output = Command::new(server())
            .arg("new-player")
            .args(arguments)
            .arg(name)
            .arg("--dir")
            .arg(&self.folder)
            .output()
            .expect("the server runs");
        assert!(output.status.success(), "{}", text(&output));
        self.folder.join(name)
    }
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// Runs `make` as in a new terminal: no setting of this test run reaches it.
fn make(folder: &Path, arguments: &[&str]) -> Output {
    Command::new("make")
        .current_dir(folder)
        .args(arguments)
        .env_remove("MAKEFLAGS")
        .env_remove("CARGO_TARGET_DIR")
        .env_remove("RUSTFLAGS")
        // The versions in Cargo.lock are those of our own players: nothing is asked of the network.
        .env("CARGO_NET_OFFLINE", "true")
        .output()
        .expect("make runs")
}

/// Plays a small game on each side against `random`; both must end with a winner and name the player.
fn plays(library: &Path, name: &str) {
    plays_with(&[], library, name);
}

fn plays_with(options: &[&str], library: &Path, name: &str) {
    let random = player("random");
    for (first, second) in [(library, random.as_path()), (random.as_path(), library)] {
        let output = Command::new(server())
            .args(["-m", "6", "-t", "d", "--seed", "7", "--strict"])
            .args(options)
            .args([first, second])
            .output()
            .expect("the server runs");
        assert!(output.status.success(), "{}", text(&output));
        assert!(text(&output).contains(name), "the player's name is not shown:\n{}", text(&output));
    }
}

#[test]
fn a_c_player_builds_without_a_warning_and_plays() {
    let workshop = Workshop::new();
    let folder = workshop.new_player(&["c"], "my_c_player");
    let output = make(&folder, &["CFLAGS=-O1 -Werror"]);
    assert!(output.status.success(), "{}", text(&output));
    plays(&folder.join("my_c_player.so"), "my_c_player");
    assert!(text(&make(&folder, &[])).contains("up to date"), "make builds again what has not changed");
}

#[test]
fn a_c_player_with_gsl_builds_where_gsl_is() {
    let workshop = Workshop::new();
    let folder = workshop.new_player(&["c", "--gsl"], "my_gsl_player");
    let output = make(&folder, &[]);
    if gsl_is_installed() {
        assert!(output.status.success(), "{}", text(&output));
        plays(&folder.join("my_gsl_player.so"), "my_gsl_player");
    } else {
        assert!(!output.status.success(), "it cannot have been linked");
        assert!(text(&output).contains("GSL is missing: install libgsl-dev"), "{}", text(&output));
    }
}

/// Returns whether there is such a program; the tests that need a missing one say so.
fn is_installed(program: &str) -> bool {
    let is_there = Command::new(program).arg("version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok();
    if !is_there {
        amazons_testing::skip(format!("there is no {program}"));
    }
    is_there
}

#[test]
fn a_cpp_player_builds_without_a_warning_and_plays() {
    if !is_installed("g++") {
        return;
    }
    let workshop = Workshop::new();
    let folder = workshop.new_player(&["cpp"], "my_cpp_player");
    let output = make(&folder, &["CXX=g++", "CXXFLAGS=-O1 -Werror"]);
    assert!(output.status.success(), "{}", text(&output));
    plays(&folder.join("my_cpp_player.so"), "my_cpp_player");
    assert!(text(&make(&folder, &["CXX=g++"])).contains("up to date"), "make builds again what has not changed");
    passes_its_check(&folder);
}

#[test]
fn a_python_player_passes_its_own_check_and_plays() {
    if !Path::new("/usr/bin/python3").exists() {
        amazons_testing::skip("there is no /usr/bin/python3 (Debian: apt-get install python3)");
        return;
    }
    let workshop = Workshop::new();
    let folder = workshop.new_player(&["python"], "my_bot");
    // The user that programs get must be able to read it.
    for place in [workshop._root.path(), &workshop.folder, &folder] {
        fs::set_permissions(place, fs::Permissions::from_mode(0o755)).expect("it is ours");
    }
    passes_its_check(&folder);
    let bot = format!("bridge:/usr/bin/python3 '{}'", folder.join("bot.py").display());
    plays(Path::new(&bot), "my_bot");
}

/// `make check`, with the installed server.
fn passes_its_check(folder: &Path) {
    let checked = make(folder, &["check", "PYTHON=/usr/bin/python3", &format!("SERVER={}", server().display())]);
    let text = text(&checked);
    assert!(checked.status.success() && text.lines().any(|line| line.starts_with("passed: ")), "{text}");
}

fn gsl_is_installed() -> bool {
    let include = ["/usr/include", "/usr/local/include"];
    include.iter().any(|folder| Path::new(folder).join("gsl/gsl_spmatrix.h").exists())
}

#[test]
fn written_headers_are_ours() {
    let workshop = Workshop::new();
    let folder = workshop.new_player(&["c"], "headers");
    let ours = TempDir::new().expect("temporary folder");
    write_headers(ours.path());
    for header in ["dir.h", "graph.h", "move.h", "player.h"] {
        let written = fs::read(folder.join("include").join(header)).expect(header);
        assert_eq!(written, fs::read(ours.path().join(header)).expect(header), "{header}");
    }
}

#[test]
fn no_trace_of_the_template_is_left() {
    let workshop = Workshop::new();
    for (arguments, template) in [
        (&["c"][..], "c_mobility"),
        (&["c", "--gsl"], "c_gsl"),
        (&["rust"], "player-random"),
        (&["cpp"], "template"),
        (&["go"], "template"),
        (&["python"], "random bot"),
    ] {
        let name = format!("from_{}", arguments.concat().replace('-', ""));
        let folder = workshop.new_player(arguments, &name);
        for entry in fs::read_dir(&folder).expect("readable") {
            let path = entry.expect("readable").path();
            let is_copy = ["Cargo.lock", "protocol.md"].iter().any(|name| path.ends_with(name));
            if path.is_file() && !is_copy {
                let content = fs::read_to_string(&path).expect("text");
                assert!(!content.contains(template), "{} speaks of {template}", path.display());
                assert!(!content.contains("{name}"), "{} has a blank left to fill", path.display());
                assert!(!content.contains("../../crates"), "{} leads out of its folder", path.display());
            }
        }
    }
}

/// Compiles our crates anew.
mod long {
    use std::process::Command;

    use super::{Workshop, is_installed, make, plays, plays_with, server, text};

    #[test]
    fn a_rust_player_builds_without_a_warning_and_plays() {
        let workshop = Workshop::new();
        let folder = workshop.new_player(&["rust"], "my_rust_player");
        let output = make(&folder, &[]);
        assert!(output.status.success(), "{}", text(&output));
        assert!(!text(&output).contains("warning"), "{}", text(&output));
        // What the server needs of these crates, matrices of sprs above all, would take most of the time.
        let said = text(&output);
        let compiled = said.lines().filter_map(|line| line.trim().strip_prefix("Compiling ")?.split(' ').next());
        let mut compiled: Vec<&str> = compiled.collect();
        compiled.sort_unstable();
        let own =
            ["amazons-player", "amazons-rules", "libc", "player-my_rust_player", "rand", "rand_core", "rand_xoshiro"];
        assert_eq!(compiled, own);
        plays(&folder.join("my_rust_player.so"), "my_rust_player");
    }

    #[test]
    fn a_go_player_builds_without_a_warning_and_plays() {
        if !is_installed("go") {
            return;
        }
        let workshop = Workshop::new();
        let folder = workshop.new_player(&["go"], "my_go_player");
        let cache = format!("{}/cache", workshop.folder.display());
        let go = |arguments: &[&str]| {
            // It asks nothing of the network and leaves nothing behind.
            let settings = [("GOCACHE", cache.as_str()), ("GOPROXY", "off"), ("GOTOOLCHAIN", "local"), ("GOFLAGS", "")];
            Command::new(arguments[0])
                .args(&arguments[1..])
                .current_dir(&folder)
                .envs(settings)
                .output()
                .expect("it runs")
        };
        for arguments in [&["make", "all"][..], &["go", "vet", "-unsafeptr=false", "."]] {
            let output = go(arguments);
            assert!(output.status.success() && !text(&output).contains("warning"), "{}", text(&output));
        }
        plays_with(&["--threads", "6"], &folder.join("my_go_player.so"), "my_go_player");
        let checked = go(&["make", "check", &format!("SERVER={}", server().display())]);
        assert!(checked.status.success() && text(&checked).contains("\npassed: "), "{}", text(&checked));
    }
}
