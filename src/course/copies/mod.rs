//! Works of different teams that look like copies: found here with their evidence, judged by people.
//!
//! Three looks at each two works: the same file; the same machine code, whatever names and debug information say; the
//! same text after names and layout are made equal, without what everyone was given. The same moves in the same
//! positions come from the games.

mod code;
mod text;
mod work;

use std::collections::{BTreeMap, HashMap};
use std::fmt;

pub use text::{Lines, SameText};
pub use work::{Given, Work};

use text::Text;

/// A work is suspected from this share of its own text on that another one has, with at least so many tokens, or from
/// this many tokens in one place. Of 30,000 pairs of files in this repository, by one author with one task, no pair that
/// does not really share code reaches 42 %, or 112 tokens in one place.
const MIN_SHARE: f64 = 0.5;
const MIN_TOKENS: usize = 120;
const MIN_LONGEST: usize = 150;

/// A reason to look at two works.
#[derive(Clone, Debug, PartialEq)]
pub enum Evidence {
    /// They are the same library, byte by byte.
    SameFile,
    /// They have the same machine code and constants; these other parts differ.
    SameCode {
        /// Names of sections.
        differ: Vec<String>,
    },
    /// They have the same text.
    SameText(SameText),
    /// They made the same moves in the same positions in so many of so many games.
    SameMoves {
        /// Games that were the same.
        same: u64,
        /// Games of the one that played fewer.
        of: u64,
    },
}

impl Evidence {
    /// Returns how much it says, from 0 to 1.
    fn score(&self) -> f64 {
        match self {
            Self::SameFile => 1.0,
            Self::SameCode { .. } => 0.99,
            Self::SameText(same) => same.share,
            Self::SameMoves { same, of } => *same as f64 / (*of).max(1) as f64,
        }
    }
}

/// Two works to look at.
#[derive(Clone, Debug, PartialEq)]
pub struct Suspicion {
    /// Their places in the list of works, the smaller first.
    pub pair: [usize; 2],
    /// From 0 to 1: that of the best evidence.
    pub score: f64,
    /// The best first.
    pub evidence: Vec<Evidence>,
}

/// Finds works of different teams that look like copies, the most alike first. At least one of each two is of this year.
///
/// `same_moves` are places of works, how many of their games were the same, and how many there were.
pub fn find(works: &[Work], given: &Given, same_moves: &[([usize; 2], u64, u64)]) -> Vec<Suspicion> {
    let mut found: BTreeMap<[usize; 2], Vec<Evidence>> = BTreeMap::new();
    let texts = text::without_given(works.iter().map(|work| &work.sources), &given.texts);
    // Who handed in what everyone was given has copied nobody.
    let is_own: Vec<bool> = works.iter().zip(&texts).map(|(work, text)| given.leaves(work, text)).collect();
    let is_old = |work: &Work| work.is_earlier || work.is_bundled;
    let may_copy = |one: usize, other: usize| {
        let [one_work, other_work] = [&works[one], &works[other]];
        one_work.team != other_work.team && !(is_old(one_work) && is_old(other_work))
    };
    let mut add = |one: usize, other: usize, evidence| found.entry([one, other]).or_default().push(evidence);
    let mut by_code: HashMap<_, Vec<usize>> = HashMap::new();
    for (place, work) in works.iter().enumerate() {
        let Some(code) = work.code() else { continue };
        let alike = by_code.entry(code).or_default();
        // A bundled player was given to all, but no team has written it.
        let tells = |&&other: &&usize| {
            may_copy(other, place) && (is_own[other] && is_own[place] || works[other].is_bundled || work.is_bundled)
        };
        for &other in alike.iter().filter(tells) {
            add(
                other,
                place,
                match works[other].library == work.library {
                    true => Evidence::SameFile,
                    false => Evidence::SameCode { differ: code::differences(&works[other].library, &work.library) },
                },
            );
        }
        alike.push(place);
    }
    for ([one, other], same) in text::alike(&texts, &may_copy) {
        if (same.share >= MIN_SHARE && same.tokens >= MIN_TOKENS) || same.longest >= MIN_LONGEST {
            add(one, other, Evidence::SameText(same));
        }
    }
    for &([one, other], same, of) in same_moves {
        if may_copy(one, other) && is_own[one] && is_own[other] {
            add(one.min(other), one.max(other), Evidence::SameMoves { same, of });
        }
    }
    let mut suspicions: Vec<Suspicion> = found
        .into_iter()
        .map(|(pair, mut evidence)| {
            evidence.sort_by(|one, other| other.score().total_cmp(&one.score()));
            Suspicion { pair, score: evidence[0].score(), evidence }
        })
        .collect();
    suspicions.sort_by(|one, other| other.score.total_cmp(&one.score).then(one.pair.cmp(&other.pair)));
    suspicions
}

/// Writes suspicions for people.
pub fn report(works: &[Work], suspicions: &[Suspicion]) -> String {
    let mut text = if suspicions.is_empty() { "no two works look like copies\n" } else { "" }.to_owned();
    for Suspicion { pair: [one, other], score, evidence } in suspicions {
        text += &format!("{:3.0} %  {} and {}\n", score * 100.0, works[*one].name, works[*other].name);
        for evidence in evidence {
            text += &format!("       {evidence}\n");
        }
    }
    works.iter().filter_map(Work::omission).for_each(|line| text += &format!("{line}\n"));
    text
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SameFile => f.write_str("the same file"),
            Self::SameCode { differ } if differ.is_empty() => f.write_str("the same code"),
            Self::SameCode { differ } => write!(f, "the same code; different: {}", differ.join(", ")),
            Self::SameText(same) => {
                write!(f, "{:.0} % of the smaller one's own text, {} tokens", same.share * 100.0, same.tokens)?;
                same.places.iter().try_for_each(|[one, other]| write!(f, "\n         {one} = {other}"))
            }
            Self::SameMoves { same, of } => write!(f, "the same moves in {same} of {of} games"),
        }
    }
}

/// Returns whether enough of a work's text is its own to be copied.
fn is_enough(text: &Text) -> bool {
    text.own() >= MIN_TOKENS
}
