"use strict";
// Shows, with a sentence and a shadow, that a table continues beyond the edge of its frame.
(() => {
  const update = (region) => {
    const { scrollLeft, scrollWidth, clientWidth } = region;
    const frame = region.parentElement;
    const left = scrollLeft > 1;
    const right = scrollLeft + clientWidth < scrollWidth - 1;
    frame.dataset.more = [left && "left", right && "right"].filter(Boolean).join(" ");
    // The sentence stays while the table is wider than its frame, so that the page does not jump when the user scrolls.
    if (left || right) frame.classList.add("is-wide");
    else frame.classList.remove("is-wide");
  };
  const observer = new ResizeObserver((entries) => entries.forEach(({ target }) => update(target.closest(".scroll"))));
  const watch = (region) => {
    region.addEventListener("scroll", () => update(region), { passive: true });
    observer.observe(region);
    for (const child of region.children) observer.observe(child);
    update(region);
  };
  document.querySelectorAll(".scroll").forEach(watch);
})();
