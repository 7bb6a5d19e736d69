// Arrows on a board: a bow from where a move begins to where it ends.

import { s } from "../dom.js";

/**
 * @param {"best" | "threat"} kind
 * @param {{x: number, y: number}} from
 * @param {{x: number, y: number}} to
 * @param {number} size of the head
 */
export function arrow(kind, from, to, size) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const far = Math.hypot(dx, dy);
  if (far < 1) return s("g", { class: `arrow ${kind}` }, s("circle", { class: "shaft", cx: from.x, cy: from.y, r: size * 1.2 }));
  // The arrow is bent by an eighth of its length, so that arrows in opposite directions do not cover each other.
  const middle = { x: (from.x + to.x) / 2 - dy / 8, y: (from.y + to.y) / 2 + dx / 8 };
  const [ex, ey] = [to.x - middle.x, to.y - middle.y];
  const end = Math.hypot(ex, ey);
  const [ux, uy] = [ex / end, ey / end];
  const tail = { x: to.x - ux * size, y: to.y - uy * size };
  const wide = size * 0.62;
  return s("g", { class: `arrow ${kind}` },
    s("path", { class: "shaft", d: `M${from.x} ${from.y}Q${middle.x} ${middle.y} ${tail.x} ${tail.y}` }),
    s("path", { class: "head", d: `M${to.x} ${to.y}L${tail.x - uy * wide} ${tail.y + ux * wide}L${tail.x + uy * wide} ${tail.y - ux * wide}Z` }));
}
