// The page of a tournament or a ladder: the table as it is, and the latest games.
"use strict";

const ours = location.pathname.split("/").at(-1);
// More players have a table of their own for who met whom.
const CROSS_MAX = 16;
// More notices have to be asked for.
const NOTICES_MAX = 3;

const heads = (id, titles) => byId(id).replaceChildren(...headRow(titles));
// Draws ratings with their intervals as lines on one scale.
class Scale {
  /** @param {PlayerView[]} rows */
  constructor(rows) {
    this.from = Math.min(...rows.map(({ elo, error }) => elo - error));
    this.width = Math.max(1, Math.max(...rows.map(({ elo, error }) => elo + error)) - this.from);
  }

  cell({ elo, error }) {
    const at = (value) => 4 + (192 * (value - this.from)) / this.width;
    const cell = make("td", "", { class: "interval" });
    cell.append(drawing("200 12", [["zero", `M${at(0)} 0v12`], ["line", `M${at(elo - error)} 6H${at(elo + error)}`], ["dot", `M${at(elo)} 6h0`]]));
    return cell;
  }
}

/**
 * Returns the points of a player against another one, tinted by their share.
 * @param {PlayerView} one @param {PlayerView} two @param {Meeting[]} meetings
 */
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

// Returns an element of a drawing that stretches with its place.
function drawing(size, paths) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", `0 0 ${size}`);
  svg.setAttribute("preserveAspectRatio", "none");
  svg.setAttribute("aria-hidden", "true");
  for (const [name, path] of paths) {
    const drawn = document.createElementNS("http://www.w3.org/2000/svg", "path");
    drawn.setAttribute("class", name);
    drawn.setAttribute("d", path);
    svg.append(drawn);
  }
  return svg;
}

/** @param {PlayerView} row @param {ToldEvent} told @param {Scale} scale */
function player(row, told, scale) {
  const made = make("tr");
  made.append(number(row.rank), make("td", row.name));
  if (told.kind === "ladder") made.append(number(row.version));
  made.append(number(signed(row.elo)), scale.cell(row), number(row.error.toFixed(0)));
  if (told.kind === "ladder") made.append(number(row.glicko.toFixed(0)), number(row.glicko_error.toFixed(0)));
  const points = number(row.points);
  points.append(make("small", `/${row.points_max}`));
  made.append(points);
  if (isCrossed(told)) made.append(...told.players.map((other) => crossed(row, other, told.meetings)));
  else made.append(number(row.won), number(row.lost));
  made.append(number(row.at_fault));
  return made;
}

const isCrossed = ({ meetings, players }) => meetings && players.length <= CROSS_MAX;

// ---- more tables ----------------------------------------------------------------------------------------------------

/**
 * Returns a small picture of a player's rating with its error while games were played, on one scale for all.
 * @param {PlayerView} row @param {RatingHistory} history @param {[number, number]} scale
 */
function curve({ name, elo, error }, { games, players }, [low, high]) {
  const known = (players[name] ?? []).flatMap((point, at) => (point ? [[(200 * games[at]) / games.at(-1), ...point]] : []));
  const y = (value) => (60 * (high - value)) / (high - low);
  const line = (points) => points.map(([x, value]) => `${x.toFixed(1)} ${y(value).toFixed(1)}`).join("L");
  const band = [...known.map(([x, value, by]) => [x, value + by]), ...known.map(([x, value, by]) => [x, value - by]).reverse()];
  const card = make("div", "", { class: "card curve" });
  card.append(drawing("200 60", known.length ? [["zero", `M0 ${y(0)}h200`], ["band", `M${line(band)}z`], ["line", `M${line(known)}`]] : []));
  card.append(make("div", name, { class: "names" }), make("div", `${signed(elo)} ± ${error.toFixed(0)}`, { class: "soft" }));
  return item(card);
}

/** @param {ToldEvent} told */
function historyOf({ history, players }) {
  if (!(history?.games.length > 1)) return [];
  const values = Object.values(history.players).flat().filter(Boolean).map(([elo]) => elo);
  /** @type {[number, number]} */
  const scale = [Math.min(...values) - 50, Math.max(...values) + 50];
  const cards = make("ul", "", { class: "cards curves", "aria-label": "Ratings while games were played" });
  cards.append(...players.map((row) => curve(row, history, scale)));
  const words = `Elo from the first game to all ${history.games.at(-1)}, with 95 % intervals; each from ${signed(scale[0])} to ${signed(scale[1])}, with a line at 0.`;
  return [section("Ratings while games were played", make("p", words, { class: "soft" }), cards)];
}

/** @param {ToldEvent} told */
function moreTables(told) {
  const { meetings, boards, by_board = {}, players } = told;
  const names = keysOf(Object.values(by_board));
  const kinds = keysOf(players.map(({ faults }) => faults));
  const cross = meetings && !isCrossed(told) ? players.map((row) => [`${row.rank} ${row.name}`, ...players.map((other) => crossed(row, other, meetings))]) : [];
  return [
    ...historyOf(told),
    ...tableOf("Points against each other", ["Player", ...players.map(({ rank }) => rank)], cross),
    ...tableOf("Points by board", ["Player", ...names], names.length > 1 ? players.map(({ name }) => [name, ...names.map((board) => share(by_board[name]?.[board]))]) : []),
    ...tableOf("Moving first", ["Board", "Games", "Moves on average", "Score of who moves first", "95 %"], boards.map(({ board, games, moves, first_score, interval }) => [
      board, games, moves, percent(first_score), interval.map(percent).join(" to "),
    ])),
    ...tableOf("Faults", ["Player", ...kinds.map(endingWords)], kinds.length ? players.filter(({ at_fault }) => at_fault).map(({ name, faults }) => [name, ...kinds.map((kind) => faults[kind] ?? "")]) : []),
  ];
}

/** @param {EventGame} told */
function game(told) {
  const made = make("tr");
  const name = make("td");
  const text = `${told.pair}-${told.game}`;
  name.append(told.id ? make("a", text, { href: placeOf(`/game/${told.id}`) }) : text);
  const [winner, loser] = [told.players[told.winner - 1], told.players[2 - told.winner]];
  const result = `${winner ?? "nobody"} wins: ${endingText(told.termination, winner && loser)}`;
  const logs = make("td");
  for (const one of told.id ? told.logs : []) {
    if (logs.childNodes.length) logs.append(" ");
    logs.append(make("a", told.players[one - 1], { href: `/api/games/${told.id}/log/${one}` }));
  }
  made.append(name, make("td", told.players.join(" and ")), make("td", result), number(told.moves), logs);
  return made;
}

/** @param {ToldEvent} told */
function progress(told) {
  const parts = [];
  if (told.count != null) parts.push(counted(told.count, "game"));
  if (told.pairs != null) parts.push(told.planned ? `${told.pairs} of ${counted(told.planned, "pair")}` : counted(told.pairs, "whole pair"));
  if (told.kind === "tournament" && told.is_complete != null) parts.push(told.is_complete ? "complete" : "not complete");
  parts.push(`last change ${new Date(told.changed * 1000).toLocaleString()}`);
  if (!window.published && !told.is_at_work && !told.is_complete) parts.push("no server is at work on it");
  return parts.join(", ");
}

function list(id, items) {
  byId(id).hidden = items.length === 0;
  byId(`${id}-list`).replaceChildren(...items.map((text) => make("li", text)));
}

/** @param {ToldEvent} told */
function show(told) {
  const isLadder = told.kind === "ladder";
  byId("title").textContent = told.title;
  document.title = told.title;
  byId("progress").textContent = progress(told);
  byId("about").textContent = told.about ?? (isLadder ? "ladder" : "tournament");
  byId("result").textContent = told.sentence;
  byId("bar").hidden = !told.planned;
  Object.assign(byId("bar"), { max: told.planned ?? 1, value: told.pairs ?? 0 });
  const { players } = told;
  const others = isCrossed(told) ? players.map(({ rank }) => rank) : ["Won", "Lost"];
  heads("player-heads", ["#", "Player", ...(isLadder ? ["Version"] : []), "Elo", "95 %", "±", ...(isLadder ? ["Glicko-2", "±"] : []), "Points", ...others, "Faults"]);
  const scale = new Scale(players);
  byId("players").replaceChildren(...players.map((row) => player(row, told, scale)));
  byId("scale").textContent = isLadder
    ? "Elo is relative to the average of all versions, Glicko-2 begins at 1500; ± are 95 % intervals."
    : "Elo is relative to the average of these players; ± are 95 % intervals.";
  byId("more").replaceChildren(...moreTables(told));
  const notices = told.notices.map((text) => make("p", text, { class: "notice" }));
  byId("notices").replaceChildren(...notices.slice(0, NOTICES_MAX));
  if (notices.length > NOTICES_MAX) {
    const more = make("details");
    more.append(make("summary", `${counted(notices.length - NOTICES_MAX, "more notice")}`), ...notices.slice(NOTICES_MAX));
    byId("notices").append(more);
  }
  list("running", told.running.map(({ players, board }) => `${players.join(" and ")} on ${board}`));
  list("refused", told.refused.map(({ name, reason }) => (reason ? `${name}: ${reason}` : name)));
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
if (window.published) show(window.published.told());
else new Stream(`/api/events/${ours}/changes`, { change: load });
