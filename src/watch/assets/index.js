// The first page: games that are being played, and the list of records.
"use strict";

// ---- games that are being played -----------------------------------------------------------------------------------

class Card {
  constructor(id) {
    this.item = make("li");
    this.link = make("a", "", { href: `/game/${id}` });
    this.place = make("div");
    this.names = make("div");
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
        return player?.entrant || player?.name || player?.file?.split(/[/ ]/).at(-1) || "?";
      };
      this.colors = event.players.map((player) => player.color);
      this.first = event.first;
      this.names.textContent = `${name("black")} (black) against ${name("white")} (white)`;
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
    const text = this.result || `move ${this.moves + 1}, ${turn} is thinking: ${seconds} s`;
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

function watchLive() {
  const source = new EventSource("/api/live");
  const waits = new Map();
  source.addEventListener("open", () => {
    cards.clear();
    byId("cards").replaceChildren();
    byId("live").hidden = true;
  });
  source.addEventListener("message", ({ data }) => {
    const end = data.indexOf("\n");
    const id = data.slice(0, end).split(" ")[0];
    try {
      card(id).take(JSON.parse(data.slice(end + 1)));
    } catch {
      return; // A line that is no event says nothing.
    }
    // What was said before the first line: how long ago the last one came.
    if (waits.has(id)) {
      const waited = waits.get(id);
      setTimeout(() => (card(id).since = performance.now() - waited), 50);
      waits.delete(id);
    }
  });
  source.addEventListener("waited", ({ data }) => {
    const [id, waited] = data.split(" ");
    waits.set(id, Number(waited));
  });
  source.addEventListener("gone", ({ data }) => {
    cards.get(data)?.item.remove();
    cards.delete(data);
    byId("live").hidden = cards.size === 0;
    load();
  });
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  setInterval(() => cards.forEach((one) => one.tick()), calm ? 1000 : 100);
}

// ---- the list -------------------------------------------------------------------------------------------------------

const COLUMNS = [["name", "Game"], ["black", "Black"], ["white", "White"], ["board", "Board"], ["moves", "Moves"], ["ending", "Ending"], ["time", "Written"]];
const wanted = { page: 0, sort: "time", reverse: false };
let shown = null;

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
    const player = (color) => make("td", game[color] + (game.winner === color ? " (won)" : ""), { class: game.winner === color ? "winner" : "" });
    made.append(player("black"), player("white"), make("td", game.board), make("td", game.moves == null ? "" : `${game.moves} moves`), make("td", ended(game)));
  }
  made.append(make("td", game.modified ? new Date(game.modified * 1000).toLocaleString() : ""));
  return made;
}

// Keeps the choice while others are offered.
function offer(name, choices) {
  const select = byId("filters").elements[name];
  const chosen = select.value;
  const all = [...new Set([...choices, ...(chosen ? [chosen] : [])])];
  select.replaceChildren(make("option", "all", { value: "" }), ...all.map((choice) => make("option", choice.replaceAll("_", " "), { value: choice })));
  select.value = chosen;
}

async function load() {
  const query = new URLSearchParams({ ...wanted, ...Object.fromEntries(new FormData(byId("filters"))) });
  let told;
  try {
    told = await (await fetch(`/api/games?${query}`)).json();
  } catch {
    byId("count").textContent = "The server does not answer.";
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
  wanted.page = 0;
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
heads();
load();
loadEvents();
watchLive();
setInterval(() => document.hidden || load(), 5000);
