// The list of games, a hundred at a time.
const step = 100;
let from = Number(new URLSearchParams(location.search).get("from")) || 0;

function row(game) {
  const name = `${game.file ? `${game.file}, ` : ""}table ${game.table}, game ${game.game}`;
  const cell = make("td");
  cell.append(make("a", name, { href: `/game/${game.id}` }));
  const made = make("tr");
  made.append(cell, make("td", game.seats.join(", ")), make("td", game.turns, { class: "number" }));
  made.append(make("td", game.ending ?? "still open"));
  return made;
}

async function load() {
  try {
    const answer = await fetch(`/api/games?from=${from}`);
    const list = await answer.json();
    const rows = list.games.map(row);
    const focused = document.activeElement?.getAttribute("href");
    byId("games").replaceChildren(...rows);
    if (focused) /** @type {HTMLElement} */ (document.querySelector(`a[href="${focused}"]`))?.focus();
    byId("defects").replaceChildren(...list.defects.map((defect) => make("li", defect)));
    byId("newer").hidden = from === 0;
    byId("older").hidden = from + step >= list.total;
    tell(list.total ? `Games ${from + 1} to ${from + rows.length} of ${list.total}.` : "There are no games yet.");
  } catch {
    tell("The server does not answer: is cluedo still running?");
  }
}

function go(to) {
  from = Math.max(0, to);
  history.replaceState(null, "", from ? `?from=${from}` : "/");
  load();
}

byId("newer").addEventListener("click", () => go(from - step));
byId("older").addEventListener("click", () => go(from + step));
setInterval(() => document.hidden || load(), 4000);
load();
