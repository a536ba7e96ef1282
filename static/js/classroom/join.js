/** Joining: a code, a name or none. */
import { ask } from "../api.js";
import { byId } from "../views/dom.js";
import { attachMenu } from "../views/menu.js";
import { themeItems } from "../views/thememenu.js";
import { words } from "./connection.js";

attachMenu(byId("theme-button"), themeItems);
const form = /** @type {HTMLFormElement} */ (byId("join"));
const problem = document.getElementById("problem");

form.addEventListener("submit", (event) => {
  event.preventDefault();
  void join();
});

async function join() {
  const typed = new FormData(form);
  const code = (form.dataset.code || String(typed.get("code") ?? "")).replace(/[\s-]/g, "").toLowerCase();
  if (!problem) return;
  problem.textContent = "";
  if (!code) {
    problem.textContent = "Type the code that your teacher shows.";
    return;
  }
  try {
    await ask(`/api/classes/${encodeURIComponent(code)}/members`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ name: String(typed.get("name") ?? "").trim() }) });
    if (location.pathname === `/class/${code}`) location.reload();
    else location.assign(`/class/${encodeURIComponent(code)}`);
  } catch (error) {
    problem.textContent = words(error);
  }
}

form.querySelector("input")?.focus();
