// Puzzles: positions in which one move wins, tried on the board; another move is answered there, and the words say why.
class AmazonsPuzzles extends AmazonsChooser {
  static SIDES = ["Black", "White"];
  static STEPS = ["Choose a queen.", "Choose where it goes.", "Choose where it shoots."];
  static MARKS = { right: "✓", wrong: "✗", shown: "…" };
  // How long a move is seen before it is answered, in milliseconds.
  static PAUSE = 700;

  /** @param {HTMLElement} root @param {PuzzleView[]} puzzles */
  constructor(root, puzzles) {
    super();
    this.root = root;
    this.puzzles = puzzles;
    this.ply = 0;
    // Whether a puzzle was solved at the first try, later or not at all: `right`, `wrong` or `shown`.
    this.results = puzzles.map(() => null);
    this.build();
    this.onmove = (text) => this.answer(text);
    this.onrefused = (text) => this.write(this.step, text && !this.isAsked() ? "Try again, or go on to another puzzle." : text || this.stepText());
    this.onchoice = () => this.write(this.step, this.stepText());
    document.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("hashchange", () => this.show(this.linked()));
    this.show(this.linked());
  }

  // ---- the page --------------------------------------------------------------------------------------------------

  build() {
    const text = (label, action) => this.element("button", { type: "button", onclick: action }, label);
    this.status = this.element("p", { class: "status" });
    this.step = this.element("p", { class: "soft" });
    this.words = this.element("div", { class: "words", "aria-live": "polite" });
    this.again = text("Try again (r)", () => this.show(this.number));
    this.giveUp = text("Show the move", () => this.solve());
    this.list = this.element("div", { class: "controls list", role: "group", "aria-label": "Puzzles, the easiest first" });
    this.buttons = this.puzzles.map((_, at) => text(String(at + 1), () => this.open(at)));
    this.list.append(...this.buttons);
    this.about = this.element("dl", { class: "about" });
    this.counter = this.element("output", { class: "number" });
    const controls = this.element("div", { class: "controls", role: "group", "aria-label": "Puzzle" },
      this.button("Puzzle before (Left)", "back", () => this.go(-1)), this.counter, this.button("Next puzzle (Right)", "on", () => this.go(1)));
    this.root.classList.add("amazons", "puzzles");
    this.root.replaceChildren(
      this.element("div", { class: "stage" }, this.element("div", { class: "field" }, this.board), controls),
      this.element("div", { class: "panel" }, this.status, this.step, this.words,
        this.element("div", { class: "controls" }, this.again, this.giveUp), this.about, this.list),
      ...this.buildChooser(),
    );
  }

  stepText() {
    return this.isAsked() ? AmazonsPuzzles.STEPS[this.chosen.length] : "";
  }

  side(of = this.turn()) {
    return AmazonsPuzzles.SIDES[of];
  }

  turn() {
    return this.start.first;
  }

  // Returns the puzzle that the address names, or the first.
  linked() {
    const number = Number(/^#(\d{1,6})$/.exec(location.hash)?.[1] ?? 1) - 1;
    return number >= 0 && number < this.puzzles.length ? number : 0;
  }

  // Goes to a puzzle, and keeps the address a link to it.
  open(number) {
    if (number === this.linked()) this.show(number);
    else location.hash = String(number + 1);
  }

  go(by) {
    this.open((this.number + by + this.puzzles.length) % this.puzzles.length);
  }

  show(number) {
    clearTimeout(this.timer);
    this.number = number;
    /** @type {PuzzleView} */
    this.game = this.puzzles[number];
    this.chosen = [];
    this.setUp(this.game.board, this.game.position);
    this.root.style.setProperty("--ratio", String(this.columns / this.rows));
    this.ask(0);
    this.write(this.status, `${this.side()} to move: one move wins`);
    this.words.replaceChildren();
    this.about.replaceChildren();
    this.board.setAttribute("aria-label", `Puzzle ${number + 1}, ${this.side()} to move. Board of ${this.columns} columns and ${this.rows} rows.`);
    this.mark();
  }

  // Shows what became of the puzzles so far.
  mark() {
    this.write(this.counter, `${this.number + 1} / ${this.puzzles.length}`);
    this.again.disabled = this.isAsked();
    this.buttons.forEach((button, at) => {
      const result = this.results[at];
      button.setAttribute("aria-label", `Puzzle ${at + 1}${result ? `, ${result}` : ""}`);
      button.replaceChildren(String(at + 1), ...(result ? [this.element("b", { class: result }, AmazonsPuzzles.MARKS[result])] : []));
      if (at === this.number) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    });
  }

  // ---- moves -----------------------------------------------------------------------------------------------------

  // Plays a move of a side on the board.
  play(text, side) {
    const move = this.parseMove(text);
    this.put(move, 1 + side);
    [move.from, move.to, move.arrow].forEach((vertex) => this.patch(vertex));
    this.drawArrows();
    this.drawWay(move);
  }

  answer(text) {
    const { game } = this;
    const isRight = text === game.answer;
    this.results[this.number] ??= isRight ? "right" : "wrong";
    this.play(text, this.turn());
    if (isRight) {
      this.tell("good", "Right.", `${text} wins, ${this.proven(game.positions)}. All other ${Object.keys(game.wrong).length} moves lose.`);
      this.describe();
    } else {
      const [reply, positions] = game.wrong[text];
      const rival = 1 - this.turn();
      this.tell("fault", "Wrong.", `${text} loses: ${this.side(rival)} wins with ${reply}, ${this.proven(positions)}.`);
      this.timer = setTimeout(() => this.play(reply, rival), AmazonsPuzzles.PAUSE);
    }
    this.mark();
  }

  // Shows the move that wins.
  solve() {
    this.show(this.number);
    this.results[this.number] ??= "shown";
    this.ask(null);
    this.play(this.game.answer, this.turn());
    this.tell("soft", "The answer.", `${this.game.answer} wins, ${this.proven(this.game.positions)}.`);
    this.describe();
    this.mark();
  }

  tell(kind, result, text) {
    this.words.replaceChildren(this.element("p", {}, this.element("strong", { class: kind }, result), ` ${text}`));
  }

  proven(positions) {
    if (positions === 0) return "which counting the moves left proves";
    return positions === 1 ? "proven with one position" : `proven with ${positions.toLocaleString("en")} positions`;
  }

  // Tells of the game and of the engine, when that gives nothing away any more.
  describe() {
    const { players, ply, played, lure, visits } = this.game;
    const [black, white] = players.map((name) => name ?? "?");
    const add = (what, text) => this.about.append(this.element("dt", {}, what), this.element("dd", {}, text));
    add("Game", `${black} (black) against ${white} (white), after ${ply} moves`);
    if (played) add("Played", played);
    add("Looks best", lure);
    add("Champion", visits === null ? "does not find it" : `finds it after ${visits.toLocaleString("en")} visits`);
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const actions = { ArrowLeft: () => this.go(-1), ArrowRight: () => this.go(1), Escape: () => this.back(), r: () => this.show(this.number) };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }
}

{
  const data = document.getElementById("amazons-puzzles");
  window.puzzles = new AmazonsPuzzles(document.getElementById("puzzles-here"), JSON.parse(data.textContent));
}
