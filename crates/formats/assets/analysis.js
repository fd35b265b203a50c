// The engine's analysis of a game: a bar beside the board, marks in the list, lines as arrows, words for mistakes.
//
//   viewer.annotate(ply, analysis);   // of the move to that ply; 0: of the whole game, -1: of its end
//
// Nothing is shown before somebody asks for the engine; the browser remembers that.
class AmazonsAnalysis {
  static MARKS = {
    "?!": { name: "dubious", word: "Dubious", many: "dubious" },
    "?": { name: "mistake", word: "Mistake", many: "mistakes" },
    "??": { name: "blunder", word: "Blunder", many: "blunders" },
  };
  static MAX_LINES = 5;
  static MAX_LINE_LEN = 12;

  constructor(viewer) {
    this.viewer = viewer;
    this.isOn = this.memory((storage) => storage.getItem("engine")) === "on";
    const { element } = viewer;
    this.fill = element("i");
    this.number = element("b");
    this.bar = element("div", { class: "bar", role: "meter", "aria-valuemin": 0, "aria-valuemax": 100 }, this.fill, this.number);
    this.toggle = element("input", { type: "checkbox", role: "switch", onchange: () => this.set(this.toggle.checked) });
    this.asked = element("label", { class: "switch" }, this.toggle, "Show engine");
    this.words = element("div", { class: "words" });
    this.step = element("span", { class: "soft number" });
    this.lesson = element("div", { class: "controls lesson", role: "group", "aria-label": "Mistakes" },
      viewer.button("Mistake before (p)", "before", () => this.seek(-1)), this.step, viewer.button("Next mistake (n)", "next", () => this.seek(1)),
      element("button", { type: "button", onclick: () => this.find() }, "Find the better move"));
    this.tools = element("div", { class: "tools" });
    this.summary = element("div", { class: "summary" });
    this.head = element("p", { class: "verdict" });
    this.lines = element("ol", { class: "lines", "aria-label": "The engine's lines" });
    this.hint = element("p", { class: "soft" });
    this.back = element("button", { type: "button", class: "back", onclick: () => viewer.leave() }, "Back to the game");
    this.tab = [this.head, this.lines, this.hint, this.back, this.tools];
    this.renewing = null;
    // Set by a page that has an engine: something can be shown, and what to do when it is switched.
    this.isOffered = false;
    this.onswitch = () => {};
  }

  // A browser may forbid a page to remember anything.
  memory(use) {
    try {
      return use(localStorage);
    } catch {
      return null;
    }
  }

  set(isOn) {
    this.isOn = isOn;
    this.memory((storage) => storage.setItem("engine", isOn ? "on" : "off"));
    this.renew();
    this.onswitch();
  }

  // ---- what is known ---------------------------------------------------------------------------------------------

  annotate(ply, analysis) {
    const { game } = this.viewer;
    if (ply === 0) game.analysis = analysis;
    else if (ply < 0) game.verdict = this.read(analysis);
    else if (game.moves[ply - 1]) game.moves[ply - 1].analysis = this.read(analysis);
    this.due(true);
  }

  // Returns what was told of a position, as far as it is what it should be: a record may hold anything.
  read(told) {
    if (typeof told?.win !== "number") return null;
    const list = (what) => (Array.isArray(what) ? what : []);
    const isText = (what) => typeof what === "string";
    const number = (what) => (typeof what === "number" ? what : null);
    const chance = (what) => (typeof what === "number" ? Math.max(0, Math.min(1, what)) : null);
    const winner = (what) => (AmazonsViewer.COLORS.includes(what) ? what : null);
    const lines = list(told.lines).map((line) => ({ moves: list(line?.moves).filter(isText), win: chance(line?.win), proven: winner(line?.proven) }));
    return {
      win: chance(told.win), proven: winner(told.proven), win_after: chance(told.win_after), proven_after: winner(told.proven_after),
      loss: chance(told.loss) ?? 0, mark: Object.keys(AmazonsAnalysis.MARKS).find((mark) => mark === told.mark), accuracy: Math.max(0, Math.min(100, number(told.accuracy) ?? 0)),
      lines: lines.filter(({ moves, win }) => moves.length && win != null).slice(0, AmazonsAnalysis.MAX_LINES),
      facts: list(told.facts).filter(isText).map((fact) => this.viewer.printable(fact)), nodes: number(told.nodes), depth: number(told.depth), ownership: told.ownership,
    };
  }

  // Shows once a frame what has become known: of all the game, or of the position that is shown.
  due(isWhole) {
    this.isWhole ||= isWhole;
    this.renewing ??= requestAnimationFrame(() => (this.isWhole ? this.renew() : this.viewer.show()));
  }

  isKnown() {
    const { game } = this.viewer;
    return Boolean(game.analysis || game.verdict || game.moves.some((move) => move.analysis));
  }

  // Returns Black's chance after so many moves, and who is proven to win: from the judgement of the position itself, or
  // from that of the move that led there; null where there is neither.
  chance(ply) {
    if (!this.isOn) return null;
    const { viewer } = this;
    const { moves, verdict } = viewer.game;
    const next = ply === moves.length ? verdict : moves[ply]?.analysis;
    const last = moves[ply - 1]?.analysis;
    if (next) return this.ofBlack(viewer.mover(ply + 1), next.win, next.proven);
    return last?.win_after == null ? null : this.ofBlack(viewer.mover(ply), last.win_after, last.proven_after);
  }

  ofBlack(side, win, proven) {
    if (proven) return { black: proven === "black" ? 1 : 0, proven };
    return { black: Math.max(0, Math.min(1, side ? 1 - win : win)), proven: null };
  }

  // Lists the plies of marked moves.
  marked() {
    if (!this.isOn) return [];
    return this.viewer.game.moves.flatMap(({ analysis }, index) => (analysis?.mark ? [index + 1] : []));
  }

  // Returns a chance in words; what is not proven is never certain.
  percent(win, side, proven) {
    if (proven) return proven === AmazonsViewer.COLORS[side] ? "won" : "lost";
    const whole = Math.round(100 * win);
    return whole < 1 ? "<1 %" : whole > 99 ? ">99 %" : `${whole} %`;
  }

  // ---- what is shown of the game ---------------------------------------------------------------------------------

  // Shows what has become known, or shown, of the whole game.
  renew() {
    const { viewer } = this;
    if (!viewer.game) return;
    this.isWhole = false;
    viewer.game.moves.forEach((move, index) => this.fillMove(viewer.list.children[index].lastChild, move, index + 1));
    this.toggle.checked = this.isOn;
    this.asked.hidden = !this.isOffered && !this.isKnown();
    viewer.graph.draw();
    this.summarize();
    viewer.show();
  }

  // Writes a move and what is thought of it: by the engine, or by its player.
  fillMove(button, move, ply) {
    const { viewer } = this;
    const side = viewer.mover(ply);
    const note = this.isOn ? move.analysis : null;
    const mark = AmazonsAnalysis.MARKS[note?.mark];
    const text = (note?.win_after != null && this.percent(note.win_after, side, note.proven_after)) || (move.value != null ? `${Math.round(50 + 50 * move.value)} %` : "");
    if (button.dataset.told === `${note?.mark} ${text}`) return;
    button.dataset.told = `${note?.mark} ${text}`;
    const parts = [move.text, viewer.element("span", { class: "unseen" }, `, ${AmazonsViewer.COLORS[side]}, move ${ply}`)];
    if (mark) parts.push(viewer.element("b", { class: mark.name, title: mark.word }, note.mark), viewer.element("span", { class: "unseen" }, `, ${mark.word.toLowerCase()}`));
    if (text) parts.push(viewer.element("small", { title: note ? "chance of this player after the move, the engine says" : "chance to win, as its player sees it" }, text.replace(" %", ""), viewer.element("span", { class: "unseen" }, text.endsWith("%") ? " %" : "")));
    button.replaceChildren(...parts);
  }

  // Sums up each player's moves.
  summarize() {
    const { viewer } = this;
    const rows = !this.isOn || !this.isKnown() ? [] : AmazonsViewer.COLORS.map((color, side) => {
      const notes = viewer.game.moves.filter(({ analysis }, index) => analysis && viewer.mover(index + 1) === side).map(({ analysis }) => analysis);
      const counts = Object.entries(AmazonsAnalysis.MARKS).map(([sign, { name, many }]) => {
        const count = notes.filter(({ mark }) => mark === sign).length;
        return viewer.element("span", { class: count ? name : "soft", title: many }, viewer.element("b", {}, String(count)), ` ${sign}`, viewer.element("span", { class: "unseen" }, ` ${many}`));
      });
      const accuracy = notes.reduce((sum, one) => sum + one.accuracy / notes.length, 0);
      return viewer.element("p", { class: color },
        viewer.element("span", { class: "stone", "aria-hidden": "true" }), viewer.element("span", { class: "name" }, viewer.game.players[color] || color),
        viewer.element("span", {}, viewer.element("strong", {}, accuracy > 0 ? `${accuracy.toFixed(accuracy < 99.95 ? 1 : 0)} %` : ""), viewer.element("span", { class: "soft" }, " accuracy")), ...counts);
    });
    this.summary.replaceChildren(...rows);
  }

  // ---- what is shown of the moment -------------------------------------------------------------------------------

  show() {
    const { viewer } = this;
    if (!this.isWhole) {
      cancelAnimationFrame(this.renewing);
      this.renewing = null;
    }
    viewer.graph.mark();
    this.checkTask();
    const here = this.here();
    const chance = here ? this.ofBlack(here.side, here.win, here.proven) : this.inGame() && !this.task ? this.chance(viewer.ply) : null;
    this.showBar(chance);
    const said = this.judgement(viewer.ply);
    this.fillBox(this.words, this.task ? this.taskWords() : said ? this.wordsOf(said) : []);
    const marked = this.marked();
    this.lesson.hidden = marked.length === 0 || Boolean(this.task);
    const at = marked.indexOf(viewer.ply);
    this.lesson.lastChild.hidden = at < 0 || !viewer.game.moves[viewer.ply - 1].analysis.lines.length;
    viewer.write(this.step, at >= 0 ? `Mistake ${at + 1} of ${marked.length}` : `${marked.length} ${marked.length === 1 ? "mistake" : "mistakes"}`);
    this.showLines(here, chance);
  }

  // Puts other nodes into a box, but not under a finger that presses there; the focus stays where it was.
  fillBox(box, nodes) {
    if (box.matches(":active")) return;
    const at = [...box.querySelectorAll("button")].findIndex((button) => button === document.activeElement);
    box.replaceChildren(...nodes);
    box.querySelectorAll("button")[at]?.focus();
  }

  // Returns whether a position of the game is shown, not one that somebody tries.
  inGame() {
    return !this.viewer.branch?.at;
  }

  // Returns what is known of the position that is shown, {win, proven, side, lines, depth, nodes}; along a line of the
  // engine, what it was known with. `base` is where its lines begin: a ply, and texts of moves tried after it.
  here() {
    const { viewer } = this;
    if (!this.isOn || this.task) return null;
    const base = { ply: viewer.ply, tried: viewer.triedTexts() };
    if (this.live?.at === this.place()) return { ...this.live, side: viewer.turn(), base };
    if (this.inGame()) {
      const note = viewer.game.moves[viewer.ply]?.analysis;
      return note ? { ...note, side: viewer.turn(), base: { ...base, tried: [] } } : null;
    }
    const { followed } = this;
    const path = followed && [...followed.base.tried, ...followed.line.moves];
    return path && followed.base.ply === viewer.ply && base.tried.every((text, at) => text === path[at]) ? { ...followed, win: followed.line.win, proven: followed.line.proven } : null;
  }

  // Takes what the engine says of the position that is shown, as long as it is shown.
  takeLive(answer) {
    if (!answer && !this.live) return;
    const told = this.read(answer);
    this.live = told && { ...told, at: this.place() };
    this.due(false);
  }

  place() {
    return [this.viewer.ply, ...this.viewer.triedTexts()].join();
  }

  // Returns how likely each vertex is Black's and White's in the end, {black, white}, where the engine has said so.
  ownership() {
    const { live, viewer } = this;
    const own = this.isOn && !this.task && live?.at === this.place() ? live.ownership : null;
    return own && AmazonsViewer.COLORS.every((color) => Array.isArray(own[color]) && own[color].length === viewer.stones.length) ? own : null;
  }

  // Shades each vertex as deep as it is likely to be a side's, and returns how many each may expect.
  shade(own) {
    const { viewer } = this;
    const drawn = [];
    const sums = AmazonsViewer.COLORS.map((color) => {
      const levels = Array.from({ length: 11 }, () => []);
      let sum = 0;
      own?.[color].forEach((likely, vertex) => {
        if (!(likely > 0) || viewer.closed[vertex] || viewer.stones[vertex] === 3) return;
        sum += likely;
        levels[Math.min(10, Math.round(10 * likely))].push(vertex);
      });
      levels.forEach((vertices, level) => level && vertices.length && drawn.push(viewer.svg("path", { class: `${color}-land`, "fill-opacity": level / 10, d: viewer.stripes(vertices) })));
      return sum;
    });
    viewer.ownLayer.replaceChildren(...drawn);
    return sums;
  }

  showBar(chance) {
    const { viewer, bar } = this;
    bar.hidden = !chance;
    if (!chance) return;
    const bottom = viewer.isFlipped ? 1 : 0;
    const share = bottom ? 1 - chance.black : chance.black;
    const name = AmazonsViewer.COLORS[bottom];
    bar.className = `bar ${name}`;
    bar.setAttribute("aria-label", `Chance of ${name}, the engine says`);
    bar.setAttribute("aria-valuenow", Math.round(100 * share));
    bar.setAttribute("aria-valuetext", chance.proven ? `${chance.proven} wins: proven` : this.percent(share));
    bar.title = `${name}: ${chance.proven ? `${this.percent(share, bottom, chance.proven)}, proven` : this.percent(share)}`;
    bar.style.setProperty("--share", share);
    // The leader's chance stands at the leader's end.
    const isLeading = share >= 0.5;
    this.number.className = isLeading ? "" : "far";
    viewer.write(this.number, chance.proven ? "" : String(Math.min(99, Math.round(100 * (isLeading ? share : 1 - share)))));
  }

  // Returns what there is to say of the move that led to a ply.
  judgement(ply) {
    const { viewer } = this;
    const note = viewer.game.moves[ply - 1]?.analysis;
    if (!this.isOn || !this.inGame() || note?.win_after == null) return null;
    const side = viewer.mover(ply);
    const [before, after] = [this.percent(note.win, side, note.proven), this.percent(note.win_after, side, note.proven_after)];
    const mark = AmazonsAnalysis.MARKS[note.mark];
    const better = note.lines[0]?.moves[0];
    const isBest = better === viewer.game.moves[ply - 1].text;
    // The difference of what is shown, unless the loss is not just that.
    const [exact, shown] = [100 * note.loss, Math.round(100 * note.win) - Math.round(100 * note.win_after)];
    const lost = Math.abs(exact - shown) < 1 ? Math.max(0, shown) : Math.round(exact);
    const gave = lost ? `gave away ${lost} ${lost === 1 ? "point" : "points"}` : "gave away nothing";
    const words = mark || lost ? `${before} → ${after}: ${gave}` : isBest ? "The engine’s move" : `As good as the engine’s move: ${gave}`;
    return { mark, sign: note.mark, words, better: isBest ? null : better, facts: note.facts, ply };
  }

  wordsOf({ mark, sign, words, better, facts, ply }) {
    const { viewer } = this;
    const line = viewer.element("p", {});
    const from = { ...viewer.game.moves[ply - 1].analysis, side: viewer.mover(ply), base: { ply: ply - 1, tried: [] } };
    if (mark) line.append(viewer.element("b", { class: mark.name }, `${sign} ${mark.word}.`), " ");
    line.append(words);
    if (better && (mark || words.includes("→"))) line.append("; better ", this.moveButton(better, () => this.look(from, from.lines[0], 1, ply)));
    line.append(".");
    return [line, ...facts.map((fact) => viewer.element("p", { class: "fact" }, fact))];
  }

  // Returns the judgement as a sentence, for those who listen.
  spoken(ply) {
    const { task } = this;
    if (task) return task.tried ? `. ${task.isGood ? "Right" : "Try again"}: ${task.words}` : "";
    const said = this.judgement(ply);
    if (!said?.mark) return "";
    return `. ${said.mark.word}: ${said.words.replace("→", "to")}${said.better ? `; better ${said.better}` : ""}. ${said.facts.join(" ")}`;
  }

  // ---- lines -----------------------------------------------------------------------------------------------------

  showLines(here, chance) {
    const { viewer } = this;
    const lines = here?.lines ?? [];
    this.hint.hidden = this.isOn && lines.length > 0;
    this.back.hidden = !viewer.branch;
    viewer.write(this.hint, !this.isOn ? "The engine is hidden, so that you can judge for yourself. Its switch is above, its key is e." : this.task ? "The engine is silent until you have found a move." : this.inGame() && viewer.ply === viewer.game.moves.length && viewer.game.result ? "The game ends here." : "The engine has not judged this position.");
    const side = here?.side ?? viewer.turn();
    const win = chance && (side ? 1 - chance.black : chance.black);
    const effort = [here && here.at == null && viewer.game.analysis?.engine, here?.depth && `depth ${here.depth}`, here?.nodes && `${here.nodes.toLocaleString("en")} nodes`].filter(Boolean).join(", ");
    this.head.replaceChildren(...(chance ? [viewer.element("b", {}, chance.proven ? `${chance.proven} wins` : this.percent(win, side)), chance.proven ? ", proven" : ` for ${AmazonsViewer.COLORS[side]}`, viewer.element("span", { class: "soft" }, effort)] : []));
    const now = viewer.triedTexts();
    // Along a line, its next move is the arrow.
    const next = here && here.at == null && !this.inGame() ? now.length - here.base.tried.length : 0;
    this.arrows = next ? () => this.drawLines([], here.line, next, next) : () => this.drawLines(lines);
    if (viewer.hints?.length && viewer.isAsked()) this.arrows = () => this.drawLines(viewer.hints);
    this.arrows();
    this.fillBox(this.lines, lines.map((line) => viewer.element("li", {},
      viewer.element("b", {}, this.percent(line.win, side, line.proven)),
      viewer.element("span", {}, ...line.moves.slice(0, AmazonsAnalysis.MAX_LINE_LEN).flatMap((text, at) => {
        const first = line === here.line ? next : 0;
        const button = this.moveButton(text, () => this.look(here, line, at + 1), () => (at < first ? this.arrows() : this.drawLines(lines, line, at, first)));
        const path = [...here.base.tried, ...line.moves.slice(0, at + 1)];
        if (path.join() === now.join()) button.setAttribute("aria-current", "step");
        return [button, " "];
      })))));
  }

  // Steps into a line on the board; the way back leads to `back`.
  look(from, line, at, back) {
    const { viewer } = this;
    if (from.base.ply !== viewer.ply) viewer.go(from.base.ply);
    this.followed = { ...from, line };
    viewer.look(line.moves, at, from.base.tried);
    viewer.branch.back ??= back;
  }

  // Returns a button for a move; `point` is called while it is pointed at.
  moveButton(text, act, point) {
    const button = this.viewer.element("button", { type: "button", class: "step", onclick: act }, this.viewer.printable(text));
    if (point) {
      for (const event of ["pointerenter", "focus"]) button.addEventListener(event, point);
      for (const event of ["pointerleave", "blur"]) button.addEventListener(event, () => this.arrows());
    }
    return button;
  }

  // Draws the first moves of lines as arrows, the wider the closer to the best; or one line from its move `first` to `last`.
  drawLines(lines, line, last, first = 0) {
    const { viewer } = this;
    const drawn = [];
    const draw = (text, width, more = "") => {
      const move = viewer.parseMove(text);
      if (!move) return;
      const [from, to, arrow] = [move.from, move.to, move.arrow].map((vertex) => viewer.center(vertex));
      const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
      const length = Math.hypot(dx, dy) || 1;
      const [x, y] = [dx / length, dy / length];
      const tip = 16 + 1.2 * width;
      const neck = [to[0] - tip * x, to[1] - tip * y];
      const half = 8 + 0.9 * width;
      drawn.push(
        viewer.svg("path", { class: `way ${more}`, d: `M${from}L${neck}`, "stroke-width": width }),
        viewer.svg("path", { class: `tip ${more}`, d: `M${to}L${neck[0] - half * y} ${neck[1] + half * x}L${neck[0] + half * y} ${neck[1] - half * x}z` }),
        viewer.svg("path", { class: `shot ${more}`, d: `M${to}L${arrow}`, "stroke-width": Math.max(4, width / 2) }),
        viewer.svg("circle", { class: `ring ${more}`, cx: arrow[0], cy: arrow[1], r: 18, "stroke-width": Math.max(4, width / 2.5) }),
      );
    };
    if (line) line.moves.slice(first, last + 1).forEach((text, at) => draw(text, first + at === last ? 15 : 6, first + at === last ? "pointed" : "faint"));
    else [...lines].reverse().forEach(({ moves, win }) => draw(moves[0], 4 + 12 * Math.max(0, 1 - (lines[0].win - win) / 0.2)));
    viewer.lineLayer.replaceChildren(...drawn);
  }

  // ---- mistakes --------------------------------------------------------------------------------------------------

  // Goes to the next marked move, or to the one before.
  seek(way) {
    const { viewer } = this;
    if (!this.isOn) return viewer.write(viewer.live, this.isKnown() ? "The engine is hidden: e shows it." : "This game has not been analysed.");
    const marked = this.marked();
    const found = way > 0 ? marked.find((ply) => ply > viewer.ply) : marked.findLast((ply) => ply < viewer.ply);
    if (found) viewer.go(found);
    else viewer.write(viewer.live, way > 0 ? "There is no mistake after this." : "There is no mistake before this.");
    return null;
  }

  // Lets a person find a better move than the one that is shown: the engine is silent meanwhile.
  find() {
    const { viewer } = this;
    const { ply } = viewer;
    viewer.go(ply - 1);
    this.task = { ply, note: viewer.game.moves[ply - 1].analysis, tried: null, isFound: false };
    viewer.explore();
    viewer.branch.back = ply;
    viewer.board.focus({ preventScroll: true });
  }

  // Judges what was tried; the task is over when somebody goes elsewhere.
  checkTask() {
    const { viewer, task } = this;
    if (!task) return;
    if (!viewer.branch || viewer.ply !== task.ply - 1) this.task = null;
    else if (viewer.branch.at && viewer.branch.moves[0].text !== task.tried) this.judge(viewer.branch.moves[0].text);
  }

  // A move is good enough within five points of the best.
  judge(text) {
    const { task } = this;
    task.tried = text;
    const { lines, loss } = task.note;
    const [best] = lines;
    const line = lines.find(({ moves }) => moves[0] === text);
    const lost = line ? Math.round(100 * (best.win - line.win)) : Math.round(100 * loss);
    const isGood = line && (line === best || best.win - line.win <= 0.05 || (line.proven && line.proven === best.proven));
    Object.assign(task, { isGood, isFound: task.isFound || isGood });
    if (line === best) task.words = `${text} is the engine’s move.`;
    else if (isGood) task.words = `${text} is as good: ${lost} ${lost === 1 ? "point" : "points"} from the engine’s ${best.moves[0]}.`;
    else if (text === this.viewer.game.moves[task.ply - 1].text) task.words = `${text} is the move of the game: it gave away ${lost} points.`;
    else task.words = line ? `${text} gives away ${lost} points.` : `${text} is not among the engine’s ${lines.length} best moves.`;
  }

  taskWords() {
    const { viewer, task } = this;
    const { mark } = task.note;
    const color = AmazonsViewer.COLORS[viewer.mover(task.ply)];
    const button = (text, act) => viewer.element("button", { type: "button", onclick: act }, text);
    const [best] = task.note.lines;
    const show = () => {
      this.task = null;
      this.look({ ...task.note, side: viewer.mover(task.ply), base: { ply: task.ply - 1, tried: [] } }, best, 1);
    };
    const retry = () => {
      viewer.tryTo(0);
      viewer.board.focus({ preventScroll: true });
    };
    const verdict = task.tried && viewer.branch.at ? [viewer.element("b", { class: task.isGood ? "good" : "blunder" }, task.isGood ? "Right. " : "Try again. "), task.words] : [];
    return [
      viewer.element("p", {}, viewer.element("b", { class: AmazonsAnalysis.MARKS[mark].name }, mark),
        ` Move ${task.ply}: ${viewer.game.players[color] || color} played ${viewer.game.moves[task.ply - 1].text} and gave away ${Math.round(100 * task.note.loss)} points. Find a better move for ${color}.`),
      viewer.element("p", {}, ...verdict),
      viewer.element("div", { class: "controls" },
        ...(task.tried && !task.isGood && viewer.branch.at ? [button("Try again", retry)] : []), button("Show it", show),
        button(task.isFound ? "Done" : "Give up", () => viewer.go(task.ply))),
    ];
  }
}
