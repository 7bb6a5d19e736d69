// Buttons to walk through a game.

import { h, icon } from "../dom.js";
import { t } from "../text/text.js";

/**
 * @param {(by: number) => void} step by how many moves; a large number goes to the end
 * @param {...(Node | null)} more
 */
export function historyBar(step, ...more) {
  const button = (/** @type {string} */ picture, /** @type {string} */ text, /** @type {number} */ by) =>
    h("button", { type: "button", class: "square", "aria-label": text, title: text, onclick: () => step(by) }, icon(picture));
  return h("div", { class: "history" },
    button("first", t("history.first"), -9999), button("prev", t("history.back"), -1), button("next", t("history.forward"), 1), button("last", t("history.last"), 9999), ...more);
}

/**
 * The keys that walk through a game.
 * @param {string} key
 * @returns {number} by how many moves; 0: not such a key
 */
export function historyKey(key) {
  return { ArrowLeft: -1, ArrowRight: 1, "[": -1, "]": 1, PageUp: -1, PageDown: 1, Home: -9999, End: 9999 }[key] ?? 0;
}
