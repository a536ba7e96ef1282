/** The menu File: opens programs, notebooks and recordings, saves this step or all of it. */
import { toDot } from "../export/dot.js";
import { fileName, toPage } from "../export/document.js";
import { fontRules } from "../export/fonts.js";
import { toGraphml } from "../export/graphml.js";
import { BEAT, MOST_FRAMES, toMovingSvg, toPng, toSvg } from "../export/picture.js";
import { structureAt } from "../export/structure.js";
import { button, h } from "../views/dom.js";
import { attachMenu } from "../views/menu.js";

/**
 * @typedef {object} Desk   what the page gives
 * @property {import("../views/graph/graph.js").GraphView} graph
 * @property {import("../views/message.js").MessageView} message
 * @property {string} base   where the static files are; "" where there is no server
 * @property {(() => Promise<string>) | null} shell   the page that plays a recording, without one; null where this is such a page
 * @property {(() => void) | null} share   null where there are no links
 * @property {() => void} [teach]   opens a class on this program
 * @property {((file: File) => void) | null} open   null where nothing can be opened
 */

export class FileMenu {
  /** @param {HTMLElement} opener @param {import("../player/player.js").Player} player @param {Desk} desk */
  constructor(opener, player, desk) {
    this.player = player;
    this.desk = desk;
    attachMenu(opener, () => this.#items());
  }

  #items() {
    const { index } = this.player;
    const { open, share, teach } = this.desk;
    const group = /** @param {string} words */ (words) => h("p", { class: "group" }, words);
    /** @param {string} words @param {string} note @param {() => void} action */
    const item = (words, note, action) => {
      const one = button(words, { role: "menuitem" }, action);
      if (note) one.append(h("span", { class: "note" }, note));
      return one;
    };
    const opening = open ? [item("Open …", "A program (.py), a notebook (.ipynb) or a recording (.json). Nothing runs before you press Run.", () => this.#choose(open))] : [];
    if (share) opening.push(item("Share …", "A link, a short link with a QR code, a frame for a web page.", share));
    if (teach) opening.push(item("Open a class on this program", "Others follow your steps in their browsers, with a code and no account.", teach));
    if (!index) return opening.length ? opening : [group("There is no recording yet.")];
    return [
      ...opening, group("Save this step"),
      item("Picture, SVG", "", () => this.save("svg")), item("Picture, PNG", "", () => this.save("png")),
      item("Graph, DOT (Graphviz)", "", () => this.save("dot")), item("Graph, GraphML (networkx, yEd)", "", () => this.save("graphml")),
      group("Save steps"), item("Moving picture, SVG …", "", () => this.#range()),
      group("Save the recording"), ...(this.desk.shell ? [item("Page that plays it, HTML", "One file, without a server or a network.", () => this.save("html"))] : []), item("Recording, JSON", "For programs, and for Open.", () => this.save("json")),
      item("Program, .py", "", () => this.save("py")),
    ];
  }

  /** @param {(file: File) => void} open */
  #choose(open) {
    const input = h("input", { type: "file", accept: ".py,.ipynb,.json,text/x-python,application/json" });
    input.addEventListener("change", () => input.files?.[0] && open(input.files[0]));
    input.click();
  }

  /** Which steps: those of this phase are proposed. */
  #range() {
    const { index, step } = this.player;
    if (!index) return;
    const phase = index.phaseOf(step);
    const { first, last } = index.trace.phases;
    const number = /** @param {string} name @param {number} value */ (name, value) => h("input", { type: "number", name, min: 1, max: index.stepCount, value, "aria-label": name, required: true });
    const from = number("from", (phase >= 0 ? first[phase] : 0) + 1);
    const to = number("to", Math.min((phase >= 0 ? last[phase] : index.stepCount - 1) + 1, Number(from.value) + MOST_FRAMES - 1));
    const form = h("form", { class: "range" }, "from step ", from, " to ", to, h("button", { type: "submit", class: "link" }, "Save"));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const [a, b] = [Number(from.value) - 1, Number(to.value) - 1];
      if (a > b) this.desk.message.show("The first step comes after the last one: change one of them.", true, form);
      else if (b - a + 1 > MOST_FRAMES) this.desk.message.show(`These are ${b - a + 1} steps; a moving picture has at most ${MOST_FRAMES}. Choose fewer.`, true, form);
      else void this.save("moving", [a, b]);
    });
    this.desk.message.show(`Moving picture: each step stands for ${BEAT} seconds.`, false, form);
    from.focus();
  }

  /** Saves this step, or the recording, as a file; says how that went. @param {string} kind @param {[number, number]} [range] */
  async save(kind, range = [0, 0]) {
    const { index, step, view } = this.player;
    if (!index) return;
    const { message, graph, base } = this.desk;
    const { document } = index.trace;
    const at = `-step-${step + 1}`;
    const what = { index, view, decoration: graph.painter.decoration };
    const fonts = () => (base ? fontRules(base) : Promise.resolve(""));
    try {
      /** @type {[string | Blob, string, string]} */
      let saved;
      switch (kind) {
        case "dot": saved = [toDot(structureAt(index, step, view ?? undefined)), fileName(document.program.name, at, "dot"), "text/vnd.graphviz"]; break;
        case "graphml": saved = [toGraphml(structureAt(index, step, view ?? undefined)), fileName(document.program.name, at, "graphml"), "application/xml"]; break;
        case "svg": saved = [toSvg(what, step, await fonts()), fileName(document.program.name, at, "svg"), "image/svg+xml"]; break;
        case "png": saved = [await toPng(toSvg(what, step, await fonts()), 2), fileName(document.program.name, at, "png"), "image/png"]; break;
        case "moving": saved = [toMovingSvg(what, range[0], range[1], await fonts()), fileName(document.program.name, `-steps-${range[0] + 1}-${range[1] + 1}`, "svg"), "image/svg+xml"]; break;
        case "html": saved = [toPage(await (this.desk.shell?.() ?? ""), document), fileName(document.program.name, "", "html"), "text/html"]; break;
        case "py": saved = [document.program.source, fileName(document.program.name, "", "py"), "text/x-python"]; break;
        default: saved = [JSON.stringify(document), fileName(document.program.name, "", "json"), "application/json"];
      }
      const [content, name, type] = saved;
      if (content === "") return message.show("There is no graph at this step yet: go on to one that shows a node, and save again.", true);
      download(content instanceof Blob ? content : new Blob([content], { type }), name);
      message.show(`Saved as ${name}.`);
    } catch (error) {
      message.show(error instanceof Error ? `${error.message}${"hint" in error ? ` ${error.hint}` : ""}` : String(error), true);
    }
  }
}

/** @param {Blob} blob @param {string} name */
function download(blob, name) {
  const address = URL.createObjectURL(blob);
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
