/** Wires the page: one player, the views that follow it, the server, the keys. Views know the player, never each other. */
import { examples, exampleTrace, ServerError } from "./api.js";
import { placeOf } from "./compare/place.js";
import { Desk } from "./desk.js";
import { keptProgram } from "./kept.js";
import { Measuring } from "./measuring.js";
import { Player } from "./player/player.js";
import { RunButton } from "./runbutton.js";
import { decodeTrace } from "./trace/decode.js";
import { TraceIndex } from "./trace/index.js";
import { AskView } from "./views/ask.js";
import { CaptionView } from "./views/caption.js";
import { CodeView } from "./views/code.js";
import { button, byId, h } from "./views/dom.js";
import { FindView } from "./views/find.js";
import { GraphView } from "./views/graph/graph.js";
import { GraphTools } from "./views/graph/tools.js";
import { InspectorView } from "./views/inspector/inspector.js";
import { listen, openKeyList } from "./views/keys.js";
import { keyTable } from "./keytable.js";
import { attachMenu } from "./views/menu.js";
import { MessageView } from "./views/message.js";
import { modeWords } from "./views/mode.js";
import { NotesView } from "./views/notes.js";
import { OutputView } from "./views/output.js";
import { ScrubberView } from "./views/scrubber.js";
import { share } from "./views/share.js";
import { attachHandles } from "./views/handles.js";
import { StopsView } from "./views/stops.js";
import { TabsView } from "./views/tabs.js";
import { themeItems } from "./views/thememenu.js";
import { TimingsView } from "./views/timings/timings.js";
import { TransportView } from "./views/transport.js";
import { VariablesView } from "./views/variables.js";
import { WatchesView } from "./views/watches.js";

const root = document.documentElement;
const app = byId("app");
const player = new Player();

const asks = new AskView(byId("output"), { show: () => showOutput(), leave: () => byId("run").focus() });
const message = new MessageView(byId("message"));
const run = new RunButton({ button: byId("run"), word: byId("run-word"), progress: byId("progress"), message }, { source: () => code.source, name: () => desk.name, load: (trace) => show(trace, true), asks });
const code = new CodeView(byId("code"), byId("stale-note"), player, { onRun: () => void run.start(), onEdit: () => edited(), back: () => desk.backToExample(), origin: () => desk.origin });
const graph = new GraphView(byId("graph"), player);
const tools = new GraphTools(graph, () => full("graph"));
const tabs = new TabsView(byId("tabs"), app);
const goToLine = /** @param {number} line */ (line) => {
  tabs.show("code");
  code.editor?.goTo(line);
};
const caption = new CaptionView(byId("caption"));
// The editor comes first: it measures the page, which is cheap only before the others have changed it.
const find = new FindView(byId("find-button"), player, { commands: () => commands, run: (words) => keys.find((key) => key.words === words)?.run(new KeyboardEvent("keydown")), hint: (at) => openNote(at), shown: () => tabs.show("graph") });
const watches = new WatchesView(byId("watches"), byId("watch-button"), player, { ask: (query) => find.open(query) });
const timings = new TimingsView(byId("lanes"), player, (decoration) => graph.decorate(decoration), new Measuring(), goToLine);
const views = [code, new StopsView(byId("stops"), player, { goToLine }), new NotesView(byId("notes")), graph, tools, caption, new InspectorView(byId("inspector"), player, { goToLine, ask: (query) => find.open(query), learn: (node) => xray(node) }), watches, new VariablesView(byId("variables"), byId("variables-title"), player, { ask: (query) => find.open(query) }), find, new OutputView(byId("output")), new TransportView(byId("transport"), player), new ScrubberView(byId("transport"), player), timings];
for (const view of views) player.follow((p, change) => view.render(p, change));

const desk = new Desk(player, {
  source: () => code.source,
  put: (source) => {
    code.source = source;
    if (!player.index) nothingYet();
  },
  open,
  named: (name) => {
    byId("file").textContent = name;
    byId("file").title = name;
    // Side by side: an example beside its twin in the other mode, a program of one's own to be chosen there.
    byId("compare-link").setAttribute("href", `/compare${placeOf(desk.known, desk.examples)}`);
  },
  say: (words, bad) => (bad ? message.show(words, true) : run.say(words)),
});

/** A program without a recording: the page says so where the graph would be. */
function nothingYet() {
  app.dataset.empty = "";
  graph.empty.hidden = false;
  graph.empty.replaceChildren(h("p", {}, "Nothing is recorded yet. The graph of this program is drawn here once it has run: press Run."));
  caption.hint("has not been run. Press Run to record it.");
}

function edited() {
  byId("run").classList.toggle("stale", player.stale);
  desk.changed();
}

/** @param {import("./trace/types.js").TraceDocument} document @param {boolean} play */
function show(document, play) {
  const index = new TraceIndex(decodeTrace(document));
  byId("mode").replaceChildren(...modeWords(document.program));
  byId("mode").title = document.program.reason;
  delete app.dataset.empty;
  player.load(index);
  desk.changed();
  if (desk.arrived()) return;
  const ended = document.end.kind === "error" || document.end.kind === "limit";
  if (ended) player.last();
  else if (play && !matchMedia("(prefers-reduced-motion: reduce)").matches) player.play(true);
}

/** @param {import("./api.js").Example} example @param {boolean} play */
async function open(example, play) {
  run.say("Loading …");
  try {
    code.source = example.source;
    const trace = await exampleTrace(example.id);
    if (desk.example !== example) return;
    code.source = trace.program.source;
    show(trace, play);
    run.say("");
  } catch (error) {
    const hint = error instanceof ServerError || (error instanceof Error && "hint" in error) ? /** @type {ServerError} */ (error).hint : "";
    run.say(error instanceof Error ? `${error.message} ${hint}` : String(error), true);
  }
}

attachHandles(app);
byId("output-full").addEventListener("click", () => full("output"));
byId("share-button").addEventListener("click", () => void share(desk, message));
addEventListener("hashchange", () => void desk.moved());

/** Brings the output into view, whatever covers it. */
function showOutput() {
  delete app.dataset.full;
  if (byId("tabs").offsetParent) tabs.show("output");
}

/** Opens a note under the program. @param {number} at */
function openNote(at) {
  delete app.dataset.full;
  tabs.show("code");
  const note = byId("notes").querySelectorAll("details")[at];
  if (!note) return;
  note.open = true;
  note.scrollIntoView({ block: "nearest" });
  note.querySelector("summary")?.focus();
}

/** The learning X-ray, over the pane of the times. @param {number} [node] the parameter in question */
function xray(node) {
  delete app.dataset.full;
  tabs.show("times");
  timings.learn(node);
}

/** @param {string} pane */
function full(pane) {
  if (app.dataset.full === pane) delete app.dataset.full;
  else app.dataset.full = pane;
}

/** Whether the bar says why a key led nowhere; that is over with the next step. */
let told = false;
player.follow((_, change) => {
  if (!told || !change.topics.has("step")) return;
  told = false;
  run.say("");
});

const keys = keyTable({ player, graph, run, full, unfull: () => delete app.dataset.full, list: () => openKeyList(keys), find: (query) => find.open(query), xray: () => xray(), watch: () => {
  tabs.show("variables");
  watches.open();
}, tell: (words) => {
  run.say(words);
  told = true;
}, tabs, focusCode: () => code.editor?.focus(), codeLine: () => code.editor?.line ?? 1 });
/** What the find box can do besides finding: what the keys do, as far as they need no place. */
const commands = keys.filter((key) => !["Ctrl .", "Tab arrows", "Enter", "Esc", "Ctrl K", "PageDown", "PageUp"].includes(key.keys)).map((key) => ({ command: key.words, words: key.words, keys: key.keys }));
listen(keys);
byId("keys-button").addEventListener("click", () => openKeyList(keys));
attachMenu(byId("theme-button"), themeItems);
addEventListener("stepgraph-mode", () => graph.fit());

attachMenu(byId("examples-button"), () => {
  const list = desk.examples;
  if (!list.length) return [h("p", { class: "group" }, "No examples: the server did not give any.")];
  const own = keptProgram();
  const mine = own && desk.known ? [h("p", { class: "group" }, "Yours"), button("Your last program", { role: "menuitem" }, () => desk.bringBack())] : [];
  const groups = [...new Set(list.map((example) => example.group))];
  return [...mine, ...groups.flatMap((group) => [h("p", { class: "group" }, group), ...list.filter((example) => example.group === group).map((example) => item(example))])];
});

/** @param {import("./api.js").Example} example */
function item(example) {
  const entry = button(example.title, { role: "menuitem" }, () => void desk.show(example, true));
  if (desk.known === example) entry.setAttribute("aria-current", "true");
  if (example.note) entry.append(h("span", { class: "note" }, example.note));
  return entry;
}

/** @param {number} now */
function frame(now) {
  player.tick(now);
  requestAnimationFrame(frame);
}
requestAnimationFrame(frame);

async function start() {
  const wanted = new URLSearchParams(location.search).get("example");
  try {
    desk.examples = await examples();
    await desk.begin(wanted ?? "");
  } catch (error) {
    run.say(error instanceof ServerError ? `${error.message} ${error.hint}` : String(error), true);
  }
}

async function editor() {
  const address = `${root.dataset.base ?? "/static/"}build/editor.js`;
  try {
    code.attach(await import(address), root.dataset.nonce ?? "");
  } catch {
    run.say("The editor could not be loaded: run `make setup` and reload. The recording plays without it.", true);
  }
}

void start();
void editor();
