/** The list of lessons: what this browser knows of the reader's way through them. Also the teacher's pages, which need the theme and Print only. */
import { offerClass } from "../classroom/fromlesson.js";
import { packProgram } from "../link.js";
import { byId, h } from "../views/dom.js";
import { attachMenu } from "../views/menu.js";
import { themeItems } from "../views/thememenu.js";
import { kept } from "./progress.js";
import { getLesson } from "./server.js";

attachMenu(byId("theme-button"), themeItems);
const classButton = document.getElementById("class-button");
if (classButton) offerClass(classButton, byId("class-said"));
document.getElementById("print-button")?.addEventListener("click", () => print());

for (const entry of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-lesson]"))) {
  const { reached, done, spent } = kept(entry.dataset.lesson ?? "");
  const state = entry.querySelector(".state");
  const steps = Number(entry.dataset.steps);
  if (done) state?.append(h("span", { class: "done" }, "✓ done"));
  else if (reached > 0) state?.append(`${Math.min(reached + 1, steps)} of ${steps}`);
  if (done && spent) entry.querySelector(".minutes")?.append(h("span", { class: "yours" }, `you: ${Math.max(1, Math.round(spent / 60_000))} min`));
}

// A place to stop, in the player: the link holds the program itself, so it works wherever it is sent.
for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll("a[data-program]"))) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    void open(link);
  });
}

/** @param {HTMLAnchorElement} link */
async function open(link) {
  const lesson = await getLesson(location.pathname.split("/").pop() ?? "");
  const program = lesson.programs[link.dataset.program ?? ""];
  if (!program) return;
  location.assign(`/play#${new URLSearchParams({ program: await packProgram(program.source), step: link.dataset.step ?? "1" })}`);
}
