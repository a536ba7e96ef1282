/* Runs before the first paint: the theme that was chosen, else the one that the system asks for. A classic script. */
(function () {
  const root = document.documentElement;
  const systems = { dark: matchMedia("(prefers-color-scheme: dark)"), contrast: matchMedia("(prefers-contrast: more)") };
  function stored() {
    try {
      return localStorage.getItem("stepgraph.theme") || "system";
    } catch {
      return "system";
    }
  }
  function apply() {
    const chosen = root.dataset.asked || stored(); // a page that is embedded says how it is to look
    const system = systems.contrast.matches ? "contrast" : systems.dark.matches ? "dark" : "light";
    root.setAttribute("data-theme", ["light", "dark", "contrast"].includes(chosen) ? chosen : system);
  }
  apply();
  systems.dark.addEventListener("change", apply);
  systems.contrast.addEventListener("change", apply);
  root.addEventListener("stepgraph-theme", apply);
  if (new URLSearchParams(location.search).get("mode") === "projector") root.setAttribute("data-mode", "projector");
})();
