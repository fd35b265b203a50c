"use strict";
(() => {
  const {pegs, colours, mayRepeat, names, first} = JSON.parse(document.getElementById("game").textContent);
  const codes = allCodes(pegs, colours, mayRepeat);
  /** @type {(id: string) => any} */
  const byId = (id) => document.getElementById(id);
  const STORE = `mastermind-helper ${pegs} ${names.join("")} ${mayRepeat}`;
  // Guesses, and what they were before each change.
  let turns = [], past = [], edited = null;
  const text = (code) => code.map((colour) => names[colour]).join("");
  const read = (word) => [...word.trim().toLowerCase()].map((name) => names.indexOf(name));

  function problem(code, black, white) {
    const last = names[colours - 1];
    if (code.length !== pegs) return `A code has ${pegs} pegs.`;
    if (code.includes(-1)) return `The colours are ${names[0]} to ${last}.`;
    if (!(black >= 0 && white >= 0 && black + white <= pegs)) return `There are ${pegs} pegs to answer.`;
    if (black === pegs - 1 && white === 1) return "The last peg has no other place for a white one.";
    return "";
  }

  function row(code) {
    const pegsOf = document.createElement("span");
    for (const colour of code) {
      const peg = document.createElement("span");
      peg.className = `peg c${colour}`;
      peg.textContent = names[colour];
      pegsOf.append(peg);
    }
    return pegsOf;
  }

  // A reload keeps everything, where a browser allows it: the guesses, the way back, and what is half typed.
  function store() {
    const draft = ["code", "black", "white"].map((id) => byId(id).value);
    try {
      localStorage.setItem(STORE, JSON.stringify({turns, past: past.slice(-50), edited, draft}));
    } catch {
      // Private windows may refuse.
    }
  }

  function restore() {
    let draft = null;
    try {
      const kept = JSON.parse(localStorage.getItem(STORE));
      if ([kept.turns, ...kept.past].flat().some(({code, black, white}) => problem(code, black, white) !== "")) return;
      ({turns, past, edited, draft} = kept);
    } catch {
      // Nothing was kept, or something else.
    }
    show();
    if (draft) ["code", "black", "white"].forEach((id, place) => (byId(id).value = draft[place]));
    store();
  }

  function change(next) {
    past.push(turns);
    turns = next;
    edited = null;
    show();
  }

  function button(label, number, press) {
    const made = Object.assign(document.createElement("button"), {type: "button", textContent: label, onclick: press});
    made.setAttribute("aria-label", `${label} guess ${number}`);
    return made;
  }

  function conflictText(found) {
    const {code, black, white} = turns[found.place];
    const numbers = found.earlier.map((place) => place + 1);
    const others = numbers.length < 2 ? `guess ${numbers}` : `guesses ${numbers.slice(0, -1).join(", ")} and ${numbers.at(-1)}`;
    const why = numbers.length === 0 ? "is impossible in this game" : `contradicts ${others}`;
    return `No code fits: the answer to guess ${found.place + 1} (${text(code)}: ${black} black, ${white} white) ${why}. ` +
      "Change the wrong one.";
  }

  function show() {
    showTurns();
    store();
  }

  function showTurns() {
    const list = byId("turns");
    list.replaceChildren(...turns.map((turn, place) => {
      const item = document.createElement("li");
      const edit = button("Change", place + 1, () => {
        edited = place;
        showTurns();
        byId("code").value = text(turn.code);
        [byId("black").value, byId("white").value] = [turn.black, turn.white];
        store();
        byId("black").focus();
      });
      const remove = button("Delete", place + 1, () => change(turns.filter((_, other) => other !== place)));
      item.append(row(turn.code), ` ${turn.black} black, ${turn.white} white `, edit, " ", remove);
      return item;
    }));
    byId("add").textContent = edited === null ? "Add" : `Change guess ${edited + 1}`;
    byId("undo").disabled = past.length === 0;
    const left = fitting(codes, turns), next = byId("next");
    byId("codes").textContent = left.length <= 60 ? left.map(text).join(" ") : "";
    if (left.length === 0) {
      byId("left").textContent = conflictText(contradiction(codes, turns));
      next.replaceChildren("–");
      return;
    }
    byId("left").textContent = left.length === 1 ? "1 code fits." : `${left.length} codes fit.`;
    const guess = turns.length === 0 ? read(first) : nextGuess(codes, left);
    next.replaceChildren(row(guess));
    byId("code").value = text(guess);
  }

  byId("form").addEventListener("submit", (event) => {
    event.preventDefault();
    const code = read(byId("code").value);
    const black = Number(byId("black").value), white = Number(byId("white").value);
    const wrong = problem(code, black, white);
    byId("wrong").textContent = wrong;
    if (wrong !== "") return;
    const turn = {code, black, white, answer: black * 16 + black + white};
    change(edited === null ? [...turns, turn] : turns.map((other, place) => (place === edited ? turn : other)));
    byId("black").focus();
    byId("black").select();
  });
  byId("form").addEventListener("input", store);
  byId("undo").addEventListener("click", () => {
    turns = past.pop();
    edited = null;
    show();
    byId("black").focus();
  });
  byId("again").addEventListener("click", () => {
    if (turns.length > 0) change([]);
    byId("code").focus();
  });
  restore();
})();
