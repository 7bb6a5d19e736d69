// The seeds on a Kalah board: one drawn thing each, which keeps its colour while it travels.

import { s } from "../dom.js";
import { COLOURS, noise, place } from "./scatter.js";

/** @typedef {import("./kalah-layout.js").KalahLayout} KalahLayout */
/** @typedef {SVGPathElement & {rest?: string}} Seed `rest`: the transform where it lies */

/** A bean, about one unit in radius. */
const BEAN = "M-1.12-.1C-1.15-.75-.5-.95.05-.86.6-.8 1.16-.6 1.14.02 1.12.7.5.9-.05.82-.6.95-1.08.6-1.12-.1Z";

export class Seeds {
  /** @type {Seed[][]} seeds by house, in the order in which they came */
  houses = [];
  #made = 0;

  /** @param {SVGGElement} layer */
  constructor(layer) {
    this.layer = layer;
  }

  /**
   * Makes the board hold these counts without showing how; surplus seeds of one house go where seeds are missing.
   * @param {number[]} counts
   * @param {KalahLayout} layout
   */
  settle(counts, layout) {
    while (this.houses.length < counts.length) this.houses.push([]);
    const spare = this.houses.splice(counts.length).flat();
    this.houses.forEach((seeds, house) => spare.push(...seeds.splice(counts[house])));
    counts.forEach((count, house) => {
      const seeds = this.houses[house];
      while (seeds.length < count) seeds.push(spare.pop() ?? this.#make(layout));
      seeds.forEach((seed, index) => this.lay(seed, house, index, layout));
    });
    for (const seed of spare) seed.remove();
  }

  /**
   * Puts a seed to rest.
   * @param {Seed} seed
   * @param {number} house
   * @param {number} index
   * @param {KalahLayout} layout
   */
  lay(seed, house, index, layout) {
    const spot = place(house, index, layout.houses[house], layout.seed);
    const rest = frame(spot.x, spot.y, spot.turn, layout.seed);
    if (seed.rest === rest) return;
    seed.rest = rest;
    seed.style.transform = rest;
  }

  /**
   * @param {KalahLayout} layout
   * @returns {Seed}
   */
  #make(layout) {
    const colour = Math.floor(noise(this.#made++, 7) * COLOURS);
    /** @type {Seed} */
    const seed = s("path", { class: "seed", d: BEAN, fill: `url(#seed-${colour})` });
    const away = layout.houses[0];
    seed.style.transform = frame(away.x, away.y, 0, layout.seed);
    this.layer.append(seed);
    return seed;
  }
}

/**
 * @param {number} x
 * @param {number} y
 * @param {number} turn degrees
 * @param {number} size
 */
export function frame(x, y, turn, size) {
  return `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) rotate(${turn}deg) scale(${size.toFixed(2)})`;
}
