/** Share: this program at this step as a link that holds all of it, as a short link with a QR code, as a frame for other pages. */
import { button, h } from "./dom.js";

/**
 * @typedef {object} Shared   what is shared
 * @property {() => Promise<{link: string, problem: string}>} link   the address that holds everything; `problem`: why there is none
 * @property {() => Promise<import("../link.js").ShortLink>} shortLink
 * @property {unknown} known   the example that this is, if it is one
 * @typedef {{id: string, links: {page: string, code: string, embed: string}, reachable: boolean}} Stored
 */

/** What an embed can show, and what it shows if nobody says. */
const FEATURES = /** @type {[string, string, boolean][]} */ ([["code", "code", true], ["graph", "graph", true], ["words", "the step in words", true], ["transport", "play and step", true], ["node", "the selected node", false], ["variables", "variables", false], ["output", "output", false], ["times", "times", false]]);

/** Copies the address of this program at this step, or says why there is none. @param {Pick<Shared, "link" | "known">} desk @param {import("./message.js").MessageView} message */
export async function copyLink(desk, message) {
  const { link, problem } = await desk.link();
  if (problem) return message.show(problem, true);
  const what = whatItHolds(desk);
  if (await copied(link)) return message.show(`The link is copied. ${what}`);
  const field = shown(link, "Link to this program");
  message.show(`Copy this link. ${what}`, false, field);
  field.focus();
  field.select();
}

/** @param {Shared} desk @param {(link: import("../link.js").ShortLink) => Promise<Stored>} store @param {((kind: "svg" | "png") => unknown) | null} save this step as a picture; null where nothing is recorded */
export async function openShare(desk, store, save) {
  if (document.querySelector("dialog[open]")) return;
  // Both are of this moment, whatever moves behind the dialog.
  const [{ link, problem }, wanted] = await Promise.all([desk.link(), desk.shortLink()]);
  const status = h("p", { class: "share-said", role: "status" });
  const tell = /** @param {string} words */ (words) => {
    status.textContent = words;
  };
  const whole = section("Link with everything in it", problem || `${whatItHolds(desk)} Nothing is stored anywhere.`, ...(problem ? [] : [copyable(link, "Link to this program", "Copy the link", tell)]));
  const short = section("Short link and QR code", "The program and this step are stored on this server for whoever has the link; who made it is not. Nothing runs when it is opened.");
  const embed = section("In a web page, a book, a course", "The player alone, in a frame. Nothing runs before a reader presses Run; examples bring their recording.");
  const dialog = h("dialog", { class: "share", "aria-label": "Share" }, h("h2", {}, "Share this program at this step"), whole, short, embed, ...(save ? [onPaper(save, () => dialog.close())] : []), status);
  const make = button("Make a short link", { class: "act" }, async () => {
    make.setAttribute("aria-busy", "true");
    tell("");
    try {
      const stored = await store(wanted);
      make.replaceWith(code(stored, tell));
      frame.from(stored.links.embed);
      tell("The short link is made.");
      /** @type {HTMLElement | null} */ (short.querySelector("button"))?.focus();
    } catch (error) {
      tell(error instanceof Error ? `${error.message}${"hint" in error ? ` ${error.hint}` : ""}` : String(error));
    } finally {
      make.removeAttribute("aria-busy");
    }
  });
  short.append(make);
  const frame = framed(problem ? "" : link.replace("/play#", "/embed#"), tell);
  embed.append(frame.element);
  dialog.append(button("Close", { class: "close" }, () => dialog.close()));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  dialog.scrollTop = 0;
}

/** @param {Pick<Shared, "known">} desk */
const whatItHolds = (desk) => (desk.known ? "It opens this example at this step." : "It holds the whole program and this step. Whoever opens it reads the program first: nothing runs before they press Run.");

/** @param {string} title @param {string} words @param {...Node} rest */
function section(title, words, ...rest) {
  return h("section", { "aria-label": title }, h("h3", {}, title), h("p", { class: "teach" }, words), ...rest);
}

/** This step for print: pictures, and what the browser makes of the page. @param {(kind: "svg" | "png") => unknown} save @param {() => void} close */
function onPaper(save, close) {
  const act = /** @param {string} words @param {() => unknown} then */ (words, then) => button(words, { class: "act" }, () => {
    close();
    then();
  });
  const row = h("div", { class: "share-line" }, act("Picture, SVG", () => save("svg")), act("Picture, PNG", () => save("png")), act("Print, or save as PDF …", () => print()));
  return section("On paper", "The graph at this step as a picture; or the page: the step in words, the whole graph, the program and its values.", row);
}

/** The short link with its code. @param {Stored} stored @param {(words: string) => void} tell */
function code({ links, reachable }, tell) {
  const [, fits] = links.page.split("//");
  return h("div", { class: "share-code" },
    h("img", { src: links.code, width: 148, height: 148, alt: `QR code of ${fits}` }),
    h("div", {}, copyable(links.page, "Short link", "Copy the short link", tell),
      h("p", { class: "teach" }, reachable ? "Point a phone's camera at the code." : "This server listens on this machine only: phones cannot reach this address. Start it with HOST=0.0.0.0, or share the link above.")));
}

/** The markup of an embed, with what it shows to be ticked. @param {string} address @param {(words: string) => void} tell */
function framed(address, tell) {
  const field = h("textarea", { readonly: true, rows: 3, "aria-label": "Markup of the frame", spellcheck: "false" });
  const note = h("p", { class: "teach" }, "This program is too long for an address: make a short link first.");
  const copy = button("Copy the markup", { class: "act" }, async () => tell((await copied(field.value)) ? "The markup is copied." : failed(field)));
  const boxes = FEATURES.map(([name, words, on]) => {
    const box = h("input", { type: "checkbox", value: name, checked: on });
    box.addEventListener("change", write);
    return { box, label: h("label", {}, box, ` ${words}`) };
  });
  function write() {
    const shows = boxes.filter(({ box }) => box.checked).map(({ box }) => box.value);
    const usual = FEATURES.filter(([, , on]) => on).map(([name]) => name).join();
    const url = address ? new URL(address) : null;
    if (url && shows.join() !== usual) url.searchParams.set("show", shows.join() || "graph");
    field.value = url ? `<iframe src="${url.href.replaceAll("%2C", ",").replaceAll("&", "&amp;").replaceAll('"', "&quot;")}" width="900" height="560" title="Stepgraph player" loading="lazy"></iframe>` : "";
    note.hidden = !!url;
    field.hidden = copy.hidden = !url;
  }
  write();
  return {
    element: h("div", {}, h("fieldset", { class: "share-shows" }, h("legend", { class: "sr" }, "It shows"), ...boxes.map(({ label }) => label)), note, h("div", { class: "share-line" }, field, copy)),
    from: /** @param {string} other */ (other) => {
      if (!address) address = other;
      write();
    },
  };
}

/** @param {string} text @param {string} name @param {string} word @param {(words: string) => void} tell */
function copyable(text, name, word, tell) {
  const field = shown(text, name);
  return h("div", { class: "share-line" }, field, button(word, { class: "act" }, async () => tell((await copied(text)) ? `${name}: copied.` : failed(field))));
}

/** @param {string} text @param {string} name */
function shown(text, name) {
  const field = h("input", { type: "text", readonly: true, value: text, "aria-label": name });
  field.addEventListener("focus", () => field.select());
  return field;
}

/** @param {HTMLInputElement | HTMLTextAreaElement} field */
function failed(field) {
  field.focus();
  field.select();
  return "This browser does not let the page copy: the text is selected, copy it by hand.";
}

/** Without a secure connection or the permission, a page may not write to the clipboard. @param {string} text */
async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
