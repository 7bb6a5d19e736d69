// The value of a move, drawn on a board.

import { s } from "../dom.js";
import { t } from "../text/text.js";

/** @typedef {import("../types.js").Chip} Chip */

/**
 * Fills a group with a value, or empties it.
 * @param {SVGGElement} group
 * @param {Chip | undefined} chip
 * @param {object} shape
 * @param {SVGElement} shape.ground behind the text
 * @param {number} shape.font
 * @param {{x: number, y: number} | null} shape.seal where the mark of a proven value goes; null: there is no room
 */
export function drawChip(group, chip, { ground, font, seal }) {
  if (!chip) return group.replaceChildren();
  group.setAttribute("class", `chip ${chip.tone}${chip.best ? " best" : ""}`);
  group.replaceChildren(ground, s("text", { y: 1, "font-size": font }, chip.text));
  if (!chip.proven || !seal) return;
  group.append(s("g", { class: "seal", transform: `translate(${seal.x} ${seal.y})` }, s("circle", { r: 6.2 }), s("path", { d: "m-2.7 0 2 2.1L2.9-2.3" })));
}

/**
 * The same in words, to be added to the name of a pit or cell.
 * @param {Chip | undefined} chip
 */
export function chipWords(chip) {
  if (!chip) return "";
  return t(chip.proven ? "chip.proven" : "chip", { value: chip.text }) + (chip.best ? t("chip.best") : "");
}
