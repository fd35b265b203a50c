//! Uploads, made here, and their builds.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use amazons::course::build::{BuildError, BuildLimits, BuildUse, Built, Pace, build};
use amazons::host::use_server;
use tempfile::TempDir;

use crate::support;

/// The workplace of a team: its upload, and what becomes of it.
pub(super) struct Workshop {
    pub(super) root: TempDir,
    pub(super) limits: BuildLimits,
}

impl Workshop {
    pub(super) fn new() -> Self {
        use_server(&support::server());
        let limits = BuildLimits { wall: Duration::from_secs(60), ..BuildLimits::default() };
        Self { root: TempDir::new().expect("a folder"), limits }
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    /// Builds an upload of these bytes.
    pub(super) fn built(&self, upload: &[u8]) -> Result<Built, BuildError> {
        let built = self.built_at(upload, &|_| Pace::Go);
        let left = fs::read_dir(self.path("work")).into_iter().flatten().flatten().map(|entry| entry.file_name());
        assert_eq!(
            left.filter(|name| name != "build-folder").count(),
            0,
            "a build leaves nothing but its folder's name"
        );
        built
    }

    pub(super) fn built_at(&self, upload: &[u8], pace: &dyn Fn(BuildUse) -> Pace) -> Result<Built, BuildError> {
        let path = self.path("upload");
        fs::write(&path, upload).expect("the upload can be written");
        let built = build(&path, &self.path("work"), &self.path("player.so"), &self.limits, pace);
        assert_eq!(built.is_ok(), self.path("player.so").exists(), "{built:?}");
        built
    }

    /// Returns why an upload is refused, and the output of its build.
    pub(super) fn refused(&self, upload: &[u8]) -> (String, String) {
        match self.built(upload) {
            Err(BuildError::Refused { reasons, output }) => (reasons.join("; "), output),
            other => panic!("{other:?}"),
        }
    }

    /// Builds with a Makefile of these commands, and returns why that is refused.
    pub(super) fn commands_refused(&self, commands: &str) -> (String, String) {
        self.refused(&tar(&[("Makefile", &recipe(commands))]))
    }
}

/// A Makefile that runs a script of the shell.
pub(super) fn recipe(commands: &str) -> String {
    let line: String = commands.trim().replace('$', "$$").lines().collect::<Vec<_>>().join("\n\t");
    format!(".ONESHELL:\nall:\n\t@{line}\n")
}

pub(super) fn tar(files: &[(&str, &str)]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for (name, text) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, name, text.as_bytes()).expect("it is memory");
    }
    archive.into_inner().expect("it is memory")
}

/// An archive with one entry whose name is taken as it is.
pub(super) fn odd_tar(name: &str, kind: tar::EntryType) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_gnu();
    header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
    header.set_entry_type(kind);
    header.set_link_name("/etc/passwd").expect("it is short");
    header.set_size(0);
    header.set_cksum();
    archive.append(&header, &[][..]).expect("it is memory");
    archive.into_inner().expect("it is memory")
}

pub(super) fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(bytes).and_then(|()| packer.finish()).expect("it is memory")
}

pub(super) fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    zip_with(files, 0o100_644)
}

/// A zip archive whose entries all have this kind and mode.
pub(super) fn zip_with(files: &[(&str, &[u8])], mode: u32) -> Vec<u8> {
    let mut archive = rawzip::ZipArchiveWriter::new(Vec::new());
    for (name, bytes) in files {
        let name = rawzip::path::EntryPath::verbatim(name.as_bytes());
        let method = rawzip::CompressionMethod::DEFLATE;
        let file = archive.new_file(name).compression_method(method).unix_permissions(mode);
        let (mut entry, config) = file.start().expect("it is memory");
        let packer = flate2::write::DeflateEncoder::new(&mut entry, flate2::Compression::fast());
        let mut writer = config.wrap(packer);
        writer.write_all(bytes).expect("it is memory");
        let (packer, descriptor) = writer.finish().expect("it is memory");
        packer.finish().expect("it is memory");
        entry.finish(descriptor).expect("it is memory");
    }
    archive.finish().expect("it is memory")
}

/// A player in C that needs the headers.
pub(super) const PLAYER: &str = r#"
#include "player.h"
char const *get_player_name(void) { return "team"; }
void initialize(unsigned int id, struct graph_t *graph, unsigned int n, unsigned int *queens[NUM_PLAYERS])
{ (void)id; (void)graph; (void)n; (void)queens; }
struct move_t play(struct move_t previous) { return previous; }
void finalize(void) {}
"#;

/// Its Makefile, as teams write them.
pub(super) const MAKEFILE: &str = "team.so: player.c\n\tcc -shared -fPIC -O1 -o $@ $< $(LIBS)\n";

/// Returns whether a library has this name in it.
pub(super) fn holds(library: &Path, word: &str) -> bool {
    let bytes = fs::read(library).expect("it was written");
    bytes.windows(word.len()).any(|part| part == word.as_bytes())
}
