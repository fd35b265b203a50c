// A viewer for games of the Amazons: one class, no dependencies, no requests.
//
//   const viewer = new AmazonsViewer(element, game);   // game: see readGame, or null for a live game
//   viewer.addEvent(event);                            // an event of a record: start, move, fault, end
//   viewer.go(ply);                                    // 0 is the start
//
// Whatever comes from a game is put into the page as text, never as markup.
"use strict";

class AmazonsViewer {
  static SVG = "http://www.w3.org/2000/svg";
  static CELL = 100;
  static MARGIN = 60;
  static COLORS = ["black", "white"];
  // Drawn, because not every font has them.
  static ICONS = {
    first: "M5 5h3v14H5z M20 5v14L9 12z",
    back: "M17 5v14L6 12z",
    play: "M7 5v14l12-7z",
    pause: "M6 5h4v14H6z M14 5h4v14h-4z",
    on: "M7 5v14l11-7z",
    last: "M16 5h3v14h-3z M4 5v14l11-7z",
  };

  constructor(root, game) {
    this.root = root;
    this.ply = 0;
    this.timer = null;
    this.follows = true;
    this.build();
    document.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("hashchange", () => this.goToHash());
    if (game) {
      this.load(game);
      if (!this.goToHash()) this.go(0);
    }
  }

  // Shows another game: {board: {columns, rows, holes}, position, players: {black, white}, about: [[what, text]],
  // moves: [{from, to, arrow, text, time_us, left_us, value, comment}], result, files: {name: text}}.
  load(game) {
    this.stop();
    this.game = game;
    this.columns = game.board.columns;
    this.rows = game.board.rows;
    this.holes = new Set(game.board.holes);
    this.start = this.parse(game.position);
    this.stones = Int8Array.from(this.start.stones);
    this.drawn = new Map();
    this.ply = 0;
    this.follows = true;
    this.drawGround();
    for (let vertex = 0; vertex < this.stones.length; vertex += 1) this.patch(vertex);
    this.describe();
    this.list.replaceChildren();
    game.moves.forEach((move, index) => this.listMove(move, index + 1));
    this.lengthChanged();
    this.show();
  }

  // Takes an event of a record; a viewer that shows the last position goes on to the new one.
  addEvent(event) {
    const atEnd = this.game && this.ply === this.game.moves.length;
    if (event.event === "start") {
      const name = (color) => {
        const player = event.players.find((one) => one.color === color);
        return player && (player.name || player.file);
      };
      this.load({
        board: event.board,
        position: event.position,
        players: { black: name("black"), white: name("white") },
        colors: event.players.map((player) => player.color),
        about: [],
        moves: [],
        result: null,
        files: {},
      });
    } else if (!this.game) {
      return;
    } else if (event.event === "move") {
      const time = event.cpu_us ?? event.wall_us;
      const { from, to, arrow, text, left_us, value, comment } = event;
      this.game.moves.push({ from, to, arrow, text, time_us: time, left_us, value, comment });
      this.listMove(this.game.moves.at(-1), this.game.moves.length);
      this.lengthChanged();
      if (atEnd && this.follows) this.go(this.game.moves.length);
    } else if (event.event === "fault") {
      const color = this.game.colors?.[event.player - 1];
      this.game.fault = `${color}: ${event.termination} in ${event.call}: ${event.detail}`;
      this.show();
    } else if (event.event === "end") {
      const winner = event.winner && this.game.colors ? this.game.colors[event.winner - 1] : null;
      this.game.result = { winner, ending: event.termination, detail: this.game.fault || event.detail };
      this.describe();
      this.show();
      this.announce();
    }
  }

  // ---- positions -------------------------------------------------------------------------------------------------

  // Reads ranks and the side to move of a position text: 1 and 2 are queens of Black and White, 3 is an arrow.
  parse(text) {
    const [ranks, side] = text.split(" ");
    const stones = [];
    for (const [piece] of ranks.matchAll(/\d+|[qQ*]/g)) {
      const kind = { q: 1, Q: 2, "*": 3 }[piece];
      if (kind) stones.push(kind);
      else for (let free = Number(piece); free > 0; free -= 1) stones.push(0);
    }
    stones.forEach((stone, vertex) => {
      if (this.holes.has(vertex)) stones[vertex] = 0;
    });
    return { stones, first: side === "b" ? 0 : 1 };
  }

  // Returns whose move leads to a ply: 0 for Black, 1 for White.
  mover(ply) {
    return (this.start.first + ply + 1) % 2;
  }

  play(move, ply) {
    this.stones[move.from] = 0;
    this.stones[move.to] = 1 + this.mover(ply);
    this.stones[move.arrow] = 3;
  }

  undo(move, ply) {
    this.stones[move.arrow] = 0;
    this.stones[move.to] = 0;
    this.stones[move.from] = 1 + this.mover(ply);
  }

  // Goes to a moment of the game, and redraws only what changes on the way.
  go(ply) {
    if (!this.game) return;
    const target = Math.max(0, Math.min(ply, this.game.moves.length));
    const touched = new Set();
    const touch = (move) => [move.from, move.to, move.arrow].forEach((vertex) => touched.add(vertex));
    while (this.ply < target) {
      const move = this.game.moves[this.ply];
      this.ply += 1;
      this.play(move, this.ply);
      touch(move);
    }
    while (this.ply > target) {
      const move = this.game.moves[this.ply - 1];
      this.undo(move, this.ply);
      this.ply -= 1;
      touch(move);
    }
    touched.forEach((vertex) => this.patch(vertex));
    this.follows = target === this.game.moves.length;
    this.show();
    this.announce();
    this.noteHash();
  }

  // Counts queen moves from one side's queens to each free vertex; 255 where it cannot get.
  distances(side) {
    const far = new Uint8Array(this.stones.length).fill(255);
    let frontier = [];
    this.stones.forEach((stone, vertex) => stone === side && frontier.push(vertex));
    const steps = [[-1, -1], [-1, 0], [-1, 1], [0, -1], [0, 1], [1, -1], [1, 0], [1, 1]];
    for (let distance = 1; frontier.length && distance < 255; distance += 1) {
      const next = [];
      for (const from of frontier) {
        const column = from % this.columns;
        const row = (from - column) / this.columns;
        for (const [down, right] of steps) {
          for (let x = column + right, y = row + down; x >= 0 && y >= 0 && x < this.columns && y < this.rows; x += right, y += down) {
            const to = y * this.columns + x;
            if (this.stones[to] || this.holes.has(to) || far[to] < distance) break;
            if (far[to] === 255) next.push(to);
            far[to] = distance;
          }
        }
      }
      frontier = next;
    }
    return far;
  }

  // ---- the page --------------------------------------------------------------------------------------------------

  element(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
      else made.setAttribute(name, value);
    }
    made.append(...children);
    return made;
  }

  svg(tag, attributes = {}, text = "") {
    const made = document.createElementNS(AmazonsViewer.SVG, tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.textContent = text;
    return made;
  }

  icon(name) {
    const icon = this.svg("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" });
    icon.append(this.svg("path", { d: AmazonsViewer.ICONS[name] }));
    return icon;
  }

  build() {
    const button = (label, icon, action) =>
      this.element("button", { type: "button", "aria-label": label, title: label, onclick: action }, this.icon(icon));
    this.board = this.svg("svg", { class: "board", role: "img" });
    this.clocks = AmazonsViewer.COLORS.map((color) => this.element("div", { class: `player ${color}` }));
    this.slider = this.element("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": "Move", oninput: () => this.go(Number(this.slider.value)) });
    this.number = this.element("output", { class: "number" }, "0");
    this.autoplay = button("Play (Space)", "play", () => this.toggle());
    this.speed = this.element("select", { "aria-label": "Speed" });
    for (const [text, ms] of [["0.5 ×", 2000], ["1 ×", 1000], ["2 ×", 500], ["5 ×", 200], ["10 ×", 100]]) {
      this.speed.append(this.element("option", { value: ms }, text));
    }
    this.speed.value = "1000";
    this.speed.addEventListener("change", () => this.timer && (this.stop(), this.toggle()));
    this.shading = this.element("input", { type: "checkbox", onchange: () => this.show() });
    const key = (color) => this.element("span", { class: `key ${color}` });
    const controls = this.element(
      "div",
      { class: "controls", role: "group", "aria-label": "Playback" },
      button("First position (Home)", "first", () => this.go(0)),
      button("One move back (Left)", "back", () => this.go(this.ply - 1)),
      this.autoplay,
      button("One move on (Right)", "on", () => this.go(this.ply + 1)),
      button("Last position (End)", "last", () => this.go(Infinity)),
      this.speed,
      this.element("label", {}, this.shading, " territory of ", key("black"), " black and ", key("white"), " white"),
    );
    this.status = this.element("p", { class: "status" });
    this.comment = this.element("p", { class: "comment" });
    this.fault = this.element("p", { class: "fault" });
    this.graph = this.svg("svg", { class: "graph", role: "img", "aria-label": "Evaluation, Black above", viewBox: "0 0 1000 200", preserveAspectRatio: "none" });
    this.graph.addEventListener("click", (event) => {
      const box = this.graph.getBoundingClientRect();
      this.go(Math.round(((event.clientX - box.left) / box.width) * this.game.moves.length));
    });
    this.list = this.element("ol", { class: "moves", "aria-label": "Moves" });
    this.list.addEventListener("click", (event) => {
      const clicked = event.target.closest("button");
      if (clicked) this.go(Number(clicked.value));
    });
    this.about = this.element("dl", { class: "about" });
    this.files = this.element("p", { class: "files" });
    this.live = this.element("p", { class: "live", "aria-live": "polite" });
    this.root.classList.add("amazons");
    this.root.replaceChildren(
      this.element("div", { class: "left" }, this.clocks[1], this.board, this.clocks[0], controls, this.element("div", { class: "ply" }, this.slider, this.number)),
      this.element("div", { class: "right" }, this.status, this.fault, this.comment, this.graph, this.list, this.about, this.files, this.live),
    );
  }

  file(column) {
    let name = "";
    for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
      name = String.fromCharCode(97 + ((rest - 1) % 26)) + name;
    }
    return name;
  }

  center(vertex) {
    const { CELL, MARGIN } = AmazonsViewer;
    const column = vertex % this.columns;
    return [MARGIN + CELL * (column + 0.5), MARGIN + CELL * ((vertex - column) / this.columns + 0.5)];
  }

  // Returns the path of squares without a rim.
  squares(vertices, rim = 0) {
    const half = AmazonsViewer.CELL / 2 - rim;
    return vertices.map((vertex) => {
      const [x, y] = this.center(vertex);
      return `M${x - half} ${y - half}h${2 * half}v${2 * half}h${-2 * half}z`;
    }).join("");
  }

  drawGround() {
    const { CELL, MARGIN } = AmazonsViewer;
    const [width, height] = [this.columns * CELL + 2 * MARGIN, this.rows * CELL + 2 * MARGIN];
    this.board.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const kinds = [[], []];
    for (let vertex = 0; vertex < this.columns * this.rows; vertex += 1) {
      const column = vertex % this.columns;
      if (!this.holes.has(vertex)) kinds[(column + (vertex - column) / this.columns) % 2].push(vertex);
    }
    const labels = this.svg("g", { class: "label" });
    const label = (x, y, text) => labels.append(this.svg("text", { x, y }, text));
    for (let column = 0; column < this.columns; column += 1) {
      const x = MARGIN + CELL * (column + 0.5);
      label(x, MARGIN / 2, this.file(column));
      label(x, height - MARGIN / 2, this.file(column));
    }
    for (let row = 0; row < this.rows; row += 1) {
      const y = MARGIN + CELL * (row + 0.5);
      label(MARGIN / 2, y, String(this.rows - row));
      label(width - MARGIN / 2, y, String(this.rows - row));
    }
    this.land = [this.svg("path", { class: "black-land" }), this.svg("path", { class: "white-land" })];
    this.arrows = this.svg("g");
    this.way = this.svg("g", { class: "way" });
    this.queens = this.svg("g");
    this.board.replaceChildren(
      this.svg("path", { class: "light", d: this.squares(kinds[0]) }),
      this.svg("path", { class: "dark", d: this.squares(kinds[1]) }),
      ...this.land, labels, this.arrows, this.way, this.queens,
    );
  }

  // Makes the drawing of a vertex what its stone is.
  patch(vertex) {
    const stone = this.stones[vertex];
    const before = this.drawn.get(vertex);
    if (before?.stone === stone || (!before && !stone)) return;
    before?.node.remove();
    this.drawn.delete(vertex);
    if (!stone) return;
    const [x, y] = this.center(vertex);
    const node = this.svg("g", { transform: `translate(${x} ${y})`, class: ["", "black-queen", "white-queen", "arrow"][stone] });
    const crown = () => node.append(this.svg("path", { class: "crown", d: "M-16 14L-20-12L-8 1L0-18L8 1L20-12L16 14Z" }));
    if (stone === 1) {
      node.append(this.svg("circle", { r: 41 }));
      crown();
    } else if (stone === 2) {
      node.append(this.svg("path", { d: "M0-46L46 0L0 46L-46 0Z" }));
      crown();
    } else {
      node.append(this.svg("path", { d: "M-38-38h76v76h-76z" }), this.svg("path", { class: "cross", d: "M-20-20L20 20M-20 20L20-20" }));
    }
    (stone === 3 ? this.arrows : this.queens).append(node);
    this.drawn.set(vertex, { stone, node });
  }

  describe() {
    const add = (what, text) => this.about.append(this.element("dt", {}, what), this.element("dd", {}, text));
    this.about.replaceChildren();
    this.game.about.forEach(([what, text]) => add(what, text));
    this.files.replaceChildren();
    const offer = (name, action) => {
      const label = `Download ${name}`;
      this.files.append(this.element("button", { type: "button", "aria-label": label, onclick: action }, name), " ");
    };
    for (const [name, text] of Object.entries(this.game.files)) {
      offer(name, () => this.download(name, new Blob([text], { type: "text/plain" })));
    }
    offer("position.svg", () => this.download("position.svg", this.picture()));
    offer("position.png", () => this.downloadPixels());
  }

  // Returns the board as a picture of its own, with the colours of this page.
  picture() {
    const copy = this.board.cloneNode(true);
    const [, , width, height] = this.board.getAttribute("viewBox").split(" ");
    copy.setAttribute("xmlns", AmazonsViewer.SVG);
    copy.setAttribute("width", width);
    copy.setAttribute("height", height);
    const originals = this.board.querySelectorAll("*");
    copy.querySelectorAll("*").forEach((node, index) => {
      const style = getComputedStyle(originals[index]);
      for (const name of ["fill", "stroke", "stroke-width", "font-size", "text-anchor", "dominant-baseline"]) {
        node.setAttribute(name, style.getPropertyValue(name));
      }
    });
    const ground = this.svg("rect", { width, height, fill: getComputedStyle(document.body).backgroundColor });
    copy.prepend(ground);
    return new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" });
  }

  // Draws that picture in pixels, 1000 on its longer side.
  downloadPixels() {
    const image = new Image();
    const address = URL.createObjectURL(this.picture());
    image.addEventListener("load", () => {
      const scale = 1000 / Math.max(image.width, image.height);
      const canvas = this.element("canvas", { width: Math.round(image.width * scale), height: Math.round(image.height * scale) });
      canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
      canvas.toBlob((pixels) => this.download("position.png", pixels), "image/png");
      URL.revokeObjectURL(address);
    });
    image.src = address;
  }

  download(name, content) {
    const address = URL.createObjectURL(content);
    const link = this.element("a", { href: address, download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  }

  listMove(move, ply) {
    const color = AmazonsViewer.COLORS[this.mover(ply)];
    const button = this.element("button", { type: "button", value: ply, class: color, "aria-label": `Move ${ply}, ${color}, ${this.words(move)}` });
    button.append(this.element("span", { class: "count", "aria-hidden": "true" }, `${ply}.`), ` ${move.text}`);
    this.list.append(this.element("li", {}, button));
  }

  lengthChanged() {
    this.slider.max = this.game.moves.length;
    this.drawGraph();
  }

  // ---- what is shown of the moment -------------------------------------------------------------------------------

  words(move) {
    const [from, to, arrow] = move.text.split(/[-/]/);
    return `${from} to ${to}, arrow ${arrow}`;
  }

  seconds(us) {
    if (us < 1000) return `${us} µs`;
    return us >= 60e6 ? `${Math.floor(us / 60e6)}:${String(Math.floor(us / 1e6) % 60).padStart(2, "0")}` : `${(us / 1e6).toFixed(us < 1e6 ? 3 : 1)} s`;
  }

  show() {
    if (!this.game) return;
    const { moves, result, players } = this.game;
    const move = moves[this.ply - 1];
    this.drawWay(move);
    this.drawLand();
    this.slider.value = this.ply;
    this.number.textContent = `${this.ply} / ${moves.length}`;
    AmazonsViewer.COLORS.forEach((color, side) => this.showClock(color, side, players[color]));
    const atEnd = this.ply === moves.length;
    const turn = AmazonsViewer.COLORS[this.mover(this.ply + 1)];
    this.status.textContent = atEnd && result ? this.resultText(result) : `${turn} to move`;
    this.fault.textContent = atEnd ? result?.detail || this.game.fault || "" : "";
    this.comment.textContent = move ? move.comment || "" : this.game.comment || "";
    this.list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const current = this.list.children[this.ply - 1]?.firstChild;
    current?.setAttribute("aria-current", "true");
    if (current) this.list.scrollTop = current.offsetTop - this.list.clientHeight / 2;
    else this.list.scrollTop = 0;
    this.marker?.setAttribute("x1", this.graphX(this.ply));
    this.marker?.setAttribute("x2", this.graphX(this.ply));
    this.board.setAttribute("aria-label", this.boardText(move));
  }

  showClock(color, side, name) {
    const box = this.clocks[side];
    const told = this.game.moves.slice(0, this.ply).filter((_, index) => this.mover(index + 1) === side);
    const left = told.findLast((move) => move.left_us != null)?.left_us;
    const time = told.at(-1)?.time_us;
    box.classList.toggle("turn", this.mover(this.ply + 1) === side);
    box.replaceChildren(this.element("span", { class: "stone", "aria-hidden": "true" }), this.element("strong", {}, name || "?"), ` (${color})`);
    const clock = [time == null ? "" : this.seconds(time), left == null ? "" : `${this.seconds(left)} left`].filter(Boolean).join(", ");
    box.append(this.element("span", { class: "clock" }, clock));
  }

  resultText(result) {
    const who = result.winner ? `${result.winner} wins` : "nobody wins";
    return result.ending ? `${who}: ${result.ending.replaceAll("_", " ")}` : who;
  }

  boardText(move) {
    const last = move ? `Position after move ${this.ply}, ${this.words(move)}` : "Starting position";
    return `${last}. Board of ${this.columns} columns and ${this.rows} rows.`;
  }

  announce() {
    const move = this.game.moves[this.ply - 1];
    const color = AmazonsViewer.COLORS[this.mover(this.ply)];
    const said = move ? `Move ${this.ply}, ${color}: ${this.words(move)}` : "Start";
    const ended = this.ply === this.game.moves.length && this.game.result;
    this.live.textContent = ended ? `${said}. ${this.resultText(this.game.result)}` : said;
  }

  drawWay(move) {
    this.way.replaceChildren();
    if (!move) return;
    const [from, to, arrow] = [move.from, move.to, move.arrow].map((vertex) => this.center(vertex));
    this.way.append(
      this.svg("circle", { class: "origin", cx: from[0], cy: from[1], r: 22 }),
      this.svg("path", { class: "path", d: `M${from}L${to}` }),
      this.svg("path", { class: "shot", d: `M${to}L${arrow}` }),
      this.svg("path", { class: "hit", d: `M${arrow[0] - 44} ${arrow[1] - 44}h88v88h-88z` }),
    );
  }

  drawLand() {
    const shaded = [[], []];
    if (this.shading.checked) {
      const [black, white] = [this.distances(1), this.distances(2)];
      black.forEach((distance, vertex) => {
        if (distance !== white[vertex] && !this.stones[vertex]) shaded[distance < white[vertex] ? 0 : 1].push(vertex);
      });
    }
    this.land.forEach((path, side) => path.setAttribute("d", this.squares(shaded[side], 9)));
  }

  graphX(ply) {
    return (1000 * ply) / Math.max(1, this.game.moves.length);
  }

  // Draws what the players thought, from Black's side.
  drawGraph() {
    const points = [];
    this.game.moves.forEach((move, index) => {
      if (move.value == null) return;
      const value = this.mover(index + 1) === 0 ? move.value : -move.value;
      points.push(`${this.graphX(index + 1)},${100 - 95 * value}`);
    });
    this.graph.classList.toggle("empty", points.length === 0);
    this.marker = this.svg("line", { class: "marker", y1: 0, y2: 200 });
    this.graph.replaceChildren(
      this.svg("line", { class: "zero", x1: 0, x2: 1000, y1: 100, y2: 100 }),
      this.svg("polyline", { class: "value", points: points.join(" ") }),
      this.marker,
    );
  }

  // ---- moving through the game -----------------------------------------------------------------------------------

  toggle() {
    if (this.timer) {
      this.stop();
      return;
    }
    if (this.ply === this.game.moves.length) this.go(0);
    this.timer = setInterval(() => {
      if (this.ply === this.game.moves.length) this.stop();
      else this.go(this.ply + 1);
    }, Number(this.speed.value));
    this.autoplay.replaceChildren(this.icon("pause"));
    this.autoplay.setAttribute("aria-label", "Pause (Space)");
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.autoplay.replaceChildren(this.icon("play"));
    this.autoplay.setAttribute("aria-label", "Play (Space)");
  }

  key(event) {
    if (!this.game || event.altKey || event.ctrlKey || event.metaKey) return;
    if (["INPUT", "SELECT", "TEXTAREA"].includes(event.target.tagName) && event.target.type !== "checkbox") return;
    const actions = {
      ArrowLeft: () => this.go(this.ply - 1),
      ArrowRight: () => this.go(this.ply + 1),
      Home: () => this.go(0),
      End: () => this.go(Infinity),
    };
    // Space presses the button that has the focus.
    if (!["BUTTON", "INPUT", "A"].includes(event.target.tagName)) actions[" "] = () => this.toggle();
    const action = actions[event.key];
    if (action) {
      event.preventDefault();
      action();
    }
  }

  goToHash() {
    const found = /^#ply=(\d{1,9})$/.exec(location.hash);
    if (found && this.game) this.go(Number(found[1]));
    return Boolean(found);
  }

  // Keeps the address a link to this moment; browsers limit how often it may change.
  noteHash() {
    clearTimeout(this.hashTimer);
    this.hashTimer = setTimeout(() => {
      try {
        history.replaceState(null, "", `#ply=${this.ply}`);
      } catch {
        // A page without an address of its own has no link either.
      }
    }, 250);
  }
}

{
  const data = document.getElementById("amazons-game");
  const root = document.getElementById("amazons-viewer");
  if (data && root) window.viewer = new AmazonsViewer(root, JSON.parse(data.textContent));
}
