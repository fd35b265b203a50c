use amazons_search::{Game, Outcome, Player};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::slow;

const WIDTH: u32 = 5;

/// Domineering on a 5x5 board with some cells taken: First lays vertical dominoes, Second horizontal ones; the player
/// that cannot move loses.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Domineering {
    taken: u32,
    turn: Player,
}

impl Domineering {
    /// A random position with that many free cells.
    pub(super) fn random(rng: &mut Xoshiro256PlusPlus, free: u32) -> Self {
        let mut taken = (1 << (WIDTH * WIDTH)) - 1_u32;
        while taken.count_zeros() < free + u32::BITS - WIDTH * WIDTH {
            taken &= !(1 << rng.random_range(0..WIDTH * WIDTH));
        }
        Self { taken, turn: if rng.random() { Player::First } else { Player::Second } }
    }

    fn domino(&self, cell: u32) -> Option<u32> {
        let (second, fits) = match self.turn {
            Player::First => (cell + WIDTH, cell + WIDTH < WIDTH * WIDTH),
            Player::Second => (cell + 1, cell % WIDTH + 1 < WIDTH),
        };
        let cells = fits.then(|| 1 << cell | 1 << second)?;
        (self.taken & cells == 0).then_some(cells)
    }
}

impl Game for Domineering {
    /// The cells covered.
    type Move = u32;

    fn pack(mv: u32) -> u32 {
        mv
    }

    fn unpack(packed: u32) -> u32 {
        packed
    }

    fn turn(&self) -> Player {
        self.turn
    }

    fn moves(&self, moves: &mut Vec<u32>) {
        moves.clear();
        moves.extend((0..WIDTH * WIDTH).filter_map(|cell| self.domino(cell)));
    }

    fn play(&mut self, mv: u32) {
        self.taken |= mv;
        self.turn = self.turn.opponent();
    }

    fn undo(&mut self, mv: u32) {
        self.taken &= !mv;
        self.turn = self.turn.opponent();
    }

    fn outcome(&self) -> Option<Outcome> {
        let blocked = (0..WIDTH * WIDTH).all(|cell| self.domino(cell).is_none());
        blocked.then_some(Outcome::Win(self.turn.opponent()))
    }

    fn key(&self) -> u64 {
        slow::mix(u64::from(self.taken) << 1 | self.turn as u64)
    }
}
