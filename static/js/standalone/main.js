/** A saved recording: the player without a server. Nothing is run, nothing is loaded; the recording stands in the page. */
import "../theme.js";
import * as editor from "../editor/entry.js";
import { FileMenu } from "../file/menu.js";
import { keyTable } from "../keytable.js";
import { Player } from "../player/player.js";
import { decodeTrace } from "../trace/decode.js";
import { TraceIndex } from "../trace/index.js";
import { byId, h } from "../views/dom.js";
import { listen, openKeyList } from "../views/keys.js";
import { attachMenu } from "../views/menu.js";
import { MessageView } from "../views/message.js";
import { modeWords } from "../views/mode.js";
import { themeItems } from "../views/thememenu.js";
import { Panes } from "../panes.js";

const player = new Player();
const message = new MessageView(byId("message"));
let source = "";
const panes = new Panes(player, { measuring: null, files: false, onRun: () => {}, onEdit: () => keep(), back: () => keep(), origin: () => "example", commands: () => commands, runCommand: (words) => keys.find((key) => key.words === words)?.run(new KeyboardEvent("keydown")), set: null, swap: () => {}, leaveAsking: () => {} });

/** The text of a recording is what was recorded: it cannot be edited here. */
function keep() {
  if (panes.code.source !== source) panes.code.source = source;
}

const progress = byId("progress");
const keys = keyTable({ player, graph: panes.graph, run: { start: () => message.show("This page plays a recording and runs nothing. Open its program in Stepgraph to run it: File saves it.") }, full: (pane) => panes.full(pane), unfull: () => panes.unfull(), list: () => openKeyList(keys), xray: () => panes.xray(), find: (query) => panes.find.open(query), watch: () => panes.watch(), tell: (words) => (progress.textContent = words), tabs: panes.tabs, focusCode: () => panes.code.editor?.focus(), codeLine: () => panes.code.editor?.line ?? 1 });
const commands = panes.commandsOf(keys).filter((one) => one.keys !== "Ctrl Enter");
listen(keys);
byId("keys-button").addEventListener("click", () => openKeyList(keys));
attachMenu(byId("theme-button"), themeItems);
new FileMenu(byId("file-button"), player, { graph: panes.graph, message, base: "", shell: null, share: null, open: null });

/** @param {number} now */
function frame(now) {
  player.tick(now);
  requestAnimationFrame(frame);
}

try {
  const recorded = JSON.parse(byId("recording").textContent ?? "");
  const index = new TraceIndex(decodeTrace(recorded));
  source = recorded.program.source;
  panes.code.source = source;
  panes.code.attach(editor, document.documentElement.dataset.nonce ?? "");
  byId("file").textContent = recorded.program.name;
  byId("mode").replaceChildren(...modeWords(recorded.program));
  byId("mode").title = recorded.program.reason;
  document.title = `${recorded.program.name}, recorded with Stepgraph`;
  player.load(index);
  player.goTo(Number(document.documentElement.dataset.step ?? 0));
  requestAnimationFrame(frame);
} catch (error) {
  byId("graph").replaceChildren(h("p", { class: "teach" }, `This recording cannot be played: ${error instanceof Error ? error.message : String(error)} Save it again.`));
}
