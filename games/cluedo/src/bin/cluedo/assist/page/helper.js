// The helper's page: it sends lines and shows the answers.
"use strict";

async function request(name, options) {
  try {
    const reply = await fetch(`${location.pathname}/${name}`, options);
    tell(reply.ok ? "" : await reply.text());
    if (reply.ok) show(await reply.json());
  } catch {
    tell("The helper does not answer: is cluedo still running?");
  }
}

const send = (line) =>
  request("line", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ line }) });

function show({ said, entries, grid }) {
  byId("said").replaceChildren(
    ...said.flatMap(([line, answer]) => [...(line ? [make("p", `> ${line}`, { class: "soft" })] : []), make("pre", answer)]),
  );
  byId("said").scrollTop = byId("said").scrollHeight;
  byId("entries").replaceChildren(...entries.map((entry) => make("li", entry)));
  byId("no-grid").hidden = Boolean(grid);
  const [head = [], ...rows] = grid ?? [];
  const titles = make("tr");
  titles.append(...head.map((title) => make("th", title, { scope: "col" })));
  const top = make("thead");
  top.append(titles);
  const body = make("tbody");
  body.append(...rows.map((row) => showRow(head, row)));
  byId("grid").replaceChildren(...(grid ? [top, body] : []));
}

// A cell asks why the card is there or not.
function showRow(head, [card, ...cells]) {
  const shown = make("tr");
  shown.append(make("th", card, { scope: "row" }));
  cells.forEach((text, column) => {
    const name = head[column + 1];
    const button = make("button", text, { type: "button", "aria-label": `${card}, ${name}: ${text === "-" ? "no" : text}` });
    button.addEventListener("click", () => send(`why ${name} ${text === "-" ? "not " : ""}${card}`));
    const cell = make("td");
    cell.append(button);
    shown.append(cell);
  });
  return shown;
}

byId("form").addEventListener("submit", (event) => {
  event.preventDefault();
  send(byId("line").value);
  byId("line").value = "";
});
for (const button of byId("requests").children) button.addEventListener("click", () => send(button.textContent));
byId("line").focus();
request("state");
