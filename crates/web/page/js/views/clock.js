// The clocks of two players: each has a time for the whole game, and gets a little back for every move.

import { t } from "../text/text.js";

/** @typedef {import("../types.js").Player} Player */
/** @typedef {{minutes: number, increment: number}} ClockSetting `increment` in seconds a move */

export class Clock {
  /** @type {[number, number]} */
  #left;
  /** @type {Player | null} */
  #running = null;
  #since = 0;
  #timer = 0;

  /**
   * @param {ClockSetting} setting
   * @param {(player: Player) => void} onLate
   * @param {[number, number]} [left] milliseconds, if the game was begun before
   */
  constructor(setting, onLate, left) {
    this.setting = setting;
    this.onLate = onLate;
    const all = setting.minutes * 60_000;
    this.#left = Array.isArray(left) ? [left[0], left[1]] : [all, all];
  }

  /** @returns {[number, number]} milliseconds that are left */
  left() {
    const left = /** @type {[number, number]} */ ([...this.#left]);
    if (this.#running !== null) left[this.#running] = Math.max(0, left[this.#running] - (performance.now() - this.#since));
    return left;
  }

  /** @param {Player} player whose clock runs from now on */
  run(player) {
    if (this.#running === player) return;
    this.stop();
    this.#running = player;
    this.#since = performance.now();
    this.#timer = window.setTimeout(() => {
      this.stop();
      this.onLate(player);
    }, this.#left[player]);
  }

  /** The player whose clock runs has moved. */
  moved() {
    const player = this.#running;
    this.stop();
    if (player !== null) this.#left[player] += this.setting.increment * 1000;
  }

  stop() {
    window.clearTimeout(this.#timer);
    this.#left = this.left();
    this.#running = null;
  }

  /** A player who has run out of time gets a minute. */
  again() {
    this.#left = /** @type {[number, number]} */ (this.#left.map((left) => Math.max(left, 60_000)));
  }
}

/**
 * 65000 as 1:05; the last ten seconds with tenths.
 * @param {number} millis
 */
export function clockText(millis) {
  if (millis < 10_000) return `0:0${(Math.max(0, millis) / 1000).toFixed(1)}`;
  const seconds = Math.ceil(millis / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/**
 * Puts what is left into the place of a player's clock.
 * @param {HTMLElement} shown
 * @param {number} millis
 */
export function showClock(shown, millis) {
  const text = clockText(millis);
  if (shown.textContent === text) return;
  shown.textContent = text;
  shown.setAttribute("aria-label", t("clock", { time: text }));
  shown.classList.toggle("short", millis < 10_000);
}
