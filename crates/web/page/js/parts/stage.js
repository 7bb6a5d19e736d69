// A board and the moves that are waiting to be shown on it, one after another.

import { Board } from "../board/board.js";
import { h } from "../dom.js";
import { t } from "../text/text.js";

/** @typedef {import("../types.js").State} State */

export class Stage {
  /** @type {State[]} */
  #queue = [];
  #running = false;
  /** Rises whenever the moves that are being shown no longer matter. */
  #round = 0;
  #wanted = false;
  /** @type {State | null} */
  #shown = null;
  /** @type {(state: State) => void} called when a state has been shown */
  onShown = () => {};
  /** The message of the board, until the next move. */
  #prompt = h("p", { class: "prompt", "aria-hidden": "true" });
  #pass = h("button", { type: "button", class: "main pass", hidden: true }, t("pass"));

  /** @param {import("../types.js").BoardHandlers} handlers */
  constructor(handlers) {
    this.board = new Board({
      ...handlers,
      say: (words) => {
        handlers.say(words);
        this.#prompt.textContent = words;
      },
    });
    this.element = h("div", { class: "stage" }, this.board.element, this.#prompt, this.#pass);
    this.#pass.addEventListener("click", () => handlers.move("pass"));
  }

  /** Whether nothing waits to be shown. */
  get idle() {
    return !this.#running;
  }

  /**
   * Shows a state at once, ends what was on its way and forgets what was waiting.
   * @param {State} state
   */
  jump(state) {
    this.#prompt.textContent = "";
    this.#queue = [];
    this.#running = false;
    this.#round++;
    this.board.show(state);
    this.#settle(state);
  }

  /**
   * Shows how a state came to be, after everything that is waiting.
   * @param {State} state
   */
  next(state) {
    this.#prompt.textContent = "";
    this.#queue.push(state);
    if (!this.#running) this.#run();
  }

  async #run() {
    const round = ++this.#round;
    this.#running = true;
    this.#permit();
    for (let state = this.#queue.shift(); state; state = this.#queue.shift()) {
      await this.board.play(state);
      if (round !== this.#round) return;
      if (this.#queue.length === 0) this.#running = false;
      this.#settle(state);
    }
  }

  /** @param {State} state */
  #settle(state) {
    this.#shown = state;
    this.element.dataset.position = state.position;
    this.#permit();
    this.onShown(state);
  }

  /**
   * Whether the person may move as soon as nothing is on its way.
   * @param {boolean} on
   */
  allow(on) {
    this.#wanted = on;
    this.#permit();
  }

  #permit() {
    const on = this.#wanted && !this.#running;
    this.board.allow(on);
    const only = this.#shown?.legal.length === 1 ? this.#shown.legal[0] : null;
    this.#pass.hidden = !on || only?.move !== "pass";
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.key === "p" && !this.#pass.hidden) {
      this.#pass.click();
      return true;
    }
    return this.board.key(event.key);
  }
}
