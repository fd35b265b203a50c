// A game at a moment, as one viewer sees it. The page asks the server for each moment; the address names it.
const api = location.pathname.replace(/^\/game\//, "/api/games/");
const wanted = new URLSearchParams(location.search);
// Without a moment the page follows the game.
let ply = wanted.has("ply") ? Number(wanted.get("ply")) : null;
let view = wanted.get("view");
// Without a number, the latest game of a match.
let game = wanted.get("game");
// Without a language, cards have their usual names or numbers.
let names = wanted.get("names");
let state = null;
let latest = 0;
const listeners = [];

const noAnswer = "The server does not answer: is cluedo still running?";
const lost = () => tell(noAnswer);

const words = {
  x: "has it",
  "-": "does not have it",
  o: "has it or another of a suggestion",
  "?": "may have it",
};
const secretWords = { x: "is secret", "-": "is not secret", "?": "may be secret" };
const signs = { x: "✓", "-": "–", o: "◦", "?": "·" };
const bars = ["▁", "▂", "▃", "▅", "▇"];

const percent = (chance) => (chance > 0 && chance < 0.005 ? "<1" : chance < 1 && chance > 0.995 ? ">99" : `${Math.round(100 * chance)}`);
const cardNames = (cards) => cards.map((card) => state.cards[card].name).join(state.rules === "classic" || state.names ? ", " : " ");
const players = (seats) => seats.map((seat) => state.seats[seat]).join(", ");

function queryOf(turn) {
  const query = Object.entries({ game, names, view, ply: turn }).filter(([, value]) => value !== null && value !== "");
  return `${new URLSearchParams(query)}`;
}

function loadAt(turn) {
  history.replaceState(null, "", addressOf(turn));
  load();
}

function addressOf(turn) {
  const query = queryOf(turn);
  return location.pathname + (query ? `?${query}` : "");
}

function turnCells(turn) {
  if (turn.act === "suggestion") {
    const shown = turn.shown == null ? (turn.nobody ? "nobody" : "…") : state.seats[turn.shown];
    const card = turn.card == null ? "" : `: ${cardNames([turn.card])}`;
    return [cardNames(turn.cards), players(turn.passed) || "–", shown + card];
  }
  if (turn.act === "accusation") {
    const cards = turn.cards ? `: ${cardNames(turn.cards)}, ${turn.right ? "right" : "wrong"}` : "";
    return [`accuses${cards}`, "–", "–"];
  }
  return [turn.act === "fault" ? `error ${turn.code}` : "leaves", "–", "–"];
}

function showTurns() {
  const rows = state.turns.map((turn, index) => {
    const row = make("tr");
    const link = make("a", `${index + 1}`, { href: addressOf(index + 1), "aria-label": `Go to turn ${index + 1}` });
    link.addEventListener("click", (event) => {
      event.preventDefault();
      go(index + 1);
    });
    const cell = make("td");
    cell.append(link);
    row.append(cell, make("td", state.seats[turn.seat]), ...turnCells(turn).map((text) => make("td", text)));
    if (index + 1 === state.ply) row.setAttribute("aria-current", "true");
    if (index + 1 > state.ply) row.classList.add("later");
    return row;
  });
  const held = [...byId("turns").children].findIndex((row) => row.contains(document.activeElement));
  byId("turns").replaceChildren(...rows);
  if (held >= 0) rows[held]?.querySelector("a").focus();
  const box = byId("turns").closest(".wide");
  const current = rows[state.ply - 1];
  if (current) box.scrollTop = current.offsetTop - box.clientHeight / 2;
}

// Sign, bar or number for the eye, and always words; a shade is never alone.
function gridCell([mark, chance], who, isSecret) {
  const detail = byId("detail").value;
  const cell = make("td");
  const open = mark !== "x" && mark !== "-" && chance != null;
  let sign = signs[mark];
  if (detail === "numbers" && open) sign = percent(chance);
  if (detail === "shades" && open) sign = bars[Math.min(4, Math.floor(chance * 5))];
  if (detail !== "marks" && (open || mark === "x")) cell.className = `s${mark === "x" ? 5 : Math.min(4, Math.floor(chance * 5))}`;
  cell.append(make("span", sign, { "aria-hidden": "true" }));
  const told = (isSecret ? secretWords : words)[mark];
  const number = open && detail !== "marks" ? `, ${percent(chance)} percent` : "";
  cell.append(make("span", `${who} ${told}${number}`, { class: "unseen" }));
  if (open && detail !== "marks") cell.title = `${percent(chance)} %`;
  return cell;
}

function showGrid() {
  const head = make("tr");
  head.append(make("th", "Card", { scope: "col" }));
  for (const seat of state.seats) head.append(make("th", seat, { scope: "col" }));
  head.append(make("th", "Secret", { scope: "col" }));
  const thead = make("thead");
  thead.append(head);
  const bodies = state.kinds.map((kind, number) => {
    const body = make("tbody");
    const title = make("tr");
    title.append(make("th", kind, { colspan: state.seats.length + 2, scope: "rowgroup", class: "kind" }));
    body.append(title);
    state.grid.forEach((cells, card) => {
      if (state.cards[card].kind !== number) return;
      const row = make("tr");
      row.append(make("th", state.cards[card].name, { scope: "row" }));
      cells.forEach((cell, seat) => {
        const isSecret = seat === state.seats.length;
        row.append(gridCell(cell, isSecret ? "this card" : state.seats[seat], isSecret));
      });
      body.append(row);
    });
    return body;
  });
  byId("grid").replaceChildren(thead, ...bodies);
  const counted = byId("detail").value !== "marks" && state.deals != null;
  const uncounted = state.deals == null && state.view !== "all" ? " There are too many deals to count chances, or none." : "";
  byId("grid-about").textContent = `✓ has it, – does not, ◦ has it or another of a suggestion, · may have it.${uncounted}`;
  byId("deals").textContent = counted ? `Deals that agree with all this: ${state.deals}.` : "";
  const likely = counted ? state.triples : [];
  byId("triples").replaceChildren(...likely.map(([cards, chance]) => make("li", `${cardNames(cards)}: ${percent(chance)} %`)));
}

function statusText() {
  const last = state.turns.length;
  const moment = `Turn ${state.ply} of ${last}.`;
  if (state.ply === last && state.ending) return `${moment} ${state.ending}${state.secret ? ` The secret: ${cardNames(state.secret)}.` : ""}`;
  const turn = state.turns[state.ply - 1];
  if (!turn) return `${moment} The cards are dealt.`;
  const [cards, passed, shown] = turnCells(turn);
  const isOwn = turn.seat === state.me;
  if (turn.act !== "suggestion") return `${moment} ${isOwn ? `You: ${cards}` : `${state.seats[turn.seat]} ${cards}`}.`;
  const answers = `${passed === "–" ? "" : `${passed} passed. `}${shown === "…" ? "" : `Shown by ${shown}.`}`;
  return `${moment} ${isOwn ? "You suggest" : `${state.seats[turn.seat]} suggests`} ${cards}. ${answers}`;
}

function viewName(name) {
  if (name === "spectator") return "a spectator";
  return name === "all" ? "everything" : state.seats[Number(name)];
}

function titleText() {
  if (state.rules === "classic") return "A game of Cluedo";
  if (!state.match) return `Table ${state.table}, game ${state.game}`;
  return state.game ? `Game ${state.game} at ${state.match.place}` : `At ${state.match.place}`;
}

function handsText() {
  const hands = state.hands.map((hand, seat) => hand && [seat, cardNames(hand)]).filter(Boolean);
  if (hands.length === 1 && hands[0][0] === state.me) return `Your cards: ${hands[0][1]}.`;
  if (hands.length) return `Cards of ${hands.map(([seat, cards]) => `${state.seats[seat]}: ${cards}`).join("; ")}.`;
  return state.match ? "The hands of others are not shown." : "Hands and secret are shown after the end.";
}

function aboutText() {
  return state.seats.length ? `${state.seats.join(", ")}. ${handsText()}` : "";
}

function show() {
  const title = titleText();
  if (byId("title").textContent !== title) document.title = byId("title").textContent = title;
  byId("about").textContent = aboutText();
  const last = state.turns.length;
  byId("ply").max = last;
  byId("ply").value = state.ply;
  byId("ply").setAttribute("aria-valuetext", `turn ${state.ply} of ${last}`);
  byId("first").disabled = byId("back").disabled = state.ply === 0;
  byId("last").disabled = byId("forward").disabled = state.ply === last;
  const options = state.viewers.map((name) => make("option", viewName(name), { value: name }));
  if (options.length !== byId("view").options.length) byId("view").replaceChildren(...options);
  byId("view").value = state.view;
  byId("views").hidden = options.length < 2;
  if (byId("status").textContent !== statusText()) byId("status").textContent = statusText();
  showTurns();
  showGrid();
  listeners.forEach((listener) => listener(state));
}

async function load() {
  const number = (latest += 1);
  try {
    const answer = await fetch(`${api}/state?${queryOf(ply)}`);
    if (number !== latest) return;
    if (!answer.ok) return tell(await answer.text());
    state = await answer.json();
    const isLatest = state.ply === state.turns.length;
    tell(state.ending ? "" : isLatest ? "This page follows the game." : "The game goes on: its last moment follows it.");
    show();
  } catch {
    if (number === latest) lost();
  }
}

function go(turn) {
  const last = state.turns.length;
  const to = Math.min(last, Math.max(0, turn));
  ply = to === last ? null : to;
  loadAt(ply === null && state.ending ? last : ply);
}

byId("first").addEventListener("click", () => go(0));
byId("back").addEventListener("click", () => go(state.ply - 1));
byId("forward").addEventListener("click", () => go(state.ply + 1));
byId("last").addEventListener("click", () => go(state.turns.length));
byId("ply").addEventListener("input", (event) => go(Number(event.target.value)));
byId("view").addEventListener("change", (event) => {
  view = event.target.value;
  loadAt(ply);
});
byId("detail").addEventListener("change", () => state && showGrid());
document.addEventListener("keydown", (event) => {
  if (!state || event.altKey || event.ctrlKey || event.metaKey || /^(INPUT|SELECT)$/.test(event.target.tagName)) return;
  const to = { ArrowLeft: state.ply - 1, ArrowRight: state.ply + 1, Home: 0, End: state.turns.length }[event.key];
  if (to == null) return;
  event.preventDefault();
  go(to);
});
byId("detail").value = byId("ask") ? "marks" : "shades";
const news = new Stream(`${api}/changes`, { message: load, open: () => {}, lost }, byId("ask") && location.pathname);
