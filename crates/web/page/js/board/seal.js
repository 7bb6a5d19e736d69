// What marks a value as proven.

import { s } from "../dom.js";

/**
 * A small disc with a tick.
 * @param {number} x
 * @param {number} y
 */
export function seal(x, y) {
  return s("g", { class: "seal", transform: `translate(${x} ${y})` }, s("circle", { r: 6.2 }), s("path", { d: "m-2.7 0 2 2.1L2.9-2.3" }));
}
