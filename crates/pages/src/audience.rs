use std::io;
use std::net::{IpAddr, TcpListener};

/// The people who may watch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// People at this machine.
    Local,
    /// Everyone: what is shown must leave out facts about the machine.
    Public,
}

/// Listens on an address; port 0 means any free one.
///
/// # Errors
/// When the port is taken, or others could connect: only `Public` may leave this machine.
pub fn listen(host: IpAddr, port: u16, audience: Audience) -> io::Result<TcpListener> {
    if audience == Audience::Local && !host.is_loopback() {
        return Err(io::Error::other("others could look in there: spell out --public if they may"));
    }
    let listener = TcpListener::bind((host, port))?;
    listener.set_nonblocking(true)?;
    Ok(listener)
}
