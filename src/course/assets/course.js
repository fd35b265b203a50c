// The pages on which a team hands in and sees what became of it. The token stays in the tab.
"use strict";

const LOOK_EVERY = 3000;

const kept = {
  get token() {
    try {
      return sessionStorage.getItem("token") ?? "";
    } catch {
      return "";
    }
  },
  set token(token) {
    try {
      sessionStorage.setItem("token", token);
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
  byId("curl").textContent = `curl -H 'Authorization: Bearer TOKEN' --data-binary @player.so ${location.origin}/api/submit`;
  byId("submit").addEventListener("submit", async (event) => {
    event.preventDefault();
    kept.token = byId("token").value.trim();
    byId("answer").textContent = "Sending.";
    const told = await ask("/api/submit", { method: "POST", headers: shows(kept.token), body: byId("file").files[0] });
    byId("answer").textContent = printable(told.text.trim());
    if (told.status === 200 || told.status === 201) byId("answer").append(" ", make("a", "What becomes of it", { href: "/team" }));
  });
}

function cellOf(...parts) {
  const cell = make("td");
  cell.append(...parts);
  return cell;
}

function fileButton(name, address) {
  const button = make("button", name, { type: "button" });
  button.addEventListener("click", async () => {
    const { text } = await ask(address, { headers: shows(kept.token) });
    byId("shown").hidden = false;
    byId("file-title").textContent = address.split("/").slice(3).join(" ");
    byId("content").textContent = text.split("\n").map(printable).join("\n");
    byId("file-title").focus();
  });
  return button;
}

function versionRow({ version, state, since, at, stage, is_late, reasons, files }) {
  const row = make("tr");
  const told = make("td", state, { title: when(since), class: state === "refused" ? "wrong" : "" });
  const late = is_late ? ", late" : "";
  const buttons = files.map((name) => fileButton(name, `/api/team/versions/${version}/${name}`));
  row.append(make("td", version, { class: "number" }), told, make("td", when(at)), make("td", (stage ?? "") + late));
  row.append(make("td", reasons.join("; ")), cellOf(...buttons));
  return row;
}

function faultRow({ game, version, opponent, kind, has_log }) {
  const row = make("tr");
  const link = make("a", game, { href: `/game/0-${game}` });
  const log = has_log ? [fileButton("log", `/api/team/games/${game}/log`)] : [];
  row.append(cellOf(link), make("td", version, { class: "number" }), make("td", opponent));
  row.append(make("td", kind.replaceAll("_", " ")), cellOf(...log));
  return row;
}

function about({ playing, is_withdrawn, is_frozen, is_over, stage, left }) {
  const plays = playing ? `Version ${playing} plays.` : "No version plays yet.";
  const day = `${left} more versions may be handed in within 24 hours.`;
  const deadline = stage ? `${stage.name}: until ${when(stage.deadline)}${stage.is_late ? ", which is over: late" : ""}.` : "";
  if (is_withdrawn) return "The team was withdrawn.";
  if (is_over) return `${plays} The last deadline has passed.`;
  return [plays, is_frozen ? "Nothing is taken now." : day, deadline].join(" ");
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
  const told = JSON.parse(text);
  byId("title").textContent = printable(told.display ?? told.team);
  byId("about").textContent = about(told);
  byId("versions").replaceChildren(...told.versions.map(versionRow));
  byId("faults").replaceChildren(...told.faults.map(faultRow));
}

function startTeam() {
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
  setInterval(() => kept.token && !document.hidden && look(), LOOK_EVERY);
}

if (byId("submit")) startHandingIn();
else startTeam();
