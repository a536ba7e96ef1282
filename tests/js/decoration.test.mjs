/** What others say about nodes and edges: the strongest of several marks wins, one alone keeps its label. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { edgeDress, nodeDress } from "../../static/js/views/graph/decoration.js";

/** @type {Record<number, import("../../static/js/views/graph/decoration.js").Dress>} */
const MARKS = { 1: { mark: "dim", label: "slack 2" }, 2: { mark: "critical" }, 3: { mark: "changed", label: "3 -> 4" }, 4: { mark: "", label: "words" } };
/** @type {import("../../static/js/views/graph/decoration.js").Decoration} */
const decoration = { node: (node) => MARKS[node] ?? null, edge: (source, target, kind) => (kind === "data" ? MARKS[source] ?? null : null) };

for (const [nodes, mark, label] of /** @type {[number[], string, string][]} */ ([
 
  [[1], "dim", "slack 2"], [[4], "", "words"], [[9], "", ""], [[], "", ""], [[1, 2], "critical", ""], [[1, 3], "changed", "3 -> 4"], [[1, 9], "", ""], [[1, 1], "dim", ""], [[3, 2, 1], "critical", ""],
]))
  test(`nodes ${nodes} wear ${mark || "nothing"}`, () => assert.deepEqual(nodeDress(nodes, decoration), { mark, label }));

test("an edge is asked by its ends and kind", () => {
  assert.deepEqual(edgeDress([[2, 5, "data"]], decoration), { mark: "critical", label: "" });
  assert.deepEqual(edgeDress([[2, 5, "grad"]], decoration), { mark: "", label: "" });
  assert.deepEqual(edgeDress([[1, 5, "data"], [3, 5, "data"]], decoration), { mark: "changed", label: "3 -> 4" });
});

test("no decoration dresses nothing", () => assert.deepEqual(nodeDress([1], null), { mark: "", label: "" }));
