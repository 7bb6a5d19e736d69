// The frame of the page: which view is open, the tools at the top, the keys that work everywhere.

import { byId, h, icon, refill } from "./dom.js";
import { parse } from "./link.js";
import { openDialog, say, toast } from "./say.js";
import { applyTheme, change, isDark, onChange, settings } from "./settings.js";
import { warm } from "./socket.js";
import { AnalysisView } from "./views/analysis.js";
import { ArenaView } from "./views/arena.js";
import { PlayView } from "./views/play.js";
import { PuzzlesView } from "./views/puzzles.js";
import { ReviewView } from "./views/review.js";

/**
 * @typedef {object} View
 * @property {string} title
 * @property {HTMLElement} element
 * @property {(params: URLSearchParams) => Promise<void>} open fills the view
 * @property {() => void} close
 * @property {(event: KeyboardEvent) => boolean} key whether it was understood
 */

/** @type {Record<string, new () => View>} */
const VIEWS = { play: PlayView, analysis: AnalysisView, review: ReviewView, puzzles: PuzzlesView, arena: ArenaView };

/** @type {View | null} */
let view = null;
let opening = 0;

async function route() {
  const { view: wanted, params } = parse(location.hash);
  const name = Object.hasOwn(VIEWS, wanted) ? wanted : "play";
  const turn = ++opening;
  delete document.documentElement.dataset.ready;
  // A window belongs to the view it was opened from.
  for (const dialog of document.querySelectorAll("dialog")) dialog.close();
  for (const link of byId("tabs").querySelectorAll("a")) {
    if (link.getAttribute("href") === `#/${name}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  try {
    view?.close();
    const made = new VIEWS[name]();
    view = made;
    document.title = `${made.title} · Kalahari`;
    refill(byId("main"), made.element);
    await made.open(params);
    if (turn !== opening) return;
    document.documentElement.dataset.ready = name;
    performance.mark("ready");
  } catch (error) {
    if (turn === opening) explainFailure(error);
  }
}

/**
 * Says in place of a view why it cannot be opened, and where to go from here.
 * @param {unknown} error
 */
function explainFailure(error) {
  view?.close();
  view = null;
  const message = error instanceof Error ? error.message : String(error);
  refill(byId("main"), h("section", { class: "card failure", "aria-label": "Error" },
    h("h1", {}, "This cannot be opened"), h("p", {}, message.charAt(0).toUpperCase() + message.slice(1)),
    h("div", { class: "row" },
      h("button", { type: "button", class: "main", onclick: () => void route() }, "Try again"),
      h("a", { class: "button", href: "#/play" }, "To the game"), h("a", { class: "button", href: "#/analysis" }, "To the analysis board"))));
  say(message);
  document.documentElement.dataset.ready = "failure";
}

function drawTools() {
  const speeds = /** @type {const} */ (["slow", "normal", "fast", "off"]);
  const button = (/** @type {string} */ picture, /** @type {string} */ text, /** @type {() => void} */ run) =>
    h("button", { type: "button", class: "plain square", "aria-label": text, title: text, onclick: run }, icon(picture));
  refill(byId("tools"),
    button("speed", `Speed of the seeds: ${settings.speed}`, () => {
      const speed = speeds[(speeds.indexOf(settings.speed) + 1) % speeds.length];
      change({ speed });
      toast(speed === "off" ? "Seeds do not travel" : `Seeds travel: ${speed}`);
    }),
    button(settings.sound ? "sound" : "mute", settings.sound ? "Sound is on (M)" : "Sound is off (M)", () => change({ sound: !settings.sound })),
    button(isDark() ? "sun" : "moon", isDark() ? "To the light theme (D)" : "To the dark theme (D)", () => change({ theme: isDark() ? "light" : "dark" })),
    button("help", "Keys and help (?)", help));
}

function help() {
  const row = (/** @type {string[]} */ keys, /** @type {string} */ text) => [
    h("dt", {}, keys.flatMap((key, i) => (i ? [" ", h("kbd", {}, key)] : [h("kbd", {}, key)]))), h("dd", {}, text),
  ];
  openDialog("Keys", h("dl", { class: "keys" },
    row(["0", "…", "9", "-", "="], "Kalah: sow the pit of that number"),
    row(["B"], "go to the board; arrows walk over it, Enter chooses"),
    row(["Esc"], "Isolation: take the step back before a tile is removed"),
    row(["P"], "pass, when there is nowhere to go"),
    row(["←", "→"], "one move back or forward"),
    row(["Home", "End"], "to the first or last position"),
    row(["U"], "take back"), row(["H"], "hint"), row(["N"], "new game"),
    row(["F"], "turn the board"), row(["A"], "analyse"), row(["R"], "review"),
    row(["Space"], "Analysis: start or stop thinking"), row(["E"], "Analysis: edit the board"),
    row(["D"], "light or dark"), row(["M"], "sound"), row(["?"], "this help")));
}

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
  const target = /** @type {HTMLElement} */ (event.target);
  if (target.closest("input, textarea, select, dialog")) return;
  if (event.key === " " && target.closest("button, a, summary")) return;
  if (view?.key(event)) return event.preventDefault();
  if (event.key === "?") help();
  else if (event.key === "d") change({ theme: isDark() ? "light" : "dark" });
  else if (event.key === "m") change({ sound: !settings.sound });
  else return;
  event.preventDefault();
});

byId("skip").addEventListener("click", () => byId("main").focus());
onChange(drawTools);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawTools);
addEventListener("hashchange", route);
applyTheme();
drawTools();
void route().then(warm);
