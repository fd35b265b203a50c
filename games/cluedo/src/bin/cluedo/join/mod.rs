//! `cluedo join`: a person at a server's table, at the terminal or in a browser.

mod connection;
mod terminal;
mod web;

use std::io::Write;

use amazons_program::Exit;
use clap::Args;

use crate::bot::{check_login, connect};

#[derive(Debug, Args)]
pub(crate) struct JoinArgs {
    /// The server's port
    #[arg(value_name = "PORT")]
    server: String,
    /// The server's address
    #[arg(long, default_value = "127.0.0.1")]
    host: String,
    /// Your name at the table
    #[arg(long, default_value = "person")]
    login: String,
    /// Play in a browser, at an address of this machine that is printed
    #[arg(long)]
    web: bool,
    /// The port of the page of --web [default: any free one]
    #[arg(long, value_name = "PORT", requires = "web")]
    port: Option<u16>,
    /// Open the page of --web in a browser
    #[arg(long, requires = "web")]
    open: bool,
}

pub(crate) fn run(args: &JoinArgs, out: &mut impl Write) -> Result<Exit, Exit> {
    check_login(&args.login)?;
    if args.web {
        return web::run(args, out);
    }
    let stream = connect(&args.host, &args.server)?;
    terminal::run(&stream, &args.login, out)
}
