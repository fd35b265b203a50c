// The person's part: three cards to suggest or accuse of, a card to show, and the end.
let asked = null;
const chosen = {};

async function answer(what, cards = []) {
  byId("fault").textContent = "";
  [...byId("buttons").children].forEach((button) => (button.disabled = true));
  try {
    const body = JSON.stringify({ step: state.step, cards });
    const reply = await fetch(`${location.pathname}/${what}`, { method: "POST", headers: { "Content-Type": "application/json" }, body });
    if (reply.ok) return load();
    byId("fault").textContent = await reply.text();
  } catch {
    byId("fault").textContent = "The server does not answer: is cluedo still running?";
  }
  [...byId("buttons").children].forEach((button) => (button.disabled = false));
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
      label.append(input, card.name + (state.hands[0].includes(index) ? " (yours)" : ""));
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
  title("Your turn", "Choose three cards, then suggest them or accuse.");
  byId("cards").replaceChildren(...cardGroups());
  const suggest = button("Suggest", () => {
    const cards = chosenCards();
    if (cards) answer("suggest", cards);
  });
  const accuse = button("Accuse", () => {
    const cards = chosenCards();
    if (cards) confirmAccusation(cards);
  });
  const hint = button("Hint", () => (byId("ask-about").textContent = state.hint));
  byId("buttons").replaceChildren(suggest, accuse, hint, button("Leave the game", confirmLeaving));
}

function confirmAccusation(cards) {
  title("Accuse?", `You accuse: ${cardNames(cards)}. If that is wrong, you are out.`);
  const yes = button("Yes, accuse", () => answer("accuse", cards));
  byId("buttons").replaceChildren(yes, button("No", askAgain));
  yes.focus();
}

function confirmLeaving() {
  title("Leave the game?", "The game ends for all.");
  const yes = button("Yes, leave", () => answer("leave"));
  byId("buttons").replaceChildren(yes, button("No", askAgain));
  yes.focus();
}

function askAgain() {
  askPerson();
  byId("buttons").querySelector("button")?.focus();
}

function askPerson() {
  byId("fault").textContent = "";
  byId("cards").replaceChildren();
  byId("buttons").replaceChildren();
  byId("ask").classList.toggle("asked", Boolean(state.ask));
  if (!state.ask) return title("Please wait", state.ending ? state.ending : "The others play, or the game is played elsewhere.");
  if (state.ask.what === "turn") return askTurn();
  if (state.ask.what === "close") {
    title("The game is over", `${state.ending} Look back at any moment, from any seat; then finish.`);
    return byId("buttons").replaceChildren(button("Finish", () => answer("leave")));
  }
  title("Show a card", `${state.seats[state.ask.asker]} asks you. Which card do you show?`);
  const cards = state.ask.choices.map((card) => button(`Show ${state.cards[card].name}`, () => answer("show", [card])));
  byId("buttons").replaceChildren(...cards, button("Leave the game", confirmLeaving));
}

listeners.push(() => {
  const now = `${state.step} ${JSON.stringify(state.ask)} ${state.ending}`;
  if (now === asked) return;
  const isFirst = asked === null;
  asked = now;
  askPerson();
  // The keyboard goes on where the question is, unless the person reads elsewhere.
  const target = byId("cards").querySelector("input:checked") ?? byId("cards").querySelector("input") ?? byId("buttons").querySelector("button");
  if (!isFirst && target && (document.activeElement === document.body || document.activeElement === null)) target.focus();
});
