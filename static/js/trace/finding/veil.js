/**
 * What the find box may say while a lesson hides what comes after a step: nothing of it, not even how much there is.
 * @typedef {import("./find.js").Answer} Answer
 * @typedef {import("./find.js").Row} Row
 */

/** What stands in place of what a lesson hides. */
export const HIDDEN = "What comes next is hidden until you answer.";
/** Answers that count or add up over the whole recording. */
const WHOLE = /^(?:slowest|phases?|nan)\b/i;

/** @param {number[]} steps @param {number} [furthest] the last step that may be shown, -1 for all @returns {number[]} */
export const shown = (steps, furthest = -1) => (furthest < 0 ? steps : steps.filter((step) => step <= furthest));

/** @param {Answer} answer @param {string} query @param {number} [furthest] @returns {Answer} */
export function veiled(answer, query, furthest = -1) {
  if (furthest < 0) return answer;
  const rows = WHOLE.test(query) ? [] : answer.rows.flatMap((row) => veiledRow(row, furthest));
  return { rows, note: HIDDEN, steps: WHOLE.test(query) ? [] : shown(answer.steps, furthest) };
}

/** @param {Row} row @param {number} furthest @returns {Row[]} */
function veiledRow(row, furthest) {
  switch (row.action.do) {
    case "go": return row.action.step <= furthest ? [row] : [];
    case "command": case "watch": return [row];
    // How often something happens is a count of what is still to come.
    case "stop": case "change": return [{ ...row, detail: "" }];
    default: return [];
  }
}
