// The page of a tournament or a ladder: the table as it is, and the latest games.
"use strict";

const ours = location.pathname.split("/").at(-1);

function heads(id, titles) {
  const isText = (title) => ["Player", "Game", "Players", "Result", "Logs"].includes(title);
  byId(id).replaceChildren(...titles.map((title) => make("th", title, { scope: "col", class: isText(title) ? "" : "number" })));
}

const number = (text) => make("td", String(text), { class: "number" });

function player(row, isLadder) {
  const made = make("tr");
  made.append(number(row.rank), make("td", row.name));
  if (isLadder) made.append(number(row.version));
  const shares = [(row.elo < 0 ? "" : "+") + row.elo.toFixed(0), row.error.toFixed(0)];
  if (isLadder) shares.push(row.glicko.toFixed(0), row.glicko_error.toFixed(0));
  made.append(...[...shares, row.points.toFixed(1), row.games, row.won, row.lost, row.at_fault].map(number));
  return made;
}

function game(told) {
  const made = make("tr");
  const name = make("td");
  const text = `${told.pair}-${told.game}`;
  name.append(told.id ? make("a", text, { href: `/game/${told.id}` }) : text);
  const winner = told.winner ? `${told.players[told.winner - 1]} wins` : "nobody wins";
  const logs = make("td");
  for (const one of told.id ? told.logs : []) {
    if (logs.childNodes.length) logs.append(" ");
    logs.append(make("a", told.players[one - 1], { href: `/api/games/${told.id}/log/${one}` }));
  }
  made.append(name, make("td", told.players.join(" and ")), make("td", `${winner}: ${told.termination.replaceAll("_", " ")}`), number(told.moves), logs);
  return made;
}

const counted = (count, what) => `${count} ${what}${count === 1 ? "" : "s"}`;

function progress(told) {
  const parts = [];
  if (told.count != null) parts.push(counted(told.count, "game"));
  if (told.pairs != null) parts.push(counted(told.pairs, "whole pair"));
  if (told.kind === "tournament" && told.is_complete != null) parts.push(told.is_complete ? "complete" : "not complete");
  parts.push(`last change ${new Date(told.changed * 1000).toLocaleString()}`);
  if (!told.is_at_work && !told.is_complete) parts.push("no server is at work on it");
  return parts.join(", ");
}

function list(id, items) {
  byId(id).hidden = items.length === 0;
  byId(`${id}-list`).replaceChildren(...items.map((text) => make("li", text)));
}

function show(told) {
  const isLadder = told.kind === "ladder";
  byId("title").textContent = told.title;
  document.title = told.title;
  byId("progress").textContent = progress(told);
  heads("player-heads", ["#", "Player", ...(isLadder ? ["Version"] : []), "Elo", "±", ...(isLadder ? ["Glicko-2", "±"] : []), "Points", "Games", "Won", "Lost", "At fault"]);
  byId("players").replaceChildren(...(told.players ?? []).map((row) => player(row, isLadder)));
  byId("scale").textContent = isLadder
    ? "Elo is relative to the average of all versions, Glicko-2 begins at 1500; ± are 95 % intervals."
    : "Elo is relative to the average of these players; ± are 95 % intervals.";
  byId("notices").replaceChildren(...(told.notices ?? []).map((text) => make("p", text, { class: "notice" })));
  list("running", (told.running ?? []).map(({ players, board }) => `${players.join(" and ")} on ${board}`));
  list("refused", (told.refused ?? []).map(({ name, reason }) => (reason ? `${name}: ${reason}` : name)));
  byId("games").hidden = told.games.length === 0;
  byId("game-rows").replaceChildren(...told.games.map(game));
}

let shown = "";
let asked = 0;

async function load() {
  const number = (asked += 1);
  const answer = await fetch(`/api/events/${ours}`).catch(() => null);
  const text = await answer?.text().catch(() => null);
  // Another change has been told by now.
  if (number !== asked) return;
  if (text == null) return tell("The server does not answer.");
  if (!answer.ok) return tell(text);
  tell("");
  // Nothing is drawn again that is as it was: the focus would be lost.
  if (text !== shown) show(JSON.parse(text));
  shown = text;
}

heads("game-heads", ["Game", "Players", "Result", "Moves", "Logs"]);
new Stream(`/api/events/${ours}/changes`, { change: load });
