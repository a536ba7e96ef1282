/** Reads recordings (paths as arguments) and prints what the X-ray finds in each at its last step, as one JSON list. */
import { readFileSync } from "node:fs";
import { decodeTrace } from "../../static/js/trace/decode.js";
import { TraceIndex } from "../../static/js/trace/index.js";
import { label } from "../../static/js/trace/names.js";
import { whyNot } from "../../static/js/trace/xray/xray.js";

const found = process.argv.slice(2).map((file) => {
  const index = new TraceIndex(decodeTrace(JSON.parse(readFileSync(file, "utf8"))));
  const { notes, findings } = whyNot(index, index.stepCount - 1);
  return {
    notes: notes.map(({ kind, line, words, tries }) => ({ kind, line, words, tries })),
    findings: Object.fromEntries(findings.map((one) => [one.name, {
      verdict: one.verdict, kind: one.kind, line: one.line, title: one.title, words: one.words, tries: one.tries,
      path: one.path.map((link) => ({ reader: label(index, link.reader), state: link.state, size: link.size })),
      cut: one.cut && label(index, one.cut.reader),
    }])),
  };
});
process.stdout.write(JSON.stringify(found));
