// The server's engine on the page of a game, where the server offers it: it analyses the whole game, once that is over,
// and the position that is shown, for as long as somebody looks at it.
"use strict";

class Engine {
  // How long a position is shown before the engine thinks about it, in milliseconds: who steps through a game asks for none.
  static REST = 250;
  static TIMES = { 100: "0.1 s a move", 1000: "1 s a move", 5000: "5 s a move" };

  // Adds what the server offers to the viewer's tab.
  static async offer(viewer, game) {
    // Pages without a search do not ask.
    const { offered } = (await offers) ?? {};
    return new Engine(viewer, game, Boolean(offered));
  }

  constructor(viewer, game, isOffered) {
    this.isOffered = isOffered;
    this.viewer = viewer;
    this.address = `/api/games/${game}/analysis`;
    /** @type {AnalysisState & Partial<AnalysisFailure>} */
    this.state = { state: "none", ply: 0, of: 0 };
    const make = viewer.element;
    this.time = make("select", { "aria-label": "Time for each move" }, ...Object.entries(Engine.TIMES).map(([ms, text]) => make("option", { value: ms }, text)));
    this.time.value = "1000";
    this.button = make("button", { type: "button", onclick: () => this.press() });
    this.progress = make("progress", { "aria-label": "Progress of the analysis" });
    this.told = make("span", { class: "soft number", role: "status" });
    this.trouble = make("p", { class: "fault", role: "alert" });
    this.whole = make("div", { class: "controls", hidden: "" }, this.button, this.time, this.progress, this.told);
    this.live = make("input", { type: "checkbox", role: "switch", onchange: () => this.watch() });
    if (!isOffered) return;
    viewer.analysis.tools.append(this.whole, this.trouble, make("label", { class: "switch" }, this.live, "Live: think about this position"));
    viewer.analysis.isOffered = true;
    viewer.onposition = (text) => this.moved(text);
    viewer.analysis.onswitch = () => this.watch();
    document.addEventListener("visibilitychange", () => this.watch());
    window.addEventListener("pagehide", () => this.rest());
    if (viewer.game) viewer.analysis.renew();
  }

  // ---- the whole game --------------------------------------------------------------------------------------------

  // Follows the analysis of a game that is over; one that is kept is shown in any case.
  follow() {
    const { viewer } = this;
    if (this.stream) return;
    this.stream = new Stream(this.address, {
      message({ data }) {
        const { event, ply, analysis } = JSON.parse(data);
        if (analysis) viewer.annotate({ start: 0, end: -1 }[event] ?? ply, analysis);
      },
      state: ({ data }) => {
        this.tell(JSON.parse(data));
        // Nothing comes after it, or can be started.
        if (this.state.state === "done" || (this.state.state === "none" && !this.isOffered)) this.stream.close();
      },
      // The page's own words on the connection stay.
      open: () => this.tell(this.state),
      lost: (text) => (this.told.textContent = text),
    });
    this.tell(this.state);
  }

  /** @param {AnalysisState & Partial<AnalysisFailure>} state */
  tell(state) {
    this.state = state;
    const { state: name, ply = 0, of = 0, error } = state;
    const isOn = name === "running" || name === "waiting";
    this.whole.hidden = name === "done";
    this.time.hidden = isOn;
    this.button.textContent = isOn ? "Stop" : name === "stopped" ? "Go on" : "Analyse this game";
    this.progress.hidden = !isOn && name !== "stopped";
    this.progress.max = of || 1;
    this.progress.value = ply;
    this.told.textContent = { running: `${ply} of ${of}`, waiting: "waits for another analysis", stopped: `stopped at ${ply} of ${of}` }[name] ?? "";
    this.trouble.textContent = error ?? "";
  }

  async press() {
    const isOn = ["running", "waiting"].includes(this.state.state);
    const body = JSON.stringify(isOn ? { stop: true } : { time_ms: Number(this.time.value) });
    if (!isOn && !this.viewer.analysis.isOn) this.viewer.analysis.set(true);
    this.button.disabled = true;
    const answer = await fetch(this.address, { method: "POST", headers: { "Content-Type": "application/json" }, body }).catch(() => null);
    this.button.disabled = false;
    this.trouble.textContent = answer?.ok ? "" : answer ? await answer.text() : "The server does not answer.";
  }

  // ---- the position that is shown --------------------------------------------------------------------------------

  moved(text) {
    if (text === this.position) return;
    this.position = text;
    this.viewer.analysis.takeLive(null);
    this.watch();
  }

  // Shows the engine and lets it think.
  begin() {
    this.viewer.analysis.isOn = this.live.checked = true;
    this.viewer.analysis.renew();
    this.watch();
  }

  // Lets the engine think about what is shown, or stops it.
  watch() {
    this.rest();
    const { viewer } = this;
    if (!this.live.checked || !viewer.analysis.isOn || document.hidden || !this.position) return;
    this.waits = setTimeout(() => this.think(), Engine.REST);
  }

  think() {
    const { shape, columns } = this.viewer.game.board;
    const query = new URLSearchParams({ position: this.position, lines: "3", ownership: "true", ...(shape ? { shape, size: columns } : {}) });
    const source = new EventSource(`/api/analysis/live?${query}`);
    this.source = source;
    source.addEventListener("message", ({ data }) => {
      const answer = JSON.parse(data);
      if (this.source !== source) return;
      this.trouble.textContent = answer.error ?? "";
      if (!answer.error) this.viewer.analysis.takeLive(answer);
      // A browser would ask again when the server has told all.
      if (answer.error || answer.during === false) this.rest();
    });
    source.addEventListener("error", () => {
      if (this.source !== source) return;
      this.rest();
      this.trouble.textContent = "The engine does not answer: trying again.";
      this.waits = setTimeout(() => this.watch(), 10 * Engine.REST);
    });
  }

  rest() {
    clearTimeout(this.waits);
    this.source?.close();
    this.source = null;
  }
}
