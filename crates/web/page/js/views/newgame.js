// The window in which a game is chosen.

import { meta as askMeta } from "../backend.js";
import { h, refill } from "../dom.js";
import { GameForm, pills } from "../parts/gameform.js";
import { openDialog } from "../say.js";
import { agentName } from "../text/names.js";
import { opponentAbout } from "../text/sentences.js";
import { t } from "../text/text.js";
import { ownName } from "./seats.js";

/**
 * @typedef {object} Choice
 * @property {string} game
 * @property {[string | null, string | null]} agents null: a person
 * @property {import("./clock.js").ClockSetting | null} [clock]
 */

/** Clocks that can be chosen; null: none. @type {(import("./clock.js").ClockSetting | null)[]} */
const CLOCKS = [null, { minutes: 3, increment: 2 }, { minutes: 5, increment: 0 }, { minutes: 15, increment: 10 }];

/** Against a person at another device. */
const ELSEWHERE = "elsewhere";

/** @param {import("./clock.js").ClockSetting | null} clock */
function clockName(clock) {
  if (!clock) return t("new.clock.none");
  if (!clock.increment) return t("new.clock.minutes", { n: clock.minutes });
  return t("new.clock.increment", { minutes: clock.minutes, seconds: clock.increment });
}

/**
 * @param {Choice} before what was played last
 * @param {(choice: Choice) => void} onStart
 * @param {(room: import("../types.js").NewRoom) => void} onRoom called for a game against a person at another device
 */
export async function chooseGame(before, onStart, onRoom) {
  const meta = await askMeta();
  const form = new GameForm(meta, before.game);
  const levels = meta.opponents.filter((one) => one.kind === "level");
  const others = meta.opponents.filter((one) => one.kind !== "level");
  const agent = before.agents.find((one) => one !== null) ?? null;
  const first = before.agents[0] === null;
  let kind = agent === null ? "people" : agent.startsWith("level:") ? "level" : agent;
  let level = Number(agent?.startsWith("level:") ? agent.slice(6) : 3);
  let side = agent === null || first ? "first" : "second";
  let clock = Math.max(0, CLOCKS.findIndex((one) => JSON.stringify(one) === JSON.stringify(before.clock ?? null)));

  const detail = h("div", {});
  const name = h("input", { type: "text", maxlength: 24, autocomplete: "nickname", id: "own-name", value: ownName() });
  const showDetail = () => {
    if (kind === ELSEWHERE) {
      refill(detail, h("p", { class: "muted small" }, t("room.elsewhere.about")), h("label", { class: "field" }, t("room.name"), name));
    } else if (kind === "level") {
      const about = h("span", { class: "about" });
      const amount = h("output", { class: "amount" });
      const range = h("input", { type: "range", min: 0, max: levels.length - 1, step: 1, value: level, id: "level", "aria-label": t("new.level") });
      const update = () => {
        level = Number(range.value);
        amount.textContent = String(level);
        about.textContent = levels[level] ? opponentAbout(levels[level]) : "";
      };
      range.addEventListener("input", update);
      refill(detail, h("label", { class: "field" }, h("span", { class: "row apart" }, t("new.level"), amount), range, about));
      update();
    } else {
      const other = others.find((one) => one.agent === kind);
      refill(detail, h("p", { class: "muted small" }, other ? opponentAbout(other) : t("new.people.about")));
    }
    sides.hidden = kind === "people";
  };
  const sides = h("div", {}, pills(t("new.side"), "side", [
    { value: "first", text: t("new.side.first") }, { value: "second", text: t("new.side.second") }, { value: "either", text: t("new.side.either") },
  ], side, (value) => (side = value)));
  const opponent = pills(t("new.against"), "opponent", [
    { value: "level", text: t("new.level.one") },
    ...others.map((one) => ({ value: one.agent, text: agentName(one.agent) })),
    { value: "people", text: t("new.people") },
    ...(meta.rooms ? [{ value: ELSEWHERE, text: t("room.elsewhere") }] : []),
  ], kind, (value) => {
    kind = value;
    showDetail();
  });
  showDetail();
  const clocks = pills(t("new.clock"), "clock", CLOCKS.map((one, i) => ({ value: String(i), text: clockName(one) })), String(clock), (value) => (clock = Number(value)));

  const start = () => {
    const chosen = kind === "level" ? `level:${level}` : kind;
    if (kind === ELSEWHERE) {
      dialog.close();
      return onRoom({ game: form.game, clock: CLOCKS[clock], side: /** @type {import("../types.js").Side} */ (side), name: name.value });
    }
    const firstSide = side === "first" || (side === "either" && Math.random() < 0.5);
    dialog.close();
    onStart({
      game: form.game,
      agents: kind === "people" ? [null, null] : firstSide ? [null, chosen] : [chosen, null],
      clock: CLOCKS[clock],
    });
  };
  const dialog = openDialog(t("new.title"),
    h("form", { class: "stack", method: "dialog", onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); start(); } },
      form.element, h("hr", {}), opponent, detail, sides, clocks,
      h("div", { class: "row end" }, h("button", { type: "submit", class: "main", id: "start" }, t("new.start")))));
  // Focus a chosen radio button: one that is not chosen would be chosen by the next arrow key.
  /** @type {HTMLElement | null} */ (dialog.querySelector("input:checked"))?.focus();
}
