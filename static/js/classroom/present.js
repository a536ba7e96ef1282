/** The presenter's view: this step and the next in words, notes, the clock, who needs help. */
import { button, byId, h, rich } from "../views/dom.js";
import { attachMenu } from "../views/menu.js";
import { themeItems } from "../views/thememenu.js";
import { sentence } from "../trace/sentences.js";
import { Connection, words } from "./connection.js";
import { takeKey } from "./key.js";
import { steering, Watcher } from "./watcher.js";

const { code = "" } = byId("present").dataset;
const connection = new Connection(code, { key: takeKey(code) });
const press = steering(connection, (problem) => (byId("line").textContent = problem), words);
const watcher = new Watcher(connection, draw);
attachMenu(byId("theme-button"), themeItems);
let opened = 0;

function draw() {
  const { index, step, count } = watcher;
  byId("counter").textContent = count ? `Step ${step + 1} of ${count}` : "";
  byId("now").replaceChildren(...(index ? rich(sentence(index, step)) : []));
  byId("next").replaceChildren(...(index && step + 1 < count ? rich(sentence(index, step + 1)) : ["The last step of this recording."]));
  const line = index?.trace.steps.line[step] ?? -1;
  byId("source-line").textContent = index && line > 0 ? `${line}  ${index.trace.document.program.source.split("\n")[line - 1] ?? ""}` : "";
}

connection.on("class", (found) => {
  byId("class-title").textContent = found.title || "Class";
  opened = found.opened;
  const notes = found.notes ? found.notes.split(/\n{2,}/) : ["No notes came with this class. A lesson's notes for the teacher stand here."];
  byId("notes-text").replaceChildren(...notes.map((/** @type {string} */ one) => h("p", {}, one)));
});
connection.on("people", (found) => {
  const hands = found.members.filter((/** @type {any} */ one) => one.hand !== null).map((/** @type {any} */ one) => one.name || "somebody");
  byId("following").textContent = `${found.following} follow`;
  byId("needs").textContent = hands.length ? `Need help: ${hands.slice(0, 8).join(", ")}${hands.length > 8 ? " …" : ""}` : "";
});
connection.on("tally", (found) => (byId("votes").textContent = found ? `${found.votes} have answered` : ""));
connection.onLine((line) => (byId("line").textContent = line === "lost" ? "Connection lost; trying again …" : line === "refused" ? "This page needs the teacher's key: open its link again." : line === "ended" ? "The class is over." : ""));
byId("press").append(button("Back", { class: "outlined" }, () => void press("back")), button("Next", { class: "primary" }, () => void press("next")));

function tick() {
  const now = new Date();
  byId("clock").textContent = now.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  const minutes = opened ? Math.max(0, Math.floor((now.getTime() / 1000 - opened) / 60)) : 0;
  byId("elapsed").textContent = opened ? `${minutes} min since the class began` : "";
}
tick();
setInterval(tick, 1000);
void connection.start();
