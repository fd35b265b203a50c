//! The person looks for the secret.

use std::io::Write;

use amazons_program::Exit;
use clap::Args;
use mastermind::record::PERSON;
use mastermind::{Code, Feedback, Guesses, History, Scorer};

use crate::board::count_of;
use crate::input::Input;
use crate::options::{GameOptions, expect_at_most};
use crate::session::{Request, Session};

#[derive(Args, Debug)]
pub(crate) struct PlayArgs {
    #[command(flatten)]
    options: GameOptions,
    /// The guesses that the person has
    #[arg(long, default_value = "10", value_parser = clap::value_parser!(u32).range(1..))]
    max_guesses: u32,
    /// Show after each guess how many codes are left
    #[arg(long)]
    hints: bool,
    /// The code-maker has no secret, and answers so that most codes are left
    #[arg(long)]
    evil: bool,
}

/// The largest game of an evil code-maker, who looks at all codes.
const EVIL_MAX: u32 = 1_000_000;

const HELP: &str = "a code      guess it\n\
    hint        the guess of the strategy\n\
    left        how many codes fit, and a list when they are few\n\
    score CODE  what a guess would leave\n\
    undo, back  take the last guess back\n\
    save FILE   write a record\n\
    give up     see the secret\n\
    quit, exit  leave";

pub(crate) fn run(args: &PlayArgs, out: &mut impl Write) -> Result<Exit, Exit> {
    let (options, game) = (&args.options, args.options.game);
    options.check()?;
    if args.evil {
        expect_at_most(EVIL_MAX, game, "--evil handles")?;
    }
    let secret = (!args.evil).then(|| options.draw(options.seed()));
    let scorer = Scorer::new(game, options.strategy);
    let mut session = Session::begin(options, PERSON.to_owned(), None, 1, options.seed)?;
    let last = u8::try_from(game.colours() - 1).unwrap_or_default();
    writeln!(
        out,
        "{game}: {} pegs, colours {} to {}; {} guesses; help lists what you can type",
        game.pegs(),
        game.colour_name(0),
        game.colour_name(last),
        args.max_guesses
    )?;
    let mut input = Input::new();
    let is_solved = loop {
        let number = session.history.turns().len() + 1;
        let Some(line) = input.ask(&format!("guess {number}"), out, || Ok(()))? else { break false };
        match session.answer(&line, HELP, &scorer, out)? {
            Request::Answered => {}
            Request::Quit => break false,
            Request::Undo => match session.take_back()? {
                Some(turn) => writeln!(out, "{} is taken back", game.text(turn.guess))?,
                None => writeln!(out, "no guess can be taken back")?,
            },
            Request::Other if line == "hint" => {
                let guess = scorer.next_guess(&session.history, Guesses::All).map(|index| game.code(index));
                let text = guess.map_or_else(String::new, |code| session.pegs.code(game, code));
                writeln!(out, "{} guesses {text}", options.strategy)?;
            }
            Request::Other => {
                let code = match game.parse_code(&line) {
                    Ok(code) => code,
                    Err(error) => {
                        writeln!(out, "{error} (help lists what you can type)")?;
                        continue;
                    }
                };
                let evil = || evil_answer(&session.history, &scorer, code);
                let answer = secret.map_or_else(evil, |secret| Feedback::of(code, secret));
                let left = session.round(code, answer, Vec::new(), Vec::new())?;
                let hint = if args.hints { format!("  {left} left") } else { String::new() };
                let Feedback { black, white } = answer;
                let code = session.pegs.code(game, code);
                writeln!(out, "{code}  {answer} ({black} black, {white} white){hint}")?;
                if answer == game.solved() {
                    break true;
                }
                if session.history.turns().len() >= args.max_guesses as usize {
                    writeln!(out, "that was the last guess")?;
                    break false;
                }
            }
        }
    };
    // That of an evil code-maker is any code that fits.
    let secret = secret.or_else(|| session.history.fitting().next().map(|index| game.code(index)));
    if let Some(secret) = secret {
        let guesses = count_of(session.history.turns().len(), "guess");
        let found = if is_solved { format!("found with {guesses}") } else { "not found".to_owned() };
        writeln!(out, "the secret {} was {found}", session.pegs.code(game, secret))?;
    }
    session.review(out)?;
    session.end(secret, is_solved)
}

/// The answer that leaves most codes; of equal ones that with the fewest blacks.
fn evil_answer(history: &History, scorer: &Scorer, guess: Code) -> Feedback {
    let game = history.game();
    let candidates = scorer.candidates(history.fitting().collect());
    let parts = scorer.split(&candidates, guess);
    let most = parts.into_iter().rev().max_by_key(|(_, part)| part.len());
    most.map_or_else(|| game.solved(), |(answer, _)| answer)
}
