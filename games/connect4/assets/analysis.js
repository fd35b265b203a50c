// An analysed game: step through it, with the scores of all columns.
const game = JSON.parse(byId("game").textContent);
const board = new Board(byId("board"), game.width, game.height);
const last = game.columns.length;
const judged = new Map(game.moves.map((move) => [move.number, move]));
let ply = 0;

const nameOf = (side) => `${letters[side]} (${game.players[side]})`;

function verdictText(move) {
  if (move.verdict === "best") return "best";
  const words = { slower: "same result, but slower", mistake: "mistake", blunder: "blunder" };
  return `${words[move.verdict]} ${move.mark}`;
}

function statusText() {
  const move = judged.get(ply);
  const parts = [];
  if (ply === 0) parts.push("The start.");
  else {
    const column = columnName(game.columns[ply - 1]);
    parts.push(`Move ${ply} of ${last}: ${nameOf((ply - 1) % 2)} plays ${column}.`);
    if (move) {
      parts.push(`Score ${signed(move.score)}: ${verdictText(move)}.`);
      if (move.gave_away > 0) parts.push(`Best was ${move.best.map(columnName).join(" or ")} with ${signed(move.best_score)}.`);
    }
  }
  if (ply === last && game.ending) parts.push(game.ending === "draw" ? "A draw." : `${nameOf(game.ending === "first" ? 0 : 1)} wins.`);
  return parts.join(" ");
}

// Shows the scores of what could have been played at the move that is shown.
function showColumns() {
  const move = judged.get(ply);
  const items = Array.from({ length: game.width }, (_, column) => {
    const none = move ? ["×", "full"] : ["·", "no score"];
    const item = scoreItem(column, move?.scores[column], Boolean(move?.best.includes(column)), move?.column === column, none);
    item.prepend(make("span", columnName(column), { "aria-hidden": "true", class: "name" }));
    return item;
  });
  byId("columns").replaceChildren(...items);
}

const curve = { width: 640, height: 240, left: 40, right: 12, top: 14, bottom: 26 };
const most = Math.max(1, ...game.moves.map((move) => Math.abs(move.score)), ...game.moves.map((move) => Math.abs(move.best_score)));
const xOf = (number) => curve.left + ((curve.width - curve.left - curve.right) * number) / Math.max(1, last);
const yOf = (score) => curve.top + ((curve.height - curve.top - curve.bottom) * (most - score)) / (2 * most);
// For X: what O's move scores is turned round.
const forX = (move) => (move.side === 0 ? move.score : -move.score);

function drawCurve() {
  const svg = draw(byId("curve"), "svg", { viewBox: `0 0 ${curve.width} ${curve.height}`, class: "curve", role: "img" });
  const bad = game.moves.filter((move) => ["mistake", "blunder"].includes(move.verdict));
  const told = bad.map((move) => `${move.verdict} at move ${move.number}`).join(", ") || "no mistakes";
  svg.setAttribute("aria-label", `The score after each move, for X; ${told}. The table below has all scores.`);
  draw(svg, "line", { class: "axis", x1: curve.left, x2: curve.width - curve.right, y1: yOf(0), y2: yOf(0) });
  for (const score of [most, 0, -most]) draw(svg, "text", { x: curve.left - 6, y: yOf(score) + 4, "text-anchor": "end" }).textContent = signed(score);
  for (const number of [game.moves[0]?.number ?? 0, last]) draw(svg, "text", { x: xOf(number), y: curve.height - 8, "text-anchor": "middle" }).textContent = number;
  draw(svg, "polyline", { class: "line", points: game.moves.map((move) => `${xOf(move.number)},${yOf(forX(move))}`).join(" ") });
  for (const move of bad) {
    const [x, y] = [xOf(move.number), yOf(forX(move))];
    draw(svg, "path", { class: "bad", d: `M${x} ${y - 7}l7 12h-14z` });
    draw(svg, "text", { x, y: y > curve.height / 2 ? y - 12 : y + 20, "text-anchor": "middle" }).textContent = move.mark;
  }
  curve.now = draw(svg, "line", { class: "now", y1: curve.top, y2: curve.height - curve.bottom });
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    const x = ((event.clientX - box.left) * curve.width) / box.width;
    go(Math.round(((x - curve.left) * last) / (curve.width - curve.left - curve.right)));
  });
}

function listMoves() {
  const rows = game.moves.map((move) => {
    const row = make("tr");
    const button = make("button", `${move.number}`, { type: "button", "aria-label": `Go to move ${move.number}` });
    button.addEventListener("click", () => go(move.number));
    const cell = make("td");
    cell.append(button);
    const number = { class: "number" };
    row.append(cell, make("td", letters[move.side]), make("td", columnName(move.column)), make("td", signed(move.score), number));
    row.append(make("td", `${move.best.map(columnName).join(" ")} (${signed(move.best_score)})`));
    row.append(make("td", move.gave_away ? `${move.gave_away}` : "", number), make("td", verdictText(move)));
    return [move.number, row];
  });
  byId("moves").replaceChildren(...rows.map(([, row]) => row));
  return new Map(rows);
}

function go(number) {
  ply = Math.min(last, Math.max(0, number));
  board.show(game.columns.slice(0, ply), ply === last ? game.fours : []);
  byId("status").textContent = statusText();
  byId("ply").value = ply;
  byId("ply").setAttribute("aria-valuetext", `move ${ply} of ${last}`);
  byId("first").disabled = byId("back").disabled = ply === 0;
  byId("last").disabled = byId("forward").disabled = ply === last;
  for (const line of ["x1", "x2"]) curve.now.setAttribute(line, xOf(ply));
  rows.forEach((row, at) => (at === ply ? row.setAttribute("aria-current", "true") : row.removeAttribute("aria-current")));
  showColumns();
}

document.title = byId("title").textContent = `${game.players[0]} (X) against ${game.players[1]} (O)`;
const result = { first: "X wins", second: "O wins", draw: "a draw" }[game.ending] ?? "not finished";
byId("about").textContent = `Connect 4 on ${game.width}×${game.height}, ${last} moves, ${result}: ${game.columns.map(columnName).join("")}`;
byId("ply").max = last;
drawCurve();
const rows = listMoves();
byId("first").addEventListener("click", () => go(0));
byId("back").addEventListener("click", () => go(ply - 1));
byId("forward").addEventListener("click", () => go(ply + 1));
byId("last").addEventListener("click", () => go(last));
byId("ply").addEventListener("input", (event) => go(Number(event.target.value)));
document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target === byId("ply")) return;
  const to = { ArrowLeft: ply - 1, ArrowRight: ply + 1, Home: 0, End: last }[event.key];
  if (to == null) return;
  event.preventDefault();
  go(to);
});
go(last);
