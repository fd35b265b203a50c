//! The client's end of a server's table, for bots and persons.

use std::io::{self, BufRead, ErrorKind, Read as _, Write};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

use amazons_program::Exit;
use cluedo::deal::PLAYERS;
use cluedo::line::message::{Answer, is_login};

/// How long a server that is started at the same moment may take until it listens.
const STARTING: Duration = Duration::from_secs(1);

/// No server has lines as long as this.
const MAX_SERVER_LINE_LEN: usize = 1 << 20;

pub(crate) fn check_login(login: &str) -> Result<(), Exit> {
    if !is_login(login.as_bytes()) {
        return Err(Exit::usage(format!("--login {login:?}: write 1 to 32 letters, digits or signs, no blanks")));
    }
    Ok(())
}

/// Connects to a server, which may just be starting.
pub(crate) fn connect(host: &str, port: &str) -> Result<TcpStream, Exit> {
    let number: u16 = port.parse().map_err(|_| Exit::usage(format!("{port:?} is not a port: write a number, or -")))?;
    let begun = Instant::now();
    let stream = loop {
        match TcpStream::connect((host, number)) {
            Err(error) if error.kind() == ErrorKind::ConnectionRefused && begun.elapsed() < STARTING => {
                thread::sleep(Duration::from_millis(20));
            }
            connected => break connected,
        }
    };
    let stream = stream.map_err(|error| Exit::usage(format!("{host}:{number}: {error}; is the server running?")))?;
    // Answers are small and waited for. A socket that cannot do it is only slower.
    let _ = stream.set_nodelay(true);
    Ok(stream)
}

/// Reads the server's next line, without blanks around it; nothing when it has gone.
pub(crate) fn read_line(server: &mut impl BufRead) -> Result<Option<Vec<u8>>, Exit> {
    let mut bytes = Vec::new();
    let read = server.take(MAX_SERVER_LINE_LEN as u64).read_until(b'\n', &mut bytes);
    if bytes.len() == MAX_SERVER_LINE_LEN {
        return Err(Exit::usage("the server sends a line of more than a megabyte: is this a Cluedo server?"));
    }
    Ok(bytes.strip_suffix(b"\n").filter(|_| read.is_ok()).map(|line| line.trim_ascii().to_vec()))
}

pub(crate) fn send(mut server: impl Write, answer: &Answer) -> io::Result<()> {
    server.write_all(format!("{answer}\n").as_bytes())?;
    server.flush()
}

pub(crate) fn check_seat(seat: usize, players: usize) -> Result<(), Exit> {
    if PLAYERS.contains(&players) && seat < players {
        return Ok(());
    }
    Err(Exit::usage(format!("the server says \"B {seat} {players}\": 2 to 10 can play")))
}
