/**
 * Where the page stands, as the part of its address after `#`: an example or a whole program, a step, what is selected.
 * A program travels compressed (deflate, base64url). Whatever else stands there is ignored: an address is typed by anybody.
 *
 * What once was a link stays one: keys are added and keep their meaning. Should that not do some day, an address says `v=2`; this
 * reader, of version 1, says of such a one that it is newer. `tests/js/fixtures/links.json` has an address of every form that there was.
 * @typedef {{newer: boolean, example: string, program: string, step: number, line: number, node: number, view: {graph: number, plan: number} | null,
 *   by: Grain, stops: Stop[], watches: string[], name: string, find: string}} Place
 *   `newer`: made by a later version, so that nothing of it is known; `example`: its id, "" if none; `program`: the packed source, "" if none; `step` from 0, -1 if none; `line` where to go where no step is named, from 1, -1 if none; `node` -1 if none;
 *   `by`: how far a press of a key goes; `stops`: breakpoints; `watches`: watched expressions; `name`: the selected variable; `find`: what was searched for
 * @typedef {import("./trace/stops.js").Stop} Stop
 * @typedef {import("./player/transport.js").Grain} Grain
 */
import { GRAINS } from "./player/transport.js";
import { stopKey } from "./trace/stops.js";

/** Longest link that is offered: mail programs and chats cut longer ones. Characters. */
export const MOST_CHARACTERS = 8000;
/** Longest program that a link may unpack to, in bytes: the server takes no longer one either. */
export const MOST_BYTES = 100_000;

/** Of the form in which addresses are written; one that says none is of this one or older. */
const VERSION = 1;
/** What there is to say of an address of a later one. */
export const NEWER = "This link was made by a newer Stepgraph than this one. Ask for the program itself, or for a newer server.";

/** @returns {Place} */
export const nowhere = () => ({ newer: false, example: "", program: "", step: -1, line: -1, node: -1, view: null, by: "step", stops: [], watches: [], name: "", find: "" });

/** How many breakpoints and watched expressions an address may hold, and how long each. */
const MOST_ENTRIES = 20;
const MOST_TEXT = 200;

/**
 * A breakpoint as it stands in an address: `7`, `7:loss > 1`, `node12`, `op:MatMul:value.nan > 0`.
 * @param {string} text @returns {Stop | null}
 */
function parseStop(text) {
  const [, line, node, op, when = ""] = /^(?:(\d{1,6})|node(\d{1,8})|op:([\w.]{1,60}))(?::(.*))?$/s.exec(text.slice(0, 2 * MOST_TEXT)) ?? [];
  if (when.length > MOST_TEXT) return null;
  if (Number(line) > 0) return { kind: "line", line: Number(line), when };
  if (node !== undefined) return { kind: "node", node: Number(node), when };
  return op ? { kind: "op", op, when } : null;
}

/** @param {Stop} stop */
const formatStop = (stop) => `${stop.kind === "line" ? stop.line : stop.kind === "node" ? `node${stop.node}` : `op:${stop.op}`}${stop.when && `:${stop.when}`}`;

/** @param {string | null} text @returns {number} -1 if it is no number from 0 */
const whole = (text) => (text !== null && /^\d{1,9}$/.test(text) ? Number(text) : -1);

/** @param {string} hash with or without `#` @returns {Place} what of it makes sense */
export function parsePlace(hash) {
  const place = nowhere();
  const parts = new URLSearchParams(hash.replace(/^#/, ""));
  if (whole(parts.get("v")) > VERSION) return { ...place, newer: true };
  const example = parts.get("example") ?? "";
  if (/^[\w-]{1,80}$/.test(example)) place.example = example;
  const program = parts.get("program") ?? "";
  if (/^[\w-]+$/.test(program) && program.length <= MOST_CHARACTERS) place.program = program;
  const step = whole(parts.get("step"));
  place.step = step > 0 ? step - 1 : -1;
  const line = whole(parts.get("line"));
  place.line = line > 0 ? line : -1;
  place.node = whole(parts.get("node"));
  const [, graph, plan] = /^(\d{1,6})(?:\.(\d{1,6}))?$/.exec(parts.get("view") ?? "") ?? [];
  if (graph !== undefined) place.view = { graph: Number(graph), plan: plan === undefined ? -1 : Number(plan) };
  place.by = GRAINS.find((grain) => grain === parts.get("by")) ?? "step";
  for (const stop of parts.getAll("stop").slice(0, MOST_ENTRIES).map(parseStop)) if (stop && !place.stops.some((one) => stopKey(one) === stopKey(stop))) place.stops.push(stop);
  place.watches = [...new Set(parts.getAll("watch").slice(0, MOST_ENTRIES).filter((text) => text.trim() && text.length <= MOST_TEXT))];
  const name = parts.get("name") ?? "";
  if (name.length <= MOST_TEXT) place.name = name;
  place.find = (parts.get("find") ?? "").slice(0, MOST_TEXT);
  return place;
}

/** @param {Place} place @returns {string} with `#`, "" for nowhere */
export function formatPlace({ example, program, step, line, node, view, by, stops, watches, name, find }) {
  const parts = new URLSearchParams();
  if (program) parts.set("program", program);
  else if (example) parts.set("example", example);
  if (step >= 0) parts.set("step", String(step + 1));
  if (step < 0 && line > 0) parts.set("line", String(line));
  if (node >= 0) parts.set("node", String(node));
  if (view) parts.set("view", view.plan >= 0 ? `${view.graph}.${view.plan}` : String(view.graph));
  if (by !== "step") parts.set("by", by);
  for (const stop of stops.slice(0, MOST_ENTRIES)) parts.append("stop", formatStop(stop));
  for (const watch of watches.slice(0, MOST_ENTRIES)) parts.append("watch", watch);
  if (name) parts.set("name", name);
  if (find) parts.set("find", find);
  const text = parts.toString();
  return text && `#${text}`;
}

/**
 * A short link: a program, and a place in the words of an address (docs/sharing.md). What comes from the server was typed by anybody, too.
 * @typedef {{source: string, v?: number, name?: string, step?: number, node?: number, view?: string, by?: string, breakpoints?: string[], watches?: string[], selected?: string, find?: string}} ShortLink
 */

/** @param {string} source @param {string} name @param {Place} place @returns {ShortLink} */
export function toShortLink(source, name, place) {
  const parts = new URLSearchParams(formatPlace(place).slice(1));
  const view = parts.get("view");
  return {
    source, ...(name && { name }), ...(place.step >= 0 && { step: place.step + 1 }), ...(place.node >= 0 && { node: place.node }), ...(view && { view }), ...(place.by !== "step" && { by: place.by }),
    ...(place.stops.length && { breakpoints: parts.getAll("stop") }), ...(place.watches.length && { watches: parts.getAll("watch") }), ...(place.name && { selected: place.name }), ...(place.find && { find: place.find }),
  };
}

/** @param {ShortLink} link @returns {Place} without example and program */
export function fromShortLink(link) {
  const parts = new URLSearchParams();
  for (const [key, value] of /** @type {[string, unknown][]} */ ([["step", link.step], ["node", link.node], ["view", link.view], ["by", link.by], ["name", link.selected], ["find", link.find]])) if (value !== undefined) parts.set(key, String(value));
  for (const stop of link.breakpoints ?? []) parts.append("stop", String(stop));
  for (const watch of link.watches ?? []) parts.append("watch", String(watch));
  return parsePlace(parts.toString());
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
    // The first links had no header and no checksum.
    const format = (bytes[0] & 15) === 8 && ((bytes[0] << 8) | bytes[1]) % 31 === 0 ? "deflate" : "deflate-raw";
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream(format)).getReader();
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
