// The pages on which a team hands in and sees what became of it. The token stays in the tab.
"use strict";

const LOOK_EVERY = 3000;

const kept = {
  get token() {
    try {
      return sessionStorage.getItem(location.pathname === "/teacher" ? "teacher" : "token") ?? "";
    } catch {
      return "";
    }
  },
  set token(token) {
    try {
      sessionStorage.setItem(location.pathname === "/teacher" ? "teacher" : "token", token);
    } catch {
      // It is typed again on the next page.
    }
  },
};

const shows = (token) => ({ Authorization: `Bearer ${token}` });

// Returns the status and the text of an answer.
async function ask(address, options) {
  try {
    const answer = await fetch(address, options);
    return { status: answer.status, text: await answer.text() };
  } catch {
    return { status: 0, text: "the server does not answer" };
  }
}

const when = (seconds) => new Date(1000 * seconds).toLocaleString();

function startHandingIn() {
  byId("token").value = kept.token;
  document.querySelectorAll(".origin").forEach((words) => (words.textContent = location.origin));
  byId("submit").addEventListener("submit", async (event) => {
    event.preventDefault();
    kept.token = byId("token").value.trim();
    const [answer, file] = [byId("answer"), byId("file")];
    const tell = (text, isWrong) => {
      answer.textContent = printable(text.trim());
      answer.className = isWrong ? "wrong" : "";
    };
    tell("Sending.");
    event.submitter.disabled = true;
    // A file that has changed since it was chosen cannot be read any more.
    const [body] = file.files;
    const isThere = await body.slice(0, 1).arrayBuffer().then(() => true, () => false);
    const told = isThere ? await ask(byId("trial").checked ? "/api/submit?trial" : "/api/submit", { method: "POST", headers: shows(kept.token), body }) : { text: "The file has changed or is gone: choose it again." };
    event.submitter.disabled = false;
    const isTaken = told.status === 200 || told.status === 201;
    tell(told.text, !isTaken);
    if (isTaken) answer.append(" ", make("a", "What becomes of it", { href: "/team" }));
    if (!isThere) file.value = "";
  });
}

function fileButton(name, address) {
  const button = make("button", name, { type: "button" });
  button.addEventListener("click", async () => {
    const { text } = await ask(address, { headers: shows(kept.token) });
    byId("shown").hidden = false;
    const [kind, number, ...rest] = address.split("/").slice(3);
    byId("file-title").textContent = `${kind.slice(0, -1)} ${number}: ${rest.join(" ")}`;
    byId("content").textContent = text ? text.split("\n").map(printable).join("\n") : "It printed nothing.";
    byId("file-title").focus();
  });
  return button;
}

/** Lets a version play that does not.
 * @param {number} version */
function playButton(version) {
  const button = make("button", "Let it play", { type: "button" });
  button.addEventListener("click", async () => {
    if (!confirm(`Version ${version} plays from now on, until another one is admitted?`)) return;
    const { text } = await ask(`/api/submit/${version}`, { method: "POST", headers: shows(kept.token) });
    byId("about").textContent = printable(text.trim());
    await look();
  });
  return button;
}

/** @param {VersionView} told */
function versionRow({ version, state, since, at, stage, is_late, reasons, files }) {
  const row = make("tr");
  const told = make("td", state, { title: when(since), class: state === "refused" ? "wrong" : "" });
  const late = is_late ? ", late" : "";
  const buttons = files.map((name) => fileButton(name, `/api/team/versions/${version}/${name}`));
  if (state === "replaced" || state === "tried") told.append(" ", playButton(version));
  row.append(make("td", String(version), { class: "number" }), told, make("td", when(at)), make("td", (stage ?? "") + late, { class: "stage" }));
  row.append(make("td", reasons.join("; ")), cellOf(...buttons.flatMap((button) => [button, " "])));
  return row;
}

const gameLink = (game) => make("a", game, { href: `/game/0-${game}` });

/** @param {TeamFault} told */
function faultRow({ game, player, opponent, kind, has_log }) {
  const log = has_log ? [fileButton("log", `/api/team/games/${game}/log`)] : [];
  return [gameLink(game), make("td", player), make("td", opponent), make("td", kind.replaceAll("_", " ")), cellOf(...log)];
}

/** What the ladder says about the team: [the version that plays, those before it together] of each sum.
 * @param {TeamResults} results */
function resultTables({ opponents, boards, losses, times, faults, faults_total: total }) {
  const versions = ["This version", "Earlier versions"];
  const rows = (sums) => Object.entries(sums).map(([name, two]) => [name, ...two.map(share)]);
  const sums = Object.values(opponents);
  const faulty = keysOf(sums.flat().map((sum) => sum.faults)).map((kind) => [
    kind.replaceAll("_", " "), ...[0, 1].map((version) => sums.reduce((count, two) => count + (two[version].faults[kind] ?? 0), 0)),
  ]);
  /** @type {[string, number[]][]} */
  const clocks = times.moves ? [["charged", times.charged], ["waited for", times.waited]] : [];
  return [
    ...tableOf("Losses worth a look", ["Game", "Opponent", "Its Elo", "Moves", "Board"], losses.map(({ game, opponent, elo, moves, board }) => [
      gameLink(game), make("td", opponent), signed(elo), moves, make("td", board),
    ])),
    make("p", "Those of this version against the weakest opponents. On the page of a game you can try other moves and download its record; 'server analyze RECORD' judges every move.", { class: "soft" }),
    ...tableOf("Points of games by opponent", ["Opponent", ...versions], rows(opponents)),
    ...tableOf("Points of games by board", ["Board", ...versions], rows(boards)),
    ...tableOf(`Times of ${times.moves} moves in its newest ${counted(times.games, "game")}`, ["Clock", "Median", "99 %", "Longest"], clocks.map(([name, times]) => [
      name, ...times.map((us) => (us < 1000 ? `${us} µs` : `${(us / 1000).toFixed(1)} ms`)),
    ])),
    ...tableOf("Faults by kind", ["Kind", ...versions], faulty),
    ...tableOf(faults.length < total ? `The newest ${faults.length} of ${total} faults in games` : "Faults in games", ["Game", "Player", "Opponent", "Fault", "Logs"], faults.map(faultRow)),
  ];
}

/** @param {TeamView} told */
function about({ playing, is_withdrawn, is_frozen, is_over, stage, stages, left, results }) {
  const [, known] = (results?.plays_as ?? "").split("#");
  const same = known && known !== String(playing) ? `, the same library as version ${known}, whose games and number it has` : "";
  const plays = playing ? `Version ${playing} plays${same}.` : "No version plays yet.";
  const day = `${left} more versions may be handed in within 24 hours.`;
  const open = stage ? stages.slice(stages.findIndex(({ name }) => name === stage.name)) : [];
  const deadline = ({ name, deadline, grace }) => {
    const late = grace > 0 ? `, late until ${when(deadline + grace)}` : "";
    return `${name}: until ${when(deadline)}${stage?.is_late && stage.name === name ? ", which is over" : ""}${late}.`;
  };
  if (is_withdrawn) return "The team was withdrawn.";
  if (is_over) return `${plays} The last deadline has passed.`;
  return [plays, is_frozen ? "Nothing is taken now." : day, ...open.map(deadline)].join(" ");
}

let shown = "";

async function look() {
  const { status, text } = await ask("/api/team", { headers: shows(kept.token) });
  if (status !== 200) {
    byId("answer").textContent = printable(text.trim());
    if (status !== 401) return;
    kept.token = "";
  }
  byId("enter").hidden = status === 200;
  byId("told").hidden = status !== 200;
  if (status !== 200 || text === shown) return;
  shown = text;
  /** @type {TeamView} */
  const told = JSON.parse(text);
  byId("title").textContent = printable(told.display ?? told.team);
  byId("about").textContent = about(told);
  byId("versions").replaceChildren(...told.versions.map(versionRow));
  byId("versions").parentElement.classList.toggle("unstaged", !told.versions.some(({ stage, is_late }) => stage || is_late));
  // Nobody loses the link that has the focus.
  if (told.results && !byId("results").contains(document.activeElement)) byId("results").replaceChildren(...resultTables(told.results));
}

// Shows what a token opens; `look` asks for it again and again.
function startBehindToken(look, every) {
  byId("enter").addEventListener("submit", (event) => {
    event.preventDefault();
    kept.token = byId("token").value.trim();
    look();
  });
  byId("leave").addEventListener("click", () => {
    kept.token = "";
    location.reload();
  });
  if (kept.token) look();
  setInterval(() => kept.token && !document.hidden && look(), every);
}

// ---- the teacher's page ---------------------------------------------------------------------------------------------

const TABLES = {
  machine: "Machine", stages: "Deadlines, and teams that have more time", teams: "Teams and what they may hand in", versions: "Versions", grades: "Grades against the baselines",
  copies: "Players that look like copies, for people to judge",
};
const seen = {};

// Splits a line of comma-separated values.
const fields = (line) => [...`${line},`.matchAll(/("(?:[^"]|"")*"|[^,]*),/g)].map(([, field]) => printable(field.replace(/^"|"$/g, "").replaceAll('""', '"')));

function csvTable(name, text) {
  const [titles, ...rows] = text.trimEnd().split("\r\n").map(fields);
  // Hashes are for the file alone.
  const columns = titles.map((_, at) => at).filter((at) => titles[at] !== "sha256");
  const words = { true: "yes", false: "" };
  const cell = (field, at) => make("td", ["received", "since", "deadline"].includes(titles[at]) && field ? when(field) : (words[field] ?? field));
  // What waits or is worked on comes first, then what came last.
  const isOpen = (row) => ["received", "building", "checking"].includes(row[2]);
  if (name === "versions") rows.sort((one, two) => Number(isOpen(two)) - Number(isOpen(one)) || two[3] - one[3]);
  const cells = rows.map((row) => columns.map((at) => (at ? cell(row[at], at) : row[at])));
  const [made] = tableOf(TABLES[name], columns.map((at) => titles[at].replaceAll("_", " ")), cells);
  made?.querySelectorAll("th").forEach((head) => (head.className = ""));
  const shown = made ?? section(TABLES[name], make("p", "None.", { class: "soft" }));
  const save = make("button", `Save ${name}.csv`, { type: "button" });
  save.addEventListener("click", () => {
    const address = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
    make("a", "", { href: address, download: `${name}.csv` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  });
  shown.append(save);
  return shown;
}

// Offers the first fields of a table in a list of the form, if they are others than before.
function offer(name, table, isOffered) {
  const list = byId("act").elements[name];
  const names = table.trimEnd().split("\r\n").slice(1).map(fields).filter(isOffered).map(([first]) => first);
  if (names.join() === [...list.options].map(({ value }) => value).join()) return;
  const chosen = list.value;
  list.replaceChildren(...names.map((text) => make("option", text || "of now", { value: text })));
  if (names.includes(chosen)) list.value = chosen;
}

// What the teacher is asked before something is done.
const QUESTIONS = {
  rollback: ({ team, version }) => (version ? `Version ${version} of ${team} plays again, from now on?` : `${team} plays and hands in again?`),
  withdraw: ({ team }) => `${team} plays no more, and hands in nothing, until it is rolled back?`,
  extend: ({ team, stage, until }) => `${team} has until ${new Date(until).toLocaleString()} for ${stage}?`,
  token: ({ team }) => `The token of ${team} ends now, and you give the team the one that is shown here?`,
  event: ({ name }) => `The folder events/${name} is made in the course's own, with a copy of each player?`,
};

function startActing() {
  const form = byId("act");
  const used = () => [...form.querySelectorAll("[data-for]")].filter((label) => label.dataset.for.split(" ").includes(form.elements.act.value));
  const arrange = () => {
    form.querySelectorAll("[data-for]").forEach((label) => (label.hidden = true));
    used().forEach((label) => (label.hidden = false));
  };
  const values = {
    version: ({ value }) => (value ? Number(value) : null), until: ({ value }) => (value ? new Date(value).toISOString() : ""),
    anyway: ({ checked }) => checked, stage: ({ value }) => value || null,
  };
  form.elements.act.addEventListener("change", arrange);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    /** @type {any} */
    const said = { act: form.elements.act.value };
    for (const label of used()) {
      const input = label.querySelector("[name]");
      said[input.name] = (values[input.name] ?? (({ value }) => value))(input);
    }
    if (!confirm(QUESTIONS[said.act](said))) return;
    const { text } = await ask("/api/teacher/act", { method: "POST", headers: shows(kept.token), body: JSON.stringify(said) });
    byId("did").textContent = text.trimEnd().split("\n").map(printable).join("\n");
    await lookAtTables();
  });
  arrange();
}

async function lookAtTables(names = Object.keys(TABLES).filter((name) => name !== "copies")) {
  for (const name of names) {
    const { status, text } = await ask(`/api/teacher/${name}.csv`, { headers: shows(kept.token) });
    if (status === 404) continue;
    if (status !== 200) {
      byId("answer").textContent = printable(text.trim());
      if (status === 401) kept.token = "";
      return;
    }
    seen[name] = text;
  }
  byId("enter").hidden = true;
  byId("told").hidden = false;
  offer("team", seen.teams, () => true);
  offer("stage", `stage,team\r\n,\r\n${seen.stages.slice(seen.stages.indexOf("\n") + 1)}`, ([, team]) => team === "");
  // Nobody loses the button that has the focus.
  if (byId("tables").contains(document.activeElement)) return;
  byId("tables").replaceChildren(...Object.keys(TABLES).filter((name) => seen[name]).map((name) => csvTable(name, seen[name])));
}

if (byId("submit")) startHandingIn();
else if (byId("tables")) {
  startBehindToken(lookAtTables, 10000);
  startActing();
  byId("copies").addEventListener("click", () => lookAtTables(["copies"]));
} else startBehindToken(look, LOOK_EVERY);
