use crate::code::Code;
use crate::game::{COLOURS_MAX, Game, PEGS_MAX, Repetition};

/// Permutations of more places than this are not searched.
const PLACES_MAX: usize = 6;
/// No colour yet.
const UNSET: u8 = u8::MAX;

/// Exchanges that change no guess so far: places with colours, and unused colours.
///
/// Guesses that such an exchange turns into each other are alike: they have the same key, and all or none of them is
/// possible. The lowest index stands for all.
#[derive(Clone, Debug)]
pub(crate) struct Symmetry {
    game: Game,
    used: u16,
    elements: Vec<Element>,
}

/// Moves the peg at place `from[place]` to `place`, and changes its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Element {
    from: [u8; PEGS_MAX],
    /// The new colours of the colours used so far.
    colours: [u8; COLOURS_MAX],
}

/// Colours that are alike in the codes that are left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct FreeColours {
    /// Used by no guess.
    unused: u16,
    /// Used by no code that is left.
    absent: u16,
}

impl Symmetry {
    /// Begins with everything that the game allows.
    pub(crate) fn new(game: Game) -> Self {
        let mut elements = Vec::new();
        let mut from = [0; PEGS_MAX];
        (0..).zip(&mut from).for_each(|(place, slot)| *slot = place);
        if game.pegs() <= PLACES_MAX {
            permute(&mut from, 0, game.pegs(), &mut |from| {
                elements.push(Element { from, colours: [UNSET; COLOURS_MAX] });
            });
        } else {
            elements.push(Element { from, colours: [UNSET; COLOURS_MAX] });
        }
        Self { game, used: 0, elements }
    }

    pub(crate) fn after(&self, guess: Code) -> Self {
        let used = guess.pegs().iter().fold(self.used, |used, peg| used | 1 << peg);
        let elements = self.elements.iter().filter_map(|element| element.fixing(guess)).collect();
        Self { game: self.game, used, elements }
    }

    pub(crate) fn free_colours(&self, present: u16) -> FreeColours {
        let all = u16::MAX >> (COLOURS_MAX - self.game.colours());
        FreeColours { unused: all & !self.used & present, absent: all & !present }
    }

    /// Calls a function with the index of each guess that is not like a lower one, in order.
    pub(crate) fn representatives(&self, free: FreeColours, mut found: impl FnMut(u32)) {
        let is_move = |element: &&Element| !element.is_identity(self.game.pegs());
        let moves: Vec<Element> = self.elements.iter().filter(is_move).copied().collect();
        let mut walk = Walk { game: self.game, free, pegs: [0; PEGS_MAX] };
        walk.extend(0, 0, 0, &mut |index, pegs| {
            if !moves.iter().any(|element| element.lowers(&pegs[..self.game.pegs()], self.game, free)) {
                found(index);
            }
        });
    }
}

impl Element {
    /// Returns this element if it leaves a guess as it is, with the colours that this takes.
    fn fixing(mut self, guess: Code) -> Option<Self> {
        let pegs = guess.pegs();
        for (place, &colour) in pegs.iter().enumerate() {
            let moved = usize::from(pegs[usize::from(self.from[place])]);
            if self.colours[moved] == UNSET {
                if self.colours.contains(&colour) {
                    return None;
                }
                self.colours[moved] = colour;
            } else if self.colours[moved] != colour {
                return None;
            }
        }
        Some(self)
    }

    fn is_identity(&self, pegs: usize) -> bool {
        let stays = |(place, &from): (usize, &u8)| place == usize::from(from);
        self.from[..pegs].iter().enumerate().all(stays)
    }

    /// Returns whether it turns a code into a lower one, with the lowest colours where they are free.
    fn lowers(&self, pegs: &[u8], game: Game, free: FreeColours) -> bool {
        let mut renamed = [UNSET; COLOURS_MAX];
        let mut rest = free;
        for (place, &colour) in pegs.iter().enumerate() {
            let moved = usize::from(pegs[usize::from(self.from[place])]);
            if renamed[moved] == UNSET {
                renamed[moved] = if free.absent & 1 << moved != 0 {
                    match game.repetition() {
                        Repetition::Allowed => lowest(free.absent),
                        Repetition::Forbidden => take_lowest(&mut rest.absent),
                    }
                } else if free.unused & 1 << moved != 0 {
                    take_lowest(&mut rest.unused)
                } else {
                    self.colours[moved]
                };
            }
            if renamed[moved] != colour {
                return renamed[moved] < colour;
            }
        }
        false
    }
}

/// Builds the guesses with the lowest colours where they are free, place by place.
struct Walk {
    game: Game,
    free: FreeColours,
    pegs: [u8; PEGS_MAX],
}

impl Walk {
    fn extend(&mut self, place: usize, index: u32, in_code: u16, found: &mut impl FnMut(u32, &[u8; PEGS_MAX])) {
        if place == self.game.pegs() {
            return found(index, &self.pegs);
        }
        let FreeColours { unused, absent } = self.free;
        let all = u16::MAX >> (COLOURS_MAX - self.game.colours());
        let next_unused = lowest_bit(unused & !in_code);
        let mut colours = match self.game.repetition() {
            Repetition::Allowed => all & !absent & (!unused | in_code) | next_unused | lowest_bit(absent),
            Repetition::Forbidden => all & !absent & !unused & !in_code | next_unused | lowest_bit(absent & !in_code),
        };
        while colours != 0 {
            let colour = take_lowest(&mut colours);
            self.pegs[place] = colour;
            let next = self.game.extend_index(index, place, in_code, colour);
            self.extend(place + 1, next, in_code | 1 << colour, found);
        }
    }
}

/// Calls a function with all orders of the first places.
fn permute(from: &mut [u8; PEGS_MAX], place: usize, pegs: usize, found: &mut impl FnMut([u8; PEGS_MAX])) {
    if place == pegs {
        return found(*from);
    }
    for other in place..pegs {
        from.swap(place, other);
        permute(from, place + 1, pegs, found);
        from.swap(place, other);
    }
}

fn lowest_bit(colours: u16) -> u16 {
    colours & colours.wrapping_neg()
}

fn lowest(colours: u16) -> u8 {
    colours.trailing_zeros().to_le_bytes()[0]
}

fn take_lowest(colours: &mut u16) -> u8 {
    let colour = lowest(*colours);
    *colours &= *colours - 1;
    colour
}
