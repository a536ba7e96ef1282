import assert from "node:assert/strict";
import { test } from "node:test";
import { answerAt, lessonAt } from "../../static/js/site.js";

test("with a server every request goes to it", () => {
  assert.equal(answerAt("/api/lessons/tape", false), "/api/lessons/tape");
  assert.equal(lessonAt("tape", false), "/lessons/tape");
  assert.equal(lessonAt(null, false), "/lessons");
});

test("in a copy recordings lie in files, and the rest needs a server", () => {
  assert.equal(answerAt("/api/lessons/tape", true), "../data/tape.json");
  assert.equal(answerAt("/api/lessons/tape/programs/a_b.py/trace", true), "../data/tape/a_b.py.json");
  assert.equal(answerAt("/api/lessons/tape/exercises/x", true), null);
  assert.equal(answerAt("/api/runs", true), null);
  assert.equal(answerAt("/api/lessons/../x", true), null);
  assert.equal(lessonAt("tape", true), "tape.html");
  assert.equal(lessonAt(undefined, true), "../index.html");
});
