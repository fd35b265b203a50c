// Conclusions about where cards are, each with its cause, and smallest sets of entries. The same as assist::logic and
// assist::reasons of the library. A shape has ends, open and sizes; a rule has a type, a seat and cards.
"use strict";

const kindOf = (shape, card) => (card >= shape.ends[0]) + (card >= shape.ends[1]);
const allCards = (shape) => [...Array(shape.ends[2]).keys()].filter((card) => !shape.open.includes(card));
const there = (card, place) => ({ card, place, isThere: true });
const elsewhere = (card, place) => ({ card, place, isThere: false });
const negated = (fact) => ({ ...fact, isThere: !fact.isThere });

// A slot is a hand, or a card of the solution: its place, size, and the cards that can be there.
function slotOf(shape, slot) {
  const players = shape.sizes.length;
  if (slot < players) return { place: slot, size: shape.sizes[slot], cards: allCards(shape) };
  const cards = allCards(shape).filter((card) => kindOf(shape, card) === slot - players);
  return { place: players, size: 1, cards };
}

class Logic {
  constructor(shape, rules) {
    this.shape = shape;
    this.rules = rules;
    this.solution = shape.sizes.length;
    this.slots = [...Array(this.solution + 3).keys()].map((slot) => slotOf(shape, slot));
    const all = 2 ** (this.solution + 1) - 1;
    this.allowed = Array(shape.ends[2]).fill(0);
    allCards(shape).forEach((card) => (this.allowed[card] = all));
    this.placed = Array(shape.ends[2]).fill(null);
    this.steps = [];
  }

  clone() {
    const next = Object.assign(Object.create(Logic.prototype), this);
    next.allowed = [...this.allowed];
    next.placed = [...this.placed];
    next.steps = [...this.steps];
    return next;
  }

  may(card, place) {
    return ((this.allowed[card] >> place) & 1) !== 0;
  }

  // Concludes a fact; returns a conflict, or nothing.
  conclude(fact, cause) {
    const { card, place, isThere } = fact;
    const may = this.may(card, place);
    if (isThere ? this.placed[card] === place : !may) return null;
    this.steps.push({ fact, cause });
    if (isThere ? !may : this.placed[card] === place) return { type: "clash" };
    if (isThere) {
      this.allowed[card] = 1 << place;
      this.placed[card] = place;
    } else {
      this.allowed[card] &= ~(1 << place);
      if (this.allowed[card] === 0) return { type: "noPlace", card };
    }
    return null;
  }

  each(cards, fact, cause) {
    for (const card of cards) {
      const conflict = this.conclude(fact(card), cause);
      if (conflict) return conflict;
    }
    return null;
  }

  // Concludes all that follows step by step; returns a conflict, or nothing.
  run() {
    for (;;) {
      const before = this.steps.length;
      for (let rule = 0; rule < this.rules.length; rule++) {
        const conflict = this.apply(rule);
        if (conflict) return conflict;
      }
      for (let card = 0; card < this.placed.length; card++) {
        const places = this.allowed[card];
        if (this.placed[card] === null && places !== 0 && (places & (places - 1)) === 0) {
          const conflict = this.conclude(there(card, 31 - Math.clz32(places)), { type: "lastPlace" });
          if (conflict) return conflict;
        }
      }
      for (let slot = 0; slot < this.slots.length; slot++) {
        const conflict = this.fill(slot);
        if (conflict) return conflict;
      }
      if (this.steps.length === before) return null;
    }
  }

  apply(number) {
    const { type, seat, cards } = this.rules[number];
    const cause = { type: "rule", rule: number };
    if (type === "has") return this.each(cards, (card) => there(card, seat), cause);
    if (type === "lacks") return this.each(cards, (card) => elsewhere(card, seat), cause);
    const isOneOf = type === "oneOf";
    const left = cards.filter((card) => (isOneOf ? this.may(card, seat) : this.placed[card] !== this.solution));
    if (left.length === 0) return { type: "rule", rule: number };
    if (left.length > 1) return null;
    return this.conclude(isOneOf ? there(left[0], seat) : elsewhere(left[0], this.solution), cause);
  }

  fill(slot) {
    const { place, size, cards } = this.slots[slot];
    const may = cards.filter((card) => this.may(card, place));
    const rest = may.filter((card) => this.placed[card] !== place);
    const held = may.length - rest.length;
    if (held > size) return { type: "tooMany", slot };
    if (may.length < size) return { type: "tooFew", slot };
    if (held === size) return this.each(rest, (card) => elsewhere(card, place), { type: "full", slot });
    if (may.length === size) return this.each(rest, (card) => there(card, place), { type: "needs", slot });
    return null;
  }

  // Calls visit with each deal until it returns true or left.nodes are used up: "finished", "stopped" or "gave up".
  search(left, visit) {
    const branches = this.branches();
    if (!branches) return visit(this.placed) ? "stopped" : "finished";
    for (const fact of branches) {
      if (left.nodes === 0) return "gave up";
      left.nodes -= 1;
      const next = this.clone();
      if (next.conclude(fact, { type: "assumed" }) || next.run()) continue;
      const ended = next.search(left, visit);
      if (ended !== "finished") return ended;
    }
    return "finished";
  }

  branches() {
    let best = null;
    for (const { type, seat, cards } of this.rules) {
      if (type !== "oneOf") continue;
      const left = cards.filter((card) => this.may(card, seat));
      const isMet = left.some((card) => this.placed[card] === seat);
      const card = left.find((one) => this.placed[one] === null);
      if (!isMet && card !== undefined && (!best || left.length < best.count)) best = { count: left.length, card, seat };
    }
    if (best) return [there(best.card, best.seat), elsewhere(best.card, best.seat)];
    let found = -1;
    const count = (card) => this.allowed[card].toString(2).replaceAll("0", "").length;
    for (let card = 0; card < this.placed.length; card++) {
      if (this.placed[card] !== null || this.allowed[card] === 0) continue;
      if (found < 0 || count(card) < count(found)) found = card;
    }
    if (found < 0) return null;
    return [...Array(this.solution + 1).keys()].filter((place) => this.may(found, place)).map((place) => there(found, place));
  }
}

const NODES = 400;
const MOST_TESTS = 1500;

// A smallest set of sources from which a fact follows, or without a fact one that contradicts itself; null if none does.
function support(shape, pieces, fact) {
  let tests = 0;
  const deal = (rules) => {
    tests += 1;
    const logic = new Logic(shape, rules);
    if (fact && logic.conclude(negated(fact), { type: "assumed" })) return null;
    if (logic.run()) return null;
    let found = null;
    const ended = logic.search({ nodes: NODES }, (placed) => {
      found = [...placed];
      return true;
    });
    if (ended !== "gave up") return found;
    const deals = countDeals(logic);
    if (deals.isTooMany) return [];
    return deals.total > 0n ? deals.draw(randomNumbers(1)) : null;
  };
  const rulesOf = (sources) => pieces.filter(({ source }) => sources.has(source)).map(({ rule }) => rule);
  const all = new Set(pieces.map(({ source }) => source).sort((one, other) => one - other));
  const isMet = ({ type, seat, cards }, placed) => {
    if (type === "has") return cards.every((card) => placed[card] === seat);
    if (type === "lacks") return cards.every((card) => placed[card] !== seat);
    if (type === "oneOf") return cards.some((card) => placed[card] === seat);
    return cards.some((card) => placed[card] !== shape.sizes.length);
  };
  const unmetBy = (placed) => new Set(pieces.filter(({ rule }) => !isMet(rule, placed)).map(({ source }) => source));
  if (deal(rulesOf(all))) return null;
  let found = new Set(all);
  for (const source of all) {
    const fewer = new Set(found);
    fewer.delete(source);
    if (!deal(rulesOf(fewer))) found = fewer;
  }
  // Adds sources to those that a deal meets as long as there is a deal; returns the others.
  const grow = (placed) => {
    const missing = unmetBy(placed);
    for (const source of [...missing].sort((one, other) => one - other)) {
      if (!missing.has(source)) continue;
      const met = new Set([...all].filter((one) => !missing.has(one) || one === source));
      const other = deal(rulesOf(met));
      if (other && other.length > 0) {
        const still = unmetBy(other);
        [...missing].filter((one) => !still.has(one)).forEach((one) => missing.delete(one));
      }
    }
    return [...missing].sort((one, other) => one - other);
  };
  const unmet = [];
  let isSmallest = false;
  while (tests <= MOST_TESTS) {
    const chosen = hit(unmet, found.size - 1);
    if (!chosen) {
      isSmallest = true;
      break;
    }
    const placed = deal(rulesOf(chosen));
    if (!placed) {
      found = chosen;
      isSmallest = true;
      break;
    }
    if (placed.length === 0) break;
    unmet.push(grow(placed));
  }
  const needed = pieces.filter(({ source }) => found.has(source));
  for (let place = 0; place < needed.length; ) {
    const fewer = needed.filter((_, index) => index !== place);
    if (deal(fewer.map(({ rule }) => rule))) place += 1;
    else needed.splice(place, 1);
  }
  return { sources: [...found].sort((one, other) => one - other), pieces: needed, isSmallest };
}

// At most so many sources, as few as possible, with one of each set.
function hit(sets, most) {
  const left = { nodes: 200000 };
  for (let size = 0; size <= most; size++) {
    const found = hitWith(sets, new Set(), size, left);
    if (found) return found;
  }
  return null;
}

function hitWith(sets, chosen, size, left) {
  let open = null;
  for (const set of sets) {
    if (!set.some((source) => chosen.has(source)) && (!open || set.length < open.length)) open = set;
  }
  if (!open) return chosen;
  if (size === 0 || left.nodes === 0) return null;
  left.nodes -= 1;
  for (const source of open) {
    const found = hitWith(sets, new Set([...chosen, source]), size - 1, left);
    if (found) return found;
  }
  return null;
}
