// Tables of whatever can be counted.
"use strict";

function headRow(titles) {
  const isText = (title) => ["Player", "Game", "Players", "Result", "Logs", "Board", "Opponent", "Team", "Kind", "Clock", "Fault"].includes(title);
  return titles.map((title) => make("th", title, { scope: "col", class: isText(title) ? "" : "number" }));
}

const number = (text) => make("td", String(text), { class: "number" });
const signed = (value) => (value < 0 ? "−" : "+") + Math.abs(value).toFixed(0);

function cellOf(...parts) {
  const cell = make("td");
  cell.append(...parts);
  return cell;
}

function section(title, ...nodes) {
  const made = make("section", "", { "aria-label": title });
  made.append(make("h2", title), ...nodes);
  return made;
}

// Returns a section with a table, which takes no room without rows; the first cell of a row is a text or a link, the others
// are numbers or cells.
function tableOf(title, titles, rows) {
  if (!rows.length) return [];
  const [table, head, body] = [make("table"), make("thead"), make("tbody")];
  const [heads, wide] = [make("tr"), make("div", "", { class: "wide", tabindex: 0, role: "group", "aria-label": title })];
  heads.append(...headRow(titles));
  head.append(heads);
  body.append(...rows.map(([first, ...cells]) => {
    const row = make("tr");
    row.append(cellOf(first), ...cells.map((cell) => (cell instanceof HTMLTableCellElement ? cell : number(cell))));
    return row;
  }));
  table.append(head, body);
  wide.append(table);
  return [section(title, wide)];
}

const share = (record) => (record?.games ? `${record.points}/${record.games}` : "");
const keysOf = (objects) => [...new Set(objects.flatMap((one) => Object.keys(one ?? {})))];
const percent = (part) => `${(100 * part).toFixed(1)} %`;
