// The page of somebody who plays: what is chosen on the board, typed or pressed is sent, and turns are told.
"use strict";

const player = Number(document.body.dataset.player);
/** @type {Turn} */
let turn = null;
let cameAt = performance.now();
let isSending = false;

function askBoard() {
  viewer.ask(isSending ? null : (turn?.ply ?? null));
}

// Says what is to be done now.
function tellTurn() {
  const color = viewer.game?.colors[player - 1] ?? "";
  byId("play-title").textContent = color ? `You play ${color}` : "You play";
  const isYours = turn?.ply != null && !isSending;
  let text = "The game has not begun.";
  if (viewer.game?.result || turn?.over) text = viewer.game?.result ? viewer.resultText(viewer.game.result) : "The game is over.";
  else if (isSending) text = "Sending.";
  else if (isYours && viewer.branch) text = "Your turn: go back to the game to play.";
  else if (isYours && !viewer.isAsked()) text = "Your turn: go to the last move to play.";
  else if (isYours) text = `Your turn: choose ${["a queen", "where it goes", "where it shoots"][viewer.chosen.length]}.`;
  else if (viewer.game) text = "The other player is thinking.";
  if (byId("turn").textContent !== text) byId("turn").textContent = text;
  byId("rematch").hidden = !turn?.rematch;
  byId("moving").hidden = Boolean(viewer.game?.result);
  byId("back").disabled = viewer.chosen.length === 0;
  byId("take-back").disabled = !isYours || !turn.can_take_back;
  byId("hint").disabled = byId("resign").disabled = !isYours;
  byId("typed").querySelector("button").disabled = !isYours;
  byId("play").classList.toggle("asked", isYours);
  mark = isYours && !viewer.game?.result ? "Your turn: " : "";
  showTitle();
  if (!isYours) calmResign();
}

function tellClock() {
  const left = turn?.left_ms == null ? turn?.limit_ms : Math.max(0, turn.left_ms - (performance.now() - cameAt));
  const which = turn?.left_ms == null ? "each" : "this";
  const isOn = left != null && !turn.over && !isOver;
  const text = isOn ? `Your time for ${which} move: ${(left / 1000).toFixed(left < 10000 ? 1 : 0)} s` : "";
  if (byId("clock").textContent !== text) byId("clock").textContent = text;
}

// How long to wait for an answer, in milliseconds, before a request is sent again; a hint takes a second of
// processor time.
const ANSWER_MAX = { hint: 60000, other: 4000 };

// Sends a request; one that ends the turn again and again until there is an answer or another turn. It names its turn,
// so it counts once.
async function post(what, body) {
  const asked = turn?.turn;
  for (let pause = 250; ; pause = Math.min(2 * pause, 2000)) {
    try {
      const signal = timeout(ANSWER_MAX[what] ?? ANSWER_MAX.other);
      const headers = { "Content-Type": "application/json" };
      const answer = await fetch(`${base}/${what}`, { method: "POST", headers, body, signal, keepalive: true });
      // Those are words of a proxy whose server does not answer.
      if (answer.status < 502) return answer;
    } catch {
      // It may have arrived or not.
    }
    byId("trouble").textContent = `The server does not answer${what === "hint" ? "." : ": sending again."}`;
    if (what === "hint") return null;
    await new Promise((resolve) => setTimeout(resolve, pause));
    if (turn?.turn === asked && !isOver) continue;
    byId("trouble").textContent = "";
    return null;
  }
}

// Sends what is wanted and returns the answer; says what was wrong with it.
async function send(what, more = {}) {
  byId("trouble").textContent = "";
  const told = await post(what, JSON.stringify({ ply: turn?.ply ?? 0, turn: turn?.turn, ...more }));
  if (!told) return null;
  byId("trouble").textContent = told.ok ? "" : await told.text();
  return told.ok ? told.json() : null;
}

// Counts down where there is a limit.
viewer.runningClock = () => {
  const left = turn?.ply == null || turn.left_ms == null ? null : Math.max(0, turn.left_ms - (performance.now() - cameAt));
  return left == null ? null : `${(left / 1000).toFixed(left < 10000 ? 1 : 0)} s left`;
};

// What ends the turn: nothing can be chosen until the server has said what became of it.
async function act(what, more) {
  isSending = true;
  byId("hints").textContent = "";
  drawHints([]);
  askBoard();
  const asked = turn?.turn;
  const answer = await send(what, more);
  // What was taken is followed by another turn, which may have been told before.
  if (answer && turn?.turn === asked) turn.ply = turn.left_ms = null;
  isSending = false;
  askBoard();
  return answer;
}

viewer.onmove = (text) => act("move", { move: text });
viewer.onchoice = tellTurn;
viewer.onrefused = (text) => (byId("trouble").textContent = text);

byId("back").addEventListener("click", () => viewer.back());
byId("take-back").addEventListener("click", () => act("take_back"));
byId("typed").addEventListener("submit", async (event) => {
  event.preventDefault();
  const field = event.target.elements.move;
  if (turn?.ply != null && (await act("move", { move: field.value }))) field.value = "";
});

byId("hint").addEventListener("click", async () => {
  byId("hints").textContent = "The engine is thinking.";
  const answer = await send("hint");
  /** @type {HintView[]} */
  const hints = answer?.hints ?? [];
  const words = hints.map(({ text, win }) => `${text} (${viewer.analysis.percent(win).replace(/^[<>]/, "$& ")})`);
  byId("hints").textContent = words.length ? `Hint: ${words.join(", ")}` : "";
  drawHints(hints.map(({ text, win }) => ({ moves: [text], win })));
});

// Draws hints as arrows, the wider the better.
function drawHints(hints) {
  viewer.hints = hints;
  if (viewer.game) viewer.show();
}

byId("rematch").addEventListener("click", () => send("rematch"));

// Who resigns presses twice.
function calmResign() {
  byId("resign").textContent = "Resign";
}
byId("resign").addEventListener("click", () => {
  if (byId("resign").textContent === "Resign") byId("resign").textContent = "Resign: sure?";
  else act("resign");
});
byId("resign").addEventListener("blur", calmResign);

/** @param {Turn} told */
function hearTurn(told) {
  turn = told;
  cameAt = performance.now();
  byId("hints").textContent = "";
  drawHints([]);
  askBoard();
  tellClock();
}

// The server does not wait for another game any more.
function endOffer() {
  stream.close();
  if (turn) turn.rematch = false;
  tellTurn();
}

function tellTabs(count) {
  const text = count ? "This seat is open in another tab, too: a move counts wherever it is made first." : "";
  if (byId("tabs").textContent !== text) byId("tabs").textContent = text;
}

setInterval(tellClock, matchMedia("(prefers-reduced-motion: reduce)").matches ? 1000 : 100);
askBoard();
tellTurn();
