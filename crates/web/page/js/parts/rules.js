// A game explained in a minute, for people who see it for the first time.

import { h, refill } from "../dom.js";
import { ruleAbout } from "../text/sentences.js";
import { t } from "../text/text.js";

/**
 * @param {HTMLElement} element
 * @param {string} game
 */
export function explain(element, game) {
  const [kind, , rule = ""] = game.split(":");
  const about = ruleAbout(rule.split("+")[0]);
  const lines = kind === "kalah" ? [t("rules.kalah.sow"), t("rules.kalah.again"), about, t("rules.kalah.end")] : [about, t("rules.isolation")];
  refill(element, h("summary", {}, t("rules.title")), h("ul", { class: "small" }, lines.map((line) => h("li", {}, line))),
    h("p", { class: "small" }, h("a", { href: "book/", target: "_blank" }, t("rules.book"))));
}
