/** The code and its QR code, as large as a hall needs them; the links that only the teacher has. */
import { button, h } from "../views/dom.js";
import { keyLink } from "./key.js";

/** @param {string} code */
export const spelled = (code) => `${code.slice(0, 3)} ${code.slice(3)}`;

/** How to join, in elements. @param {string} code @param {string} classes the address of the page where one joins */
export function invitation(code, classes) {
  const [, host] = classes.split("://");
  return h("div", { class: "invitation" }, h("img", { src: `/api/classes/${code}/qr.svg`, alt: `QR code of ${host}/${code}`, width: 260, height: 260 }), h("div", {}, h("p", { class: "at" }, host), h("p", { class: "big-code" }, spelled(code))));
}

/** @param {{code: string, key: string, classes: string, reachable: boolean}} about `classes`: the address of the page where one joins */
export function openInvitation({ code, key, classes, reachable }) {
  if (document.querySelector("dialog[open]")) return;
  const link = /** @param {string} page @param {string} words @param {string} note */ (page, words, note) => {
    const copy = button("Copy", { class: "outlined" }, async () => {
      try {
        await navigator.clipboard.writeText(keyLink(classes, code, page, key));
        copy.textContent = "Copied";
      } catch {
        field.hidden = false;
        field.select();
      }
    });
    const field = h("input", { type: "text", readonly: true, hidden: true, value: keyLink(classes, code, page, key), "aria-label": words });
    return h("li", {}, h("div", {}, h("b", {}, words), h("span", { class: "muted" }, ` ${note}`), field), copy, h("a", { class: "outlined", href: keyLink(classes, code, page, key), target: "_blank", rel: "noopener" }, "Open"));
  };
  const warning = reachable ? null : h("p", { class: "warning", role: "alert" }, "This server listens on this machine only, so no phone can reach it. Start it with HOST=0.0.0.0, or with --relay where the network keeps phones from laptops (docs/classroom.md).");
  const dialog = h("dialog", { class: "invite", "aria-label": "How to join" }, invitation(code, classes), warning, h("details", {}, h("summary", {}, "Links of the teacher: whoever has one steers the class"), h("ul", { class: "key-links" }, link("teach", "Key link", "takes the class up again on another machine"), link("present", "Presenter view", "notes, next step, clock"), link("remote", "Remote", "step buttons for a phone"))));
  dialog.append(button("Close", { class: "close" }, () => dialog.close()));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
