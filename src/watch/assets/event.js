// The page of a tournament or a ladder: the table as it is, and the latest games.
"use strict";

const ours = location.pathname.split("/").at(-1);

function heads(id, titles) {
  const isText = (title) => ["Player", "Game", "Players", "Result", "Logs"].includes(title);
  byId(id).replaceChildren(...titles.map((title) => make("th", title, { scope: "col", class: isText(title) ? "" : "number" })));
}

const number = (text) => make("td", String(text), { class: "number" });
const signed = (value) => (value < 0 ? "−" : "+") + Math.abs(value).toFixed(0);

// Draws ratings with their intervals as lines on one scale.
class Scale {
  constructor(rows) {
    this.from = Math.min(...rows.map(({ elo, error }) => elo - error));
    this.width = Math.max(1, Math.max(...rows.map(({ elo, error }) => elo + error)) - this.from);
  }

  cell({ elo, error }) {
    const at = (value) => 4 + (192 * (value - this.from)) / this.width;
    const cell = make("td", "", { class: "interval" });
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("viewBox", "0 0 200 12");
    svg.setAttribute("aria-hidden", "true");
    for (const [name, path] of [["zero", `M${at(0)} 0v12`], ["line", `M${at(elo - error)} 6H${at(elo + error)}`], ["dot", `M${at(elo)} 6h0`]]) {
      const drawn = document.createElementNS("http://www.w3.org/2000/svg", "path");
      drawn.setAttribute("class", name);
      drawn.setAttribute("d", path);
      svg.append(drawn);
    }
    cell.append(svg);
    return cell;
  }
}

// Returns the points of a player against another one, tinted by their share.
function crossed(one, two, meetings) {
  if (one.name === two.name) return make("td", "", { class: "self" });
  const met = meetings.find(({ players }) => players.includes(one.name) && players.includes(two.name));
  if (!met) return number("");
  const points = met.players[0] === one.name ? met.points : met.points_against;
  const cell = number(points);
  cell.classList.add("cross", `share${Math.round((5 * points) / met.games)}`);
  cell.title = `${points} of ${met.games} against ${two.name}`;
  return cell;
}

function player(row, told, scale) {
  const made = make("tr");
  made.append(number(row.rank), make("td", row.name));
  if (told.kind === "ladder") made.append(number(row.version));
  made.append(number(signed(row.elo)), scale.cell(row), number(row.error.toFixed(0)));
  if (told.kind === "ladder") made.append(number(row.glicko.toFixed(0)), number(row.glicko_error.toFixed(0)));
  const points = number(row.points);
  points.append(make("small", `/${row.games}`));
  made.append(points);
  if (told.meetings) made.append(...told.players.map((other) => crossed(row, other, told.meetings)));
  else made.append(number(row.won), number(row.lost));
  made.append(number(row.at_fault));
  return made;
}

// Says the result first.
function resultText({ kind, players, is_complete }) {
  const [first, second] = players ?? [];
  if (!first?.games) return "No game is finished yet.";
  if (kind === "ladder") return `${first.name} leads the ladder with an Elo of ${signed(first.elo)}.`;
  if (second?.points === first.points) return `${first.name} and ${second.name} share the lead with ${first.points} of ${counted(first.games, "point")}.`;
  return `${first.name} ${is_complete ? "won" : "leads"} with ${first.points} of ${counted(first.games, "point")}.`;
}

function game(told) {
  const made = make("tr");
  const name = make("td");
  const text = `${told.pair}-${told.game}`;
  name.append(told.id ? make("a", text, { href: `/game/${told.id}` }) : text);
  const [winner, loser] = [told.players[told.winner - 1], told.players[2 - told.winner]];
  const ending = told.termination.replaceAll("_", " ");
  const result = winner ? `${winner} wins: ${loser} ${told.reason ?? `lost by ${ending}`}` : `nobody won: ${ending}`;
  const logs = make("td");
  for (const one of told.id ? told.logs : []) {
    if (logs.childNodes.length) logs.append(" ");
    logs.append(make("a", told.players[one - 1], { href: `/api/games/${told.id}/log/${one}` }));
  }
  made.append(name, make("td", told.players.join(" and ")), make("td", result), number(told.moves), logs);
  return made;
}

function progress(told) {
  const parts = [];
  if (told.count != null) parts.push(counted(told.count, "game"));
  if (told.pairs != null) parts.push(told.planned ? `${told.pairs} of ${counted(told.planned, "pair")}` : counted(told.pairs, "whole pair"));
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
  byId("about").textContent = told.about ?? (isLadder ? "ladder" : "tournament");
  byId("result").textContent = resultText(told);
  byId("bar").hidden = !told.planned;
  Object.assign(byId("bar"), { max: told.planned ?? 1, value: told.pairs ?? 0 });
  const players = told.players ?? [];
  const others = told.meetings ? players.map(({ rank }) => rank) : ["Won", "Lost"];
  heads("player-heads", ["#", "Player", ...(isLadder ? ["Version"] : []), "Elo", "95 %", "±", ...(isLadder ? ["Glicko-2", "±"] : []), "Points", ...others, "Faults"]);
  const scale = new Scale(players);
  byId("players").replaceChildren(...players.map((row) => player(row, told, scale)));
  byId("scale").textContent = isLadder
    ? "Elo is relative to the average of all versions, Glicko-2 begins at 1500; ± are 95 % intervals."
    : "Elo is relative to the average of these players; ± are 95 % intervals.";
  byId("notices").replaceChildren(...(told.notices ?? []).map((text) => make("p", text, { class: "notice" })));
  list("running", (told.running ?? []).map(({ players, board }) => `${players.join(" and ")} on ${board}`));
  list("refused", (told.refused ?? []).map(({ name, reason }) => (reason ? `${name}: ${reason}` : name)));
  byId("games").hidden = told.games.length === 0;
  byId("game-cards").replaceChildren(...told.games.filter(({ row }) => row).map(({ row }) => item(gameCard(row))));
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
