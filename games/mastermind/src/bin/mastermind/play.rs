//! The person looks for the secret.

use std::io::Write;
use std::path::Path;
use std::time::Instant;

use amazons_program::Exit;
use clap::Args;
use mastermind::record::{Line, PERSON};
use mastermind::{Code, Feedback, History, Scorer, Strategy};

use crate::auto::{finish_game, guesses_text, worths};
use crate::board::Pegs;
use crate::files;
use crate::input::Input;
use crate::options::{GameOptions, Recorder};

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

struct Game<'a> {
    args: &'a PlayArgs,
    /// Nothing if the code-maker is evil.
    secret: Option<Code>,
    history: History,
    scorer: Scorer,
    pegs: Pegs,
    /// The lines so far: the game, and each guess.
    recorder: Recorder,
    since: Instant,
}

pub(crate) fn run(args: &PlayArgs, out: &mut impl Write) -> Result<Exit, Exit> {
    let options = &args.options;
    options.check()?;
    let code_game = options.game;
    if args.evil && code_game.codes() > EVIL_MAX {
        return Err(Exit::Usage(format!(
            "{code_game} has {} codes: --evil handles at most {EVIL_MAX}",
            code_game.codes()
        )));
    }
    options.check_page()?;
    let seed = options.seed();
    let mut game = Game {
        args,
        secret: (!args.evil).then(|| options.draw(seed)),
        history: History::new(code_game),
        scorer: Scorer::new(code_game, options.strategy),
        pegs: Pegs::detect(),
        recorder: Recorder::create(options.record.as_deref())?,
        since: Instant::now(),
    };
    let (strategy, seed) = (PERSON.to_owned(), options.seed);
    game.recorder.write(Line::Game { game: code_game.to_string(), strategy, protocol: None, ranks: 1, seed })?;
    let last = u8::try_from(code_game.colours() - 1).unwrap_or_default();
    writeln!(
        out,
        "{code_game}: {} pegs, colours {} to {}; {} guesses; help lists what you can type",
        code_game.pegs(),
        code_game.colour_name(0),
        code_game.colour_name(last),
        args.max_guesses
    )?;
    let mut input = Input::new();
    loop {
        let number = game.history.turns().len() + 1;
        let Some(line) = input.ask(&format!("guess {number}"), out)? else { return game.end(false, out) };
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        match (word, rest.trim()) {
            ("", _) => {}
            ("help", "") => writeln!(out, "{HELP}")?,
            ("quit" | "exit", "") => return game.end(false, out),
            ("give", "up") => return game.end(false, out),
            ("hint", "") => game.hint(out)?,
            ("left", "") => list_left(&game.history, out)?,
            ("score", code) => score(&game.scorer, &game.history, code, out)?,
            ("undo" | "back", "") => match game.history.pop() {
                Some(turn) => {
                    game.recorder.replace(game.history.turns().len() + 1, [])?;
                    writeln!(out, "{} is taken back", code_game.text(turn.guess))?;
                }
                None => writeln!(out, "no guess can be taken back")?,
            },
            ("save", file) if !file.is_empty() => game.save(file, out)?,
            _ => match code_game.parse_code(&line) {
                Ok(code) => {
                    if game.guess(code, out)? {
                        return game.end(true, out);
                    }
                    if game.history.turns().len() >= args.max_guesses as usize {
                        writeln!(out, "that was the last guess")?;
                        return game.end(false, out);
                    }
                }
                Err(error) => writeln!(out, "{error} (help lists what you can type)")?,
            },
        }
    }
}

impl Game<'_> {
    /// Answers a guess; returns whether it was the secret.
    fn guess(&mut self, code: Code, out: &mut impl Write) -> Result<bool, Exit> {
        let game = self.history.game();
        let answer = self.secret.map_or_else(|| self.evil_answer(code), |secret| Feedback::of(code, secret));
        self.history.push(code, answer);
        let left = self.history.fitting().count() as u64;
        let (guess, answer_text) = (game.text(code), answer.to_string());
        let seconds = self.since.elapsed().as_secs_f64();
        self.recorder.write(Line::Round {
            guess,
            answer: answer_text,
            left,
            proposals: Vec::new(),
            lost: Vec::new(),
            seconds,
        })?;
        self.since = Instant::now();
        let hint = if self.args.hints { format!("  {left} left") } else { String::new() };
        writeln!(out, "{}  {}{hint}", self.pegs.code(game, code), self.pegs.answer(answer))?;
        Ok(answer == game.solved())
    }

    /// The answer that leaves most codes; of equal ones that with the fewest blacks.
    fn evil_answer(&self, guess: Code) -> Feedback {
        let game = self.history.game();
        let candidates = self.scorer.candidates(self.history.fitting().collect());
        let parts = self.scorer.split(&candidates, game.index(guess).unwrap_or_default());
        let most = parts.into_iter().rev().max_by_key(|(_, part)| part.len());
        most.map_or_else(|| game.solved(), |(answer, _)| answer)
    }

    fn hint(&self, out: &mut impl Write) -> Result<(), Exit> {
        let game = self.history.game();
        let guess = self.scorer.next_guess(&self.history, mastermind::Guesses::All);
        let text = guess.map_or_else(String::new, |index| self.pegs.code(game, game.code(index)));
        Ok(writeln!(out, "{} guesses {text}", self.scorer.strategy())?)
    }

    /// The secret; of an evil code-maker any code that fits.
    fn shown_secret(&self) -> Option<Code> {
        let game = self.history.game();
        self.secret.or_else(|| self.history.fitting().next().map(|index| game.code(index)))
    }

    fn save(&self, file: &str, out: &mut impl Write) -> Result<(), Exit> {
        // The game goes on: the secret is not told.
        let text: String = self.recorder.lines.iter().map(|line| line.to_json() + "\n").collect();
        match files::write(Path::new(file), &text) {
            Ok(()) => writeln!(out, "saved in {file}")?,
            Err(exit) => writeln!(out, "{}", exit.complaint().unwrap_or_default())?,
        }
        Ok(())
    }

    fn end(mut self, is_solved: bool, out: &mut impl Write) -> Result<Exit, Exit> {
        let game = self.history.game();
        let guesses = self.history.turns().len();
        if let Some(secret) = self.shown_secret() {
            let secret = self.pegs.code(game, secret);
            let found =
                if is_solved { format!("found with {}", guesses_text(guesses)) } else { "not found".to_owned() };
            writeln!(out, "the secret {secret} was {found}")?;
        }
        if guesses > 0 {
            write!(out, "\n{}", worths(game, &self.history))?;
        }
        let secret = self.shown_secret().map(|code| game.text(code));
        self.recorder.write(Line::End { secret, is_solved })?;
        finish_game(&self.args.options, &self.history, self.shown_secret())?;
        Ok(Exit::Success)
    }
}

/// How many codes are listed.
const LISTED: usize = 20;

/// Prints how many codes are left, and which, when they are few.
pub(crate) fn list_left(history: &History, out: &mut impl Write) -> Result<(), Exit> {
    let game = history.game();
    let left: Vec<u32> = history.fitting().collect();
    let codes = if left.len() == 1 { "code fits" } else { "codes fit" };
    let listed: Vec<_> = left.iter().take(LISTED).map(|&index| game.text(game.code(index))).collect();
    let list = if (1..=LISTED).contains(&left.len()) { format!(": {}", listed.join(" ")) } else { String::new() };
    Ok(writeln!(out, "{} {codes}{list}", left.len())?)
}

/// Prints what a guess would tell.
pub(crate) fn score(scorer: &Scorer, history: &History, code: &str, out: &mut impl Write) -> Result<(), Exit> {
    let game = history.game();
    let guess = match game.parse_code(code) {
        Ok(guess) => game.index(guess).unwrap_or_default(),
        Err(error) => return Ok(writeln!(out, "{error} (write score CODE)")?),
    };
    let candidates = scorer.candidates(history.fitting().collect());
    let parts = scorer.split(&candidates, guess);
    let largest = parts.iter().map(|(_, part)| part.len()).max().unwrap_or_default();
    let listed: Vec<_> = parts.iter().map(|(answer, part)| format!("{answer}: {}", part.len())).collect();
    let rule = match scorer.strategy() {
        Strategy::First => String::new(),
        strategy => scorer
            .best(&candidates, &[guess])
            .map_or_else(String::new, |choice| format!(", {strategy} key {}", choice.key)),
    };
    Ok(writeln!(out, "{} answers, at most {largest} codes left{rule}; {}", parts.len(), listed.join(", "))?)
}
