// The frame of the page: which view is open, the tools at the top, the keys that work everywhere.

import { meta, site, warm } from "./backend.js";
import { byId, h, icon, refill } from "./dom.js";
import { parse } from "./link.js";
import { openInvitation } from "./parts/invitation.js";
import { openSettings } from "./parts/settings-form.js";
import { keepForOffline } from "./offline.js";
import { openDialog, say } from "./say.js";
import { applyTheme, change, isDark, onChange, settings } from "./settings.js";
import { problemWords } from "./text/sentences.js";
import { language, t } from "./text/text.js";
import { AnalysisView } from "./views/analysis.js";
import { ArenaView } from "./views/arena.js";
import { PlayView } from "./views/play.js";
import { PuzzlesView } from "./views/puzzles.js";
import { ReviewView } from "./views/review.js";
import { RoomView } from "./views/room.js";

/**
 * @typedef {object} View
 * @property {string} title
 * @property {HTMLElement} element
 * @property {(params: URLSearchParams) => Promise<void>} open fills the view
 * @property {() => void} close
 * @property {(event: KeyboardEvent) => boolean} key whether it was understood
 */

/** @type {Record<string, new () => View>} */
const VIEWS = { play: PlayView, analysis: AnalysisView, review: ReviewView, puzzles: PuzzlesView, arena: ArenaView, room: RoomView };

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
  const message = problemWords(error);
  refill(byId("main"), h("section", { class: "card failure", "aria-label": t("app.error") },
    h("h1", {}, t("app.failure")), h("p", {}, message),
    h("div", { class: "row" },
      h("button", { type: "button", class: "main", onclick: () => void route() }, t("app.again")),
      h("a", { class: "button", href: "#/play" }, t("app.to.game")), h("a", { class: "button", href: "#/analysis" }, t("app.to.analysis")))));
  say(message);
  document.documentElement.dataset.ready = "failure";
}

/** What index.html says before any language is known. */
function translateFrame() {
  document.documentElement.lang = language();
  byId("skip").textContent = t("app.skip");
  byId("home").setAttribute("aria-label", t("app.home"));
  byId("tabs").setAttribute("aria-label", t("app.views"));
  for (const name of /** @type {const} */ (["play", "analysis", "review", "puzzles", "arena"])) {
    const label = byId("tabs").querySelector(`a[href="#/${name}"] span`);
    if (label) label.textContent = t(`app.${name}`);
  }
  // Without a server there are no games of others; the address still says why.
  if (site) byId("tabs").querySelector('a[href="#/arena"]')?.remove();
}

/** Whether others can be invited. */
let inviting = false;

function drawTools() {
  const button = (/** @type {string} */ picture, /** @type {string} */ text, /** @type {() => void} */ run) =>
    h("button", { type: "button", class: "plain square", "aria-label": text, title: text, onclick: run }, icon(picture));
  refill(byId("tools"),
    inviting ? button("link", t("room.invite"), () => void openInvitation()) : null,
    button(settings.sound ? "sound" : "mute", t(settings.sound ? "app.sound.on" : "app.sound.off"), () => change({ sound: !settings.sound })),
    button(isDark() ? "sun" : "moon", t(isDark() ? "app.light" : "app.dark"), () => change({ theme: isDark() ? "light" : "dark" })),
    button("settings", t("app.settings"), openSettings),
    button("help", t("app.help"), help));
}

function help() {
  const row = (/** @type {string[]} */ keys, /** @type {string} */ text) => [
    h("dt", {}, keys.flatMap((key, i) => (i ? [" ", h("kbd", {}, key)] : [h("kbd", {}, key)]))), h("dd", {}, text),
  ];
  openDialog(t("keys.title"), site ? h("p", { class: "muted small" }, t("site.about")) : null, h("dl", { class: "keys" },
    row(settings.numbers === "0" ? ["0", "…", "9", "-", "="] : ["1", "…", "9", "0", "-", "="], t("keys.pit")),
    row(["B"], t("keys.board")), row(["Esc"], t("keys.escape")), row(["P"], t("keys.pass")),
    row(["←", "→", "[", "]"], t("keys.step")), row([t("keys.name.home"), t("keys.name.end")], t("keys.ends")),
    row(["U", "⌫"], t("keys.undo")), row(["H"], t("keys.hint")), row(["T"], t("keys.threat")), row(["N"], t("keys.new")),
    row(["F"], t("keys.flip")), row(["A"], t("keys.analyse")), row(["R"], t("keys.review")),
    row([t("keys.name.space")], t("keys.think")), row(["E"], t("keys.edit")), row(["L"], t("keys.link")),
    row(["D"], t("keys.dark")), row(["M"], t("keys.sound")), row(["S"], t("keys.settings")), row(["?"], t("keys.help"))));
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
  else if (event.key === "s") openSettings();
  else return;
  event.preventDefault();
});

byId("skip").addEventListener("click", () => byId("main").focus());
onChange(drawTools);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawTools);
addEventListener("hashchange", route);
applyTheme();
translateFrame();
drawTools();
void route().then(() => {
  warm();
  if (site) keepForOffline();
});
void meta().then(({ rooms, owner }) => {
  inviting = rooms;
  // Only the owner may see the store.
  if (!owner) byId("tabs").querySelector('a[href="#/arena"]')?.remove();
  drawTools();
}).catch(() => {});
