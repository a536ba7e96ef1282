/** Wires the page: one player, the views that follow it, the server, the keys. Views know the player, never each other. */
import { examples, exampleTrace, playerPage, ServerError, storeLink } from "./api.js";
import { openClass } from "./classroom/open.js";
import { withValue } from "./fork/setvalue.js";
import { isEdit } from "./fork/steps.js";
import { placeOf } from "./compare/place.js";
import { Desk } from "./desk.js";
import { keptDrafts, MOST_PAST } from "./drafts.js";
import { FileMenu } from "./file/menu.js";
import { acceptDrops, opened, OpenError } from "./file/open.js";
import { keptProgram, wasRunning } from "./kept.js";
import { Measuring } from "./measuring.js";
import { Panes } from "./panes.js";
import { Player } from "./player/player.js";
import { RunButton } from "./runbutton.js";
import { decodeTrace, TraceFormatError } from "./trace/decode.js";
import { TraceIndex } from "./trace/index.js";
import { button, byId, fileName, h } from "./views/dom.js";
import { listen, openKeyList } from "./views/keys.js";
import { keyTable } from "./keytable.js";
import { attachMenu } from "./views/menu.js";
import { MessageView } from "./views/message.js";
import { modeWords } from "./views/mode.js";
import { openShare } from "./views/share.js";
import { themeItems } from "./views/thememenu.js";

const root = document.documentElement;
const app = byId("app");
const player = new Player();

const message = new MessageView(byId("message"));
const panes = new Panes(player, { measuring: new Measuring(), files: true, onRun: () => void run.start(), onEdit: () => edited(), back: () => backToExample(), origin: () => desk.origin, commands: () => commands, runCommand: (words) => keys.find((key) => key.words === words)?.run(new KeyboardEvent("keydown")), set: setValue, swap, leaveAsking: () => byId("run").focus() });
const { code, graph, tabs, caption, find } = panes;
const run = new RunButton({ button: byId("run"), word: byId("run-word"), progress: byId("progress"), message }, { source: () => code.source, name: () => desk.name, files: () => panes.files.given, load: (trace) => show(trace, true, true), asks: panes.asks });

const desk = new Desk(player, {
  source: () => code.source,
  past: () => code.undoable(MOST_PAST),
  put: (source, past = "") => {
    code.restore(source, past);
    if (!player.index) nothingYet();
  },
  open,
  named: (name) => {
    byId("file").replaceChildren(...fileName(name));
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

function backToExample() {
  desk.backToExample();
  message.show("The example is back. What you had made of it is kept.", false, button("Bring mine back", { class: "link" }, () => {
    message.hide();
    desk.bringBack();
  }));
}

function edited() {
  byId("run").classList.toggle("stale", player.stale);
  desk.changed();
}

/** Another value at this step: a line more in the program, which is run at once. @param {string} name @param {string} text */
function setValue(name, text) {
  const { index, step } = player;
  if (!index) return;
  if (player.stale) throw new Error("The program has been edited since this run. Run it first, then set a value.");
  const { source, line, notice } = withValue(index, step, name, text);
  code.source = source;
  edited();
  void run.start();
  message.show([`Line ${line} is new: it sets ${name}.`, notice].filter(Boolean).join(" "));
}

/** The other run of a fork, with its program. @param {TraceIndex} index */
function swap(index) {
  code.source = index.trace.document.program.source;
  player.load(index);
  desk.changed();
}

/** @param {import("./trace/types.js").TraceDocument} document @param {boolean} play @param {boolean} [again] whether it is the program on the desk, run again */
function show(document, play, again = false) {
  const index = new TraceIndex(decodeTrace(document));
  const { index: before, step, selected } = player;
  // An edit that is run where one stood keeps the place, and the run before beside it.
  const forked = again && before && step > 0 && isEdit(before.trace.document.program.source, document.program.source);
  if (!forked) panes.fork.forget();
  const kept = forked ? panes.fork.begin(before, index, step, selected) : null;
  byId("mode").replaceChildren(...modeWords(document.program));
  byId("mode").title = document.program.reason;
  delete app.dataset.empty;
  player.load(index);
  desk.changed();
  if (desk.arrived()) return;
  if (kept) {
    player.goTo(kept.step);
    if (kept.node >= 0) player.select(kept.node);
    return;
  }
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
    // What was typed meanwhile stays: the recording then plays as that of another text.
    if (code.source === example.source) code.source = trace.program.source;
    show(trace, play);
    run.say("");
  } catch (error) {
    const hint = error instanceof ServerError || (error instanceof Error && "hint" in error) ? /** @type {ServerError} */ (error).hint : "";
    run.say(error instanceof Error ? `${error.message} ${hint}` : String(error), true);
  }
}

function shareThis() {
  player.play(false);
  void openShare(desk, storeLink, player.index ? (kind) => files.save(kind) : null);
}
byId("share-button").addEventListener("click", shareThis);
addEventListener("hashchange", () => void desk.moved());

/** Puts what a file holds on the desk; nothing runs. @param {File} file */
async function openFile(file) {
  try {
    const found = await opened(file);
    if ("recording" in found) {
      new TraceIndex(decodeTrace(found.recording));
      code.source = found.recording.program.source;
      show(found.recording, false);
      return message.show(`${file.name} is a recording; it is shown as it was made.`);
    }
    desk.lay(found.program, file.name);
    message.show([`${file.name} is open and has not been run: read it, then press Run.`, found.notice].filter(Boolean).join(" "));
  } catch (error) {
    message.show(error instanceof OpenError || error instanceof TraceFormatError ? `${error.message}${"hint" in error ? ` ${error.hint}` : ""}` : `${file.name} cannot be opened: it is no recording of this version. Open a .py, an .ipynb or a saved recording.`, true);
  }
}
acceptDrops((file) => void openFile(file));
const files = new FileMenu(byId("file-button"), player, { graph, message, base: root.dataset.base ?? "/static/", shell: playerPage, share: shareThis, teach: () => void openClass({ ...run.program, title: desk.known?.title ?? "" }, (words, bad) => (bad ? message.show(words, true) : run.say(words))), open: (file) => void openFile(file) });

/** Whether the bar says why a key led nowhere; that is over with the next step. */
let told = false;
player.follow((_, change) => {
  if (!told || !change.topics.has("step")) return;
  told = false;
  run.say("");
});

const keys = keyTable({ player, graph, run, full: (pane) => panes.full(pane), unfull: () => panes.unfull(), list: () => openKeyList(keys), find: (query) => find.open(query), xray: () => panes.xray(), watch: () => panes.watch(), tell: (words) => {
  run.say(words);
  told = true;
}, tabs, focusCode: () => code.editor?.focus(), codeLine: () => code.editor?.line ?? 1 });
const commands = panes.commandsOf(keys);
listen(keys);
byId("keys-button").addEventListener("click", () => openKeyList(keys));
attachMenu(byId("theme-button"), themeItems);

attachMenu(byId("examples-button"), () => {
  const list = desk.examples;
  if (!list.length) return [h("p", { class: "group" }, "No examples: the server did not give any.")];
  const own = keptProgram();
  const drafts = keptDrafts().filter(([key, draft]) => !key.startsWith("lesson.") && draft.source !== code.source && draft.source !== own?.source).slice(0, 6);
  const last = own && desk.known ? [button("Your last program", { role: "menuitem" }, () => desk.bringBack())] : [];
  const older = drafts.map(([key, draft]) => draftItem(key, draft));
  const mine = last.length + older.length ? [h("p", { class: "group" }, "Yours"), ...last, ...older] : [];
  const groups = [...new Set(list.map((example) => example.group))];
  return [...mine, ...groups.flatMap((group) => [h("p", { class: "group" }, group), ...list.filter((example) => example.group === group).map((example) => item(example))])];
});

/** @param {string} key @param {import("./drafts.js").Draft} draft */
function draftItem(key, draft) {
  const made = desk.examples.find((example) => key === `example.${example.id}`);
  const entry = button(made ? `${made.title}, edited` : draft.name, { role: "menuitem" }, () => desk.take(key));
  entry.append(h("span", { class: "note" }, new Date(draft.at).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" })));
  return entry;
}

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
    const dropped = wasRunning();
    await desk.begin(wanted ?? "");
    if (dropped) sayDropped();
  } catch (error) {
    run.say(error instanceof ServerError ? `${error.message} ${error.hint}` : String(error), true);
  }
}

/** A reload ends the run that was going on; its program is still here. */
function sayDropped() {
  message.show("The page was reloaded while the program ran: that run is over and left no recording.", false, button("Run it again", { class: "link" }, () => {
    message.hide();
    void run.start();
  }));
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
