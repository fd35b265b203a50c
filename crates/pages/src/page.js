// What all pages need.
"use strict";

const byId = (id) => document.getElementById(id);

function make(tag, text = "", attributes = {}) {
  const made = document.createElement(tag);
  made.textContent = text;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

// Says how the connection to the server is, on pages with a line for that.
function tell(text) {
  if (byId("connection") && byId("connection").textContent !== text) byId("connection").textContent = text;
}

// Returns a text without characters that are invisible or turn others around, as the server prints it.
const printable = (text) => text.replace(/[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800\ufff9-\ufffb]/gu, "\ufffd");

// Follows a server's events, `handlers` by their names, for as long as somebody looks at the page.
//
// A browser opens six connections for all its tabs together. So a hidden page holds none, and of many visible pages the
// newest only look in from time to time; a page that `looksIn` does so when it is hidden, too. Events with a number are
// resumed after the last one. `handlers.lost` is told in words when the connection breaks, `handlers.others` how many
// other tabs show the same seat.
class Stream {
  static HELD_MAX = 4;
  // In milliseconds.
  static LOOK = { settled: 300, pause: 2000, hidden: 5000 };
  static SILENCE_MAX = 25000;
  static RETRY_MAX = 4000;
  static ASK = { every: 2000, valid: 5000 };

  constructor(address, handlers, seat = null) {
    Object.assign(this, { address, handlers, seat, last: null, source: null, failures: 0, asked: -Infinity });
    // Seats go first, then the oldest pages.
    this.id = `${seat ? 0 : 1} ${Date.now()} ${Math.random()}`;
    this.others = new Map();
    this.tabs = new BroadcastChannel("streams");
    this.tabs.addEventListener("message", ({ data }) => this.hear(data));
    this.listeners = new AbortController();
    const { signal } = this.listeners;
    document.addEventListener("visibilitychange", () => (document.hidden ? this.leave() : this.look()), { signal });
    window.addEventListener("pageshow", () => this.look(), { signal });
    window.addEventListener("pagehide", () => this.rest("gone"), { signal });
    this.timer = setInterval(() => this.check(), 500);
    this.look();
  }

  // Ends it for good.
  close() {
    this.rest("gone");
    this.tabs.close();
    this.listeners.abort();
    clearInterval(this.timer);
    this.look = () => {};
  }

  // ---- other tabs ------------------------------------------------------------------------------------------------

  say(what) {
    this.tabs.postMessage({ what, id: this.id, seat: this.seat, holds: !document.hidden });
  }

  hear({ what, id, seat, holds }) {
    if (what === "gone") this.others.delete(id);
    else this.others.set(id, { seat, holds, until: performance.now() + Stream.ASK.valid });
    if (what === "who") this.say("here");
  }

  // Returns whether this page may keep its connection.
  mayHold() {
    const first = [...this.others].filter(([id, other]) => other.holds && id < this.id);
    return !document.hidden && first.length < Stream.HELD_MAX;
  }

  check() {
    const now = performance.now();
    if (!document.hidden && now - this.asked > Stream.ASK.every) {
      this.asked = now;
      this.others.forEach(({ until }, id) => until < now && this.others.delete(id));
      this.handlers.others?.([...this.others.values()].filter(({ seat }) => seat && seat === this.seat).length);
      this.say("who");
    }
    if (!this.source) return;
    const isLook = this.source.readyState === EventSource.OPEN && !this.mayHold();
    if (now - this.heard <= (isLook ? Stream.LOOK.settled : Stream.SILENCE_MAX)) return;
    this.wait(document.hidden ? Stream.LOOK.hidden : Stream.LOOK.pause);
  }

  // ---- the connection --------------------------------------------------------------------------------------------

  look() {
    if (this.source) return;
    clearTimeout(this.next);
    // The last event comes again: if it is another one, the server's events are others, too.
    const expected = this.last;
    const source = new EventSource(expected ? `${this.address}?after=${expected.number - 1}` : this.address);
    let isFirst = true;
    this.source = source;
    this.heard = performance.now();
    const { lost, others, open, ...handlers } = this.handlers;
    for (const [name, handle] of Object.entries({ alive: null, ...handlers })) {
      source.addEventListener(name, (event) => {
        this.heard = performance.now();
        if (name === "message" && event.lastEventId) {
          const [number, isAgain] = [Number(event.lastEventId), isFirst && expected?.number === Number(event.lastEventId)];
          if (isAgain && expected.data !== event.data) return this.begin();
          isFirst = false;
          this.last = { number, data: event.data };
          if (isAgain) return;
        }
        handle?.(event);
      });
    }
    source.addEventListener("open", () => {
      this.heard = performance.now();
      this.failures = 0;
      (open ?? (() => tell("")))();
    });
    source.addEventListener("error", () => this.source === source && this.fail());
  }

  begin() {
    this.last = null;
    this.rest("here");
    this.look();
  }

  // The browser gives up after some answers, so it is not left to it to try again.
  async fail() {
    this.failures += 1;
    this.wait(Math.min(Stream.RETRY_MAX, 250 * 2 ** this.failures) * (0.75 + Math.random() / 4));
    const lost = this.handlers.lost ?? tell;
    lost("Connecting again.");
    const { status } = await fetch(this.address, { method: "HEAD", signal: AbortSignal.timeout(3000) }).catch(() => ({}));
    if (status === 404 && this.failures > 0) lost("The server does not show this any more.");
  }

  wait(time) {
    this.rest("here");
    if (!document.hidden || this.seat) this.next = setTimeout(() => this.look(), time);
  }

  leave() {
    if (this.seat) return this.say("here");
    this.rest("here");
  }

  rest(what) {
    clearTimeout(this.next);
    this.source?.close();
    this.source = null;
    this.say(what);
  }
}
