// One cell of an Isolation board: a tile over a hole, with marks.

import { s } from "../dom.js";
import { t } from "../text/text.js";
import { chipWords, drawChip } from "./chip.js";
import { noise } from "./scatter.js";

/** @typedef {import("../types.js").Chip} Chip */

/** What is on a cell, as positions write it. @type {Record<string, import("../text/text.js").Key>} */
const KINDS = { ".": "cell.free", 1: "cell.piece.0", 2: "cell.piece.1", x: "cell.left.0", o: "cell.left.1", "#": "cell.gone" };

export class IsolationCell {
  #kind = ".";
  /** @type {Chip | undefined} */
  #value;
  #open = false;
  #named = "";

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
    if (chip || this.#value) {
      drawChip(this.chip, chip, {
        ground: s("circle", { r: size * 0.4 }),
        font: Math.min(14, size * 0.36, (size * 1.5) / (chip?.text.length ?? 1)),
        seal: size > 34 ? { x: size * 0.29, y: -size * 0.29 } : null,
      });
    }
    this.#value = chip;
    this.#tell();
  }

  /** @param {boolean} open whether it can be chosen now */
  open(open) {
    this.#open = open;
    this.mark("playable", open);
    this.#tell();
  }

  #tell() {
    const named = t("cell.name", { cell: this.name, kind: t(KINDS[this.#kind] ?? "cell.free") }) + (this.#open ? t("cell.legal") : "") + chipWords(this.#value);
    if (named === this.#named) return;
    this.#named = named;
    this.group.setAttribute("aria-label", named);
  }

  /**
   * @param {string} name
   * @param {boolean} on
   */
  mark(name, on) {
    this.group.classList.toggle(name, on);
  }
}
