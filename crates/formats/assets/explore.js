// A branch: moves that somebody tries for both sides, while the game goes on behind them.
//
//   viewer.look(moves, at, base);        // shows the first `at` (all) of these texts, after those of `base` (what is shown)
//   viewer.leave();                      // back to the game
//   viewer.onposition = (text) => …      // the text of another position that is shown
class AmazonsExplorer extends AmazonsChooser {
  // What a link to a branch may hold.
  static LINK = /^#ply=(\d{1,9})(?:&try=([a-z0-9/,-]{5,8000}))?$/;

  // The moves tried, and how many of them are shown; the game stays at its ply.
  branch = null;

  buildExplorer() {
    this.tries = this.element("ol", { class: "moves", "aria-label": "Moves tried" });
    this.tries.addEventListener("click", (event) => {
      const clicked = event.target.closest("button");
      if (clicked) this.tryTo(Number(clicked.value));
    });
    this.positionField = this.element("input", { readonly: "", "aria-label": "Position text", onfocus: () => this.positionField.select() });
    this.typedTry = this.element("input", { "aria-label": "Move to try", placeholder: "d1-d7/g7", autocomplete: "off", autocapitalize: "none", spellcheck: "false", maxlength: 30 });
    this.refusedTry = this.element("p", { class: "fault", role: "alert" });
    const typed = this.element("form", {}, this.typedTry, this.element("button", {}, "Try"));
    typed.addEventListener("submit", (event) => {
      event.preventDefault();
      this.tryTyped();
    });
    this.tried = this.element("section", { class: "tried", "aria-label": "What if", hidden: "" },
      this.element("div", { class: "controls" }, this.element("strong", {}, "What if"),
        this.element("button", { type: "button", onclick: () => this.leave() }, "Back to the game")),
      this.tries, typed, this.refusedTry,
      this.element("div", { class: "controls copy" }, this.positionField, this.element("button", { type: "button", onclick: (event) => this.copy(this.positionField, event.target) }, "Copy")));
    this.trying = this.button("Try a move (x)", "pencil", () => (this.branch ? this.leave() : this.explore()));
    return this.tried;
  }

  // ---- the branch ------------------------------------------------------------------------------------------------

  // Returns how many moves lead to the position that is shown, and its side to move.
  shownPly() {
    return this.ply + (this.branch?.at ?? 0);
  }

  turn() {
    return this.mover(this.shownPly() + 1);
  }

  shownMove() {
    return this.branch?.at ? this.branch.moves[this.branch.at - 1] : this.game.moves[this.ply - 1];
  }

  // Lists the texts of the moves that were tried to get to what is shown.
  triedTexts() {
    return this.branch?.moves.slice(0, this.branch.at).map((move) => move.text) ?? [];
  }

  isChoosable() {
    return Boolean(this.branch) || super.isChoosable();
  }

  isAsked() {
    return this.branch ? Boolean(this.game) : super.isAsked();
  }

  // Begins a branch where the game is shown.
  explore() {
    if (!this.game || this.branch) return;
    this.stop();
    this.branch = { moves: [], at: 0, followed: this.follows };
    this.follows = false;
    this.chosen = [];
    this.listTries();
  }

  takeChoice(text) {
    if (this.branch) this.addTry(this.readMove(text));
    else super.takeChoice(text);
  }

  refuse(text) {
    if (this.branch) this.write(this.refusedTry, text);
    else super.refuse(text);
  }

  addTry(move) {
    this.branch.moves.splice(this.branch.at, Infinity, move);
    this.refusedTry.textContent = "";
    this.stepTo(this.branch.at + 1);
    this.listTries();
    this.noteHash();
  }

  tryTyped() {
    const move = this.readMove(this.typedTry.value);
    if (!move) this.refusedTry.textContent = "not a legal move here: type it as d1-d7/g7";
    else if (this.branch) this.addTry(move);
    if (move) this.typedTry.value = "";
  }

  // Reads a move that is legal in the position that is shown, or returns null.
  readMove(text) {
    const squares = /^\W*([a-z]+\d+)\W*([a-z]+\d+)\W*([a-z]+\d+)\W*$/.exec(String(text).toLowerCase());
    const move = squares && this.parseMove(`${squares[1]}-${squares[2]}/${squares[3]}`);
    if (!move || this.stones[move.from] !== 1 + this.turn()) return null;
    return this.reach(move.from, move.from).includes(move.to) && this.reach(move.to, move.from).includes(move.arrow) ? move : null;
  }

  look(moves, at = moves.length, base = this.triedTexts()) {
    this.explore();
    if (!this.branch) return;
    this.stepTo(0);
    this.branch.moves = [];
    // A link may hold anything: what is not legal ends it.
    for (const text of [...base, ...moves]) {
      const move = this.readMove(text);
      if (!move) break;
      this.branch.moves.push(move);
      this.stepTo(this.branch.moves.length);
    }
    this.stepTo(base.length + at);
    this.listTries();
    this.noteHash();
  }

  // Shows so many moves of the branch, and redraws only what changes.
  stepTo(at) {
    const { branch } = this;
    const target = Math.max(0, Math.min(at, branch.moves.length));
    const touched = new Set();
    while (branch.at !== target) {
      const isOn = branch.at < target;
      const move = branch.moves[isOn ? branch.at : branch.at - 1];
      if (isOn) this.play(move, this.shownPly() + 1);
      else this.undo(move, this.shownPly());
      branch.at += isOn ? 1 : -1;
      [move.from, move.to, move.arrow].forEach((vertex) => touched.add(vertex));
    }
    this.chosen = [];
    touched.forEach((vertex) => this.patch(vertex));
    this.drawArrows();
  }

  tryTo(at) {
    this.stepTo(at);
    this.show();
    this.announce();
    this.noteHash();
  }

  // Goes so many moves on or back, in the branch or the game.
  walk(by) {
    if (this.branch) this.tryTo(this.branch.at + by);
    else this.go(this.ply + by);
  }

  // Ends the branch without another look at the page.
  drop() {
    if (!this.branch) return;
    this.stepTo(0);
    this.branch = null;
    this.tried.hidden = true;
    this.trying.setAttribute("aria-pressed", false);
  }

  leave() {
    if (!this.branch) return;
    const { followed, back = this.ply } = this.branch;
    this.drop();
    this.go(followed ? Infinity : back);
  }

  // Moves of the game that were taken back below a branch go on as part of it.
  adopt(taken) {
    const { branch } = this;
    branch.moves.unshift(...taken);
    branch.at += taken.length;
    this.ply -= taken.length;
    this.listTries();
  }

  // Takes back a choice; without one, leaves the branch.
  back() {
    if (this.branch && !this.chosen.length) this.leave();
    else super.back();
  }

  pressed(event) {
    if (!this.branch || event.key !== "Backspace") return super.pressed(event);
    event.preventDefault();
    this.walk(-1);
  }

  // ---- what is seen of it ----------------------------------------------------------------------------------------

  listTries() {
    const first = this.mover(this.ply + 1);
    const items = this.branch.moves.map((move, index) => {
      const color = AmazonsViewer.COLORS[(first + index) % 2];
      const button = this.element("button", { type: "button", value: index + 1 }, move.text, this.element("span", { class: "unseen" }, `, ${color}, tried`));
      return this.element("li", {}, button);
    });
    this.tries.replaceChildren(...items);
    this.tried.hidden = false;
    this.trying.setAttribute("aria-pressed", true);
    this.show();
    this.announce();
  }

  // Returns the result of a branch in which the side to move is blocked.
  triedResult() {
    return this.choices([]).length ? null : { winner: AmazonsViewer.COLORS[1 - this.turn()], ending: "no_moves" };
  }

  offerSquares() {
    super.offerSquares();
    const step = ["choose a queen", "choose where it goes", "choose where it shoots"][this.chosen.length];
    if (this.branch && this.offered.length) this.write(this.reason, `What if, ${this.ply ? `after move ${this.ply}` : "from the start"}: ${step}`);
  }

  showTries() {
    const text = this.onposition || this.branch ? this.positionText() : "";
    if (this.branch) {
      this.positionField.value = text;
      [...this.tries.children].forEach((item, index) => {
        if (index + 1 === this.branch.at) item.firstChild.setAttribute("aria-current", "true");
        else item.firstChild.removeAttribute("aria-current");
      });
    }
    if (this.onposition && text !== this.toldPosition) this.onposition((this.toldPosition = text));
  }

  // Returns the text of the position that is shown, as the server writes it.
  positionText() {
    const blackMoves = Math.floor((this.shownPly() + (this.start.first === 0 ? 1 : 0)) / 2);
    return this.writePosition(this.turn(), this.start.number + blackMoves);
  }

  // ---- mouse, keys, links ----------------------------------------------------------------------------------------

  // On a game that is over, a queen of the side to move begins a branch.
  press(event) {
    if (!this.game || this.isChoosable() || (this.isLive && !this.game.result)) return;
    const vertex = this.vertexAt(event);
    if (vertex !== null && this.choices([]).includes(vertex)) this.explore();
  }

  linkText() {
    const tried = this.triedTexts();
    return `#ply=${this.ply}${tried.length ? `&try=${tried.join(",")}` : ""}`;
  }

  goToHash() {
    const found = AmazonsExplorer.LINK.exec(location.hash);
    if (found && this.game) {
      this.go(Number(found[1]));
      if (found[2]) this.look(found[2].split(","), undefined, []);
    }
    return Boolean(found);
  }
}
