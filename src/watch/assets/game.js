// The page of one game, live or recorded: what happens goes into the viewer as it comes.
"use strict";

// The page of somebody who plays has another address.
const game = document.body.dataset.game ?? location.pathname.split("/").at(-1);
const viewer = new AmazonsViewer(byId("viewer"), null);
window.viewer = viewer;
// Below their own address, people who play are answered even when spectators fill the house.
const base = document.body.dataset.game ? location.pathname : "";

// What the server's engine offers; people who play do without.
const engine = base ? null : Engine.offer(viewer, game);
let started = null;
let isOver = false;
// Whether the players run here, so that their output can be read while they play.
let printsHere = false;

// Lines that come at once are drawn at once.
let waiting = [];
// A link to a moment waits until the game has come there; who plays is shown the last one.
let linked = Number((base ? null : AmazonsExplorer.LINK.exec(location.hash))?.[1] ?? NaN);
// The page's title, and what stands before it.
let [title, mark] = [document.title, ""];

// A game of an event leads back to it.
const [, eventNumber] = /^(\d+)-\d+-\d+$/.exec(game) ?? [];
if (eventNumber) document.querySelector("nav").append(make("a", "The event", { href: `/event/${eventNumber}` }));
// Each position can be set up anew; a square's text makes its board.
if (!base) {
  const edit = make("button", "Edit", { type: "button" });
  edit.addEventListener("click", () => {
    const { shape, columns } = viewer.game.board;
    const board = shape && shape !== "c" ? { shape, size: columns } : {};
    location.href = `/editor?${new URLSearchParams({ position: viewer.positionField.value, ...board })}`;
  });
  viewer.tried.lastElementChild.append(edit);
}
// Whoever plays has the own controls beside the board.
if (byId("play")) viewer.panel.prepend(byId("play"));

function take(event) {
  if (waiting.length === 0) queueMicrotask(() => setTimeout(draw));
  waiting.push(event);
}

function draw() {
  const events = waiting;
  waiting = [];
  viewer.addEvents(events);
  for (const event of events) {
    if (event.event === "start") begin(event);
    else if (event.event === "fault") explain(event);
    else if (event.event === "end") finish(event);
  }
  if (linked <= viewer.game?.moves.length) {
    viewer.goToHash();
    linked = NaN;
  }
}

function begin(start) {
  started = start;
  if (isOver) tell("");
  isOver = false;
  const { black, white } = viewer.game.players;
  byId("title").replaceChildren(make("bdi", black || "?"), " (black) against ", make("bdi", white || "?"), " (white)");
  // A title has no elements: names that may be written from right to left are set apart by characters.
  const apart = (name) => (/^[ -~]*$/.test(name) ? name : `\u2068${name}\u2069`);
  title = `${apart(black || "?")} (black) against ${apart(white || "?")} (white)`;
  showTitle();
  [...byId("faults").children].slice(1).forEach((node) => node.remove());
  byId("faults").hidden = true;
  viewer.offer([["record", `/api/games/${game}/record`]]);
  showLogs();
}

function showTitle() {
  if (document.title !== mark + title) document.title = mark + title;
}

function explain(fault) {
  const list = make("dl", "", { class: "about" });
  const add = (what, text) => text != null && text !== "" && list.append(make("dt", what), make("dd", text));
  add("Who", `player ${fault.player}, ${started?.players[fault.player - 1].color}`);
  add("What", `${endingWords(fault.termination)} in ${fault.call}`);
  add("Why", fault.detail);
  add("Move", fault.ply);
  add("Answer", fault.move?.join(", "));
  add("Signal", fault.signal);
  add("Exit status", fault.exit_code);
  add("Position", fault.position);
  byId("faults").append(list);
  if (fault.backtrace?.length) byId("faults").append(make("h3", "Where it was"), make("pre", fault.backtrace.join("\n"), { class: "log", tabindex: 0 }));
  if (fault.log_tail?.length) byId("faults").append(make("h3", "What it printed last"), make("pre", fault.log_tail.join("\n"), { class: "log", tabindex: 0 }));
  byId("faults").hidden = false;
}

function finish(end) {
  isOver = true;
  engine?.then((one) => one.follow());
  const formats = ["sgf", "pgn", "fen", "svg", "png", "gif", "html"];
  const links = formats.map((name) => [name, `/api/games/${game}/as/${name}`]);
  viewer.offer([["record", `/api/games/${game}/record`], ...links]);
  viewer.think(null);
  tell(end.termination === "void" ? "The game is void and may be played again." : "The game is over.");
  showLogs();
}

// ---- what the players print -----------------------------------------------------------------------------------------

const logs = [1, 2].map((number) => {
  const title = make("h3", `Player ${number}`);
  const text = make("pre", "", { class: "log", tabindex: 0, "aria-label": `Output of player ${number}` });
  byId("logs").append(title, text);
  title.hidden = text.hidden = true;
  return { number, title, text };
});

async function showLogs() {
  for (const { number, title, text } of logs) {
    if (!started || !(printsHere || started.players[number - 1].log)) continue;
    const answer = await fetch(`${base}/api/games/${game}/log/${number}`).catch(() => null);
    if (!answer?.ok) continue;
    const told = await answer.text();
    if (!told) continue;
    title.textContent = `Player ${number}, ${started.players[number - 1].color}`;
    if (text.textContent !== told) text.textContent = told;
    title.hidden = text.hidden = byId("logs").hidden = false;
  }
}

setInterval(() => started && !isOver && !document.hidden && showLogs(), 3000);

// ---- the stream -----------------------------------------------------------------------------------------------------

function hear({ data }) {
  let event;
  try {
    // Older records have seeds that are inexact as numbers here.
    event = JSON.parse(data.replace(/"seed":(\d{16,})/, '"seed":"$1"'));
  } catch {
    tell("A line of the record is no event.");
    return;
  }
  if (event === null) return;
  take(event);
  // After the end of a void game another may follow.
  if (event.event === "end" && event.termination !== "void") {
    // Where it was played, another game may follow.
    if (!printsHere) stream.close();
  } else if (event.event !== "end") viewer.think(performance.now());
}

let stream = null;

function follow() {
  stream = new Stream(
    `${base || `/api/games/${game}`}/events`,
    {
      message: hear,
      prints() {
        printsHere = true;
        // The server may end with the game.
        stream.looksIn = true;
        showLogs();
      },
      patience: ({ data }) => (viewer.patience = Number(data)),
      waited: ({ data }) => setTimeout(() => isOver || viewer.think(performance.now() - Number(data)), 20),
      // For the page of who plays.
      turn: ({ data }) => hearTurn(JSON.parse(data)),
      others: (count) => base && tellTabs(count),
      lost(text) {
        if (isOver) return base ? endOffer() : stream.close();
        tell(text);
        viewer.think(null);
      },
    },
    base || null,
    game,
  );
}

tell("Loading.");
// When all scripts are there.
document.addEventListener("DOMContentLoaded", follow);
