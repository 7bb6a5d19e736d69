// Things that happen one after another, and can all be brought to their end at once.

export class Timeline {
  /** @type {{at: number, run: () => void}[]} */
  #events = [];
  /** @type {Animation[]} */
  #animations = [];
  #timer = 0;
  #began = 0;
  #next = 0;
  /** @type {() => void} */
  #resolve = () => {};

  /**
   * @param {number} at milliseconds from the start
   * @param {() => void} run
   */
  add(at, run) {
    this.#events.push({ at, run });
  }

  /**
   * Moves an element whose resting place is already set; before `at` it stays at the first frame.
   * @param {Element} element
   * @param {Keyframe[]} frames
   * @param {number} at
   * @param {number} duration
   */
  move(element, frames, at, duration) {
    const animation = element.animate(frames, { delay: at, duration, fill: "backwards" });
    this.#animations.push(animation);
  }

  /**
   * Runs to the end.
   * @returns {Promise<void>} fulfilled when everything has happened
   */
  run() {
    this.#events.sort((a, b) => a.at - b.at);
    this.#began = performance.now();
    return new Promise((resolve) => {
      this.#resolve = resolve;
      this.#step();
    });
  }

  #step() {
    const now = performance.now() - this.#began;
    while (this.#next < this.#events.length && this.#events[this.#next].at <= now) this.#events[this.#next++].run();
    if (this.#next === this.#events.length) return this.#resolve();
    this.#timer = window.setTimeout(() => this.#step(), Math.max(1, this.#events[this.#next].at - now));
  }

  /** Everything that is still to come happens now. */
  finish() {
    window.clearTimeout(this.#timer);
    for (const animation of this.#animations) animation.cancel();
    while (this.#next < this.#events.length) this.#events[this.#next++].run();
    this.#resolve();
  }
}
