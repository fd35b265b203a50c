//! The computer looks for the secret of a person, who answers.

use std::io::Write;
use std::num::NonZeroUsize;
use std::time::Instant;

use amazons_mpi::World as _;
use amazons_program::{Exit, ranks::thread_count};
use clap::Args;
use mastermind::protocol::ProtocolError;
use mastermind::record::Line;
use mastermind::{Code, History, Scorer};

use crate::auto::{finish_game, guesses_text, worths};
use crate::board::Pegs;
use crate::input::Input;
use crate::options::{GameOptions, Recorder};
use crate::play::{list_left, score};
use crate::ranks::{Leader, failed, run_shared};

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
    args.options.check()?;
    let scorer = Scorer::new(args.options.game, args.options.strategy);
    run_shared(Some(args.threads), &scorer, args.options.lost_after(), |leader| play(args, leader, &scorer, out))
}

fn play(
    args: &BreakArgs,
    leader: &mut Leader<'_, '_, '_>,
    scorer: &Scorer,
    out: &mut impl Write,
) -> Result<Exit, Exit> {
    args.options.check_page()?;
    let (game, pegs) = (args.options.game, Pegs::detect());
    let ranks = leader.world().size();
    let (mut history, mut input, mut seconds) = (History::new(game), Input::new(), Vec::new());
    let mut recorder = Recorder::create(args.options.record.as_deref())?;
    recorder.replace(0, lines(&history, &seconds, ranks, args))?;
    writeln!(out, "think of a code of {game}; answer each guess with black and white, such as 12; help explains")?;
    let ended = 'game: loop {
        let since = Instant::now();
        let guess = match leader.choose(&history) {
            Ok(chosen) => Some(game.code(chosen.index)),
            Err(ProtocolError::NoCode) => None,
            Err(error) => return Err(failed(error)),
        };
        seconds.truncate(history.turns().len());
        seconds.push(since.elapsed().as_secs_f64());
        match guess {
            Some(guess) => writeln!(out, "guess {}: {}", history.turns().len() + 1, pegs.code(game, guess))?,
            None => {
                let reason = history.contradiction().map(|found| found.to_string()).unwrap_or_default();
                writeln!(out, "{reason}; type undo, or the number of a guess and the right answer, such as 2: 11")?;
            }
        }
        input.drop_typed_ahead(out)?;
        // Until the history changes.
        loop {
            // The other ranks wait with us, however long the person thinks.
            let alive = || leader.idle().map_err(failed);
            let Some(line) = input.ask_while("answer", out, alive)? else { break 'game None };
            match answer(&line, &mut history, guess, scorer, out)? {
                Said::Nothing => {}
                Said::Changed => {
                    recorder.replace(0, lines(&history, &seconds, ranks, args))?;
                    break;
                }
                Said::Quit => break 'game None,
                Said::Save(file) => {
                    let written = Recorder::create(Some(file.as_ref()))
                        .and_then(|mut recorder| recorder.replace(0, lines(&history, &seconds, ranks, args)));
                    match written {
                        Ok(()) => writeln!(out, "saved in {file}")?,
                        Err(exit) => writeln!(out, "{}", exit.complaint().unwrap_or_default())?,
                    }
                }
            }
        }
        if let Some(place) = history.turns().iter().position(|turn| turn.answer == game.solved())
            && history.contradiction().is_none()
        {
            // After a correction an earlier guess may be the secret; later guesses are then not part of the game.
            while history.turns().len() > place + 1 {
                history.pop();
            }
            recorder.replace(0, lines(&history, &seconds, ranks, args))?;
            break Some(history.turns()[place].guess);
        }
    };
    let guesses = history.turns().len();
    if ended.is_none() && guesses > 0 {
        writeln!(out, "go on with: mastermind next --game {game} '{history}'")?;
    }
    if let Some(secret) = ended {
        writeln!(out, "the secret {} was found with {}", pegs.code(game, secret), guesses_text(guesses))?;
    }
    if guesses > 0 {
        write!(out, "\n{}", worths(game, &history))?;
    }
    let secret = ended.map(|code| game.text(code));
    recorder.write(Line::End { is_solved: secret.is_some(), secret })?;
    finish_game(&args.options, &history, ended)?;
    Ok(Exit::Success)
}

fn lines(history: &History, seconds: &[f64], ranks: usize, args: &BreakArgs) -> Vec<Line> {
    let (game, strategy) = (history.game().to_string(), args.options.strategy.to_string());
    let mut lines = vec![Line::Game { game, strategy, protocol: Some("shared".to_owned()), ranks, seed: None }];
    let mut known = History::new(history.game());
    for (turn, &seconds) in history.turns().iter().zip(seconds) {
        known.push(turn.guess, turn.answer);
        let (guess, answer) = (history.game().text(turn.guess), turn.answer.to_string());
        let left = known.fitting().count() as u64;
        lines.push(Line::Round { guess, answer, left, proposals: Vec::new(), lost: Vec::new(), seconds });
    }
    lines
}

enum Said {
    Nothing,
    Changed,
    Quit,
    Save(String),
}

/// Understands a line; `guess` waits for its answer, unless the answers contradict each other.
fn answer(
    line: &str,
    history: &mut History,
    guess: Option<Code>,
    scorer: &Scorer,
    out: &mut impl Write,
) -> Result<Said, Exit> {
    let game = history.game();
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    match (word, rest.trim()) {
        ("", _) => {}
        ("help", "") => writeln!(out, "{HELP}")?,
        ("quit" | "exit", "") | ("give", "up") => return Ok(Said::Quit),
        ("left", "") => list_left(history, out)?,
        ("score", code) => score(scorer, history, code, out)?,
        ("save", file) if !file.is_empty() => return Ok(Said::Save(file.to_owned())),
        ("undo" | "back", "") => {
            if history.pop().is_some() {
                return Ok(Said::Changed);
            }
            writeln!(out, "no answer can be taken back")?;
        }
        _ => {
            let corrected = line.split_once(':');
            let place = corrected.and_then(|(number, _)| number.trim().parse::<usize>().ok());
            let own = corrected.map(|(code, _)| game.parse_guess(code.trim()));
            let text = corrected.map_or(line, |(_, text)| text).trim();
            match (game.parse_feedback(text), own, guess) {
                (Err(error), ..) => writeln!(out, "{error}")?,
                (Ok(answer), Some(own), _) => match (place, own) {
                    (Some(place), _) if (1..=history.turns().len()).contains(&place) => {
                        history.correct(place - 1, answer);
                        return Ok(Said::Changed);
                    }
                    (_, Ok(own)) => {
                        history.push(own, answer);
                        return Ok(Said::Changed);
                    }
                    _ => writeln!(out, "there are guesses 1 to {} to correct", history.turns().len())?,
                },
                (Ok(answer), None, Some(guess)) => {
                    history.push(guess, answer);
                    return Ok(Said::Changed);
                }
                (Ok(_), None, None) => writeln!(out, "say which answer is wrong, such as 2: {text}")?,
            }
        }
    }
    Ok(Said::Nothing)
}
