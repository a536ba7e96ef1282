/** Share: copies the address of this program at this step, or says why there is none. */
import { h } from "./dom.js";

/**
 * @param {{link: () => Promise<{link: string, problem: string}>, known: unknown}} desk
 * @param {import("./message.js").MessageView} message
 */
export async function share(desk, message) {
  const { link, problem } = await desk.link();
  if (problem) return message.show(problem, true);
  const what = desk.known ? "It opens this example at this step." : "It holds the whole program and this step. Whoever opens it reads the program first: nothing runs before they press Run.";
  try {
    await navigator.clipboard.writeText(link);
    message.show(`The link is copied. ${what}`);
  } catch {
    // Without a secure connection or the permission, a page may not write to the clipboard.
    const field = h("input", { type: "text", readonly: true, value: link, "aria-label": "Link to this program" });
    message.show(`Copy this link. ${what}`, false, field);
    field.focus();
    field.select();
  }
}
