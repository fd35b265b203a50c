use crate::code::Code;
use crate::feedback::Feedback;
use crate::game::Game;
use crate::history::{History, Turn};
use crate::kernel::{self, SLOTS, Task, slot};
use crate::strategy::{Choice, Guesses, PartKeys, Strategy};
use crate::symmetry::Symmetry;
use crate::words::{Word, Words};

/// Games with at most this many codes keep the words of all of them.
const KEPT_MAX: u32 = 1 << 20;
/// How many guesses of a larger game are turned into words at a time.
const CHUNK: usize = 1 << 10;

/// Scores guesses by a strategy.
///
/// ```
/// use mastermind::{Game, Guesses, History, Scorer, Strategy};
///
/// let game: Game = "4x6r".parse().unwrap();
/// let history = History::parse(game, "1122:02 3341:11").unwrap();
/// let scorer = Scorer::new(game, Strategy::Minimax);
/// let guess = scorer.next_guess(&history, Guesses::All).unwrap();
/// assert_eq!(game.text(game.code(guess)), "2531");
/// ```
#[derive(Clone, Debug)]
pub struct Scorer {
    pub game: Game,
    pub strategy: Strategy,
    keys: PartKeys,
    /// The words of all codes, or of none.
    all: AnyWords,
}

/// Codes that may be the secret, ready to be compared with guesses.
#[derive(Clone, Debug)]
pub struct Candidates {
    /// The indices of the codes, in order.
    pub indices: Vec<u32>,
    words: AnyWords,
}

#[derive(Clone, Debug)]
enum AnyWords {
    Narrow(Words<u64>),
    Wide(Words<u128>),
}

impl Scorer {
    pub fn new(game: Game, strategy: Strategy) -> Self {
        let kept = if game.codes() <= KEPT_MAX { game.codes() } else { 0 };
        let codes = game.codes_in(0..kept).map(|(_, code)| code);
        let keys = PartKeys::new(strategy, game.codes() as usize);
        Self { game, strategy, keys, all: AnyWords::of(game, codes) }
    }

    /// Prepares codes, given by their indices in order.
    pub fn candidates(&self, indices: Vec<u32>) -> Candidates {
        let words = match &self.all {
            AnyWords::Narrow(all) if self.keeps_words() => AnyWords::Narrow(all.pick(&indices)),
            AnyWords::Wide(all) if self.keeps_words() => AnyWords::Wide(all.pick(&indices)),
            _ => AnyWords::of(self.game, indices.iter().map(|&index| self.game.code(index))),
        };
        Candidates { indices, words }
    }

    pub fn left(&self, history: &History) -> Candidates {
        let Some((first, rest)) = history.turns().split_first() else {
            return self.candidates((0..self.game.codes()).collect());
        };
        // Words of all codes are there only for games that are not too large.
        let after_first = match self.keeps_words() {
            true => self.keep(&self.candidates((0..self.game.codes()).collect()), *first),
            false => {
                self.candidates(self.game.all_codes().filter(|(_, code)| first.fits(*code)).map(|it| it.0).collect())
            }
        };
        rest.iter().fold(after_first, |left, turn| self.keep(&left, *turn))
    }

    pub fn keep(&self, candidates: &Candidates, turn: Turn) -> Candidates {
        let mut slots = Vec::new();
        self.answer_slots(candidates, turn.guess, &mut slots);
        let (black, white) = (usize::from(turn.answer.black), usize::from(turn.answer.white));
        let wanted = slot(self.game.pegs(), black, black + white);
        let fits = slots.iter().zip(&candidates.indices).filter(|(slot, _)| usize::from(**slot) == wanted);
        self.candidates(fits.map(|(_, index)| *index).collect())
    }

    fn answer_slots(&self, candidates: &Candidates, guess: Code, slots: &mut Vec<u8>) {
        match (&candidates.words, AnyWords::of(self.game, [guess].into_iter())) {
            (AnyWords::Narrow(codes), AnyWords::Narrow(guess)) => {
                kernel::answers(self.game.pegs(), (guess.places[0], guess.counts[0]), codes, slots);
            }
            (AnyWords::Wide(codes), AnyWords::Wide(guess)) => {
                kernel::answers(self.game.pegs(), (guess.places[0], guess.counts[0]), codes, slots);
            }
            _ => unreachable!("a game has one width"),
        }
    }

    /// Returns the next guess by the strategy's rule, or nothing if the answers leave no code.
    pub fn next_guess(&self, history: &History, guesses: Guesses) -> Option<u32> {
        let candidates = self.left(history);
        let start = Symmetry::new(self.game);
        let symmetry = history.turns().iter().fold(start, |symmetry, turn| symmetry.after(turn.guess));
        self.choose(&symmetry, &candidates, guesses)
    }

    /// Returns the guesses that stand for all: of those that are alike after a history, the lowest.
    pub fn representatives(&self, history: &[Code], candidates: &Candidates) -> Vec<u32> {
        let symmetry = history.iter().fold(Symmetry::new(self.game), |symmetry, &guess| symmetry.after(guess));
        self.unlike(&symmetry, candidates)
    }

    /// Returns the least choice among guesses: a chunk's share of the rule, for three candidates or more.
    pub fn best(&self, candidates: &Candidates, guesses: &[u32]) -> Option<Choice> {
        self.least(candidates, guesses, i64::MIN)
    }

    /// Splits candidates by their answers to a guess, fewest blacks first.
    pub fn split(&self, candidates: &Candidates, guess: Code) -> Vec<(Feedback, Vec<u32>)> {
        let mut slots = Vec::new();
        self.answer_slots(candidates, guess, &mut slots);
        let mut parts: [Vec<u32>; SLOTS] = std::array::from_fn(|_| Vec::new());
        for (&slot, &index) in slots.iter().zip(&candidates.indices) {
            parts[usize::from(slot)].push(index);
        }
        let part = |answer: Feedback| {
            let (black, white) = (usize::from(answer.black), usize::from(answer.white));
            (answer, std::mem::take(&mut parts[slot(self.game.pegs(), black, black + white)]))
        };
        self.game.feedbacks().map(part).filter(|(_, part)| !part.is_empty()).collect()
    }

    /// Chooses by the rule; `symmetry` is what the guesses so far leave.
    pub(crate) fn choose(&self, symmetry: &Symmetry, candidates: &Candidates, guesses: Guesses) -> Option<u32> {
        let indices = &candidates.indices;
        let lowest = *indices.first()?;
        if indices.len() < 3 || self.strategy == Strategy::First {
            return Some(lowest);
        }
        let perfect = self.keys.perfect(indices.len());
        let is_small = indices.len() < self.game.feedbacks().count();
        if is_small || guesses == Guesses::Possible {
            let choice = self.least(candidates, indices, perfect)?;
            if choice.key == perfect || guesses == Guesses::Possible {
                return Some(choice.index);
            }
        }
        self.least(candidates, &self.unlike(symmetry, candidates), perfect).map(|choice| choice.index)
    }

    /// Returns the lowest of guesses that are alike.
    pub(crate) fn unlike(&self, symmetry: &Symmetry, candidates: &Candidates) -> Vec<u32> {
        let present = match &candidates.words {
            AnyWords::Narrow(words) => present(self.game, words),
            AnyWords::Wide(words) => present(self.game, words),
        };
        let mut guesses = Vec::new();
        symmetry.representatives(symmetry.free_colours(present), |index| guesses.push(index));
        guesses
    }

    /// Returns the least choice; a key of `enough` ends the search.
    fn least(&self, candidates: &Candidates, guesses: &[u32], enough: i64) -> Option<Choice> {
        match (&self.all, &candidates.words) {
            (AnyWords::Narrow(all), AnyWords::Narrow(codes)) => self.least_of(all, codes, guesses, enough),
            (AnyWords::Wide(all), AnyWords::Wide(codes)) => self.least_of(all, codes, guesses, enough),
            _ => unreachable!("a game has one width"),
        }
    }

    fn least_of<W: Word>(&self, all: &Words<W>, codes: &Words<W>, guesses: &[u32], enough: i64) -> Option<Choice> {
        let (pegs, keys, mut best) = (self.game.pegs(), &self.keys, None);
        if self.keeps_words() {
            let task = Task { guesses: all, is_by_index: true, codes, pegs, keys };
            kernel::least(task, guesses, enough, &mut best);
            return best;
        }
        for chunk in guesses.chunks(CHUNK) {
            let words = Words::of(self.game, chunk.iter().map(|&index| self.game.code(index)));
            let task = Task { guesses: &words, is_by_index: false, codes, pegs, keys };
            kernel::least(task, chunk, enough, &mut best);
            if best.is_some_and(|best: Choice| best.key <= enough) {
                break;
            }
        }
        best
    }

    fn keeps_words(&self) -> bool {
        self.game.codes() <= KEPT_MAX
    }
}

impl AnyWords {
    fn of(game: Game, codes: impl Iterator<Item = Code>) -> Self {
        if game.pegs() * game.colours() <= 64 {
            Self::Narrow(Words::of(game, codes))
        } else {
            Self::Wide(Words::of(game, codes))
        }
    }
}

/// Returns the colours that appear in any of the codes.
fn present<W: Word>(game: Game, words: &Words<W>) -> u16 {
    let all = words.counts.iter().fold(W::from(0), |mut all, &counts| {
        all |= counts;
        all
    });
    let has = |colour: &usize| (all & W::from(1) << (colour * game.pegs())).count() > 0;
    (0..game.colours()).filter(has).fold(0, |present, colour| present | 1 << colour)
}
