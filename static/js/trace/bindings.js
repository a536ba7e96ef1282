/**
 * The program's variables over time: which name held what, from when to when.
 * @typedef {import("./decode.js").Trace} Trace
 * @typedef {{seq: number, node: number, value: number, gone: boolean}} Binding
 * @typedef {{frame: number, name: string, history: Binding[]}} Variable
 * @typedef {{byFrame: Map<number, Variable[]>, held: Map<number, {from: number, to: number, name: string}[]>, frames: Map<number, {from: number, to: number}>}} Bindings
 */

const NEVER = Number.MAX_SAFE_INTEGER;

/**
 * @param {Trace} trace
 * @returns {Bindings}
 */
export function bindings(trace) {
  const { assigned, deleted, called, returned } = trace.events;
  /** @type {Map<string, Variable>} */
  const variables = new Map();
  /** @param {number} frame @param {number} name */
  const variable = (frame, name) => {
    const key = `${frame} ${name}`;
    let found = variables.get(key);
    if (!found) variables.set(key, (found = { frame, name: trace.strings[name], history: [] }));
    return found;
  };
  assigned?.seq?.forEach((seq, row) => variable(assigned.frame[row], assigned.name[row]).history.push({ seq, node: assigned.node[row], value: assigned.value[row], gone: false }));
  deleted?.seq?.forEach((seq, row) => variable(deleted.frame[row], deleted.name[row]).history.push({ seq, node: -1, value: -1, gone: true }));
  /** @type {Bindings["frames"]} */
  const frames = new Map([[0, { from: 0, to: NEVER }]]);
  called?.seq?.forEach((seq, row) => frames.set(called.frame[row], { from: seq, to: NEVER }));
  returned?.seq?.forEach((seq, row) => {
    const life = frames.get(returned.frame[row]);
    if (life) life.to = seq;
  });
  /** @type {Bindings["held"]} */
  const held = new Map();
  for (const { frame, name, history } of variables.values()) {
    history.sort((a, b) => a.seq - b.seq);
    history.forEach((binding, i) => {
      if (binding.node < 0) return;
      const to = history[i + 1]?.seq ?? frames.get(frame)?.to ?? NEVER;
      const list = held.get(binding.node) ?? [];
      list.push({ from: binding.seq, to, name });
      held.set(binding.node, list);
    });
  }
  /** @type {Bindings["byFrame"]} */
  const byFrame = new Map();
  for (const one of variables.values()) {
    const list = byFrame.get(one.frame);
    if (list) list.push(one);
    else byFrame.set(one.frame, [one]);
  }
  return { byFrame, held, frames };
}
