//! Games in a browser: those of records, those that are being played, and one's own.

mod desk;
mod desk_pages;
mod folder;
mod live;
mod route;
mod site;
mod state;

use std::io;
use std::net::TcpListener;
use std::sync::Arc;

use amazons_pages::{Access, Pages, Server, ServerLimits, listen};
use amazons_program::Exit;

pub(crate) use desk::{AboutMatch, Browser, Desk};
pub(crate) use folder::Folder;
pub(crate) use live::LiveTables;
pub(crate) use route::asset;
pub(crate) use site::Site;

/// A page's place, before it is shown.
pub(crate) struct Address(TcpListener);

impl Address {
    /// Takes a port of this machine; 0 is any free one.
    pub(crate) fn new(port: u16, flag: &str) -> Result<Self, Exit> {
        let listener = listen([127, 0, 0, 1].into(), port, Access::Local);
        listener.map(Self).map_err(|error| Exit::usage(format!("{flag} {port}: cannot listen there: {error}")))
    }

    /// Shows pages from now on.
    pub(crate) fn serve(self, pages: Arc<impl Pages>) -> Result<Server, Exit> {
        Server::start(self.0, pages, ServerLimits::default()).map_err(failed)
    }
}

pub(crate) fn failed(error: io::Error) -> Exit {
    Exit::failure(format!("cannot show the page: {error}"))
}
