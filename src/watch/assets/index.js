// The first page: games that are being played, and the list of records.
"use strict";

// ---- games that are being played -----------------------------------------------------------------------------------

class Card {
  constructor(id) {
    this.link = make("a", "", { href: `/game/${id}`, class: "card" });
    this.place = make("div");
    this.names = make("div", "", { class: "names" });
    this.told = make("div", "", { class: "soft" });
    this.link.append(this.place, this.names, this.told);
    this.item = item(this.link);
    this.since = performance.now();
    this.start = this.result = null;
    this.lines = this.colors = [];
  }

  take(event) {
    this.since = performance.now();
    if (event.event === "start") {
      [this.start, this.lines, this.result] = [event, [], null];
      this.colors = event.players.map((player) => player.color);
    } else if (!this.start) {
      return;
    } else if (event.event === "move") {
      this.lines.push(event);
    } else if (event.event === "take_back") {
      this.lines.length = Math.min(this.lines.length, event.moves);
    } else if (event.event === "end") {
      const [winner, loser] = event.winner ? [this.colors[event.winner - 1], this.colors[2 - event.winner]] : ["nobody"];
      this.result = `${winner} wins: ${endingText(event.termination, loser)}`;
    }
    drawLater(this);
  }

  // Makes the drawing what the lines say; the moves that it has are played once.
  draw() {
    if (this.drawn !== this.start || this.played > this.lines.length) {
      this.drawn = this.start;
      this.played = 0;
      this.board = new SmallBoard(this.start.board, this.start.position);
      this.place.replaceChildren(...[this.board.node].filter(Boolean));
      const name = (color) => {
        const player = this.start.players.find((one) => one.color === color);
        const said = make("span", "", { class: `side ${color}` });
        said.append(make("bdi", printable(player?.entrant || player?.name || player?.file?.split(/[/ ]/).at(-1) || "?")), make("span", ` (${color})`, { class: "unseen" }));
        return said;
      };
      this.names.replaceChildren(name("black"), make("span", " against ", { class: "unseen" }), name("white"));
    }
    for (; this.played < this.lines.length; this.played += 1) this.board.play(this.lines[this.played]);
    this.board.show(this.lines.at(-1));
    this.tick();
  }

  tick() {
    if (!this.drawn) return;
    const turn = this.colors[(this.start.first - 1 + this.lines.length) % 2];
    const seconds = ((performance.now() - this.since) / 1000).toFixed(1);
    const text = this.result || `move ${this.lines.length + 1}, ${turn}${this.since === null ? " to move" : `: ${seconds} s`}`;
    if (this.told.textContent !== text) this.told.textContent = text;
  }
}

// Cards are drawn for a few milliseconds of each frame: a hundred games never hold the page up.
const FRAME_SHARE = 8;
const undrawn = new Set();
let frame = null;

function drawLater(one) {
  undrawn.add(one);
  frame ??= requestAnimationFrame(drawSome);
}

function drawSome() {
  const end = performance.now() + FRAME_SHARE;
  for (const one of undrawn) {
    if (performance.now() > end) break;
    undrawn.delete(one);
    one.draw();
    // A card comes when there is something on it.
    if (!one.item.isConnected) byId("cards").append(one.item);
    byId("live").hidden = false;
  }
  frame = undrawn.size ? requestAnimationFrame(drawSome) : null;
}

const cards = new Map();

function card(id) {
  if (!cards.has(id)) cards.set(id, new Card(id));
  return cards.get(id);
}

function remove(id) {
  cards.get(id)?.item.remove();
  undrawn.delete(cards.get(id));
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

const COLUMNS = [["name", "Game"], ["black", "Black"], ["white", "White"], ["board", "Board"], ["moves", "Moves"], ["ending", "Ending"], ...(window.published ? [] : [["time", "Written"]])];
const USUAL = { page: 0, sort: "time", reverse: false, player: "", board: "", ending: "", search: "" };
// How many results stand above the list, and how long typing may pause, in milliseconds.
const NEWEST = 5;
const TYPING = 60;
const DATES = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
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

/** @param {ListedGame} game */
function ended(game) {
  if (game.state === "over") return endingWords(game.ending);
  return { live: "live", cut_off: "cut off", broken: "broken" }[game.state];
}

/** @param {ListedGame} game */
function row(game) {
  const made = make("tr");
  const name = make("td");
  if (game.state === "broken") name.textContent = game.name;
  else name.append(make("a", game.name, { href: placeOf(`/game/${game.id}`) }));
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
  if (!window.published) made.append(make("td", game.modified ? DATES.format(game.modified * 1000) : ""));
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
  /** @type {Partial<GameList>} */
  let told = null;
  try {
    told = window.published?.list(wanted) ?? (await (await fetch(`/api/games?${queryOf(Object.entries(wanted))}`)).json());
  } catch {
    // The connection is broken, or something else answers.
  }
  // Something else is wanted by now.
  if (number !== asked) return;
  if (!told?.list) {
    byId("count").textContent = "The server does not answer. This page tries again.";
    shown = null;
    return;
  }
  // Nothing is drawn again that is as it was: the focus would be lost.
  const text = JSON.stringify(told.list);
  if (text === shown) return;
  shown = text;
  list = told.list;
  offer("player", list.players);
  offer("board", list.boards);
  offer("ending", list.endings);
  wanted.page = list.page;
  noteAddress();
  showList();
}

const hasFilter = () => ["player", "board", "ending", "search"].some((name) => wanted[name]);
/** @type {GamePage} */
let list = null;
let view = memory((storage) => storage.getItem("list")) === "cards" ? "cards" : "rows";

// Shows the list as rows or as cards, and the newest results above it, unless somebody looks for others.
function showList() {
  const isCards = view === "cards";
  [...byId("views").children].forEach((button) => button.setAttribute("aria-pressed", button.value === view));
  document.querySelector("main").classList.toggle("searching", Boolean(wanted.search));
  if (!list) return;
  const isUsual = !hasFilter() && wanted.sort === "time" && !wanted.reverse && list.page === 0;
  const newest = isUsual && !isCards ? list.games.filter(({ state }) => state === "over").slice(0, NEWEST) : [];
  byId("newest").hidden = newest.length === 0;
  byId("newest-cards").replaceChildren(...newest.map((game) => item(gameCard(game))));
  byId("as-rows").hidden = isCards || list.total === 0;
  byId("as-cards").hidden = !isCards || list.total === 0;
  byId("rows").replaceChildren(...(isCards ? [] : list.games.map(row)));
  byId("as-cards").replaceChildren(...(isCards ? list.games.map((game) => item(gameCard(game))) : []));
  byId("empty").hidden = list.total > 0;
  byId("empty").textContent = hasFilter() ? "No game is like that: change the search or the filters." : "No games yet: one appears here as soon as its record is in the folder.";
  byId("count").textContent = counted(list.total, "game");
  byId("pages").hidden = list.pages === 1;
  byId("page").textContent = `page ${list.page + 1} of ${list.pages}`;
  byId("before").disabled = list.page === 0;
  byId("after").disabled = list.page + 1 >= list.pages;
}

// ---- tournaments and ladders ----------------------------------------------------------------------------------------

/** @param {ListedEvent} told */
function eventCard(told) {
  const card = make("a", "", { class: "card", href: `/event/${told.id}` });
  const state = told.is_at_work ? "running" : told.is_complete ? "complete" : "not running";
  card.append(make("div", told.title, { class: "names" }), make("div", told.sentence ?? ""));
  if (told.planned) card.append(make("progress", "", { value: told.pairs ?? 0, max: told.planned, "aria-label": "Pairs played" }));
  const pairs = told.planned ? `${told.pairs ?? 0} of ${counted(told.planned, "pair")}` : counted(told.pairs ?? 0, "pair");
  card.append(make("div", `${pairs}, ${state}`, { class: "soft" }));
  return item(card);
}

let eventsShown = "";

async function loadEvents() {
  const text = await fetch("/api/events").then((answer) => answer.text()).catch(() => eventsShown);
  if (text === eventsShown) return;
  eventsShown = text;
  const told = JSON.parse(text);
  byId("events").hidden = told.length === 0;
  byId("event-links").replaceChildren(...told.map(eventCard));
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
byId("views").addEventListener("click", ({ target }) => {
  if (!target.value) return;
  view = target.value;
  memory((storage) => storage.setItem("list", view));
  showList();
});

// The search answers as one types.
const { search } = byId("search").elements;
let typing = null;
search.addEventListener("input", () => {
  clearTimeout(typing);
  typing = setTimeout(() => {
    Object.assign(wanted, { search: search.value.trim(), page: 0 });
    load();
  }, TYPING);
});

function refresh() {
  if (document.hidden || window.published) return;
  load();
  loadEvents();
}

document.addEventListener("visibilitychange", refresh);
readAddress();
search.value = wanted.search;
heads();
showList();
load();
if (!window.published) {
  loadEvents();
  watchLive();
  setInterval(refresh, 5000);
}
