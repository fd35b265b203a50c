// A board on which one sets up a position: a piece is chosen, then squares are pressed, or a piece is dragged.
//
//   const editor = new AmazonsEditor(element);
//   editor.show(board, text);          // a board, {columns, rows, holes}, and the position on it
//   editor.onchange = (text) => …      // the position is another one
"use strict";

class AmazonsEditor extends AmazonsChooser {
  /** @type {[string, number, string][]} */
  static PIECES = [["black queen", 1, "q"], ["white queen", 2, "w"], ["arrow", 3, "a"], ["nothing", 0, "Delete"]];

  constructor(root, ...panel) {
    super();
    const { element } = this;
    this.piece = 1;
    this.tools = element("div", { class: "pieces", role: "group", "aria-label": "What to place" },
      ...AmazonsEditor.PIECES.map(([name, piece, key]) => element("button", { type: "button", value: piece, title: `Place ${name} (${key})`, onclick: () => this.take(piece) },
        element("span", { class: `stone ${name.replace(" ", "-")}`, "aria-hidden": "true" }), name[0].toUpperCase() + name.slice(1))));
    this.side = element("select", { onchange: () => this.changed() }, element("option", { value: 0 }, "Black"), element("option", { value: 1 }, "White"));
    this.zoomers = [this.button("Closer (+)", "closer", () => this.zoomBy(1)), this.button("Wider (-)", "farther", () => this.zoomBy(-1))];
    this.refused = element("p", { class: "fault", role: "alert" });
    this.count = element("p", { class: "soft", role: "status" });
    this.stage = element("div", { class: "stage" }, this.board, element("div", { class: "controls" }, this.tools, ...this.zoomers));
    const side = element("label", {}, "To move ", this.side);
    const help = element("p", { class: "soft" }, "Choose a piece and press a square to place it, or again to take it away. A mouse drags pieces.");
    root.classList.add("amazons", "editor");
    root.replaceChildren(this.stage, element("div", { class: "panel" }, ...panel.slice(0, 1), element("div", { class: "controls" }, side), this.count, help, this.refused, ...panel.slice(1)), ...this.buildChooser());
    this.root = root;
    this.boardKeys.textContent = "Arrow keys move, Enter places what is chosen or takes it away; q, w, a and Delete place a black queen, a white one, an arrow, nothing.";
    this.take(1);
  }

  show(board, text) {
    this.setUp(board, text);
    this.root.style.setProperty("--ratio", board.columns / board.rows);
    this.side.value = this.start.first;
    this.zoomers.forEach((button) => (button.hidden = !this.isLarge()));
    this.offerSquares();
    this.tally();
  }

  take(piece) {
    this.piece = piece;
    for (const button of this.tools.children) button.setAttribute("aria-pressed", Number(button.value) === piece);
  }

  isChoosable() {
    return Boolean(this.stones);
  }

  isAsked() {
    return this.isChoosable();
  }

  choices() {
    return [];
  }

  refuse(text) {
    this.write(this.refused, text);
  }

  // Places the piece, or takes away the same one.
  choose(vertex) {
    this.put(vertex, this.stones[vertex] === this.piece ? 0 : this.piece);
  }

  setStone(vertex, piece) {
    if (this.closed[vertex]) return this.refuse(`${this.square(vertex)} is a hole of the board`);
    this.stones[vertex] = piece;
    this.refuse("");
    this.patch(vertex);
    this.drawArrows();
    return null;
  }

  put(vertex, piece) {
    this.setStone(vertex, piece);
    this.changed();
    this.drawOffers();
    this.say(this.describeSquare(vertex));
  }

  clear() {
    this.stones.forEach((stone, vertex) => stone && this.setStone(vertex, 0));
    this.changed();
  }

  changed() {
    this.tally();
    this.onchange?.(this.writePosition(Number(this.side.value), 1));
  }

  tally() {
    const [black, white, arrows] = [1, 2, 3].map((piece) => this.stones.filter((stone) => stone === piece).length);
    this.write(this.count, `${black} black, ${white} white, ${arrows} ${arrows === 1 ? "arrow" : "arrows"}`);
  }

  // ---- mouse and keys --------------------------------------------------------------------------------------------

  grasp(event) {
    const vertex = event.button === 0 && event.pointerType !== "touch" ? this.vertexAt(event) : null;
    this.grasped = vertex !== null && this.stones[vertex] ? vertex : null;
  }

  clicked(event) {
    const vertex = this.hasDragged ? null : this.vertexAt(event);
    const from = this.grasped;
    this.grasped = null;
    if (vertex === null) return;
    this.cursor = null;
    if (from === null || from === vertex) return this.choose(vertex);
    if (this.closed[vertex]) return this.refuse(`${this.square(vertex)} is a hole of the board`);
    const piece = this.stones[from];
    this.setStone(from, 0);
    this.put(vertex, piece);
  }

  pressed(event) {
    const tool = AmazonsEditor.PIECES.find(([, , key]) => key === event.key);
    if (!tool || this.cursor === null || event.altKey || event.ctrlKey || event.metaKey) return super.pressed(event);
    event.preventDefault();
    this.put(this.cursor, tool[1]);
  }
}
