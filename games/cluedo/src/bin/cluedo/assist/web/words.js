// What happened and what follows, in sentences. The same as assist::words and assist::proof of the library.
// A game has deck {kinds, names, ends, articles}, players, me, sizes, hand, open and entries.
"use strict";

const joined = (words, last) => (words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${last} ${words.at(-1)}`);
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const uncapital = (text) => text.replace(/^(You|The) /, (word) => word.toLowerCase());
const grouped = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ",");

const shapeOf = (game) => ({ ends: game.deck.ends, open: game.open, sizes: game.sizes });
const theCard = (game, card) => (game.deck.articles[kindOf(game.deck, card)] ? "the " : "") + game.deck.names[card];
const who = (game, seat) => (seat === game.me ? "you" : game.players[seat]);
const does = (game, seat, you, other) => `${who(game, seat)} ${seat === game.me ? you : other}`;
const whose = (game, seat) => (seat === game.me ? "your" : `${game.players[seat]}'s`);
const cardList = (game, cards, last) => joined([...cards].sort((one, other) => one - other).map((card) => theCard(game, card)), last);

function factsText(game, cards, place, isThere) {
  if (place === game.players.length) {
    return capital(`${cardList(game, cards, "and")} ${cards.length === 1 ? "is" : "are"}${isThere ? "" : " not"} in the solution`);
  }
  const verb = isThere ? does(game, place, "have", "has") : does(game, place, "do not have", "does not have");
  return capital(`${verb} ${cardList(game, cards, isThere ? "and" : "or")}`);
}

const factText = (game, { card, place, isThere }) => factsText(game, [card], place, isThere);

function entryText(game, entry) {
  const triple = () => entry.cards.map((card) => game.deck.names[card]).join(", ");
  if (entry.type === "has" || entry.type === "lacks") {
    return factText(game, { card: entry.card, place: entry.seat, isThere: entry.type === "has" });
  }
  if (entry.type === "accusation") return capital(`${does(game, entry.by, "accuse", "accuses")} ${triple()}, wrongly`);
  const answers = entry.answers.map(({ type, seat, card }) => {
    if (type === "passes") return does(game, seat, "pass", "passes");
    const shows = does(game, seat, "show", "shows");
    if (type === "shows") return `${shows} a card`;
    return `${shows} ${entry.by === game.me ? "you " : ""}${theCard(game, card)}`;
  });
  const text = `${does(game, entry.by, "suggest", "suggests")} ${triple()}`;
  return capital(answers.length > 0 ? `${text}: ${answers.join(", ")}` : text);
}

function sourcesText(sources) {
  const numbers = sources.filter((source) => source > 0).map(String);
  const parts = sources.includes(0) ? ["your hand"] : [];
  if (numbers.length > 0) parts.push(`${numbers.length === 1 ? "entry" : "entries"} ${joined(numbers, "and")}`);
  return parts.length === 0 ? "the rules alone" : joined(parts, "and");
}

// The rules that follow from the own hand (source 0) and from each entry.
function piecesOf(game) {
  const pieces = [];
  const add = (source, type, seat, cards) => pieces.push({ source, rule: { type, seat, cards } });
  if (game.me !== null && game.hand) add(0, "has", game.me, [...game.hand].sort((one, other) => one - other));
  game.entries.forEach((entry, index) => {
    if (entry.type === "suggestion") {
      const named = entry.cards.filter((card) => !game.open.includes(card));
      for (const { type, seat, card } of entry.answers) {
        if (type === "passes") add(index + 1, "lacks", seat, named);
        else if (type === "shows") add(index + 1, "oneOf", seat, named);
        else add(index + 1, "has", seat, [card]);
      }
    } else if (entry.type === "accusation") add(index + 1, "notAll", null, entry.cards);
    else add(index + 1, entry.type, entry.seat, [entry.card]);
  });
  return pieces;
}

// Explains a fact, or without one a contradiction, by a few rules: sentences.
function explain(game, fact, pieces) {
  const proof = new Proof(game, pieces);
  const conflict = proof.logic.run();
  const step = fact ? proof.stepOf(fact, proof.logic.steps.length) : -1;
  if (step >= 0) return proof.sentences([step], null);
  if (conflict) return proof.refutation(conflict);
  const noDeal = (what) => `Going through all possible deals finds none that agrees with ${what}.`;
  if (!fact) return [noDeal("these entries")];
  const text = (one) => uncapital(factText(game, one));
  const suppose = `Suppose the opposite: ${text(negated(fact))}.`;
  const other = new Proof(game, pieces);
  const clash = other.logic.conclude(negated(fact), { type: "assumed" }) ?? other.logic.run();
  if (clash) return [suppose, ...other.refutation(clash), `That cannot be. So ${text(fact)}.`];
  return [suppose, noDeal(`these entries in which "${factText(game, negated(fact))}" is true`), `So ${text(fact)}.`];
}

class Proof {
  constructor(game, pieces) {
    this.game = game;
    this.pieces = pieces;
    this.logic = new Logic(shapeOf(game), pieces.map(({ rule }) => rule));
    this.solution = game.players.length;
    this.places = [...Array(this.solution + 1).keys()];
  }

  // The step that says a fact, among those before one; that a card is elsewhere may follow from where it is.
  stepOf({ card, place, isThere }, before) {
    const says = ({ fact }) =>
      fact.card === card &&
      ((fact.place === place && fact.isThere === isThere) || (!isThere && fact.isThere && fact.place !== place));
    return this.logic.steps.slice(0, before).findIndex(says);
  }

  cardsOf(rule) {
    return this.logic.rules[rule].cards;
  }

  grounds(index) {
    const { fact: { card, place }, cause } = this.logic.steps[index];
    if (cause.type === "rule") {
      const { type, seat, cards } = this.logic.rules[cause.rule];
      const others = cards.filter((other) => other !== card);
      if (type === "oneOf") return others.map((other) => elsewhere(other, seat));
      return type === "notAll" ? others.map((other) => there(other, this.solution)) : [];
    }
    // What the own hand does not hold needs no more words.
    if (cause.type === "full") return this.isOwnHand(cause.slot, index) ? [] : this.held(cause.slot, index);
    if (cause.type === "needs") {
      const left = this.left(cause.slot, index);
      return this.logic.slots[cause.slot].cards.filter((other) => !left.includes(other)).map((other) => elsewhere(other, place));
    }
    if (cause.type === "assumed") return [];
    return this.places.filter((other) => other !== place).map((other) => elsewhere(card, other));
  }

  held(slot, before) {
    const { place, size, cards } = this.logic.slots[slot];
    const facts = this.logic.steps.slice(0, before).map(({ fact }) => fact);
    return facts.filter((fact) => fact.isThere && fact.place === place && cards.includes(fact.card)).slice(0, size);
  }

  // Whether a slot is the own hand, and all its cards were known from the beginning.
  isOwnHand(slot, before) {
    const isDealt = (fact) => {
      const { cause } = this.logic.steps[this.stepOf(fact, before)];
      return cause.type === "rule" && this.pieces[cause.rule].source === 0;
    };
    return slot === this.game.me && this.held(slot, before).every(isDealt);
  }

  left(slot, before) {
    const { place, cards } = this.logic.slots[slot];
    return cards.filter((card) => this.stepOf(elsewhere(card, place), before) < 0);
  }

  refutation(conflict) {
    const { game, logic } = this;
    const end = logic.steps.length;
    let grounds, sentence;
    if (conflict.type === "clash") {
      const last = logic.steps[end - 1].fact;
      const found = this.stepOf(negated(last), end - 1);
      const earlier = found < 0 ? end - 1 : found;
      const known = logic.steps[earlier].fact;
      return this.sentences([end - 1, earlier], `But ${uncapital(factText(game, known))}${this.short(known, end - 1)}.`);
    }
    if (conflict.type === "noPlace") {
      grounds = this.places.map((place) => elsewhere(conflict.card, place));
      sentence = `Then ${theCard(game, conflict.card)} would be nowhere${this.whys(grounds, end)}.`;
    } else if (conflict.type === "rule") {
      const { type, seat, cards } = logic.rules[conflict.rule];
      if (type === "oneOf") {
        grounds = cards.map((card) => elsewhere(card, seat));
        const none = `${does(game, seat, "can have", "can have")} none of them${this.whys(grounds, end)}`;
        sentence = `${this.shown(conflict.rule, seat, cards)}, but ${none}.`;
      } else {
        grounds = cards.map((card) => there(card, this.solution));
        const accused = `the accusation of ${cardList(game, cards, "and")} was wrong`;
        sentence = `${this.source(conflict.rule)}: ${accused}, but all three would be in the solution.`;
      }
    } else [grounds, sentence] = this.miscount(conflict);
    const steps = grounds.map((fact) => this.stepOf(fact, end)).filter((step) => step >= 0);
    return this.sentences(steps, sentence);
  }

  // A slot has too many or too few cards.
  miscount({ type, slot }) {
    const { game, logic } = this;
    const { place, size, cards } = logic.slots[slot];
    const isHand = slot < this.solution;
    if (type === "tooMany") {
      const held = cards.filter((card) => logic.placed[card] === place);
      const all = cardList(game, held, "and");
      const grounds = held.map((card) => there(card, place));
      if (!isHand) return [grounds, `Then ${all} would both be in the solution, which has one ${this.kind(slot)}.`];
      const only = `${does(game, slot, "hold", "holds")} only ${size}`;
      return [grounds, `Then ${does(game, slot, "would have", "would have")} ${all}: ${held.length} cards, but ${only}.`];
    }
    const left = cards.filter((card) => logic.may(card, place));
    const grounds = cards.filter((card) => !left.includes(card)).map((card) => elsewhere(card, place));
    if (!isHand) return [grounds, `Then no ${this.kind(slot)} would be left for the solution.`];
    const what = left.length === 0 ? "no card" : `only ${cardList(game, left, "and")}`;
    return [grounds, `Then ${what} would be left for ${who(game, slot)}, but ${does(game, slot, "hold", "holds")} ${size}.`];
  }

  kind(slot) {
    return this.game.deck.kinds[slot - this.solution];
  }

  // The sentences for steps and all that they rest on, then a last one.
  sentences(targets, last) {
    const needed = new Set();
    const open = [...targets];
    while (open.length > 0) {
      const index = open.pop();
      if (needed.has(index)) continue;
      needed.add(index);
      this.grounds(index).forEach((fact) => {
        const step = this.stepOf(fact, index);
        if (step >= 0) open.push(step);
      });
    }
    const sentences = [];
    const order = [...needed].sort((one, other) => one - other);
    while (order.length > 0) {
      const first = order.shift();
      const { fact, cause } = this.logic.steps[first];
      const cards = [fact.card];
      // What has the same cause is said once.
      const isSame = (index) => {
        const other = this.logic.steps[index];
        return cause.type !== "lastPlace" && other.cause.type === cause.type && other.cause.rule === cause.rule &&
          other.cause.slot === cause.slot && other.fact.isThere === fact.isThere;
      };
      for (const index of order.filter(isSame)) {
        order.splice(order.indexOf(index), 1);
        cards.push(this.logic.steps[index].fact.card);
      }
      const sentence = this.sentence(first, cards);
      if (sentence) sentences.push(sentence);
    }
    return last ? [...sentences, last] : sentences;
  }

  sentence(index, cards) {
    const { game } = this;
    const { fact, cause } = this.logic.steps[index];
    const { card, place, isThere } = fact;
    const the = theCard(game, card);
    const all = uncapital(factsText(game, cards, place, isThere));
    if (cause.type === "assumed") return null;
    if (cause.type === "rule") {
      const { type, seat, cards: named } = this.logic.rules[cause.rule];
      const others = named.filter((other) => other !== card);
      if (type === "oneOf") {
        const why = this.whys(others.map((other) => elsewhere(other, seat)), index);
        const not = capital(does(game, seat, "do not have", "does not have"));
        return `${this.shown(cause.rule, seat, named)}. ${not} ${cardList(game, others, "or")}${why}, so it was ${the}.`;
      }
      if (type !== "notAll") return this.told(cause.rule, place, cards);
      const rest = `${cardList(game, others, "and")} are in the solution`;
      return `${this.source(cause.rule)}: the accusation was wrong, but ${rest}. So ${uncapital(factText(game, fact))}.`;
    }
    if (cause.type === "lastPlace") {
      const others = this.places.filter((other) => other !== place).map((other) => elsewhere(card, other));
      const why = this.whys(others, index);
      if (place === this.solution) return `Nobody can have ${the}${why}. So this card is in the solution.`;
      return `${capital(the)} can be nowhere else${why}. So ${does(game, place, "have", "has")} it.`;
    }
    return cause.slot < this.solution ? this.ofHand(index, cards, all) : this.ofSolution(index, cards);
  }

  ofHand(index, cards, all) {
    const { game } = this;
    const { slot, type } = this.logic.steps[index].cause;
    if (type === "needs") {
      const left = new Set([...this.left(slot, index), ...cards]);
      const size = this.game.sizes[slot];
      const holds = `${capital(does(game, slot, "hold", "holds"))} ${size} ${size === 1 ? "card" : "cards"}`;
      return `${holds}, and only ${cardList(game, left, "and")} can be there. So ${all}.`;
    }
    if (this.isOwnHand(slot, index)) return `${capital(all)}: you hold others.`;
    const held = this.held(slot, index).map(({ card }) => card);
    const names = cardList(game, held, "and");
    const known =
      held.length === 0 ? `${does(game, slot, "hold", "holds")} no cards`
      : held.length === 1 ? `${whose(game, slot)} only card is ${names}`
      : `${whose(game, slot)} ${held.length} cards are ${names}`;
    return `${capital(known)}. So ${all}.`;
  }

  ofSolution(index, cards) {
    const { game } = this;
    const { fact: { card, place }, cause: { slot, type } } = this.logic.steps[index];
    if (type === "needs") {
      const others = this.logic.slots[slot].cards.filter((other) => other !== card);
      const why = this.whys(others.map((other) => elsewhere(other, place)), index);
      return `No other ${this.kind(slot)} can be in the solution${why}. So it is ${theCard(game, card)}.`;
    }
    const found = capital(theCard(game, this.held(slot, index)[0]?.card ?? card));
    const verb = cards.length === 1 ? "is" : "are";
    return `${found} is the ${this.kind(slot)} of the solution, so ${cardList(game, cards, "and")} ${verb} not.`;
  }

  source(rule) {
    return capital(sourcesText([this.pieces[rule].source]));
  }

  told(rule, seat, cards) {
    const { game } = this;
    const isThere = this.logic.rules[rule].type === "has";
    const all = uncapital(factsText(game, cards, seat, isThere));
    const entry = game.entries[this.pieces[rule].source - 1];
    if (!entry) return `${capital(does(game, seat, "hold", "holds"))} ${cardList(game, cards, "and")}.`;
    if (entry.type !== "suggestion") return `${this.source(rule)}: ${all}.`;
    if (isThere && entry.answers.some((answer) => answer.type === "card" && answer.seat === seat)) {
      const to = entry.by === game.me ? "you " : "";
      return `${this.source(rule)}: ${who(game, seat)} showed ${to}${cardList(game, cards, "and")}.`;
    }
    return `${this.source(rule)}: ${who(game, seat)} passed. So ${all}.`;
  }

  shown(rule, seat, cards) {
    return `${this.source(rule)}: ${who(this.game, seat)} showed one of ${cardList(this.game, cards, "and")}`;
  }

  whys(facts, before) {
    const reasons = facts.map((fact) => this.short(fact, before).replace(/^ \(/, "").replace(/\)$/, "")).filter(Boolean);
    return reasons.length === 0 ? "" : ` (${[...new Set(reasons)].join("; ")})`;
  }

  short(fact, before) {
    const index = this.stepOf(fact, before);
    if (index < 0) return "";
    const step = this.logic.steps[index];
    if (step.fact.isThere && !fact.isThere) return ` (${uncapital(factText(this.game, step.fact))})`;
    if (step.cause.type === "rule") return ` (${sourcesText([this.pieces[step.cause.rule].source])})`;
    return step.cause.type === "assumed" ? " (as supposed)" : "";
  }
}
