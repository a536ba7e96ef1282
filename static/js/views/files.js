/** Files: those that lie beside the program when it runs, and those that it left. Names and contents are the program's: text, never markup. */
import { button, h } from "./dom.js";

/** @typedef {{name: string, data: string}} Given   contents in base64 */

/** What all files beside a program may hold, as the server takes it. */
const MOST_BYTES = 4 << 20;

export class FilesView {
  /** @param {HTMLElement} pane @param {{adds: boolean}} options `adds`: whether programs can be run here, and so have files beside them */
  constructor(pane, { adds }) {
    /** @type {Given[]} */
    this.given = [];
    this.pick = h("input", { type: "file", multiple: true, class: "sr", tabindex: -1, "aria-hidden": "true" });
    this.pick.addEventListener("change", () => void this.#add([...(this.pick.files ?? [])]));
    const add = button("Add files", { class: "link", title: "Put data or modules beside the program: it opens and imports them by name" }, () => this.pick.click());
    this.beside = h("ul", {});
    this.left = h("ul", {});
    this.count = h("summary", {});
    this.leaving = h("details", { hidden: true }, this.count, this.left);
    this.problem = h("p", { class: "teach", role: "status" });
    if (adds) pane.append(h("p", { class: "pane-title" }, "Files beside the program", add, this.pick), this.problem, this.beside);
    pane.append(this.leaving);
    this.#list();
  }

  /** @param {import("../player/player.js").Player} player @param {import("../player/player.js").Change} change */
  render(player, change) {
    if (!change.topics.has("trace") && !change.topics.has("step")) return;
    const files = player.index?.trace.document.files ?? [];
    // A recording holds what is left at the end; when each was written it does not say.
    this.leaving.hidden = !files.length || player.step < (player.index?.stepCount ?? 0) - 1;
    if (!change.topics.has("trace")) return;
    this.leaving.open = false;
    this.count.textContent = `Files that the program left: ${files.length}`;
    this.left.replaceChildren(...files.map((file) => {
      const { data } = file;
      const size = `${file.size.toLocaleString("en")} bytes`;
      if (data === null) return h("li", {}, h("code", {}, file.name), h("span", {}, `${size}: too large to be kept`));
      return h("li", {}, button(file.name, { class: "link", title: `Download ${file.name}` }, () => download(file.name, data)), h("span", {}, size));
    }));
  }

  /** Those beside another program, which has come to the desk. @param {Given[]} files */
  lay(files) {
    this.given = files;
    this.#list();
  }

  /** @param {File[]} files */
  async #add(files) {
    this.pick.value = "";
    this.problem.textContent = "";
    for (const file of files) {
      const bytes = new Uint8Array(await file.arrayBuffer());
      const held = this.given.filter((one) => one.name !== file.name);
      const total = held.reduce((sum, one) => sum + one.data.length * 0.75, 0) + bytes.length;
      if (total > MOST_BYTES) {
        this.problem.textContent = `${file.name} is too much: the files beside a program may hold ${MOST_BYTES >> 20} MB in all.`;
        break;
      }
      this.given = [...held, { name: file.name, data: base64(bytes) }];
    }
    this.#list();
  }

  #list() {
    this.beside.replaceChildren(...this.given.map((file) => h("li", {}, h("code", {}, file.name), button("Remove", { class: "link", "aria-label": `Remove ${file.name}` }, () => {
      this.given = this.given.filter((one) => one !== file);
      this.#list();
    }))));
  }
}

/** @param {Uint8Array} bytes */
function base64(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += 32768) text += String.fromCharCode(...bytes.subarray(at, at + 32768));
  return btoa(text);
}

/** @param {string} name @param {string} data in base64 */
function download(name, data) {
  const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
  const address = URL.createObjectURL(new Blob([bytes], { type: "application/octet-stream" }));
  const link = h("a", { href: address, download: name.split("/").pop() || "file" });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
