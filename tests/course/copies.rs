//! Copies are found, and honest players are not accused.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use amazons::course::copies::{Evidence, Given, Suspicion, Work, find, report};
use amazons::course::copies_table;
use amazons::host::use_server;

use super::rig::{gz, tar};
use crate::support;

const MOBILITY: &str = include_str!("../../players/c_mobility/c_mobility.c");
const GSL: &str = include_str!("../../players/c_gsl/c_gsl.c");
const TERRITORY: &str = include_str!("../../players/territory/src/lib.rs");
const EVALUATION: &str = include_str!("../../players/territory/src/evaluation.rs");
const RANDOM: &str = include_str!("../../players/random/src/lib.rs");

fn work(team: &str, sources: &[(&str, &str)]) -> Work {
    let sources = sources.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
    Work { name: format!("{team} 1"), team: team.to_owned(), sources, ..Work::default() }
}

fn given() -> Given {
    use_server(&support::server());
    Given::ours()
}

/// Renames everything that is not a keyword, and writes each token on a line of its own.
fn renamed(source: &str) -> String {
    const KEPT: &str = "include define static const unsigned int struct return for if else while do sizeof void char \
                        double bool true false switch case break continue fn let mut pub impl use match self Self as \
                        in mod where enum type ref move loop trait for crate";
    let (mut text, mut word, mut names) = (String::new(), String::new(), BTreeMap::new());
    for letter in source.chars() {
        if letter.is_alphanumeric() || letter == '_' {
            word.push(letter);
            continue;
        }
        if word.starts_with(char::is_alphabetic) && !KEPT.split_whitespace().any(|kept| kept == word) {
            let next = names.len();
            text += &format!("{}{}", ["q", "value_", "Xy"][next % 3], names.entry(word.clone()).or_insert(next));
        } else {
            text += &word;
        }
        word.clear();
        text.push(letter);
        if letter == ';' {
            text += " // other words\n\n   ";
        }
    }
    text
}

/// Puts the functions in another order.
fn reordered(source: &str) -> String {
    let mut functions: Vec<&str> = source.split_inclusive("\n}\n").collect();
    functions.reverse();
    functions.concat()
}

fn pairs(suspicions: &[Suspicion]) -> Vec<[usize; 2]> {
    suspicions.iter().map(|suspicion| suspicion.pair).collect()
}

#[test]
fn renamed_and_reordered_copies_are_found_with_their_places() {
    let copies = [renamed(MOBILITY), reordered(MOBILITY), reordered(&renamed(MOBILITY))];
    for copy in &copies {
        let works = [work("ann", &[("a.c", MOBILITY)]), work("bob", &[("b.c", GSL)]), work("eve", &[("x.c", copy)])];
        let found = find(&works, &Given::default(), &[]);
        assert_eq!(pairs(&found), [[0, 2]], "{}", report(&works, &found));
        assert!(found[0].score > 0.85, "{}", report(&works, &found));
        let Evidence::SameText(same) = &found[0].evidence[0] else { panic!("{found:?}") };
        assert!(
            same.places.iter().all(|[one, other]| one.file == "a.c" && other.file == "x.c" && one.first <= one.last)
        );
    }
    let rust = [
        work("ann", &[("lib.rs", TERRITORY), ("e.rs", EVALUATION)]),
        work("eve", &[("one.rs", &renamed(&format!("{EVALUATION}{TERRITORY}")))]),
    ];
    let found = find(&rust, &given(), &[]);
    assert!(found.len() == 1 && found[0].score > 0.85, "{}", report(&rust, &found));
    // Half of it is someone else's.
    let half: String = MOBILITY.split_inclusive("\n}\n").step_by(2).collect();
    let works = [work("ann", &[("a.c", MOBILITY)]), work("eve", &[("x.c", &format!("{GSL}{}", renamed(&half)))])];
    let found = find(&works, &Given::default(), &[]);
    assert!(found.len() == 1 && found[0].score < 0.9, "{}", report(&works, &found));
}

#[test]
fn what_was_given_accuses_nobody() {
    let tuned = |from: &str, to: &str| TERRITORY.replace(from, to);
    let constants = tuned("1", "7");
    assert_ne!(constants, TERRITORY);
    let mut works = vec![
        work("ann", &[("src/lib.rs", RANDOM)]),
        work("bob", &[("src/lib.rs", &RANDOM.replace("c\"random\"", "c\"bob\""))]),
        work("cat", &[("cat.c", MOBILITY)]),
        work("dan", &[("dan.c", &MOBILITY.replace("c_mobility", "dan"))]),
        work("eve", &[("lib.rs", TERRITORY), ("e.rs", EVALUATION)]),
        work("fay", &[("lib.rs", &constants), ("e.rs", EVALUATION)]),
    ];
    let random = fs::read(support::player("random")).expect("it is installed");
    works[0].library.clone_from(&random);
    works[1].library = random.clone();
    works.extend(["gus", "hal"].map(|team| Work { library: random.clone(), ..work(team, &[]) }));
    let mut given = given();
    let found = find(&works, &given, &[([0, 1], 9, 9)]);
    assert_eq!(pairs(&found), [[4, 5]], "{}", report(&works, &found));
    // A teacher who handed that out says so.
    given.add(works[4].clone());
    let found = find(&works, &given, &[]);
    assert_eq!(pairs(&found), [] as [[usize; 2]; 0], "{}", report(&works, &found));
}

#[test]
fn different_players_are_not_accused() {
    check_accusations(&["crates/search/src", "crates/engine/src", "players", "examples"]);
}

/// There are 30,000 pairs to look at.
mod long {
    #[test]
    fn different_programs_are_not_accused() {
        let games = ["games/cluedo/src", "games/connect4/src"];
        super::check_accusations(
            &[&["crates/search/src", "crates/engine/src", "players", "examples"], &games[..]].concat(),
        );
    }
}

/// Compares the sources in some folders of this repository, file by file: one author, one task, and all the same habits.
fn check_accusations(folders: &[&str]) {
    let mut works = Vec::new();
    for folder in folders {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let Ok(all) = Work::read("", "", &folder) else { continue };
        for (name, text) in all.sources {
            works.push(Work { is_earlier: false, ..work(&format!("{}/{name}", folder.display()), &[(&name, &text)]) });
        }
    }
    if works.is_empty() {
        return amazons_testing::skip("the sources are not here");
    }
    let found = find(&works, &Given::default(), &[]);
    let names = |[one, other]: [usize; 2]| [one, other].map(|place| works[place].sources[0].0.clone());
    let found: Vec<_> = pairs(&found).into_iter().map(names).collect();
    // Two sets of instructions for one algorithm: the second file was made from the first.
    assert_eq!(found, [["simd/avx2.rs", "simd/avx512.rs"]], "of {}", works.len());
}

fn compiled(source: &str, options: &[&str]) -> (tempfile::TempDir, Vec<u8>) {
    let (folder, library) = support::compile_c(source, options);
    let bytes = fs::read(library).expect("it was built");
    (folder, bytes)
}

#[test]
fn the_same_file_and_the_same_code_are_found_without_sources() {
    let library = |team: &str, bytes: &[u8]| Work { library: bytes.to_owned(), ..work(team, &[]) };
    let (_one, original) = compiled(GSL_FREE, &["-O2"]);
    let other = GSL_FREE.replace("score", "karma").replace("best_of", "pick");
    let (_two, renamed) = compiled(&format!("\n\n// moved\n{other}"), &["-O2"]);
    let (_three, tuned) = compiled(&GSL_FREE.replace("31", "37"), &["-O2"]);
    let folder = tempfile::tempdir().expect("a folder");
    let stripped = folder.path().join("stripped.so");
    fs::write(&stripped, &original).expect("it can be written");
    let is_stripped = Command::new("strip").arg(&stripped).status().is_ok_and(|status| status.success());
    assert!(is_stripped, "binutils are there wherever a compiler is");
    let works = [
        library("ann", &original),
        library("bob", &original),
        library("cat", &fs::read(&stripped).expect("it is there")),
        library("dan", &renamed),
        library("eve", &tuned),
    ];
    let found = find(&works, &Given::default(), &[]);
    assert_eq!(pairs(&found), [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]], "{}", report(&works, &found));
    assert_eq!(found[0].evidence, [Evidence::SameFile]);
    let Evidence::SameCode { differ } = &found[1].evidence[0] else { panic!("{found:?}") };
    assert!(differ.iter().any(|name| name == ".debug_info"), "{differ:?}");
}

/// Enough code to be told apart.
const GSL_FREE: &str = "
static int score(int const *values, int count) {
    int sum = 0;
    for (int i = 0; i < count; i++) sum = sum * 31 + (values[i] ^ i) % 7;
    return sum;
}
int best_of(int const *values, int count) {
    int best = -1, at = 0;
    for (int i = 0; i + 3 < count; i++) {
        int here = score(values + i, 3);
        if (here > best || (here == best && values[i] % 2)) best = here, at = i;
    }
    for (int i = count; i > 1; i /= 2) at ^= score(values, i) >> 3;
    return at;
}
int longest(int const *values, int count) {
    int run = 0, most = 0;
    for (int i = 1; i < count; i++) {
        run = values[i] > values[i - 1] ? run + 1 : 0;
        if (run > most) most = run;
    }
    return most * best_of(values, count);
}
";

/// The file by which a crate that cargo has fetched is known.
const FETCHED: [&str; 2] = ["player/vendor/gsl/.cargo-checksum.json", "{}"];

/// Reads a work as it was handed in.
fn handed_in(team: &str, files: &[(&str, &str)]) -> Work {
    let folder = tempfile::tempdir().expect("a folder");
    let archive = folder.path().join("upload");
    fs::write(&archive, gz(&tar(files))).expect("it can be written");
    Work::read(&format!("{team} version 1"), team, &archive).expect("it can be read")
}

#[test]
fn no_name_and_no_place_hides_a_copy() {
    let copy = renamed(MOBILITY);
    let comment = format!("/* {} */\n{copy}", "word ".repeat(300_000));
    let apostrophe = format!("#if 0\ndon't \"\n#endif\n{copy}");
    let junk = "if (a) b = 1; ".repeat(72_000);
    let named: Vec<String> = (0..8).map(|number| format!("{number}.c")).collect();
    let junk: Vec<(&str, &str)> = named.iter().map(|name| (name.as_str(), junk.as_str())).collect();
    for (hidden, is_told) in [
        (vec![("p.inc", copy.as_str())], false),
        (vec![("p.hh", &copy)], false),
        (vec![("data.json", &copy)], false),
        (vec![("Makefile", "all:\n\tcc vendor/p.c\n"), ("vendor/p.c", &copy)], false),
        (vec![("p.c", &comment)], false),
        (vec![("p.c", &apostrophe)], false),
        (vec![("p.c", &format!("/* \0\u{1} */ {copy}"))], false),
        ([&junk[..], &[("p.c", copy.as_str())]].concat(), true),
    ] {
        let names: Vec<&str> = hidden.iter().map(|(name, _)| *name).collect();
        let works = [handed_in("ada", &[("a.c", MOBILITY)]), handed_in("bob", &hidden)];
        let found = find(&works, &Given::default(), &[]);
        let said = report(&works, &found);
        assert_eq!(pairs(&found), [[0, 1]], "{names:?}: {said}");
        assert_eq!(said.contains("bob version 1: ") && said.contains("KiB are compared, not 4.c"), is_told, "{said}");
    }
}

#[test]
fn what_is_no_program_accuses_nobody_and_is_told() {
    const LICENCE: &str = include_str!("../../LICENSE");
    const LOCK: &str = include_str!("../../Cargo.lock");
    const NOTES: &str = include_str!("../../docs/design.md");
    let shared = [("LICENSE", LICENCE), ("Cargo.lock", LOCK), ("docs/notes.md", NOTES), (FETCHED[0], FETCHED[1])];
    let with = |own: [(&'static str, &'static str); 2]| [&shared[..], &own].concat();
    let works = [
        handed_in("ada", &with([("a.c", MOBILITY), ("player/vendor/gsl/other.c", GSL)])),
        handed_in("bob", &with([("b.rs", TERRITORY), ("player/vendor/gsl/other.c", GSL)])),
    ];
    let found = find(&works, &Given::default(), &[]);
    let said = report(&works, &found);
    assert_eq!(pairs(&found), [] as [[usize; 2]; 0], "{said}");
    assert!(said.contains("no two works") && said.contains("Cargo.lock") && said.contains("gsl/other.c"), "{said}");
    let table = copies_table(&works, &found);
    assert!(table.lines().filter(|line| line.contains(" version 1,,,")).count() == 2, "{table}");
}

#[test]
fn earlier_years_count_and_a_teams_own_versions_do_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let archive = gz(&tar(&[("player/a.c", MOBILITY), (FETCHED[0], FETCHED[1]), ("player/vendor/gsl/other.c", GSL)]));
    fs::write(folder.path().join("ann.tar.gz"), archive).expect("it can be written");
    fs::create_dir(folder.path().join("bob")).expect("a folder");
    fs::write(folder.path().join("bob/b.c"), GSL).expect("it can be written");
    fs::write(folder.path().join("notes.txt"), "no player").expect("it can be written");
    let mut works = Work::of_earlier_year(folder.path()).expect("it can be read");
    assert_eq!(works.iter().map(|work| work.sources.len()).collect::<Vec<_>>(), [1, 1, 0]);
    works.push(work("eve", &[("x.c", &renamed(MOBILITY))]));
    works.push(work("eve", &[("x.c", &renamed(MOBILITY))]));
    works.push(Work { is_earlier: true, ..work("old", &[("x.c", GSL)]) });
    let found = find(&works, &Given::default(), &[([3, 4], 9, 9), ([1, 3], 4, 5)]);
    let mut found_pairs = pairs(&found);
    found_pairs.sort_unstable();
    assert_eq!(found_pairs, [[0, 3], [0, 4], [1, 3]], "{}", report(&works, &found));
    let said = report(&works, &found);
    assert!(said.contains("ann.tar.gz and eve 1") && said.contains("player/a.c:"), "{said}");
    assert!(said.contains("the same moves in 4 of 5 games"), "{said}");
}
