//! The bundled players as guests of a server in C that shares no code with ours, on graphs in all conventions of real
//! servers: every game is whole and legal, nothing is read beyond its end, and everything is freed once and unchanged.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use amazons_testing::skip;
use tempfile::TempDir;

use crate::support;

const SERVER: &str = include_str!("foreign_server.c");

const PLAYERS: [&str; 7] = ["random", "territory", "champion", "mcts", "alphabeta", "c_mobility", "c_gsl"];

const CONVENTIONS: [&str; 11] = [
    "clean",
    "compact count",
    "compact ids",
    "rectangular",
    "cardinal",
    "explicit zeros",
    "COO",
    "CSC",
    "sptype 0",
    "one-way edges",
    "unsorted",
];

/// The number of games of each player with each convention; `AMAZONS_GAMES=100` for the long test.
fn games() -> u32 {
    env::var("AMAZONS_GAMES").ok().and_then(|text| text.parse().ok()).unwrap_or(1)
}

struct ForeignServer {
    _folder: TempDir,
    path: PathBuf,
}

impl ForeignServer {
    fn build() -> Self {
        let folder = TempDir::new().expect("there is room for a temporary folder");
        let path = folder.path().join("server");
        support::compile_program(SERVER, &path);
        Self { _folder: folder, path }
    }

    /// Lets a player play; returns the number of correct games, and what was wrong with the others.
    fn play(&self, player: &Path, convention: &str, first: u32, games: u32) -> (u32, String) {
        let output = Command::new(&self.path)
            .arg(player)
            .args([convention, &first.to_string(), &games.to_string()])
            // Too little time to search: moves need only be legal here.
            .env("AMAZONS_MOVE_WALL_MS", "2")
            .output()
            .expect("the server starts");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let (wrong, sound) = said.trim_end().rsplit_once('\n').unwrap_or(("", said.trim_end()));
        let sound = sound.parse().unwrap_or_else(|_| panic!("{convention}: {output:?}"));
        (sound, format!("{wrong} {}", String::from_utf8_lossy(&output.stderr)))
    }
}

#[test]
fn bundled_players_are_good_guests() {
    let server = ForeignServer::build();
    let games = games();
    let mut wrong = String::new();
    println!("sound games of {games}:");
    println!("{:14}{}", "", PLAYERS.map(|name| format!("{name:>12}")).concat());
    for (row, convention) in (0..).zip(CONVENTIONS) {
        let mut line = format!("{convention:14}");
        for (column, name) in (0..).zip(PLAYERS) {
            let Some(player) = bundled(name) else {
                line += &format!("{:>12}", "-");
                continue;
            };
            // With few games, each cell takes another shape and side.
            let (sound, reasons) = server.play(&player, convention, 5 * row + 3 * column, games);
            line += &format!("{sound:>12}");
            if sound < games {
                wrong += &format!("{name}, {convention}: {reasons}\n");
            }
        }
        println!("{line}");
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Finds a player, unless it is the one that needs GSL and GSL is missing.
fn bundled(name: &str) -> Option<PathBuf> {
    let is_there = name != "c_gsl" || support::install_dir().join("c_gsl.so").exists();
    if !is_there {
        skip("c_gsl is not installed, it is no guest");
    }
    is_there.then(|| support::player(name))
}

/// The judging server is judged itself: it notices each of these.
#[test]
fn bad_guests_are_noticed() {
    let server = ForeignServer::build();
    for (definition, reason) in [
        ("", "a block was changed"),
        ("#define ON_FINALIZE return", "a block is not freed"),
        ("#define ON_INITIALIZE free(queens[1]); free(queens[1])", "a block is freed twice"),
        ("#define ON_INITIALIZE free(given->t->i); *(int volatile *)&n = given->t->i[0]", "signal 11"),
        ("#define ON_INITIALIZE *(int volatile *)&n = given->t->p[n + 1]", "signal 11"),
        ("#define ON_PLAY return (struct move_t){UINT_MAX, UINT_MAX, UINT_MAX}", "-1--1/-1: an illegal move"),
        ("#define ON_PLAY return (struct move_t){queens[me][0], queens[me][1], 0}", "an illegal move"),
    ] {
        let (_folder, player) = crate::check::build(definition);
        let (sound, reasons) = server.play(&player, "clean", 0, 4);
        assert_eq!((sound, reasons.matches(reason).count()), (0, 4), "{definition}: {reasons}");
    }
}
