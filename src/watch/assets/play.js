// The page of somebody who plays: what is chosen on the board, typed or pressed is sent, and turns are told.
"use strict";

const player = Number(document.body.dataset.player);
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
  else if (isYours && !viewer.isAsked()) text = "Your turn: go to the last move to play.";
  else if (isYours) text = `Your turn: choose ${["a queen", "where it goes", "where it shoots"][viewer.chosen.length]}.`;
  else if (viewer.game) text = "The other player is thinking.";
  if (byId("turn").textContent !== text) byId("turn").textContent = text;
  byId("back").disabled = viewer.chosen.length === 0;
  byId("take-back").disabled = !isYours || !turn.can_take_back;
  byId("hint").disabled = byId("resign").disabled = !isYours;
  byId("typed").querySelector("button").disabled = !isYours;
  byId("play").classList.toggle("asked", isYours);
  if (!isYours) calmResign();
}

function tellClock() {
  if (turn?.limit_ms == null) return;
  const left = turn.left_ms == null ? turn.limit_ms : Math.max(0, turn.left_ms - (performance.now() - cameAt));
  const text = `Your time for this move: ${(left / 1000).toFixed(left < 10000 ? 1 : 0)} s`;
  if (byId("clock").textContent !== text) byId("clock").textContent = text;
}

// Sends a request, again while the connection breaks: it names its turn, so it counts once.
async function post(what, body, tries = 5) {
  try {
    return await fetch(`${location.pathname}/${what}`, { method: "POST", headers: { "Content-Type": "application/json" }, body });
  } catch {
    if (tries === 1) return null;
    await new Promise((resolve) => setTimeout(resolve, 300));
    return post(what, body, tries - 1);
  }
}

// Sends what is wanted and returns the answer; says what was wrong with it.
async function send(what, more = {}) {
  byId("trouble").textContent = "";
  const body = JSON.stringify({ ply: turn?.ply ?? 0, ...more });
  const told = await post(what, body);
  if (told?.ok) return told.json();
  byId("trouble").textContent = told ? await told.text() : "The server does not answer.";
  return null;
}

// What ends the turn: nothing can be chosen until the server has said what became of it.
async function act(what, more) {
  isSending = true;
  byId("hints").textContent = "";
  askBoard();
  const asked = turn?.ply;
  const answer = await send(what, more);
  // What was taken is followed by another turn, which may have been told before.
  if (answer && turn?.ply === asked) turn.ply = null;
  isSending = false;
  askBoard();
  return answer;
}

viewer.onmove = (text) => act("move", { move: text });
viewer.onchoice = tellTurn;

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
  const words = answer?.hints.map(({ text, win }) => `${text} (${Math.round(100 * win)} %)`) ?? [];
  byId("hints").textContent = words.length ? `Hint: ${words.join(", ")}` : "";
});

// Who resigns presses twice.
function calmResign() {
  byId("resign").textContent = "Resign";
}
byId("resign").addEventListener("click", () => {
  if (byId("resign").textContent === "Resign") byId("resign").textContent = "Resign: sure?";
  else act("resign");
});
byId("resign").addEventListener("blur", calmResign);

document.addEventListener("keydown", (event) => event.key === "Escape" && viewer.back());

const turns = new EventSource(`${location.pathname}/turns`);
turns.addEventListener("message", ({ data }) => {
  turn = JSON.parse(data);
  cameAt = performance.now();
  byId("hints").textContent = "";
  askBoard();
  tellClock();
});
turns.addEventListener("error", () => {
  const result = viewer.game?.result;
  if (result && result.ending !== "void") turns.close();
});
setInterval(tellClock, matchMedia("(prefers-reduced-motion: reduce)").matches ? 1000 : 100);
tellTurn();
