// What an engine thinks of a game: a bar beside the board, marks in the list, lines as arrows, words for mistakes.
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
      viewer.button("Mistake before (p)", "before", () => this.seek(-1)), this.step, viewer.button("Next mistake (n)", "next", () => this.seek(1)));
    this.summary = element("div", { class: "summary" });
    this.head = element("p", { class: "verdict" });
    this.lines = element("ol", { class: "lines", "aria-label": "The engine's lines" });
    this.hint = element("p", { class: "soft" });
    this.tab = [this.head, this.lines, this.hint];
    this.renewing = null;
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
  }

  // ---- what is known ---------------------------------------------------------------------------------------------

  annotate(ply, analysis) {
    const { game } = this.viewer;
    if (ply === 0) game.analysis = analysis;
    else if (ply < 0) game.verdict = analysis;
    else if (game.moves[ply - 1]) game.moves[ply - 1].analysis = analysis;
    this.renewing ??= requestAnimationFrame(() => this.renew());
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
    if (next?.win != null) return this.ofBlack(viewer.mover(ply + 1), next.win, next.proven);
    return last?.win_after == null ? null : this.ofBlack(viewer.mover(ply), last.win_after, last.proven_after);
  }

  ofBlack(side, win, proven) {
    if (proven) return { black: proven === "black" ? 1 : 0, proven };
    return { black: Math.max(0, Math.min(1, side ? 1 - win : win)), proven: null };
  }

  // Lists the plies of marked moves.
  marked() {
    if (!this.isOn) return [];
    return this.viewer.game.moves.flatMap(({ analysis }, index) => (AmazonsAnalysis.MARKS[analysis?.mark] ? [index + 1] : []));
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
    cancelAnimationFrame(this.renewing);
    this.renewing = null;
    const { viewer } = this;
    if (!viewer.game) return;
    viewer.game.moves.forEach((move, index) => this.fillMove(viewer.list.children[index].lastChild, move, index + 1));
    this.toggle.checked = this.isOn;
    this.asked.hidden = !this.isKnown();
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
      const own = viewer.game.verdict?.sides?.find((one) => one.color === color);
      const marks = this.marked().filter((ply) => viewer.mover(ply) === side).map((ply) => viewer.game.moves[ply - 1].analysis.mark);
      const counts = Object.entries(AmazonsAnalysis.MARKS).map(([mark, { name, many }]) => {
        const count = marks.filter((one) => one === mark).length;
        return viewer.element("span", { class: count ? name : "soft", title: many }, viewer.element("b", {}, String(count)), ` ${mark}`, viewer.element("span", { class: "unseen" }, ` ${many}`));
      });
      const accuracy = own?.accuracy == null ? "" : `${own.accuracy.toFixed(own.accuracy < 99.95 ? 1 : 0)} %`;
      return viewer.element("p", { class: color },
        viewer.element("span", { class: "stone", "aria-hidden": "true" }), viewer.element("span", { class: "name" }, viewer.game.players[color] || color),
        viewer.element("strong", { title: "accuracy" }, accuracy, viewer.element("span", { class: "unseen" }, accuracy ? " accuracy" : "")), ...counts);
    });
    this.summary.replaceChildren(...rows);
  }

  // ---- what is shown of the moment -------------------------------------------------------------------------------

  show() {
    const { viewer } = this;
    viewer.graph.mark();
    const chance = viewer.branch ? null : this.chance(viewer.ply);
    this.showBar(chance);
    const said = this.isOn ? this.judgement(viewer.ply) : null;
    this.words.replaceChildren(...(said ? this.wordsOf(said) : []));
    const marked = this.marked();
    this.lesson.hidden = marked.length === 0;
    const at = marked.indexOf(viewer.ply);
    viewer.write(this.step, at >= 0 ? `Mistake ${at + 1} of ${marked.length}` : `${marked.length} ${marked.length === 1 ? "mistake" : "mistakes"}`);
    this.showLines(chance);
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
    if (note?.win == null || note.win_after == null) return null;
    const side = viewer.mover(ply);
    const [before, after] = [this.percent(note.win, side, note.proven), this.percent(note.win_after, side, note.proven_after)];
    const mark = AmazonsAnalysis.MARKS[note.mark];
    const better = note.lines?.[0]?.moves?.[0];
    const isBest = better === viewer.game.moves[ply - 1].text;
    // The difference of what is shown, unless the loss is not just that.
    const [exact, shown] = [100 * (note.loss ?? 0), Math.round(100 * note.win) - Math.round(100 * note.win_after)];
    const lost = Math.abs(exact - shown) < 1 ? Math.max(0, shown) : Math.round(exact);
    const gave = lost ? `gave away ${lost} ${lost === 1 ? "point" : "points"}` : "gave away nothing";
    const words = mark || lost ? `${before} → ${after}: ${gave}` : isBest ? "The engine’s move" : `As good as the engine’s move: ${gave}`;
    return { mark, sign: note.mark, words, better: isBest ? null : better, facts: note.facts ?? [], ply };
  }

  wordsOf({ mark, sign, words, better, facts, ply }) {
    const { viewer } = this;
    const line = viewer.element("p", {});
    if (mark) line.append(viewer.element("b", { class: mark.name }, `${sign} ${mark.word}.`), " ");
    line.append(words);
    if (better && (mark || words.includes("→"))) line.append("; better ", this.moveButton(better, () => this.look(ply - 1, [better])));
    line.append(".");
    return [line, ...facts.map((fact) => viewer.element("p", { class: "fact" }, viewer.printable(String(fact))))];
  }

  // Returns the judgement as a sentence, for those who listen.
  spoken(ply) {
    const said = this.isOn ? this.judgement(ply) : null;
    if (!said?.mark) return "";
    return ` ${said.mark.word}: ${said.words.replace("→", "to")}${said.better ? `; better ${said.better}` : ""}. ${said.facts.join(" ")}`;
  }

  // ---- lines -----------------------------------------------------------------------------------------------------

  // Returns the lines of the shown position, best first, each {moves, win, proven}.
  linesHere() {
    const note = this.isOn ? this.viewer.game.moves[this.viewer.ply]?.analysis : null;
    return (note?.lines ?? []).filter(({ moves }) => moves?.length).slice(0, AmazonsAnalysis.MAX_LINES);
  }

  showLines(chance) {
    const { viewer } = this;
    const lines = this.linesHere();
    const side = viewer.mover(viewer.ply + 1);
    const note = viewer.game.moves[viewer.ply]?.analysis;
    this.hint.hidden = this.isOn && lines.length > 0;
    viewer.write(this.hint, !this.isOn ? "The engine is hidden, so that you can judge for yourself. Its switch is above, its key is e." : viewer.ply === viewer.game.moves.length ? "The game ends here." : "The engine has not judged this position.");
    const win = chance && (side ? 1 - chance.black : chance.black);
    const depth = [viewer.game.analysis?.engine, note?.depth && `depth ${note.depth}`, note?.nodes && `${note.nodes.toLocaleString("en")} nodes`].filter(Boolean).join(", ");
    this.head.replaceChildren(...(chance ? [viewer.element("b", {}, this.percent(win, side, chance.proven)), ` for ${AmazonsViewer.COLORS[side]}, to move`, viewer.element("span", { class: "soft" }, depth)] : []));
    this.lines.replaceChildren(...lines.map((line) => viewer.element("li", {},
      viewer.element("b", {}, this.percent(line.win, side, line.proven)),
      viewer.element("span", {}, ...line.moves.slice(0, AmazonsAnalysis.MAX_LINE_LEN).flatMap((text, at) => [
        this.moveButton(text, () => this.look(viewer.ply, line.moves.slice(0, at + 1)), () => this.drawLines(lines, line, at)), " ",
      ])))));
    this.drawLines(lines);
  }

  // Returns a button for a move; `point` is called while it is pointed at.
  moveButton(text, act, point) {
    const button = this.viewer.element("button", { type: "button", class: "step", onclick: act }, this.viewer.printable(text));
    if (point) {
      for (const event of ["pointerenter", "focus"]) button.addEventListener(event, point);
      for (const event of ["pointerleave", "blur"]) button.addEventListener(event, () => this.drawLines(this.linesHere()));
    }
    return button;
  }

  // Draws the first moves of lines as arrows, the wider the closer to the best; or one line up to its move `last`.
  drawLines(lines, line, last) {
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
    if (line) line.moves.slice(0, last + 1).forEach((text, at) => draw(text, at === last ? 15 : 6, at === last ? "pointed" : "faint"));
    else [...lines].reverse().forEach(({ moves, win }) => draw(moves[0], 4 + 12 * Math.max(0, 1 - (lines[0].win - win) / 0.2)));
    viewer.lineLayer.replaceChildren(...(viewer.branch ? [] : drawn));
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

  // Shows moves from the position of the game after so many.
  look(ply, moves) {
    this.viewer.move(ply);
    this.viewer.look(moves, moves.length, []);
  }
}
