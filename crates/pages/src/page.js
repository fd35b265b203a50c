// What all pages need.
"use strict";

/** @type {(id: string) => any} */
const byId = (id) => document.getElementById(id);

function make(tag, text = "", attributes = {}) {
  const made = document.createElement(tag);
  made.textContent = text;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

// Returns where a page is that the server has at a path; published pages are files.
const placeOf = (path) => window.published?.placeOf(path) ?? path;

const counted = (count, what) => `${count} ${what}${count === 1 ? "" : "s"}`;

// Uses what a browser remembers, which it may forbid.
function memory(use) {
  try {
    return use(localStorage);
  } catch {
    return null;
  }
}

// Adds a button for light, dark, or the colours of the system, and remembers the choice.
{
  const themes = { "": "as the system", light: "light", dark: "dark" };
  const names = Object.keys(themes);
  const button = make("button", "\u25d0", { type: "button", class: "icon" });
  const choose = (theme) => {
    document.documentElement.dataset.theme = theme;
    button.setAttribute("aria-label", `Colours: ${themes[theme]}`);
    button.title = `Colours: ${themes[theme]}`;
  };
  const remembered = memory((storage) => storage.getItem("theme"));
  choose(names.includes(remembered) ? remembered : "");
  button.addEventListener("click", () => {
    choose(names[(names.indexOf(document.documentElement.dataset.theme) + 1) % names.length]);
    memory((storage) => storage.setItem("theme", document.documentElement.dataset.theme));
  });
  document.querySelector(".top")?.append(button);
}

/** What the server offers; asked once, where there is a search.
 * @type {Promise<Partial<Offers>>} */
const offers = byId("search") && !window.published ? fetch("/api/analysis").then((answer) => answer.json()).catch(() => ({})) : null;
if (offers) {
  offers.then(({ offered, opponents = [] }) => {
    const here = location.pathname === "/analysis" ? { "aria-current": "page" } : {};
    if (offered) document.querySelector(".top nav").append(make("a", "Analyse", { href: "/analysis", ...here }));
    if (opponents.length) document.querySelector(".top nav").append(make("a", "Play", { href: "/editor" }));
  });
}

// Returns a signal that gives a request up after so many milliseconds.
const timeout = (time) => /** @type {any} */ (AbortSignal).timeout(time);

// The search in the top bar leads to the first page, which takes what is typed.
byId("search")?.addEventListener("submit", (event) => {
  event.preventDefault();
  if (location.pathname !== "/" && !window.published) location.assign(`/?${new URLSearchParams({ search: byId("search").elements.search.value })}`);
});

// Says how the connection to the server is, on pages with a line for that.
function tell(text) {
  if (byId("connection") && byId("connection").textContent !== text) byId("connection").textContent = text;
}

// Returns a text without characters that are invisible or turn others around, as the server prints it.
const printable = (text) => text.replace(/[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800\ufff9-\ufffb]/gu, "\ufffd");

// Follows a server's events, with `handlers` by their names, while somebody looks at the page.
//
// A browser opens six connections for all its tabs together. So a hidden page holds none, and when many pages are
// visible, the newest only look in from time to time; so does a hidden page that `looksIn`, as seats do. Numbered events
// go on after the last one, and pages of the same `game` pass new ones on. `handlers.lost` gets words when the connection
// breaks, `handlers.others` how many other tabs show the same seat.
class Stream {
  static HELD_MAX = 4;
  // In milliseconds: after how much silence a look ends and a connection counts as dead, pauses between looks, the
  // longest pause after a failure, how often other tabs are asked, and for how long an answer holds.
  static TIME = { seen: 300, dead: 25000, visible: 2000, hidden: 5000, retry: 4000, ask: 2000, answer: 5000 };

  constructor(address, handlers, seat = null, game = null) {
    Object.assign(this, { address, handlers, seat, game, last: null, source: null, failures: 0, asked: -Infinity });
    this.looksIn = Boolean(seat);
    // Seats go first, then the oldest pages.
    this.id = `${seat ? 0 : 1} ${Date.now()} ${Math.random()}`;
    this.others = new Map();
    this.tabs = new BroadcastChannel("streams");
    this.tabs.addEventListener("message", ({ data }) => this.hear(data));
    document.addEventListener("visibilitychange", () => (document.hidden ? this.wait(Stream.TIME.hidden) : this.look()));
    window.addEventListener("pageshow", () => this.look());
    window.addEventListener("pagehide", () => this.rest("gone"));
    setInterval(() => this.check(), 500);
    this.look();
  }

  close() {
    this.isClosed = true;
    this.rest("gone");
  }

  say(what) {
    this.tabs.postMessage({ what, id: this.id, seat: this.seat, holds: !document.hidden && !this.isClosed });
  }

  hear({ what, id, seat, holds, game, before, event }) {
    if (what === "event") {
      if (game !== this.game || this.isClosed || event.number <= this.last?.number) return null;
      const isNext = before && before.number === this.last?.number && before.data === this.last.data;
      return isNext ? this.take(event) : this.look();
    }
    if (what === "gone") this.others.delete(id);
    else this.others.set(id, { seat, holds, until: performance.now() + Stream.TIME.answer });
    if (what === "who" && !this.isClosed) this.say("here");
  }

  mayHold() {
    return !document.hidden && [...this.others].filter(([id, { holds }]) => holds && id < this.id).length < Stream.HELD_MAX;
  }

  check() {
    const now = performance.now();
    if (!document.hidden && !this.isClosed && now - this.asked > Stream.TIME.ask) {
      this.asked = now;
      this.others.forEach(({ until }, id) => until < now && this.others.delete(id));
      this.handlers.others?.([...this.others.values()].filter(({ seat }) => seat && seat === this.seat).length);
      this.say("who");
    }
    const isLook = this.source?.readyState === EventSource.OPEN && !this.mayHold();
    const isOver = this.source && now - this.heard > (isLook ? Stream.TIME.seen : Stream.TIME.dead);
    if (isOver) this.wait(document.hidden ? Stream.TIME.hidden : Stream.TIME.visible);
  }

  look() {
    if (this.source || this.isClosed) return;
    clearTimeout(this.next);
    // The last event comes again: if it is another one, all others are, too.
    let [again, isNew] = [this.last, Boolean(this.last)];
    const source = new EventSource(again ? `${this.address}?after=${again.number - 1}` : this.address);
    this.source = source;
    this.heard = performance.now();
    const { lost, others, open, ...handlers } = /** @type {Record<string, any>} */ ({ alive() {}, ...this.handlers });
    for (const [name, handle] of Object.entries(handlers)) {
      source.addEventListener(name, (event) => {
        this.heard = performance.now();
        // A page that was loaded passes on the last of what there was, so that others notice what they have missed.
        const isEnd = event.data.startsWith('{"event":"end"');
        if (name === "waited" && !isNew) this.pass(null, this.last);
        isNew ||= name === "waited" || isEnd;
        if (name !== "message" || !event.lastEventId) return handle(event);
        const [known, told] = [again, { number: Number(event.lastEventId), data: event.data }];
        again = null;
        if (known?.number === told.number) return known.data === told.data || this.begin();
        // The server begins with the first one if it has fewer.
        if (known) this.last = null;
        // Another page has passed it on.
        if (told.number <= this.last?.number) return null;
        if (isNew) this.pass(this.last, told);
        this.take(told);
      });
    }
    source.addEventListener("open", () => {
      this.heard = performance.now();
      this.failures = 0;
      (open ?? (() => tell("")))();
    });
    source.addEventListener("error", () => this.source === source && this.fail());
  }

  pass(before, event) {
    if (this.game && event) this.tabs.postMessage({ what: "event", game: this.game, before, event });
  }

  take(event) {
    this.last = event;
    this.handlers.message(event);
  }

  begin() {
    this.last = null;
    this.wait(0);
  }

  // After some answers, the browser itself would not try again.
  async fail() {
    this.failures += 1;
    this.wait(Math.min(Stream.TIME.retry, 250 * 2 ** this.failures) * (0.75 + Math.random() / 4));
    const lost = this.handlers.lost ?? tell;
    lost("Connecting again.");
    const { status } = await fetch(this.address, { method: "HEAD", signal: timeout(3000) }).catch(() => ({ status: 0 }));
    if (status === 404 && this.failures) lost("The server does not show this any more.");
  }

  wait(time) {
    this.rest("here");
    if (!document.hidden || this.looksIn) this.next = setTimeout(() => this.look(), time);
  }

  // Gives the connection back, and says so to the other tabs.
  rest(what) {
    clearTimeout(this.next);
    this.source?.close();
    this.source = null;
    this.say(what);
  }
}
