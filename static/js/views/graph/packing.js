/**
 * Taking out the room of what is hidden: rising maps of one axis.
 * @typedef {{at: number, half: number, band: string, spans: [number, number][]}} Line   boxes that stand side by side: their common middle, half the largest size, where they stand along the line
 */

/**
 * A map that moves lines of one band into the line before, where their boxes do not meet and something is hidden in one of them; what lies
 * behind moves up as far.
 * @param {Line[]} lines sorted by `at` @param {number[]} hidden middles of hidden boxes @returns {(at: number) => number}
 */
export function levelled(lines, hidden) {
  const sparse = new Set(hidden.map(Math.round));
  /** @type {{at: number, half: number, to: number}[]} */
  const stops = [];
  /** @type {Line | null} the line that others move into */
  let open = null;
  let to = 0;
  lines.forEach((line, i) => {
    const before = lines[i - 1];
    const hides = before && [before, line].some(({ at }) => [-1, 0, 1].some((d) => sparse.has(Math.round(at) + d)));
    if (open && hides && open.band === line.band && !line.spans.some(([a, b]) => open?.spans.some(([c, d]) => a < d && c < b))) open.spans.push(...line.spans);
    else {
      to = before ? to + line.at - before.at : line.at;
      open = { ...line, spans: [...line.spans] };
    }
    stops.push({ at: line.at, half: line.half, to });
  });
  return (value) => {
    let low = 0;
    let high = stops.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (stops[middle].at <= value) low = middle + 1;
      else high = middle;
    }
    const [a, b] = [stops[low - 1], stops[low]];
    if (!a || !b) return value + (a ? a.to - a.at : b ? b.to - b.at : 0);
    if (value <= a.at + a.half) return a.to === b.to ? a.to : a.to + value - a.at;
    if (value >= b.at - b.half) return a.to === b.to ? b.to : b.to + value - b.at;
    const share = (value - a.at - a.half) / (b.at - b.half - a.at - a.half || 1);
    return a.to === b.to ? a.to : a.to + a.half + share * (b.to - b.half - a.to - a.half);
  };
}

/**
 * A map that shortens the stretches of `hidden` that no `kept` stretch covers to at most `room`, and leaves all else as long as it is.
 * @param {[number, number][]} hidden @param {[number, number][]} kept @param {number} room @returns {(at: number) => number}
 */
export function rising(hidden, kept, room) {
  const covered = union(kept);
  /** @type {{from: number, to: number, saved: number}[]} */
  const cuts = [];
  let saved = 0;
  let c = 0;
  for (const [from, to] of union(hidden)) {
    let at = from;
    while (c < covered.length && covered[c][1] <= at) c++;
    for (let i = c; at < to; i++) {
      const [low, high] = covered[i] ?? [Infinity, Infinity];
      const end = Math.min(low, to);
      if (end - at > room) {
        cuts.push({ from: at, to: end, saved });
        saved += end - at - room;
      }
      at = Math.max(at, high);
    }
  }
  return (value) => {
    let low = 0;
    let high = cuts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (cuts[middle].from < value) low = middle + 1;
      else high = middle;
    }
    const cut = cuts[low - 1];
    if (!cut) return value;
    const long = cut.to - cut.from;
    return value >= cut.to ? value - cut.saved - long + room : cut.from - cut.saved + ((value - cut.from) * room) / long;
  };
}

/** @param {[number, number][]} stretches @returns {[number, number][]} sorted and joined */
function union(stretches) {
  /** @type {[number, number][]} */
  const out = [];
  for (const [from, to] of [...stretches].sort((a, b) => a[0] - b[0])) {
    const last = out[out.length - 1];
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else out.push([from, to]);
  }
  return out;
}
