// A piece of Isolation.

import { s } from "../dom.js";

/**
 * @param {number} player
 * @param {number} size of a cell
 */
export function pawn(player, size) {
  const u = size / 20;
  const body = `M${-5 * u} ${7.4 * u}C${-5 * u} ${4.4 * u} ${-2.2 * u} ${3.6 * u} ${-2 * u} ${0}L${2 * u} ${0}C${2.2 * u} ${3.6 * u} ${5 * u} ${4.4 * u} ${5 * u} ${7.4 * u}Z`;
  return s("g", { class: `piece p${player}`, "aria-hidden": "true" },
    s("ellipse", { class: "shade", cy: 7.4 * u, rx: 6.2 * u, ry: 1.8 * u }),
    s("path", { d: body }),
    s("circle", { cy: -2.6 * u, r: 3.9 * u }),
    s("circle", { class: "shine", cx: -1.2 * u, cy: -3.9 * u, r: 1.2 * u }),
  );
}
