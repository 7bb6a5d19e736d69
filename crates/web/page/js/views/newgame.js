// The window in which a game is chosen.

import { meta as askMeta } from "../api.js";
import { h, refill } from "../dom.js";
import { GameForm, pills } from "../parts/gameform.js";
import { openDialog } from "../say.js";

/**
 * @typedef {object} Choice
 * @property {string} game
 * @property {[string | null, string | null]} agents null: a person
 */

/**
 * @param {Choice} before what was played last
 * @param {(choice: Choice) => void} onStart
 */
export async function chooseGame(before, onStart) {
  const meta = await askMeta();
  const form = new GameForm(meta, before.game);
  const levels = meta.opponents.filter((one) => one.agent.startsWith("level:"));
  const others = meta.opponents.filter((one) => !one.agent.startsWith("level:"));
  const agent = before.agents.find((one) => one !== null) ?? null;
  const first = before.agents[0] === null;
  let kind = agent === null ? "people" : agent.startsWith("level:") ? "level" : agent;
  let level = Number(agent?.startsWith("level:") ? agent.slice(6) : 3);
  let side = agent === null || first ? "first" : "second";

  const detail = h("div", {});
  const showDetail = () => {
    if (kind === "level") {
      const about = h("span", { class: "about" });
      const amount = h("output", { class: "amount" });
      const range = h("input", { type: "range", min: 0, max: levels.length - 1, step: 1, value: level, id: "level" });
      const update = () => {
        level = Number(range.value);
        amount.textContent = String(level);
        about.textContent = levels[level]?.about ?? "";
      };
      range.addEventListener("input", update);
      refill(detail, h("label", { class: "field" }, h("span", { class: "row apart" }, "Level", amount), range, about));
      update();
    } else {
      const other = others.find((one) => one.agent === kind);
      refill(detail, h("p", { class: "muted small" }, other?.about ?? "Two people take turns at this screen."));
    }
    sides.hidden = kind === "people";
  };
  const sides = h("div", {}, pills("You play", "side", [
    { value: "first", text: "First" }, { value: "second", text: "Second" }, { value: "either", text: "By chance" },
  ], side, (value) => (side = value)));
  const opponent = pills("Against", "opponent", [
    { value: "level", text: "A level" },
    ...others.map((one) => ({ value: one.agent, text: one.name })),
    { value: "people", text: "Two people" },
  ], kind, (value) => {
    kind = value;
    showDetail();
  });
  showDetail();

  const start = () => {
    const chosen = kind === "level" ? `level:${level}` : kind;
    const firstSide = side === "first" || (side === "either" && Math.random() < 0.5);
    dialog.close();
    onStart({
      game: form.game,
      agents: kind === "people" ? [null, null] : firstSide ? [null, chosen] : [chosen, null],
    });
  };
  const dialog = openDialog("New game",
    h("form", { class: "stack", method: "dialog", onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); start(); } },
      form.element, h("hr", {}), opponent, detail, sides,
      h("div", { class: "row end" }, h("button", { type: "submit", class: "main", id: "start" }, "Start the game"))));
  dialog.querySelector("input")?.focus();
}
