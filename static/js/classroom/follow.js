/** The follower's page: the player goes where the teacher goes, until one looks around on one's own. */
import { RunButton } from "../runbutton.js";
import { button, byId, h } from "../views/dom.js";
import { Connection, words } from "./connection.js";
import { Following } from "./following.js";
import { PhoneOp } from "./phoneop.js";
import { PollCard } from "./pollcard.js";
import { Stage } from "./stage.js";

const code = byId("app").dataset.code ?? "";
const connection = new Connection(code);
const stage = new Stage({ run: () => void run.start() });
const { player, panes, message } = stage;
const with_ = byId("with");
const hand = byId("hand");
const offer = byId("offer");

const following = new Following(connection, stage, draw);
const run = new RunButton({ button: byId("run"), word: byId("run-word"), progress: byId("progress"), message }, {
  source: () => panes.code.source,
  name: () => player.index?.trace.document.program.name ?? "program.py",
  files: () => panes.files.given,
  load: (trace) => following.own(trace),
  asks: panes.asks,
});
const poll = new PollCard(byId("poll"), stage, async (asked, value) => attempt(connection.send("voted", { poll: asked.number, value })));
poll.byHand = () => !following.setting;
poll.here = () => poll.poll?.program === following.loaded;
const phone = new PhoneOp(byId("phone"), async (op) => attempt(connection.send("fired", { op })));

/** @param {Promise<unknown>} sending */
async function attempt(sending) {
  try {
    await sending;
  } catch (error) {
    message.show(words(error), true);
  }
}

function draw() {
  const { along, place } = following;
  byId("app").classList.toggle("alone", !along);
  const there = place && player.index ? ` The teacher is at step ${place.step + 1}.` : "";
  with_.replaceChildren(along ? h("span", { class: "with-words" }, "You follow the teacher.") : h("span", { class: "with-words" }, `You look around on your own.${there}`), along ? button("Look around on my own", { class: "link" }, () => following.leave()) : button("Back to the teacher", { class: "primary small" }, () => following.back()));
  offer.hidden = following.loaded !== 0;
  poll.draw();
}

let up = false;
hand.addEventListener("click", () => void attempt(connection.send("hand", { up: !up })));
offer.addEventListener("click", () => {
  if (!run.ran) return;
  void attempt(connection.send("offered", run.ran).then(() => message.show("Your program is offered. The teacher may show it to everybody, with your name if you gave one.")));
});

connection.on("class", (found) => {
  byId("class-title").textContent = found.title || "Class";
  byId("shown-by").textContent = found.student ? `Shown: the program of ${found.by || "a student"}` : "";
  if (found.closed) over("This class is over. Its names and texts have been deleted. What you see here stays until you leave the page.");
});
connection.on("me", (me) => {
  up = me.hand;
  hand.setAttribute("aria-pressed", String(up));
  hand.textContent = up ? "Lower hand" : "Raise hand";
  phone.hold(me.ops);
  poll.remember(me);
  if (me.removed) over("The teacher has removed you from this class.");
});
connection.on("poll", (found) => {
  poll.show(found);
  byId("app").classList.toggle("polled", !!found && !found.revealed);
});
connection.on("hall", (found) => phone.show(found));
connection.onLine((line) => {
  byId("line").textContent = line === "lost" ? "Connection lost; trying again …" : "";
  if (line === "refused" && !message.pane.classList.contains("bad")) over("You are not in this class any more. Join it again with its code.");
});

/** @param {string} said */
function over(said) {
  message.show(said, true, h("a", { href: "/class" }, "Join a class"));
  hand.setAttribute("disabled", "");
  byId("line").textContent = "";
}

draw();
void connection.start();
