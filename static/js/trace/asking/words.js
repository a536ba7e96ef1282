/** Things in words: how a looked-up value is written. */
import { num, sizeText } from "../format.js";
import { isDict, isInstance, isTensor } from "./evaluate.js";

/** @typedef {import("./evaluate.js").Thing} Thing */

const MOST = 80;

/** In one line, short. @param {Thing} thing @returns {string} */
export function thingText(thing) {
  const text = whole(thing);
  return text.length > MOST ? `${text.slice(0, MOST - 1)}…` : text;
}

/** @param {Thing} thing @returns {string} */
function whole(thing) {
  if (thing === null) return "None";
  if (typeof thing === "string") return `'${thing}'`;
  if (typeof thing === "boolean") return thing ? "True" : "False";
  if (typeof thing === "number") return Number.isFinite(thing) ? num(thing) : num(Number.isNaN(thing) ? "nan" : thing > 0 ? "inf" : "-inf");
  if (Array.isArray(thing)) return `[${thing.slice(0, 24).map(whole).join(", ")}${thing.length > 24 ? ", …" : ""}]`;
  if (isDict(thing)) return `{${[...thing.dict].slice(0, 12).map(([key, value]) => `${whole(key)}: ${whole(value)}`).join(", ")}}`;
  if (isInstance(thing)) return thing.text || thing.object;
  if (!isTensor(thing) || !thing.tensor) return "no value";
  const { data, size, shape, dtype } = thing.tensor;
  if (size === 1 && data) return num(data[0]);
  if (data && (size ?? 0) <= 6) return `[${data.map(num).join(", ")}]`;
  return `${sizeText(shape)} ${dtype ?? ""}`.trim();
}
