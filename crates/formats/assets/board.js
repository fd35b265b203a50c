// A board of the Amazons as a picture in the page: squares, stones, the last move, territory. It knows no games.
"use strict";

class AmazonsBoard {
  static SVG = "http://www.w3.org/2000/svg";
  static CELL = 100;
  // Larger boards are shaded so often at most, in milliseconds: that takes longer to draw than a frame lasts.
  static SHADED_AT_ONCE = 2500;
  static SHADING_INTERVAL = 250;

  constructor() {
    this.board = this.svg("svg", { class: "board", role: "img" });
  }

  // Shows a board, {columns, rows, holes}, and the position of this text on it.
  setUp({ columns, rows, holes }, position) {
    this.columns = columns;
    this.rows = rows;
    this.holes = new Set(holes);
    this.closed = new Uint8Array(columns * rows);
    this.holes.forEach((hole) => (this.closed[hole] = 1));
    // Labels of a large board can be read.
    this.margin = Math.max(15, 3 * Math.max(columns, rows));
    this.start = this.parse(position);
    this.stones = Int8Array.from(this.start.stones);
    this.drawAll();
  }

  drawAll() {
    this.drawn = new Map();
    this.changedRows = new Set();
    this.drawGround();
    for (let vertex = 0; vertex < this.stones.length; vertex += 1) this.patch(vertex);
    this.drawArrows();
  }

  // Turns the board around.
  flip() {
    this.isFlipped = !this.isFlipped;
    this.drawAll();
  }

  // Reads ranks, the side to move and the number of the move of a position text: 1 and 2 are queens of Black and White, 3 is an arrow.
  parse(text) {
    const [ranks, side, , , , number] = text.split(" ");
    const stones = [];
    for (const [piece] of ranks.matchAll(/\d+|[qQ*]/g)) {
      const kind = { q: 1, Q: 2, "*": 3 }[piece];
      if (kind) stones.push(kind);
      else for (let free = Number(piece); free > 0; free -= 1) stones.push(0);
    }
    stones.forEach((_, vertex) => {
      if (this.holes.has(vertex)) stones[vertex] = 0;
    });
    return { stones, first: side === "b" ? 0 : 1, number: Number(number) || 1 };
  }

  // Writes the text of the position that is shown, as the server does.
  writePosition(side, number) {
    const { stones, closed, columns } = this;
    let [ranks, free] = ["", 0];
    stones.forEach((stone, vertex) => {
      if (vertex && vertex % columns === 0) ranks += "/";
      const piece = closed[vertex] ? "*" : ["", "q", "Q", "*"][stone];
      free = piece ? 0 : free + 1;
      const isEnd = !piece && ((vertex + 1) % columns === 0 || closed[vertex + 1] || stones[vertex + 1]);
      ranks += piece || (isEnd ? free : "");
      if (isEnd) free = 0;
    });
    return `${ranks} ${"bw"[side]} - - 0 ${number}`;
  }

  svg(tag, attributes = {}, text = "") {
    const made = document.createElementNS(AmazonsBoard.SVG, tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.textContent = text;
    return made;
  }

  file(column) {
    let name = "";
    for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
      name = String.fromCharCode(97 + ((rest - 1) % 26)) + name;
    }
    return name;
  }

  // Returns the vertex of a square's name, or null.
  vertexOf(square) {
    const [, file, rank] = /^([a-z]{1,2})([1-9]\d{0,2})$/.exec(square ?? "") ?? [];
    const column = [...(file ?? "")].reduce((sum, letter) => 26 * sum + letter.charCodeAt(0) - 96, 0) - 1;
    const row = this.rows - Number(rank);
    return column >= 0 && column < this.columns && row >= 0 && row < this.rows ? row * this.columns + column : null;
  }

  // Reads a move such as d1-d7/g7; returns null where there are no such squares.
  parseMove(text) {
    const [from, to, arrow] = String(text).split(/[-/]/).map((square) => this.vertexOf(square));
    return [from, to, arrow].some((vertex) => vertex == null) ? null : { from, to, arrow, text };
  }

  // Returns the place of a vertex, or the vertex at a place: both count from the top left.
  place(vertex) {
    return this.isFlipped ? this.stones.length - 1 - vertex : vertex;
  }

  center(vertex) {
    const { margin } = this;
    const { CELL } = AmazonsBoard;
    const place = this.place(vertex);
    const column = place % this.columns;
    return [margin + CELL * (column + 0.5), margin + CELL * ((place - column) / this.columns + 0.5)];
  }

  // Returns the path of squares without a rim.
  squares(vertices) {
    const half = AmazonsBoard.CELL / 2;
    return vertices.map((vertex) => {
      const [x, y] = this.center(vertex);
      return `M${x - half} ${y - half}h${2 * half}v${2 * half}h${-2 * half}z`;
    }).join("");
  }

  // Returns the squares of a row in their two colours: what is drawn again after a move is a few rows, not all.
  groundOf(row) {
    const kinds = [[], []];
    for (let column = 0; column < this.columns; column += 1) {
      const vertex = row * this.columns + column;
      if (!this.closed[vertex]) kinds[(column + row) % 2].push(vertex);
    }
    return [this.svg("path", { class: "light", d: this.squares(kinds[0]) }), this.svg("path", { class: "dark", d: this.squares(kinds[1]) })];
  }

  // Returns the width and height of the drawing.
  size() {
    return [this.columns, this.rows].map((count) => count * AmazonsBoard.CELL + 2 * this.margin);
  }

  // Writes the names of files and ranks at the edges of the part that is seen, as large as `zoom` makes them.
  drawLabels(left = 0, bottom = this.size()[1], zoom = 1) {
    const { CELL } = AmazonsBoard;
    const margin = this.margin / zoom;
    const every = Math.ceil(margin / CELL);
    const labels = [];
    const label = (x, y, text) => labels.push(this.svg("text", { x, y }, text));
    for (let column = 0; column < this.columns; column += every) {
      label(this.margin + CELL * (column + 0.5), bottom - margin / 2, this.file(this.isFlipped ? this.columns - 1 - column : column));
    }
    for (let row = 0; row < this.rows; row += every) {
      label(left + margin / 2, this.margin + CELL * (row + 0.5), String(this.isFlipped ? row + 1 : this.rows - row));
    }
    this.labels.setAttribute("font-size", Math.round((margin * 5) / 6));
    this.labels.replaceChildren(...labels);
  }

  drawGround() {
    this.board.setAttribute("viewBox", `0 0 ${this.size().join(" ")}`);
    const ground = Array.from({ length: this.rows }, (_, row) => this.groundOf(row)).flat();
    this.labels = this.svg("g", { class: "label" });
    this.drawLabels();
    this.drawnLand = ["", ""];
    this.ownLayer = this.svg("g");
    this.land = [this.svg("path", { class: "black-land" }), this.svg("path", { class: "white-land" })];
    this.arrows = Array.from({ length: this.rows }, () => [this.svg("path", { class: "arrow" }), this.svg("path", { class: "cross" })]);
    this.tint = this.svg("path", { class: "tint" });
    this.way = this.svg("g", { class: "way" });
    this.lineLayer = this.svg("g", { class: "line-layer" });
    this.queens = this.svg("g");
    this.board.replaceChildren(
      ...ground, ...this.land, this.ownLayer, this.tint, ...this.arrows.flat(), this.way, this.lineLayer, this.queens, this.labels,
    );
  }

  // Makes the drawing of a vertex what its stone is; arrows wait for drawArrows.
  patch(vertex) {
    this.changedRows.add(Math.floor(vertex / this.columns));
    const queen = this.stones[vertex] === 3 ? 0 : this.stones[vertex];
    const before = this.drawn.get(vertex);
    if ((before?.queen ?? 0) === queen) return;
    before?.node.remove();
    this.drawn.delete(vertex);
    if (!queen) return;
    const [x, y] = this.center(vertex);
    const node = this.svg("g", { transform: `translate(${x} ${y})`, class: ["", "black-queen", "white-queen"][queen] });
    node.append(
      queen === 1 ? this.svg("circle", { r: 41 }) : this.svg("path", { d: "M0-46L46 0L0 46L-46 0Z" }),
      this.svg("path", { class: "crown", d: "M-16 14L-20-12L-8 1L0-18L8 1L20-12L16 14Z" }),
    );
    this.queens.append(node);
    this.drawn.set(vertex, { queen, node });
  }

  // Sets the stones of a move as its queen, 1 or 2, plays it; patch and drawArrows draw them.
  put(move, queen) {
    this.stones[move.from] = 0;
    this.stones[move.to] = queen;
    this.stones[move.arrow] = 3;
  }

  // Draws the arrows of a row as one path, or a large board would have thousands of nodes.
  drawArrows() {
    for (const row of this.changedRows) {
      let [blocks, crosses] = ["", ""];
      for (let vertex = row * this.columns; vertex < (row + 1) * this.columns; vertex += 1) {
        if (this.stones[vertex] !== 3) continue;
        const [x, y] = this.center(vertex);
        blocks += `M${x - 38} ${y - 38}h76v76h-76z`;
        crosses += `M${x - 20} ${y - 20}l40 40M${x - 20} ${y + 20}l40-40`;
      }
      const [block, cross] = this.arrows[row];
      block.setAttribute("d", blocks);
      cross.setAttribute("d", crosses);
    }
    this.changedRows.clear();
  }

  // Draws the way of a move. An arrow that flies back over it, to where the queen stood or beyond, has a lane beside it.
  drawWay(move) {
    this.way.replaceChildren();
    this.tint.setAttribute("d", move ? this.squares([move.from, move.to]) : "");
    if (!move) return;
    const [from, to, arrow] = [move.from, move.to, move.arrow].map((vertex) => this.center(vertex));
    const signs = (start, end) => [Math.sign(end[0] - start[0]), Math.sign(end[1] - start[1])];
    const [right, down] = signs(from, to);
    const [left, up] = signs(to, arrow);
    const lane = right === -left && down === -up ? 12 : 0;
    const line = (start, end, side) =>
      `M${start[0] - side * down} ${start[1] + side * right}L${end[0] - side * down} ${end[1] + side * right}`;
    this.way.append(
      this.svg("path", { class: "path", d: line(from, to, -lane) }),
      this.svg("path", { class: "shot", d: line(to, arrow, lane) }),
      this.svg("path", { class: "hit", d: `M${arrow[0] - 44} ${arrow[1] - 44}h88v88h-88z` }),
    );
  }

  // Shades a small board at once, and a large one as soon as it may be; the last position is shaded in any case.
  shade(isOn) {
    clearTimeout(this.shadeTimer);
    const due = (this.shadedAt ?? -Infinity) + AmazonsBoard.SHADING_INTERVAL - performance.now();
    if (this.stones.length > AmazonsBoard.SHADED_AT_ONCE && due > 0) {
      this.shadeTimer = setTimeout(() => this.shade(isOn), due);
      return;
    }
    this.drawLand(isOn);
    this.shadedAt = performance.now();
  }

  drawLand(isOn) {
    this.lands = isOn ? this.territories() : [[], []];
    this.land.forEach((path, side) => {
      const drawn = this.stripes(this.lands[side]);
      if (drawn !== this.drawnLand[side]) path.setAttribute("d", drawn);
      this.drawnLand[side] = drawn;
    });
  }

  // Lists the free vertices that Black's queens reach in fewer moves than White's, and the others.
  territories() {
    const lands = [[], []];
    const [black, white] = [this.distances(1), this.distances(2)];
    black.forEach((distance, vertex) => {
      if (distance !== white[vertex] && !this.stones[vertex]) lands[distance < white[vertex] ? 0 : 1].push(vertex);
    });
    return lands;
  }

  // Returns the path of squares, neighbours in a row joined: fewer corners are drawn faster.
  stripes(vertices) {
    const { CELL } = AmazonsBoard;
    const places = vertices.map((vertex) => this.place(vertex));
    if (this.isFlipped) places.reverse();
    let path = "";
    for (let at = 0; at < places.length; ) {
      const column = places[at] % this.columns;
      let count = 1;
      while (places[at + count] === places[at] + count && column + count < this.columns) count += 1;
      path += `M${this.margin + CELL * column} ${this.margin + (CELL * (places[at] - column)) / this.columns}h${count * CELL}v${CELL}h${-count * CELL}z`;
      at += count;
    }
    return path;
  }

  // Counts queen moves from one side's queens to each free vertex; 255 where it cannot get.
  distances(side) {
    const { columns, rows, stones, closed } = this;
    const far = new Uint8Array(stones.length).fill(255);
    let frontier = [];
    for (let vertex = 0; vertex < stones.length; vertex += 1) if (stones[vertex] === side) frontier.push(vertex);
    for (let distance = 1; frontier.length && distance < 255; distance += 1) {
      const next = [];
      for (const from of frontier) {
        const column = from % columns;
        const row = (from - column) / columns;
        for (let way = 0; way < 9; way += 1) {
          const right = (way % 3) - 1;
          const down = Math.floor(way / 3) - 1;
          if (way === 4) continue;
          const across = right < 0 ? column : right > 0 ? columns - 1 - column : Infinity;
          const along = down < 0 ? row : down > 0 ? rows - 1 - row : Infinity;
          for (let steps = Math.min(across, along), to = from + down * columns + right; steps > 0; steps -= 1, to += down * columns + right) {
            if (stones[to] || closed[to] || far[to] < distance) break;
            if (far[to] === 255) next.push(to);
            far[to] = distance;
          }
        }
      }
      frontier = next;
    }
    return far;
  }

  // Returns the board as a picture of its own, with the colours of this page.
  picture() {
    const copy = /** @type {SVGElement} */ (this.board.cloneNode(true));
    const [width, height] = this.size().map(String);
    copy.setAttribute("viewBox", `0 0 ${width} ${height}`);
    copy.setAttribute("xmlns", AmazonsBoard.SVG);
    copy.setAttribute("width", width);
    copy.setAttribute("height", height);
    const originals = this.board.querySelectorAll("*");
    copy.querySelectorAll("*").forEach((node, index) => {
      const style = getComputedStyle(originals[index]);
      for (const name of ["fill", "opacity", "stroke", "stroke-width", "stroke-dasharray", "font-size", "text-anchor", "dominant-baseline"]) {
        node.setAttribute(name, style.getPropertyValue(name));
      }
    });
    const ground = this.svg("rect", { width, height, fill: getComputedStyle(document.body).backgroundColor });
    copy.prepend(ground);
    return new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" });
  }
}
