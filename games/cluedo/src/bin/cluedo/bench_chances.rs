//! `cluedo bench --chances`: how long counting takes, turn by turn.

use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use amazons_program::{Exit, process_time};
use cluedo::bots::play::{Buffers, Player, play};
use cluedo::bots::{Bot, Kind};
use cluedo::knowledge::chances::Chances;
use cluedo::knowledge::count::{Problem, Weighing};
use cluedo::knowledge::logic::{Deductions, Rules};
use cluedo::line::deal::{Deal, stream};
use cluedo::line::game::Action;
use cluedo::line::seat::Seat;
use cluedo::pack::CardSet;
use rand_xoshiro::Xoshiro256PlusPlus;

/// The least of this many measurements counts: what the machine does beside it is left out.
const REPEATS: usize = 3;
/// How much less likely a player names an own card, as bot 4 has it at first.
const OWN_CARD: f64 = 0.1;

/// What one turn took.
struct Turn {
    /// Which of its own turns it was, from 1.
    own: usize,
    /// The rules; all chances, by what was shown; all chances, also by what was named; the whole move.
    took: [Duration; 4],
}

/// Bot 4, measured.
struct Measured {
    bot: Box<dyn Bot>,
    own: usize,
    turns: Arc<Mutex<Vec<Turn>>>,
}

impl Bot for Measured {
    fn start(&mut self, seat: &Seat) {
        self.own = 0;
        self.bot.start(seat);
    }

    fn act(&mut self, seat: &Seat, rng: &mut Xoshiro256PlusPlus) -> Action {
        self.own += 1;
        let factors = vec![OWN_CARD; seat.players()];
        let known = Deductions::new(&seat.facts, Rules::Further);
        let count = |weighing| Chances::new(Problem::of(&seat.facts, &known, weighing)).map(|one| one.marginals());
        let rules = least(|| Deductions::new(&seat.facts, Rules::Further));
        let shown = least(|| count(Weighing::Shown));
        let asking = least(|| count(Weighing::Asking(&factors)));
        let before = process_time();
        let action = self.bot.act(seat, rng);
        let turn = Turn { own: self.own, took: [rules, shown, asking, process_time() - before] };
        self.turns.lock().unwrap_or_else(PoisonError::into_inner).push(turn);
        action
    }

    fn show(&mut self, seat: &Seat, cards: CardSet, to: usize, rng: &mut Xoshiro256PlusPlus) -> Option<usize> {
        self.bot.show(seat, cards, to, rng)
    }

    fn finish(&mut self, seat: &Seat) {
        self.bot.finish(seat);
    }
}

fn least<T>(mut what: impl FnMut() -> T) -> Duration {
    let once = |_| {
        let before = process_time();
        std::hint::black_box(what());
        process_time() - before
    };
    (0..REPEATS).map(once).min().unwrap_or_default()
}

/// Plays games of one bot 4 against extended bots 2 at tables of 2 to 10, and prints how long its turns take.
pub(crate) fn run(games: u64, seed: u64, out: &mut impl Write) -> Result<Exit, Exit> {
    writeln!(
        out,
        "microseconds of processor time, median and 95th percentile; {games} games for each number of players"
    )?;
    writeln!(
        out,
        "{:7} {:8} {:>7} {:>15} {:>15} {:>15} {:>17}",
        "players", "own turn", "states", "rules", "chances", "with naming", "bot 4's move"
    )?;
    for players in 2..=10 {
        // Tables of more than six take long.
        let games = if players > 6 { games.div_ceil(10) } else { games };
        let turns = measure(players, games, seed);
        let last = turns.iter().map(|turn| turn.own).max().unwrap_or(0);
        for own in (0..=last).rev().map(|turn| last - turn) {
            let some: Vec<&Turn> = turns.iter().filter(|turn| own == 0 || turn.own == own).collect();
            // The last turns of a few games tell little.
            if some.len() * 50 < turns.len() {
                continue;
            }
            let [rules, chances, naming, whole] = [0, 1, 2, 3].map(|what| percentiles(&some, what));
            let name = if own == 0 { "all".to_owned() } else { own.to_string() };
            writeln!(out, "{players:7} {name:>8} {:7} {rules:>15} {chances:>15} {naming:>15} {whole:>17}", some.len())?;
        }
    }
    Ok(Exit::Success)
}

fn percentiles(turns: &[&Turn], what: usize) -> String {
    let mut took: Vec<f64> = turns.iter().map(|turn| turn.took[what].as_secs_f64() * 1e6).collect();
    took.sort_by(f64::total_cmp);
    let at = |percent: usize| took[(took.len() - 1) * percent / 100];
    format!("{:.1} {:.1}", at(50), at(95))
}

fn measure(players: usize, games: u64, seed: u64) -> Vec<Turn> {
    let turns = Arc::default();
    let mut buffers = Buffers::default();
    let mut tables: Vec<Vec<Player>> = (0..players)
        .map(|measured| {
            let player = |seat: usize| Player {
                bot: if seat == measured {
                    Box::new(Measured { bot: Kind::Bot4.bot(), own: 0, turns: Arc::clone(&turns) })
                } else {
                    Kind::Bot2Extended.bot()
                },
                seat: Seat::new(seat, players),
                rng: stream(seed, measured as u64, 0, &format!("seat {seat}")),
            };
            (0..players).map(player).collect()
        })
        .collect();
    for (game, measured) in (0..games).zip((0..players).cycle()) {
        let deal = Deal::random(players, &mut stream(seed, 0, game, "deal"));
        play(deal, 0, &mut tables[measured], &mut buffers);
    }
    drop(tables);
    Arc::into_inner(turns).map_or_else(Vec::new, |turns| turns.into_inner().unwrap_or_else(PoisonError::into_inner))
}
