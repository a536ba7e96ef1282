/**
 * Where the side-by-side stands, as the part of its address after `#`: two programs, the lock, the moment, what is compared below.
 * @typedef {import("../trace/moments.js").Lock} Lock
 * @typedef {"calls" | "memory" | "difference"} Tab
 * @typedef {{example: string, program: string}} Side   an example's id, or a packed program; both "" for the default
 * @typedef {{left: Side, right: Side, lock: Lock, at: number, tab: Tab, diff: string}} Place   `at` from 0; `diff`: which two graphs
 */
import { MOST_CHARACTERS } from "../link.js";
import { LOCKS } from "../trace/moments.js";

export const TABS = /** @type {Tab[]} */ (["calls", "memory", "difference"]);

/** @returns {Place} */
export const nowhere = () => ({ left: { example: "", program: "" }, right: { example: "", program: "" }, lock: "clock", at: -1, tab: "calls", diff: "" });

/** @param {string} hash @returns {Place} what of it makes sense */
export function parsePlace(hash) {
  const place = nowhere();
  const parts = new URLSearchParams(hash.replace(/^#/, ""));
  for (const side of /** @type {const} */ (["left", "right"])) {
    const example = parts.get(side) ?? "";
    if (/^[\w-]{1,80}$/.test(example)) place[side].example = example;
    const program = parts.get(`${side}-program`) ?? "";
    if (/^[\w-]+$/.test(program) && program.length <= MOST_CHARACTERS) place[side].program = program;
  }
  const lock = LOCKS.find((one) => one === parts.get("lock"));
  if (lock) place.lock = lock;
  const tab = TABS.find((one) => one === parts.get("show"));
  if (tab) place.tab = tab;
  const at = parts.get("at") ?? "";
  if (/^[1-9]\d{0,8}$/.test(at)) place.at = Number(at) - 1;
  const diff = parts.get("diff") ?? "";
  if (/^(plan|passes)\.[ab](\.\d{1,6}){1,2}$/.test(diff)) place.diff = diff;
  return place;
}

/** @param {Place} place @returns {string} with `#` */
export function formatPlace({ left, right, lock, at, tab, diff }) {
  const parts = new URLSearchParams();
  for (const [name, side] of /** @type {[string, Side][]} */ ([["left", left], ["right", right]])) {
    if (side.program) parts.set(`${name}-program`, side.program);
    else if (side.example) parts.set(name, side.example);
  }
  if (lock !== "clock") parts.set("lock", lock);
  if (at >= 0) parts.set("at", String(at + 1));
  if (tab !== "calls") parts.set("show", tab);
  if (diff) parts.set("diff", diff);
  return `#${parts}`;
}

/**
 * The address of an example beside its twin: the example of the same name in the other mode, itself if there is none.
 * @param {{id: string} | null} example @param {{id: string}[]} all @returns {string} with `#`
 */
export function placeOf(example, all) {
  if (!example) return "";
  const twins = { "-torch": ["-tf1", "-compiled"], "-tf1": ["-torch"], "-compiled": ["-torch"] };
  const [own, others] = Object.entries(twins).find(([end]) => example.id.endsWith(end)) ?? ["", []];
  const known = others.map((other) => example.id.slice(0, -own.length) + other).filter((twin) => all.some(({ id }) => id === twin));
  const right = known[0] ?? example.id;
  // What is built first and run later stands at the left.
  const [left, beside] = own === "-torch" && right !== example.id ? [right, example.id] : [example.id, right];
  return formatPlace({ ...nowhere(), left: { example: left, program: "" }, right: { example: beside, program: "" } });
}
