/**
 * Neighbouring phases of the same name, pass and plan are one for the reader: a print in the middle does not split them.
 * @typedef {import("./decode.js").Trace} Trace
 */

/** @param {Trace} trace @returns {Trace} the trace with such phases joined */
export function joinPhases(trace) {
  const { phases } = trace;
  const names = Object.keys(phases);
  /** @type {import("./types.js").Table} */
  const joined = Object.fromEntries(names.map((name) => [name, []]));
  for (let p = 0; p < trace.count.phases; p++) {
    const last = joined.name.length - 1;
    const same = last >= 0 && ["name", "label", "episode"].every((name) => joined[name][last] === phases[name][p]) && (phases.plan[p] < 0 || joined.plan[last] < 0 || phases.plan[p] === joined.plan[last]);
    if (!same) {
      for (const name of names) joined[name].push(phases[name][p]);
      continue;
    }
    joined.last[last] = phases.last[p];
    if (joined.graph[last] < 0) joined.graph[last] = phases.graph[p];
    if (joined.plan[last] < 0) joined.plan[last] = phases.plan[p];
  }
  return { ...trace, phases: joined, count: { ...trace.count, phases: joined.name?.length ?? 0 } };
}

/** The outermost pass that an episode lies in. @param {Trace} trace @param {number} episode */
export function outermost(trace, episode) {
  for (let hops = 0; episode >= 0 && trace.episodes.parent[episode] >= 0 && hops < 64; hops++) episode = trace.episodes.parent[episode];
  return episode;
}

/** "iteration 2 of 4" of the outermost loop. @param {Trace} trace @param {number} episode an outermost one */
export function iteration(trace, episode) {
  const { loop, parent, index } = trace.episodes;
  const of = loop.filter((l, e) => l === loop[episode] && parent[e] === parent[episode]).length;
  return { number: index[episode] + 1, of };
}
