import assert from "node:assert/strict";
import { test } from "node:test";
import { EVERY, Stopwatch } from "../../static/js/lesson/stopwatch.js";

test("the time at a lesson counts while it is seen and used", () => {
  const watch = new Stopwatch(0);
  let now = 0;
  let counted = 0;
  const total = () => counted;
  /** @param {number} times @param {boolean} seen */
  const pass = (times, seen) => {
    for (let n = 0; n < times; n++) counted += watch.look((now += EVERY), seen);
  };
  pass(12, true);
  assert.equal(total(), 60_000);
  pass(12, false);
  assert.equal(total(), 60_000, "another tab");
  pass(100, true);
  assert.equal(total(), 60_000, "nobody has touched it for two minutes");
  watch.touch(now);
  pass(12, true);
  assert.equal(total(), 120_000);
  now += 3_600_000;
  watch.touch(now);
  counted += watch.look(now, true);
  assert.equal(total(), 120_000 + 2 * EVERY, "the computer slept");
});
