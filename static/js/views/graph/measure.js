/** Text widths in graph units, so that labels are cut with an ellipsis instead of running out of their box. */

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

/** Cuts `text` to `room`. @param {string} text @param {string} style @param {number} room */
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
