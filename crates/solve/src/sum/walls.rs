/// A number of moves, in units of 2<sup>-32</sup>: numbers of games are dyadic fractions.
pub(super) type Number = i64;

/// The number 1.
pub(super) const ONE: Number = 1 << 32;

/// A piecewise linear function of the temperature: its corners from temperature 0 on, constant after the last.
/// Between corners it rises or falls by as much as the temperature rises, or stays.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Wall(Vec<[Number; 2]>);

/// The thermograph of a game: its stops while every move costs a tax of `t`, for each side that moves first.
///
/// See Berlekamp, Conway, Guy: Winning Ways, chapter 6.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Thermograph {
    /// If Left moves first.
    left: Wall,
    /// If Right moves first.
    right: Wall,
}

impl Wall {
    fn at(&self, t: Number) -> Number {
        let next = self.0.partition_point(|corner| corner[0] <= t);
        let [start, value] = self.0[next - 1];
        let slope = self.0.get(next).map_or(0, |corner| (corner[1] - value).signum());
        value + slope * (t - start)
    }

    /// Returns the pointwise maximum, or minimum, of two walls; `None` if a corner needs finer units.
    fn extreme(&self, other: &Self, pick: fn(Number, Number) -> Number) -> Option<Self> {
        let mut corners: Vec<[Number; 2]> = Vec::new();
        let mut add = |t| corners.push([t, pick(self.at(t), other.at(t))]);
        let temperatures = temperatures(self, other);
        for (index, &t) in temperatures.iter().enumerate() {
            add(t);
            let Some(&next) = temperatures.get(index + 1) else { break };
            let [now, then] = [t, next].map(|t| self.at(t) - other.at(t));
            if now.signum() * then.signum() < 0 {
                add(t + halved(now.abs(), (now - then).abs() / (next - t))?);
            }
        }
        corners.dedup();
        Some(Self(corners))
    }

    fn extreme_of<'a>(mut walls: impl Iterator<Item = &'a Self>, pick: fn(Number, Number) -> Number) -> Option<Self> {
        let first = walls.next()?.clone();
        walls.try_fold(first, |one, other| one.extreme(other, pick))
    }
}

/// The temperatures of all corners, in ascending order.
fn temperatures(one: &Wall, other: &Wall) -> Vec<Number> {
    let mut all: Vec<Number> = one.0.iter().chain(&other.0).map(|corner| corner[0]).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Divides a gap by the speed at which it closes, 1 or 2; `None` if the units are too coarse.
const fn halved(gap: Number, speed: Number) -> Option<Number> {
    if gap % speed == 0 { Some(gap / speed) } else { None }
}

impl Thermograph {
    pub(super) fn of_number(number: Number) -> Self {
        let wall = Wall(vec![[0, number]]);
        Self { left: wall.clone(), right: wall }
    }

    /// Makes the thermograph of a game from those of its options; the game is not a number. `None` if a corner needs
    /// finer units.
    pub(super) fn of_options<'a>(
        left: impl Iterator<Item = &'a Self>,
        right: impl Iterator<Item = &'a Self>,
    ) -> Option<Self> {
        let left = Wall::extreme_of(left.map(|option| &option.right), Number::max)?;
        let right = Wall::extreme_of(right.map(|option| &option.left), Number::min)?;
        // The tax is paid; from where the walls meet, they are one mast.
        let walls = |t| [left.at(t) - t, right.at(t) + t];
        let (mut lefts, mut rights) = (Vec::new(), Vec::new());
        let temperatures = temperatures(&left, &right);
        for (index, &t) in temperatures.iter().enumerate() {
            let [high, low] = walls(t);
            lefts.push([t, high]);
            rights.push([t, low]);
            let gap = high - low;
            let speed = match temperatures.get(index + 1) {
                Some(&next) => {
                    let [high, low] = walls(next);
                    if high > low {
                        continue;
                    }
                    (gap - (high - low)) / (next - t)
                }
                None => 2,
            };
            if gap > 0 {
                let t = t + halved(gap, speed)?;
                let before = walls(t);
                lefts.push([t, before[0]]);
                rights.push([t, before[1]]);
            }
            break;
        }
        Some(Self { left: Wall(lefts), right: Wall(rights) })
    }

    /// The tax at which neither side gains by a move any more.
    pub(super) fn temperature(&self) -> Number {
        self.left.0.last().map_or(0, |corner| corner[0])
    }

    /// The number at which play ends if Left moves first.
    pub(super) fn left_stop(&self) -> Number {
        self.left.0[0][1]
    }

    /// The number at which play ends if Right moves first.
    pub(super) fn right_stop(&self) -> Number {
        self.right.0[0][1]
    }
}

/// Bounds the stops of a sum of games: a lower bound of its right stop, and an upper bound of its left stop.
///
/// A sum that is cooled by `t` is the sum of its cooled games, and right stops of a sum are at least the sum of right
/// stops; from one temperature to a lower one a right stop falls by no more than the difference.
pub(super) fn stops<'a>(games: impl Iterator<Item = &'a Thermograph> + Clone) -> [Number; 2] {
    let temperatures = std::iter::once(0).chain(games.clone().map(Thermograph::temperature));
    let bounds = |t: Number| {
        let [low, high] =
            games.clone().fold([0, 0], |[low, high], game| [low + game.right.at(t), high + game.left.at(t)]);
        [low - t, high + t]
    };
    temperatures
        .map(bounds)
        .fold([Number::MIN, Number::MAX], |best, found| [best[0].max(found[0]), best[1].min(found[1])])
}
