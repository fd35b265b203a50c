// A game in the browser. The page keeps the moves; the server knows the rules, answers and tells scores.
const { x, o, moves: start } = document.body.dataset;
const [width, height] = [document.body.dataset.width, document.body.dataset.height].map(Number);
const sides = [x, o];
const person = "you";
const board = new Board(byId("board"), width, height);
// Tells the records of games apart.
const newNumber = () => crypto.getRandomValues(new Uint32Array(1))[0];
// A reload, or a way back, goes on with the moves and the record that the address names.
const kept = new URLSearchParams(location.hash.slice(1));
let number = Number(kept.get("game")) >>> 0 || newNumber();
let game = { moves: start, free: [], fours: [], ending: null };
let said = "";
let isThinking = false;
let wantsScores = false;
// What is under way is given up when the person does something else.
let current = new AbortController();

const side = () => game.moves.length % 2;
const isYours = () => !game.ending && sides[side()] === person;

async function ask(what, body) {
  const { signal } = current;
  try {
    const answer = await fetch(`${location.pathname}/${what}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ ...body, game: number }), signal });
    if (signal.aborted) return null;
    if (answer.ok) return await answer.json();
    byId("fault").textContent = await answer.text();
  } catch {
    if (!signal.aborted) byId("fault").textContent = "The server does not answer: is connect4 still running?";
  }
  return null;
}

function begin() {
  current.abort();
  current = new AbortController();
  isThinking = false;
  byId("fault").textContent = "";
}

function endingText() {
  if (game.ending === "draw") return "The board is full: a draw.";
  const winner = game.ending === "first" ? 0 : 1;
  const name = sides[winner] === person ? (sides[1 - winner] === person ? "" : "You win.") : `${sides[winner]} wins.`;
  return `${letters[winner]} has four in a row. ${name}`;
}

function show() {
  if (game.free.length || game.ending) history.replaceState(null, "", `#moves=${game.moves}&game=${number}`);
  board.show([...game.moves].map(columnOf), game.fours);
  const turn = isThinking ? `${sides[side()]} is thinking.` : isYours() ? `Your turn: you play ${letters[side()]}.` : "";
  const text = [said, game.ending ? endingText() : turn].filter(Boolean).join(" ");
  if (byId("status").textContent !== text) byId("status").textContent = text;
  [...byId("buttons").children].forEach((button, column) => (button.disabled = !isYours() || isThinking || !game.free.includes(column)));
  byId("undo").disabled = undone() === null && !before;
  byId("moves").textContent = game.moves || "none";
}

// Returns the moves before the person's last turn, if there is one.
function undone() {
  for (let length = game.moves.length - 1; length >= start.length; length -= 1) {
    if (sides[length % 2] === person) return game.moves.slice(0, length);
  }
  return null;
}

async function showScores() {
  byId("show-scores").setAttribute("aria-pressed", `${wantsScores}`);
  byId("scores").hidden = !wantsScores;
  if (!wantsScores) return;
  const empty = Array.from({ length: Number(width) }, () => make("li", "·", { "aria-hidden": "true" }));
  byId("scores").replaceChildren(...empty);
  if (game.ending || !isYours() || isThinking) return;
  const answer = await ask("scores", { moves: game.moves });
  if (!answer) return;
  byId("scores").replaceChildren(...answer.scores.map((score, column) => scoreItem(column, score, answer.best.includes(column), false)));
}

// Takes a position over, and lets the other side play until it is the person's turn again.
async function take(state) {
  if (!state) return show();
  game = state;
  show();
  while (!game.ending && !isYours()) {
    isThinking = true;
    show();
    showScores();
    const mover = sides[side()];
    const answer = await ask("answer", { moves: game.moves });
    // The person went on without it.
    if (!answer) {
      if (!current.signal.aborted) isThinking = false;
      return show();
    }
    isThinking = false;
    game = answer;
    said = `${mover} plays ${columnName(answer.column)}.`;
  }
  show();
  showScores();
}

async function play(column) {
  if (!isYours() || isThinking || !game.free.includes(column)) return;
  begin();
  said = `You play ${columnName(column)}.`;
  take(await ask("position", { moves: game.moves + columnName(column) }));
}

async function restart(moves, words) {
  begin();
  said = words;
  take(await ask("position", { moves }));
}

// The game before a new one, which undo brings back.
let before = null;
function undo() {
  if (undone() !== null) return restart(undone(), "Taken back.");
  if (!before) return null;
  const { moves } = before;
  ({ number } = before);
  before = null;
  return restart(moves, "The game before is back.");
}
function again() {
  if (game.moves.length > start.length) before = { moves: game.moves, number };
  number = newNumber();
  restart(start, "A new game.");
}

for (let column = 0; column < width; column += 1) {
  const button = make("button", columnName(column), { type: "button", "aria-label": `Column ${columnName(column)}` });
  button.addEventListener("click", () => play(column));
  byId("buttons").append(button);
}
board.svg.addEventListener("click", (event) => {
  const box = board.svg.getBoundingClientRect();
  play(Math.floor(((event.clientX - box.left) * width) / box.width));
});
byId("undo").addEventListener("click", undo);
byId("new").addEventListener("click", again);
byId("show-scores").addEventListener("click", () => {
  wantsScores = !wantsScores;
  showScores();
});
document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.repeat) return;
  const focused = [...byId("buttons").children].indexOf(document.activeElement);
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (focused >= 0 && step) {
    const enabled = [...byId("buttons").children].filter((button) => !button.disabled);
    const at = enabled.indexOf(document.activeElement);
    enabled[(at + step + enabled.length) % enabled.length]?.focus();
    event.preventDefault();
  } else if (event.key === "u") undo();
  else if (event.key === "n") again();
  else if (event.key === "s") byId("show-scores").click();
  else if (columnOf(event.key) >= 0) play(columnOf(event.key));
});
async function first() {
  const moves = kept.get("moves") ?? "";
  if (moves === "" || !moves.startsWith(start)) return restart(start, "");
  begin();
  const state = await ask("position", { moves });
  return state ? take(state) : restart(start, byId("fault").textContent.trim());
}
first();
