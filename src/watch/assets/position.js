// The pages of a position: /editor, where it is set up, and /analysis, where moves are tried from it.
"use strict";

const isEditor = location.pathname === "/editor";
const asked = new URLSearchParams(location.search);
byId("title").textContent = isEditor ? "Position editor" : "Analysis of a position";
document.title = byId("title").textContent;

// Returns the address of a page about a position; a square's text makes its board.
function addressOf(page, text, shape, size) {
  const query = new URLSearchParams(text ? { position: text } : {});
  if (!text || (shape && shape !== "c")) {
    query.set("shape", shape ?? "c");
    query.set("size", size ?? 10);
  }
  return `${page}?${query}`;
}

/** Lets the server judge a position; returns that or {error}.
 * @returns {Promise<Partial<PositionView> & { error?: string }>} */
async function judge(address) {
  try {
    const answer = await fetch(address, { signal: timeout(10000) });
    return answer.ok ? await answer.json() : { error: (await answer.text()).trim() };
  } catch {
    return { error: "The server does not answer." };
  }
}

async function analyse() {
  const found = await judge(addressOf("/api/position", asked.get("position"), asked.get("shape"), asked.get("size")));
  if (found.error) return tell(found.error);
  const { board, position } = found;
  const size = `${board.columns} × ${board.rows}`;
  const game = { board, position, players: { black: "", white: "" }, about: [["Board", size], ["Position", position]], moves: [], result: null, files: {} };
  const viewer = new AmazonsViewer(byId("viewer"), game);
  window.viewer = viewer;
  viewer.tried.querySelector("button").textContent = "Back to the position";
  viewer.tried.lastElementChild.append(make("a", "Edit", { class: "button", href: addressOf("/editor", position, board.shape, board.columns) }));
  if (!viewer.branch) viewer.explore();
  // Who comes here has asked for the engine.
  Engine.offer(viewer, null).then((engine) => engine.isOffered && engine.begin());
  return null;
}

// ---- the editor -----------------------------------------------------------------------------------------------------

async function edit() {
  const parts = AmazonsParts.prototype;
  const pick = (label, field) => parts.element("label", {}, `${label} `, field);
  const shape = parts.element("select", {}, ...[["c", "square"], ["d", "donut"], ["t", "clover"], ["8", "figure-eight"]].map(([value, name]) => parts.element("option", { value }, name)));
  const size = parts.element("input", { type: "number", min: 5, max: 40, value: 10 });
  const text = parts.element("textarea", { rows: 4, spellcheck: "false", autocapitalize: "none", "aria-describedby": "judged" });
  const judged = parts.element("p", { class: "fault", id: "judged", role: "alert" });
  const analyseLink = parts.element("a", { class: "button main", href: "/analysis" }, "Analyse");
  const copy = parts.element("button", { type: "button", onclick: () => editor.copy(text, copy) }, "Copy");
  const start = parts.element("button", { type: "button", onclick: () => load(null) }, "Start of the shape");
  const clear = parts.element("button", { type: "button", onclick: () => editor.clear() }, "Clear");
  const play = parts.element("form", { class: "controls", hidden: "" });
  const editor = new AmazonsEditor(byId("viewer"),
    parts.element("div", { class: "controls" }, pick("Shape", shape), pick("Size", size), start, clear),
    parts.element("label", { class: "text" }, "Position text", text), judged, parts.element("div", { class: "controls" }, copy, analyseLink), play);
  window.viewer = editor;

  // Asks the server about a text on the chosen board, or its start; the last question counts.
  let question = 0;
  async function load(typed, isShown = false) {
    const mine = (question += 1);
    const found = await judge(addressOf("/api/position", typed, shape.value, size.value));
    if (mine !== question) return;
    judged.textContent = found.error ?? "";
    text.setAttribute("aria-invalid", Boolean(found.error));
    if (found.error) return analyseLink.removeAttribute("href");
    const { board, position } = found;
    // A square board may be any rectangle.
    if (board.columns === board.rows) size.value = board.columns;
    if (!isShown) editor.show(board, position);
    if (document.activeElement !== text) text.value = position;
    analyseLink.href = addressOf("/analysis", position, board.shape, board.columns);
    history.replaceState(null, "", addressOf("/editor", position, board.shape, board.columns));
  }

  // Typing is judged when it rests.
  let timer = null;
  text.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => load(text.value), 200);
  });
  editor.onchange = (position) => {
    text.value = position;
    load(position, true);
  };
  for (const field of [shape, size]) field.addEventListener("change", () => field.reportValidity() && load(null));

  if ([...shape.options].some(({ value }) => value === asked.get("shape"))) shape.value = asked.get("shape");
  if (Number(asked.get("size")) > 0) size.value = asked.get("size");
  text.value = asked.get("position") ?? "";
  await load(text.value || null);
  if (!editor.stones) await load(null);
  offerPlay(play, parts, editor, () => ({ position: text.value, shape: shape.value, size: Number(size.value) }));
}

// Offers a game from the position where the server has opponents.
async function offerPlay(form, parts, editor, position) {
  const answer = await fetch("/api/analysis").catch(() => null);
  /** @type {Partial<Offers>} */
  const { opponents = [] } = answer?.ok ? await answer.json() : {};
  if (!opponents.length) return;
  const [opponent, color] = [opponents, ["black", "white"]].map((words) => parts.element("select", {}, ...words.map((word) => parts.element("option", { value: word }, word))));
  color.value = AmazonsViewer.COLORS[editor.side.value];
  form.append(parts.element("button", {}, "Play"), parts.element("label", {}, "against ", opponent), parts.element("label", {}, "as ", color));
  form.hidden = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const body = JSON.stringify({ ...position(), opponent: opponent.value, color: color.value });
    const told = await fetch("/api/play", { method: "POST", headers: { "Content-Type": "application/json" }, body }).catch(() => null);
    if (told?.ok) location.href = (await told.json()).url;
    else byId("judged").textContent = told ? await told.text() : "The server does not answer.";
  });
}

if (isEditor) edit();
else analyse();
