/** How the numbers of a value are spread, as bars; what is below zero is told by hatching too, not by hue alone. */
import { count, num } from "../../trace/format.js";
import { h, s } from "../dom.js";

const WIDTH = 232;
const HEIGHT = 56;
const LEAST = 9;

/** @param {import("../../trace/types.js").Value} value @returns {HTMLElement | null} null for a few numbers, which the table shows better */
export function histogram(value) {
  const whole = value.data !== undefined;
  const all = (value.data ?? value.grid?.data ?? []).map((x) => (typeof x === "boolean" ? Number(x) : x));
  const data = all.filter((x) => typeof x === "number");
  if (data.length < LEAST || value.dtype === "bool") return null;
  const low = Math.min(...data);
  const high = Math.max(...data);
  const bins = high > low ? Math.max(5, Math.min(24, Math.ceil(Math.sqrt(data.length) * 1.5))) : 1;
  const counts = new Array(bins).fill(0);
  for (const x of data) counts[high > low ? Math.min(bins - 1, Math.floor(((x - low) / (high - low)) * bins)) : 0]++;
  const most = Math.max(...counts);
  const step = WIDTH / bins;
  const zero = low < 0 && high > 0 ? (-low / (high - low)) * WIDTH : -1;
  const words = `${count(data.length, whole ? "number" : "block mean")} from ${num(low)} to ${num(high)}, most (${most}) near ${num(low + ((counts.indexOf(most) + 0.5) * (high - low)) / bins)}`;
  const svg = s("svg", { class: "histogram", width: WIDTH, height: HEIGHT + 16, viewBox: `0 0 ${WIDTH} ${HEIGHT + 16}`, role: "img", "aria-label": words });
  counts.forEach((n, i) => {
    if (!n) return;
    const height = Math.max(1.5, (n / most) * (HEIGHT - 4));
    svg.append(s("rect", { class: low + ((i + 0.5) * (high - low)) / bins < 0 ? "bar neg" : "bar", x: (i * step + 0.5).toFixed(1), y: (HEIGHT - height).toFixed(1), width: Math.max(1, step - 1).toFixed(1), height: height.toFixed(1) }, s("title", {}, `${n} between ${num(low + (i * (high - low)) / bins)} and ${num(low + ((i + 1) * (high - low)) / bins)}`)));
  });
  svg.append(s("path", { class: "base", d: `M0 ${HEIGHT}H${WIDTH}` }));
  if (zero >= 0) svg.append(s("path", { class: "base", d: `M${zero.toFixed(1)} 2V${HEIGHT}` }));
  svg.append(s("text", { x: 0, y: HEIGHT + 13 }, num(low)), s("text", { x: WIDTH, y: HEIGHT + 13, "text-anchor": "end" }, num(high)));
  if (zero > 44 && zero < WIDTH - 44) svg.append(s("text", { x: zero, y: HEIGHT + 13, "text-anchor": "middle" }, "0"));
  const note = [!whole ? "Means of blocks, not single numbers." : "", all.length - data.length ? `${count(all.length - data.length, "entry", "entries")} not finite.` : ""].filter(Boolean).join(" ");
  return h("figure", { class: "spread" }, h("figcaption", { class: "pane-title" }, "Spread", h("span", {}, whole ? "" : "of block means")), svg, note ? h("p", { class: "muted" }, note) : null);
}
