// One house of a Kalah board: its bowl, which can be pressed, and what is written beside it.

import { s, set } from "../dom.js";
import { pitNumber } from "../text/sentences.js";
import { t } from "../text/text.js";
import { chipWords, drawChip } from "./chip.js";

/** @typedef {import("../types.js").Chip} Chip */
/** @typedef {import("./kalah-layout.js").House} Place */

export class KalahHouse {
  #count;
  #chip;
  #ghost;
  #would = "";
  #seeds = 0;
  /** @type {Chip | undefined} */
  #value;

  /**
   * @param {number} index of the house in the order of the rules
   * @param {number} pits a side
   * @param {Place} place
   * @param {boolean} narrow whether values must be small
   */
  constructor(index, pits, place, narrow) {
    const { x, y, rx, ry, count, name, value } = place;
    this.narrow = narrow;
    this.number = index % (pits + 1);
    this.isPit = this.number !== pits;
    this.player = index <= pits ? 0 : 1;
    const corner = Math.min(rx, ry, this.isPit ? Infinity : 38);
    const bowl = (/** @type {string} */ kind, /** @type {number} */ grow) =>
      s("rect", { class: kind, x: x - rx - grow, y: y - ry - grow, width: 2 * (rx + grow), height: 2 * (ry + grow), rx: corner + grow });
    this.#count = s("text", { class: "count", x: count.x, y: count.y });
    this.#chip = s("g", { class: "chip", transform: `translate(${value.x} ${value.y})` });
    this.#ghost = s("g", { class: "ghost", transform: `translate(${x} ${y})` });
    /** Written on top of everything; not part of the name of the bowl. */
    this.labels = s("g", { class: this.isPit ? "" : "of-store", "data-of": index },
      this.#count, this.isPit ? s("text", { class: "name", x: name.x, y: name.y }, pitNumber(this.number)) : null, this.#chip, this.#ghost);
    this.group = s("g", { class: `house ${this.isPit ? "pit" : "store"} p${this.player}`, "data-house": index, role: this.isPit ? "button" : "img" },
      bowl("rim", 1.5), bowl("bowl", 0), bowl("ring", 2.5));
    if (!this.isPit) return;
    set(this.group, { "data-pit": this.number, tabindex: -1 });
    // The whole strip of the pit can be pressed, its number too.
    const left = Math.min(x - rx, count.x - 10) - 2;
    const top = Math.min(y - ry, count.y - 10) - 2;
    this.group.prepend(s("rect", {
      class: "hit", x: left, y: top, width: Math.max(x + rx, count.x + 10) + 2 - left, height: Math.max(y + ry, count.y + 10) + 2 - top,
    }));
  }

  /** @param {number} seeds */
  count(seeds) {
    this.#seeds = seeds;
    this.#count.textContent = String(seeds);
    this.labels.classList.toggle("empty", seeds === 0);
    this.#name();
  }

  /** @param {Chip | undefined} chip */
  value(chip) {
    this.#value = chip;
    const length = chip?.text.length ?? 0;
    const wide = this.narrow ? 7.4 * length + 6 : Math.max(32, 9.4 * length + 12);
    drawChip(this.#chip, chip, {
      ground: s("rect", { x: -wide / 2, y: -11, width: wide, height: 22, rx: this.narrow ? 7 : 11 }),
      font: this.narrow ? 11.5 : 14,
      seal: this.narrow ? { x: 0, y: -12 } : { x: wide / 2 - 1, y: -9 },
    });
    this.#name();
  }

  /**
   * What a move under consideration would do here.
   * @param {string} text such as +2; nothing: it does nothing here
   * @param {"sown" | "taken" | "again"} [kind]
   */
  ghost(text, kind = "sown") {
    if (text === "" && !this.#ghost.firstChild) return;
    this.#ghost.setAttribute("class", `ghost ${kind}`);
    const wide = Math.max(30, 11 * text.length + 12);
    if (text === "") this.#ghost.replaceChildren();
    else this.#ghost.replaceChildren(s("rect", { x: -wide / 2, y: -13, width: wide, height: 26, rx: 13 }), s("text", { y: 1, "font-size": 15 }, text));
  }

  /** @param {string} words what the move of this pit would do, for screen readers */
  would(words) {
    this.#would = words;
    this.#name();
  }

  /**
   * @param {string} name
   * @param {boolean} on
   */
  mark(name, on) {
    this.group.classList.toggle(name, on);
  }

  #name() {
    const seeds = t("seeds", { n: this.#seeds });
    const named = this.isPit
      ? t(this.player === 0 ? "board.pit.0" : "board.pit.1", { pit: pitNumber(this.number), seeds })
      : t(this.player === 0 ? "board.store.0" : "board.store.1", { seeds });
    this.group.setAttribute("aria-label", named + chipWords(this.#value) + (this.#would ? t("board.would", { what: this.#would }) : ""));
  }
}
