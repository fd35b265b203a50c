//! The C headers: compilers accept them, and their memory layout matches the Rust mirror.

use std::fs;
use std::mem::{offset_of, size_of};
use std::path::Path;
use std::process::Output;

use amazons_player::abi::{GraphT, MoveT, SpmatrixUint};
use amazons_testing::skip;
use tempfile::TempDir;

use crate::support;

const STANDARDS: [(&str, &str); 6] =
    [("c", "c99"), ("c", "c11"), ("c", "c17"), ("c++", "c++98"), ("c++", "c++11"), ("c++", "c++17")];

fn check_syntax(language: &str, standard: &str, source: &str, arguments: &[&str]) -> Output {
    let folder = TempDir::new().expect("there is room for a temporary folder");
    support::write_headers(folder.path());
    let file = folder.path().join("source");
    fs::write(&file, source).expect("the source can be written");
    support::compiler()
        .args(["-fsyntax-only", "-Wall", "-Wextra", "-pedantic", "-Werror", "-I"])
        .arg(folder.path())
        .arg(format!("-std={standard}"))
        .args(arguments)
        .args(["-x", language])
        .arg(file)
        .output()
        .expect("a C compiler is installed")
}

fn assert_compiles(language: &str, standard: &str, source: &str, arguments: &[&str]) {
    let output = check_syntax(language, standard, source, arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{standard} {arguments:?}\n{source}\n{errors}");
}

/// The standards that can be tried; notes it when the compiler has no C++.
fn standards() -> impl Iterator<Item = (&'static str, &'static str)> {
    let has_cpp = check_syntax("c++", "c++98", "", &[]).status.success();
    if !has_cpp {
        skip("the C compiler knows no C++, the headers are not tried in it (Debian: apt-get install g++)");
    }
    STANDARDS.into_iter().filter(move |&(language, _)| language == "c" || has_cpp)
}

/// Returns whether `gsl/gsl_spmatrix.h` can be included; notes it when not.
fn has_gsl() -> bool {
    let source = "#include <stddef.h>\n#include <gsl/gsl_spmatrix.h>\n";
    let found = check_syntax("c", "c11", source, &[]).status.success();
    if !found {
        skip("GSL is not installed, nothing is compared with its headers (Debian: apt-get install libgsl-dev)");
    }
    found
}

#[test]
fn every_header_stands_alone_in_c_and_cpp() {
    for (language, standard) in standards() {
        for header in ["dir.h", "graph.h", "move.h", "player.h"] {
            let twice = format!("#include \"{header}\"\n#include \"{header}\"\n");
            assert_compiles(language, standard, &twice, &[]);
            assert_compiles(language, standard, &twice, &["-DAMAZONS_NO_GSL"]);
        }
    }
}

#[test]
fn a_player_is_written_the_same_way_with_and_without_gsl() {
    let player = r#"
        #include "player.h"
        char const *get_player_name(void) { return "name"; }
        void initialize(unsigned int id, struct graph_t *graph, unsigned int n, unsigned int *queens[NUM_PLAYERS]) {
            graph->t->data[graph->t->p[0]] = (unsigned int)DIR_EAST + (unsigned int)graph->t->i[0] + id + n;
            graph->t->work.work_int[0] = graph->t->sptype == GSL_SPMATRIX_CSR;
            queens[0][0] = queens[1][0];
        }
        struct move_t play(struct move_t previous_move) { return previous_move; }
        void finalize(void) {}
    "#;
    for (language, standard) in standards() {
        assert_compiles(language, standard, player, &["-DAMAZONS_NO_GSL"]);
        assert_compiles(language, standard, player, &[]);
    }
}

#[test]
fn gsl_may_be_included_before_and_after_our_headers() {
    if has_gsl() {
        let gsl = "#include <stddef.h>\n#include <gsl/gsl_spmatrix.h>\n";
        assert_compiles("c", "c99", &format!("{gsl}#include \"player.h\"\n"), &[]);
        assert_compiles("c", "c99", &format!("#include \"player.h\"\n{gsl}"), &[]);
    }
}

#[test]
fn gsl_with_another_layout_is_refused() {
    let folder = TempDir::new().expect("there is room for a temporary folder");
    let gsl = folder.path().join("gsl");
    fs::create_dir(&gsl).expect("a folder can be made");
    let old = "#define GSL_MAJOR_VERSION 2\n#define GSL_MINOR_VERSION 5\n";
    fs::write(gsl.join("gsl_version.h"), old).expect("a header can be written");
    fs::write(gsl.join("gsl_spmatrix.h"), "typedef struct { int i; } gsl_spmatrix_uint;\n").expect("it can be written");
    let include = format!("-I{}", folder.path().display());
    let output = check_syntax("c", "c99", "#include \"graph.h\"\n", &[&include]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("GSL before 2.6"), "{output:?}");
}

/// C assertions of Rust's sizes, offsets and constants.
fn layout_assertions() -> String {
    let mut lines = vec!["#include \"player.h\"".to_owned(), "#include <stddef.h>".to_owned()];
    let mut size = |name: &str, bytes: usize| lines.push(format!("_Static_assert(sizeof({name}) == {bytes}, \"\");"));
    size("struct move_t", size_of::<MoveT>());
    size("struct graph_t", size_of::<GraphT>());
    size("gsl_spmatrix_uint", size_of::<SpmatrixUint>());
    let mut offset = |name: &str, field: &str, bytes: usize| {
        lines.push(format!("_Static_assert(offsetof({name}, {field}) == {bytes}, \"{field}\");"));
    };
    offset("struct move_t", "queen_src", offset_of!(MoveT, queen_src));
    offset("struct move_t", "queen_dst", offset_of!(MoveT, queen_dst));
    offset("struct move_t", "arrow_dst", offset_of!(MoveT, arrow_dst));
    offset("struct graph_t", "num_vertices", offset_of!(GraphT, num_vertices));
    offset("struct graph_t", "t", offset_of!(GraphT, t));
    offset("gsl_spmatrix_uint", "size1", offset_of!(SpmatrixUint, size1));
    offset("gsl_spmatrix_uint", "size2", offset_of!(SpmatrixUint, size2));
    offset("gsl_spmatrix_uint", "i", offset_of!(SpmatrixUint, i));
    offset("gsl_spmatrix_uint", "data", offset_of!(SpmatrixUint, data));
    offset("gsl_spmatrix_uint", "p", offset_of!(SpmatrixUint, p));
    offset("gsl_spmatrix_uint", "nzmax", offset_of!(SpmatrixUint, nzmax));
    offset("gsl_spmatrix_uint", "nz", offset_of!(SpmatrixUint, nz));
    offset("gsl_spmatrix_uint", "tree", offset_of!(SpmatrixUint, tree));
    offset("gsl_spmatrix_uint", "pool", offset_of!(SpmatrixUint, pool));
    offset("gsl_spmatrix_uint", "node_size", offset_of!(SpmatrixUint, node_size));
    offset("gsl_spmatrix_uint", "work", offset_of!(SpmatrixUint, work));
    offset("gsl_spmatrix_uint", "sptype", offset_of!(SpmatrixUint, sptype));
    offset("gsl_spmatrix_uint", "spflags", offset_of!(SpmatrixUint, spflags));
    for (name, value) in [
        ("GSL_SPMATRIX_COO", 0),
        ("GSL_SPMATRIX_CSC", 1),
        ("GSL_SPMATRIX_CSR", 2),
        ("NUM_PLAYERS", 2),
        ("NO_DIR", 0),
        ("DIR_NORTH", 1),
        ("DIR_NE", 2),
        ("DIR_EAST", 3),
        ("DIR_SE", 4),
        ("DIR_SOUTH", 5),
        ("DIR_SW", 6),
        ("DIR_WEST", 7),
        ("DIR_NW", 8),
        ("FIRST_DIR", 1),
        ("LAST_DIR", 8),
        ("NUM_DIRS", 8),
    ] {
        lines.push(format!("_Static_assert({name} == {value}, \"{name}\");"));
    }
    lines.join("\n")
}

#[test]
fn our_struct_is_laid_out_as_in_rust() {
    assert_compiles("c", "c11", &layout_assertions(), &["-DAMAZONS_NO_GSL"]);
}

#[test]
fn the_struct_of_gsl_is_laid_out_as_in_rust() {
    if has_gsl() {
        let uses_gsl = "#ifndef AMAZONS_HAS_GSL\n#error \"GSL was not found\"\n#endif\n";
        assert_compiles("c", "c11", &format!("{}\n{uses_gsl}", layout_assertions()), &[]);
    }
}

#[test]
fn the_layout_check_sees_a_wrong_offset() {
    let wrong = layout_assertions().replace("sptype) == 88", "sptype) == 84");
    assert!(!check_syntax("c", "c11", &wrong, &["-DAMAZONS_NO_GSL"]).status.success());
}

#[test]
fn headers_name_no_folder_of_the_repository() {
    let folder = TempDir::new().expect("there is room for a temporary folder");
    support::write_headers(folder.path());
    for header in fs::read_dir(folder.path()).expect("the folder is there").flatten() {
        let text = fs::read_to_string(header.path()).expect("the header is there");
        let includes = text.lines().filter_map(|line| line.strip_prefix("#include \""));
        for name in includes.map(|rest| rest.trim_end_matches('"')) {
            assert_eq!(Path::new(name).components().count(), 1, "{:?} includes {name}", header.file_name());
        }
    }
}
