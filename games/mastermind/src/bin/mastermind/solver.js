"use strict";
// The rules and the rule of entropy, as the program has them.
function allCodes(pegs, colours, mayRepeat) {
  let codes = [[]];
  for (let place = 0; place < pegs; place += 1) {
    const longer = [];
    for (const code of codes) {
      for (let colour = 0; colour < colours; colour += 1) {
        if (mayRepeat || !code.includes(colour)) longer.push([...code, colour]);
      }
    }
    codes = longer;
  }
  return codes;
}

// The black pegs, and black and white pegs together, as one number.
function compare(one, other, counts) {
  let black = 0, common = 0;
  for (let place = 0; place < one.length; place += 1) {
    if (one[place] === other[place]) black += 1;
    counts[one[place]] += 1;
  }
  for (const colour of other) {
    if (counts[colour] > 0) {
      counts[colour] -= 1;
      common += 1;
    }
  }
  for (const colour of one) counts[colour] = 0;
  return black * 16 + common;
}

function fitting(codes, turns) {
  const counts = new Array(16).fill(0);
  return codes.filter((code) => turns.every((turn) => compare(turn.code, code, counts) === turn.answer));
}

// Which answers leave no code: the first turn that does, and the earlier ones that it contradicts, as few as possible.
function contradiction(codes, turns) {
  const counts = new Array(16).fill(0);
  const fits = (code, turn) => compare(turn.code, code, counts) === turn.answer;
  let place = 0;
  for (const code of codes) {
    const broken = turns.findIndex((turn) => !fits(code, turn));
    if (broken < 0) return null;
    place = Math.max(place, broken);
  }
  const mask = (code) => turns.slice(0, place + 1).reduce((bits, turn, bit) => bits | (fits(code, turn) ? 0 : 1 << bit), 0);
  const masks = [...new Set(codes.map(mask))];
  const isEnough = (set) => masks.every((broken) => (broken & (set | (1 << place))) !== 0);
  const size = (set) => set.toString(2).replaceAll("0", "").length;
  let earlier = 2 ** place - 1;
  if (place <= 12) {
    const sets = [...Array(2 ** place).keys()].filter(isEnough);
    earlier = sets.reduce((best, set) => (size(set) < size(best) ? set : best));
  } else {
    for (let bit = place - 1; bit >= 0; bit -= 1) if (isEnough(earlier & ~(1 << bit))) earlier &= ~(1 << bit);
  }
  return { place, earlier: turns.map((_, bit) => bit).filter((bit) => (earlier >> bit) & 1) };
}

function partKey(size) {
  return size > 1 ? Math.round(size * Math.log2(size) * 1048576) : 0;
}

// The next guess: least sum over the parts; of equal ones a code that fits, then the lowest. Above a limit of work only
// codes that fit are tried, a part of them.
function nextGuess(codes, left) {
  if (left.length < 3) return left[0];
  const limit = 4e7;
  let guesses = codes;
  if (codes.length * left.length > limit) {
    const step = Math.max(1, Math.ceil((left.length * left.length) / limit));
    guesses = left.filter((_, place) => place % step === 0);
  }
  const possible = new Set(left), counts = new Array(16).fill(0), sizes = new Array(256).fill(0);
  let best = null, bestKey = Infinity, bestFits = false;
  for (const guess of guesses) {
    sizes.fill(0);
    for (const code of left) sizes[compare(guess, code, counts)] += 1;
    let key = 0;
    for (const size of sizes) key += partKey(size);
    const fits = possible.has(guess);
    if (key < bestKey || (key === bestKey && fits && !bestFits)) [best, bestKey, bestFits] = [guess, key, fits];
  }
  return best;
}
