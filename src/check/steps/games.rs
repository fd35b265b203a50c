//! Whole games, and the first moves on other servers' graphs.

use std::time::Duration;

use amazons_rules::Shape;

use super::{Steps, Tries, start};
use crate::check::finding::{Finding, Status};
use crate::check::graphs;
use crate::check::harness::{CheckGame, Setting, Side};
use crate::check::step::CheckStep;
use crate::check::trouble::Trouble;
use crate::referee::{Call, OUT_OF_RANGE, Termination};

/// The number of moves to try on other servers' graphs.
const FOREIGN_MOVES: u32 = 6;

/// The results of several games.
pub(super) struct Games {
    pub(super) troubles: Vec<Trouble>,
    pub(super) played: Vec<CheckGame>,
    /// The times of the player's moves, game by game.
    pub(super) times: Vec<Vec<Duration>>,
    /// The number that would have been played, had not one game used up all the time.
    pub(super) wanted: usize,
}

impl Games {
    const fn tries(&self) -> Tries {
        Tries { made: self.played.len(), wanted: self.wanted }
    }

    /// Describes what the player thought of its moves, with advice where a value was out of range; `None` without the
    /// function.
    fn opinions(&self) -> Option<(String, Option<String>)> {
        let moves = || self.played.iter().flat_map(|game| &game.moves);
        if let Some(wrong) = moves().filter_map(|mv| mv.comment.as_ref()).find(|text| text.contains(OUT_OF_RANGE)) {
            let advice = "get_opinion returns a value from -1, lost, to 1, won, or NAN for none";
            return Some((wrong.clone(), Some(advice.to_owned())));
        }
        let values = || moves().filter_map(|mv| mv.value);
        let [least, most] = [values().min_by(f32::total_cmp)?, values().max_by(f32::total_cmp)?];
        Some((format!("from {least:.2} to {most:.2}"), None))
    }
}

impl Steps {
    pub(super) fn games(&mut self) -> anyhow::Result<Finding> {
        let games = self.play_with_either(&[Side::First, Side::Second], &[])?;
        self.games_work = games.troubles.is_empty();
        self.first_game = games.played.first().filter(|_| self.games_work).cloned();
        let all_well = self.all_well(&games);
        let Some((opinions, advice)) = games.opinions() else {
            return Ok(self.judge_games(CheckStep::Games, games, all_well));
        };
        let finding = self.judge_games(CheckStep::Games, games, format!("{all_well}; get_opinion: {opinions}"));
        // Whatever fails has advice of its own.
        Ok(if finding.status == Status::Passed { Finding { advice, ..finding } } else { finding })
    }

    pub(super) fn itself(&mut self) -> anyhow::Result<Finding> {
        if let Some(finding) = self.too_late_to_play() {
            return Ok(finding);
        }
        let before = self.harness.directions;
        let games = self.play_with_either(&[Side::Both], &[Side::First, Side::Second])?;
        if self.harness.directions != before {
            // Earlier successful games used another numbering than the player will get.
            self.first_game = None;
        }
        self.games_work &= games.troubles.is_empty();
        let all_well = self.all_well(&games);
        Ok(self.judge_games(CheckStep::Itself, games, all_well))
    }

    fn all_well(&self, games: &Games) -> String {
        let numbering = self.needed_directions().map_or_else(String::new, |it| format!(", with --directions {it}"));
        format!("{} games with m = {} on {}{numbering}", games.wanted, self.size, self.shapes())
    }

    /// Judges games that count for the times.
    pub(super) fn judge_games(&mut self, step: CheckStep, games: Games, all_well: String) -> Finding {
        self.harness.usage.games.extend_from_slice(&games.times);
        self.judge(step, &games.troubles, games.tries(), all_well)
    }

    pub(super) fn foreign(&mut self, step: CheckStep) -> anyhow::Result<Finding> {
        if let Some(finding) = self.too_late_to_play() {
            return Ok(finding);
        }
        let shape = self.holed_shape();
        let Some((position, graph)) = graphs::foreign(step, &start(shape, self.size), self.harness.directions) else {
            return Ok(Finding::skipped("this board cannot be described this way"));
        };
        let setting = |side| Setting {
            shape,
            size: self.size,
            position: position.clone(),
            graph: Some(graph.clone()),
            directions: self.harness.directions,
            side,
            seed: self.harness.config.seed,
            max_moves: Some(FOREIGN_MOVES),
        };
        let games = self.play_settings(&[setting(Side::First), setting(Side::Second)])?;
        let all_well = format!("{FOREIGN_MOVES} legal moves on the {}, for both sides", shape.name());
        let finding = self.judge(step, &games.troubles, games.tries(), all_well);
        let advice = "other servers may use such a graph; this one never does";
        Ok(match finding.status {
            Status::Failed => Finding::failed(finding.detail, advice),
            _ => finding,
        })
    }

    pub(super) fn repeats(&mut self) -> anyhow::Result<Finding> {
        let Some(before) = self.first_game.take() else {
            return Ok(Finding::skipped(format!("no game to repeat, see step {}", CheckStep::Games.number())));
        };
        let settings = self.settings(&[Side::First, Side::Second], self.size, self.harness.config.seed);
        let again = self.harness.play(&settings[0])?;
        let moves = |played: &CheckGame| played.moves.iter().map(|event| event.played()).collect::<Vec<_>>();
        let (before, again) = (moves(&before), moves(&again));
        if before == again {
            return Ok(Finding::passed(format!("{} moves", before.len())));
        }
        let ply = before.iter().zip(&again).take_while(|(one, two)| one == two).count() + 1;
        Ok(Finding::failed(
            format!("two games with the same seed and opponent differ from ply {ply} on"),
            "for repeatable games, draw from rand() or AMAZONS_SEED, and do not let the clock decide",
        ))
    }

    /// Returns the games on every usable shape, from each of these sides.
    fn settings(&self, sides: &[Side], size: u32, seed: u64) -> Vec<Setting> {
        let games = self.usable(self.size).into_iter().flat_map(|shape| sides.iter().map(move |&side| (shape, side)));
        let setting = |(shape, side)| Setting {
            shape,
            size,
            position: start(shape, size),
            graph: None,
            directions: self.harness.directions,
            side,
            seed,
            max_moves: None,
        };
        games.map(setting).collect()
    }

    /// Plays whole games from these sides on every usable shape.
    pub(super) fn play_all(&mut self, sides: &[Side]) -> anyhow::Result<Games> {
        self.play_all_on(sides, self.size, self.harness.config.seed)
    }

    /// As `play_all`, on boards of another size and with another seed.
    pub(super) fn play_all_on(&mut self, sides: &[Side], size: u32, seed: u64) -> anyhow::Result<Games> {
        self.play_settings(&self.settings(sides, size, seed))
    }

    fn play_settings(&mut self, settings: &[Setting]) -> anyhow::Result<Games> {
        let mut games = Games { troubles: Vec::new(), played: Vec::new(), times: Vec::new(), wanted: settings.len() };
        for setting in settings {
            let played = self.harness.play(setting)?;
            games.times.extend(self.harness.times(&played, setting.side));
            let place = format!("{}, m = {}, {}", setting.shape.name(), setting.size, setting.side.words());
            games.troubles.extend(played.faults.first().map(|fault| Trouble::of_game(&place, fault)));
            let is_late = played.faults.first().is_some_and(|fault| fault.termination == Termination::Timeout);
            games.played.push(played);
            // The other games would take as long.
            if is_late {
                break;
            }
        }
        Ok(games)
    }

    /// Skips a step for a player that was too slow to move before.
    pub(super) fn too_late_to_play(&self) -> Option<Finding> {
        let is_late = |trouble: &Trouble| (trouble.termination, trouble.call) == (Termination::Timeout, Call::Play);
        let (step, _) = self.known.iter().find(|(_, trouble)| is_late(trouble))?;
        Some(Finding::skipped(format!("a move ran out of time, see step {}", step.number())))
    }

    /// Returns a shape with holes, if usable: conventions differ about holes.
    fn holed_shape(&self) -> Shape {
        let usable = self.usable(self.size);
        usable.iter().copied().find(|&shape| shape != Shape::Square).unwrap_or(usable[0])
    }

    /// Names the shapes used for games, and the step that explains why some are missing.
    pub(super) fn shapes(&self) -> String {
        let usable = self.usable(self.size);
        let names: Vec<String> = usable.iter().map(|shape| shape.code().to_string()).collect();
        let left_out = if usable.len() < Shape::ALL.len() {
            format!(" (the others: step {})", CheckStep::Initialize.number())
        } else {
            String::new()
        };
        names.join(", ") + &left_out
    }
}
