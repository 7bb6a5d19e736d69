// Who is ahead, as a bar: the first player's part grows from the left.

import { h } from "../dom.js";
import { t } from "../text/text.js";

export class EvalBar {
  #part = h("span", {});
  element = h("div", { class: "evalbar", role: "img", "aria-label": t("balance") }, this.#part);

  /**
   * @param {number} bar -1 to 1, for the first player
   * @param {string} words
   */
  show(bar, words) {
    this.#part.style.width = `${(50 + 48 * Math.max(-1, Math.min(1, bar))).toFixed(1)}%`;
    this.element.setAttribute("aria-label", words || t("balance"));
    this.element.title = words;
  }
}
