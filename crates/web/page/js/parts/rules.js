// A game explained in a minute, for people who see it for the first time.

import { h, refill } from "../dom.js";

const KALAH = [
  "Choose one of your pits: its seeds are sown one by one, against the clock, into pits and your own store, but not into the other one.",
  "Last seed in your store: you move again.",
  "When one side is empty the game is over: what is left goes to its owner, and more seeds win.",
];
const ISOLATION = ["Keep your piece moving. Dots show where it can go."];

/**
 * @param {HTMLElement} element
 * @param {string} game
 * @param {import("../types.js").Meta} meta
 */
export function explain(element, game, meta) {
  const [kind, , rule = ""] = game.split(":");
  const about = meta.games.find((one) => one.kind === kind)?.rules.find((one) => rule.startsWith(one.name))?.about ?? "";
  const first = about.charAt(0).toUpperCase() + about.slice(1);
  const lines = kind === "kalah" ? [KALAH[0], KALAH[1], `${first}.`, KALAH[2]] : [`${first}.`, ...ISOLATION];
  refill(element, h("summary", {}, "How it is played"), h("ul", { class: "small" }, lines.map((line) => h("li", {}, line))));
}
