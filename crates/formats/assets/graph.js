// The chances through a game as one picture: the engine's as an area, the players' own as lines, dots for mistakes. All
// are those of the side at the bottom of the board; click or drag to go to a moment.
class AmazonsGraph {
  constructor(viewer) {
    this.viewer = viewer;
    this.picture = viewer.svg("svg", { class: "graph", role: "img", viewBox: "0 0 1000 200", preserveAspectRatio: "none" });
    this.legend = viewer.element("p", { class: "legend soft" });
    const goTo = (event) => {
      const box = this.picture.getBoundingClientRect();
      viewer.go(Math.round(((event.clientX - box.left) / box.width) * viewer.game.moves.length));
    };
    this.picture.addEventListener("pointerdown", (event) => {
      this.picture.setPointerCapture(event.pointerId);
      goTo(event);
    });
    this.picture.addEventListener("pointermove", (event) => this.picture.hasPointerCapture(event.pointerId) && goTo(event));
  }

  x(ply) {
    return (1000 * ply) / Math.max(1, this.viewer.game.moves.length);
  }

  // Returns how high a chance of Black is drawn.
  y(black) {
    return 4 + 192 * (this.viewer.isFlipped ? black : 1 - black);
  }

  draw() {
    const { viewer } = this;
    const { moves } = viewer.game;
    const sides = viewer.isFlipped ? ["white", "black"] : ["black", "white"];
    const drawn = [];
    const add = (tag, attributes) => drawn.push(viewer.svg(tag, attributes));
    // A stretch of known values is one area; what has not been judged yet stays empty.
    for (const run of this.runs()) {
      const edge = run.map(([ply, black]) => `${this.x(ply)} ${this.y(black)}`).join("L");
      const [left, right] = [this.x(run[0][0]), this.x(run.at(-1)[0])];
      add("path", { class: `area ${sides[1]}`, d: `M${left} 0L${edge}L${right} 0z` });
      add("path", { class: `area ${sides[0]}`, d: `M${left} 200L${edge}L${right} 200z` });
      add("path", { class: "edge", d: `M${edge}` });
    }
    const hasArea = drawn.length > 0;
    add("line", { class: "even", x1: 0, x2: 1000, y1: 100, y2: 100 });
    const curves = [[], []];
    moves.forEach((move, index) => {
      const side = viewer.mover(index + 1);
      if (move.value != null) curves[side].push(`${this.x(index + 1)},${this.y(side ? 0.5 - move.value / 2 : 0.5 + move.value / 2)}`);
    });
    curves.forEach((curve, side) => {
      for (const part of curve.length ? ["rim", `opinion ${AmazonsViewer.COLORS[side]}`] : []) add("polyline", { class: part, points: curve.join(" ") });
    });
    const marked = viewer.analysis.marked();
    for (const ply of marked) {
      const { mark } = moves[ply - 1].analysis;
      const d = `M${this.x(ply)} ${this.y(viewer.analysis.chance(ply)?.black ?? 0.5)}h0`;
      add("path", { class: "rim dot", d });
      add("path", { class: `dot ${AmazonsAnalysis.MARKS[mark].name}`, d });
    }
    this.marker = viewer.svg("line", { class: "marker", y1: 0, y2: 200 });
    this.picture.replaceChildren(...drawn, this.marker);
    this.picture.classList.toggle("empty", !hasArea && curves.every((curve) => curve.length === 0));
    this.picture.setAttribute("aria-label", `The chances of ${sides[0]}, at the bottom of the board: 100 % above, 0 % below`);
    this.tell(hasArea, sides[0], curves, marked);
    this.mark();
  }

  // Lists the stretches of known chances, each [[ply, Black's chance]].
  runs() {
    const runs = [[]];
    for (let ply = 0; ply <= this.viewer.game.moves.length; ply += 1) {
      const chance = this.viewer.analysis.chance(ply);
      if (chance) runs.at(-1).push([ply, chance.black]);
      else runs.push([]);
    }
    return runs.filter((run) => run.length > 1);
  }

  tell(hasArea, bottom, curves, marked) {
    const { viewer } = this;
    const parts = [];
    const add = (key, text) => parts.push(viewer.element("span", {}, viewer.element("span", { class: `sample ${key}`, "aria-hidden": "true" }), text));
    if (hasArea) add(`area ${bottom}`, "engine");
    AmazonsViewer.COLORS.forEach((color, side) => curves[side].length && add(color, viewer.game.players[color] || color));
    if (marked.length) add("dot", "mistakes");
    this.legend.replaceChildren(...(parts.length ? [`${bottom}’s chance:`] : []), ...parts);
  }

  // Shows which moment the board shows.
  mark() {
    for (const end of ["x1", "x2"]) this.marker?.setAttribute(end, this.x(this.viewer.ply));
  }
}
