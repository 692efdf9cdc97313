// The script of the tester. The script asks the engine, which is part of this page, and shows the answers. No text
// leaves the page.

(async () => {
const MOST_LINES = 2000;
const byId = (id) => document.getElementById(id);
const [file, drop, text, agents, urls, edition] = ["file", "drop", "robots", "agents", "urls", "edition"].map(byId);
const [status, why, verdicts, lines, more] = ["status", "why", "verdicts", "lines", "more"].map(byId);
const [findings, contested, claims] = ["findings", "contested", "claims"].map(byId);
const [old, oldFile, expectations, draft] = ["old", "old-file", "expectations", "draft"].map(byId);
const [changes, sum, intent] = ["changes", "sum", "intent"].map(byId);
const modes = [...document.getElementsByName("mode")];

let engine;
// The measured software, and the questions that the editions leave open, by edition and construct.
let measured = {};
let open = {};
// The octets of the chosen file. The octets are removed when the user edits the text.
let octets = null;
let oldOctets = null;
let answer = null;
let chosen = 0;
let timer = 0;
let asked = 0;

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

// Returns text nodes, with an element for code in place of each word between backticks.
const prose = (text) => text.split(/`([^`]+)`/).map((part, at) => at % 2 === 1 ? element("code", { textContent: part }) : part);

const entered = (area) => area.value.split("\n").map((line) => line.trim()).filter(Boolean);
const editions = () => [...edition.options].map((option) => option.value);
const under = (row) => row.editions.find((verdict) => verdict.edition === edition.value);
const mode = () => modes.find((one) => one.checked).value;
const encoded = (text) => new TextEncoder().encode(text);
const counted = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

// Asks the engine. Returns the engine's answer, and the time until the answer in milliseconds.
async function ask(body, question) {
  const head = encoded(`${JSON.stringify(question)}\n`);
  const start = performance.now();
  const reply = JSON.parse(await run(engine, joined([head, body])));
  return { reply, took: performance.now() - start };
}

async function update() {
  // A question that waits for the timer is dropped, because the new question replaces it. A later answer to the dropped
  // question would move the focus away from the result.
  clearTimeout(timer);
  if (!engine) return;
  const turn = ++asked;
  let body = octets ?? encoded(text.value);
  const question = { edition: edition.value, agents: entered(agents), urls: entered(urls) };
  if (mode() === "diff") {
    const before = oldOctets ?? encoded(old.value);
    question.old = before.length;
    body = joined([before, body]);
  }
  if (mode() === "check") question.expectations = expectations.value;
  try {
    const { reply, took } = await ask(body, question);
    if (turn !== asked) return;
    answer = reply;
    chosen = Math.min(chosen, Math.max(0, reply.verdicts.length - 1));
    show();
    status.textContent = `${summary(reply)} ${took.toFixed(1)} ms.`;
  } catch (error) {
    if (turn === asked) status.textContent = `No answer: ${error.message}`;
  }
}

// A summary of the answer in one sentence.
function summary(reply) {
    if (reply.changes) {
      const { opened, closed, preferences, sampled } = reply.changes;
      if (opened + closed + preferences === 0) return sampled ? "No change in the sample." : "No URL changes its verdict.";
      const stated = preferences ? `, ${preferences} with another preference` : "";
      return `${counted(opened, "pattern")} opened, ${closed} closed${stated}.`;
    }
    if (reply.intent) {
      const { mistake, checked } = reply.intent;
      if (mistake) return "The expectations have a mistake.";
      const met = checked.filter((one) => one.is_met).length;
      return `${met} of ${counted(checked.length, "expectation")} met.`;
    }
    const allowed = reply.verdicts.filter((row) => under(row)?.allowed).length;
    const refused = reply.verdicts.filter((row) => !under(row)).length;
    const parts = [
      `${counted(reply.lines.length, "line")}, ${counted(reply.findings.length, "finding")}`,
      `${allowed} of ${counted(reply.verdicts.length, "question")} allowed by ${edition.value}`,
    ];
    if (refused) parts.push(`${refused} cannot be asked`);
    return `${parts.join("; ")}.`;
}

function show() {
  showChanges();
  showIntent();
  showVerdicts();
  showLines();
  showFindings();
  showConstructs();
}

function showChanges() {
  if (!answer.changes) return;
  const { opened, closed, preferences, sampled, listed } = answer.changes;
  const items = listed.map((change) => {
    return element("li", { className: change.verb.split(" ")[0] },
      element("strong", { textContent: change.verb }), " ", element("code", { textContent: change.pattern }), ` for ${change.who}: for example `,
      element("code", { textContent: change.path }), element("br"),
      element("span", { className: "aside" }, ...prose(`before: ${change.before}`)), element("br"),
      element("span", { className: "aside" }, ...prose(`now: ${change.after}`)));
  });
  list(changes, items, sampled ? "No change in the sample." : "No URL changes its verdict or its preferences, for any crawler.");
  const notes = [];
  if (sampled) notes.push("The files are too large to compare exactly, so this is a sample: each listed change is real, but there may be more changes.");
  const left = opened + closed + preferences - listed.length;
  if (left > 0) notes.push(`${left} more changes are not shown.`);
  sum.textContent = notes.join(" ");
}

function showIntent() {
  if (!answer.intent) return;
  const { mistake, checked } = answer.intent;
  if (mistake) {
    list(intent, [element("li", { className: "unmet" }, element("strong", { textContent: "mistake" }), `, ${mistake}`)], "");
    return;
  }
  const items = [...checked].sort((a, b) => a.is_met - b.is_met).map((one) => {
    const word = one.is_met ? "met" : "not met";
    const item = element("li", { className: one.is_met ? "met" : "unmet" }, element("strong", { textContent: word }), `: ${one.expected}`);
    if (one.reason) item.append(element("br"), element("span", { className: "aside" }, ...prose(one.reason)));
    if (one.line) item.append(" ", element("a", { href: `#line-${one.line}`, textContent: `line ${one.line}` }));
    return item;
  });
  list(intent, items, "Nothing is expected.");
}

function showVerdicts() {
  const head = element("tr", {}, ...["why", "crawler", "URL", ...editions()].map((name) => element("th", { scope: "col", textContent: name })));
  const rows = answer.verdicts.map((row, at) => {
    const pick = element("input", { type: "radio", name: "question", checked: at === chosen, value: String(at) });
    pick.setAttribute("aria-label", `show why: ${row.agent}, ${row.url}`);
    pick.addEventListener("change", () => {
      chosen = at;
      showLines();
      showWhy();
    });
    const cells = editions().map((name) => {
      const verdict = row.editions.find((found) => found.edition === name);
      if (!verdict) return element("td", { className: "none", textContent: "–" });
      const word = verdict.allowed ? "allow" : "disallow";
      const by = verdict.line ? ` (line ${verdict.line})` : "";
      return element("td", { className: word }, word, element("small", { textContent: by }));
    });
    const url = element("th", { scope: "row" }, element("code", { textContent: row.url }));
    const made = element("tr", {}, element("td", {}, pick), element("td", { textContent: row.agent }), url, ...cells);
    if (new Set(row.editions.map((verdict) => verdict.allowed)).size > 1) made.classList.add("differs");
    return made;
  });
  verdicts.replaceChildren(element("thead", {}, head), element("tbody", {}, ...rows));
  showWhy();
}

function showWhy() {
  const row = answer.verdicts[chosen];
  const parts = [];
  if (row) {
    parts.push(element("p", {}, ...prose(under(row)?.says ?? row.refused)));
    if (row.tokens && row.tokens !== row.agent) parts.push(element("p", { textContent: `Product tokens: ${row.tokens}` }));
    for (const { edition: draft, says } of row.drafts) {
      parts.push(element("p", { textContent: `The preferences about the use of the content, under the draft ${draft}: ${says}` }));
    }
    const differing = row.editions.filter((verdict) => verdict.allowed !== under(row)?.allowed);
    if (differing.length) {
      parts.push(element("p", { className: "differing", textContent: "The editions differ:" }));
      parts.push(element("ul", {}, ...differing.map((verdict) => element("li", {}, ...prose(`${verdict.edition}: ${verdict.says}`)))));
    }
  }
  // Screen readers read this text aloud whenever it is set, so an equal text is not set again.
  if (parts.map((part) => part.textContent).join("") !== why.textContent) why.replaceChildren(...parts);
}

function showLines() {
  const byLine = new Map();
  for (const finding of answer.findings) byLine.set(finding.line, [...(byLine.get(finding.line) ?? []), finding]);
  const rows = answer.lines.slice(0, MOST_LINES).map((line, at) => {
    const number = at + 1;
    const notes = (byLine.get(number) ?? []).map((finding) => finding.kind).join(", ");
    const row = element(
      "tr",
      { id: `line-${number}` },
      element("th", { className: "number", scope: "row", textContent: number }),
      element("td", {}, element("code", { textContent: line.text })),
      element("td", {}, ...prose(line.has_effect ? line.means : `no effect: ${line.means}`)),
      element("td", { textContent: notes }),
    );
    if (!line.has_effect) row.classList.add("void");
    return row;
  });
  const names = ["line", "text", "meaning", "findings"];
  const head = element("tr", {}, ...names.map((name) => element("th", { scope: "col", textContent: name })));
  const all = answer.verdicts[chosen]?.editions ?? [];
  light(rows, all, "agent_line", "names", "Names the crawler");
  light(rows, all, "line", "decides", "Decides");
  lines.replaceChildren(element("thead", {}, head), element("tbody", {}, ...rows));
  const rest = [];
  if (answer.lines.length > MOST_LINES) rest.push(`${answer.lines.length - MOST_LINES} more lines are read and not shown.`);
  if (answer.unread) rest.push(`${counted(answer.unread, "octet")} beyond the limit are not read.`);
  more.textContent = rest.join(" ");
}

// Marks the lines that decide the verdicts, with a colour and in words. If the editions disagree, the words name the
// editions.
function light(rows, all, key, name, says) {
  const editions = new Map();
  for (const verdict of all) if (verdict[key]) editions.set(verdict[key], [...(editions.get(verdict[key]) ?? []), verdict.edition]);
  for (const [number, by] of editions) {
    const row = rows[number - 1];
    if (!row) continue;
    row.classList.add(by.includes(edition.value) ? name : "elsewhere");
    const words = by.length === all.length ? `${says}. ` : `${says} under ${by.join(", ")}. `;
    row.cells[2].prepend(element("strong", { textContent: words }));
  }
}

function showFindings() {
  const items = answer.findings.slice(0, MOST_LINES).map((finding) => {
    const line = element("a", { href: `#line-${finding.line}`, textContent: `line ${finding.line}` });
    const item = element("li", { className: finding.level }, element("strong", { textContent: finding.level }), ", ", line, ...prose(`: ${finding.cause}; ${finding.fix}`));
    const { source } = finding;
    if (source) item.append(` (${finding.source_text}, `, element("a", { href: `requirements.html#${source.requirement}`, textContent: source.requirement }), ")");
    return item;
  });
  list(findings, items, "None.");
}

// Shows the constructs of the file that measured software reads differently, or that the edition leaves open.
function showConstructs() {
  const used = new Map();
  for (const { name, says, line } of answer.constructs) if (!used.has(name)) used.set(name, { says, line });
  for (const { kind, summary, line } of answer.findings) if (!used.has(kind)) used.set(kind, { says: summary.replace(/\.$/, ""), line });
  const readers = measured[edition.value] ?? {};
  const items = [...used].filter(([name]) => readers[name]).map(([name, { says, line }]) => {
    const who = readers[name].map((reader) => `${reader.name} ${reader.version}`).join(", ");
    const cases = readers[name].flatMap((reader) => reader.cases);
    return element("li", {}, element("strong", {}, ...prose(says)), ` (line ${line}): ${who}. Measured with`, ...linked(cases));
  });
  list(claims, items, "No measured software reads this file differently.");
  const cases = open[edition.value] ?? {};
  const left = [...used].filter(([name]) => cases[name]).map(([name, { says, line }]) =>
    element("li", {}, element("strong", {}, ...prose(says)), ` (line ${line}): ${edition.value} lets some questions about it be answered in more than one way. See`, ...linked(cases[name])));
  list(contested, left, `No open question is known: ${edition.value} decides everything that this file uses.`);
}

const linked = (cases) =>
  [...new Set(cases)].slice(0, 3).flatMap((id) => [" ", element("a", { href: `requirements.html#case-${id.split("::").pop()}`, textContent: id })]);

function list(where, items, none) {
  where.replaceChildren(...(items.length ? items : [element("li", { textContent: none })]));
}

function soon() {
  clearTimeout(timer);
  timer = setTimeout(update, 150);
}

async function take(taken) {
  if (!taken) return;
  octets = new Uint8Array(await taken.arrayBuffer());
  text.value = new TextDecoder().decode(octets);
  await update();
}

text.addEventListener("input", () => {
  octets = null;
  file.value = "";
  soon();
});
for (const area of [agents, urls, expectations]) area.addEventListener("input", soon);
old.addEventListener("input", () => {
  oldOctets = null;
  oldFile.value = "";
  soon();
});
oldFile.addEventListener("change", async () => {
  if (!oldFile.files[0]) return;
  oldOctets = new Uint8Array(await oldFile.files[0].arrayBuffer());
  old.value = new TextDecoder().decode(oldOctets);
  await update();
});
draft.addEventListener("click", async () => {
  const question = { edition: edition.value, agents: [], urls: [], draft: true };
  const { reply } = await ask(octets ?? encoded(text.value), question);
  expectations.value = reply.draft;
  await update();
});

// Shows the fields and the results of the chosen mode. The fragment of the URL is the mode, so that a link can open a
// mode.
function showMode() {
  for (const part of document.querySelectorAll("[data-mode]")) part.hidden = part.dataset.mode !== mode();
}
function readMode() {
  const named = modes.find((one) => `#${one.value}` === location.hash);
  if (named) named.checked = true;
  showMode();
  return Boolean(named);
}
for (const one of modes) {
  one.addEventListener("change", () => {
    history.replaceState(null, "", `#${mode()}`);
    showMode();
    update();
  });
}
addEventListener("hashchange", () => {
  if (readMode()) update();
});
readMode();

edition.addEventListener("change", update);
file.addEventListener("change", () => take(file.files[0]));
// A file may be dropped anywhere on the page. Without these listeners, a browser would open a file that is dropped
// outside the field.
for (const name of ["dragenter", "dragover"]) {
  window.addEventListener(name, (event) => {
    event.preventDefault();
    drop.classList.add("over");
  });
}
window.addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) drop.classList.remove("over");
});
window.addEventListener("drop", (event) => {
  event.preventDefault();
  drop.classList.remove("over");
  take(event.dataTransfer.files[0]);
});

try {
  const page = JSON.parse(byId("measured").textContent);
  [measured, open] = [page.claims.editions, page.contested];
  engine = await load(byId("engine"));
  await update();
  performance.mark("ready");
  // An interface for scripts, which the tests use.
  window.robots = { ask };
  document.documentElement.dataset.ready = "yes";
} catch (error) {
  status.textContent = `The tester needs WebAssembly: ${error.message}`;
}
})();
