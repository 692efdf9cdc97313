"use strict";
// Shows only the items that contain all words of the text field and have the chosen values.
(() => {
  const form = document.querySelector("form.filter");
  const items = [...document.querySelectorAll("[data-item]")];
  const lists = [...document.querySelectorAll("[data-list]")];
  const count = form.querySelector(".count");
  const words = new Map(items.map((item) => [item, item.textContent.toLowerCase()]));

  function apply() {
    const { text, ...chosen } = Object.fromEntries(new FormData(form));
    const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const item of items) {
      const fits = wanted.every((word) => words.get(item).includes(word))
        && Object.entries(chosen).every(([name, value]) => !value || item.dataset[name].split(" ").includes(value));
      item.hidden = !fits;
      shown += fits ? 1 : 0;
    }
    for (const list of lists) list.hidden = !list.querySelector("[data-item]:not([hidden])");
    count.textContent = `${shown.toLocaleString("en")} of ${items.length.toLocaleString("en")}`;
  }

  let pause = 0;
  function soon() {
    clearTimeout(pause);
    pause = setTimeout(apply, 120);
  }
  // Some assistive tools send only the event "change" when they choose an option.
  form.addEventListener("input", soon);
  form.addEventListener("change", soon);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(apply, 0));
  // If a link leads to an item that the filter hides, the filter is reset. A case that a link leads to is opened.
  function arrive() {
    const target = document.querySelector(":target");
    if (target?.closest("[hidden]")) form.reset();
    if (target?.matches("details")) target.open = true;
  }
  addEventListener("hashchange", arrive);
  form.hidden = false;
  apply();
  arrive();
})();
