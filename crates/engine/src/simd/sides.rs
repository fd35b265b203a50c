use std::marker::PhantomData;

use super::registers::{Bits, Lanes, Pair, Register};
use super::{Layout, Sets, Weight, network};
use crate::layer::{EIGHT, Inputs, Layer, Views};

/// Both sides' sets of a layout, each in its own registers.
#[derive(Clone, Copy, Debug)]
pub struct Sides<L, R> {
    sides: Pair<R>,
    layout: PhantomData<L>,
}

impl<L: Layout, R: Lanes<L::Word>> Sides<L, R> {
    #[inline(always)]
    const fn new(sides: Pair<R>) -> Self {
        Self { sides, layout: PhantomData }
    }

    /// The size of a row.
    const ROW: usize = size_of::<L::Word>();
}

/// Operations that apply to each side separately.
macro_rules! side_by_side {
    ($($name:ident $(<$(const $number:ident: $type:ty),*>)? |$side:ident| $result:expr;)*) => {$(
        #[inline(always)]
        fn $name$(<$(const $number: $type),*>)?(self) -> Self {
            let Pair($side, second) = self.sides;
            let first = $result;
            let $side = second;
            Self::new(Pair(first, $result))
        }
    )*};
}

impl<L: Layout, R: Lanes<L::Word>> Sets for Sides<L, R> {
    type Layout = L;
    type Sum = [R::Register; 2];
    type Tally = [R::Register; 2];

    #[inline(always)]
    fn pair(first: &L, second: &L) -> Self {
        Self::new(Pair(R::load(first.rows()), R::load(second.rows())))
    }

    #[inline(always)]
    fn unpair(self) -> [L; 2] {
        let mut sets = [L::EMPTY; 2];
        self.sides.0.store(sets[0].rows_mut());
        self.sides.1.store(sets[1].rows_mut());
        sets
    }

    inlined! {
        and(self, other) = Self::new(self.sides.and(other.sides));
        or(self, other) = Self::new(self.sides.or(other.sides));
        xor(self, other) = Self::new(self.sides.xor(other.sides));
        without(self, other) = Self::new(self.sides.without(other.sides));
        plus(self, other) = Self::new(self.sides.plus(other.sides));
        right<const N: u32>(self) = Self::new(self.sides.right(N));
        left<const N: u32>(self) = Self::new(self.sides.left(N));
        swap(self) = Self::new(Pair(self.sides.1, self.sides.0));
    }

    #[inline(always)]
    fn is_empty(self) -> bool {
        self.sides.is_empty()
    }

    side_by_side! {
        down |side| side.earlier(R::zero(), Self::ROW);
        up |side| side.later(R::zero(), Self::ROW);
        roll_down<const LEAN: i32, const N: usize> |side| side.earlier(side, N * Self::ROW);
        roll_up<const LEAN: i32, const N: usize> |side| side.later(side, N * Self::ROW);
        lean_right |side| side.turn(R::LEANS[0]);
        lean_left |side| side.turn(R::LEANS[1]);
    }

    #[inline(always)]
    fn zero() -> Self::Sum {
        [R::Register::zero(), R::Register::zero()]
    }

    #[inline(always)]
    fn weigh([first, second]: Self::Sum, set: Self, weight: Weight) -> Self::Sum {
        let Pair(one, other) = set.sides;
        [first.weigh(one.counts_to_weigh(), weight), second.weigh(other.counts_to_weigh(), weight)]
    }

    #[inline(always)]
    fn total([first, second]: Self::Sum) -> [i32; 2] {
        [first.total(), second.total()]
    }

    #[inline(always)]
    fn no_tally() -> Self::Tally {
        Self::zero()
    }

    #[inline(always)]
    fn tally([first, second]: Self::Tally, set: Self, place: u32) -> Self::Tally {
        let Pair(one, other) = set.sides;
        let most = 64 * R::BYTES / R::Register::BYTES;
        [first.tally(one.counts_to_tally(), place, most), second.tally(other.counts_to_tally(), place, most)]
    }

    #[inline(always)]
    fn counts([first, second]: Self::Tally) -> [[u8; EIGHT]; 2] {
        [first.counts(), second.counts()]
    }

    #[inline(always)]
    fn sums(layer: &Layer, inputs: &Inputs) -> Views {
        network::sums::<R::Register>(layer, inputs)
    }
}
