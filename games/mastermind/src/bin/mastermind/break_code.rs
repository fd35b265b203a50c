//! The computer looks for the secret of a person, who answers.

use std::io::Write;
use std::num::NonZeroUsize;
use std::time::Instant;

use amazons_mpi::World as _;
use amazons_program::{Exit, ranks::thread_count};
use clap::Args;
use mastermind::protocol::{Protocol, ProtocolError};
use mastermind::{Code, Scorer};

use crate::board::count_of;
use crate::input::Input;
use crate::options::GameOptions;
use crate::ranks::{Leader, failed, run_shared};
use crate::session::{Request, Session};

#[derive(Args, Debug)]
pub(crate) struct BreakArgs {
    #[command(flatten)]
    options: GameOptions,
    /// Threads that score guesses; under a launcher all ranks do
    #[arg(short = 'j', long, default_value = "1", value_parser = thread_count)]
    threads: NonZeroUsize,
}

const HELP: &str = "12, 1B2W    1 black and 2 white: right colours in the right place, and in a wrong one\n\
    N: 12       correct the answer to guess N\n\
    CODE: 12    what you have guessed instead, and its answer\n\
    left        how many codes fit, and a list when they are few\n\
    score CODE  what a guess would leave\n\
    undo, back  take the last answer back\n\
    save FILE   write a record\n\
    give up, quit, exit  end the game";

pub(crate) fn run(args: &BreakArgs, out: &mut impl Write) -> Result<Exit, Exit> {
    let options = &args.options;
    options.check()?;
    let scorer = Scorer::new(options.game, options.strategy);
    run_shared(Some(args.threads), &scorer, options.lost_after(), |leader| play(options, leader, &scorer, out))
}

fn play(
    options: &GameOptions,
    leader: &mut Leader<'_, '_, '_>,
    scorer: &Scorer,
    out: &mut impl Write,
) -> Result<Exit, Exit> {
    let (game, strategy, ranks) = (options.game, options.strategy.to_string(), leader.ranks.world().size());
    let mut session = Session::begin(options, strategy, Some(Protocol::Shared), ranks, None)?;
    let mut input = Input::new();
    writeln!(out, "think of a code of {game}; answer each guess with black and white, such as 12; help explains")?;
    let secret = 'game: loop {
        session.since = Instant::now();
        let guess = match leader.choose(&session.history) {
            Ok(index) => Some(game.code(index)),
            Err(ProtocolError::NoCode) => None,
            Err(error) => return Err(failed(error)),
        };
        session.seconds = Some(session.since.elapsed().as_secs_f64());
        match guess {
            Some(guess) => {
                writeln!(out, "guess {}: {}", session.history.turns().len() + 1, session.pegs.code(game, guess))?;
            }
            None => {
                let reason = session.history.contradiction().map(|found| found.to_string()).unwrap_or_default();
                writeln!(out, "{reason}; type undo, or the number of a guess and the right answer, such as 2: 11")?;
            }
        }
        input.drop_typed_ahead(out)?;
        // Until the history changes.
        loop {
            // The other ranks wait with us, however long the person thinks.
            let idle = || leader.idle().map_err(failed);
            let Some(line) = input.ask("answer", out, idle)? else { break 'game None };
            match session.answer(&line, HELP, scorer, out)? {
                Request::Answered => {}
                Request::Quit => break 'game None,
                Request::Undo if session.take_back()?.is_some() => break,
                Request::Undo => writeln!(out, "no answer can be taken back")?,
                Request::Other if understand(&line, &mut session, guess, out)? => break,
                Request::Other => {}
            }
        }
        let turns = session.history.turns();
        if let Some(place) = turns.iter().position(|turn| turn.answer == game.solved())
            && session.history.contradiction().is_none()
        {
            let secret = turns[place].guess;
            // After a correction an earlier guess may be the secret; later guesses are then not part of the game.
            while session.history.turns().len() > place + 1 {
                session.take_back()?;
            }
            break Some(secret);
        }
    };
    let guesses = session.history.turns().len();
    if let Some(secret) = secret {
        let secret = session.pegs.code(game, secret);
        writeln!(out, "the secret {secret} was found with {}", count_of(guesses, "guess"))?;
    } else if guesses > 0 {
        writeln!(out, "go on with: mastermind next --game {game} '{}'", session.history)?;
    }
    session.review(out)?;
    session.end(secret, secret.is_some())
}

/// Takes an answer, or a correction of one; returns whether it changed the history. `guess` waits for its answer, unless
/// the answers contradict each other.
fn understand(line: &str, session: &mut Session<'_>, guess: Option<Code>, out: &mut impl Write) -> Result<bool, Exit> {
    let (game, count) = (session.history.game(), session.history.turns().len());
    let (head, text) = line.split_once(':').map_or((None, line), |(head, text)| (Some(head.trim()), text));
    let answer = match game.parse_feedback(text.trim()) {
        Ok(answer) => answer,
        Err(error) => return Ok(writeln!(out, "{error}").map(|()| false)?),
    };
    let place = head.and_then(|head| head.parse::<usize>().ok()).filter(|place| (1..=count).contains(place));
    if let Some(place) = place {
        session.correct(place - 1, answer)?;
        return Ok(true);
    }
    match head.map_or(Ok(guess), |head| game.parse_guess(head).map(Some)) {
        Ok(Some(guess)) => session.round(guess, answer, Vec::new(), Vec::new()).map(|_| true),
        Ok(None) => Ok(writeln!(out, "say which answer is wrong, such as 2: {}", text.trim()).map(|()| false)?),
        Err(_) => Ok(writeln!(out, "there are guesses 1 to {count} to correct").map(|()| false)?),
    }
}
