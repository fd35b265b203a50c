// A viewer for games of the Amazons: one class, no dependencies, no requests.
//
//   const viewer = new AmazonsViewer(element, game);   // game: see readGame, or null for a live game
//   viewer.addEvents(events);                          // events of a record: start, move, take_back, fault, end
//   viewer.think(since);                               // who is to move has thought since then, a performance.now()
//   viewer.offer([[name, address]]);                   // files to be downloaded from elsewhere
//   viewer.go(ply);                                    // 0 is the start
//
// Whatever comes from a game is put into the page as text, never as markup.
"use strict";

class AmazonsViewer {
  static SVG = "http://www.w3.org/2000/svg";
  static CELL = 100;
  static MARGIN = 60;
  static COLORS = ["black", "white"];
  // Larger boards are shaded so often at most, in milliseconds: that takes longer to draw than a frame lasts.
  static SHADED_AT_ONCE = 2500;
  static SHADING_INTERVAL = 250;
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
    this.links = [];
    this.scrolling = null;
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
    this.closed = new Uint8Array(this.columns * this.rows);
    this.holes.forEach((hole) => (this.closed[hole] = 1));
    this.start = this.parse(game.position);
    this.stones = Int8Array.from(this.start.stones);
    this.drawn = new Map();
    this.changedRows = new Set();
    this.ply = 0;
    this.follows = true;
    this.drawGround();
    for (let vertex = 0; vertex < this.stones.length; vertex += 1) this.patch(vertex);
    this.drawArrows();
    this.describe();
    this.list.replaceChildren();
    this.current = null;
    game.moves.forEach((move, index) => this.listMove(move, index + 1));
    this.lengthChanged();
    this.show();
  }

  // Takes events of a record, in their order; a viewer that shows the last position goes on to the new one.
  addEvents(events) {
    let isLast = !this.game || (this.follows && this.ply === this.game.moves.length);
    for (const event of events) {
      if (event.event === "start") {
        this.begin(event);
        isLast = true;
      } else if (this.game) {
        this.takeEvent(event);
      }
    }
    if (!this.game) return;
    this.lengthChanged();
    if (isLast) this.go(Infinity);
    else this.show();
  }

  begin(start) {
    const name = (color) => {
      const player = start.players.find((one) => one.color === color);
      return player && (player.name || player.file?.split("/").at(-1));
    };
    const { source, limits } = start;
    const about = [
      ["Seed", start.seed],
      ["Move limit", limits && limits.game_ms == null ? `${limits.move_ms / 1000} s` : null],
      ["Game limit", limits?.game_ms != null ? `${limits.game_ms / 1000} s + ${limits.increment_ms / 1000} s a move` : null],
      ["Clock", limits?.clock === "cpu" ? "processor time" : limits?.clock],
      ["Event", source?.event],
      ["Site", source?.site],
      ["Date", source?.date],
      ["Round", source?.round],
      ["Written by", start.server],
    ];
    this.load({
      board: start.board,
      position: start.position,
      players: { black: name("black"), white: name("white") },
      colors: start.players.map((player) => player.color),
      limits,
      comment: source?.comment,
      about: about.filter(([, text]) => text != null).map(([what, text]) => [what, String(text)]),
      moves: [],
      result: null,
      files: {},
    });
  }

  takeEvent(event) {
    const { moves, colors } = this.game;
    if (event.event === "move") {
      const { from, to, arrow, text, left_us, value, comment } = event;
      moves.push({ from, to, arrow, text, time_us: this.charged(event), left_us, value, comment });
      this.listMove(moves.at(-1), moves.length);
    } else if (event.event === "take_back") {
      if (this.ply > event.moves) this.go(event.moves);
      moves.length = Math.min(moves.length, event.moves);
      while (this.list.children.length > moves.length) this.list.lastChild.remove();
    } else if (event.event === "fault") {
      this.game.fault = `${colors[event.player - 1]}: ${event.termination.replaceAll("_", " ")} in ${event.call}: ${event.detail}`;
    } else if (event.event === "end") {
      const winner = event.winner ? colors[event.winner - 1] : null;
      this.game.result = { winner, ending: event.termination, detail: this.game.fault || event.detail };
      this.describe();
    }
  }

  // Returns what a move took of its player's time, in microseconds.
  charged(event) {
    const { clock, threads } = this.game.limits ?? {};
    return clock === "cpu" && event.cpu_us != null ? (event.cpu_us + (event.idle_cpu_us ?? 0)) / (threads || 1) : event.wall_us;
  }

  // Shows how long the player to move has been thinking; null when nobody is.
  think(since) {
    this.since = since;
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    clearInterval(this.ticker);
    if (since != null) this.ticker = setInterval(() => this.tick(), calm ? 1000 : 100);
    this.tick();
  }

  tick() {
    const isOn = this.since != null && this.game && !this.game.result && this.ply === this.game.moves.length;
    const seconds = Math.max(0, performance.now() - this.since) / 1000;
    this.thinking.textContent = isOn ? `, thinking ${seconds.toFixed(1)} s` : "";
  }

  offer(links) {
    this.links = links;
    this.describe();
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
    this.drawArrows();
    this.follows = target === this.game.moves.length;
    this.show();
    this.announce();
    this.noteHash();
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
    this.status = this.element("span");
    this.thinking = this.element("span", { class: "thinking" });
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
      this.element("div", { class: "right" }, this.element("p", { class: "status" }, this.status, this.thinking), this.fault, this.comment, this.graph, this.list, this.about, this.files, this.live),
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
  squares(vertices) {
    const half = AmazonsViewer.CELL / 2;
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
    this.drawnLand = ["", ""];
    this.land = [this.svg("path", { class: "black-land" }), this.svg("path", { class: "white-land" })];
    this.arrows = Array.from({ length: this.rows }, () => [this.svg("path", { class: "arrow" }), this.svg("path", { class: "cross" })]);
    this.way = this.svg("g", { class: "way" });
    this.queens = this.svg("g");
    this.board.replaceChildren(
      this.svg("path", { class: "light", d: this.squares(kinds[0]) }),
      this.svg("path", { class: "dark", d: this.squares(kinds[1]) }),
      ...this.land, labels, ...this.arrows.flat(), this.way, this.queens,
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
    this.links.forEach(([name, address]) => this.files.append(this.element("a", { href: address, download: name, class: "button" }, name), " "));
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
    this.shade();
    this.slider.value = this.ply;
    this.number.textContent = `${this.ply} / ${moves.length}`;
    AmazonsViewer.COLORS.forEach((color, side) => this.showClock(color, side, players[color]));
    const atEnd = this.ply === moves.length;
    const turn = AmazonsViewer.COLORS[this.mover(this.ply + 1)];
    this.status.textContent = atEnd && result ? this.resultText(result) : `${turn} to move`;
    this.fault.textContent = atEnd ? result?.detail || this.game.fault || "" : "";
    this.comment.textContent = move ? move.comment || "" : this.game.comment || "";
    this.current?.removeAttribute("aria-current");
    this.current = this.list.children[this.ply - 1]?.firstChild;
    this.current?.setAttribute("aria-current", "true");
    this.scrolling ??= requestAnimationFrame(() => this.scroll());
    this.tick();
    this.marker?.setAttribute("x1", this.graphX(this.ply));
    this.marker?.setAttribute("x2", this.graphX(this.ply));
    this.board.setAttribute("aria-label", this.boardText(move));
  }

  // Scrolls the list to the move that is shown, once a frame: where a move stands is not known before.
  scroll() {
    this.scrolling = null;
    this.list.scrollTop = this.current ? this.current.offsetTop - this.list.clientHeight / 2 : 0;
  }

  showClock(color, side, name) {
    const box = this.clocks[side];
    const told = (what) => {
      for (let ply = this.ply; ply > 0; ply -= 1) {
        if (this.mover(ply) === side && this.game.moves[ply - 1][what] != null) return this.game.moves[ply - 1][what];
      }
      return null;
    };
    const left = told("left_us");
    const time = told("time_us");
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

  // Shades a small board at once, and a large one as soon as it may be; the last position is shaded in any case.
  shade() {
    clearTimeout(this.shadeTimer);
    const due = (this.shadedAt ?? -Infinity) + AmazonsViewer.SHADING_INTERVAL - performance.now();
    if (this.stones.length > AmazonsViewer.SHADED_AT_ONCE && due > 0) {
      this.shadeTimer = setTimeout(() => this.shade(), due);
      return;
    }
    this.drawLand();
    this.shadedAt = performance.now();
  }

  drawLand() {
    const shaded = [[], []];
    if (this.shading.checked) {
      const [black, white] = [this.distances(1), this.distances(2)];
      black.forEach((distance, vertex) => {
        if (distance !== white[vertex] && !this.stones[vertex]) shaded[distance < white[vertex] ? 0 : 1].push(vertex);
      });
    }
    this.land.forEach((path, side) => {
      const drawn = this.stripes(shaded[side]);
      if (drawn !== this.drawnLand[side]) path.setAttribute("d", drawn);
      this.drawnLand[side] = drawn;
    });
  }

  // Returns the path of squares with a rim, neighbours in a row joined: fewer corners are drawn faster.
  stripes(vertices) {
    const { CELL, MARGIN } = AmazonsViewer;
    let path = "";
    for (let at = 0; at < vertices.length; ) {
      const column = vertices[at] % this.columns;
      let count = 1;
      while (vertices[at + count] === vertices[at] + count && column + count < this.columns) count += 1;
      const [x, y] = [MARGIN + CELL * column + 9, MARGIN + (CELL * (vertices[at] - column)) / this.columns + 9];
      path += `M${x} ${y}h${count * CELL - 18}v${CELL - 18}h${18 - count * CELL}z`;
      at += count;
    }
    return path;
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
