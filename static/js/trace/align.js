/** Two sequences side by side: which entries correspond, in order, and which stand alone. */

/** Longest sequences that are compared entry by entry; beyond, equal ends are cut off and the rest is walked through once. */
const MOST_CELLS = 4_000_000;

/**
 * The longest common subsequence of `a` and `b`, as pairs of positions; `-1` on the side that has no counterpart.
 * Every position of both comes up once, in order.
 * @template A, B
 * @param {A[]} a @param {B[]} b @param {(x: A, y: B) => boolean} same
 * @returns {[number, number][]}
 */
export function align(a, b, same) {
  let head = 0;
  while (head < a.length && head < b.length && same(a[head], b[head])) head++;
  /** @type {[number, number][]} */
  const out = Array.from({ length: head }, (_, i) => [i, i]);
  const n = a.length - head;
  const m = b.length - head;
  out.push(...(n * m <= MOST_CELLS ? exactly(a, b, same, head, n, m) : greedily(a, b, same, head)));
  return out;
}

/** @template A, B @param {A[]} a @param {B[]} b @param {(x: A, y: B) => boolean} same @param {number} head @param {number} n @param {number} m @returns {[number, number][]} */
function exactly(a, b, same, head, n, m) {
  const width = m + 1;
  const best = new Uint32Array((n + 1) * width);
  for (let i = n - 1; i >= 0; i--) {
    for (let j = m - 1; j >= 0; j--) {
      best[i * width + j] = same(a[head + i], b[head + j]) ? best[(i + 1) * width + j + 1] + 1 : Math.max(best[(i + 1) * width + j], best[i * width + j + 1]);
    }
  }
  /** @type {[number, number][]} */
  const out = [];
  let i = 0;
  let j = 0;
  while (i < n || j < m) {
    if (i < n && j < m && same(a[head + i], b[head + j])) out.push([head + i++, head + j++]);
    else if (j >= m || (i < n && skipsLeft(i, j))) out.push([head + i++, -1]);
    else out.push([-1, head + j++]);
  }
  return out;

  /** Whether the left entry stands alone. Where either may, the one whose counterpart is farther away does. @param {number} i @param {number} j */
  function skipsLeft(i, j) {
    const [left, right] = [best[(i + 1) * width + j], best[i * width + j + 1]];
    if (left !== right) return left > right;
    for (let k = 1; i + k < n || j + k < m; k++) {
      if (i + k < n && same(a[head + i + k], b[head + j])) return true;
      if (j + k < m && same(a[head + i], b[head + j + k])) return false;
    }
    return true;
  }
}

/** @template A, B @param {A[]} a @param {B[]} b @param {(x: A, y: B) => boolean} same @param {number} head @returns {[number, number][]} */
function greedily(a, b, same, head) {
  const NEAR = 200;
  /** @type {[number, number][]} */
  const out = [];
  let j = head;
  for (let i = head; i < a.length; i++) {
    let k = j;
    while (k < b.length && k < j + NEAR && !same(a[i], b[k])) k++;
    if (k < b.length && k < j + NEAR) {
      while (j < k) out.push([-1, j++]);
      out.push([i, j++]);
    } else out.push([i, -1]);
  }
  while (j < b.length) out.push([-1, j++]);
  return out;
}
