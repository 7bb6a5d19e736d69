// Choosing a game: which, how large, by which rule. What there is to choose comes from the server.

import { h, refill } from "../dom.js";
import { ruleAbout, ruleName } from "../text/sentences.js";
import { t } from "../text/text.js";

/** @typedef {import("../types.js").Meta} Meta */
/** @typedef {import("../types.js").GameKind} GameMeta */

/**
 * One of several.
 * @param {string} legend
 * @param {string} name
 * @param {{value: string, text: string}[]} options
 * @param {string} chosen
 * @param {(value: string) => void} onChoose
 */
export function pills(legend, name, options, chosen, onChoose) {
  return h("fieldset", {}, h("legend", {}, legend), h("div", { class: "pills" },
    options.map(({ value, text }) => h("label", {},
      h("input", { type: "radio", name, value, checked: value === chosen, onchange: () => onChoose(value) }),
      h("span", {}, text)))));
}

/**
 * A number in a range with its value beside it.
 * @param {string} text
 * @param {number} value
 * @param {[number, number]} range
 * @param {(value: number) => void} onChange
 */
export function slider(text, value, [min, max], onChange) {
  const shown = h("output", { class: "amount" }, String(value));
  return h("label", { class: "field" }, h("span", { class: "row apart" }, text, shown),
    h("input", {
      type: "range", min, max, step: 1, value, "aria-label": text, oninput: (/** @type {Event} */ event) => {
        const now = Number(/** @type {HTMLInputElement} */ (event.target).value);
        shown.textContent = String(now);
        onChange(now);
      },
    }));
}

export class GameForm {
  element = h("div", { class: "stack" });
  kind = "kalah";
  pits = 6;
  seeds = 4;
  rows = 7;
  cols = 7;
  rule = "standard";
  majority = false;

  /**
   * @param {Meta} meta
   * @param {string} game as it is chosen at first
   */
  constructor(meta, game) {
    this.meta = meta;
    this.#read(game);
    this.#draw();
  }

  /** The name of the game chosen. */
  get game() {
    const size = this.kind === "kalah" ? `${this.pits}x${this.seeds}` : `${this.rows}x${this.cols}`;
    return `${this.kind}:${size}:${this.rule}${this.majority && this.#about().majority ? "+majority" : ""}`;
  }

  #about() {
    return /** @type {GameMeta} */ (this.meta.games.find((one) => one.kind === this.kind));
  }

  /** @param {string} game a full name */
  #read(game) {
    const [kind, size = "6x4", rule = "standard"] = game.split(":");
    const [a, b] = size.split("x").map(Number);
    this.kind = kind;
    if (kind === "kalah") [this.pits, this.seeds] = [a, b];
    else [this.rows, this.cols] = [a, b];
    this.majority = rule.endsWith("+majority");
    this.rule = rule.replace("+majority", "");
  }

  /** @param {string} game */
  choose(game) {
    this.#read(game);
    this.#draw();
  }

  #draw() {
    const about = this.#about();
    const focus = document.activeElement instanceof HTMLInputElement && this.element.contains(document.activeElement)
      ? `${document.activeElement.name}=${document.activeElement.value}` : "";
    const size = (/** @type {"pits" | "seeds" | "rows" | "cols"} */ key, /** @type {string} */ text) =>
      slider(text, this[key], about.limits[key] ?? [1, 1], (value) => (this[key] = value));
    const aboutRule = h("span", { class: "about" }, ruleAbout(this.rule));
    refill(this.element,
      pills(t("new.game"), "kind", this.meta.games.map((one) => ({ value: one.kind, text: t(one.kind) })), this.kind, (kind) => {
        this.choose(/** @type {GameMeta} */ (this.meta.games.find((one) => one.kind === kind)).default);
      }),
      h("div", { class: "pair" },
        this.kind === "kalah" ? [size("pits", t("new.pits")), size("seeds", t("new.seeds"))] : [size("rows", t("new.rows")), size("cols", t("new.cols"))]),
      h("label", { class: "field" }, t("new.rule"),
        h("select", {
          onchange: (/** @type {Event} */ event) => {
            this.rule = /** @type {HTMLSelectElement} */ (event.target).value;
            const chosen = about.rules.find((one) => one.name === this.rule);
            aboutRule.textContent = ruleAbout(this.rule);
            if (chosen?.rows && chosen.cols) {
              this.rows = chosen.rows;
              this.cols = chosen.cols;
              this.#draw();
              this.element.querySelector("select")?.focus();
            }
          },
        }, about.rules.map((one) => h("option", { value: one.name, selected: one.name === this.rule }, ruleName(one.name)))),
        aboutRule),
      about.majority ? h("label", { class: "row keep" },
        h("input", { type: "checkbox", checked: this.majority, onchange: (/** @type {Event} */ event) => (this.majority = /** @type {HTMLInputElement} */ (event.target).checked) }),
        t("new.majority")) : null,
    );
    if (focus) {
      const [name, value] = focus.split("=");
      /** @type {HTMLElement | null} */ (this.element.querySelector(`input[name="${name}"][value="${value}"]`))?.focus();
    }
  }
}
