//! Sources as tokens: names are one kind, and layout is nothing. Fingerprints of runs of tokens find candidates
//! (winnowing, as in MOSS: Schleimer, Wilkerson and Aiken, 2003); the runs are then compared token by token.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};

/// The tokens of a fingerprint, and the fingerprints of which at least one is kept: runs of `RUN + WINDOW - 1` tokens
/// are always found.
const RUN: usize = 20;
const WINDOW: usize = 6;

/// Maximum number of places in another text at which a run is tried.
const TRIES_MAX: usize = 16;

/// Maximum number of places in the evidence.
const PLACES_MAX: usize = 6;

/// Words of the languages; all others are names.
const KEYWORDS: &str = "as async auto await bool break case catch char class const continue crate default delete do \
    double dyn else enum extern false final float fn for func go goto if impl in inline int interface let long loop \
    match mod move mut namespace new operator private protected pub public range ref register restrict return self \
    Self short signed sizeof static struct super switch template this throw trait true try type typedef typename union \
    unsafe unsigned use using virtual void volatile where while def elif import lambda not and or pass yield";

/// Kinds of tokens besides words and signs.
const BORDER: u16 = 0;
const NAME: u16 = 1;
const NUMBER: u16 = 2;
const QUOTED: u16 = 3;
const FIRST_KEYWORD: u16 = 0x100;

/// A line with so many names in a row is prose.
const PROSE: usize = 4;

/// A program has a keyword among so many tokens, at least.
const PER_KEYWORD: usize = 64;

/// Lines of a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Lines {
    /// Its name.
    pub file: String,
    /// The first line, from 1.
    pub first: u32,
    /// The last line.
    pub last: u32,
}

impl fmt::Display for Lines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}-{}", crate::text::visible(&self.file), self.first, self.last)
    }
}

/// The text that two works share.
#[derive(Clone, Debug, PartialEq)]
pub struct SameText {
    /// How much of the smaller one's own text it is, from 0 to 1.
    pub share: f64,
    /// How many tokens.
    pub tokens: usize,
    /// How many of them in one place at most.
    pub longest: usize,
    /// The longest places, in either work.
    pub places: Vec<[Lines; 2]>,
}

/// The tokens of a work.
#[derive(Debug, Default)]
pub(super) struct Text {
    tokens: Vec<u16>,
    /// The file of each token, and its line.
    places: Vec<(u32, u32)>,
    files: Vec<String>,
    /// Whether a token was given.
    is_given: Vec<bool>,
}

impl Text {
    fn new(sources: &[(String, String)]) -> Self {
        let mut text = Self::default();
        for (name, source) in sources {
            let file = u32::try_from(text.files.len()).unwrap_or(u32::MAX);
            text.files.push(name.clone());
            for (token, line) in tokens(source).chain([(BORDER, 0)]) {
                text.tokens.push(token);
                text.places.push((file, line));
            }
        }
        text.is_given = text.tokens.iter().map(|&token| token == BORDER).collect();
        text
    }

    /// Returns how many tokens are the work's own.
    pub(super) fn own(&self) -> usize {
        self.is_given.iter().filter(|is_given| !**is_given).count()
    }

    /// Returns fingerprints and where they begin.
    fn fingerprints(&self) -> Vec<(u64, usize)> {
        let hashes: Vec<u64> = self.tokens.windows(RUN).map(hash).collect();
        let mut chosen = Vec::new();
        for (start, window) in hashes.windows(WINDOW.min(hashes.len().max(1))).enumerate() {
            // The last of the smallest, so that neighbours agree.
            let least = (0..window.len()).min_by_key(|&place| (window[place], WINDOW - place));
            let place = start + least.unwrap_or(0);
            if chosen.last() != Some(&(hashes[place], place)) {
                chosen.push((hashes[place], place));
            }
        }
        chosen
    }

    fn lines(&self, start: usize, len: usize) -> Lines {
        let ((file, first), (_, last)) = (self.places[start], self.places[start + len - 1]);
        Lines { file: self.files[file as usize].clone(), first, last }
    }
}

fn hash(run: &[u16]) -> u64 {
    let mut hasher = DefaultHasher::new();
    run.hash(&mut hasher);
    hasher.finish()
}

/// Splits a source into tokens with their lines.
fn tokens(source: &str) -> impl Iterator<Item = (u16, u32)> {
    let keywords: HashMap<&str, u16> = KEYWORDS.split_whitespace().zip(FIRST_KEYWORD..).collect();
    let bytes = source.as_bytes();
    let (mut found, mut place, mut line) = (Vec::new(), 0, 1);
    let at = |place: usize| bytes.get(place).copied().unwrap_or(0);
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
    let end_of = |place: usize, more: &dyn Fn(usize) -> bool| {
        (place..bytes.len()).find(|&next| !more(next)).unwrap_or(bytes.len())
    };
    // Where a quotation ends; an apostrophe has no other one on its line.
    let quoted = |begun: usize| {
        let mut place = begun + 1;
        while place < bytes.len() && bytes[place] != bytes[begun] && bytes[place] != b'\n' {
            place += if bytes[place] == b'\\' { 2 } else { 1 };
        }
        (at(place) == bytes[begun]).then_some(place + 1)
    };
    while place < bytes.len() {
        let (begun, byte) = (place, bytes[place]);
        let token = match byte {
            _ if byte.is_ascii_whitespace() => {
                place += 1;
                None
            }
            b'/' if at(place + 1) == b'/' => {
                place = end_of(place, &|next| bytes[next] != b'\n');
                None
            }
            b'/' if at(place + 1) == b'*' => {
                place = 2 + end_of(place + 2, &|next| !bytes[next..].starts_with(b"*/"));
                None
            }
            // A lifetime, not a letter in quotes.
            b'\'' if is_word(at(place + 1)) && at(place + 2) != b'\'' && at(place + 1) < 0x80 => {
                place = end_of(place + 1, &|next| is_word(bytes[next]));
                Some(NAME)
            }
            b'"' | b'\'' => {
                let end = quoted(begun);
                place = end.unwrap_or(begun + 1);
                Some(end.map_or(u16::from(byte), |_| QUOTED))
            }
            b'0'..=b'9' => {
                place = end_of(place, &|next| {
                    is_word(bytes[next]) || (bytes[next] == b'.' && at(next + 1).is_ascii_digit())
                });
                Some(NUMBER)
            }
            _ if is_word(byte) => {
                place = end_of(place, &|next| is_word(bytes[next]));
                let word = source.get(begun..place).unwrap_or_default();
                Some(keywords.get(word).copied().unwrap_or(NAME))
            }
            sign => {
                place += 1;
                Some(u16::from(sign))
            }
        };
        place = place.min(bytes.len());
        found.extend(token.map(|token| (token, line)));
        line += u32::try_from(bytes[begun..place].iter().filter(|&&byte| byte == b'\n').count()).unwrap_or(0);
    }
    // Licences and notes, whose words are all names.
    let prose: HashSet<u32> = found
        .windows(PROSE)
        .filter(|run| run.iter().all(|&(token, line)| token == NAME && line == run[0].1))
        .map(|run| run[0].1)
        .collect();
    found.into_iter().filter(move |(_, line)| !prose.contains(line))
}

/// Returns whether a text can be a program, and not only data or prose, whatever its file is called.
pub(super) fn is_program(source: &str) -> bool {
    let (mut all, mut keywords) = (0, 0);
    for (token, _) in tokens(source) {
        all += 1;
        keywords += usize::from(token >= FIRST_KEYWORD);
    }
    keywords > all / PER_KEYWORD
}

/// Makes texts of sources, in which what was given is marked.
pub(super) fn without_given<'a>(
    works: impl Iterator<Item = &'a Vec<(String, String)>>,
    given: &[(String, String)],
) -> Vec<Text> {
    let given = Text::new(given);
    let index = index(&given);
    works
        .map(|sources| {
            let mut text = Text::new(sources);
            for (start, _, len) in runs(&text, &given, &index, &mut vec![false; given.tokens.len()], false) {
                text.is_given[start..start + len].fill(true);
            }
            text
        })
        .collect()
}

type Index = HashMap<u64, Vec<usize>>;

fn index(text: &Text) -> Index {
    let mut index = Index::new();
    for (hash, place) in text.fingerprints() {
        index.entry(hash).or_default().push(place);
    }
    index
}

/// Compares each two texts that may be copies, and returns what they share.
pub(super) fn alike(texts: &[Text], may_copy: &dyn Fn(usize, usize) -> bool) -> BTreeMap<[usize; 2], SameText> {
    let indices: Vec<Index> = texts.iter().map(index).collect();
    let mut found = BTreeMap::new();
    for other in 0..texts.len() {
        for one in (0..other).filter(|&one| may_copy(one, other)) {
            let smaller = texts[one].own().min(texts[other].own());
            let mut is_taken = texts[other].is_given.clone();
            let mut runs = runs(&texts[one], &texts[other], &indices[other], &mut is_taken, true);
            let tokens = runs.iter().map(|(_, _, len)| len).sum();
            if tokens == 0 {
                continue;
            }
            runs.sort_by_key(|(start, _, len)| (usize::MAX - len, *start));
            let longest = runs[0].2;
            let places = runs.iter().take(PLACES_MAX);
            let places =
                places.map(|&(start, there, len)| [texts[one].lines(start, len), texts[other].lines(there, len)]);
            let mut places: Vec<[Lines; 2]> = places.collect();
            places.sort();
            found.insert([one, other], SameText { share: tokens as f64 / smaller as f64, tokens, longest, places });
        }
    }
    found
}

/// Finds runs of tokens that are in both texts: where they begin in either, and how long they are. None of the first
/// text is in two of them; nor of the second, if `is_once`.
fn runs(one: &Text, other: &Text, index: &Index, is_taken: &mut [bool], is_once: bool) -> Vec<(usize, usize, usize)> {
    let (mut found, mut end) = (Vec::new(), 0);
    for (hash, place) in one.fingerprints() {
        if place < end {
            continue;
        }
        let fits = |here: usize, there: usize, is_taken: &[bool]| {
            let is_same = one.tokens.get(here) == other.tokens.get(there) && here < one.tokens.len();
            is_same && !one.is_given[here] && !is_taken[there]
        };
        let candidates = index.get(&hash).into_iter().flatten().take(TRIES_MAX);
        let longest = candidates.filter_map(|&there| {
            let back =
                (1..=there.min(place - end)).take_while(|&back| fits(place - back, there - back, is_taken)).count();
            let ahead = (0..).take_while(|&ahead| fits(place + ahead, there + ahead, is_taken)).count();
            (ahead > 0 && back + ahead >= RUN).then_some((place - back, there - back, back + ahead))
        });
        if let Some((start, there, len)) = longest.max_by_key(|(.., len)| *len) {
            if is_once {
                is_taken[there..there + len].fill(true);
            }
            end = start + len;
            found.push((start, there, len));
        }
    }
    found
}
