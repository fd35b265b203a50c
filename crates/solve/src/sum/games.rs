use rustc_hash::FxHashMap;

use super::walls::{Number, ONE, Thermograph};

/// A game in canonical form: equal games have equal indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Game(u32);

/// Nobody can move: whoever moves first loses.
pub(super) const ZERO: Game = Game(0);

/// Each side's options, Left's first.
type Options = [Vec<Game>; 2];

#[derive(Clone, Debug)]
struct Form {
    options: Options,
    number: Option<Number>,
    thermograph: Thermograph,
    negative: Option<Game>,
}

/// Games in canonical form, each kept once.
///
/// Conway's theory: On Numbers and Games, chapters 0, 1 and 8; Siegel: Combinatorial Game Theory, chapter II.2.
#[derive(Clone, Debug)]
pub(super) struct Games {
    forms: Vec<Form>,
    indices: FxHashMap<Options, Game>,
    at_most: FxHashMap<[Game; 2], bool>,
    sums: FxHashMap<[Game; 2], Game>,
    /// Comparisons left until games count as too large.
    pub(super) steps: u32,
}

impl Games {
    pub(super) fn new() -> Self {
        let zero = Form {
            options: Options::default(),
            number: Some(0),
            thermograph: Thermograph::of_number(0),
            negative: Some(ZERO),
        };
        let indices = FxHashMap::from_iter([(Options::default(), ZERO)]);
        Self { forms: vec![zero], indices, at_most: FxHashMap::default(), sums: FxHashMap::default(), steps: 0 }
    }

    /// The number of results kept.
    pub(super) fn len(&self) -> usize {
        self.forms.len() + self.at_most.len() + self.sums.len()
    }

    fn form(&self, game: Game) -> &Form {
        &self.forms[game.0 as usize]
    }

    pub(super) fn options(&self, game: Game) -> &Options {
        &self.form(game).options
    }

    pub(super) fn number(&self, game: Game) -> Option<Number> {
        self.form(game).number
    }

    pub(super) fn thermograph(&self, game: Game) -> &Thermograph {
        &self.form(game).thermograph
    }

    /// Counts a step.
    pub(super) fn step(&mut self) -> Option<()> {
        self.steps = self.steps.checked_sub(1)?;
        Some(())
    }

    /// Returns whether Left likes the second game at least as much.
    fn is_at_most(&mut self, one: Game, other: Game) -> Option<bool> {
        if one == other {
            return Some(true);
        }
        let (a, b) = (self.thermograph(one), self.thermograph(other));
        if a.left_stop() < b.right_stop() {
            return Some(true);
        }
        if a.left_stop() > b.left_stop() || a.right_stop() > b.right_stop() {
            return Some(false);
        }
        if let Some(&known) = self.at_most.get(&[one, other]) {
            return Some(known);
        }
        self.step()?;
        let is_at_most = self.is_not_refuted(one, other)?;
        self.at_most.insert([one, other], is_at_most);
        Some(is_at_most)
    }

    fn is_not_refuted(&mut self, one: Game, other: Game) -> Option<bool> {
        for left in self.options(one)[0].clone() {
            if self.is_at_most(other, left)? {
                return Some(false);
            }
        }
        for right in self.options(other)[1].clone() {
            if self.is_at_most(right, one)? {
                return Some(false);
            }
        }
        Some(true)
    }

    /// Returns whether a side, 0 for Left and 1 for Right, likes the second game at least as much.
    fn is_no_better(&mut self, one: Game, other: Game, side: usize) -> Option<bool> {
        if side == 0 { self.is_at_most(one, other) } else { self.is_at_most(other, one) }
    }

    /// Compares as [`Games::is_no_better`] with a second game that is not in canonical form yet.
    fn is_no_better_than_form(&mut self, game: Game, form: &Options, side: usize) -> Option<bool> {
        self.step()?;
        for &option in &form[1 - side] {
            if self.is_no_better(option, game, side)? {
                return Some(false);
            }
        }
        for option in self.options(game)[side].clone() {
            if self.is_no_better_than_form(option, form, 1 - side)? {
                return Some(false);
            }
        }
        Some(true)
    }

    /// Returns the game of some options; `None` if it is too large.
    pub(super) fn of_options(&mut self, mut options: Options) -> Option<Game> {
        loop {
            for side in [0, 1] {
                self.drop_dominated(&mut options[side], side)?;
            }
            if !self.bypass_reversible(&mut options)? {
                break;
            }
        }
        self.intern(options)
    }

    /// Drops options for which there is one as good.
    fn drop_dominated(&mut self, options: &mut Vec<Game>, side: usize) -> Option<()> {
        options.sort_unstable();
        options.dedup();
        let mut kept: Vec<Game> = Vec::with_capacity(options.len());
        'options: for &option in &*options {
            let mut index = 0;
            while let Some(&rival) = kept.get(index) {
                if self.is_no_better(option, rival, side)? {
                    continue 'options;
                }
                if self.is_no_better(rival, option, side)? {
                    kept.swap_remove(index);
                } else {
                    index += 1;
                }
            }
            kept.push(option);
        }
        kept.sort_unstable();
        *options = kept;
        Some(())
    }

    /// Replaces an option to which the opponent has an answer that is no worse for them than the game itself; returns
    /// whether there was one.
    fn bypass_reversible(&mut self, options: &mut Options) -> Option<bool> {
        for side in [0, 1] {
            for index in 0..options[side].len() {
                let option = options[side][index];
                for answer in self.options(option)[1 - side].clone() {
                    if self.is_no_better_than_form(answer, options, side)? {
                        options[side].swap_remove(index);
                        let instead = self.options(answer)[side].clone();
                        options[side].extend(instead);
                        return Some(true);
                    }
                }
            }
        }
        Some(false)
    }

    fn intern(&mut self, options: Options) -> Option<Game> {
        if let Some(&game) = self.indices.get(&options) {
            return Some(game);
        }
        let number = self.number_of(&options);
        let thermograph = match number {
            Some(number) => Thermograph::of_number(number),
            None => {
                let thermographs = |side: usize| options[side].iter().map(|&option| self.thermograph(option));
                Thermograph::of_options(thermographs(0), thermographs(1))?
            }
        };
        let game = Game(u32::try_from(self.forms.len()).ok()?);
        self.forms.push(Form { options: options.clone(), number, thermograph, negative: None });
        self.indices.insert(options, game);
        Some(game)
    }

    /// The number that canonical options make, if any.
    fn number_of(&self, [left, right]: &Options) -> Option<Number> {
        let only = |options: &[Game]| match options {
            [] => Some(None),
            &[option] => self.number(option).map(Some),
            _ => None,
        };
        match (only(left)?, only(right)?) {
            (None, None) => Some(0),
            (Some(left), None) => Some(left + ONE),
            (None, Some(right)) => Some(right - ONE),
            (Some(left), Some(right)) => (left < right).then_some(left.midpoint(right)),
        }
    }

    /// Returns the game that is a number.
    pub(super) fn of_number(&mut self, number: Number) -> Option<Game> {
        let mut options = Options::default();
        if number % ONE == 0 {
            if number != 0 {
                let nearer = self.of_number(number - number.signum() * ONE)?;
                options[usize::from(number < 0)].push(nearer);
            }
        } else {
            let step = 1 << number.trailing_zeros();
            options = [vec![self.of_number(number - step)?], vec![self.of_number(number + step)?]];
        }
        self.intern(options)
    }

    pub(super) fn negative(&mut self, game: Game) -> Option<Game> {
        if let Some(known) = self.form(game).negative {
            return Some(known);
        }
        let [left, right] = self.options(game).clone();
        let mut turned = |options: Vec<Game>| -> Option<Vec<Game>> {
            let mut options = options.into_iter().map(|option| self.negative(option)).collect::<Option<Vec<Game>>>()?;
            options.sort_unstable();
            Some(options)
        };
        let options = [turned(right)?, turned(left)?];
        let negative = self.intern(options)?;
        self.forms[game.0 as usize].negative = Some(negative);
        self.forms[negative.0 as usize].negative = Some(game);
        Some(negative)
    }

    /// Adds games; `None` if the sum is too large.
    pub(super) fn add(&mut self, one: Game, other: Game) -> Option<Game> {
        if let (Some(a), Some(b)) = (self.number(one), self.number(other)) {
            return self.of_number(a + b);
        }
        if one == ZERO || other == ZERO {
            return Some(if one == ZERO { other } else { one });
        }
        let pair = if one < other { [one, other] } else { [other, one] };
        if let Some(&known) = self.sums.get(&pair) {
            return Some(known);
        }
        self.step()?;
        let mut options = Options::default();
        for (moved, still) in [(one, other), (other, one)] {
            // Nobody has a reason to move in a number.
            if self.number(moved).is_none() {
                for side in [0, 1] {
                    for option in self.options(moved)[side].clone() {
                        let sum = self.add(option, still)?;
                        options[side].push(sum);
                    }
                }
            }
        }
        let sum = self.of_options(options)?;
        self.sums.insert(pair, sum);
        Some(sum)
    }
}
