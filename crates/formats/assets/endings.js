// How games end, in the words that the program writes into each page.
"use strict";

const ENDINGS = JSON.parse(document.getElementById("amazons-endings")?.textContent ?? "{}");

// Returns the name of an ending, of a fault or of a state in words.
function endingWords(name) {
  return ENDINGS[name]?.words ?? (name ?? "unknown").replaceAll("_", " ");
}

// Says how a game ended that this player has lost, or that nobody has won.
function endingText(name, loser) {
  const ending = ENDINGS[name];
  if (!ending) return endingWords(name);
  return loser ? `${loser} ${ending.mistake}` : ending.nobody;
}
