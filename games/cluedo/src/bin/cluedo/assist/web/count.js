// Exact numbers of deals, and the best question. The same as assist::deals and assist::questions of the library.
"use strict";

const MOST_STATES = 1 << 20;
const MOST_BITS = 118;
const QUESTION_DEALS = 1000;

// A generator of numbers from 0 to 1 that repeats itself for the same seed (mulberry32).
function randomNumbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const log2Ways = (count) => {
  let sum = 0;
  for (let factor = 2; factor <= count; factor++) sum += Math.log2(factor);
  return sum;
};

// Counts the deals that agree with rules, after Logic.run. With solutions, counts those of each solution too.
function countDeals(logic, wantsSolutions = false) {
  const plan = planDeals(logic, wantsSolutions);
  if (!plan) return { isTooMany: true, total: 0n };
  const { one, zero, take, steps } = plan;
  const states = [plan.start], forward = [one], firstState = [0], firstEdge = [], edges = [];
  for (const step of steps) {
    const begin = firstState.at(-1), end = states.length;
    firstState.push(end);
    const index = new Map();
    for (let from = begin; from < end; from++) {
      firstEdge.push(edges.length);
      for (const place of step.places) {
        const next = take(step, place, states[from]);
        if (next === null) continue;
        let to = index.get(next);
        if (to === undefined) {
          to = states.length;
          index.set(next, to);
          states.push(next);
          forward.push(zero);
        }
        forward[to] += forward[from];
        edges.push({ to, group: place.group });
      }
    }
    if (states.length > MOST_STATES) return { isTooMany: true, total: 0n };
  }
  const last = firstState.at(-1);
  while (firstEdge.length <= states.length) firstEdge.push(edges.length);
  const backward = states.map((_, state) => (state >= last ? one : zero));
  for (let from = last - 1; from >= 0; from--) {
    for (let edge = firstEdge[from]; edge < firstEdge[from + 1]; edge++) backward[from] += backward[edges[edge].to];
  }
  const deals = { ...plan, states, forward, backward, firstState, firstEdge, edges, isTooMany: false };
  deals.total = BigInt(backward[0]) * plan.shares;
  deals.places = () => countPlaces(deals, logic);
  deals.draw = (random) => drawDeal(deals, logic, random);
  if (wantsSolutions) deals.solutions = () => listSolutions(deals, logic);
  return deals;
}

// For each place, and there for each card, the number of deals with the card there.
function countPlaces(deals, logic) {
  const places = [...Array(logic.solution + 1)].map(() => Array(logic.placed.length).fill(0n));
  logic.placed.forEach((place, card) => place !== null && (places[place][card] = deals.total));
  deals.steps.forEach(({ card }, number) => {
    const sums = Array(deals.groups.length + 1).fill(deals.zero);
    for (let from = deals.firstState[number]; from < deals.firstState[number + 1]; from++) {
      for (let edge = deals.firstEdge[from]; edge < deals.firstEdge[from + 1]; edge++) {
        sums[deals.edges[edge].group] += deals.forward[from] * deals.backward[deals.edges[edge].to];
      }
    }
    places[logic.solution][card] = BigInt(sums[deals.groups.length]) * deals.shares;
    deals.groups.forEach(({ members, free }, group) => {
      const sum = BigInt(sums[group]) * deals.shares;
      members.forEach((member) => (places[member][card] = (sum * BigInt(deals.frees[member])) / BigInt(free)));
    });
  });
  return places;
}

// A random deal, all alike: the place of each card.
function drawDeal(deals, logic, random) {
  const placed = [...logic.placed];
  const shared = deals.groups.map(() => []);
  let from = 0;
  for (const { card } of deals.steps) {
    let left = random() * Number(deals.backward[from]);
    let chosen = null;
    for (let edge = deals.firstEdge[from]; edge < deals.firstEdge[from + 1] && (chosen === null || left >= 0); edge++) {
      const ways = Number(deals.backward[deals.edges[edge].to]);
      if (ways === 0) continue;
      chosen = deals.edges[edge];
      left -= ways;
    }
    if (chosen.group < shared.length) shared[chosen.group].push(card);
    else placed[card] = logic.solution;
    from = chosen.to;
  }
  deals.groups.forEach(({ members }, group) => {
    const cards = shared[group];
    for (const member of members) {
      for (let count = 0; count < deals.frees[member]; count++) {
        placed[cards.splice(Math.floor(random() * cards.length), 1)[0]] = member;
      }
    }
  });
  return placed;
}

function listSolutions(deals, logic) {
  const { shape } = logic;
  const solutions = [];
  for (let state = deals.firstState.at(-1); state < deals.states.length; state++) {
    const cards = [0, 1, 2].map((kind) => {
      const known = logic.placed.findIndex((place, card) => place === logic.solution && kindOf(shape, card) === kind);
      return known >= 0 ? known : (kind === 0 ? 0 : shape.ends[kind - 1]) + deals.get(deals.states[state], deals.kinds[kind]) - 1;
    });
    solutions.push({ cards, count: BigInt(deals.forward[state]) * deals.shares });
  }
  const byCards = (one, other) => one.cards.reduce((order, card, kind) => order || card - other.cards[kind], 0);
  return solutions.sort((one, other) => (other.count > one.count) - (other.count < one.count) || byCards(one, other));
}

// What a state holds, and what placing each card does to it. Null if there are too many deals.
function planDeals(logic, wantsSolutions) {
  const { shape, solution } = logic;
  const open = allCards(shape).filter((card) => logic.placed[card] === null);
  const frees = shape.sizes.map((size, seat) => size - logic.placed.filter((place) => place === seat).length);
  const isLive = ({ type, seat, cards }) => type === "oneOf" && !cards.some((card) => logic.placed[card] === seat);
  const mayOf = (place) => open.filter((card) => logic.may(card, place));
  const isPlain = (seat) => !logic.rules.some((rule) => rule.seat === seat && isLive(rule));
  const groups = [];
  frees.forEach((free, seat) => {
    if (free === 0) return;
    const may = mayOf(seat);
    const alike = groups.find((group) => isPlain(seat) && isPlain(group.members[0]) && group.may.join() === may.join());
    if (alike) {
      alike.members.push(seat);
      alike.free += free;
    } else groups.push({ members: [seat], free, may });
  });
  const bound = log2Ways(open.length) - frees.reduce((sum, free) => sum + log2Ways(free), 0);
  if (bound > MOST_BITS) return null;
  let shares = 1n;
  for (const { members, free } of groups) {
    let left = BigInt(free);
    for (const member of members) {
      for (let place = 0n; place < BigInt(frees[member]); place++) shares = (shares * (left - place)) / (place + 1n);
      left -= BigInt(frees[member]);
    }
  }
  let used = 0;
  const bits = (limit) => {
    const width = 32 - Math.clz32(limit), shift = used;
    used += width;
    return { shift, width };
  };
  const fields = groups.map(({ free }) => bits(free));
  const kinds = [0, 1, 2].map((kind) => bits(wantsSolutions ? shape.ends[kind] - (kind === 0 ? 0 : shape.ends[kind - 1]) : 1));
  const secret = mayOf(solution);
  const rules = [];
  for (const rule of logic.rules) {
    if (isLive(rule)) {
      const group = groups.findIndex(({ members }) => members.includes(rule.seat));
      rules.push({ field: bits(1), group, cards: rule.cards.filter((card) => open.includes(card) && logic.may(card, rule.seat)) });
    } else if (rule.type === "notAll" && rule.cards.every((card) => logic.may(card, solution))) {
      rules.push({ field: bits(3), group: null, cards: rule.cards.filter((card) => open.includes(card)) });
    }
  }
  // States are numbers if they fit, and so are sums.
  const isWide = used > 52;
  const isBig = bound > 52;
  for (const field of [...fields, ...kinds, ...rules.map(({ field }) => field)]) {
    field.unit = isWide ? 2n ** BigInt(field.shift) : 2 ** field.shift;
    field.size = isWide ? 2n ** BigInt(field.width) : 2 ** field.width;
  }
  const get = isWide
    ? (state, { unit, size }) => Number((state / unit) % size)
    : (state, { unit, size }) => Math.floor(state / unit) % size;
  const times = (field, count) => field.unit * (isWide ? BigInt(count) : count);
  const steps = [];
  let rest = [...open];
  while (rest.length > 0) {
    const card = nextCard(rest, open, rules, secret, shape);
    rest = rest.filter((other) => other !== card);
    steps.push(planStep(card, rest));
  }

  function planStep(card, left) {
    const kind = kindOf(shape, card);
    const first = kind === 0 ? 0 : shape.ends[kind - 1];
    const places = [];
    groups.forEach(({ may, free }, group) => {
      if (!may.includes(card)) return;
      const flags = rules.filter((rule) => rule.group === group && rule.cards.includes(card)).map(({ field }) => field);
      places.push({ group, field: fields[group], limit: free, add: times(fields[group], 1), flags });
    });
    if (secret.includes(card)) {
      let add = times(kinds[kind], wantsSolutions ? card - first + 1 : 1);
      rules.filter((rule) => rule.group === null && rule.cards.includes(card)).forEach(({ field }) => (add += field.unit));
      places.push({ group: groups.length, field: kinds[kind], limit: 1, add, flags: [] });
    }
    const least = groups.map(({ may, free }, group) => {
      return { field: fields[group], least: free - may.filter((other) => left.includes(other)).length };
    });
    kinds.forEach((field, of) => {
      const cards = secret.filter((other) => kindOf(shape, other) === of);
      least.push({ field, least: cards.length > 0 && !cards.some((other) => left.includes(other)) ? 1 : 0 });
    });
    const over = rules.filter(({ cards }) => cards.includes(card) && !cards.some((other) => left.includes(other)));
    return { card, places, least: least.filter((one) => one.least > 0), over };
  }

  function take(step, place, state) {
    if (get(state, place.field) >= place.limit) return null;
    let next = state + place.add;
    for (const field of place.flags) if (get(next, field) === 0) next += field.unit;
    for (const { field, least } of step.least) if (get(next, field) < least) return null;
    for (const { field, group, cards } of step.over) {
      const value = get(next, field);
      if (group === null ? value >= cards.length : value === 0) return null;
      next -= times(field, value);
    }
    return next;
  }
  const numbers = isBig ? { one: 1n, zero: 0n } : { one: 1, zero: 0 };
  return { ...numbers, start: isWide ? 0n : 0, get, take, steps, groups, frees, kinds, shares };
}

// The card after which the rules and types that are begun and not finished cost least.
function nextCard(rest, open, rules, secret, shape) {
  const types = [0, 1, 2].map((kind) => secret.filter((card) => kindOf(shape, card) === kind));
  const sets = [...rules.map(({ cards }) => cards), ...types];
  const cost = (card) => {
    let sum = 0;
    for (const set of sets) {
      const left = set.filter((other) => other !== card && rest.includes(other)).length;
      const isBegun = set.some((other) => other === card || (open.includes(other) && !rest.includes(other)));
      if (isBegun && left > 0) sum += 10 + left;
    }
    return sum;
  };
  const costs = rest.map(cost);
  return rest[costs.indexOf(Math.min(...costs))];
}

const entropy = (counts) => {
  const all = counts.reduce((sum, count) => sum + count, 0);
  return counts.reduce((sum, count) => (count > 0 ? sum - (count / all) * Math.log2(count / all) : sum), 0);
};

// All suggestions of one card of each type among some, judged by deals; the best first. order holds who is asked when.
function judgeQuestions(shape, deals, from, order) {
  const solution = shape.sizes.length;
  const NOBODY = 255;
  const turns = deals.map((deal) => deal.map((place) => order[place] ?? NOBODY));
  const kinds = new Map();
  const secrets = deals.map((deal) => {
    const cards = deal.flatMap((place, card) => (place === solution ? [card] : [])).join();
    if (!kinds.has(cards)) kinds.set(cards, kinds.size);
    return kinds.get(cards);
  });
  const counts = Array(kinds.size).fill(0);
  secrets.forEach((secret) => (counts[secret] += 1));
  const before = entropy(counts);
  const cells = new Uint32Array((3 * solution + 1) * kinds.size);
  const after = (cards) => {
    cells.fill(0);
    turns.forEach((turn, deal) => {
      const asked = cards.map((card) => turn[card]);
      const first = Math.min(...asked);
      if (first === NOBODY) {
        cells[secrets[deal]] += 6;
        return;
      }
      const choices = asked.filter((one) => one === first).length;
      asked.forEach((one, place) => {
        if (one === first) cells[(1 + 3 * first + place) * kinds.size + secrets[deal]] += 6 / choices;
      });
    });
    let sum = 0;
    for (let outcome = 0; outcome <= 3 * solution; outcome++) {
      const part = [...cells.subarray(outcome * kinds.size, (outcome + 1) * kinds.size)].filter((count) => count > 0);
      sum += part.reduce((all, count) => all + count, 0) * entropy(part);
    }
    return sum / (6 * deals.length);
  };
  const [ones, twos, threes] = [0, 1, 2].map((kind) => from.filter((card) => kindOf(shape, card) === kind));
  const questions = [];
  for (const a of ones) {
    for (const b of twos) for (const c of threes) questions.push({ cards: [a, b, c], bits: Math.max(0, before - after([a, b, c])) });
  }
  return questions.sort((one, other) => other.bits - one.bits);
}
