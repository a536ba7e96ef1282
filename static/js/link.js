/**
 * Where the page stands, as the part of its address after `#`: an example or a whole program, a step, what is selected.
 * A program travels compressed (deflate, base64url). Whatever else stands there is ignored: an address is typed by anybody.
 * @typedef {{example: string, program: string, step: number, node: number, view: {graph: number, plan: number} | null}} Place
 *   `example`: its id, "" if none; `program`: the packed source, "" if none; `step` from 0, -1 if none; `node` -1 if none
 */

/** Longest link that is offered: mail programs and chats cut longer ones. Characters. */
export const MOST_CHARACTERS = 8000;
/** Longest program that a link may unpack to, in bytes: the server takes no longer one either. */
export const MOST_BYTES = 100_000;

/** @returns {Place} */
export const nowhere = () => ({ example: "", program: "", step: -1, node: -1, view: null });

/** @param {string | null} text @returns {number} -1 if it is no number from 0 */
const whole = (text) => (text !== null && /^\d{1,9}$/.test(text) ? Number(text) : -1);

/** @param {string} hash with or without `#` @returns {Place} what of it makes sense */
export function parsePlace(hash) {
  const place = nowhere();
  const parts = new URLSearchParams(hash.replace(/^#/, ""));
  const example = parts.get("example") ?? "";
  if (/^[\w-]{1,80}$/.test(example)) place.example = example;
  const program = parts.get("program") ?? "";
  if (/^[\w-]+$/.test(program) && program.length <= MOST_CHARACTERS) place.program = program;
  const step = whole(parts.get("step"));
  place.step = step > 0 ? step - 1 : -1;
  place.node = whole(parts.get("node"));
  const [, graph, plan] = /^(\d{1,6})(?:\.(\d{1,6}))?$/.exec(parts.get("view") ?? "") ?? [];
  if (graph !== undefined) place.view = { graph: Number(graph), plan: plan === undefined ? -1 : Number(plan) };
  return place;
}

/** @param {Place} place @returns {string} with `#`, "" for nowhere */
export function formatPlace({ example, program, step, node, view }) {
  const parts = new URLSearchParams();
  if (program) parts.set("program", program);
  else if (example) parts.set("example", example);
  if (step >= 0) parts.set("step", String(step + 1));
  if (node >= 0) parts.set("node", String(node));
  if (view) parts.set("view", view.plan >= 0 ? `${view.graph}.${view.plan}` : String(view.graph));
  const text = parts.toString();
  return text && `#${text}`;
}

/** @param {string} source @returns {Promise<string>} */
export async function packProgram(source) {
  const stream = new Blob([source]).stream().pipeThrough(new CompressionStream("deflate"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** @param {string} packed @returns {Promise<string | null>} null if it is no program, or a longer one than `MOST_BYTES` */
export async function unpackProgram(packed) {
  try {
    const bytes = Uint8Array.from(atob(packed.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate")).getReader();
    /** @type {Uint8Array<ArrayBuffer>[]} */
    const pieces = [];
    let size = 0;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.length;
      if (size > MOST_BYTES) {
        void reader.cancel();
        return null;
      }
      pieces.push(value);
    }
    return new TextDecoder("utf-8", { fatal: true }).decode(await new Blob(pieces).arrayBuffer());
  } catch {
    return null;
  }
}
