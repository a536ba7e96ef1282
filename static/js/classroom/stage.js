/** The player of a page of the class: the same panes as everywhere, round the recording that the class is shown. */
import { keyTable } from "../keytable.js";
import { Panes } from "../panes.js";
import { Player } from "../player/player.js";
import { decodeTrace } from "../trace/decode.js";
import { TraceIndex } from "../trace/index.js";
import { byId } from "../views/dom.js";
import { listen, openKeyList } from "../views/keys.js";
import { attachMenu } from "../views/menu.js";
import { MessageView } from "../views/message.js";
import { themeItems } from "../views/thememenu.js";

/** @typedef {{step: number, node: number, view: import("../player/player.js").ChosenView, pane: string | null, program: number}} Place */

export class Stage {
  /** @param {{run: () => void, edited?: () => void}} on */
  constructor(on) {
    const root = document.documentElement;
    this.player = new Player();
    this.message = new MessageView(byId("message"));
    this.panes = new Panes(this.player, { measuring: null, files: true, onRun: on.run, onEdit: () => on.edited?.(), back: () => {}, origin: () => "example", commands: () => commands, runCommand: (said) => keys.find((key) => key.words === said)?.run(new KeyboardEvent("keydown")), set: null, swap: () => {}, leaveAsking: () => byId("run").focus() });
    const { panes, player } = this;
    const keys = keyTable({ player, graph: panes.graph, run: { start: on.run }, full: (pane) => panes.full(pane), unfull: () => panes.unfull(), list: () => openKeyList(keys), xray: () => panes.xray(), find: (query) => panes.find.open(query), watch: () => panes.watch(), tell: (said) => this.message.show(said), tabs: panes.tabs, focusCode: () => panes.code.editor?.focus(), codeLine: () => panes.code.editor?.line ?? 1 });
    const commands = panes.commandsOf(keys);
    listen(keys);
    byId("keys-button").addEventListener("click", () => openKeyList(keys));
    attachMenu(byId("theme-button"), themeItems);
    const frame = /** @param {number} now */ (now) => {
      player.tick(now);
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    void import(`${root.dataset.base ?? "/static/"}build/editor.js`).then((bundle) => panes.code.attach(bundle, root.dataset.nonce ?? ""), () => this.message.show("The editor could not be loaded: run `make setup` and reload. The recording plays without it.", true));
  }

  /** Shows a recording and its program, from the first step. @param {import("../trace/types.js").TraceDocument} document @param {import("../views/files.js").Given[]} [files] beside the program; those that lie there, if they are left out */
  show(document, files) {
    const index = new TraceIndex(decodeTrace(document));
    this.panes.fork.forget();
    this.panes.code.source = document.program.source;
    byId("file").textContent = document.program.name;
    if (files) this.panes.files.lay(files);
    this.player.load(index);
    return index;
  }

  /** Goes where somebody else stands. @param {Place} place */
  goTo({ step, node, view, pane }) {
    const { player } = this;
    const { index } = player;
    if (!index) return;
    const known = view && view.graph < index.trace.count.graphs && view.plan < index.trace.count.plans ? view : null;
    if (JSON.stringify(known) !== JSON.stringify(player.view)) player.show(known);
    player.goTo(step, { animate: true });
    if (node !== player.selected) player.select(node >= 0 && node < index.trace.count.nodes ? node : -1);
    const { app } = this.panes;
    if ((pane ?? "") !== (app.dataset.full ?? "") && matchMedia("(min-width: 1000px)").matches) {
      if (pane && ["graph", "left", "right", "time", "output", "variables"].includes(pane)) app.dataset.full = pane;
      else this.panes.unfull();
    }
  }

  /** The place where this player stands. @param {number} program @returns {Place} */
  place(program) {
    const { step, selected, view } = this.player;
    return { program, step, node: selected, view: view && { graph: view.graph, plan: view.plan }, pane: this.panes.app.dataset.full ?? null };
  }
}
