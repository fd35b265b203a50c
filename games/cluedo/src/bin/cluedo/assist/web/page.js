// The page: forms for the table and for what happens, and what follows.
"use strict";

const byId = (id) => document.getElementById(id);
const made = (tag, properties = {}, ...children) => {
  const node = Object.assign(document.createElement(tag), properties);
  node.append(...children);
  return node;
};
const option = (text, value) => made("option", { textContent: text, value });
const deck = JSON.parse(byId("deck").textContent);
const english = { names: deck.names, articles: deck.articles };
const STORE = `cluedo-assist ${deck.names.join()}`;
const LEVELS = "▂▃▄▅▆▇";
const MOST_ENTRIES = 120;

const shares = (cards, players) =>
  [...Array(players).keys()].map((seat) => Math.floor(cards / players) + (seat < cards % players ? 1 : 0));
const newGame = () => ({
  deck, players: ["You", "Anna", "Ben", "Carl"].slice(0, Math.min(4, deck.names.length - 3)), me: 0,
  sizes: shares(deck.names.length - 3, Math.min(4, deck.names.length - 3)), hand: null, open: [], entries: [],
});

let game = newGame();
// The games before each change, for Undo.
let past = [];
let edited = null;
let result = null;
let showsNumbers = false;

// What was typed stays when the page is loaded again, where a browser allows it.
function store() {
  const { deck: _, ...rest } = game;
  try {
    localStorage.setItem(STORE, JSON.stringify({ ...rest, isFrench: deck.names === deck.french, past: past.slice(-50) }));
  } catch {
    // Private windows may refuse.
  }
}

function restore() {
  try {
    const { isFrench, past: before = [], ...kept } = JSON.parse(localStorage.getItem(STORE));
    const candidate = { ...kept, deck };
    countDeals(new Logic(shapeOf(candidate), []));
    candidate.entries.forEach((entry) => entryText(candidate, entry));
    [game, past] = [candidate, before];
    setLanguage(isFrench);
  } catch {
    // Nothing was kept, or something else.
  }
}

// Changes the game; Undo brings the one before back.
function update(next) {
  const { deck: _, ...rest } = game;
  past.push(rest);
  game = { ...game, ...next };
}

function setLanguage(isFrench) {
  Object.assign(deck, isFrench && deck.french ? { names: deck.french, articles: [false, false, false] } : english);
}

const kindCards = (kind) => [...deck.names.keys()].filter((card) => kindOf(deck, card) === kind);
const asked = (by) => game.players.map((_, step) => (by + step + 1) % game.players.length).slice(0, -1);
const seatName = (seat) => (seat === game.me ? "You" : game.players[seat]);

// The table.

function showSetup() {
  byId("count").value = game.players.length;
  byId("players").replaceChildren(
    ...game.players.map((name, seat) => {
      const label = made("input", { value: name, name: "name", maxLength: 40, ariaLabel: `Name of player ${seat + 1}` });
      const size = made("input", { type: "number", name: "size", min: 0, max: 40, value: game.sizes[seat] });
      const me = made("input", { type: "radio", name: "me", value: seat, checked: seat === game.me });
      return made("div", { className: "player" }, label, made("label", {}, "cards ", size), made("label", {}, me, " is me"));
    }),
    made("label", {}, made("input", { type: "radio", name: "me", value: "", checked: game.me === null }), " I only watch"),
  );
  for (const [id, chosen] of [["hand", game.hand ?? []], ["open", game.open]]) {
    const boxes = [...deck.names.keys()].map((card) => {
      const box = made("input", { type: "checkbox", value: card, checked: chosen.includes(card) });
      return made("label", {}, box, ` ${deck.names[card]}`);
    });
    byId(id).replaceChildren(byId(id).firstElementChild, ...boxes);
  }
}

function readSetup() {
  const values = (selector) => [...byId("setup").querySelectorAll(selector)].map(({ value }) => value);
  const players = values("[name=name]").map((name) => name.trim());
  const sizes = values("[name=size]").map(Number);
  const seat = values("[name=me]:checked")[0] ?? "";
  const me = seat === "" ? null : Number(seat);
  const hand = values("#hand input:checked").map(Number);
  const open = values("#open input:checked").map(Number);
  const dealt = deck.names.length - 3 - open.length;
  const held = sizes.reduce((sum, size) => sum + size, 0);
  if (players.some((name) => name === "")) return "Give every player a name.";
  if (new Set(players.map((name) => name.toLowerCase())).size < players.length) return "Give every player another name.";
  if ([0, 1, 2].some((kind) => kindCards(kind).every((card) => open.includes(card)))) return "One card of each type is the solution, so not all can lie open.";
  if (held !== dealt) return `The hands hold ${held} cards in all, but ${dealt} are dealt.`;
  if (hand.some((card) => open.includes(card))) return "A card that lies open is in no hand.";
  if (hand.length > 0 && me === null) return "Say which player you are, or choose no cards.";
  if (hand.length > 0 && hand.length !== sizes[me]) return `Choose ${sizes[me]} cards as your hand; these are ${hand.length}.`;
  if (players.length < game.players.length && game.entries.length > 0) return "Delete all entries before a player leaves.";
  // The solution comes after the last player.
  const moved = (entry) => (entry.seat === game.players.length ? { ...entry, seat: players.length } : entry);
  update({ players, sizes, me, hand: hand.length > 0 ? hand : null, open, entries: game.entries.map(moved) });
  return "";
}

// What happened.

const TYPES = [["suggestion", "a suggestion"], ["accusation", "a wrong accusation"], ["has", "has a card"], ["lacks", "lacks a card"]];

function cardSelect(label, cards) {
  const select = made("select", {}, ...cards.map((card) => option(deck.names[card], card)));
  return made("label", {}, `${label} `, select);
}

function showForm(entry = null) {
  const { type, by } = entry ?? { type: byId("type").value || "suggestion", by: Number(byId("by").value || 0) };
  byId("type").value = type;
  const isTriple = type === "suggestion" || type === "accusation";
  const seats = game.players.map((_, seat) => option(seatName(seat), seat));
  byId("by").replaceChildren(...seats, ...(isTriple ? [] : [option("Solution", seats.length)]));
  byId("by").value = Math.min(by ?? entry?.seat ?? 0, byId("by").options.length - 1);
  const selects = isTriple
    ? [0, 1, 2].map((kind) => cardSelect(capital(deck.kinds[kind]), kindCards(kind)))
    : [cardSelect("Card", [...deck.names.keys()])];
  byId("cards").replaceChildren(...selects);
  const chosen = entry ? (entry.cards ?? [entry.card]) : [];
  selects.forEach((label, place) => chosen[place] !== undefined && (label.lastChild.value = chosen[place]));
  byId("answers").hidden = type !== "suggestion";
  showAnswers(entry?.answers ?? []);
  byId("add").textContent = edited === null ? "Add" : `Change entry ${edited + 1}`;
  byId("cancel").hidden = edited === null;
}

const chosenCards = () => [...byId("cards").querySelectorAll("select")].map(({ value }) => Number(value));

function showAnswers(answers) {
  const cards = chosenCards();
  const rows = asked(Number(byId("by").value)).map((seat) => {
    const select = made("select", {},
      option("was not asked", ""), option("passed", "passes"), option("showed a card", "shows"),
      ...cards.filter((card) => !game.open.includes(card)).map((card) => option(`showed ${deck.names[card]}`, card)));
    const answer = answers.find((one) => one.seat === seat);
    if (answer) select.value = answer.type === "card" ? answer.card : answer.type;
    select.dataset.seat = seat;
    return made("label", {}, `${seatName(seat)} `, select);
  });
  byId("answers").replaceChildren(byId("answers").firstElementChild, ...rows);
}

function readAnswers() {
  const answers = [...byId("answers").querySelectorAll("select")].filter(({ value }) => value !== "").map(({ value, dataset }) => {
    const seat = Number(dataset.seat);
    return /^\d+$/.test(value) ? { type: "card", seat, card: Number(value) } : { type: value, seat };
  });
  return answers;
}

function readEntry() {
  const type = byId("type").value;
  const by = Number(byId("by").value);
  const cards = chosenCards();
  if (type === "accusation") return { type, by, cards };
  if (type !== "suggestion") return { type, seat: by, card: cards[0] };
  const answers = readAnswers();
  const order = asked(by);
  const shown = answers.findIndex((answer) => answer.type !== "passes");
  if (shown >= 0 && shown < answers.length - 1) throw new Error("Only the last player who was asked can show a card.");
  // Who was asked before and is not mentioned has passed.
  const end = answers.length > 0 ? order.indexOf(answers.at(-1).seat) : 0;
  const before = order.slice(0, end).filter((seat) => !answers.some((answer) => answer.seat === seat));
  const all = [...before.map((seat) => ({ type: "passes", seat })), ...answers];
  return { type, by, cards, answers: all.sort((one, other) => order.indexOf(one.seat) - order.indexOf(other.seat)) };
}

// What follows.

function compute() {
  const shape = shapeOf(game);
  const pieces = piecesOf(game);
  const logic = new Logic(shape, pieces.map(({ rule }) => rule));
  const found = { shape, pieces, logic, deals: null, places: null, isTooMany: false };
  if (logic.run()) return found;
  const deals = countDeals(logic);
  if (deals.isTooMany) return { ...found, isTooMany: true };
  return deals.total === 0n ? found : { ...found, deals, places: deals.places() };
}

// The fact about a card and a place, if it is certain.
function certain(card, place) {
  const count = result.places[place][card];
  return count === 0n ? elsewhere(card, place) : count === result.deals.total ? there(card, place) : null;
}

const sentenceList = (sentences) => made("ul", { className: "sets" }, ...sentences.map((text) => made("li", { textContent: text })));
const percent = (part, all) => `${(Number((part * 100000n) / all) / 1000).toFixed(1)} %`;
const shareText = (part, all) => `${grouped(part)} of ${grouped(all)} deals, ${percent(part, all)}`;
const remark = (found) => (found.isSmallest ? "" : " (a smaller set may do)");

function show() {
  store();
  result = compute();
  byId("entries").replaceChildren(...game.entries.map(entryItem));
  byId("noEntries").hidden = game.entries.length > 0;
  byId("undo").disabled = past.length === 0;
  byId("contradiction").replaceChildren();
  if (!result.deals) showContradiction();
  else byId("status").textContent = result.deals.total === 1n ? "One deal is left." : `${grouped(result.deals.total)} deals are left.`;
  showCertain();
  showGrid();
  byId("cell").replaceChildren();
  showSolutions();
  showQuestion();
}

function entryItem(entry, index) {
  const button = (text, act) => made("button", { type: "button", textContent: text, ariaLabel: `${text} entry ${index + 1}`, onclick: act });
  const change = button("Change", () => {
    edited = index;
    showForm(entry);
    byId("type").focus();
  });
  const remove = button("Delete", () => {
    update({ entries: game.entries.filter((_, other) => other !== index) });
    edited = null;
    showForm();
    show();
  });
  return made("li", {}, `${entryText(game, entry)}.`, change, remove);
}

function showContradiction() {
  if (result.isTooMany) {
    byId("status").textContent = "There are too many deals to count.";
    return;
  }
  const found = support(result.shape, result.pieces, null);
  if (!found) return;
  const verb = found.sources.length === 1 ? "contradicts the rules" : "contradict each other";
  byId("status").textContent = `${capital(sourcesText(found.sources))} ${verb}${remark(found)}. Change or delete one of them.`;
  byId("contradiction").replaceChildren(...explain(game, null, found.pieces).map((text) => made("li", { textContent: text })));
}

function reasonOf(fact) {
  const found = support(result.shape, result.pieces, fact);
  if (!found) return [];
  const text = `${factText(game, fact)}, because of ${sourcesText(found.sources)}${remark(found)}.`;
  return [text, explain(game, fact, found.pieces)];
}

function showCertain() {
  const isPlain = ({ card, place }) => result.pieces.some(({ rule }) => rule.type === "has" && rule.seat === place && rule.cards.includes(card));
  const facts = !result.deals ? [] : [...deck.names.keys()].flatMap((card) =>
    result.places.flatMap((_, place) => (certain(card, place)?.isThere ? [there(card, place)] : [])));
  const items = facts.filter((fact) => !isPlain(fact)).map((fact) => {
    const [text, sentences] = reasonOf(fact);
    return made("li", {}, made("details", {}, made("summary", { textContent: text }), sentenceList(sentences)));
  });
  byId("certain").replaceChildren(...items);
  byId("noCertain").hidden = items.length > 0;
}

function showGrid() {
  const places = [...game.players.map((_, seat) => seatName(seat)), "Solution"];
  const head = made("tr", {}, made("th", { textContent: "Card", scope: "col" }), ...places.map((name) => made("th", { textContent: name, scope: "col" })));
  const rows = result.deals ? allCards(result.shape).map((card, index, cards) => {
    const isFirst = index > 0 && kindOf(deck, card) !== kindOf(deck, cards[index - 1]);
    const cells = places.map((name, place) => made("td", {}, cellButton(card, place, name)));
    return made("tr", { className: isFirst ? "first" : "" }, made("th", { textContent: deck.names[card], scope: "row" }), ...cells);
  }) : [];
  byId("grid").replaceChildren(made("thead", {}, head), made("tbody", {}, ...rows));
  byId("grid").querySelector("td button")?.setAttribute("tabindex", "0");
}

function cellButton(card, place, name) {
  const fact = certain(card, place);
  const chance = Number((result.places[place][card] * 10000n) / result.deals.total) / 10000;
  const level = LEVELS[Math.min(LEVELS.length - 1, Math.floor(chance * LEVELS.length))];
  const text = fact ? (fact.isThere ? "✓" : "×") : showsNumbers ? `${Math.round(chance * 100)}%` : level;
  const says = fact ? (fact.isThere ? "certain" : "impossible") : `${Math.round(chance * 100)} percent`;
  const button = made("button", { type: "button", textContent: text, tabIndex: -1, ariaLabel: `${deck.names[card]}, ${name}: ${says}` });
  button.style.setProperty("--chance", (chance * 0.55).toFixed(3));
  button.onclick = () => showCell(card, place);
  return button;
}

function showCell(card, place) {
  const fact = certain(card, place);
  const count = result.places[place][card];
  const line = made("p", { textContent: `${factText(game, there(card, place))}: ${shareText(count, result.deals.total)}.` });
  if (!fact) return byId("cell").replaceChildren(line);
  const [text, sentences] = reasonOf(fact);
  return byId("cell").replaceChildren(made("p", { textContent: text }), sentenceList(sentences));
}

function showSolutions() {
  const deals = result.deals ? countDeals(result.logic, true) : null;
  const best = deals && !deals.isTooMany ? deals.solutions().slice(0, 5) : [];
  byId("solutions").replaceChildren(...best.map(({ cards, count }) =>
    made("li", { textContent: `${cards.map((card) => deck.names[card]).join(", ")}: ${shareText(count, result.deals.total)}` })));
}

function questionDeals() {
  const { deals, logic } = result;
  if (deals.total > BigInt(QUESTION_DEALS)) {
    const random = randomNumbers(1);
    return { drawn: [...Array(QUESTION_DEALS)].map(() => deals.draw(random)), by: "1,000 deals drawn at random" };
  }
  const drawn = [];
  logic.search({ nodes: Infinity }, (placed) => {
    drawn.push([...placed]);
    return false;
  });
  return { drawn, by: "all deals" };
}

function showQuestion() {
  const say = (text) => (byId("question").textContent = text);
  if (!result.deals) return say("");
  if (game.me === null) return say("You only watch.");
  const solution = game.players.length;
  if ([...deck.names.keys()].filter((card) => result.places[solution][card] === result.deals.total).length === 3) {
    return say("Accuse: the solution is certain.");
  }
  const { drawn, by } = questionDeals();
  const given = byId("given").value === "" ? null : Number(byId("given").value);
  const from = allCards(result.shape).filter((card) => given === null || card === given || kindOf(deck, card) !== kindOf(deck, given));
  const order = [];
  asked(game.me).forEach((seat, turn) => (order[seat] = turn));
  const [best] = judgeQuestions(result.shape, drawn, from, order);
  const cards = best.cards.map((card) => deck.names[card]).join(", ");
  return say(`Ask for ${cards}: that is expected to tell ${best.bits.toFixed(2)} bits about the solution (judged by ${by}).`);
}

// What the person does.

function start() {
  restore();
  byId("type").replaceChildren(...TYPES.map(([type, text]) => option(text, type)));
  byId("count").replaceChildren(...[2, 3, 4, 5, 6, 7, 8, 9, 10].map((count) => option(count, count)));
  if (deck.french) {
    const select = made("select", {}, option("English", ""), option("French", "french"));
    select.value = deck.names === deck.french ? "french" : "";
    select.onchange = () => {
      setLanguage(select.value !== "");
      refresh();
    };
    byId("language").append(made("label", {}, "Names ", select));
  }
  byId("table").open = game.hand === null;
  refresh();
}

function refresh() {
  const given = byId("given").value;
  byId("given").replaceChildren(option("any", ""), ...deck.names.map((name, card) => option(name, card)));
  byId("given").value = given;
  showSetup();
  showForm(edited === null ? null : game.entries[edited]);
  show();
}

byId("count").onchange = () => {
  const count = Number(byId("count").value);
  const names = ["You", "Anna", "Ben", "Carl", "Dora", "Emil", "Fay", "Gus", "Hal", "Ida"];
  const players = [...game.players, ...names.filter((name) => !game.players.includes(name))].slice(0, count);
  const kept = game;
  game = { ...game, players, sizes: shares(deck.names.length - 3 - game.open.length, count), me: game.me < count ? game.me : null };
  showSetup();
  game = kept;
};
byId("setup").onsubmit = (event) => {
  event.preventDefault();
  const wrong = readSetup();
  byId("setupWrong").textContent = wrong;
  if (wrong) return;
  byId("table").open = false;
  refresh();
};
byId("clear").onclick = () => {
  if (game.entries.length > 0) update({ entries: [] });
  edited = null;
  refresh();
  byId("setupWrong").textContent = "All entries are deleted: Undo, below, brings them back.";
};
byId("undo").onclick = () => {
  game = { ...past.pop(), deck };
  edited = null;
  byId("setupWrong").textContent = "";
  refresh();
};
byId("type").onchange = () => showForm();
byId("by").onchange = () => showAnswers([]);
byId("cards").onchange = () => !byId("answers").hidden && showAnswers(readAnswers().filter((answer) => answer.type !== "card"));
byId("cancel").onclick = () => {
  edited = null;
  showForm();
};
byId("form").onsubmit = (event) => {
  event.preventDefault();
  byId("wrong").textContent = "";
  try {
    const entry = readEntry();
    if (game.open.includes(entry.card)) throw new Error(`${deck.names[entry.card]} lies open on the table.`);
    if (edited === null && game.entries.length >= MOST_ENTRIES) throw new Error(`A game has at most ${MOST_ENTRIES} entries.`);
    update({ entries: edited === null ? [...game.entries, entry] : game.entries.map((other, place) => (place === edited ? entry : other)) });
  } catch (error) {
    byId("wrong").textContent = error.message;
    return;
  }
  edited = null;
  showForm();
  showAnswers([]);
  show();
};
byId("given").onchange = showQuestion;
byId("numbers").onclick = () => {
  showsNumbers = !showsNumbers;
  byId("numbers").setAttribute("aria-pressed", String(showsNumbers));
  showGrid();
};
byId("grid").onkeydown = (event) => {
  const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
  if (!step || event.target.tagName !== "BUTTON") return;
  event.preventDefault();
  const rows = [...byId("grid").tBodies[0].rows].map((row) => [...row.querySelectorAll("button")]);
  const row = rows.findIndex((cells) => cells.includes(event.target));
  const next = rows[row + step[0]]?.[rows[row].indexOf(event.target) + step[1]];
  if (!next) return;
  event.target.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
};
start();
