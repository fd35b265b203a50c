//! Programs that the server starts itself, in the sandbox: a thread for each carries lines to it and answers back.

use std::io::{ErrorKind, Read, Write};
use std::os::unix::net::UnixStream;
use std::thread;
use std::time::{Duration, Instant};

use amazons_program::Exit;
use amazons_sandbox::SandboxMode;
use cluedo::line::inbox::MAX_UNASKED;
use cluedo::line::message::Line;
use cluedo::line::record::Client;

use crate::input_file::sha256;
use crate::seats::{Command, Heard, Link, Sandboxed};

/// Open files for each program, besides the client's: its pipes, its log, its process, the other end of the connection.
pub(super) const FILES: u64 = 8;

/// How often a program that is asked nothing is looked at.
const LOOK: Duration = Duration::from_millis(100);

/// How often the server is listened to while a program thinks.
const LISTEN: Duration = Duration::from_millis(20);

/// How long a program may leave lines unread; the server's own time-out ends most of them earlier.
const READING: Duration = Duration::from_secs(30);

/// Starts a program, which has a seat as long as the other end of the pipe is open.
pub(super) fn start(command: &Command, sandbox: SandboxMode, pipe: UnixStream) -> Result<(), Exit> {
    let program = Sandboxed::start(command, sandbox)?;
    // It ends when the program is gone or the match is over: the other end sees the end of the stream.
    thread::Builder::new().name("seat".to_owned()).spawn(|| carry(program, pipe)).map_err(Exit::failure)?;
    Ok(())
}

/// Returns what the record says of a program.
pub(super) fn client(command: &Command) -> Result<Client, Exit> {
    let program = command.program.display().to_string();
    let sum = sha256(&command.program).map_err(|error| Exit::usage(format!("{program}: {error}")))?;
    Ok(Client { address: "stdio".to_owned(), program: Some(program), sha256: Some(sum) })
}

/// Carries bytes until one side is gone.
fn carry(mut program: Sandboxed, mut pipe: UnixStream) -> std::io::Result<()> {
    let (mut lines, mut buffer) = (Vec::new(), [0; 4096]);
    // It may say hello at once.
    let (mut is_asked, mut unasked) = (true, 0);
    loop {
        pipe.set_read_timeout(Some(if is_asked { Duration::from_micros(1) } else { LOOK }))?;
        match pipe.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(count) => lines.extend_from_slice(&buffer[..count]),
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
            Err(error) => return Err(error),
        }
        if let Some(end) = lines.iter().rposition(|&byte| byte == b'\n') {
            let rest = lines.split_off(end + 1);
            let is_greeted = matches!(last_of(&lines), Some(Line::Welcome { .. }));
            let asks = is_greeted || matches!(last_of(&lines), Some(Line::Turn | Line::Ask));
            if asks && !is_greeted {
                // Earlier lines do not answer the question.
                let (count, first) = program.drain();
                if unasked + count > MAX_UNASKED {
                    pipe.write_all(&first)?;
                }
                unasked = 0;
            }
            if program.send(&lines, Instant::now() + READING).is_err() {
                return Ok(());
            }
            is_asked = asks;
            lines = rest;
        }
        if is_asked {
            match program.receive(Instant::now() + LISTEN) {
                Heard::Bytes(bytes) => {
                    pipe.write_all(&bytes)?;
                    // Without its end, the server may wait for the rest of the line.
                    is_asked = !bytes.contains(&b'\n');
                }
                Heard::Nothing => {}
                Heard::Gone(_) => return Ok(()),
            }
        } else {
            unasked += program.drain().0;
        }
    }
}

fn last_of(lines: &[u8]) -> Option<Line> {
    Line::parse(lines.trim_ascii_end().rsplit(|&byte| byte == b'\n').next()?)
}
