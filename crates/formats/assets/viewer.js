// A viewer for games of the Amazons, on the board of board.js, made of the parts of parts.js, choose.js and explore.js: no dependencies, no requests.
//
//   const viewer = new AmazonsViewer(element, game);   // game: see readGame, or null for a live game
//   viewer.addEvents(events);                          // events of a record: start, move, take_back, fault, end
//   viewer.think(since);                               // who is to move has thought since then, a performance.now()
//   viewer.patience = ms;                              // a game without news for longer is cut off
//   viewer.offer([[name, address]]);                   // files to be downloaded from elsewhere
//   viewer.go(ply);                                    // 0 is the start
//   viewer.annotate(ply, analysis);                    // what an engine thinks, in any order: see analysis.js
//
// Whatever comes from a game is put into the page as text, never as markup.
class AmazonsViewer extends AmazonsExplorer {
  static COLORS = ["black", "white"];

  constructor(root, game) {
    super();
    this.root = root;
    this.isLive = !game;
    this.ply = 0;
    this.timer = null;
    this.follows = true;
    this.links = [];
    this.scrolling = null;
    this.graph = new AmazonsGraph(this);
    this.analysis = new AmazonsAnalysis(this);
    this.build();
    document.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("hashchange", () => this.goToHash());
    if (game) {
      this.load(game);
      if (!this.goToHash()) this.move(0);
    }
  }

  // Returns a text without characters that are invisible or turn others around, as the server prints it.
  printable(text) {
    return text?.replace(/[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800\ufff9-\ufffb]/gu, "\ufffd");
  }

  // Shows another game: {board: {columns, rows, holes}, position, players: {black, white}, about: [[what, text]],
  // moves: [{from, to, arrow, text, time_us, left_us, value, comment, analysis}], result, files: {name: text}}, and of
  // an engine `analysis` and, of the end, `verdict`.
  load(game) {
    this.stop();
    this.drop();
    this.game = game;
    for (const color of AmazonsViewer.COLORS) game.players[color] = this.printable(game.players[color]);
    this.ply = 0;
    this.follows = true;
    this.setUp(game.board, game.position);
    this.describe();
    this.list.replaceChildren();
    this.current = null;
    game.moves.forEach((move, index) => this.listMove(move, index + 1));
    this.lengthChanged();
  }

  annotate(ply, analysis) {
    this.analysis.annotate(ply, analysis);
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
    if (isLast) this.move(Infinity);
    else this.show();
  }

  begin(start) {
    const name = (color) => {
      const player = start.players.find((one) => one.color === color);
      return player && (player.entrant || player.name || player.file?.split("/").at(-1));
    };
    const { limits } = start;
    const source = start.source ?? start.contest;
    // A person has the time behind the colon, or any.
    const people = start.players.map(({ file }) => /^(human|web)(:.*)?$/.exec(file ?? ""));
    const moveLimit = limits && limits.game_ms == null ? `${limits.move_ms / 1000} s` : null;
    const limitOf = (number) => (people[number] ? (people[number][2] ? `${people[number][2].slice(1)} s` : "none") : moveLimit);
    const own = start.players.map(({ color }, number) => `${color} ${limitOf(number)}`);
    const about = [
      ["Seed", start.seed],
      ["Move limit", moveLimit && people.some(Boolean) ? own.join(", ") : moveLimit],
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
      own: start.players.map((player) => player.limits),
      people,
      comment: source?.comment,
      analysis: start.analysis,
      about: about.filter(([, text]) => text != null).map(([what, text]) => [what, String(text)]),
      moves: [],
      result: null,
      files: {},
    });
  }

  takeEvent(event) {
    const { moves, colors } = this.game;
    if (event.event === "move") {
      const { from, to, arrow, text, value, comment, analysis } = event;
      const person = this.game.people[event.player - 1];
      const left_us = person && !person[2] ? null : event.left_us;
      moves.push({ from, to, arrow, text, time_us: person ? event.wall_us : this.charged(event), left_us, value, comment, analysis });
      this.listMove(moves.at(-1), moves.length);
    } else if (event.event === "take_back") {
      if (this.ply > event.moves) this.branch ? this.adopt(moves.slice(event.moves, this.ply)) : this.move(event.moves);
      moves.length = Math.min(moves.length, event.moves);
      while (this.list.children.length > moves.length) this.list.lastChild.remove();
    } else if (event.event === "fault") {
      this.game.fault = `${colors[event.player - 1]}: ${endingWords(event.termination)} in ${event.call}: ${event.detail}`;
    } else if (event.event === "end") {
      const winner = event.winner ? colors[event.winner - 1] : null;
      this.game.verdict ??= this.analysis.read(event.analysis);
      this.game.result = { winner, ending: event.termination, detail: this.game.fault || event.detail };
      this.describe();
    }
  }

  // Returns what a move took of its player's time, in microseconds.
  charged(event) {
    const { clock, threads } = this.game.own?.[event.player - 1] ?? this.game.limits ?? {};
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
    const isOn = this.since != null && this.game && !this.game.result && !this.branch && this.ply === this.game.moves.length;
    const seconds = Math.max(0, performance.now() - this.since) / 1000;
    const isCutOff = 1000 * seconds > (this.patience ?? Infinity);
    if (isOn && !isCutOff) this.write(this.clocks[this.turn()].clock, this.runningClock?.() ?? `${seconds.toFixed(1)} s`);
    this.write(this.thinking, !isOn ? "" : isCutOff ? ", cut off" : `, thinking ${seconds.toFixed(1)} s`);
  }

  offer(links) {
    this.links = links;
    this.describe();
  }

  // ---- positions -------------------------------------------------------------------------------------------------

  // Returns whose move leads to a ply: 0 for Black, 1 for White.
  mover(ply) {
    return (this.start.first + ply + 1) % 2;
  }

  play(move, ply) {
    this.put(move, 1 + this.mover(ply));
  }

  undo(move, ply) {
    this.stones[move.arrow] = 0;
    this.stones[move.to] = 0;
    this.stones[move.from] = 1 + this.mover(ply);
  }

  // Goes to a moment that a person has chosen.
  go(ply) {
    if (!this.game) return;
    this.move(ply);
    this.noteHash();
  }

  // Goes to a moment of the game, and redraws only what changes on the way.
  move(ply) {
    this.drop();
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
  }

  // ---- the page --------------------------------------------------------------------------------------------------

  build() {
    const tried = this.buildExplorer();
    this.clocks = AmazonsViewer.COLORS.map((color) => this.seat(color));
    this.status = this.element("span");
    this.thinking = this.element("span", { class: "thinking" });
    this.reason = this.element("p", { class: "reason soft" });
    this.comment = this.element("p", { class: "comment" });
    this.fault = this.element("p", { class: "fault" });
    this.about = this.element("dl", { class: "about" });
    this.files = this.element("p", { class: "files" });
    this.live = this.element("p", { class: "unseen", "aria-live": "polite" });
    this.buildMoves();
    this.help = this.buildHelp();
    this.field = this.element("div", { class: "field" }, this.analysis.bar, this.board);
    this.stage = this.element("div", { class: "stage" }, this.clocks[1].box, this.field, this.clocks[0].box, this.buildControls());
    const [heads, ...tabs] = this.buildTabs([
      ["Moves", this.list, tried, this.graph.picture, this.graph.legend, this.analysis.summary], ["Engine", ...this.analysis.tab], ["Details", this.about, this.files],
    ]);
    this.panel = this.element("div", { class: "panel" },
      this.element("p", { class: "status" }, this.status, this.thinking), this.reason, this.fault, this.comment, this.analysis.words, this.analysis.lesson,
      this.element("div", { class: "heads" }, heads, this.analysis.asked), ...tabs, this.live);
    this.root.classList.add("amazons");
    this.root.replaceChildren(this.stage, this.panel, this.help, ...this.buildChooser());
  }

  buildControls() {
    this.slider = this.element("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": "Move", oninput: () => this.go(Number(this.slider.value)) });
    this.number = this.element("output", { class: "number" }, "0");
    this.autoplay = this.button("Play (Space)", "play", () => this.toggle());
    this.speed = this.element("select", { "aria-label": "Speed", hidden: "" });
    for (const [text, ms] of [["0.5 ×", 2000], ["1 ×", 1000], ["2 ×", 500], ["5 ×", 200], ["10 ×", 100]]) {
      this.speed.append(this.element("option", { value: ms }, text));
    }
    this.speed.value = "1000";
    this.speed.addEventListener("change", () => this.timer && (this.stop(), this.toggle()));
    this.shading = this.button("Territory (t)", "territory", () => this.setShading(!this.isShaded));
    this.setShading(false);
    this.zoomers = [this.button("Closer (+)", "closer", () => this.zoomBy(1)), this.button("Wider (-)", "farther", () => this.zoomBy(-1))];
    return this.element("div", { class: "controls", role: "group", "aria-label": "Playback" },
      this.button("First position (Home)", "first", () => this.go(0)),
      this.button("One move back (Left)", "back", () => this.walk(-1)),
      this.autoplay,
      this.button("One move on (Right)", "on", () => this.walk(1)),
      this.button("Last position (End)", "last", () => this.go(Infinity)),
      this.slider, this.number, this.speed, this.trying, this.shading, ...this.zoomers,
      this.button("Turn the board (f)", "flip", () => this.flip()),
      this.button("Full screen", "full", () => (document.fullscreenElement ? document.exitFullscreen() : this.root.requestFullscreen())),
      this.button("Keys (?)", "keys", () => this.help.showModal()));
  }

  buildMoves() {
    this.list = this.element("ol", { class: "moves", "aria-label": "Moves" });
    this.list.addEventListener("click", (event) => {
      const clicked = event.target.closest("button");
      if (clicked) this.go(Number(clicked.value));
    });
  }

  // Returns the line of a player, and its parts that change.
  seat(color) {
    const [name, own, clock] = [this.element("strong"), this.element("span", { class: "own" }), this.element("span", { class: "clock" })];
    const box = this.element("div", { class: `player ${color}` }, this.element("span", { class: "stone", "aria-hidden": "true" }), name, this.element("span", { class: "soft" }, color), own, clock);
    return { box, name, own, clock, color };
  }

  setUp(board, position) {
    super.setUp(board, position);
    this.root.style.setProperty("--ratio", board.columns / board.rows);
    this.zoomers.forEach((button) => (button.hidden = !this.isLarge()));
  }

  setShading(isOn) {
    this.isShaded = isOn;
    this.shading.setAttribute("aria-pressed", isOn);
    this.show();
  }

  // Territory is counted where it is coloured.
  drawLand(isOn) {
    const known = isOn ? this.analysis.ownership() : null;
    super.drawLand(isOn && !known);
    const sums = this.analysis.shade(known);
    this.clocks.forEach(({ own, color }, side) => {
      const count = known ? `${sums[side].toFixed(1)} expected` : `${this.lands[side].length} nearer`;
      own.replaceChildren(...(isOn ? [this.element("span", { class: `key ${color}` }), ` ${count}`] : []));
    });
  }

  flip() {
    super.flip();
    const [top, bottom] = this.isFlipped ? [0, 1] : [1, 0];
    this.stage.prepend(this.clocks[top].box, this.field, this.clocks[bottom].box);
    if (this.game) this.analysis.renew();
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
    // The server names the file.
    this.links.forEach(([name, address]) => this.files.append(this.element("a", { href: address, download: "", class: "button" }, name), " "));
    offer("position.svg", () => this.download("position.svg", this.picture()));
    offer("position.png", () => this.downloadPixels());
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

  // Saves a file under the players' names, a position with its number.
  download(name, content) {
    const address = URL.createObjectURL(content);
    const { black, white } = this.game.players;
    const players = [black || "black", white || "white"].join("-").replace(/[^\p{L}\p{N}._-]+/gu, "_");
    const link = this.element("a", { href: address, download: name.replace(/^game/, players).replace(/^position/, `${players}-${this.ply}`) });
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  }

  // Lists a move: two stand in a row, numbered, each with what its player thought.
  listMove(move, ply) {
    const item = this.element("li", {});
    move.analysis = this.analysis.read(move.analysis);
    if (ply % 2) item.append(this.element("span", { class: "count", "aria-hidden": "true" }, String((ply + 1) / 2)));
    const button = this.element("button", { type: "button", value: ply });
    this.analysis.fillMove(button, move, ply);
    item.append(button);
    this.list.append(item);
  }

  lengthChanged() {
    this.slider.max = this.game.moves.length;
    this.analysis.renew();
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
    const { moves, players } = this.game;
    const move = this.shownMove();
    this.drawWay(move);
    this.shade(this.isShaded);
    this.slider.value = this.ply;
    this.write(this.number, this.branch ? `${this.ply} + ${this.branch.at}` : `${this.ply} / ${moves.length}`);
    AmazonsViewer.COLORS.forEach((color, side) => this.showClock(side, players[color]));
    const atEnd = !this.branch && this.ply === moves.length;
    const result = this.branch ? this.triedResult() : atEnd && this.game.result;
    this.write(this.status, result ? this.winnerText(result) : `${AmazonsViewer.COLORS[this.turn()]} to move`);
    this.write(this.reason, result ? this.reasonText(result, this.shownPly()) : "");
    this.write(this.fault, atEnd ? result?.detail || this.game.fault || "" : "");
    this.write(this.comment, move ? move.comment || "" : this.game.comment || "");
    this.current?.removeAttribute("aria-current");
    this.current = this.list.children[this.ply - 1]?.lastChild;
    this.current?.setAttribute("aria-current", "true");
    this.scrolling ??= requestAnimationFrame(() => this.scroll());
    this.tick();
    this.analysis.show();
    this.board.setAttribute("aria-label", this.boardText(move));
    if (this.isChoosable()) this.offerSquares();
    this.showTries();
  }

  // Scrolls the list when the move that is shown is not among those that it shows; once a frame, because where a move
  // stands is not known before, and not for each move, because a list that moves is drawn anew.
  scroll() {
    this.scrolling = null;
    const { list, current } = this;
    const above = current ? current.offsetTop - list.scrollTop : -Infinity;
    if (above >= 0 && above + current.offsetHeight <= list.clientHeight) return;
    list.scrollTop = current ? current.offsetTop - list.clientHeight / 2 : 0;
  }

  showClock(side, name) {
    const seat = this.clocks[side];
    const told = (what) => {
      for (let ply = this.ply; ply > 0; ply -= 1) {
        if (this.mover(ply) === side && this.game.moves[ply - 1][what] != null) return this.game.moves[ply - 1][what];
      }
      return null;
    };
    const left = told("left_us");
    const time = told("time_us");
    seat.box.classList.toggle("turn", this.turn() === side);
    this.write(seat.name, name ?? "?");
    this.write(seat.clock, [time == null ? "" : this.seconds(time), left == null ? "" : `${this.seconds(left)} left`].filter(Boolean).join(", "));
  }

  playerText(color) {
    const name = this.game.players[color];
    return name ? `${name} (${color})` : color;
  }

  winnerText({ winner, ending }) {
    if (winner) return `${this.playerText(winner)} wins`;
    return ending ? "Nobody wins" : "The result is not known";
  }

  reasonText({ winner, ending }, count = this.game.moves.length) {
    const after = `after ${count} ${count === 1 ? "move" : "moves"}`;
    const loser = winner && this.playerText(winner === "black" ? "white" : "black");
    return ending ? `${endingText(ending, loser)} ${after}` : after;
  }

  resultText(result) {
    return `${this.winnerText(result)}: ${this.reasonText(result)}`;
  }

  boardText(move) {
    const last = move ? `Position after move ${this.shownPly()}, ${this.words(move)}` : "Starting position";
    return `${last}. Board of ${this.columns} columns and ${this.rows} rows.`;
  }

  announce() {
    const move = this.shownMove();
    const color = AmazonsViewer.COLORS[1 - this.turn()];
    const said = move ? `${this.branch ? "What if: move" : "Move"} ${this.shownPly()}, ${color}: ${this.words(move)}${this.analysis.spoken(this.ply)}` : "Start";
    const ended = this.branch ? this.triedResult() : this.ply === this.game.moves.length && this.game.result;
    this.write(this.live, ended ? `${said}. ${this.winnerText(ended)}: ${this.reasonText(ended, this.shownPly())}` : said);
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
    this.speed.hidden = false;
    this.autoplay.replaceChildren(this.icon("pause"));
    this.autoplay.setAttribute("aria-label", "Pause (Space)");
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.speed.hidden = true;
    this.autoplay.replaceChildren(this.icon("play"));
    this.autoplay.setAttribute("aria-label", "Play (Space)");
  }

  key(event) {
    if (!this.game || event.altKey || event.ctrlKey || event.metaKey) return;
    if (["INPUT", "SELECT", "TEXTAREA"].includes(event.target.tagName) || this.help.open) return;
    const actions = {
      ArrowLeft: () => this.walk(-1),
      ArrowRight: () => this.walk(1),
      Home: () => this.walk(-Infinity),
      End: () => this.walk(Infinity),
      t: () => this.setShading(!this.isShaded),
      f: () => this.flip(),
      e: () => this.analysis.set(!this.analysis.isOn),
      n: () => this.analysis.seek(1),
      p: () => this.analysis.seek(-1),
      "+": () => this.zoomBy(1),
      "-": () => this.zoomBy(-1),
      0: () => this.zoomTo(1),
      x: () => (this.branch ? this.leave() : (this.explore(), this.board.focus({ preventScroll: true }))),
      "?": () => this.help.showModal(),
    };
    if (this.isChoosable()) actions.Escape = () => this.back();
    // Space presses the button that has the focus.
    if (!["BUTTON", "INPUT", "A"].includes(event.target.tagName)) actions[" "] = () => this.toggle();
    const action = actions[event.key];
    if (action) {
      event.preventDefault();
      action();
    }
  }

  // Keeps the address a link to this moment, except at the end of a game that goes on: there, a page opens by itself.
  // Browsers limit how often it may change.
  noteHash() {
    clearTimeout(this.hashTimer);
    this.hashTimer = setTimeout(() => {
      try {
        const isHome = this.isLive && this.follows && !this.game.result;
        history.replaceState(null, "", isHome ? location.pathname + location.search : this.linkText());
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
