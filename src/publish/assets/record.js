// The page of one published game, whose name is behind the question mark.
"use strict";

const at = published.games.findIndex(([pair, number]) => `${pair}-${number}` === location.search.slice(1));

function showGame() {
  const { id, black, white, winner, ending } = published.row(published.games[at], at);
  const { name, ...board } = published.boards[published.games[at][4]];
  const [position, moves, times, detail] = published.records[id];
  const taken = times.split(" ");
  const squares = Object.assign(Object.create(AmazonsBoard.prototype), board);
  byId("title").replaceChildren(make("bdi", black), " (black) against ", make("bdi", white), " (white)");
  document.title = byId("title").textContent;
  window.viewer = new AmazonsViewer(byId("viewer"), {
    board,
    position,
    players: { black, white },
    about: [["Event", published.event.title], ["Game", id], ["Board", name]],
    moves: (moves ? moves.split(" ") : []).map((text, ply) => ({ ...squares.parseMove(text), time_us: 1000 * Number(taken[ply]) })),
    result: { winner, ending, detail },
    files: {},
  });
}

if (published.games[at]) {
  for (const [id, other] of Object.entries({ before: at - 1, after: at + 1 })) {
    if (published.games[other]) byId(id).href = placeOf(`/game/${published.games[other].slice(0, 2).join("-")}`);
    else byId(id).hidden = true;
  }
  const records = make("script", "", { src: `data/records-${Math.floor((published.games[at][0] - 1) / published.event.chunk)}.js` });
  records.addEventListener("load", showGame);
  document.head.append(records);
} else {
  byId("title").textContent = "There is no such game";
  byId("around").hidden = true;
}
