"use strict";
// Filters and unfolds the questions. The state is in the fragment of the URL, so that links, the back button and
// bookmarks work. Texts of the suite and of subjects become only text nodes, never HTML.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const SYMBOLS = {
    passed: "✓", failed: "✗", errored: "⚠\uFE0E", deviation: "≠", contested: "◇", open: "○", unanswered: "–", "not-asked": "·",
    inconclusive: "?", waited: "…", "not-run": "–",
  };
  const WRONG = ["failed", "errored", "deviation"];
  const UNDECIDED = ["unanswered", "inconclusive", "waited", "not-run"];
  const CHUNK = 100;
  const several = data.subjects.length > 1;
  const byId = (id) => document.getElementById(id);
  const [form, count, list, more, unfold] = ["filter", "count", "cases", "more", "unfold"].map(byId);
  const plural = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;

  // All questions, in the order of the digits in `outcomes` of a subject.
  const trials = [];
  for (const item of data.cases) {
    item.trials = [];
    for (const expect of item.expect) {
      item.members.forEach((member, index) => {
        const trial = { number: trials.length, item, expect, member, expected: data.texts[expect.expected[index]] };
        trials.push(trial);
        item.trials.push(trial);
      });
    }
  }
  for (const subject of data.subjects) {
    subject.noted = new Map();
    for (const note of subject.notes) {
      let number = 0;
      for (const step of note.trials) {
        number += step;
        subject.noted.set(number, note);
      }
    }
  }
  /** The outcome of a subject in a trial, or undefined if it was not asked. */
  const outcome = (subject, trial) => data.outcomes[parseInt(subject.outcomes[trial.number], 36)];
  const wrong = (subject, trial) => WRONG.includes(outcome(subject, trial));

  // --- the filter ---

  const DEFAULTS = {
    subject: "", edition: "", area: "", text: "",
    status: trials.some((trial) => data.subjects.some((subject) => wrong(subject, trial))) ? "wrong" : "any",
  };
  const options = {
    subject: [["", "all"], ...data.subjects.map(({ name }) => [name, name])],
    edition: [["", "all"], ...[...data.editions].reverse().map((id) => [id, id])],
    area: [["", "all"], ...data.areas.map((id) => [id, id.replaceAll("-", " ")])],
    status: [
      ["any", "any"], ["wrong", "failed, errored or deviating"],
      ...(several ? [["split", "subjects disagree"]] : []),
      ["undecided", "not answered or undecided"],
      ...data.outcomes.map((name) => [name, `${SYMBOLS[name]} ${name}`]),
    ],
  };
  for (const [name, choices] of Object.entries(options)) {
    form.elements[name].append(...choices.map(([value, label]) => new Option(label, value)));
  }
  byId("by-subject").hidden = !several;
  form.hidden = false;

  /** The state from the URL fragment; a missing or wrong value becomes the default. */
  function readState() {
    const given = new URLSearchParams(location.hash.slice(1));
    const state = { ...DEFAULTS, case: given.get("case") ?? "" };
    for (const name of Object.keys(DEFAULTS)) {
      const value = given.get(name);
      const known = !options[name] || options[name].some(([choice]) => choice === value);
      if (value !== null && known) state[name] = value;
    }
    if (state.case && !given.has("status")) state.status = "any";
    // By default, only wrong answers are shown. If the selected subject, area and edition have none, all answers are shown.
    if (!given.has("status") && state.status === "wrong" && (state.area || state.subject || state.edition)
      && !trials.some((trial) => fits(trial, state))) state.status = "any";
    return state;
  }

  function writeState(state) {
    // The fragment always has the status, except after a reset, because `readState` may replace a missing status.
    const changed = Object.entries(state)
      .filter(([name, value]) => value !== (DEFAULTS[name] ?? "") || (name === "status" && state !== DEFAULTS));
    const fragment = new URLSearchParams(changed).toString();
    history.replaceState(null, "", `#${fragment}`);
  }

  const chosen = (state) => data.subjects.filter(({ name }) => !state.subject || name === state.subject);

  function fits(trial, state) {
    const { item, expect } = trial;
    if (state.case && item.id !== state.case) return false;
    if (state.edition && data.editions[expect.edition] !== state.edition) return false;
    if (state.area && data.areas[item.area] !== state.area) return false;
    const outcomes = chosen(state).map((subject) => outcome(subject, trial)).filter(Boolean);
    const matches = {
      any: () => outcomes.length > 0,
      wrong: () => outcomes.some((name) => WRONG.includes(name)),
      undecided: () => outcomes.some((name) => UNDECIDED.includes(name)),
      split: () => outcomes.some((name) => WRONG.includes(name)) && outcomes.includes("passed"),
    }[state.status] ?? (() => outcomes.includes(state.status));
    return matches() && words(state).every((word) => haystack(trial).includes(word));
  }

  /** The words of the search. The name of a trial may begin with the name of any engine. */
  function words(state) {
    const [first, ...rest] = state.text.trim().split("::");
    const isEngine = !data.areas.includes(first) && data.areas.includes(rest[0]);
    const text = isEngine ? rest.join("::") : state.text;
    return text.toLowerCase().split(/\s+/).filter(Boolean);
  }

  function haystack(trial) {
    const { item, expect, member } = trial;
    const name = [data.areas[item.area], item.id, data.editions[expect.edition]];
    if (member.name !== undefined) name.push(data.texts[member.name]);
    trial.haystack ??= [
      name.join("::"), `spec-cases/${item.place}`,
      item.id, data.areas[item.area], data.editions[expect.edition], item.requirement, item.about,
      expect.level, trial.expected,
      ...[data.requirements[item.requirement], member.question, expect.source, expect.row, expect.why]
        .map((number) => data.texts[number] ?? ""),
    ].join("\n").toLowerCase();
    return trial.haystack;
  }

  // --- the list ---

  /** An element with properties and children; children that are texts become text nodes. */
  function make(tag, properties, ...children) {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children.filter((child) => child !== null));
    return element;
  }

  /** Text in which words between backticks become code. */
  const prose = (text) => text.split(/`([^`]+)`/).map((part, index) => index % 2 === 1 ? make("code", {}, part) : part);

  let found = [];
  let shown = 0;
  let state = DEFAULTS;
  const unfolded = new Set();

  function apply() {
    state = readState();
    for (const name of Object.keys(DEFAULTS)) form.elements[name].value = state[name];
    found = [];
    let questions = 0;
    for (const item of data.cases) {
      const matching = item.trials.filter((trial) => fits(trial, state));
      questions += matching.length;
      if (matching.length > 0) found.push({ item, matching });
    }
    count.textContent = found.length === 0
      ? "No question fits the filter."
      : `${plural(questions, "question")} of ${plural(found.length, "case")}`;
    list.replaceChildren();
    shown = 0;
    if (state.case) unfolded.add(state.case);
    showMore();
    markMatrix();
  }

  function showMore() {
    const next = found.slice(shown, shown + CHUNK);
    list.append(...next.map(caseItem));
    shown += next.length;
    const left = found.length - shown;
    more.hidden = left === 0;
    more.textContent = `Show ${Math.min(left, CHUNK)} more of ${plural(left, "case")}`;
    unfold.hidden = shown === 0;
  }

  function markMatrix() {
    for (const body of document.querySelectorAll("tbody[data-edition]")) {
      body.hidden = several && state.edition !== "" && body.dataset.edition !== state.edition;
    }
    for (const link of document.querySelectorAll(".cell a[data-subject]")) {
      const { subject, edition, area } = link.dataset;
      const current = edition === state.edition && area === state.area && (!several || subject === state.subject);
      if (current) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  }

  function caseItem({ item, matching }) {
    const details = make("details", { className: "case" }, make("summary", {},
      make("span", { className: "about" }, ...prose(item.about)),
      make("code", {}, item.id),
      make("span", { className: "aside" }, data.areas[item.area]),
      make("span", {}, ...badges(matching))));
    details.dataset.case = item.id;
    const build = () => {
      if (details.childElementCount === 1) details.append(caseBody(item, matching));
    };
    details.addEventListener("toggle", () => {
      if (details.open) {
        build();
        unfolded.add(item.id);
      } else unfolded.delete(item.id);
    });
    if (unfolded.has(item.id)) {
      build();
      details.open = true;
    }
    return make("li", {}, details);
  }

  function badges(matching) {
    const subjects = chosen(state);
    return data.outcomes.map((name) => {
      const number = matching.reduce((sum, trial) =>
        sum + subjects.filter((subject) => outcome(subject, trial) === name).length, 0);
      return number === 0 ? null
        : make("span", { className: `badge is-${name}` }, `${SYMBOLS[name]} ${number} ${name}`);
    }).filter(Boolean);
  }

  function caseBody(item, matching) {
    const says = data.texts[data.requirements[item.requirement]];
    const requirement = says ? `${says} (${item.requirement})` : item.requirement;
    const body = make("div", { className: "body" }, facts([
      ["Requirement", requirement],
      ["Case", `spec-cases/${item.place}`, data.sources && `${data.sources}/${item.place.replace(":", "#L")}`],
    ]));
    const files = [...new Set(matching.map(({ member }) => member.file))].filter((file) => file !== undefined);
    for (const file of files.slice(0, 8)) {
      const [title, text] = item.files[file];
      body.append(fileFigure(data.texts[title], data.texts[text], item.files.length > 1 ? file + 1 : 0));
    }
    const table = make("div", { className: "wide-table" }, trialTable(item, matching));
    body.append(table);
    const end = make("div", { className: "end" });
    if (files.length > 8) end.append(`The files of ${plural(files.length - 8, "more question")} are not shown; filter by text.`);
    if (matching.length < item.trials.length) {
      const all = make("button", { type: "button" }, `Show all ${item.trials.length} questions of this case`);
      all.addEventListener("click", () => {
        table.replaceChildren(trialTable(item, item.trials));
        table.tabIndex = -1;
        table.focus();
        all.remove();
      });
      end.append(all);
    }
    end.append(make("a", { href: `#case=${encodeURIComponent(item.id)}` }, "Link to this case"));
    body.append(end);
    return body;
  }

  function facts(pairs) {
    return make("dl", { className: "facts" },
      ...pairs.flatMap(([name, text, href]) => [
        make("dt", {}, name),
        make("dd", {}, ...(href ? [make("a", { href, rel: "noopener noreferrer" }, ...prose(text))] : prose(text))),
      ]));
  }

  function fileFigure(title, text, number) {
    const lines = text.replace(/\n$/, "").split("\n").map((line) => {
      const [, at, content] = /^ *(\d+)  (.*)$/s.exec(line) ?? [null, "", line];
      const shown = at === "" ? [make("span", { className: "aside" }, content)] : visible(content);
      return make("span", { className: "line" },
        make("span", { className: "number" }, at), ...shown, "\n");
    });
    return make("figure", {},
      make("figcaption", {}, number ? `${number}: ${title}` : title),
      make("pre", { className: "file", tabIndex: 0 }, ...lines));
  }

  /** Text in which escaped octets are highlighted. */
  function visible(text) {
    return text.split(/(\\(?:x[0-9A-F]{2}|u\{[0-9a-f]+\}|.))/).map((part, index) =>
      index % 2 === 1 ? make("span", { className: "octet" }, part) : part);
  }

  const heads = ["Edition", "Question", "Expected", "Answered", "Stated by"];

  /** A cell with its heading, which is above the cell if the page is narrow. */
  function cell(className, head, ...children) {
    const element = make("td", { className }, ...children);
    element.dataset.head = head;
    return element;
  }

  function trialTable(item, matching) {
    return make("table", { className: "trials" },
      make("caption", { className: "spoken" }, `Questions of ${item.id}`),
      make("thead", {}, make("tr", {}, ...heads.map((head) => make("th", { scope: "col" }, head)))),
      make("tbody", {}, ...newestFirst(matching).map((trial) => trialRow(item, trial))));
  }

  const newestFirst = (some) => [...some].sort((a, b) =>
    b.expect.edition - a.expect.edition || a.number - b.number);

  function trialRow(item, trial) {
    const { expect, member } = trial;
    const file = item.files.length > 1 && member.file !== undefined ? ` (file ${member.file + 1})` : "";
    const row = expect.row === undefined ? "" : `, row ${data.texts[expect.row]}`;
    const source = data.texts[expect.source];
    const place = expect.address === undefined ? source : make("a", { href: data.texts[expect.address] }, source);
    return make("tr", {},
      make("th", { scope: "row" }, data.editions[expect.edition]),
      cell("question", heads[1], data.texts[member.question] + file),
      cell("expected", heads[2], make("pre", {}, trial.expected)),
      cell("answered", heads[3], ...answers(trial)),
      cell("sources", heads[4], `${expect.level} · `, place, row,
        expect.why === undefined ? null : make("div", { className: "aside" }, ...prose(data.texts[expect.why]))));
  }

  /** The answers of the chosen subjects: subjects with the same answer together, the wrong answers first. */
  function answers(trial) {
    const groups = new Map();
    for (const subject of chosen(state)) {
      const name = outcome(subject, trial);
      if (!name) continue;
      const note = subject.noted.get(trial.number) ?? {};
      const key = JSON.stringify([name, note.got, note.detail, note.evidence, note.new]);
      if (!groups.has(key)) groups.set(key, { name, note, subjects: [] });
      groups.get(key).subjects.push(subject.name);
    }
    const rank = ({ name }) => [...WRONG, "contested", "open", "passed", ...UNDECIDED, "not-asked"].indexOf(name);
    return [...groups.values()].sort((a, b) => rank(a) - rank(b)).map(({ name, note, subjects }) =>
      make("div", { className: "answer" },
        make("strong", { className: `is-${name}` }, `${SYMBOLS[name]} ${name}`),
        several ? make("span", { className: "names" }, ` ${subjects.join(", ")}`) : null,
        note.got === undefined ? null : make("pre", {}, data.texts[note.got]),
        ...[note.new, note.detail, note.evidence].filter((number) => number !== undefined)
          .map((number) => make("div", { className: "aside" }, data.texts[number]))));
  }

  // --- The functions below handle the actions of the reader. ---

  function filterByForm() {
    const fields = Object.fromEntries(new FormData(form));
    writeState({ ...fields, case: "" });
    apply();
  }
  let pause = 0;
  form.addEventListener("change", filterByForm);
  form.elements.text.addEventListener("input", () => {
    clearTimeout(pause);
    pause = setTimeout(filterByForm, 150);
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", (event) => {
    event.preventDefault();
    writeState(DEFAULTS);
    unfolded.clear();
    apply();
  });

  more.addEventListener("click", () => {
    const first = shown;
    showMore();
    list.children[first].querySelector("summary").focus();
  });
  unfold.addEventListener("click", () => {
    for (const details of list.querySelectorAll("details")) details.open = true;
  });
  addEventListener("hashchange", () => {
    if (location.hash === "#questions") return;
    apply();
    byId("questions").scrollIntoView();
    byId("questions").focus({ preventScroll: true });
  });
  apply();
  if (state.case) byId("questions").scrollIntoView();
})();
