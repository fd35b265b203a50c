// The person's part: three cards to suggest or accuse of, a card to show, and the end.
let asked = null;
const chosen = {};

async function answer(what, cards = []) {
  byId("fault").textContent = "";
  [...byId("buttons").children].forEach((button) => (button.disabled = true));
  try {
    const body = JSON.stringify({ step: state.step, cards });
    const reply = await fetch(`${location.pathname}/${what}`, { method: "POST", headers: { "Content-Type": "application/json" }, body });
    if (reply.ok) return what === "leave" && (state.match || state.ask.what === "close") ? sayGoodbye() : load();
    byId("fault").textContent = await reply.text();
  } catch {
    byId("fault").textContent = noAnswer;
  }
  [...byId("buttons").children].forEach((button) => (button.disabled = false));
}

function sayGoodbye() {
  news.close();
  listeners.length = 0;
  [state.ask, byId("clock").textContent] = [null, ""];
  byId("ask").classList.remove("asked");
  byId("cards").replaceChildren();
  byId("buttons").replaceChildren();
  title("Goodbye", "You can close this page.");
}

function button(text, press) {
  const made = make("button", text, { type: "button" });
  made.addEventListener("click", press);
  return made;
}

function title(text, about) {
  byId("ask-title").textContent = text;
  byId("ask-about").textContent = about;
}

// One group for each type; arrow keys choose within a group.
function cardGroups() {
  return state.kinds.map((kind, number) => {
    const group = make("fieldset");
    group.append(make("legend", kind[0].toUpperCase() + kind.slice(1)));
    const choices = make("div", "", { class: "choices" });
    state.cards.forEach((card, index) => {
      if (card.kind !== number) return;
      const input = make("input", "", { type: "radio", name: kind, value: index });
      input.checked = chosen[number] === index;
      input.addEventListener("change", () => (chosen[number] = index));
      const label = make("label");
      label.append(input, card.name + (state.ask.hand.includes(index) ? " (yours)" : ""));
      choices.append(label);
    });
    group.append(choices);
    return group;
  });
}

function chosenCards() {
  const cards = state.kinds.map((_, number) => chosen[number]);
  if (!cards.includes(undefined)) return cards;
  const missing = cards.indexOf(undefined);
  byId("fault").textContent = `Choose a ${state.kinds[missing]} first.`;
  byId("cards").querySelectorAll("fieldset")[missing].querySelector("input").focus();
  return null;
}

function askTurn() {
  title("Your turn", `Choose three cards, then suggest them or accuse.${inLatest()}`);
  byId("cards").replaceChildren(...cardGroups());
  const act = (name, then) =>
    button(name, () => {
      const cards = chosenCards();
      if (cards) then(cards);
    });
  const hint = button("Hint", () => (byId("ask-about").textContent = state.hint));
  const suggest = act("Suggest", (cards) => answer("suggest", cards));
  byId("buttons").replaceChildren(suggest, act("Accuse", confirmAccusation), hint, button("Leave the game", confirmLeaving));
}

function askFirst(text, about, word, act) {
  title(text, about);
  const yes = button(word, act);
  byId("buttons").replaceChildren(yes, button("No", askAgain));
  yes.focus();
}

function confirmAccusation(cards) {
  const about = `You accuse: ${cardNames(cards)}. If that is wrong, you are out.`;
  askFirst("Accuse?", about, "Yes, accuse", () => answer("accuse", cards));
}

function confirmLeaving() {
  const about = state.match ? "You give up your seat; the match may end for all." : "The game ends for all.";
  askFirst("Leave the game?", about, "Yes, leave", () => answer("leave"));
}

function askAgain() {
  askPerson();
  byId("buttons").querySelector("button")?.focus();
}

function waitingText() {
  if (state.ending && !state.match) return state.ending;
  if (state.match?.pending) return `Somebody suggests ${cardNames(state.match.pending)}.`;
  return state.match ? "The others play." : "The others play, or the game is played elsewhere.";
}

// What is asked is about the latest game, and says so when an earlier one is shown.
function inLatest() {
  return game && `${state.match?.games.at(-1)?.[0]}` !== game ? ` This is game ${state.match.games.at(-1)[0]}.` : "";
}

function cardText(card) {
  return state.match && !state.names ? `${state.kinds[state.cards[card].kind]} ${state.cards[card].name}` : state.cards[card].name;
}

function askPerson() {
  byId("fault").textContent = "";
  byId("cards").replaceChildren();
  byId("buttons").replaceChildren();
  const isWaiting = !state.ask || state.ask.what === "wait";
  byId("ask").classList.toggle("asked", !isWaiting);
  if (isWaiting) {
    title("Please wait", waitingText());
    return byId("buttons").replaceChildren(...(state.ask ? [button("Leave the game", confirmLeaving)] : []));
  }
  if (state.ask.what === "turn") return askTurn();
  if (state.ask.what === "close") {
    if (state.match) title("The match is over", "Look back at any moment; then finish.");
    else title("The game is over", `${state.ending} Look back at any moment, from any seat; then finish.`);
    return byId("buttons").replaceChildren(button("Finish", () => answer("leave")));
  }
  title("Show a card", `${state.seats[state.ask.asker]} asks you. Which card do you show?${inLatest()}`);
  const cards = state.ask.choices.map((card) => button(`Show ${cardText(card)}`, () => answer("show", [card])));
  byId("buttons").replaceChildren(...cards, button("Leave the game", confirmLeaving));
}

function showNames() {
  const isClassic = state.rules === "classic";
  byId("name-choice").hidden = !state.nameable;
  byId("names").options[0].textContent = isClassic ? "English" : "numbers";
  byId("names").options[1].hidden = isClassic;
  byId("names").value = names ?? "";
}

byId("names").addEventListener("change", (event) => {
  names = event.target.value || null;
  loadAt(ply);
});

function showMatch() {
  byId("moment").hidden = !state.grid.length;
  showNames();
  if (!state.match) return;
  if (byId("notice").textContent !== state.match.notice) byId("notice").textContent = state.match.notice;
  const games = state.match.games;
  byId("game-choice").hidden = games.length < 2;
  const options = games.map(([number, ending]) => make("option", `${number}${ending ? `: ${ending}` : ""}`, { value: number }));
  if (games.length) options.at(-1).value = "";
  byId("game").replaceChildren(...options);
  byId("game").value = `${games.at(-1)?.[0]}` === game ? "" : (game ?? "");
}

byId("game").addEventListener("change", (event) => {
  // Without a number, the latest game.
  [game, ply] = [event.target.value || null, null];
  loadAt(null);
});

// A server does not say how long it waits; its default is what most have.
let askedAt = 0;
function showClock() {
  const isAsked = state?.match && ["turn", "card"].includes(state.ask?.what);
  const seconds = Math.floor((performance.now() - askedAt) / 1000);
  byId("clock").textContent = isAsked ? `${seconds} s have passed; servers wait 10 s unless told otherwise.` : "";
}
setInterval(showClock, 1000);

listeners.push(() => {
  askedAt = performance.now() - 1000 * (state.asked ?? 0);
  showClock();
  showMatch();
  const isAsked = ["turn", "card"].includes(state.ask?.what);
  document.title = (isAsked ? "Your turn: " : "") + titleText();
  const pending = state.match?.pending ?? "";
  const now = `${state.step} ${JSON.stringify(state.ask)} ${state.ending} ${pending} ${inLatest()} ${state.names}`;
  if (now === asked) return;
  const isFirst = asked === null;
  asked = now;
  askPerson();
  // The keyboard goes on where the question is, unless the person reads elsewhere.
  if (state.ask?.what === "wait") return;
  const target = byId("cards").querySelector("input:checked") ?? byId("cards").querySelector("input") ?? byId("buttons").querySelector("button");
  if (!isFirst && target && (document.activeElement === document.body || document.activeElement === null)) target.focus();
});
