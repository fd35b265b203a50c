//! `cluedo join`: a person at a server's table, at the terminal or in a browser.

mod course;

use std::io::{self, Write};
use std::iter;
use std::sync::Arc;

use amazons_program::{Exit, Interrupt, SIGINT, Typed, read_line};
use clap::Args;

use crate::client::{check_login, connect};
use crate::person::{Ask, ShowNotebook, Terminal};
use crate::web::{AboutMatch, Browser, Desk, PageArgs, failed};

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
    #[command(flatten)]
    page: PageArgs,
}

pub(crate) fn run(args: &JoinArgs, out: &mut impl Write) -> Result<Exit, Exit> {
    check_login(&args.login)?;
    if !args.web {
        let terminal = Terminal::new(out, ShowNotebook::WhenAsked);
        let stream = connect(&args.host, &args.server)?;
        let typed = || iter::repeat_with(|| read_line(&mut io::stdin().lock()));
        let lines = move || typed().take_while(|line| !matches!(line, Typed::End));
        return course::play(&stream, &args.login, terminal, lines);
    }
    // A read of the server's lines would go on after Ctrl-C.
    Interrupt::end_at_once(&[SIGINT]).map_err(|error| Exit::failure(format!("cannot catch Ctrl-C: {error}")))?;
    // The page's port is looked at before a seat is taken.
    let address = args.page.address()?;
    let stream = connect(&args.host, &args.server)?;
    let place = format!("{}:{}", args.host, args.server);
    let notice = "Connected to the server.".to_owned();
    let browser = Browser(Desk::new(0, Vec::new(), Some(AboutMatch { place, notice, ..AboutMatch::default() }))?);
    browser.0.change(|table| table.ask(Some(Ask::Wait)));
    let (server, url) = browser.0.serve(address)?;
    args.page.announce(out, "play at", url)?;
    let desk = Arc::clone(&browser.0);
    let replies = move || iter::repeat_with(move || desk.await_reply());
    let exit = course::play(&stream, &args.login, browser, replies)?;
    server.stop().map_err(failed)?;
    Ok(exit)
}
