use std::io;
use std::net::{IpAddr, TcpListener};

/// Where pages may be seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// On this machine only.
    Local,
    /// From anywhere: pages must leave out facts about this machine.
    Public,
}

/// Listens on an address; port 0 means any free one. Fails when the port is taken, or `host` is not a loopback address
/// and access is `Local`.
pub fn listen(host: IpAddr, port: u16, access: Access) -> io::Result<TcpListener> {
    if access == Access::Local && !host.is_loopback() {
        return Err(io::Error::other("this address can be reached from other machines: add --public to allow that"));
    }
    let listener = TcpListener::bind((host, port))?;
    listener.set_nonblocking(true)?;
    Ok(listener)
}
