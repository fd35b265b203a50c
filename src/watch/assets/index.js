// The first page: games that are being played, and the list of records.
"use strict";

// ---- games that are being played -----------------------------------------------------------------------------------

class Card {
  constructor(id) {
    this.item = make("li");
    this.link = make("a", "", { href: `/game/${id}`, class: "card" });
    this.place = make("div");
    this.names = make("div", "", { class: "names" });
    this.told = make("div", "", { class: "soft" });
    this.link.append(this.place, this.names, this.told);
    this.item.append(this.link);
    this.since = performance.now();
    this.moves = 0;
    this.result = null;
  }

  take(event) {
    this.since = performance.now();
    if (event.event === "start") {
      this.board = new SmallBoard(event);
      this.place.replaceChildren(...[this.board.node].filter(Boolean));
      const name = (color) => {
        const player = event.players.find((one) => one.color === color);
        return make("bdi", printable(player?.entrant || player?.name || player?.file?.split(/[/ ]/).at(-1) || "?"));
      };
      this.colors = event.players.map((player) => player.color);
      this.first = event.first;
      this.names.replaceChildren(name("black"), " (black) against ", name("white"), " (white)");
      this.moves = 0;
      this.lines = [];
      this.result = null;
      this.start = event;
    } else if (!this.board) {
      return;
    } else if (event.event === "move") {
      this.board.play(event);
      this.moves = event.ply;
      this.lines.push(event);
    } else if (event.event === "take_back") {
      const kept = this.lines.slice(0, event.moves);
      this.take(this.start);
      kept.forEach((move) => this.take(move));
    } else if (event.event === "end") {
      const winner = event.winner ? `${this.colors[event.winner - 1]} wins` : "nobody wins";
      this.result = `${winner}: ${(event.termination ?? "unknown").replaceAll("_", " ")}`;
    }
  }

  tick() {
    if (!this.colors) return;
    const turn = this.colors[(this.first - 1 + this.moves) % 2];
    const seconds = ((performance.now() - this.since) / 1000).toFixed(1);
    const does = this.since === null ? "to move" : `is thinking: ${seconds} s`;
    const text = this.result || `move ${this.moves + 1}, ${turn} ${does}`;
    if (this.told.textContent !== text) this.told.textContent = text;
  }
}

const cards = new Map();

function card(id) {
  if (!cards.has(id)) {
    cards.set(id, new Card(id));
    byId("cards").append(cards.get(id).item);
  }
  byId("live").hidden = false;
  return cards.get(id);
}

function remove(id) {
  cards.get(id)?.item.remove();
  cards.delete(id);
  byId("live").hidden = cards.size === 0;
}

function watchLive() {
  const waits = new Map();
  // The cards of an earlier connection that this one has not named yet.
  let old = new Set();
  const open = () => {
    old = new Set(cards.keys());
    setTimeout(() => old.forEach(remove), 1500);
    if (shown === null) load();
  };
  const message = ({ data }) => {
    const end = data.indexOf("\n");
    const id = data.slice(0, end).split(" ")[0];
    old.delete(id);
    try {
      card(id).take(JSON.parse(data.slice(end + 1)));
    } catch {
      return; // A line that is no event says nothing.
    }
    // What was said before the first line: how long ago the last one came.
    if (waits.has(id)) {
      const time = waits.get(id);
      setTimeout(() => cards.has(id) && (card(id).since = performance.now() - time), 50);
      waits.delete(id);
    }
  };
  const waited = ({ data }) => {
    const [id, time] = data.split(" ");
    waits.set(id, Number(time));
  };
  const gone = ({ data }) => {
    remove(data);
    load();
  };
  const lost = () => cards.forEach((one) => (one.since = null));
  new Stream("/api/live", { open, message, waited, gone, lost });
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  setInterval(() => cards.forEach((one) => one.tick()), calm ? 1000 : 100);
}

// ---- the list -------------------------------------------------------------------------------------------------------

const COLUMNS = [["name", "Game"], ["black", "Black"], ["white", "White"], ["board", "Board"], ["moves", "Moves"], ["ending", "Ending"], ["time", "Written"]];
const USUAL = { page: 0, sort: "time", reverse: false, player: "", board: "", ending: "" };
const wanted = { ...USUAL };
let shown = null;
let asked = 0;

// What is wanted stands in the address, so that who comes back finds it again.
function readAddress() {
  const { page, sort, reverse, ...filters } = Object.fromEntries(new URLSearchParams(location.search));
  Object.keys(filters).forEach((name) => name in USUAL && (wanted[name] = filters[name]));
  if (/^\d{1,6}$/.test(page)) wanted.page = Number(page);
  if (COLUMNS.some(([key]) => key === sort)) wanted.sort = sort;
  wanted.reverse = reverse === "true";
}

const queryOf = (entries) => String(new URLSearchParams(entries.map(([name, value]) => [name, String(value)])));

function noteAddress() {
  const query = queryOf(Object.entries(wanted).filter(([name, value]) => value !== USUAL[name]));
  const address = query && `?${query}`;
  if (location.search !== address) history.replaceState(null, "", location.pathname + address);
}

function heads() {
  byId("heads").replaceChildren(...COLUMNS.map(([key, title]) => {
    const head = make("th", "", { scope: "col" });
    if (wanted.sort === key) {
      const falls = ["time", "moves"].includes(key) !== wanted.reverse;
      head.setAttribute("aria-sort", falls ? "descending" : "ascending");
    }
    const arrow = wanted.sort === key ? (head.getAttribute("aria-sort") === "descending" ? " ↓" : " ↑") : "";
    const button = make("button", title + arrow, { type: "button", "aria-label": `Sort by ${title}` });
    button.addEventListener("click", () => {
      wanted.reverse = wanted.sort === key && !wanted.reverse;
      Object.assign(wanted, { sort: key, page: 0 });
      heads();
      byId("heads").children[COLUMNS.findIndex(([other]) => other === key)].firstChild.focus();
      load();
    });
    head.append(button);
    return head;
  }));
}

function ended(game) {
  if (game.state === "over") return (game.ending ?? "unknown").replaceAll("_", " ");
  return { live: "live", cut_off: "cut off", broken: "broken" }[game.state];
}

function row(game) {
  const made = make("tr");
  const name = make("td");
  if (game.state === "broken") name.textContent = game.name;
  else name.append(make("a", game.name, { href: `/game/${game.id}` }));
  made.append(name);
  if (game.error != null) {
    made.append(make("td", game.error, { class: "wrong", colspan: 5 }));
  } else {
    const player = (color) => {
      const cell = make("td", "", { class: game.winner === color ? "winner" : "" });
      cell.append(make("bdi", game[color]), game.winner === color ? " (won)" : "");
      return cell;
    };
    made.append(player("black"), player("white"), make("td", game.board), make("td", game.moves == null ? "" : `${game.moves} moves`), make("td", ended(game)));
  }
  made.append(make("td", game.modified ? new Date(game.modified * 1000).toLocaleString() : ""));
  return made;
}

// Keeps the choice while others are offered.
function offer(name, choices) {
  const select = byId("filters").elements[name];
  const chosen = wanted[name];
  const all = [...new Set([...choices, ...(chosen ? [chosen] : [])])];
  select.replaceChildren(make("option", "all", { value: "" }), ...all.map((choice) => make("option", choice.replaceAll("_", " "), { value: choice })));
  select.value = chosen;
}

async function load() {
  const number = (asked += 1);
  noteAddress();
  let told = null;
  try {
    told = await (await fetch(`/api/games?${queryOf(Object.entries(wanted))}`)).json();
  } catch {
    // The connection is broken, or something else answers.
  }
  // Something else is wanted by now.
  if (number !== asked) return;
  if (!told?.list) {
    byId("count").textContent = "The server does not answer.";
    shown = null;
    return;
  }
  // Nothing is drawn again that is as it was: the focus would be lost.
  const text = JSON.stringify(told.list);
  if (text === shown) return;
  shown = text;
  const { list } = told;
  byId("rows").replaceChildren(...list.games.map(row));
  offer("player", list.players);
  offer("board", list.boards);
  offer("ending", list.endings);
  wanted.page = list.page;
  noteAddress();
  byId("count").textContent = list.total === 1 ? "1 game" : `${list.total} games`;
  byId("page").textContent = `page ${list.page + 1} of ${list.pages}`;
  byId("before").disabled = list.page === 0;
  byId("after").disabled = list.page + 1 >= list.pages;
}

// ---- tournaments and ladders ----------------------------------------------------------------------------------------

async function loadEvents() {
  const told = await fetch("/api/events").then((answer) => answer.json()).catch(() => []);
  byId("events").hidden = told.length === 0;
  byId("event-links").replaceChildren(...told.map(({ id, title }) => {
    const item = make("li");
    item.append(make("a", title, { href: `/event/${id}` }));
    return item;
  }));
}

byId("filters").addEventListener("change", () => {
  Object.assign(wanted, Object.fromEntries(new FormData(byId("filters"))), { page: 0 });
  load();
});
byId("filters").addEventListener("submit", (event) => event.preventDefault());
byId("before").addEventListener("click", () => {
  wanted.page -= 1;
  load();
});
byId("after").addEventListener("click", () => {
  wanted.page += 1;
  load();
});
document.addEventListener("visibilitychange", () => document.hidden || load());
readAddress();
heads();
load();
loadEvents();
watchLive();
setInterval(() => document.hidden || load(), 5000);
