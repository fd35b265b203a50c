// What the accessibility rules that most pages break say of this page: a list of words, empty when all is well.
(() => {
  const wrong = [];
  const say = (what, node) => wrong.push(`${what}: ${node?.outerHTML?.slice(0, 120) ?? ""}`);
  const isSeen = (node) => node.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !node.closest("[aria-hidden=true]");
  const all = (selector) => [...document.querySelectorAll(selector)].filter(isSeen);

  if (!document.documentElement.lang) say("no language");
  if (!document.title.trim()) say("no title");
  if (all("main").length !== 1) say("not one main landmark");
  if (all("h1").length !== 1) say("not one first heading");
  const levels = all("h1, h2, h3, h4").map((node) => Number(node.tagName[1]));
  levels.forEach((level, index) => index > 0 && level > levels[index - 1] + 1 && say(`heading ${level} after ${levels[index - 1]}`));
  const ids = [...document.querySelectorAll("[id]")].map((node) => node.id);
  ids.filter((id, index) => ids.indexOf(id) !== index).forEach((id) => say(`id twice: ${id}`));
  document.querySelectorAll("[aria-labelledby], [aria-describedby]").forEach((node) => {
    for (const name of ["aria-labelledby", "aria-describedby"]) {
      (node.getAttribute(name) ?? "").split(" ").filter(Boolean).forEach((id) => document.getElementById(id) || say(`${name} leads nowhere`, node));
    }
  });
  if (document.querySelector('meta[name=viewport][content*="user-scalable=no"], meta[name=viewport][content*="maximum-scale"]')) say("cannot be enlarged");

  const named = (node) =>
    node.getAttribute("aria-label")?.trim() || [...(node.labels ?? [])].some((label) => label.textContent.trim()) ||
    node.getAttribute("aria-labelledby") || (!["INPUT", "SELECT"].includes(node.tagName) && node.textContent.trim()) || node.title;
  all("button, a[href], input, select, textarea, [role=img], [role=button], svg.board:not([aria-hidden])").forEach((node) => named(node) || say("no name", node));
  all("img").forEach((node) => node.hasAttribute("alt") || say("no alternative", node));
  all("th").forEach((node) => node.textContent.trim() || say("empty heading of a column", node));
  all("[tabindex]").forEach((node) => Number(node.getAttribute("tabindex")) > 0 && say("focus out of order", node));
  all("ul > :not(li), ol > :not(li)").forEach((node) => say("no item of a list", node));
  all("dl > :not(dt):not(dd):not(div)").forEach((node) => say("no term", node));
  all("*").forEach((node) => {
    const scrolls = ["auto", "scroll"].includes(getComputedStyle(node).overflowY) && node.scrollHeight > node.clientHeight + 1;
    if (scrolls && node !== document.scrollingElement && node.tabIndex < 0 && !node.querySelector("a, button, input, select")) say("cannot be scrolled by keyboard", node);
  });
  all("button, a.button, select").forEach((node) => {
    const { width, height } = node.getBoundingClientRect();
    if (width < 24 || height < 24) say(`target of ${width} x ${height}`, node);
  });

  // Contrast of text, WCAG 2.2, 1.4.3.
  const parse = (text) => {
    const [r, g, b, a = 1] = text.match(/[\d.]+/g).map(Number);
    return { r, g, b, a };
  };
  const light = ({ r, g, b }) => {
    const [x, y, z] = [r, g, b].map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const ground = (node) => {
    for (let up = node; up; up = up.parentElement) {
      const color = parse(getComputedStyle(up).backgroundColor);
      if (color.a === 1) return color;
    }
    return { r: 255, g: 255, b: 255, a: 1 };
  };
  all("body *").forEach((node) => {
    const hasText = [...node.childNodes].some((child) => child.nodeType === Node.TEXT_NODE && child.textContent.trim());
    if (!hasText || node.closest("svg") || node.disabled) return;
    const style = getComputedStyle(node);
    const [a, b] = [light(parse(style.color)), light(ground(node))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    const size = parseFloat(style.fontSize);
    const enough = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
    if (ratio < enough) say(`contrast ${ratio.toFixed(2)}`, node);
  });
  return wrong;
})();
