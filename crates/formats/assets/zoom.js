// A closer look at a large board: by wheel, pinch, buttons and keys; a drag moves what is seen.
class AmazonsZoom extends AmazonsBoard {
  // The fewest squares across that are shown, the factor of a step, and from how many squares on the wheel zooms.
  static ZOOM = { closest: 6, step: 1.5, large: 16 };
  // How far a finger or mouse may slip before it drags, in pixels.
  static SLIP = 6;

  constructor() {
    super();
    Object.assign(this, { zoom: 1, seen: [0, 0], fingers: new Map(), hasDragged: false });
    const on = (name, act) => this.board.addEventListener(name, act, { passive: false });
    on("wheel", (event) => this.wheeled(event));
    on("pointerdown", (event) => this.fingerDown(event));
    on("pointermove", (event) => this.fingerMoved(event));
    for (const name of ["pointerup", "pointercancel"]) window.addEventListener(name, (event) => this.fingers.delete(event.pointerId));
    // Two fingers are ours, one scrolls the page.
    on("touchstart", (event) => event.touches.length > 1 && event.preventDefault());
    on("dblclick", () => this.zoom > 1 && this.mayReset() && this.zoomTo(1));
  }

  mayReset() {
    return true;
  }

  isLarge() {
    return Math.max(this.columns, this.rows) > AmazonsZoom.ZOOM.large;
  }

  setUp(board, position) {
    this.zoom = 1;
    super.setUp(board, position);
  }

  drawGround() {
    super.drawGround();
    this.showSeen();
  }

  // Shows the board so many times as large, with a point of it where it was.
  zoomTo(zoom, point = this.seen.map((start, axis) => start + this.size()[axis] / this.zoom / 2)) {
    const closest = Math.max(1, Math.max(this.columns, this.rows) / AmazonsZoom.ZOOM.closest);
    const target = Math.max(1, Math.min(zoom, closest));
    this.seen = this.seen.map((start, axis) => point[axis] - ((point[axis] - start) * this.zoom) / target);
    this.zoom = target;
    this.showSeen();
  }

  zoomBy(steps, point) {
    this.zoomTo(this.zoom * AmazonsZoom.ZOOM.step ** steps, point);
  }

  showSeen() {
    const size = this.size();
    const span = size.map((length) => length / this.zoom);
    this.seen = this.seen.map((start, axis) => Math.max(0, Math.min(start, size[axis] - span[axis])));
    this.board.setAttribute("viewBox", [...this.seen, ...span].map((length) => Math.round(length)).join(" "));
    this.board.classList.toggle("zoomed", this.zoom > 1);
    // Lines are as strong on a large board as on a small one.
    /** @type {any} */ (this.board).style.setProperty("--fine", Math.max(1, Math.max(this.columns, this.rows) / 14 / this.zoom));
    this.drawLabels(this.seen[0], this.seen[1] + span[1], this.zoom);
  }

  // Moves what is seen until a vertex is in it.
  reveal(vertex) {
    if (this.zoom === 1) return;
    const [size, half] = [this.size(), AmazonsBoard.CELL];
    this.seen = this.center(vertex).map((at, axis) => Math.max(at + half - size[axis] / this.zoom, Math.min(this.seen[axis], at - half)));
    this.showSeen();
  }

  // Moves what is seen by so many pixels.
  pan(right, down) {
    const scale = this.board.getScreenCTM().a;
    this.seen = [this.seen[0] - right / scale, this.seen[1] - down / scale];
    this.showSeen();
  }

  pointAt({ x, y }) {
    const point = new DOMPoint(x, y).matrixTransform(this.board.getScreenCTM().inverse());
    return [point.x, point.y];
  }

  // A small board leaves the wheel to the page; a touchpad's pinch comes as a wheel with Ctrl.
  wheeled(event) {
    if (!event.ctrlKey && !this.isLarge() && this.zoom === 1) return;
    event.preventDefault();
    this.zoomTo(this.zoom * Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.002)), this.pointAt(event));
  }

  fingerDown(event) {
    if (event.button !== 0) return;
    if (!this.fingers.size) this.hasDragged = false;
    this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }

  fingerMoved({ pointerId, clientX, clientY }) {
    const finger = this.fingers.get(pointerId);
    if (!finger || this.isHolding()) return;
    const [right, down] = [clientX - finger.x, clientY - finger.y];
    if (!this.hasDragged && Math.hypot(right, down) < AmazonsZoom.SLIP) return;
    const other = [...this.fingers].find(([id]) => id !== pointerId)?.[1];
    if (!other && this.zoom === 1) return;
    this.hasDragged = true;
    const far = (one) => Math.hypot(one.x - other.x, one.y - other.y);
    const before = other && far(finger);
    [finger.x, finger.y] = [clientX, clientY];
    if (other) this.zoomTo((this.zoom * far(finger)) / Math.max(1, before), this.pointAt({ x: (finger.x + other.x) / 2, y: (finger.y + other.y) / 2 }));
    else this.board.setPointerCapture(pointerId);
    this.pan(other ? right / 2 : right, other ? down / 2 : down);
  }

  // Returns whether a piece is being dragged.
  isHolding() {
    return false;
  }
}
