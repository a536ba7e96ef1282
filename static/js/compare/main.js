/** Wires the side-by-side: two recordings, two graphs, one scrubber, the charts below. */
import { cancel, examples, exampleTrace, follow, ServerError, submit, submitMeasure } from "../api.js";
import { keptProgram } from "../kept.js";
import { MOST_CHARACTERS, packProgram } from "../link.js";
import { decodeTrace } from "../trace/decode.js";
import { alone } from "../trace/difference.js";
import { TraceIndex } from "../trace/index.js";
import { called, label, spanText } from "../trace/names.js";
import { fate, shownNodes } from "../trace/pairing.js";
import { asText } from "../trace/parts.js";
import { together } from "../trace/together.js";
import { LinkView } from "../views/compare/link.js";
import { StripView } from "../views/compare/strip.js";
import { DuetTransport } from "../views/compare/transport.js";
import { byId, h, rich } from "../views/dom.js";
import { GraphView } from "../views/graph/graph.js";
import { listen, openKeyList } from "../views/keys.js";
import { attachMenu } from "../views/menu.js";
import { MessageView } from "../views/message.js";
import { copyLink } from "../views/share.js";
import { themeItems } from "../views/thememenu.js";
import { Below } from "./below.js";
import { Duet, nodeAt } from "./duet.js";
import { keyTable } from "./keys.js";
import { formatPlace, nowhere, parsePlace } from "./place.js";
import { Programs } from "./programs.js";
import { sideNames, sideWords } from "./words.js";

/** @typedef {import("./place.js").Place} Place */
/** @typedef {import("./programs.js").Program} Program */

const SIDES = /** @type {const} */ (["a", "b"]);
const duet = new Duet();
const message = new MessageView(byId("message"));
const halves = byId("halves");
const roots = { a: byId("side-a"), b: byId("side-b") };
const stage = /** @param {"a" | "b"} side */ (side) => /** @type {HTMLElement} */ (roots[side].querySelector(".stage"));
const graphs = { a: new GraphView(stage("a"), duet.a, { top: 16, shared: true }), b: new GraphView(stage("b"), duet.b, { top: 16, shared: true }) };
const names = /** @type {[string, string]} */ (["left", "right"]);
/** @type {Record<"a" | "b", Program | null>} */
const chosen = { a: null, b: null };
const programs = new Programs();

for (const side of SIDES) {
  duet[side].follow((player, change) => {
    graphs[side].render(player, change);
    if (change.topics.has("selection") && player.selected !== picked[side]) {
      picked = { ...picked, [side]: player.selected };
      duet.select(side, player.selected);
      picked = { a: duet.a.selected, b: duet.b.selected };
    }
  });
}
let picked = { a: -1, b: -1 };

const strip = new StripView(byId("clock"), duet, [{ side: "a", name: names[0] }, { side: "b", name: names[1] }], { axis: true });
const transport = new DuetTransport(byId("transport"), duet);
const linkWords = /** @type {HTMLElement} */ (byId("together").querySelector(".link-words"));
const teach = "Point at a node to see its counterpart; a click keeps both.";
const links = new LinkView(halves, duet, graphs, counterpartWords, (words) => (linkWords.textContent = words || teach));
const below = new Below({ tabs: byId("tablist"), panel: byId("chart") }, duet, graphs, { load: (a, b) => show(a, b, true), names, measure, changed: () => (duet.both ? tell(duet.both) : undefined, remember()) });

/** @param {{source: string, name: string}} program @param {(words: string) => void} say */
async function measure({ source, name }, say) {
  const id = await submitMeasure(source, name);
  running.add(id);
  try {
    return await follow(id, { queued: (place) => say(`waiting, place ${place}`), measuring: (done, of) => say(`run ${done} of ${of} …`) });
  } finally {
    running.delete(id);
  }
}

/** What is said of a node and its counterpart. @param {"a" | "b"} side @param {number} node */
function counterpartWords(side, node) {
  const { both } = duet;
  if (!both) return "";
  const other = side === "a" ? "b" : "a";
  const [here, there] = side === "a" ? [both.a, both.b] : [both.b, both.a];
  const name = side === "a" ? names[1] : names[0];
  const full = /** @param {TraceIndex} index @param {number} n */ (index, n) => (called(index, n) === label(index, n) ? label(index, n) : `${called(index, n)} (${label(index, n)})`);
  const slot = duet.counterpart(side, node);
  if (slot < 0) return `${full(here, node)}: ${alone(here, node, new Set(shownNodes(there).map((n) => there.definition(n).op)))}.`;
  const twin = nodeAt(there, slot, duet[other].step);
  const lost = fate(there, twin, duet[other].index?.stepPlan?.[duet[other].step] ?? -1);
  const absent = !graphs[other].scene?.slots.has(slot);
  return `${full(here, node)} does what ${full(there, twin)} does in ${name}${absent ? ", which is not there yet" : lost ? `, ${lost} in a plan` : ""}.`;
}

duet.follow((_, topics) => {
  const { both } = duet;
  if (!both) return;
  if (topics.has("trace")) {
    names.splice(0, 2, ...sideNames(both.a, both.b));
    strip.rows.forEach((row, i) => (row.name = names[i]));
  }
  strip.render(topics);
  transport.render(topics);
  below.render(topics);
  links.later();
  if (topics.has("trace") || topics.has("at") || topics.has("lock")) {
    tell(both);
    remember();
  }
});

/** @param {{a: TraceIndex, b: TraceIndex}} both */
function tell(both) {
  const moment = duet.moments[duet.at];
  const compared = below.words;
  SIDES.forEach((side, i) => {
    const [title, words, code] = ["h2", "p", "code"].map((tag) => /** @type {HTMLElement} */ (roots[side].querySelector(`header ${tag}`)));
    const index = both[side];
    title.textContent = compared ? compared.heads[i] : names[i];
    // What is compared stands still, each side at its own step.
    const step = compared ? duet[side].step : moment[side];
    words.textContent = sideWords(index, step);
    code.textContent = step < 0 ? "" : spanText(index, index.trace.steps.span[step]) || (index.trace.document.program.source.split("\n")[index.trace.steps.line[step] - 1]?.trim().slice(0, 36) ?? "");
    roots[side].classList.toggle("is-waiting", step < 0);
  });
  const parts = compared?.parts ?? together(both.a, both.b, moment, duet.lock, names);
  byId("together").querySelector(".sentence")?.replaceChildren(...rich(parts));
  clearTimeout(spoken);
  spoken = window.setTimeout(() => {
    const live = byId("together").querySelector("[aria-live]");
    if (live) live.textContent = asText(parts);
  }, 700);
}
let spoken = 0;

/** @param {TraceIndex} a @param {TraceIndex} b @param {boolean} [atEnd] */
function show(a, b, atEnd = false) {
  picked = { a: -1, b: -1 };
  duet.load(a, b);
  const fit = () => SIDES.forEach((side) => graphs[side].fit());
  fit();
  if (atEnd) duet.goTo(duet.moments.length - 1);
}

/** @param {Program} program @param {boolean} anew whether it is run again @returns {Promise<TraceIndex>} */
async function recording(program, anew) {
  if (!program.own && !anew) return new TraceIndex(decodeTrace(await exampleTrace(program.id)));
  const id = await submit(program.source, program.name);
  running.add(id);
  try {
    return new TraceIndex(decodeTrace(await follow(id, {})));
  } finally {
    running.delete(id);
  }
}
/** @type {Set<string>} */
const running = new Set();

/** Shows both programs. Those of one's own run only when that was asked for. @param {boolean} anew @param {Place} [wanted] */
async function open(anew, wanted) {
  const { a, b } = chosen;
  if (!a || !b) return;
  if (!anew && (a.own || b.own)) {
    byId("progress").textContent = "Press Run to record both programs.";
    byId("run").classList.add("stale");
    return;
  }
  byId("run").classList.remove("stale");
  byId("progress").textContent = anew ? "Running both …" : "Loading …";
  byId("run-word").textContent = anew ? "Stop" : "Run";
  const asked = { a, b };
  try {
    // One after the other, so that neither slows the other's clock down.
    const left = await recording(a, anew);
    const right = a === b && !anew ? left : await recording(b, anew);
    if (chosen.a !== asked.a || chosen.b !== asked.b) return;
    below.sources = { a, b };
    show(left, right);
    if (wanted) {
      if (wanted.diff) below.choose(wanted.diff);
      if (wanted.at >= 0) duet.goTo(wanted.at);
    } else if (!matchMedia("(prefers-reduced-motion: reduce)").matches) duet.play(true);
    byId("progress").textContent = "";
  } catch (error) {
    byId("progress").textContent = "";
    message.show(error instanceof ServerError ? `${error.message} ${error.hint}` : error instanceof Error ? error.message : String(error), true);
  } finally {
    byId("run-word").textContent = "Run";
  }
}

/** @returns {Promise<Place>} */
async function here() {
  const place = nowhere();
  for (const [side, name] of /** @type {["a" | "b", "left" | "right"][]} */ ([["a", "left"], ["b", "right"]])) {
    const program = chosen[side];
    if (program?.own) place[name].program = await packProgram(program.source);
    else if (program) place[name].example = program.id;
  }
  return Object.assign(place, { lock: duet.lock, at: duet.at > 0 ? duet.at : -1, tab: below.tab, diff: below.diff });
}

let written = "";
let timer = 0;
/** The address follows, a little later. */
function remember() {
  clearTimeout(timer);
  timer = window.setTimeout(async () => {
    const hash = formatPlace(await here());
    if (hash.length > MOST_CHARACTERS) return;
    written = hash;
    history.replaceState(null, "", hash);
  }, 300);
}

const pickers = { a: /** @type {HTMLSelectElement} */ (byId("left-program")), b: /** @type {HTMLSelectElement} */ (byId("right-program")) };
for (const side of SIDES) {
  pickers[side].addEventListener("change", () => {
    chosen[side] = programs.find(pickers[side].value) ?? chosen[side];
    below.choose("");
    void open(false);
  });
}

function fill() {
  for (const side of SIDES) {
    pickers[side].replaceChildren(...programs.all.map((program) => h("option", { value: program.id, selected: program === chosen[side] }, program.own ? program.title : program.name)));
  }
}

/** @param {string} hash */
async function goTo(hash) {
  const place = parsePlace(hash);
  for (const [side, name, fallback] of /** @type {["a" | "b", "left" | "right", string][]} */ ([["a", "left", "same-model-tf1"], ["b", "right", "same-model-torch"]])) {
    const { program, problem } = await programs.named(place[name], name, fallback);
    if (problem) message.show(problem, true);
    chosen[side] = program;
  }
  fill();
  duet.setLock(place.lock);
  for (const input of byId("lock").querySelectorAll("input")) input.checked = input.value === place.lock;
  below.show(place.tab);
  below.choose("");
  await open(false, place.at >= 0 || place.diff ? place : undefined);
}

byId("lock").addEventListener("change", (event) => {
  if (event.target instanceof HTMLInputElement) duet.setLock(/** @type {import("../trace/moments.js").Lock} */ (event.target.value));
});
byId("run").addEventListener("click", () => {
  if (!running.size) return void open(true);
  for (const id of running) void cancel(id);
});
byId("share-button").addEventListener("click", () => void copyLink({
  known: !chosen.a?.own && !chosen.b?.own,
  link: async () => {
    const hash = formatPlace(await here());
    return hash.length > MOST_CHARACTERS ? { link: "", problem: "These programs make a longer link than arrives everywhere. Shorten them, or send them as files." } : { link: `${location.origin}${location.pathname}${hash}`, problem: "" };
  },
}, message));
attachMenu(byId("theme-button"), themeItems);
addEventListener("hashchange", () => {
  if (location.hash !== written) void goTo(location.hash);
});
addEventListener("stepgraph-mode", () => SIDES.forEach((side) => graphs[side].fit()));
void document.fonts.ready.then(() => SIDES.forEach((side) => graphs[side].fit()));

const keys = keyTable({ duet, graphs: Object.values(graphs), run: () => void open(true), list: () => openKeyList(keys) });
listen(keys);

/** @param {number} now */
function frame(now) {
  duet.tick(now);
  requestAnimationFrame(frame);
}
requestAnimationFrame(frame);

async function start() {
  linkWords.textContent = teach;
  try {
    const own = keptProgram();
    programs.set([...(await examples()).map(({ id, title, name, source }) => ({ id, title, name, source, own: false })), ...(own ? [{ id: "own", title: "Your last program", name: own.name, source: own.source, own: true }] : [])]);
    await goTo(location.hash);
  } catch (error) {
    message.show(error instanceof ServerError ? `${error.message} ${error.hint}` : String(error), true);
  }
}
void start();
