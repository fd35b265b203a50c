// The board as a picture, with words for those who do not see it.
"use strict";

function draw(parent, tag, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  parent.append(made);
  return made;
}

// Columns are named 1 to 9, then a, b and so on.
const columnName = (column) => (column + 1).toString(36);
const columnOf = (name) => (/^[0-9a-z]$/.test(name) ? parseInt(name, 36) - 1 : -1);
const signed = (score) => (score > 0 ? `+${score}` : `${score}`.replace("-", "−"));
const letters = ["X", "O"];

// A column's score as an item of a list, with words for those who do not see it.
function scoreItem(column, score, isBest, isPlayed, none = ["×", "full"]) {
  const [shown, words] = score == null ? none : [signed(score), `${signed(score)}${isBest ? ", best" : ""}${isPlayed ? ", played" : ""}`];
  const item = make("li");
  item.classList.toggle("best", isBest);
  item.classList.toggle("played", isPlayed);
  item.append(make("span", shown, { "aria-hidden": "true", class: "score" }), make("span", `column ${columnName(column)}: ${words}`, { class: "unseen" }));
  return item;
}

class Board {
  constructor(parent, width, height) {
    this.width = width;
    this.height = height;
    parent.parentElement.style.setProperty("--ratio", width / height);
    this.svg = draw(parent, "svg", { viewBox: `0 0 ${width * 100} ${height * 100}`, class: "board", role: "img" });
    draw(this.svg, "rect", { class: "frame", width: width * 100, height: height * 100, rx: 24 });
    for (let column = 0; column < width; column += 1) {
      for (let row = 0; row < height; row += 1) draw(this.svg, "circle", { class: "hole", ...this.center(column, row), r: 40 });
    }
    this.stones = draw(this.svg, "g", {});
  }

  center(column, row) {
    return { cx: column * 100 + 50, cy: (this.height - row) * 100 - 50 };
  }

  // Shows the stones of a game, marks the last one and those of a four: pairs of column and row.
  show(columns, fours = []) {
    this.stones.replaceChildren();
    const heights = Array(this.width).fill(0);
    const words = Array(this.width).fill("");
    columns.forEach((column, index) => {
      const row = heights[column]++;
      words[column] += ` ${letters[index % 2]}`;
      this.stone(column, row, index % 2, index === columns.length - 1, fours.some(([x, y]) => x === column && y === row));
    });
    const told = words.map((stones, column) => (stones ? `column ${columnName(column)} from below:${stones}` : "")).filter(Boolean);
    this.svg.setAttribute("aria-label", told.length ? `The board: ${told.join("; ")}` : "The board is empty");
  }

  // Sides differ by their sign as well as by colour.
  stone(column, row, side, isLast, isFour) {
    const { cx, cy } = this.center(column, row);
    draw(this.stones, "circle", { class: `stone side${side}`, cx, cy, r: 42 });
    const sign = side === 0 ? `M${cx - 14} ${cy - 14}l28 28m0 -28l-28 28` : `M${cx - 16} ${cy}a16 16 0 1 0 32 0a16 16 0 1 0 -32 0`;
    draw(this.stones, "path", { class: "sign", d: sign });
    if (isFour) draw(this.stones, "circle", { class: "four", cx, cy, r: 42 });
    if (isLast) draw(this.stones, "circle", { class: "last", cx, cy, r: 30 });
  }
}
