// What the page around a board is made of: elements, buttons with icons, tabs, a sheet of keys.
class AmazonsParts extends AmazonsZoom {
  // Drawn, because not every font has them.
  static ICONS = {
    first: "M6 5v14M19 5l-9 7 9 7z",
    back: "M15 5l-8 7 8 7",
    play: "M8 5l11 7-11 7z",
    pause: "M9 5v14M15 5v14",
    on: "M9 5l8 7-8 7",
    last: "M18 5v14M5 5l9 7-9 7z",
    flip: "M8 20V5M4 9l4-4 4 4M16 4v15M12 15l4 4 4-4",
    territory: "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z",
    pencil: "M4 20l1.2-4.8L16 4.4l3.6 3.6L8.8 18.8zM13.6 6.8l3.6 3.6",
    closer: "M10.5 4.5a6 6 0 1 0 0 12a6 6 0 1 0 0-12zM15 15l5 5M7.5 10.5h6M10.5 7.5v6",
    farther: "M10.5 4.5a6 6 0 1 0 0 12a6 6 0 1 0 0-12zM15 15l5 5M7.5 10.5h6",
    full: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
    before: "M14 6l-7 6 7 6M18 6v1M18 12v1M18 18v.5",
    next: "M10 6l7 6-7 6M6 6v1M6 12v1M6 18v.5",
    keys: "M9 9a3 3 0 1 1 4 2.8c-.7.3-1 .8-1 1.7M12 17v.5",
  };
  static KEYS = [
    ["← →", "one move back or on"],
    ["Home End", "the first or last position"],
    ["Space", "play the moves, or pause"],
    ["t", "territory: the side whose queens are nearer"],
    ["f", "turn the board around"],
    ["e", "show or hide the engine"],
    ["n p", "the next mistake, or the one before"],
    ["+ - 0", "a closer look, a wider one, the whole board; a drag moves what is seen"],
    ["x", "try moves from here for both sides; x or Esc goes back to the game"],
    ["n N Enter Esc", "on the board, when you move: the next square or the one before, choose it, step back; Backspace takes back a move tried"],
    ["?", "these keys"],
  ];

  element(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
      else made.setAttribute(name, value);
    }
    made.append(...children);
    return made;
  }

  icon(name) {
    const icon = this.svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" });
    icon.append(this.svg("path", { d: AmazonsParts.ICONS[name] }));
    return icon;
  }

  button(label, icon, action) {
    return this.element("button", { type: "button", class: "icon", "aria-label": label, title: label, onclick: action }, this.icon(icon));
  }

  // Returns a row of tabs, and what each of them shows.
  buildTabs(tabs) {
    const shown = tabs.map(([name, ...parts]) => this.element("div", { class: "tab", role: "tabpanel", id: `tab-${name}`, "aria-labelledby": `show-${name}` }, ...parts));
    const choose = (at) => {
      shown.forEach((tab, number) => (tab.hidden = number !== at));
      buttons.forEach((button, number) => button.setAttribute("aria-selected", number === at));
    };
    const buttons = tabs.map(([name], at) => this.element("button", { type: "button", role: "tab", id: `show-${name}`, "aria-controls": `tab-${name}`, onclick: () => choose(at) }, name));
    choose(0);
    return [this.element("div", { class: "tabs", role: "tablist", "aria-label": "About this game" }, ...buttons), ...shown];
  }

  buildHelp() {
    const rows = AmazonsParts.KEYS.flatMap(([keys, text]) => [
      this.element("dt", {}, ...keys.split(" ").flatMap((key) => [this.element("kbd", {}, key), " "])), this.element("dd", {}, text),
    ]);
    const close = this.element("button", { type: "button", onclick: () => this.help.close() }, "Close");
    return this.element("dialog", { "aria-label": "Keys" }, this.element("dl", { class: "keys" }, ...rows), close);
  }

  // Copies the text of a field; where a page may not, it is marked for the reader to do so.
  async copy(field, button) {
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      button.textContent = "Copied";
      setTimeout(() => (button.textContent = "Copy"), 2000);
    } catch {
      field.focus();
    }
  }

  // Writes a text where it is another one: a page that has changed is laid out anew.
  write(node, text) {
    if (node.textContent !== text) node.textContent = text;
  }
}
