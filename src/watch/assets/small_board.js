// A small drawing of a game that is being played: five paths, whatever happens.
"use strict";

class SmallBoard {
  static SVG = "http://www.w3.org/2000/svg";
  // Of larger boards nothing could be seen.
  static LARGEST = 60;

  // Takes the start of a game; `node` is what to show, or null for a board that is too large.
  constructor(start) {
    this.columns = start.board.columns;
    this.rows = start.board.rows;
    this.node = null;
    if (Math.max(this.columns, this.rows) > SmallBoard.LARGEST) return;
    this.holes = new Set(start.board.holes);
    this.stones = this.parse(start.position);
    this.node = document.createElementNS(SmallBoard.SVG, "svg");
    this.node.setAttribute("viewBox", `0 0 ${100 * this.columns} ${100 * this.rows}`);
    this.node.setAttribute("class", "board");
    this.node.setAttribute("aria-hidden", "true");
    this.paths = {};
    for (const name of ["light", "dark", "arrows", "black-queens", "white-queens", "last"]) {
      this.paths[name] = document.createElementNS(SmallBoard.SVG, "path");
      this.paths[name].setAttribute("class", name);
      this.node.append(this.paths[name]);
    }
    const parity = (vertex) => ((vertex % this.columns) + Math.floor(vertex / this.columns)) % 2;
    const free = Array.from(this.stones.keys()).filter((vertex) => !this.holes.has(vertex));
    const square = ([x, y]) => `M${x} ${y}h100v100h-100z`;
    ["light", "dark"].forEach((name, odd) => this.draw(name, free.filter((vertex) => parity(vertex) === odd), square));
    this.show(null);
  }

  parse(position) {
    const stones = [];
    for (const [piece] of position.split(" ")[0].matchAll(/\d+|[qQ*]/g)) {
      if (/\d/.test(piece)) stones.push(...Array(Number(piece)).fill(" "));
      else stones.push(piece);
    }
    return stones.map((stone, vertex) => (this.holes.has(vertex) ? " " : stone));
  }

  play(move) {
    if (!this.node) return;
    this.stones[move.to] = this.stones[move.from];
    if (move.from !== move.to) this.stones[move.from] = " ";
    this.stones[move.arrow] = "*";
    this.show(move);
  }

  show(move) {
    const of = (piece) => Array.from(this.stones.keys()).filter((vertex) => this.stones[vertex] === piece);
    this.draw("black-queens", of("q"), ([x, y]) => `M${x + 10} ${y + 50}a40 40 0 1 0 80 0a40 40 0 1 0-80 0z`);
    this.draw("white-queens", of("Q"), ([x, y]) => `M${x + 50} ${y + 6}l44 44l-44 44l-44-44z`);
    this.draw("arrows", of("*"), ([x, y]) => `M${x + 14} ${y + 14}h72v72h-72z`);
    const middle = (vertex) => this.corner(vertex).map((side) => side + 50).join(" ");
    this.paths.last.setAttribute("d", move ? `M${middle(move.from)}L${middle(move.to)}L${middle(move.arrow)}` : "");
  }

  draw(name, vertices, shape) {
    this.paths[name].setAttribute("d", vertices.map((vertex) => shape(this.corner(vertex))).join(""));
  }

  corner(vertex) {
    return [100 * (vertex % this.columns), 100 * Math.floor(vertex / this.columns)];
  }
}
