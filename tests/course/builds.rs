//! Sources become players.

use std::cell::Cell;
use std::fs;
use std::path::Path;
use std::time::Duration;

use amazons::course::build::{BuildError, Built, Pace};
use amazons_testing::skip;

use super::rig::{MAKEFILE, PLAYER, Workshop, gz, holds, recipe, tar, zip};
use crate::support;

#[test]
fn c_sources_build_however_they_are_packed() {
    let files = [("Makefile", MAKEFILE), ("player.c", PLAYER)];
    let windows = MAKEFILE.replace('\n', "\r\n");
    let deep = [("team/Makefile", MAKEFILE), ("team/player.c", PLAYER), ("__MACOSX/team/._player.c", "\0")];
    let zipped = [
        ("team\\Makefile", windows.as_bytes()),
        ("team\\player.c", PLAYER.as_bytes()),
        ("team\\old.so", b"\x7fELF stale"),
        ("__MACOSX/._x", b"\0"),
    ];
    for upload in [tar(&files), gz(&tar(&deep)), zip(&zipped)] {
        let workshop = Workshop::new();
        let built = workshop.built(&upload).unwrap_or_else(|error| panic!("{error:?}"));
        assert!(built.output.contains("cc -shared"), "{}", built.output);
        assert!(holds(&workshop.path("player.so"), "get_player_name"));
    }
}

#[test]
fn a_library_is_taken_as_it_is() {
    let workshop = Workshop::new();
    let library = fs::read(support::player("random")).expect("it is installed");
    assert_eq!(workshop.built(&library).expect("it is a library"), Built::default());
    assert_eq!(fs::read(workshop.path("player.so")).expect("it is there"), library);
}

#[test]
fn c_sources_may_use_gsl() {
    if !Path::new("/usr/include/gsl/gsl_rng.h").exists() {
        return skip("there is no GSL (Debian: apt-get install libgsl-dev)");
    }
    let source = format!("#include <gsl/gsl_math.h>\ndouble two(void) {{ return gsl_pow_2(1.5); }}\n{PLAYER}");
    let makefile = MAKEFILE.replace("$(LIBS)", "-lgsl -lgslcblas -lm");
    let workshop = Workshop::new();
    workshop.built(&gz(&tar(&[("Makefile", &makefile), ("player.c", &source)]))).expect("GSL is read");
    assert!(holds(&workshop.path("player.so"), "libgsl.so"));
}

const MANIFEST: &str = "[package]\nname = \"team\"\nedition = \"2024\"\n[lib]\ncrate-type = [\"cdylib\"]\n\
                        [profile.release]\nopt-level = 0\n";
const RUST: &str =
    "#[unsafe(no_mangle)]\npub extern \"C\" fn get_player_name() -> *const u8 { b\"team\\0\".as_ptr() }\n";

#[test]
fn rust_sources_build_with_and_without_a_makefile_and_build_scripts_are_held() {
    let script = "fn main() {\n\
        assert!(std::net::TcpStream::connect(\"127.0.0.1:9\").unwrap_err().raw_os_error() == Some(13));\n\
        assert!(std::fs::write(\"/tmp/amazons-build-script\", \"\").is_err());\n}\n";
    let by_make = "all:\n\tcargo build -q --release\n\tinstall -m 644 target/release/libteam.so team.so\n";
    let alone = [("Cargo.toml", MANIFEST), ("src/lib.rs", RUST), ("build.rs", script)];
    let both = [("Cargo.toml", MANIFEST), ("src/lib.rs", RUST), ("Makefile", by_make)];
    for files in [alone, both] {
        let workshop = Workshop::new();
        match workshop.built(&zip(&files.map(|(name, text)| (name, text.as_bytes())))) {
            Ok(_) => assert!(holds(&workshop.path("player.so"), "get_player_name")),
            Err(error @ BuildError::Unable { what: "Rust sources", .. }) => return skip(error.to_string()),
            Err(error) => panic!("{error:?}"),
        }
    }
}

#[test]
fn what_cannot_become_one_library_is_refused_with_reasons() {
    let workshop = Workshop::new();
    let reason = |upload: &[u8]| workshop.refused(upload).0;
    let makes = |commands: &str| reason(&tar(&[("Makefile", &recipe(commands))]));
    assert!(reason(b"").contains("the upload is empty"));
    assert!(reason(b"MZ\x90\0").contains("for Windows"));
    assert_eq!(reason(b"int main(void) {}"), "this is not a .so, .tar, .tar.gz or .zip");
    assert!(reason(&tar(&[("a.c", ""), ("b.c", "")])).contains("found a.c, b.c"));
    assert!(reason(&tar(&[("Cargo.toml", "[package]")])).contains("crate-type = [\"cdylib\"]"));
    assert!(makes("exit 3").contains("the build failed with status 2"));
    assert!(makes("true").contains("make wrote no .so"));
    assert!(makes("printf '\\177ELF' > a.so; cp a.so b.so").contains("several .so files: a.so, b.so"));
    assert!(makes("echo text > a.so").contains("not a shared library"));
    assert!(makes("ln -s /etc/passwd a.so").contains("make wrote no .so"));
    let broken = workshop.refused(&tar(&[("Makefile", MAKEFILE), ("player.c", "int main(\n")]));
    assert!(broken.1.contains("player.c:1:"), "{broken:?}");
    assert!(broken.0.contains("'player.c:1:") && broken.0.ends_with(": see build.txt"), "{broken:?}");
    assert!(!broken.1.contains(&workshop.path("").display().to_string()), "{broken:?}");
    let unlinked = makes("echo \"a.c: undefined reference to \\`gsl_rng_alloc'\"; false");
    assert!(unlinked.contains("link GSL after the sources: -lgsl"), "{unlinked}");
    let below =
        tar(&[("Makefile", &recipe("mkdir -p build out/deps; printf '\\177ELF' | tee build/a.so > out/deps/b.so"))]);
    workshop.built(&below).expect("one below counts");
}

#[test]
fn a_build_can_be_stopped() {
    let workshop = Workshop::new();
    let stopped = workshop.built_at(&tar(&[("Makefile", &recipe("sleep 1000"))]), &|_| Pace::Stop);
    assert!(
        matches!(&stopped, Err(BuildError::Own(error)) if error.to_string() == "the build was stopped"),
        "{stopped:?}"
    );
}

#[test]
fn the_clock_of_a_build_that_waits_stands_still() {
    let mut workshop = Workshop::new();
    workshop.limits.wall = Duration::from_millis(1500);
    // Looks are 50 ms apart, so that it stands still for longer than it may run.
    let looks = Cell::new(0);
    let (work, elsewhere) = (workshop.path("work"), std::env::temp_dir());
    // Its archive is unpacked, and make runs.
    let has_begun = || {
        let name = std::fs::read_to_string(work.join("build-folder")).unwrap_or_default();
        [&work, &elsewhere].iter().any(|parent| parent.join(&name).join("sources/begun").exists())
    };
    let pace = |_| if has_begun() && looks.replace(looks.get() + 1) < 31 { Pace::Wait } else { Pace::Go };
    let upload = tar(&[("Makefile", &recipe("touch begun; sleep 0.3; printf '\\177ELF' > a.so"))]);
    workshop.built_at(&upload, &pace).unwrap_or_else(|error| panic!("{error:?}"));
    assert!(looks.get() > 31, "{} looks", looks.get());
}

#[test]
fn a_build_may_run_programs_that_it_has_built() {
    let makefile =
        "a.so: helper\n\t./helper > player.c && cc -shared -fPIC -o a.so player.c\nhelper: helper.c\n\tcc -o $@ $<\n";
    let helper = "#include <stdio.h>\nint main(void) { puts(\"int made_by_a_program;\"); }\n";
    let workshop = Workshop::new();
    let built = workshop.built(&tar(&[("Makefile", makefile), ("helper.c", helper)]));
    built.unwrap_or_else(|error| panic!("{error:?}"));
    assert!(holds(&workshop.path("player.so"), "made_by_a_program"));
}
