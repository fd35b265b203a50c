//! Files of proofs: a few lines of heading and the winner's moves, a line each, compressed by gzip; `docs/proofs.md`.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::Path;

use amazons_program::files::write_whole;
use amazons_rules::{Color, Position};
use amazons_solve::{ProofMoves, verify_proof};
use anyhow::{Context, bail};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;

/// The first line of every proof.
const HEADING: &str = "amazons-proof 1";

/// The line of a move off the board.
const SPARE: &str = "-";

/// The longest line that is read.
const LINE_MAX: u64 = 1 << 16;

/// The result of a proof.
#[derive(Clone, Debug)]
pub(crate) struct Proven {
    /// The position at its root.
    pub(crate) position: Position,
    pub(crate) winner: Color,
    /// The winner's moves in it.
    pub(crate) moves: usize,
    /// The positions that were walked through.
    pub(crate) positions: usize,
}

/// Writes a proof, whole or not at all.
pub(crate) fn write_proof(path: &Path, position: &Position, winner: Color, moves: &ProofMoves) -> anyhow::Result<()> {
    let packed = pack(position, winner, moves);
    packed.and_then(|bytes| write_whole(path, &bytes)).with_context(|| format!("cannot write {}", path.display()))
}

/// Returns the bytes of a proof's file.
fn pack(position: &Position, winner: Color, moves: &ProofMoves) -> io::Result<Vec<u8>> {
    let mut packed = BufWriter::new(GzEncoder::new(Vec::new(), Compression::best()));
    write!(packed, "{HEADING}\nposition {position}\nwinner {winner}\nmoves {}\n", moves.len())?;
    for mv in moves.iter() {
        match mv {
            Some(mv) => writeln!(packed, "{}", position.board().move_text(mv))?,
            None => writeln!(packed, "{SPARE}")?,
        }
    }
    packed.into_inner()?.finish()
}

/// Reads a proof and walks through it. Fails when it is no proof, or cannot be read to its end.
pub(crate) fn read_proof(file: File) -> anyhow::Result<Proven> {
    let mut lines = Lines { source: BufReader::new(GzDecoder::new(BufReader::new(file))), number: 0 };
    if lines.next()?.as_deref() != Some(HEADING) {
        bail!("line 1: expected '{HEADING}'");
    }
    let text = lines.field("position")?;
    let position = Position::parse(&text).map_err(|error| anyhow::anyhow!("line 2: {error}"))?;
    let winner = match lines.field("winner")?.as_str() {
        "black" => Color::Black,
        "white" => Color::White,
        other => bail!("line 3: '{other}' is no colour"),
    };
    let told: usize = lines.field("moves")?.parse().context("line 4: expected a number of moves")?;
    let (mut failed, mut read) = (None, 0);
    let mut moves = std::iter::from_fn(|| {
        let line = lines.next().transpose()?;
        let number = lines.number;
        let mv = line.and_then(|line| match line.as_str() {
            SPARE => Ok(None),
            text => Ok(Some(position.board().parse_move(text)?)),
        });
        read += 1;
        mv.map_err(|error| failed = Some(error.context(format!("line {number}")))).ok()
    });
    let walked = verify_proof(&position, winner, &mut moves);
    if let Some(error) = failed {
        return Err(error);
    }
    let positions = walked?;
    if read != told {
        bail!("line 4: it tells of {told} moves, and {read} follow");
    }
    Ok(Proven { position, winner, moves: read, positions })
}

struct Lines<R> {
    source: R,
    number: usize,
}

impl<R: BufRead> Lines<R> {
    /// Returns the next line, if any.
    fn next(&mut self) -> anyhow::Result<Option<String>> {
        let mut line = String::new();
        self.number += 1;
        let number = self.number;
        let bytes = self.source.by_ref().take(LINE_MAX).read_line(&mut line);
        let bytes = bytes.with_context(|| format!("line {number}: cannot be read"))?;
        Ok((bytes > 0).then(|| line.trim_end_matches('\n').to_owned()))
    }

    fn field(&mut self, name: &str) -> anyhow::Result<String> {
        let line = self.next()?.unwrap_or_default();
        let value = line.strip_prefix(name).and_then(|rest| rest.strip_prefix(' '));
        value.map(str::to_owned).with_context(|| format!("line {}: expected '{name} ..'", self.number))
    }
}
