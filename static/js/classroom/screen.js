/** The projector's page: the code while people join, the question and how it was answered, the hall. It has no key. */
import { byId, h } from "../views/dom.js";
import { decodeTrace } from "../trace/decode.js";
import { TraceIndex } from "../trace/index.js";
import { attachMenu } from "../views/menu.js";
import { themeItems } from "../views/thememenu.js";
import { Connection } from "./connection.js";
import { hallView } from "./hallview.js";
import { answerWords, histogram } from "./histogram.js";
import { invitation } from "./invite.js";
import { nodeName } from "./next.js";

const main = byId("screen");
const { code = "", classes = "" } = main.dataset;
const connection = new Connection(code, { projector: true });
attachMenu(byId("theme-button"), themeItems);
/** Made once: a phone that is reading the code keeps it while the class changes behind it. */
const invited = invitation(code, classes);

/** @type {any} */
let poll = null;
/** @type {any} */
let hall = null;
/** @type {TraceIndex | null} */
let index = null;
let closed = false;

/** @param {unknown} value */
const words = (value) => answerWords(index, poll?.type ?? "", value, (node) => (index ? nodeName(index, node) : ""));

function draw() {
  if (closed) return main.replaceChildren(h("h2", {}, "This class is over."));
  if (hall) return main.replaceChildren(hallView(hall));
  if (!poll) return main.contains(invited) ? undefined : main.replaceChildren(invited);
  const right = poll.revealed && poll.answer !== null && poll.answer !== undefined ? h("p", { class: "right-answer" }, "Right: ", h("b", {}, words(poll.answer))) : null;
  main.replaceChildren(h("section", { class: "asked" }, h("h2", {}, poll.question), poll.revealed ? histogram(poll.counts, words, { right: true }) : h("p", { class: "how" }, poll.type === "node" ? "Click the node on your own screen." : poll.choices?.length ? poll.choices.join("   ·   ") : "Answer on your own screen."), right ?? ""));
}

connection.on("class", (found) => {
  byId("class-title").textContent = found.title || "Class";
  closed = found.closed;
  draw();
  if (closed) return;
  void connection.get(`/programs/${found.program}/trace`).then((document) => {
    index = new TraceIndex(decodeTrace(document));
    draw();
  }, () => {}); // only a node's name needs it; the next change asks again
});
connection.on("people", (found) => {
  byId("following").textContent = `${found.following} ${found.following === 1 ? "follows" : "follow"}`;
});
connection.on("poll", (found) => {
  poll = found;
  draw();
});
connection.on("hall", (found) => {
  hall = found;
  draw();
});
connection.onLine((line) => (byId("line").textContent = line === "lost" ? "Connection lost; trying again …" : ""));
draw();
void connection.start();
