/** The player in a frame of another page: one program, which may be edited and run; nothing is kept, no address is written. */
import { exampleTrace } from "../api.js";
import { arrive, goThere } from "../arrive.js";
import { keyTable } from "../keytable.js";
import { formatPlace, nowhere, packProgram, parsePlace } from "../link.js";
import { Panes } from "../panes.js";
import { Player } from "../player/player.js";
import { RunButton } from "../runbutton.js";
import { decodeTrace } from "../trace/decode.js";
import { TraceIndex } from "../trace/index.js";
import { byId, h } from "../views/dom.js";
import { listen, openKeyList } from "../views/keys.js";
import { MessageView } from "../views/message.js";
import { modeWords } from "../views/mode.js";
import { listenToHost } from "./messages.js";
import { NoProgram, played } from "./program.js";

const root = document.documentElement;
const app = byId("app");
const shows = (app.dataset.show ?? "").split(" ");
const player = new Player();
const message = new MessageView(byId("message"));
/** @type {import("./program.js").Played} */
let program = { source: "", name: "", example: null, place: nowhere() };
/** Where to go once there is a recording. @type {import("../link.js").Place | null} */
let wanted = null;

const panes = new Panes(player, { measuring: null, files: false, onRun: () => void run.start(), onEdit: () => byId("run").classList.toggle("stale", player.stale), back: () => (panes.code.source = program.source), origin: () => (panes.code.source !== program.source ? "own" : program.example ? "example" : "link"), commands: () => commands, runCommand: (words) => keys.find((key) => key.words === words)?.run(new KeyboardEvent("keydown")), set: null, swap: () => {}, leaveAsking: () => byId("run").focus() });
const run = new RunButton({ button: byId("run"), word: byId("run-word"), progress: byId("progress"), message }, { source: () => panes.code.source, name: () => program.name, files: () => panes.files.given, load: show, asks: panes.asks });
const keys = keyTable({ player, graph: panes.graph, run, full: (pane) => panes.full(pane), unfull: () => panes.unfull(), list: () => openKeyList(keys), xray: () => panes.xray(), find: (query) => panes.find.open(query), watch: () => panes.watch(), tell: (words) => run.say(words), tabs: panes.tabs, focusCode: () => panes.code.editor?.focus(), codeLine: () => panes.code.editor?.line ?? 1 });
const commands = panes.commandsOf(keys);
listen(keys);

/** @param {import("../trace/types.js").TraceDocument} document */
function show(document) {
  const index = new TraceIndex(decodeTrace(document));
  delete app.dataset.empty;
  byId("mode").replaceChildren(...modeWords(document.program));
  byId("mode").title = document.program.reason;
  player.load(index);
  const place = wanted;
  wanted = null;
  if (place) arrive(player, place);
  else if (document.end.kind === "error" || document.end.kind === "limit") player.last();
}

/** A program without a recording: said where the graph would be. @param {string} words */
function nothingYet(words) {
  app.dataset.empty = "";
  panes.graph.empty.hidden = false;
  panes.graph.empty.replaceChildren(h("p", {}, words));
}

/** A sentence beside the frame points somewhere: there now, or once the program has run. @param {import("../link.js").Place} place */
function go(place) {
  if (!player.index || player.stale) wanted = place;
  else if (goThere(player, place)) run.say("");
  else run.say(place.line > 0 ? `No step is at line ${place.line}.` : "There is no such place in this recording.");
}

/** Another address in the same frame: another program, or another place in this one. */
async function moved() {
  const place = parsePlace(location.hash);
  if (place.newer || place.program || place.example) await begin();
  else go(place);
}

async function begin() {
  try {
    program = await played(app.dataset.link ?? "", location.hash);
  } catch (error) {
    if (!(error instanceof NoProgram) && !(error instanceof Error && "hint" in error)) throw error;
    nothingYet(`${error.message}${"hint" in error ? ` ${error.hint}` : ""}`);
    return;
  }
  const { source, name, example, place } = program;
  player.forget();
  panes.code.source = source;
  byId("file").textContent = name;
  byId("file").title = name;
  wanted = place;
  if (!example) {
    nothingYet("This program has not been run. Press Run: it is recorded, and its graph is drawn here.");
    panes.caption.hint("has not been run. Press Run to record it.");
    return;
  }
  run.say("Loading …");
  try {
    show(await exampleTrace(example.id));
    run.say("");
  } catch (error) {
    run.say(error instanceof Error ? error.message : String(error), true);
  }
}

/** The same program at the same step, in the player with everything. */
byId("open").addEventListener("pointerdown", () => void openable());
byId("open").addEventListener("focus", () => void openable());
async function openable() {
  const source = panes.code.source;
  const step = player.index && !player.stale && player.step > 0 ? player.step : -1;
  const known = program.example && source === program.example.source;
  const packed = known ? { example: program.example?.id ?? "" } : { program: await packProgram(source) };
  byId("open").setAttribute("href", `/play${formatPlace({ ...nowhere(), ...packed, step, node: step >= 0 ? player.selected : -1 })}`);
}

/** @param {number} now */
function frame(now) {
  player.tick(now);
  requestAnimationFrame(frame);
}
requestAnimationFrame(frame);

async function editor() {
  try {
    panes.code.attach(await import(`${root.dataset.base ?? "/static/"}build/editor.js`), root.dataset.nonce ?? "");
  } catch {
    run.say("The editor could not be loaded; the recording plays without it.", true);
  }
}

if (!shows.includes("graph")) panes.tabs.show(["code", "node", "variables", "output", "times"].find((pane) => shows.includes(pane)) ?? "graph");
addEventListener("hashchange", () => void moved());
listenToHost(player, go);
void begin();
if (["code", "variables", "output"].some((pane) => shows.includes(pane))) void editor();
