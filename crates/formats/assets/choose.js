// Choosing a move on the board: a queen, where it goes, and where it shoots; by mouse, touch, drag and keyboard.
//
//   viewer.ask(ply);             // a move is wanted in the position after so many moves; null: none now; undefined: none
//   viewer.back();               // takes back the last choice
//   viewer.onmove = (text) => …  // a whole move was chosen
//   viewer.onchoice = () => …    // `viewer.chosen` or what there is to choose has changed
//   viewer.onrefused = (text) => …  // what was pressed cannot be chosen, and why; "" when that is over
class AmazonsChooser extends AmazonsParts {
  static CHOICES = ["queen", "target", "arrow"];
  // How far from a square a finger may come down, in pixels.
  static FINGER = 22;

  chosen = [];
  offered = [];
  cursor = null;
  said = this.element("p", { class: "unseen", "aria-live": "assertive" });
  // What a screen reader says about a board on which one chooses.
  boardKeys = this.element("p", { class: "unseen", id: "board-keys" }, "Arrow keys move, N goes to the next square to choose, Enter chooses, Escape steps back.");

  buildChooser() {
    this.board.addEventListener("pointerdown", (event) => this.grasp(event));
    this.board.addEventListener("click", (event) => this.clicked(event));
    this.board.addEventListener("keydown", (event) => this.pressed(event));
    return [this.said, this.boardKeys];
  }

  drawGround() {
    super.drawGround();
    this.layer = this.svg("g", { class: "offers" });
    this.board.append(this.layer);
    this.cursor = null;
  }

  ask(ply) {
    if (this.asked !== ply) this.chosen = [];
    this.asked = ply;
    this.offerSquares();
  }

  // Lets keys choose on the board, or makes it a picture.
  renewRole() {
    const isOn = this.isChoosable();
    const roles = { role: isOn ? "application" : "img", "aria-roledescription": "board", "aria-describedby": "board-keys", tabindex: 0 };
    for (const [name, value] of Object.entries(roles)) {
      if (isOn || name === "role") this.board.setAttribute(name, value);
      else this.board.removeAttribute(name);
    }
  }

  // ---- what may be chosen ----------------------------------------------------------------------------------------

  isAsked() {
    return Boolean(this.game && this.asked === this.ply);
  }

  // Returns whether moves are chosen here at all; who waits for a turn keeps the keys of the board.
  isChoosable() {
    return this.asked !== undefined;
  }

  // Lists where one gets from a vertex in a straight line, when `gone` has been left.
  reach(from, gone) {
    const { columns, rows, stones, closed } = this;
    const found = [];
    const column = from % columns;
    const row = (from - column) / columns;
    for (let way = 0; way < 9; way += 1) {
      if (way === 4) continue;
      const [right, down] = [(way % 3) - 1, Math.floor(way / 3) - 1];
      for (let x = column + right, y = row + down; x >= 0 && y >= 0 && x < columns && y < rows; x += right, y += down) {
        const to = y * columns + x;
        if (closed[to] || (stones[to] && to !== gone)) break;
        found.push(to);
      }
    }
    return found;
  }

  // Lists what may be chosen after these choices.
  /** @param {number[]} chosen */
  choices([from, to]) {
    if (to !== undefined) return this.reach(to, from);
    if (from !== undefined) return this.reach(from, from);
    const own = [];
    const queen = 1 + this.turn();
    this.stones.forEach((stone, vertex) => stone === queen && this.reach(vertex, vertex).length && own.push(vertex));
    return own;
  }

  offerSquares() {
    if (!this.layer) return;
    this.renewRole();
    if (!this.isAsked()) this.chosen = [];
    this.offered = this.isAsked() ? this.choices(this.chosen) : [];
    this.drawOffers();
    this.onchoice?.();
  }

  // Takes a vertex as the next choice; another queen, or the same square again, changes the last one.
  choose(vertex) {
    if (!this.isAsked()) return this.refuse(this.asked === null ? "It is not your turn." : "Go to the last move to play.");
    const [from, to] = this.chosen;
    if (this.offered.includes(vertex)) this.chosen.push(vertex);
    else if (vertex === this.chosen.at(-1)) this.chosen.pop();
    else if (from !== undefined && to === undefined && this.choices([]).includes(vertex)) this.chosen = [vertex];
    else return this.refuse(`${this.square(vertex)} cannot be chosen: choose a marked square`);
    this.refuse("");
    if (this.chosen.length === 3) {
      const [queen, target, arrow] = this.chosen.map((one) => this.square(one));
      this.chosen = [];
      this.takeChoice(`${queen}-${target}/${arrow}`);
    }
    this.offerSquares();
  }

  takeChoice(text) {
    this.asked = null;
    this.onmove?.(text);
  }

  back() {
    this.chosen.pop();
    this.offerSquares();
  }

  // ---- what is seen and heard of it ------------------------------------------------------------------------------

  square(vertex) {
    const column = vertex % this.columns;
    return this.file(column) + (this.rows - (vertex - column) / this.columns);
  }

  say(text) {
    this.said.textContent = text;
  }

  refuse(text) {
    if (this.onrefused) this.onrefused(text);
    else this.say(text);
  }

  drawOffers() {
    const at = (shape) => this.offered.map((vertex) => shape(...this.center(vertex))).join("");
    const shapes = [
      (x, y) => `M${x - 46} ${y}a46 46 0 1 0 92 0a46 46 0 1 0-92 0z`,
      (x, y) => `M${x - 16} ${y}a16 16 0 1 0 32 0a16 16 0 1 0-32 0z`,
      (x, y) => `M${x - 18} ${y - 18}h36v36h-36z`,
    ];
    const stage = this.chosen.length;
    const drawn = [this.svg("path", { class: `offer ${AmazonsChooser.CHOICES[stage]}`, d: at(shapes[stage]) })];
    const [from, to] = this.chosen;
    this.drawn.forEach(({ node }, vertex) => node.classList.toggle("gone", vertex === from && to !== undefined));
    if (from !== undefined) {
      const [x, y] = this.center(from);
      drawn.push(this.svg("path", { class: "taken", d: shapes[0](x, y) }));
      if (to !== undefined) drawn.push(this.svg("path", { class: "taken", d: `M${x} ${y}L${this.center(to)}` }), this.moved(from, to));
    }
    if (this.cursor !== null) {
      const [x, y] = this.center(this.cursor);
      drawn.push(this.svg("path", { class: "cursor", d: `M${x - 47} ${y - 47}h94v94h-94z` }));
    }
    this.layer.replaceChildren(...drawn);
  }

  // Returns the queen as it will stand.
  moved(from, to) {
    const queen = this.drawn.get(from).node.cloneNode(true);
    queen.classList.remove("gone");
    queen.setAttribute("transform", `translate(${this.center(to).join(" ")})`);
    return queen;
  }

  describeSquare(vertex) {
    const stone = this.closed[vertex] ? "hole" : ["free", "black queen", "white queen", "arrow"][this.stones[vertex]];
    const chosen = this.chosen.includes(vertex) ? ", chosen" : "";
    return `${this.square(vertex)}, ${stone}${chosen}${this.offered.includes(vertex) ? ", can be chosen" : ""}`;
  }

  // ---- mouse and keyboard ----------------------------------------------------------------------------------------

  vertexAt(event) {
    const [column, row] = this.pointAt({ x: event.clientX, y: event.clientY }).map((at) => Math.floor((at - this.margin) / AmazonsBoard.CELL));
    return column < 0 || row < 0 || column >= this.columns || row >= this.rows ? null : this.place(row * this.columns + column);
  }

  // Returns the vertex that is meant: a finger takes the nearest one that may be chosen.
  pointed(event) {
    const vertex = this.vertexAt(event);
    if (event.pointerType !== "touch" || this.offered.includes(vertex)) return vertex;
    const scale = this.board.getScreenCTM();
    const far = (one) => {
      const at = new DOMPoint(...this.center(one)).matrixTransform(scale);
      return Math.hypot(at.x - event.clientX, at.y - event.clientY);
    };
    const [near] = this.offered.map((one) => [far(one), one]).filter(([distance]) => distance < AmazonsChooser.FINGER).sort(([a], [b]) => a - b);
    return near ? near[1] : vertex;
  }

  // Called when the board is pressed.
  press(_event) {}

  // Chooses a queen as soon as it is pressed, so that it can be dragged; a touch may begin to scroll.
  grasp(event) {
    this.grasped = null;
    if (event.button === 0 && event.pointerType !== "touch") this.press(event);
    if (!this.isAsked() || event.button !== 0 || event.pointerType === "touch" || this.chosen.length > 1) return;
    const vertex = this.vertexAt(event);
    if (vertex === this.chosen[0] || !this.choices([]).includes(vertex)) return;
    this.choose(vertex);
    this.grasped = vertex;
  }

  // Where a queen is released is a click, too.
  clicked(event) {
    if (this.hasDragged) return;
    if (event.pointerType === "touch") this.press(event);
    const vertex = this.isChoosable() ? this.pointed(event) : null;
    if (vertex === null) return;
    this.cursor = null;
    this.wasChoice = this.offered.includes(vertex) || this.chosen.includes(vertex);
    if (vertex !== this.grasped) this.choose(vertex);
    this.grasped = null;
  }

  pressed(event) {
    if (!this.isChoosable() || event.altKey || event.ctrlKey || event.metaKey) return;
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const actions = { Enter: () => this.pick(), " ": () => this.pick(), Escape: () => this.back(), n: () => this.next(1), N: () => this.next(-1) };
    const action = event.key in ways ? () => this.step(...ways[event.key]) : actions[event.key];
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  }

  pick() {
    if (this.cursor === null) this.next(1);
    else this.choose(this.cursor);
  }

  step(right, down) {
    const first = this.offered[0] ?? 0;
    const now = this.place(this.cursor ?? first);
    const column = Math.max(0, Math.min(this.columns - 1, (now % this.columns) + right));
    const row = Math.max(0, Math.min(this.rows - 1, Math.floor(now / this.columns) + down));
    this.point(this.cursor === null ? first : this.place(row * this.columns + column));
  }

  // Goes to the next square that may be chosen.
  next(way) {
    const count = this.offered.length;
    if (count === 0) return this.say("There is nothing to choose.");
    const at = this.offered.findIndex((vertex) => vertex === this.cursor);
    this.point(this.offered[at < 0 ? 0 : (at + way + count) % count]);
  }

  isHolding() {
    return this.grasped != null;
  }

  // A second click on what can be chosen is a choice.
  mayReset() {
    return !this.wasChoice;
  }

  point(vertex) {
    this.cursor = vertex;
    this.reveal(vertex);
    this.drawOffers();
    this.say(this.describeSquare(vertex));
  }
}
