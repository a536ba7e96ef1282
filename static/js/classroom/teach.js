/** The teacher's page: the player whose every step the class follows, and the bar that asks, shows and ends. */
import { RunButton } from "../runbutton.js";
import { button, byId, h } from "../views/dom.js";
import { attachMenu } from "../views/menu.js";
import { AskForm } from "./askform.js";
import { Connection, newest, words } from "./connection.js";
import { HallPanel } from "./hallpanel.js";
import { openInvitation, spelled } from "./invite.js";
import { forgetKey, keyLink, takeKey } from "./key.js";
import { Offers, People } from "./people.js";
import { PollCard } from "./pollcard.js";
import { saveCsv } from "./save.js";
import { looking, spotAt } from "./spot.js";
import { Stage } from "./stage.js";

const app = byId("app");
const { code = "", classes = "", reachable } = app.dataset;
const key = takeKey(code);
const connection = new Connection(code, { key });
const stage = new Stage({ run: () => void (over || run.start()), edited: () => byId("run").classList.toggle("stale", stage.player.stale) });
const { player, panes, message } = stage;
const { graph } = panes;

/** What the class is shown: `program` is the number of its program, 0 before it is known. */
let shown = { program: 0, beside: false };
let loaded = 0;
let following = 0;
let over = false;
/** @type {any} */
let tally = null;
/** @type {any} */
let hall = null;
/** @type {any[]} */
let offers = [];

// -- what goes out ---------------------------------------------------------------------------------------------------
/** @param {string} kind @param {object | null} data */
async function send(kind, data) {
  try {
    await connection.send(kind, data);
  } catch (error) {
    if (!over) message.show(words(error), true);
  }
}

/** Of places only the newest counts: while one is on its way, those between are left out. */
let sending = false;
let waiting = false;
const tellPlace = newest(async () => {
  if (sending) {
    waiting = true;
    return;
  }
  sending = true;
  do {
    waiting = false;
    if (loaded && loaded === shown.program) await send("place", stage.place(loaded));
  } while (waiting);
  sending = false;
}, 100);
/** Whether the steps come from the class itself: a place that is taken up after a reload. */
let taking = false;
player.follow((_, change) => {
  if (!taking && ["step", "selection", "view"].some((topic) => change.topics.has(/** @type {any} */ (topic)))) tellPlace(undefined);
});
new MutationObserver(() => tellPlace(undefined)).observe(app, { attributes: true, attributeFilter: ["data-full"] });

const tellPointer = newest(/** @param {import("./spot.js").Spot | null} spot */ (spot) => void send("pointer", spot), 150);
graph.svg.addEventListener("pointermove", (event) => {
  const frame = graph.svg.getBoundingClientRect();
  if (pointing) tellPointer(spotAt(graph, event.clientX - frame.left, event.clientY - frame.top));
});
graph.svg.addEventListener("pointerleave", () => pointing && tellPointer(null));
let pointing = true;
let looked = "null";
const tellZoom = newest(() => {
  const zoom = looking(graph);
  const text = JSON.stringify(zoom);
  if (text === looked || !loaded) return;
  looked = text;
  void send("zoom", zoom);
}, 300);
graph.onZoom.push(() => tellZoom(undefined));

/** Run: the program in the editor runs here, asks its teacher what it asks, and is pushed to everybody as it was run. */
const run = new RunButton({ button: byId("run"), word: byId("run-word"), progress: byId("progress"), message }, {
  source: () => panes.code.source,
  name: () => byId("file").textContent || "main.py",
  files: () => panes.files.given,
  load: () => void push(),
  asks: panes.asks,
});

async function push() {
  if (!run.ran || over) return;
  run.say("Recording for the class …");
  await send("code", run.ran);
  run.say("");
}

// -- panels ----------------------------------------------------------------------------------------------------------
const panel = byId("panel");
const opened = /** @type {HTMLElement[]} */ ([...panel.querySelectorAll("section")]);
/** @param {string} name "" for none */
function open(name) {
  panel.hidden = !name;
  for (const section of opened) section.hidden = section.id !== `panel-${name}`;
  for (const tab of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-panel]"))) tab.setAttribute("aria-expanded", String(tab.dataset.panel === name));
}
for (const tab of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-panel]"))) tab.addEventListener("click", () => open(tab.getAttribute("aria-expanded") === "true" ? "" : tab.dataset.panel ?? ""));
byId("panel-close").addEventListener("click", () => open(""));

const card = new PollCard(byId("poll"), stage, async () => {});
card.here = () => card.poll?.program === loaded;
card.byHand = () => false;
const ask = new AskForm(byId("panel-ask"), stage, { ask: (question) => void send("asked", question), reveal: (poll) => void send("revealed", { poll }), dismiss: (poll) => void send("dismissed", { poll }), program: () => shown.program, words: (value) => card.words(value) });
const people = new People(byId("panel-people"), (kind, data) => void send(kind, data));
const offered = new Offers(byId("panel-offers"), (kind, data) => void send(kind, data));
const inHall = new HallPanel(byId("panel-hall"), stage, (kind, data) => void send(kind, data), `/class/${code}/screen`);

// -- what comes in ---------------------------------------------------------------------------------------------------
/** @type {import("./stage.js").Place | null} */
let place = null;
connection.on("class", (found) => {
  byId("class-title").textContent = found.title || "Class";
  if (found.closed) return ended();
  shown = found;
  if (shown.program !== loaded) void load();
  offered.show(offers, shown.program);
});
connection.on("place", (found) => {
  place = found;
});
connection.on("people", (found) => {
  following = found.following;
  const hands = found.members.filter((/** @type {any} */ one) => one.hand !== null).length;
  byId("following").textContent = `${following} ${following === 1 ? "follows" : "follow"}`;
  byId("hands").textContent = hands ? String(hands) : "";
  byId("hands").title = `${hands} need help`;
  byId("hands").setAttribute("aria-label", `${hands} need help`);
  people.show(found.members);
  ask.show(tally, card.poll, following);
  if (!hall) inHall.show(null, following);
});
connection.on("poll", (found) => {
  // While it is asked, the class votes in private; what is projected is the question, then the answer.
  card.show(found);
  ask.show(tally, found, following);
  app.classList.toggle("class-asking", !!found && !found.revealed);
});
connection.on("tally", (found) => {
  tally = found;
  ask.show(found, card.poll, following);
});
connection.on("offers", (found) => {
  offers = found;
  byId("offer-count").textContent = found.length ? ` ${found.length}` : "";
  offered.show(found, shown.program);
});
connection.on("hall", (found) => {
  hall = found;
  inHall.show(found, following);
});
connection.on("steer", (/** @type {string} */ press) => {
  if (press === "next") player.move(1);
  else if (press === "back") player.move(-1);
  else if (press === "first") player.first();
  else if (press === "last") player.last();
  else if (press === "play") player.play();
  else player.move(1, press === "phase" ? "phase" : "iteration");
});
connection.onLine((line) => {
  byId("line").textContent = line === "lost" ? "Connection lost; trying again …" : "";
  if (line === "refused") message.show(key ? "There is no such class, or this is not its key: open the teacher's key link again." : "This page needs the teacher's key: open the key link that came with the class.", true);
});

async function load() {
  const wanted = shown.program;
  try {
    const { document, files } = await connection.recording(shown);
    if (wanted !== shown.program) return;
    taking = true;
    stage.show(document, files);
    loaded = wanted;
    if (place && place.program === wanted) stage.goTo(place);
  } catch (error) {
    message.show(words(error), true);
  } finally {
    taking = false;
  }
}

// -- the menu --------------------------------------------------------------------------------------------------------
const invite = () => openInvitation({ code, key, classes, reachable: reachable === "true" });
byId("code-button").addEventListener("click", invite);
byId("code-button").textContent = spelled(code);
attachMenu(byId("more-button"), () => {
  const item = /** @param {string} said @param {string} note @param {() => void} action */ (said, note, action) => {
    const one = button(said, { role: "menuitem" }, action);
    if (note) one.append(h("span", { class: "note" }, note));
    return one;
  };
  const page = /** @param {string} name */ (name) => () => void window.open(keyLink(`${location.origin}/class`, code, name, key), "_blank", "noopener");
  return [
    item("Show the code", "Large, with a QR code; the teacher's links.", invite),
    item("Projector page", "The question, the hall, the code: for a second screen.", () => void window.open(`/class/${code}/screen`, "_blank", "noopener")),
    item("Presenter view", "Notes, next step, clock.", page("present")),
    item("Remote", "Step buttons, for a phone.", page("remote")),
    item(pointing ? "Hide my pointer from the class" : "Show my pointer to the class", "", () => {
      pointing = !pointing;
      if (!pointing) tellPointer(null);
    }),
    h("hr"),
    item("Save the answers, CSV", "What was asked, and who answered what.", () => void save()),
    item("End the class …", "Names and texts are deleted.", () => end()),
  ];
});

async function save() {
  try {
    await saveCsv(connection, code);
  } catch (error) {
    message.show(words(error), true);
  }
}

function end() {
  const dialog = h("dialog", { "aria-label": "End the class" }, h("h2", {}, "End the class?"), h("p", {}, "Names, answers, and programs are deleted from the server. What you do not save now is gone."));
  dialog.append(h("div", { class: "choices" }, button("Save the answers", { class: "outlined" }, () => void save()), button("End the class", { class: "primary", id: "end-class" }, () => {
    dialog.close();
    void send("closed", {});
  }), button("Go on teaching", { class: "outlined" }, () => dialog.close())));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

function ended() {
  over = true;
  forgetKey(code);
  open("");
  message.show("The class is over. Its names and texts have been deleted.", false, h("a", { href: "/play" }, "Open the player"));
  for (const one of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll(".class-strip button, #run"))) one.disabled = true;
}

void connection.start();
