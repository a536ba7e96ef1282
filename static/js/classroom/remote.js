/** The remote: a phone whose buttons move the teacher's page. */
import { button, byId, rich } from "../views/dom.js";
import { sentence } from "../trace/sentences.js";
import { Connection, words } from "./connection.js";
import { takeKey } from "./key.js";
import { steering, Watcher } from "./watcher.js";

const { code = "" } = byId("remote").dataset;
const connection = new Connection(code, { key: takeKey(code) });
const press = steering(connection, (problem) => (byId("problem").textContent = problem), words);
const watcher = new Watcher(connection, draw);

function draw() {
  const { index, step, count } = watcher;
  byId("counter").textContent = count ? `Step ${step + 1} of ${count}` : "";
  byId("now").replaceChildren(...(index ? rich(sentence(index, step)) : []));
}
const add = /** @param {string} id @param {string} word @param {string} what */ (id, word, what) => byId(id).append(button(word, {}, () => void press(what)));
add("press-next", "Next", "next");
add("press-more", "Back", "back");
add("press-more", "Next phase", "phase");
add("press-more", "Next iteration", "iteration");
add("press-more", "Play, pause", "play");
add("press-more", "First step", "first");
connection.on("people", (found) => {
  const hands = found.members.filter((/** @type {any} */ one) => one.hand !== null).length;
  byId("following").textContent = `${found.following} follow${hands ? `, ${hands} need${hands === 1 ? "s" : ""} help` : ""}`;
});
connection.on("tally", (found) => (byId("votes").textContent = found ? `${found.votes} have answered` : ""));
connection.onLine((line) => (byId("line").textContent = line === "lost" ? "Connection lost; trying again …" : line === "refused" ? "This page needs the teacher's key: open its link again." : line === "ended" ? "The class is over." : ""));
void connection.start();
