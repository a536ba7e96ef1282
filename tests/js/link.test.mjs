import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { parsePlace as parseBeside } from "../../static/js/compare/place.js";
import { placeIn } from "../../static/js/embed/messages.js";
import { formatPlace, fromShortLink, MOST_BYTES, MOST_CHARACTERS, nowhere, packProgram, parsePlace, toShortLink, unpackProgram } from "../../static/js/link.js";

test("a place in an address comes back as it was", () => {
  for (const place of [
    { ...nowhere(), example: "xor-torch" },
    { ...nowhere(), example: "xor-torch", step: 11, node: 4, view: { graph: 0, plan: 1 } },
    { ...nowhere(), program: "y0zTzE0FAA", step: 0, view: { graph: 2, plan: -1 } },
    nowhere(),
  ]) assert.deepEqual(parsePlace(formatPlace(place)), place);
  assert.equal(formatPlace(nowhere()), "");
  assert.equal(formatPlace({ ...nowhere(), example: "xor-torch", step: 11 }), "#example=xor-torch&step=12");
});

test("what makes no sense in an address is left out, and never an error", () => {
  for (const hash of ["#step=0", "#step=-4", "#step=1e9", "#step=99999999999", "#node=x", "#view=1.2.3", "#view=a", "#example=../etc", "#example=", "#program=%00", "#program=a b", `#program=${"a".repeat(MOST_CHARACTERS + 1)}`, "#%E0%A4%A", "#&&==", "#old-anchor", "", "#"]) {
    assert.deepEqual(parsePlace(hash), nowhere(), hash);
  }
});

test("a program travels in an address, whatever is written in it", async () => {
  for (const source of ["print(1)\n", "x = 'häß→😀'\n", "a = [\n    1,\r\n]\n".repeat(500), ""]) {
    const packed = await packProgram(source);
    assert.match(packed, /^[\w-]*$/);
    assert.equal(await unpackProgram(packed), source);
  }
  assert.ok((await packProgram("import torch\n".repeat(1000))).length < 200, "it is compressed");
});

test("what is cut off, changed or too long is no program", async () => {
  const packed = await packProgram("import torch\nx = torch.tensor([1.0, 2.0, 3.0])\nprint(x)\n");
  for (const bad of [packed.slice(0, -6), packed.slice(5), packed.replace(packed.slice(20, 22), packed.slice(20, 22) === "AB" ? "CD" : "AB"), "AAAA", "a", "!!!!"]) assert.equal(await unpackProgram(bad), null, bad);
  const bomb = await packProgram("a".repeat(MOST_BYTES + 1));
  assert.ok(bomb.length < 1000);
  assert.equal(await unpackProgram(bomb), null);
  assert.equal((await unpackProgram(await packProgram("a".repeat(MOST_BYTES))))?.length, MOST_BYTES);
});

test("links that were given out are read for ever", async () => {
  const old = JSON.parse(readFileSync(new URL("fixtures/links.json", import.meta.url), "utf8"));
  for (const { form, hash, source, place } of old.player) {
    const read = parsePlace(hash);
    assert.deepEqual({ ...read, program: "" }, { ...nowhere(), ...place }, form);
    assert.equal(await unpackProgram(read.program) ?? "", source, form);
  }
  for (const { form, hash, source } of old.beside) {
    const read = parseBeside(hash);
    assert.equal(read.left.example, "xor-tf1", form);
    assert.equal(read.at, 3, form);
    assert.equal(await unpackProgram(read.right.program), source, form);
  }
  for (const { form, stored, place } of old.short) assert.deepEqual(fromShortLink(stored), { ...nowhere(), ...place }, form);
});

test("an address of a later version is known as one, and nothing of it is believed", () => {
  for (const hash of ["#v=2&example=xor-torch&step=3", "#program=abc&v=17"]) assert.deepEqual(parsePlace(hash), { ...nowhere(), newer: true }, hash);
  for (const hash of ["#v=0", "#v=1", "#v=x", "#v=-2", "#v=99999999999"]) assert.equal(parsePlace(hash).newer, false, hash);
});

test("a place comes back from a short link as it was, and what a link should not hold is left out", () => {
  const place = parsePlace("#step=3&node=4&view=0.1&by=line&stop=1%3Ax+%3E+1&stop=op%3AMatMul&watch=x.grad&name=loss&find=mul");
  const link = toShortLink("print(1)", "mine.py", { ...place, program: "abc" });
  assert.deepEqual(link, { source: "print(1)", name: "mine.py", step: 3, node: 4, view: "0.1", by: "line", breakpoints: ["1:x > 1", "op:MatMul"], watches: ["x.grad"], selected: "loss", find: "mul" });
  assert.deepEqual(fromShortLink(link), place);
  assert.deepEqual(toShortLink("print(1)", "", nowhere()), { source: "print(1)" });
  assert.deepEqual(fromShortLink(JSON.parse('{"source": "", "step": "&program=abc", "node": {}, "view": [], "by": "leap", "breakpoints": [{}, "x"], "watches": [" "]}')), nowhere());
});

test("a page around an embed can only name a place", () => {
  assert.deepEqual(placeIn({ line: 7, program: "abc", example: "xor-torch", stop: "7", run: true }), { ...nowhere(), line: 7 });
  assert.deepEqual(placeIn({ step: "3", node: 2 }), { ...nowhere(), step: 2, node: 2 });
  assert.deepEqual(placeIn({ step: { toString: () => "3" }, node: "2&program=abc", line: -1 }), nowhere());
  for (const nothing of [null, undefined, 7, "line=7"]) assert.equal(placeIn(nothing), null);
});
