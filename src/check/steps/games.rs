//! Whole games, and the first moves on other servers' graphs.

use amazons_rules::{Directions, Shape};

use super::{Steps, Tries, start};
use crate::check::graphs;
use crate::check::report::{Finding, Status, Step};
use crate::check::rig::{CheckError, Played, Setting, Side};
use crate::check::trouble::Trouble;
use crate::referee::{Call, Termination};

/// How many moves other servers' graphs are tried for.
const FOREIGN_MOVES: u32 = 6;

impl Steps {
    pub(super) fn games(&mut self) -> Result<Finding, CheckError> {
        let settings = self.settings(&[Side::First, Side::Second], Directions::Subject);
        let (troubles, played) = self.play_all(&settings)?;
        let tries = Tries { made: played.len(), wanted: settings.len() };
        self.first_game = settings.first().filter(|_| troubles.is_empty()).and(played.into_iter().next());
        self.subject_works = troubles.is_empty();
        let all_well = format!("{} games with m = {} on {}", settings.len(), self.size, self.shapes());
        Ok(self.judge(Step::Games, troubles, tries, all_well))
    }

    pub(super) fn itself(&mut self) -> Result<Finding, CheckError> {
        if let Some(finding) = self.too_late_to_play() {
            return Ok(finding);
        }
        let settings = self.settings(&[Side::Both], Directions::Subject);
        let (troubles, played) = self.play_all(&settings)?;
        let tries = Tries { made: played.len(), wanted: settings.len() };
        let all_well = format!("{} games with m = {} on {}", settings.len(), self.size, self.shapes());
        Ok(self.judge(Step::Itself, troubles, tries, all_well))
    }

    pub(super) fn directions(&mut self) -> Result<Finding, CheckError> {
        if let Some(finding) = self.too_late_to_play() {
            return Ok(finding);
        }
        let settings = self.settings(&[Side::First, Side::Second], Directions::Ring);
        let (troubles, played) = self.play_all(&settings)?;
        let tries = Tries { made: played.len(), wanted: settings.len() };
        let advice = "compare labels with each other, and never compute a neighbour from a label";
        let is_illegal = |trouble: &Trouble| trouble.termination == Termination::IllegalMove;
        if troubles.is_empty() && !self.subject_works && self.known.iter().any(|(_, trouble)| is_illegal(trouble)) {
            return Ok(Finding::failed("it plays legal moves with ring, and illegal ones with subject", advice));
        }
        let all_well =
            format!("ring: {} games on {}; subject: step {}", settings.len(), self.shapes(), Step::Games.number());
        let finding = self.judge(Step::Directions, troubles, tries, all_well);
        Ok(match finding.status {
            Status::Failed if self.subject_works => Finding::failed(format!("ring: {}", finding.detail), advice),
            _ => finding,
        })
    }

    pub(super) fn foreign(&mut self, step: Step) -> Result<Finding, CheckError> {
        if let Some(finding) = self.too_late_to_play() {
            return Ok(finding);
        }
        let shape = self.holed_shape();
        let Some((position, graph)) = graphs::foreign(step, &start(shape, self.size)) else {
            return Ok(Finding::skipped("this board cannot be described so"));
        };
        let setting = |side| Setting {
            shape,
            position: position.clone(),
            graph: Some(graph.clone()),
            directions: Directions::Subject,
            side,
            seed: self.rig.config.seed,
            max_moves: Some(FOREIGN_MOVES),
        };
        let settings = [setting(Side::First), setting(Side::Second)];
        let (mut troubles, mut tries) = (Vec::new(), Tries { made: 0, wanted: settings.len() });
        for setting in &settings {
            tries.made += 1;
            let played = self.rig.play(setting)?;
            troubles.extend(played.faults.first().map(|fault| Trouble::of_game(&self.place(setting), fault)));
            if is_late(&played) {
                break;
            }
        }
        let all_well = format!("{FOREIGN_MOVES} legal moves on the {}, for both sides", shape.name());
        let finding = self.judge(step, troubles, tries, all_well);
        let advice = "other servers may hand out such a graph, this one never does";
        Ok(match finding.status {
            Status::Failed => Finding::failed(finding.detail, advice),
            _ => finding,
        })
    }

    pub(super) fn repeats(&mut self) -> Result<Finding, CheckError> {
        let Some(before) = self.first_game.take() else {
            return Ok(Finding::skipped(format!("no game to repeat, see step {}", Step::Games.number())));
        };
        let settings = self.settings(&[Side::First, Side::Second], Directions::Subject);
        let again = self.rig.play(&settings[0])?;
        let moves = |played: &Played| played.moves.iter().map(|event| event.played()).collect::<Vec<_>>();
        let (before, again) = (moves(&before), moves(&again));
        if before == again {
            return Ok(Finding::passed(format!("{} moves", before.len())));
        }
        let ply = before.iter().zip(&again).take_while(|(one, two)| one == two).count() + 1;
        Ok(Finding::failed(
            format!("two games with the same seed and opponent differ from ply {ply} on"),
            "draw from rand() or AMAZONS_SEED, and do not let the clock decide, if games are to be repeatable",
        ))
    }

    /// The games on every usable shape, from each of these sides.
    fn settings(&self, sides: &[Side], directions: Directions) -> Vec<Setting> {
        let games = self.usable(self.size).into_iter().flat_map(|shape| sides.iter().map(move |&side| (shape, side)));
        let setting = |(shape, side)| Setting {
            shape,
            position: start(shape, self.size),
            graph: None,
            directions,
            side,
            seed: self.rig.config.seed,
            max_moves: None,
        };
        games.map(setting).collect()
    }

    /// Plays whole games and notes what they used.
    fn play_all(&mut self, settings: &[Setting]) -> Result<(Vec<Trouble>, Vec<Played>), CheckError> {
        let (mut troubles, mut all) = (Vec::new(), Vec::new());
        for setting in settings {
            let played = self.rig.play(setting)?;
            self.rig.note_times(&played, setting.side);
            troubles.extend(played.faults.first().map(|fault| Trouble::of_game(&self.place(setting), fault)));
            let is_late = is_late(&played);
            all.push(played);
            // The other games would only take long as well.
            if is_late {
                break;
            }
        }
        Ok((troubles, all))
    }

    /// What is to be said where a player that did not move in time before would not do so again.
    fn too_late_to_play(&self) -> Option<Finding> {
        let is_late = |trouble: &Trouble| (trouble.termination, trouble.call) == (Termination::Timeout, Call::Play);
        let (step, _) = self.known.iter().find(|(_, trouble)| is_late(trouble))?;
        Some(Finding::skipped(format!("a move ran out of time, see step {}", step.number())))
    }

    fn place(&self, setting: &Setting) -> String {
        format!("{}, m = {}, {}", setting.shape.name(), self.size, setting.side.words())
    }

    /// A shape with holes, if one can be used: conventions differ about holes.
    fn holed_shape(&self) -> Shape {
        let usable = self.usable(self.size);
        usable.iter().copied().find(|&shape| shape != Shape::Square).unwrap_or(usable[0])
    }

    /// Names the shapes that games are played on, and where to read why if some are missing.
    fn shapes(&self) -> String {
        let usable = self.usable(self.size);
        let names: Vec<String> = usable.iter().map(|shape| shape.code().to_string()).collect();
        let left_out = if usable.len() < Shape::ALL.len() {
            format!(" (the others: step {})", Step::Initialize.number())
        } else {
            String::new()
        };
        names.join(", ") + &left_out
    }
}

/// Tells whether a game ended because the player was not in time.
fn is_late(played: &Played) -> bool {
    played.faults.first().is_some_and(|fault| fault.termination == Termination::Timeout)
}
