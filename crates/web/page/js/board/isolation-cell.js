// One cell of an Isolation board: a tile over a hole, with marks.

import { s } from "../dom.js";
import { chipWords, drawChip } from "./chip.js";
import { noise } from "./scatter.js";

/** @typedef {import("../types.js").Chip} Chip */

/** @type {Record<string, string>} */
const KINDS = { ".": "free", 1: "first player's piece", 2: "second player's piece", x: "left by the first player", o: "left by the second player", "#": "gone" };

export class IsolationCell {
  #kind = ".";

  /**
   * @param {number} index
   * @param {string} name such as c4
   * @param {{x: number, y: number}} middle
   * @param {number} size
   */
  constructor(index, name, { x, y }, size) {
    this.name = name;
    this.size = size;
    const side = size - (size > 30 ? 4 : 2);
    const box = { x: -side / 2, y: -side / 2, width: side, height: side, rx: Math.min(8, size * 0.16) };
    this.tile = s("rect", { class: `tile t${Math.floor(noise(index, 9) * 3)}`, ...box });
    /** Drawn on top of the pieces; not part of the cell's name. */
    this.chip = s("g", { class: "chip", transform: `translate(${x} ${y})` });
    this.group = s("g", { class: "cell", role: "gridcell", "data-cell": name, tabindex: -1, transform: `translate(${x} ${y})` },
      s("rect", { class: "hole", ...box }), this.tile, s("circle", { class: "mark", r: size * 0.13 }), s("rect", { class: "ring", ...box }));
  }

  /** @param {string} kind as positions write it */
  kind(kind) {
    this.#kind = kind;
    this.group.setAttribute("data-kind", kind);
  }

  /** @param {Chip | undefined} chip */
  value(chip) {
    const { size } = this;
    drawChip(this.chip, chip, {
      ground: s("circle", { r: size * 0.4 }),
      font: Math.min(14, size * 0.36, (size * 1.5) / (chip?.text.length ?? 1)),
      seal: size > 34 ? { x: size * 0.29, y: -size * 0.29 } : null,
    });
    this.group.setAttribute("aria-label", `${this.name}, ${KINDS[this.#kind] ?? this.#kind}${chipWords(chip)}`);
  }

  /**
   * @param {string} name
   * @param {boolean} on
   */
  mark(name, on) {
    this.group.classList.toggle(name, on);
  }
}
