/** Text widths in graph units, so that labels are broken or shortened instead of running out of their box. */

const FONTS = /** @type {Record<string, string>} */ ({
  label: '520 12px "Inter Variable", sans-serif', strong: '650 12px "JetBrains Mono Variable", monospace', name: '700 12px "JetBrains Mono Variable", monospace',
  sub: '430 11px "JetBrains Mono Variable", monospace', note: '430 11px "Inter Variable", sans-serif',
});
/** @type {CanvasRenderingContext2D | null} */
let context = null;
/** @type {Map<string, number>} */
let widths = new Map();

/** @param {string} text @param {string} style */
export function textWidth(text, style) {
  const key = `${style} ${text}`;
  let width = widths.get(key);
  if (width === undefined) {
    context ??= document.createElement("canvas").getContext("2d");
    if (!context) return text.length * 6.6;
    context.font = FONTS[style];
    width = context.measureText(text).width;
    widths.set(key, width);
  }
  return width;
}

/** The name of a gradient op ends so: always a line of its own, so that its row reads alike. */
const TAIL = /(?<=.)(?=(?:Backward\d*|Gradient)$)/;
/** Where a name may be broken, the likeliest place first. */
const JOINTS = [/(?=\.grad$)/g, /(?=[./])/g, /(?<=_)(?=[^_])/g, /(?<=[a-z])(?=[A-Z])/g];

/**
 * A label in the one or two lines that it needs: broken at a joint, or shortened in its middle, where names differ least.
 * @param {string} text @param {string} style @param {number} room @returns {string[]}
 */
export function lines(text, style, room) {
  const tail = text.split(TAIL);
  if (tail.length === 2) return [shorten(tail[0], style, room), shorten(tail[1], "note", room)];
  if (textWidth(text, style) <= room) return [text];
  const even = /** @param {string[][]} broken */ (broken) => broken.reduce((a, b) => (Math.abs(b[0].length - b[1].length) < Math.abs(a[0].length - a[1].length) ? b : a));
  /** @type {string[][]} */
  let any = [];
  for (const joint of JOINTS) {
    const places = [...text.matchAll(joint)].map(({ index }) => index).filter((at) => at > 0);
    const all = places.map((at) => [text.slice(0, at), text.slice(at)]);
    const broken = all.filter((parts) => parts.every((part) => textWidth(part, style) <= room));
    if (broken.length) return even(broken);
    if (!any.length) any = all;
  }
  return (any.length ? even(any) : [text]).map((part) => shorten(part, style, room));
}

/** Leaves out the middle of `text` where it is wider than `room`: beginnings and ends tell names apart. @param {string} text @param {string} style @param {number} room */
export function shorten(text, style, room) {
  if (textWidth(text, style) <= room) return text;
  for (let kept = text.length - 1; kept > 1; kept--) {
    const end = Math.floor(kept * 0.45);
    const short = `${text.slice(0, kept - end)}…${text.slice(text.length - end)}`;
    if (textWidth(short, style) <= room) return short;
  }
  return `${text.slice(0, 1)}…`;
}

/** Cuts the end off `text` where it is wider than `room`: for sentences. @param {string} text @param {string} style @param {number} room */
export function clip(text, style, room) {
  if (textWidth(text, style) <= room) return text;
  let short = text;
  while (short.length > 1 && textWidth(`${short}…`, style) > room) short = short.slice(0, -1);
  return `${short}…`;
}

/** Widths measured before the fonts arrived are wrong. */
export function forgetWidths() {
  widths = new Map();
}
