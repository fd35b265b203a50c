// What all pages need.
"use strict";

const byId = (id) => document.getElementById(id);

function make(tag, text = "", attributes = {}) {
  const made = document.createElement(tag);
  made.textContent = text;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

// Says how the connection to the server is.
function tell(text) {
  if (byId("connection").textContent !== text) byId("connection").textContent = text;
}
