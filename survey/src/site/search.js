"use strict";
// Searches the index of the page. The fragment of the URL contains the searched words, so that a link can open a
// search.
(() => {
  const MOST = 60;
  const index = JSON.parse(document.getElementById("index").textContent);
  for (const one of index) one.words = `${one.title} ${one.id ?? ""} ${one.kind}`.toLowerCase();
  const [form, count, list] = ["search", "count", "found"].map((id) => document.getElementById(id));
  const field = form.elements.text;

  function make(tag, properties, ...children) {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  }

  const prose = (text) => text.split(/`([^`]+)`/).map((part, at) => at % 2 === 1 ? make("code", {}, part) : part);

  // The order: entries whose id is the text, then titles that begin with the first word, then the rest in the order of
  // the index.
  function rank(one, words) {
    if ((one.id ?? "").toLowerCase() === words.join(" ")) return 0;
    return one.title.toLowerCase().startsWith(words[0]) ? 1 : 2;
  }

  function apply() {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = words.length === 0 ? []
      : index.filter((one) => words.every((word) => one.words.includes(word)))
        .sort((a, b) => rank(a, words) - rank(b, words));
    list.replaceChildren(...found.slice(0, MOST).map((one) => make("li", {},
      make("a", { href: one.link }, ...prose(one.title)), " ",
      one.id ? make("code", {}, one.id) : "", " ", make("span", { className: "aside" }, one.kind))));
    const more = found.length > MOST ? `, of which the first ${MOST} are shown` : "";
    count.textContent = words.length === 0 ? `${index.length.toLocaleString("en")} entries can be found.`
      : `${found.length.toLocaleString("en")} found${more}.`;
  }

  function read() {
    field.value = new URLSearchParams(location.hash.slice(1)).get("text") ?? "";
    apply();
  }

  form.addEventListener("submit", (event) => event.preventDefault());
  field.addEventListener("input", () => {
    history.replaceState(null, "", field.value ? `#${new URLSearchParams({ text: field.value })}` : "#");
    apply();
  });
  addEventListener("hashchange", read);
  form.hidden = false;
  read();
  field.focus();
})();
