// The tester: what is typed goes to the engine in this page, and nowhere else.

import { joined, load, run } from "./wasi.js";

const MOST_LINES = 2000;
const byId = (id) => document.getElementById(id);
const [file, drop, text, agents, urls, edition] = ["file", "drop", "robots", "agents", "urls", "edition"].map(byId);
const [status, verdicts, lines, findings, claims] = ["status", "verdicts", "lines", "findings", "claims"].map(byId);

let engine;
let measured = { editions: {} };
// The octets of a file that was chosen, until its text is changed by hand.
let octets = null;
let answer = null;
let chosen = 0;
let timer = 0;

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

const entered = (area) => area.value.split("\n").map((line) => line.trim()).filter(Boolean);

// Asks the engine; returns its answer and how long that took.
export function ask(body, question) {
  const head = new TextEncoder().encode(`${JSON.stringify(question)}\n`);
  const start = performance.now();
  const said = JSON.parse(run(engine, joined([head, body])));
  return { said, took: performance.now() - start };
}

function update() {
  if (!engine) return;
  const body = octets ?? new TextEncoder().encode(text.value);
  const question = { edition: edition.value, agents: entered(agents), urls: entered(urls) };
  try {
    const { said, took } = ask(body, question);
    answer = said;
    chosen = Math.min(chosen, Math.max(0, said.verdicts.length - 1));
    show();
    const allowed = said.verdicts.filter((row) => under(row)?.allowed).length;
    const refused = said.verdicts.filter((row) => row.refused).length;
    const parts = [
      `${said.lines.length} lines, ${said.findings.length} findings`,
      `${allowed} of ${said.verdicts.length} questions allowed by ${edition.value}`,
    ];
    if (refused) parts.push(`${refused} cannot be asked`);
    status.textContent = `${parts.join("; ")}. ${took.toFixed(1)} ms.`;
  } catch (error) {
    status.textContent = `Nothing could be told: ${error.message}`;
  }
}

const under = (row) => row.editions.find((verdict) => verdict.edition === edition.value);

function show() {
  showVerdicts();
  showLines();
  showFindings();
  showClaims();
}

function showVerdicts() {
  const names = [...edition.options].map((option) => option.value);
  const head = element("tr", {}, ...["", "crawler", "URL", ...names].map((name) => element("th", { scope: "col", textContent: name })));
  const rows = answer.verdicts.map((row, at) => {
    const pick = element("input", { type: "radio", name: "question", checked: at === chosen, value: String(at) });
    pick.setAttribute("aria-label", `show why: ${row.agent}, ${row.url}`);
    pick.addEventListener("change", () => {
      chosen = at;
      showLines();
      showWhy();
    });
    const cells = names.map((name) => {
      const verdict = row.editions.find((found) => found.edition === name);
      if (!verdict) return element("td", { className: "none", textContent: "–" });
      const word = verdict.allowed ? "allow" : "disallow";
      return element("td", { className: word, textContent: word, title: verdict.says });
    });
    const made = element("tr", {}, element("td", {}, pick), element("td", { textContent: row.agent }), element("td", { textContent: row.url }), ...cells);
    if (new Set(row.editions.map((verdict) => verdict.allowed)).size > 1) made.classList.add("differs");
    return made;
  });
  verdicts.replaceChildren(element("thead", {}, head), element("tbody", {}, ...rows));
  showWhy();
}

function showWhy() {
  const why = byId("why");
  const row = answer.verdicts[chosen];
  if (!row) return why.replaceChildren();
  if (row.refused && !under(row)) return why.replaceChildren(element("p", { textContent: row.refused }));
  const parts = [element("p", { textContent: under(row)?.says ?? row.refused })];
  if (row.tokens && row.tokens !== row.agent) parts.push(element("p", { textContent: `Product tokens: ${row.tokens}` }));
  const differing = row.editions.filter((verdict) => verdict.allowed !== under(row)?.allowed);
  if (differing.length) {
    parts.push(element("p", { className: "contested", textContent: "The editions differ:" }));
    parts.push(element("ul", {}, ...differing.map((verdict) => element("li", { textContent: `${verdict.edition}: ${verdict.says}` }))));
  }
  why.replaceChildren(...parts);
}

function showLines() {
  const verdict = answer.verdicts[chosen] && under(answer.verdicts[chosen]);
  const byLine = new Map();
  for (const finding of answer.findings) byLine.set(finding.line, [...(byLine.get(finding.line) ?? []), finding]);
  const rows = answer.lines.slice(0, MOST_LINES).map((line, at) => {
    const number = at + 1;
    const found = byLine.get(number) ?? [];
    const notes = found.map((finding) => finding.kind).join(", ");
    const row = element(
      "tr",
      { id: `line-${number}` },
      element("td", { className: "number", textContent: number }),
      element("td", {}, element("code", { textContent: line.text })),
      element("td", { textContent: line.has_effect ? line.means : `${line.means}, no effect` }),
      element("td", { textContent: notes }),
    );
    if (!line.has_effect) row.classList.add("void");
    if (verdict?.line === number) mark(row, "decides", "This line decides. ");
    if (verdict?.agent_line === number) mark(row, "names", "This line names the crawler. ");
    return row;
  });
  const names = ["line", "text", "meaning", "findings"];
  const head = element("tr", {}, ...names.map((name) => element("th", { scope: "col", textContent: name })));
  lines.replaceChildren(element("thead", {}, head), element("tbody", {}, ...rows));
  const more = answer.lines.length - MOST_LINES;
  byId("more").textContent = more > 0 ? `${more} more lines are read and not shown.` : "";
}

function mark(row, name, says) {
  row.classList.add(name);
  row.cells[2].prepend(element("strong", { textContent: says }));
}

function showFindings() {
  const items = answer.findings.slice(0, MOST_LINES).map((finding) => {
    const source = finding.source ? ` (${finding.source_text}, ` : " (";
    const link = element("a", { href: `requirements.html#${finding.source?.requirement ?? ""}`, textContent: finding.source?.requirement ?? "" });
    const line = element("a", { href: `#line-${finding.line}`, textContent: `line ${finding.line}` });
    return element("li", { className: finding.level }, element("strong", { textContent: finding.level }), ", ", line, `: ${finding.cause}; ${finding.mend}${source}`, link, ")");
  });
  findings.replaceChildren(...(items.length ? items : [element("li", { textContent: "None." })]));
}

function showClaims() {
  const known = measured.editions[edition.value] ?? {};
  const used = new Map();
  for (const { name, says, line } of answer.constructs) if (!used.has(name)) used.set(name, { says, line });
  for (const { kind, cause, line } of answer.findings) if (!used.has(kind)) used.set(kind, { says: cause, line });
  const items = [...used].filter(([name]) => known[name]).map(([name, { says, line }]) => {
    const readers = known[name].map((reader) => `${reader.name} ${reader.version}`).join(", ");
    const cases = [...new Set(known[name].flatMap((reader) => reader.cases))].slice(0, 3);
    const links = cases.flatMap((id) => [" ", element("a", { href: `requirements.html#${id}`, textContent: id })]);
    return element("li", {}, element("strong", { textContent: says }), ` (line ${line}): ${readers}. Measured by`, ...links);
  });
  claims.replaceChildren(...(items.length ? items : [element("li", { textContent: "None that was measured." })]));
}

function soon() {
  clearTimeout(timer);
  timer = setTimeout(update, 150);
}

async function take(chosenFile) {
  if (!chosenFile) return;
  octets = new Uint8Array(await chosenFile.arrayBuffer());
  text.value = new TextDecoder().decode(octets);
  update();
}

text.addEventListener("input", () => {
  octets = null;
  soon();
});
for (const area of [agents, urls]) area.addEventListener("input", soon);
edition.addEventListener("change", update);
file.addEventListener("change", () => take(file.files[0]));
for (const name of ["dragenter", "dragover"]) {
  drop.addEventListener(name, (event) => {
    event.preventDefault();
    drop.classList.add("over");
  });
}
drop.addEventListener("dragleave", () => drop.classList.remove("over"));
drop.addEventListener("drop", (event) => {
  event.preventDefault();
  drop.classList.remove("over");
  take(event.dataTransfer.files[0]);
});

try {
  const [module, portability] = await Promise.all([load("engine.wasm"), fetch("portability.json").then((response) => response.json())]);
  engine = module;
  measured = portability;
  update();
  document.documentElement.dataset.ready = "yes";
  window.robots = { ask };
} catch (error) {
  status.textContent = `The tester needs WebAssembly and a web server: ${error.message}`;
}
