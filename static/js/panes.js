/** Wires the player's panes: the views that follow one player. The page with a server and a saved recording both stand on it. */
import { AskView } from "./views/ask.js";
import { CaptionView } from "./views/caption.js";
import { CodeView } from "./views/code.js";
import { byId, h } from "./views/dom.js";
import { FilesView } from "./views/files.js";
import { ForkView } from "./views/fork.js";
import { FindView } from "./views/find.js";
import { GraphView } from "./views/graph/graph.js";
import { GraphTools } from "./views/graph/tools.js";
import { attachHandles } from "./views/handles.js";
import { InspectorView } from "./views/inspector/inspector.js";
import { NotesView } from "./views/notes.js";
import { OutputView } from "./views/output.js";
import { PicturesView } from "./views/pictures.js";
import { attachPrinting } from "./views/print.js";
import { ScrubberView } from "./views/scrubber.js";
import { StopsView } from "./views/stops.js";
import { TabsView } from "./views/tabs.js";
import { TimingsView } from "./views/timings/timings.js";
import { TransportView } from "./views/transport.js";
import { VariablesView } from "./views/variables.js";
import { WatchesView } from "./views/watches.js";

/**
 * @typedef {object} Around   what the page round the panes does
 * @property {import("./measuring.js").Measuring | null} measuring   null where nothing can be run
 * @property {boolean} files   whether files may be laid beside the program
 * @property {() => void} onRun
 * @property {() => void} onEdit
 * @property {() => void} back
 * @property {() => "example" | "link" | "edited" | "own"} origin
 * @property {() => import("./trace/finding/find.js").Command[]} commands   what the find box can do besides finding
 * @property {(words: string) => void} runCommand
 * @property {((name: string, text: string) => void) | null} set   a variable gets another value from this step on; null where nothing can be run
 * @property {(index: import("./trace/index.js").TraceIndex) => void} swap   the other run of a fork is shown
 * @property {() => void} leaveAsking   where the focus goes when a program no longer asks
 */

export class Panes {
  /** @param {import("./player/player.js").Player} player @param {Around} around */
  constructor(player, around) {
    this.app = byId("app");
    this.player = player;
    const ask = /** @param {string} query */ (query) => this.find.open(query);
    const goToLine = /** @param {number} line */ (line) => this.goToLine(line);
    this.asks = new AskView(byId("output"), { show: () => this.showOutput(), leave: around.leaveAsking });
    // The editor comes first: it measures the page, which is cheap only before the others have changed it.
    this.code = new CodeView(byId("code"), byId("stale-note"), player, around);
    this.graph = new GraphView(byId("graph"), player);
    const tools = new GraphTools(this.graph, () => this.full("graph"));
    this.tabs = new TabsView(byId("tabs"), this.app);
    this.caption = new CaptionView(byId("caption"));
    this.find = new FindView(byId("find-button"), player, { commands: around.commands, run: around.runCommand, hint: (at) => this.openNote(at), shown: () => this.tabs.show("graph") });
    this.watches = new WatchesView(byId("watches"), byId("watch-button"), player, { ask });
    this.timings = new TimingsView(byId("lanes"), player, (decoration) => this.graph.decorate(decoration), around.measuring, goToLine);
    this.fork = new ForkView(byId("fork"), player, { decorate: (decoration) => this.graph.decorate(decoration), free: () => !this.timings.marks, swap: (index) => around.swap(index) });
    const inspector = new InspectorView(byId("inspector"), player, { goToLine, ask, learn: (node) => this.xray(node) });
    const variables = new VariablesView(byId("variables"), byId("variables-title"), player, { ask, ...(around.set && { set: around.set }) });
    // On a narrow screen what is shown stands with the output; else it has the foot of the inspector's column.
    const shown = h("section", { class: "shown", "aria-label": "What the program has shown", tabindex: 0, hidden: true });
    (matchMedia("(max-width: 999px)").matches ? byId("output") : byId("inspector")).after(shown);
    this.files = new FilesView(byId("output-pane").appendChild(h("div", { class: "files" })), { adds: around.files });
    const views = [this.code, new StopsView(byId("stops"), player, { goToLine }), new NotesView(byId("notes")), this.graph, tools, this.caption, inspector, this.watches, variables, this.find, new OutputView(byId("output")), new PicturesView(this.app, shown, player), this.files, new TransportView(byId("transport"), player), new ScrubberView(byId("transport"), player), this.timings, this.fork];
    for (const view of views) player.follow((p, change) => view.render(p, change));
    attachHandles(this.app);
    attachPrinting(this.graph);
    byId("output-full").addEventListener("click", () => this.full("output"));
    addEventListener("stepgraph-mode", () => this.graph.fit());
  }

  /** @param {number} line */
  goToLine(line) {
    this.tabs.show("code");
    this.code.editor?.goTo(line);
  }

  /** Brings the output into view, whatever covers it. */
  showOutput() {
    this.unfull();
    if (byId("tabs").offsetParent) this.tabs.show("output");
  }

  /** Opens a note under the program. @param {number} at */
  openNote(at) {
    this.unfull();
    this.tabs.show("code");
    const note = byId("notes").querySelectorAll("details")[at];
    if (!note) return;
    note.open = true;
    note.scrollIntoView({ block: "nearest" });
    note.querySelector("summary")?.focus();
  }

  /** The learning X-ray, over the pane of the times. @param {number} [node] the parameter in question */
  xray(node) {
    this.unfull();
    this.tabs.show("times");
    this.timings.learn(node);
  }

  watch() {
    this.tabs.show("variables");
    this.watches.open();
  }

  /** @param {string} pane */
  full(pane) {
    if (this.app.dataset.full === pane) this.unfull();
    else this.app.dataset.full = pane;
  }

  unfull() {
    delete this.app.dataset.full;
  }

  /** What the find box can do besides finding: what the keys do, as far as they need no place. @param {import("./views/keys.js").Key[]} keys */
  commandsOf(keys) {
    return keys.filter((key) => !["Ctrl .", "Tab arrows", "Enter", "Esc", "Ctrl K", "PageDown", "PageUp"].includes(key.keys)).map((key) => ({ command: key.words, words: key.words, keys: key.keys }));
  }
}
