// A small drawing of a position: a few paths, whatever happens; and the card of a game with one.
"use strict";

class SmallBoard {
  static SVG = "http://www.w3.org/2000/svg";
  // Of larger boards nothing could be seen.
  static LARGEST = 60;
  static CROWN = "l-4-26l12 13l8-19l8 19l12-13l-4 26z";

  /**
   * `node` is what to show, or null for a board that is too large or a position that cannot be read.
   * @param {Partial<Pick<Summary, "columns" | "rows" | "holes">>} board @param {string} position
   */
  constructor({ columns, rows, holes = [] }, position) {
    this.columns = columns;
    this.paths = {};
    this.node = null;
    if (Math.max(columns, rows) > SmallBoard.LARGEST) return;
    this.holes = new Set(holes);
    this.stones = this.parse(position);
    if (this.stones.length !== columns * rows) return;
    this.node = document.createElementNS(SmallBoard.SVG, "svg");
    this.node.setAttribute("viewBox", `0 0 ${100 * columns} ${100 * rows}`);
    this.node.setAttribute("class", "board");
    this.node.setAttribute("aria-hidden", "true");
    for (const name of ["light", "dark", "tint", "arrow", "cross", "black-queens", "black-crowns", "white-queens", "white-crowns", "last"]) {
      this.paths[name] = document.createElementNS(SmallBoard.SVG, "path");
      this.paths[name].setAttribute("class", name);
      this.node.append(this.paths[name]);
    }
    const ground = { light: "", dark: "" };
    for (let vertex = 0; vertex < this.stones.length; vertex += 1) {
      const [x, y] = this.corner(vertex);
      if (!this.holes.has(vertex)) ground[(x + y) % 200 ? "dark" : "light"] += `M${x} ${y}h100v100h-100z`;
    }
    this.draw(ground);
    this.show(null);
  }

  parse(position) {
    const stones = [];
    for (const [piece] of position.split(" ")[0].matchAll(/\d+|[qQ*]/g)) {
      for (let count = /\d/.test(piece) ? Math.min(Number(piece), SmallBoard.LARGEST) : 1; count > 0; count -= 1) stones.push(/\d/.test(piece) ? " " : piece);
    }
    return stones.map((stone, vertex) => (this.holes.has(vertex) ? " " : stone));
  }

  play(move) {
    if (!this.node) return;
    this.stones[move.to] = this.stones[move.from];
    if (move.from !== move.to) this.stones[move.from] = " ";
    this.stones[move.arrow] = "*";
  }

  // Draws all stones, and the way of the last move.
  show(move) {
    if (!this.node) return;
    const drawn = { arrow: "", cross: "", "black-queens": "", "black-crowns": "", "white-queens": "", "white-crowns": "", tint: "", last: "" };
    this.stones.forEach((stone, vertex) => {
      if (stone === " ") return;
      const [x, y] = this.corner(vertex);
      if (stone === "*") {
        drawn.arrow += `M${x + 10} ${y + 10}h80v80h-80z`;
        drawn.cross += `M${x + 32} ${y + 32}l36 36M${x + 32} ${y + 68}l36-36`;
      } else {
        const side = stone === "q" ? "black" : "white";
        drawn[`${side}-queens`] += stone === "q" ? `M${x + 9} ${y + 50}a41 41 0 1 0 82 0a41 41 0 1 0-82 0z` : `M${x + 50} ${y + 4}l46 46l-46 46l-46-46z`;
        drawn[`${side}-crowns`] += `M${x + 34} ${y + 64}${SmallBoard.CROWN}`;
      }
    });
    if (move) {
      const middle = (vertex) => this.corner(vertex).map((side) => side + 50).join(" ");
      drawn.tint = [move.from, move.to].map((vertex) => `M${this.corner(vertex).join(" ")}h100v100h-100z`).join("");
      drawn.last = `M${middle(move.to)}L${middle(move.arrow)}`;
    }
    this.draw(drawn);
  }

  draw(paths) {
    for (const [name, path] of Object.entries(paths)) this.paths[name].setAttribute("d", path);
  }

  corner(vertex) {
    return [100 * (vertex % this.columns), 100 * Math.floor(vertex / this.columns)];
  }
}

// Says how a listed game ended, or how far it is.
function endedText(game) {
  const after = game.moves == null ? "" : ` after ${counted(game.moves, "move")}`;
  if (game.state !== "over") return { live: "in progress", cut_off: "cut off", broken: "not a record" }[game.state] + after;
  return endingText(game.ending, { black: game.white, white: game.black }[game.winner]) + after;
}

/**
 * Returns the card of a listed game: its last position, who beat whom, and how.
 * @param {ListedGame} game
 */
function gameCard(game) {
  const card = make("a", "", { class: "card", href: placeOf(`/game/${game.id}`) });
  // Of a game that goes on, the list knows only the board.
  if (game.board) card.append(new SmallBoard(game, game.position ?? `${game.columns}/`.repeat(game.rows)).node ?? "");
  const names = make("div", "", { class: "names" });
  const [one, two] = game.winner === "white" ? [game.white, game.black] : [game.black, game.white];
  if (game.error == null) names.append(make("bdi", one), make("span", game.winner ? " beat " : " and ", { class: "plain" }), make("bdi", two, { class: game.winner ? "plain" : "" }));
  else names.append(game.name);
  card.append(names, make("div", game.error ?? endedText(game), { class: "soft" }));
  if (game.board) card.append(make("div", game.board, { class: "soft" }));
  return card;
}

// Returns an item of a list with a node in it.
function item(node) {
  const made = make("li");
  made.append(node);
  return made;
}
