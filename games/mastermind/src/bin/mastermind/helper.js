"use strict";
(() => {
  const {pegs, colours, mayRepeat, names, first} = JSON.parse(document.getElementById("game").textContent);
  const codes = allCodes(pegs, colours, mayRepeat);
  const byId = (id) => document.getElementById(id);
  let turns = [];
  const text = (code) => code.map((colour) => names[colour]).join("");
  const read = (word) => [...word.trim().toLowerCase()].map((name) => names.indexOf(name));

  function problem(code, black, white) {
    const last = names[colours - 1];
    if (code.length !== pegs) return `A code has ${pegs} pegs.`;
    if (code.includes(-1)) return `The colours are ${names[0]} to ${last}.`;
    if (!mayRepeat && new Set(code).size < pegs) return "No colour may appear twice.";
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

  function show() {
    const list = byId("turns");
    list.replaceChildren(...turns.map((turn) => {
      const item = document.createElement("li");
      item.append(row(turn.code), ` ${turn.black} black, ${turn.white} white`);
      return item;
    }));
    byId("undo").disabled = turns.length === 0;
    const left = fitting(codes, turns), next = byId("next");
    byId("codes").textContent = left.length <= 60 ? left.map(text).join(" ") : "";
    if (left.length === 0) {
      byId("left").textContent = "No code fits: one of the answers is wrong. Take the last ones back.";
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
    turns.push({code, black, white, answer: black * 16 + black + white});
    show();
    byId("black").focus();
    byId("black").select();
  });
  byId("undo").addEventListener("click", () => {
    turns.pop();
    show();
    byId("black").focus();
  });
  byId("again").addEventListener("click", () => {
    turns = [];
    show();
    byId("code").focus();
  });
  show();
})();
